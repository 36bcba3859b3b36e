"""Measures sdfinertia beside other programs that do the same work: `make bench`.

    workloads -> rows -> measurement -> bars -> table, JSON

`surfaces`, `mesh_files` and `models` make the inputs; `workloads` keeps them between runs; `peers` has the other
programs; a row of `rows` is some work, its contenders, and the bars they have to reach; `programs` run as processes of
their own. Times are of whole processes unless a program times itself. The contenders of a row take turns, and compared
quantities are measured in the same round, so that a load on the machine falls on all of them.
"""
