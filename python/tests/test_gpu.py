"""Arrays on a GPU. Without one: on a CUDA runtime that computes nothing (tests/preload/cuda_faults.cpp, whose path is in
TANDEM_CUDA_FAULTS), where exports, streams, places and results of other libraries are seen. With one: CuPy and PyTorch,
as far as they are installed."""

import ctypes
import os
import re
import sys
import types

import numpy
import pytest
import tandem
from standins import CudaInterface, Exporter, exchange_api

RUNTIME = os.environ.get("TANDEM_CUDA_FAULTS")
needs_runtime = pytest.mark.skipif(not RUNTIME, reason="TANDEM_CUDA_FAULTS names no runtime")


def on_gpu(*shape, dtype="float32"):
    """Memory that the runtime takes for the GPU's, as a NumPy array."""
    count = int(numpy.prod(shape))
    memory = ctypes.c_void_p()
    assert ctypes.CDLL(RUNTIME).cudaMalloc(ctypes.byref(memory), ctypes.c_size_t(8 * count + 8)) == 0
    whole = numpy.ctypeslib.as_array(ctypes.cast(memory, ctypes.POINTER(ctypes.c_uint8)), (8 * count + 8,))
    return whole[: count * numpy.dtype(dtype).itemsize].view(dtype).reshape(shape)


class Cuda(Exporter):
    def __init__(self, *shape, index=0, **options):
        super().__init__(on_gpu(*shape, **options), device=(2, index))


class Library(types.ModuleType):
    """Stands for a library: its module, of which `array` is an array's type, and its module cuda, which holds `of_cuda`."""

    def __init__(self, name, array, **of_cuda):
        super().__init__(name)
        array.__module__ = name
        self.cuda = types.ModuleType(name + ".cuda")
        vars(self.cuda).update(of_cuda)

    def imported(self, monkeypatch):
        for module in (self, self.cuda):
            monkeypatch.setitem(sys.modules, module.__name__, module)
        return self


class Torch(Library):
    """PyTorch: results are made by new_empty()."""

    class Tensor(Cuda):
        @property
        def dtype(self):
            return str(self.array.dtype)

        def new_empty(self, shape, dtype=None):
            shape = [shape] if isinstance(shape, int) else shape
            self.library.made.append(type(self)(*shape, index=self.device[1], dtype=dtype or self.dtype))
            return self.library.made[-1]

    def __init__(self):
        super().__init__("torch", self.Tensor, current_stream=lambda index: types.SimpleNamespace(cuda_stream=self.stream + index))
        self.Tensor.library = self
        self.stream, self.made = 0, []


@pytest.fixture
def torch(monkeypatch):
    return Torch().imported(monkeypatch)


@needs_runtime
def test_arrays_of_no_known_library_use_the_default_stream():
    x, out = Cuda(1000), Cuda(1000)
    assert tandem.scan(x, out=out) is out
    assert x.asked == out.asked == {"stream": 1, "max_version": (1, 0), "copy": False}
    assert x.exports == out.exports == 0
    assert isinstance(tandem.reduce(x), float)
    assert tandem.last()[0].startswith("reduce/custom/")  # as on the GPU that was measured
    systems = [Cuda(10) for _ in range(5)]
    assert tandem.tridiagonal(*systems[:4], out=systems[4]) is systems[4]
    tandem.synchronize()


@needs_runtime
def test_torch_is_met_on_its_current_stream(torch):
    x = torch.Tensor(10, 20, index=1)
    torch.stream = 4000
    assert tandem.transpose(x) is torch.made[-1] and torch.made[-1].array.shape == (20, 10)
    assert x.asked["stream"] == torch.made[-1].asked["stream"] == -1  # its own stream: nothing to wait for
    other = Cuda(20, 5, index=1)
    assert tandem.gemm(x, other) is torch.made[-1]
    assert other.asked["stream"] == 4001
    assert tandem.gemm(Cuda(3, 10, index=1), x, out=Cuda(3, 20, index=1))
    assert x.asked["stream"] == 1  # the first array decides


