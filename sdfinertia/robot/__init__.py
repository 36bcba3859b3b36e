"""What robot formats share: robots, models, links, solids, their values and edits."""
