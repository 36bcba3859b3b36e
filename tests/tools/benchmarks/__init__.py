"""Measures sdfinertia beside other programs that do the same work: `make bench`.

    workloads -> rows -> measurement -> bars -> table, JSON

`surfaces`, `mesh_files` and `models` make what is worked on; `workloads` keeps it between runs; `peers` knows the other
programs; a row of `rows` is some work, who does it, and the bars it has to reach; `programs` run as processes of their
own. Times are of whole processes unless a program times itself. Those who do one row's work take turns, and what is
compared is measured in the same round, so that a load on the machine falls on all of them.
"""