@needs_runtime
def test_the_cuda_array_interface():
    x = CudaInterface()
    memory = on_gpu(4)
    x.__cuda_array_interface__ = dict(x.__cuda_array_interface__, data=(memory.ctypes.data, False), stream=77)
    out = Cuda(4)
    assert tandem.scan(x, out=out) is out and out.asked["stream"] == 77
    matrix = CudaInterface()
    matrix.__cuda_array_interface__ = dict(
        x.__cuda_array_interface__, shape=(2, 2), strides=(4, 8), data=(memory.ctypes.data, True)
    )
    transposed = Cuda(2, 2)
    transposed.array = transposed.array.T
    assert tandem.transpose(matrix, out=transposed) is transposed
    with pytest.raises(tandem.InvalidArgument, match="'out' is read-only"):
        tandem.scan(out, out=matrix)
    for typestr, held in [
        (">f4", "elements of type '>f4'; numbers in the order of bytes of this machine are needed"),
        ("<V2", "elements of type '<V2'; numbers"),
        ("<f", "elements of type '<f'; numbers"),
        ("<f4x", "elements of type '<f4x'; numbers"),
        ("<c8", "complex64; for plus it must hold one of float16, bfloat16"),
        ("|b1", "bool; for plus it must hold one of float16, bfloat16"),
    ]:
        x.__cuda_array_interface__["typestr"] = typestr
        with pytest.raises(tandem.InvalidArgument, match="'x' holds " + re.escape(held)):
            tandem.reduce(x)
    x.__cuda_array_interface__.update(typestr="<f4", strides=(6,))
    with pytest.raises(tandem.InvalidArgument, match="'x' has a stride of 6 bytes; it must be a multiple of the 4 of an"):
        tandem.reduce(x)


@needs_runtime
def test_results_of_other_libraries():
    class OfLibrary(Cuda):
        def __array_namespace__(self):
            return types.SimpleNamespace(from_dlpack=lambda exported: exported.__dlpack_device__())

    assert tandem.scan(OfLibrary(10, index=1)) == (2, 1)
    with pytest.raises(tandem.InvalidArgument, match="no result can be made for 'x', whose type Cuda has no __array_na"):
        tandem.scan(Cuda(10))


@needs_runtime
@pytest.mark.parametrize(
    "call, message",
    [
        (lambda x, out: tandem.scan(x, out=numpy.zeros(10, "float32")), "'out' is on the CPU, but 'x' on cuda:0"),
        (lambda x, out: tandem.scan(x, out=Cuda(10, index=1)), "'out' is on cuda:1, but 'x' on cuda:0"),
        (lambda x, out: tandem.scan(Cuda(10, index=7), out=out), "'x' is on cuda:7: .* there are 2 devices"),
        (lambda x, out: tandem.scan(Exporter(x.array.copy(), device=(2, 0)), out=out), "'in' is host memory"),
        (lambda x, out: tandem.scan(x, out=out, use="custom/serial"), "computes on the host, but the context on the dev"),
        (lambda x, out: tandem.Index(x, x), "must hold uint32"),
        (lambda x, out: tandem.Index(Cuda(2, dtype="int64"), Cuda(2, dtype="uint32")), "'starts' is on a GPU; it must be"),
    ],
)
def test_wrong_places(call, message):
    x, out = Cuda(10), Cuda(10)
    with pytest.raises(tandem.InvalidArgument, match=message):
        call(x, out)
    assert x.exports == out.exports == 0


@needs_runtime
def test_edges_of_bins_are_read_where_they_lie():
    x, edges, out = Cuda(100), Cuda(3), Cuda(2, dtype="int64")
    edges.array[:] = 0, 1, 2
    assert tandem.histogram(x, edges=edges, out=out) is out
    edges.array[:] = 0, 2, 1
    with pytest.raises(tandem.InvalidArgument, match="histogram: edge 2 is 1; it must be above 2"):
        tandem.histogram(x, edges=edges, out=out)
    with pytest.raises(tandem.InvalidArgument, match="'edges' is on the CPU, but 'x' on cuda:0"):
        tandem.histogram(x, edges=edges.array.copy(), out=out)
    assert x.exports == edges.exports == out.exports == 0


