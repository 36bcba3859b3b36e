"""What mistake explains an inertial that no body has: hypotheses, the evidence for each, and what would undo it."""
