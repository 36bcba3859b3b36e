"""The mistake that explains a wrong inertial: hypotheses, the evidence for each, and what would undo it."""
