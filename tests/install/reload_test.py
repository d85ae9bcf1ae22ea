#!/usr/bin/env python3
"""dlopen, dlclose and dlopen again: the registry is as it was.

Usage: reload_test.py LIBRARY… (those that register rows first, libtandem last)
"""

import _ctypes
import ctypes
import sys

libraries = sys.argv[1:]


def rows(library):
    """The registry: where its rows begin and end."""
    implementations = library["_ZN6tandem15implementationsEv"]
    implementations.restype = ctypes.POINTER(ctypes.c_void_p * 2)
    begin, end = implementations().contents
    return begin, end


opened = [ctypes.CDLL(path) for path in libraries]
before = rows(opened[-1])
assert before[0] != before[1]
for _ in range(3):
    for library in opened:
        _ctypes.dlclose(library._handle)
    opened = [ctypes.CDLL(path) for path in libraries]
    after = rows(opened[-1])
    assert after == before, f"the registry moved or changed: {before} became {after}"
print("closed and opened three times")
