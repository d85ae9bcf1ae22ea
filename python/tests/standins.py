"""Arrays of libraries that need not be installed: DLPack capsules made by hand, and a GPU's arrays without a GPU."""

import ctypes

import numpy


class _Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_index", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


_RELEASE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class _Managed(ctypes.Structure):
    _fields_ = [("tensor", _Tensor), ("owner", ctypes.c_void_p), ("release", _RELEASE)]


class _ManagedVersioned(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("owner", ctypes.c_void_p),
        ("release", _RELEASE),
        ("flags", ctypes.c_uint64),
        ("tensor", _Tensor),
    ]


_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_DESTRUCTOR = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_is_valid = ctypes.pythonapi.PyCapsule_IsValid
_is_valid.argtypes = [ctypes.c_void_p, ctypes.c_char_p]


class Exporter:
    """A NumPy array that speaks DLPack alone, as a library of its own would. `exports` counts the capsules that are in
    use; `asked` keeps the arguments of the last __dlpack__()."""

    def __init__(self, array, versioned=True, device=(1, 0), version=(1, 0), read_only=False, strides=True, offset=0):
        self.array, self.versioned, self.device, self.version = array, versioned, device, version
        self.read_only, self.has_strides, self.offset = read_only, strides, offset
        self.exports, self.asked = 0, None

    def __dlpack_device__(self):
        return self.device

    def tensor(self):
        """DLPack's description, and what it points to."""
        array = self.array
        extents = (ctypes.c_int64 * array.ndim)(*array.shape)
        strides = (ctypes.c_int64 * array.ndim)(*(s // array.itemsize for s in array.strides))
        code = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}[array.dtype.kind]
        tensor = _Tensor(
            array.ctypes.data - self.offset,
            *self.device,
            array.ndim,
            code,
            8 * array.itemsize,
            1,
            extents,
            strides if self.has_strides else None,
            self.offset,
        )
        return tensor, (extents, strides)

    def __dlpack__(self, **arguments):
        if not self.versioned and "max_version" in arguments:
            raise TypeError("__dlpack__() got an unexpected keyword argument 'max_version'")
        self.asked = arguments
        tensor, keep = self.tensor()
        name = b"dltensor_versioned" if self.versioned else b"dltensor"

        def destroyed(capsule):
            assert _is_valid(capsule, name)  # nobody has taken it over
            self.exports -= 1

        self.exports += 1
        destructor = _DESTRUCTOR(destroyed)
        if self.versioned:
            managed = _ManagedVersioned(*self.version, None, _RELEASE(), int(self.read_only), tensor)
        else:
            managed = _Managed(tensor, None, _RELEASE())
        self.kept = keep, managed, destructor
        return _new_capsule(ctypes.addressof(managed), name, ctypes.cast(destructor, ctypes.c_void_p))


_MANAGED_FROM = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(ctypes.c_void_p))
_CURRENT_STREAM = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int32, ctypes.c_int32, ctypes.POINTER(ctypes.c_void_p))


class _ExchangeApi(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("before", ctypes.c_void_p),
        ("allocate", ctypes.c_void_p),
        ("managed_from", _MANAGED_FROM),
        ("array_from", ctypes.c_void_p),
        ("tensor_from", ctypes.c_void_p),
        ("current_stream", _CURRENT_STREAM),
    ]


_kept = []


def exchange_api(stream):
    """What a library of Exporters with this current stream offers to C (DLPack 1.3)."""

    def managed_from(exporter, managed):
        tensor, keep = exporter.tensor()

        def release(_):
            exporter.exports -= 1

        exporter.exports += 1
        whole = _ManagedVersioned(1, 3, None, _RELEASE(release), int(exporter.read_only), tensor)
        exporter.lent = whole, keep
        managed[0] = ctypes.addressof(whole)
        return 0

    def current_stream(_type, _index, handle):
        handle[0] = stream
        return 0

    api = _ExchangeApi(1, 3, None, None, _MANAGED_FROM(managed_from), None, None, _CURRENT_STREAM(current_stream))
    _kept.append(api)
    return _new_capsule(ctypes.addressof(api), b"dlpack_exchange_api", None)


class Namespace:
    """Stands for a library whose arrays are made by from_dlpack."""

    class Array(Exporter):
        def __array_namespace__(self):
            return Namespace

    @staticmethod
    def from_dlpack(exported):
        return Namespace.Array(numpy.from_dlpack(exported))


class OnGpu:
    """What a GPU's array says of itself before anybody asks for its memory."""

    def __init__(self, index=0):
        self.index = index

    def __dlpack_device__(self):
        return 2, self.index

    def __dlpack__(self, **_):
        raise AssertionError("asked for memory that nobody can reach")


class CudaInterface:
    """Numba's arrays speak this alone."""

    __cuda_array_interface__ = {
        "shape": (4,),
        "typestr": "<f4",
        "data": (4096, False),
        "strides": None,
        "stream": None,
        "version": 3,
    }
