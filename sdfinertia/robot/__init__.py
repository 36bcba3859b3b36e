"""What formats of robot descriptions share: robots, models, links and solids, and the values that they give."""
