"""The rules of `check`: each is one declaration, from which its documentation is made too."""
