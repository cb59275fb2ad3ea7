"""Where values generalize: hierarchy files read with their line numbers, and the rules that make them trees.

Pure: no SQL and no database. ``read_hierarchy_file(path).build(header=None)`` gives a ``Hierarchy``.
"""

from kanon_sql.hierarchy.faults import Fault, HierarchyFaults
from kanon_sql.hierarchy.model import FLAT_TOP, Hierarchy
from kanon_sql.hierarchy.reading import HierarchyFile, read_hierarchy_bytes, read_hierarchy_file
from kanon_sql.hierarchy.rules import check_tree, levels_that_merge_nothing, top_below_top

__all__ = [
    "FLAT_TOP",
    "Fault",
    "Hierarchy",
    "HierarchyFaults",
    "HierarchyFile",
    "check_tree",
    "levels_that_merge_nothing",
    "read_hierarchy_bytes",
    "read_hierarchy_file",
    "top_below_top",
]
