"""Runs two commits on the same files and tells every byte in which what they say and write differs: `make same`.

    commits -> packages --\\
    trees ----> copies ----+-> runs, one after the other at one path -> masks -> comparison -> differences

    make same BASE=main~3                    # the working tree beside that commit; BASE=HEAD unless told
    make same SAME=--quick                   # a part of the runs, within a minute
    make same SAME="--only 'fill-*' --lines 60"
    make same SAME=--list                    # the runs there are

A change that is to alter no behaviour (of structure, or of speed) is proven so: `sides` takes the package of a commit
and that of the working tree out into directories of their own, and both run with the same interpreter and libraries;
each run of the table in `runs` happens twice, in a fresh copy of the trees at the same absolute path. Compared are exit
statuses, both streams, and every file of the copy afterwards, with its mode. `masks` says what is left out: times,
names of temporary files, and, unless `--strict` is given, the digests in provenance comments.

The trees are `fixtures`, and, where they are, the reference cases and real models (`SDFINERTIA_REFERENCE`,
`SDFINERTIA_REAL`; beside the project in `../shared` unless told). What is not there is said and passed over. Exit
status: 0 no difference, 1 differences, 2 there was nothing to compare.
"""
