"""Pages of HTML with the models in three dimensions."""
