"""The mistake that explains a wrong inertial: hypotheses, the evidence for each, and the numbers without it."""
