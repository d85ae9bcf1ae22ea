"""Sparse matrices in other layouts than rows, as conversions return them. Arrays are of the caller's library."""

from dataclasses import dataclass
from typing import Any, ClassVar


@dataclass(frozen=True, eq=False)
class SparseElements:
    """Elements in any order (COO): data[k] in row row[k] and column col[k]. Several at one place add up.

    scipy.sparse.coo_array((a.data, (a.row, a.col)), a.shape) is the same."""

    data: Any  # float32 or float64
    row: Any  # int32, as col
    col: Any
    shape: tuple[int, int]
    format: ClassVar[str] = "coo"


@dataclass(frozen=True, eq=False)
class SparseBlocks:
    """Dense blocks (BSR): those of row i of blocks are numbers indptr[i] to indptr[i + 1] - 1; block k stands in column
    indices[k] of blocks, and data[k] holds it. Blocks at the lower and right edges go beyond the matrix where sides of
    blocks do not divide its own.

    Where they do, scipy.sparse.bsr_array((a.data, a.indices, a.indptr), a.shape) is the same."""

    data: Any  # float32 or float64, of shape (blocks, rows of a block, columns of a block)
    indices: Any  # int32
    indptr: Any  # int64
    shape: tuple[int, int]  # of the matrix
    format: ClassVar[str] = "bsr"


@dataclass(frozen=True, eq=False)
class SparseSlices:
    """Slices of slice_rows rows, each padded to the longest of its slice (SELL-C-sigma). Position p holds row row_numbers[p]
    and is number r = p % slice_rows of slice s = p // slice_rows, whose element j is data[indptr[s] + j * slice_rows + r] in
    the column of the same place in indices. Padding has the column -1 and the value 0."""

    data: Any  # float32 or float64
    indices: Any  # int32
    indptr: Any  # int64, one more than there are slices
    row_numbers: Any  # int32, as many as there are rows
    slice_rows: int
    shape: tuple[int, int]
    format: ClassVar[str] = "sell"
