"""XML text as robots are written in it: a tree with exact byte spans, and how new lines are laid out in it."""
