"""Types of arguments, for type checkers."""

from typing import Any, Literal, Protocol, TypeVar


class SupportsDLPack(Protocol):
    """An array that shares its memory: NumPy's, CuPy's, PyTorch's, JAX's, and others."""

    def __dlpack__(self, *args: Any, **kwargs: Any) -> Any: ...


class SparseRows(Protocol):
    """A sparse matrix in rows, or in columns where its format is "csc": SciPy's csr_array and csc_array, and others."""

    @property
    def indptr(self) -> Any: ...
    @property
    def indices(self) -> Any: ...
    @property
    def data(self) -> Any: ...
    @property
    def shape(self) -> tuple[int, ...]: ...


Array = TypeVar("Array", bound=SupportsDLPack)
Operator = Literal["plus", "multiplies", "minimum", "maximum", "logical_and", "logical_or"]
Function = Literal["negate", "square", "plus", "axpy", "multiply_add", "dot2"]
Precision = Literal["full", "split", "tf32"]
Norm = Literal["inverse", "unitary", "none"]