@needs_runtime
def test_sparse_vectors_and_matrices_are_read_where_they_lie(torch):
    torch.from_dlpack = lambda exported: exported.__dlpack_device__()
    y, data = torch.Tensor(9, index=1), torch.Tensor(3, index=1)
    indices = torch.Tensor(3, index=1, dtype="int32")
    indices.array[:] = 4, 0, 8
    x = tandem.SparseVector(data, indices, 9)
    torch.stream = 4000
    out = Cuda(1, index=1)
    assert tandem.dot(x, y, out=out) is out and out.asked["stream"] == 4001 and isinstance(tandem.dot(x, y), float)
    assert tandem.axpy(x, y) is y
    with pytest.raises(tandem.InvalidArgument, match="axpy: 'x' is on cuda:1, but 'y' on the CPU"):
        tandem.axpy(x, numpy.ones(9, "float32"))
    elements = types.SimpleNamespace(data=data, row=indices, col=indices, shape=(9, 9), format="coo")
    m = tandem.CsrMatrix(elements)
    assert m.data == m.indices == m.indptr == (2, 1) and m.elements == 3  # its own memory
    elements.row = torch.Tensor(3, index=1, dtype="int64")
    elements.row.array[:] = 4, 0, 9
    with pytest.raises(tandem.InvalidArgument, match="row number 2 is 9; it must be from 0 to 8"):
        tandem.transposed(elements)
    for call in (tandem.by_elements, tandem.canonical, tandem.to_dense, lambda a: tandem.write_matrix_market("none", a)):
        with pytest.raises(tandem.InvalidArgument, match="'a' is on cuda:1; it must be on the CPU, where this is computed"):
            call(m)
    with pytest.raises(tandem.InvalidArgument, match="'x' is on cuda:0; it must be on the CPU"):
        tandem.from_dense(Cuda(3, 3))
    assert data.exports == indices.exports == 1 and y.exports == out.exports == 0  # x keeps its arrays


@needs_runtime
def test_intersect_where_it_is_told():
    index = tandem.Index(numpy.array([0, 2, 3]), numpy.array([1, 5, 5], "uint32"))
    assert tandem.intersect_count(index, [[0, 1]], device="cuda:1").shape == (1,)
    batch = tandem.QueryBatch(index, [[0, 1]], device="cuda")
    tandem.intersect_into(batch, Cuda(9, dtype="uint64"), Cuda(9, dtype="uint32"))
    with pytest.raises(tandem.InvalidArgument, match="'offsets' is on the CPU, but 'batch' was made for cuda:0"):
        tandem.intersect_into(batch, numpy.zeros(9, "uint64"), numpy.zeros(9, "uint32"))


@needs_runtime
def test_arrays_that_have_a_buffer_too():  # CuPy's and JAX's types do
    class Both(numpy.ndarray):
        def __dlpack_device__(self):
            return 2, 0

        def __dlpack__(self, **arguments):
            self.exporter = Cuda(1)
            self.exporter.array = numpy.asarray(self)
            return self.exporter.__dlpack__(**arguments)

    out = Cuda(100)
    assert tandem.scan(on_gpu(100).view(Both), out=out) is out


@needs_runtime
def test_arrays_are_had_by_c_where_their_library_offers_it():
    class Tensor(Cuda):
        requires_grad = False

    Tensor.__module__ = "torch"
    Tensor.__dlpack_c_exchange_api__ = exchange_api(stream=7000)
    x, out = Tensor(100), Tensor(100)
    assert tandem.scan(x, out=out) is out
    assert x.asked is None and out.asked is None and x.exports == out.exports == 0
    other = Cuda(100)
    tandem.transform("plus", x, other, out=out)
    assert other.asked["stream"] == 7000  # the stream of the first array's library
    tandem.transform("plus", other, x, out=Cuda(100))
    assert x.asked["stream"] == 1  # two libraries: the slow way orders their streams
    x.requires_grad, x.asked = True, None
    tandem.scan(x, out=out)
    assert x.asked["stream"] == -1  # PyTorch's own method refuses it

    class Subclass(Tensor):
        requires_grad = True

    x = Subclass(100)
    tandem.scan(x, out=out)
    assert x.asked["stream"] == 7000  # a type of the user's


class CuPy(Library):
    """CuPy on device 0: results are made by empty(), and a current stream can end."""

    class ndarray(Cuda):
        dtype = numpy.dtype("float32")
        data = property(lambda self: types.SimpleNamespace(ptr=self.array.ctypes.data, device_id=0))
        shape = property(lambda self: self.array.shape)
        strides = property(lambda self: self.array.strides)

    class Stream:
        ptr = 9000

    def __init__(self):
        runtime = types.SimpleNamespace(getDevice=lambda: 0)
        super().__init__("cupy", self.ndarray, get_current_stream=lambda index: self.stream, Stream=self.Stream, runtime=runtime)
        self.stream = self.Stream()

    def empty(self, shape, dtype):
        assert dtype == numpy.float32
        return self.ndarray(*([shape] if isinstance(shape, int) else shape))


@pytest.fixture
def cupy(monkeypatch):
    return CuPy().imported(monkeypatch)


