"""The checks of a release."""
