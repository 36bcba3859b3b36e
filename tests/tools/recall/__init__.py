"""How many mistakes `check` finds: faults injected into links that are right, counted by fault and by rule."""
