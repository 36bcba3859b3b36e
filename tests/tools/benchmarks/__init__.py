"""Measures sdfinertia beside other programs that do the same work: `make bench`.

`workloads` makes the inputs and keeps them between runs, `rows` has the work, and
`measurement` runs whole processes in turns, so that a load on the machine falls on all of them.
"""
