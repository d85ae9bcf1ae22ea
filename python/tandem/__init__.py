"""Reduce, scan, select, sort, top_k, histogram, transform, transpose, gemm, tridiagonal systems, intersections and random numbers on
NumPy arrays, and on any arrays that speak DLPack, on the CPU or a GPU; each by a library and by hand-written kernels, chosen by name.

    import numpy, tandem
    x = numpy.arange(8, dtype=numpy.float32)
    tandem.scan(x)                         # array([ 0.,  1.,  3.,  6., 10., 15., 21., 28.], dtype=float32)
    tandem.reduce(x, "maximum")            # 7.0
    tandem.scan(x, use="custom/threads")    # one implementation by name; tandem.implementations() lists them

Results are of the caller's kind of array. On a GPU calls are queued on PyTorch's or CuPy's current stream.
"""

from ._compare import compare
from ._errors import DeviceError, Error, InvalidArgument, OutOfMemory, SingularSystem, Unavailable
from ._tandem import (
    Index,
    PackedIndex,
    Queries,
    QueryBatch,
    __version__,
    gemm,
    histogram,
    implementations,
    intersect,
    intersect_count,
    intersect_count_into,
    intersect_into,
    last,
    partition,
    random,
    reduce,
    reduce_axis,
    reduce_by_key,
    scan,
    scan_by_key,
    segmented_reduce,
    segmented_scan,
    select,
    select_flagged,
    sort,
    synchronize,
    top_k,
    transform,
    transpose,
    tridiagonal,
    unique,
)

__all__ = [
    "DeviceError",
    "Error",
    "Index",
    "InvalidArgument",
    "OutOfMemory",
    "PackedIndex",
    "Queries",
    "QueryBatch",
    "SingularSystem",
    "Unavailable",
    "__version__",
    "compare",
    "gemm",
    "histogram",
    "implementations",
    "intersect",
    "intersect_count",
    "intersect_count_into",
    "intersect_into",
    "last",
    "partition",
    "random",
    "reduce",
    "reduce_axis",
    "reduce_by_key",
    "scan",
    "scan_by_key",
    "segmented_reduce",
    "segmented_scan",
    "select",
    "select_flagged",
    "sort",
    "synchronize",
    "top_k",
    "transform",
    "transpose",
    "tridiagonal",
    "unique",
]