@needs_runtime
def test_cupy_makes_its_results(cupy):
    x = cupy.ndarray(10, 20)
    result = tandem.transpose(x)
    assert type(result) is cupy.ndarray and result.array.shape == (20, 10)
    assert x.asked is None and result.asked is None  # had by their attributes
    other = Cuda(10, 20)
    tandem.transform("plus", other, x, out=Cuda(10, 20))
    assert x.asked["stream"] == 1  # two libraries: __dlpack__() orders their streams
    x.array = x.array.astype("complex64")
    x.dtype = x.array.dtype
    with pytest.raises(tandem.InvalidArgument, match="'x' holds complex64; for plus it must hold one of float16, bfloat16"):
        tandem.reduce(x)
    pairs = cupy.ndarray(4, 5)
    pairs.array = pairs.array[:, :4].view("float64")
    pairs.dtype = pairs.array.dtype
    with pytest.raises(tandem.InvalidArgument, match="'x' has a stride of 20 bytes; it must be a multiple of the 8 of an"):
        tandem.transpose(pairs)


@needs_runtime
def test_a_stream_that_ended_is_left_alone(cupy):
    waited = ctypes.CDLL(RUNTIME).tandem_waits_for_9000

    def waits():
        before = waited()
        tandem.synchronize()
        return waited() - before

    x, out = cupy.ndarray(10), cupy.ndarray(10)
    tandem.scan(x, out=out)
    assert waits() == 1
    cupy.stream = None
    assert waits() == 0
    cupy.stream = cupy.Stream()  # another of the same address
    tandem.scan(x, out=out)
    assert waits() == 1
    cupy.stream = type("ExternalStream", (cupy.Stream,), {})()  # the same, owned by somebody else
    tandem.scan(x, out=out)
    cupy.stream = None
    assert waits() == 1


# --- on a GPU ---


def cupy_or_skip():
    cupy = pytest.importorskip("cupy")
    if not tandem.implementations("scan/vendor/cub")[0]["available"] or RUNTIME:
        pytest.skip("needs a GPU")
    return cupy


def torch_or_skip():
    torch = pytest.importorskip("torch")
    if not tandem.implementations("scan/vendor/cub")[0]["available"] or RUNTIME or not torch.cuda.is_available():
        pytest.skip("needs a GPU")
    return torch


def test_cupy():
    cupy = cupy_or_skip()
    x = cupy.arange(100_000, dtype="float32") % 7
    result = tandem.scan(x)
    assert type(result) is cupy.ndarray and bool((result == cupy.cumsum(x)).all())
    assert tandem.reduce(x) == float(x.sum())
    a = x[:2500].reshape(50, 50)
    assert bool((tandem.gemm(a, a.T) == a @ a.T).all()) and bool((tandem.transpose(a) == a.T).all())
    with cupy.cuda.Stream():  # not ordered with the default stream
        y = cupy.zeros_like(x)
        for _ in range(20):
            y = tandem.transform("plus", y, x)
        assert bool((y == 20 * x).all())
    with pytest.raises(tandem.InvalidArgument, match="'out' is on the CPU, but 'x' on cuda:0"):
        tandem.scan(x, out=numpy.zeros(100_000, "float32"))


def test_edges_and_bits_with_cupy():
    cupy = cupy_or_skip()
    x = numpy.random.default_rng(1).integers(0, 100, 100_000, "int32")
    edges = numpy.array([-1, 0, 10, 11, 70, 100])
    counts = tandem.histogram(cupy.asarray(x), edges=cupy.asarray(edges))
    numpy.testing.assert_array_equal(counts.get(), numpy.histogram(x, edges)[0])
    keys, moved = tandem.sort(cupy.asarray(x), cupy.arange(x.size), begin_bit=1, end_bit=5)
    expected = numpy.argsort(x >> 1 & 15, kind="stable")
    numpy.testing.assert_array_equal(moved.get(), expected)
    numpy.testing.assert_array_equal(keys.get(), x[expected])


def test_torch():
    torch = torch_or_skip()
    x = torch.arange(100_000, dtype=torch.float32, device="cuda") % 7
    result = tandem.scan(x)
    assert type(result) is torch.Tensor and torch.equal(result, x.cumsum(0))
    assert tandem.reduce(x) == x.sum().item()
    ones = torch.ones(64, 128, device="cuda")
    with pytest.raises(tandem.SingularSystem):
        tandem.tridiagonal(ones, 0 * ones, ones, ones)
        tandem.synchronize()


def test_a_torch_graph_replays_with_new_input():
    torch = torch_or_skip()
    x, out = torch.ones(100_000, device="cuda"), torch.zeros(100_000, device="cuda")
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        tandem.scan(x, out=out)  # a call of this size has run on this stream
        stream.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=stream):
            tandem.scan(x, out=out)
        for value in (2, 3):
            x.fill_(value)
            graph.replay()
            stream.synchronize()
            assert torch.equal(out, x.cumsum(0))
