"""The common part of robot formats: robots, models, links, solids, their values and edits."""
