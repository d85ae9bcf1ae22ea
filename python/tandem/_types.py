"""Types of arguments, for type checkers."""

from typing import Any, Literal, Protocol, TypeVar, Union


class SupportsDLPack(Protocol):
    """An array that shares its memory: NumPy's, CuPy's, PyTorch's, JAX's, and others."""

    def __dlpack__(self, *args: Any, **kwargs: Any) -> Any: ...


class SparseOffsets(Protocol):
    """A sparse matrix in rows or, as its format says, columns, blocks or slices: SciPy's csr_array and others, CsrMatrix."""

    @property
    def indptr(self) -> Any: ...
    @property
    def indices(self) -> Any: ...
    @property
    def data(self) -> Any: ...
    @property
    def shape(self) -> tuple[int, ...]: ...


class SparseCoordinates(Protocol):
    """A sparse matrix of elements in any order, whose format is "coo": SciPy's coo_array, SparseElements."""

    @property
    def row(self) -> Any: ...
    @property
    def col(self) -> Any: ...
    @property
    def data(self) -> Any: ...
    @property
    def shape(self) -> tuple[int, ...]: ...


SparseMatrix = Union[SparseOffsets, SparseCoordinates, tuple[SupportsDLPack, SupportsDLPack, SupportsDLPack]]
Array = TypeVar("Array", bound=SupportsDLPack)
Operator = Literal["plus", "multiplies", "minimum", "maximum", "logical_and", "logical_or"]
Function = Literal["negate", "square", "plus", "axpy", "multiply_add", "dot2"]
Precision = Literal["full", "split", "tf32"]
Norm = Literal["inverse", "unitary", "none"]
