"""XML text: a tree with byte spans, and how new lines are laid out in it."""
