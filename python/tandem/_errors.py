"""The exceptions of the C++ library (tandem/error.h), which the module raises by these names."""


class Error(Exception):
    """Every failure of Tandem; its text is one line that says what to do."""


class InvalidArgument(Error, ValueError):
    """The call is wrong: names the operation, the argument, its value and the limit. Outputs are untouched."""


class Unavailable(Error):
    """The call is right but cannot run here: no GPU, a library that is not built in. Outputs are untouched."""


class OutOfMemory(Error, MemoryError):
    """Memory ran out where the call computes. The call can be made again."""

    asked: int  # bytes; 0 where they are not known, as below
    free: int


class DeviceError(Error):
    """A CUDA call or a kernel failed. Outputs are unspecified."""

    code: int  # of CUDA


class BadFile(Error, OSError):
    """A file cannot be used; the text names it, what was found there and what is needed."""

    file: str
    offset: int  # bytes from its start, where the problem was found


class SingularSystem(Error, ArithmeticError):
    """A tridiagonal matrix is singular or, without pivot=True, needs an exchange of rows."""

    system: int  # the first such system, counted along the memory of rhs
    row: int  # where elimination from the top met the pivot


for _error in (Error, InvalidArgument, Unavailable, OutOfMemory, DeviceError, BadFile, SingularSystem):
    _error.__module__ = "tandem"
