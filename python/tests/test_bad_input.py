"""What a call does not take: a typed exception that names operation, argument, value and limit, and nothing written."""

import array

import numpy
import pytest
import tandem
from standins import CudaInterface, Exporter, OnGpu

X = numpy.arange(1, 13, dtype="float32")
M = X.reshape(3, 4)
INDEX = tandem.Index(numpy.array([0, 2, 3]), numpy.array([1, 5, 5], "uint32"))


def read_only(shape=12):
    out = numpy.full(shape, 7, "float32")
    out.flags.writeable = False
    return out


# call(out), what the message says. `out` is what would be written.
WRONG = [
    # types
    (lambda out: tandem.reduce([1, 2]), "reduce: 'x' is of type list; it must be a NumPy array or"),
    (lambda out: tandem.reduce(X.astype("complex64")), "'x' holds complex64; for plus it must hold one of float16, b"),
    (lambda out: tandem.reduce(X > 1), "'x' holds bool"),
    (lambda out: tandem.reduce(X.astype("uint32"), "logical_or"), "'x' holds uint32; for logical_or it must hold one of f"),
    (lambda out: tandem.reduce(numpy.array(["a"])), "'x' holds elements of type '1w'"),
    (lambda out: tandem.scan(X.astype("uint16")), "'x' holds uint16; for plus it must hold one of float16, bfloat16,"),
    (lambda out: tandem.scan(X.astype(">f4")), "'x' holds elements of type '>f'; numbers in the order of bytes of"),
    (lambda out: tandem.scan(X.astype("float64"), out=out), "'out' holds float32; it must hold float64, as 'x' does"),
    (lambda out: tandem.reduce(X, out=numpy.zeros(1)), "'out' holds float64; it must hold float32, what these elem"),
    (lambda out: tandem.transform("plus", X, X.astype("float64")), "'y' holds float64; it must hold float32"),
    (lambda out: tandem.gemm(M, M.T.astype("float64"), out=out), "'b' holds float64; it must hold float32"),
    (lambda out: tandem.gemm(M.astype("int32"), M), "'a' holds int32; it must hold one of float16, bfloat16, f"),
    (lambda out: tandem.sort(X.astype("uint16")), "'x' holds uint16; it must hold one of float16,"),
    (lambda out: tandem.sort(X, X.astype("int16")), "'values' holds int16; values have 4 or 8 bytes"),
    (lambda out: tandem.sort(X, X[:-1].copy()), "size of 'values' is"),
    (lambda out: tandem.top_k(X.astype("uint16"), 1), "'x' holds uint16; it must hold one of float16,"),
    (lambda out: tandem.top_k(X, -1), "k is -1; it must be from 0 to"),
    (lambda out: tandem.top_k(X, X.size + 1), "it must be from 0 to"),
    (lambda out: tandem.transpose(M.astype("complex128")), "'x' holds complex128; it must hold elements of 8, 16, 32 or 64 bits"),
    (lambda out: tandem.tridiagonal(X, X.astype("float64"), X, X, out=out), "'diag' holds float64; it must hold float32"),
    (lambda out: tandem.tridiagonal(X, X, X, X, offsets=numpy.array([0, 12], "int32")), "'offsets' holds int32"),
    # shapes and orders
    (lambda out: tandem.scan(M), "'x' has 2 dimensions; it must have 1"),
    (lambda out: tandem.scan(X[::2]), r"'x' of shape \(6,\) has strides \(2,\); its elements must lie without gaps"),
    (lambda out: tandem.scan(X[::-1]), r"strides \(-1,\)"),
    (lambda out: tandem.reduce(M[:, 1:3]), r"'x' of shape \(3, 2\) has strides \(4, 1\)"),
    (lambda out: tandem.scan(X[:5], out=out), r"'out' has shape \(12,\); it must be \(5,\), the shape of the result"),
    (lambda out: tandem.scan(X, out=numpy.zeros((12, 2), "float32")[:, 0]), "'out' of shape .* has strides"),
    (lambda out: tandem.reduce(X, out=out), r"'out' has shape \(12,\); it must have one element"),
    (lambda out: tandem.transform("plus", X, X[:3]), r"'y' has shape \(3,\); it must be \(12,\), the shape of 'x'"),
    (lambda out: tandem.transform("plus", M, numpy.asfortranarray(M)), "'y' of shape .* lies in Fortran order; it must"),
    (lambda out: tandem.transform("negate", M, out=numpy.zeros((4, 3), "float32").T), "'out' of shape .* Fortran order"),
    (lambda out: tandem.transpose(X, out=out), "'x' has 1 dimensions; it must have 2"),
    (lambda out: tandem.transpose(M[:, ::2]), "its rows or its columns must lie without gaps"),
    (lambda out: tandem.transpose(M, out=M), r"'out' has shape \(3, 4\); it must be \(4, 3\)"),
    (lambda out: tandem.transpose(M, out=numpy.zeros((3, 4), "float32").T), "'out' has its columns in one piece; it mus"),
    (lambda out: tandem.gemm(M, M), "'b' has 3 rows; it must have 4, the columns of 'a'"),
    (lambda out: tandem.gemm(M, M.T, out=M), r"'out' has shape \(3, 4\); it must be \(3, 3\)"),
    (lambda out: tandem.gemm(M, M.T, precision="half"), "precision is 'half'; it must be 'full', 'split' or 'tf32'"),
    (lambda out: tandem.gemm(M, M.T, beta=1), "beta is not 0; it multiplies what 'out' holds, so give 'out'"),
    (lambda out: tandem.tridiagonal(X, X, X, M, axis=2), "axis is 2; it must be from -2 to 1"),
    (lambda out: tandem.tridiagonal(X[:3], X[:3], X[:3], M), r"'lower' has shape \(3,\); it must be \(4,\), one row for"),
    (lambda out: tandem.tridiagonal(M, M, X, M), r"'upper' has shape \(12,\); it must be \(3, 4\)"),
    (lambda out: tandem.tridiagonal(X, X, X, X, offsets=numpy.array([0, 13])), r"offsets\[1\] is 13; it must be at most"),
    (lambda out: tandem.tridiagonal(X[:0], X[:0], X[:0], X[:0]), "n is 0; it must be at least 1"),
    # places
    (lambda out: tandem.scan(X, out=Exporter(X, device=(10, 3))), "'out' is on a device of DLPack's type 10"),
    (lambda out: tandem.scan(Exporter(X, device=(10, 3))), "'x' is on a device of DLPack's type 10; it must be on the CPU"),
    (lambda out: tandem.scan(X, out=OnGpu()), "'out' is on cuda:0, but 'x' on the CPU; a call computes in one place"),
    (lambda out: tandem.gemm(M, CudaInterface(), out=out), "'b' is on cuda:0, but 'a' on the CPU"),
    (lambda out: tandem.intersect(INDEX, [[0]], device="gpu"), "device is 'gpu'; it must be 'cpu', 'cuda' or 'cuda:INDEX'"),
    # outputs that cannot be written, or overlap
    (lambda out: tandem.scan(X, out=read_only()), "'out' is read-only; an output must be writable"),
    (lambda out: tandem.scan(X, out=bytes(48)), "'out' is read-only"),
    (lambda out: tandem.scan(X, out=Exporter(X, read_only=True)), "'out' is read-only"),
    (lambda out: tandem.scan(out[1:5], out=out[2:6]), "'out' overlaps 'in' by starting 4 bytes after it"),
    (lambda out: tandem.gemm(out[:9].reshape(3, 3), M[:, :3], out=out[3:].reshape(3, 3)), "'c' overlaps 'a'"),
    # values
    (lambda out: tandem.reduce(X, "mean"), "op is 'mean'; it must be one of plus, multiplies, minimum, maximum, logical"),
    (lambda out: tandem.scan(X, "negate"), "op is 'negate'"),
    (lambda out: tandem.select(X, "=", 1, out=out), "select: comparison is '='; it must be one of <, <=, >, >=, ==, !="),
    (lambda out: tandem.select(X, "<", "one", out=out), "select: value is 'one'; it must be a number"),
    (lambda out: tandem.partition(X.astype("int16"), "<", 1), "partition: 'x' holds int16; it must hold one of float16, b"),
    (lambda out: tandem.select(X.astype("uint64"), "<", 2**64), "select: value is 18446744073709551616; it must be a whole number "
                                                                "from 0 to 18446744073709551615, as elements are uint64"),
    (lambda out: tandem.select(X.astype("int8"), "<", 128), "value is 128; it must be a whole number from -128 to 127, as el"),
    (lambda out: tandem.select(X.astype("float16"), "<", 65520), "value is 65520; as elements are float16, it is too large"),
    (lambda out: tandem.histogram(X, 0, 1, bins=0), "histogram: bins is 0; it must be from 1 to 65536"),
    (lambda out: tandem.histogram(X, 1, 1), "histogram: 'lower' is 1; it must be below 'upper', 1"),
    (lambda out: tandem.histogram(X, "one", 2), "histogram: lower is 'one'; it must be a number"),
    (lambda out: tandem.histogram(X.astype("uint8"), 0, 257), "'upper' is 257; for u8 it must be from 0 to 256"),
    (lambda out: tandem.histogram(X.astype("uint8"), 0.5, 2), "histogram: lower is 0.5; it must be a whole number"),
    (lambda out: tandem.histogram(X.astype("int8"), 0, 1), "histogram: 'x' holds int8; it must hold one of float32, f"),
    (lambda out: tandem.histogram(X, 0, 1, bins=12, out=out), "'out' holds float32; it must hold int64, the type of the re"),
    (lambda out: tandem.histogram(X, 0, 1, bins=3, out=numpy.zeros(2, "int64")), r"'out' has shape \(2,\); it must be \(3,\)"),
    (lambda out: tandem.histogram(X), "histogram: either both 'lower' and 'upper' or 'edges' alone say where bins lie"),
    (lambda out: tandem.histogram(X, 1), "histogram: either both 'lower' and 'upper' or 'edges' alone"),
    (lambda out: tandem.histogram(X, upper=1), "histogram: either both 'lower' and 'upper' or 'edges' alone"),
    (lambda out: tandem.histogram(X, 1, edges=X), "histogram: either both 'lower' and 'upper' or 'edges' alone"),
    (lambda out: tandem.histogram(X, upper=1, edges=X), "histogram: either both 'lower' and 'upper' or 'edges' alone"),
    (lambda out: tandem.histogram(X, 1, 2, edges=X), "histogram: either both 'lower' and 'upper' or 'edges' alone"),
    (lambda out: tandem.histogram(X, edges=X, bins=11), "histogram: bins is 11; it must not be given where 'edges' is"),
    (lambda out: tandem.histogram(X, edges=[1, 2]), "histogram: 'edges' is of type list; it must be a NumPy array"),
    (lambda out: tandem.histogram(X, edges=X.astype("float64")), "histogram: 'edges' holds float64; it must hold float32, as 'x'"),
    (lambda out: tandem.histogram(X.astype("uint8"), edges=X), "histogram: 'edges' holds float32; it must hold int64, what"),
    (lambda out: tandem.histogram(X.astype("int32"), edges=X.astype("int32")), "'edges' holds int32; it must hold int64, what edges"),
    (lambda out: tandem.histogram(X, edges=M), "histogram: 'edges' has 2 dimensions; it must have 1"),
    (lambda out: tandem.histogram(X, edges=X[::2]), "histogram: 'edges' of shape .* its elements must lie without gaps"),
    (lambda out: tandem.histogram(X, edges=X[:0]), "histogram: size of 'edges' is 0; it must be from 2 to 65537, one more"),
    (lambda out: tandem.histogram(X, edges=X[:1]), "histogram: size of 'edges' is 1; it must be from 2 to 65537"),
    (
        lambda out: tandem.histogram(X, edges=numpy.arange(65538, dtype="float32")),
        "histogram: size of 'edges' is 65538; it must be from 2 to 65537",
    ),
    (lambda out: tandem.histogram(X, edges=X[::-1].copy()), "histogram: edge 1 is 11; it must be above 12"),
    (lambda out: tandem.histogram(X, edges=X // 2), "histogram: edge 2 is 1; it must be above 1"),
    (lambda out: tandem.histogram(X, edges=numpy.array([1, numpy.nan], "float32")), "edge 1 is nan; it must be a number"),
    (lambda out: tandem.histogram(X, edges=X[:4], out=out), "'out' holds float32; it must hold int64, the type of the results"),
    (lambda out: tandem.histogram(X, edges=X[:4], out=numpy.zeros(2, "int64")), r"'out' has shape \(2,\); it must be \(3,\), the"),
    (lambda out: tandem.histogram(X, edges=OnGpu()), "'edges' is on cuda:0, but 'x' on the CPU; a call computes in one place"),
    (lambda out: tandem.sort(X, begin_bit=-1, out=out), "sort: begin_bit is -1; it must be from 0 to 32, the end"),
    (lambda out: tandem.sort(X, begin_bit=33, out=out), "sort: begin_bit is 33; it must be from 0 to 32, the end"),
    (lambda out: tandem.sort(X, begin_bit=9, end_bit=8, out=out), "sort: begin_bit is 9; it must be from 0 to 8, the end"),
    (lambda out: tandem.sort(X, end_bit=33, out=out), "sort: end_bit is 33; it must be from 0 to 32, the bits of f32, or -1"),
    (lambda out: tandem.sort(X, end_bit=-2, out=out), "sort: end_bit is -2; it must be from 0 to 32, the bits of f32"),
    (lambda out: tandem.random(out, "gamma"), "random: distribution is 'gamma'; it must be one of uniform, normal, log-normal, p"),
    (lambda out: tandem.random(out, "poisson"), "random: the distribution Poisson has no numbers of type f32"),
    (lambda out: tandem.random(out, low=1), "random: 'low' is 1; it must be below 'high', 1"),
    (lambda out: tandem.random(out, "normal", deviation=-1), "random: 'deviation' is -1; it must be at least 0"),
    (lambda out: tandem.random(out, "normal", mean=float("nan")), "random: 'mean' is nan; it must be finite"),
    (lambda out: tandem.random(out, generator="sobol", dimensions=33), "random: 'dimensions' is 33; it must be from 1 to 32"),
    (lambda out: tandem.random(out, generator="mt"), "random: generator is 'mt'; it must be one of philox, sobol"),
    (lambda out: tandem.random(out, scrambling="hard"), "random: scrambling is 'hard'; it must be one of none, shift, owen"),
    (lambda out: tandem.random(numpy.zeros(3, "int32")), "random: 'out' holds int32; it must hold one of float32, float64, uint"),
    (lambda out: tandem.random(read_only()), "'out' is read-only; an output must be writable"),
    (lambda out: tandem.unique(M), "unique: 'x' has 2 dimensions; it must have 1"),
    (lambda out: tandem.select_flagged(X, X), "select_flagged: 'flags' holds float32; it must hold bool or uint8"),
    (lambda out: tandem.select_flagged(X, X[1:] > 0), r"select_flagged: 'flags' has shape \(11,\); it must be \(12,\), one"),
    (lambda out: tandem.select_flagged(X, M > 0), "select_flagged: 'flags' has 2 dimensions; it must have 1"),
    (lambda out: tandem.select_flagged(X, X > 0, out=(X > 0).view("uint8")), "'out' holds uint8; it must hold float32, as 'x'"),
    (lambda out: tandem.segmented_reduce(X, out=out), "segmented_reduce: one of 'offsets' and 'length' says where segments"),
    (lambda out: tandem.segmented_reduce(X, numpy.array([0, 1]), length=1), "one of 'offsets' and 'length' says where"),
    (lambda out: tandem.segmented_reduce(X, length=0, out=out), "segmented_reduce: length is 0; it must divide "),
    (lambda out: tandem.segmented_reduce(X, numpy.array([0, 2, 1])), "Segments: offset 2 is 1; it must be at least 2"),
    (lambda out: tandem.segmented_reduce(X, numpy.array([], "int64")), "Segments: size of 'offsets' is 0"),
    (lambda out: tandem.segmented_reduce(X.astype("int8"), length=1, out=out),
     "segmented_reduce: 'out' holds float32; it must hold int32, the type of the results"),
    (lambda out: tandem.segmented_reduce(X, X), "segmented_reduce: 'offsets' holds float32; it must hold int64"),
    (lambda out: tandem.segmented_reduce(X, length=1, op="multiplies"), "op is 'multiplies'; it must be one of plus, minimum"),
    (lambda out: tandem.segmented_scan(X, out=out), "segmented_scan: one of 'offsets' and 'length' says where segments"),
    (lambda out: tandem.segmented_scan(X, length=5, out=out), "segmented_scan: length is 5; it must divide 12, the size"),
    (lambda out: tandem.segmented_scan(X, numpy.array([0, 13]), out=out), "segmented_scan: offset 1 is 13; 'in' has 12 el"),
    (lambda out: tandem.segmented_scan(X, length=4, init=1, out=out), "segmented_scan: init is given to an inclusive scan"),
    (lambda out: tandem.scan_by_key(X, X, init=1, out=out), "segmented_scan: init is given to an inclusive scan; only excl"),
    (lambda out: tandem.scan_by_key(X, X, exclusive=True, init=1e300, out=out), "init is 1e.300; as elements are float32"),
    (lambda out: tandem.scan_by_key(X[:5], X, out=out), "segmented_scan: size of 'keys' is 5"),
    (lambda out: tandem.scan_by_key(X.astype("int8"), X, out=out), "scan_by_key: 'keys' holds int8; it must hold one of"),
    (lambda out: tandem.scan_by_key(out, X, out=out), "segmented_scan: 'out' overlaps 'keys'"),
    (lambda out: tandem.reduce_by_key(X, X, "mean", out=out), "reduce_by_key: op is 'mean'; it must be one of plus, mini"),
    (lambda out: tandem.reduce_by_key(X[:5], X, out=out), "reduce_by_key: size of 'in' is 12"),
    (lambda out: tandem.reduce_by_key(X, X, keys_out=out, out=out), "reduce_by_key: 'out' overlaps 'keys_out'"),
    (lambda out: tandem.reduce_axis(M, 2), "reduce_axis: axis is 2; it must be from -2 to 1"),
    (lambda out: tandem.reduce_axis(X, 0), "reduce_axis: 'x' has 1 dimension"),
    (lambda out: tandem.scan(X, init="one", out=out), "init is 'one'; it must be a number"),
    (lambda out: tandem.scan(X, init=1e300, out=out), "init is 1e.300; as elements are float32, it is too large"),
    (lambda out: tandem.scan(X, init=1e-46, out=out), "init is 1e-46; as elements are float32, it is too small"),
    (lambda out: tandem.scan(X.astype("int32"), init=2**31), "init is 2147483648; it must be a whole number from -2147483"),
    (lambda out: tandem.scan(X.astype("int64"), init=0.5), "init is 0.5; it must be a whole number"),
    (lambda out: tandem.transform("sine", X, out=out), "f is 'sine'; it must be one of plus, negate, square, axpy,"),
    (lambda out: tandem.transform("plus", X, out=out), "f is 'plus' and got 1 arrays; it takes 2"),
    (lambda out: tandem.transform("axpy", X, X, out=out), "alpha is not given; it is needed by axpy"),
    (lambda out: tandem.transform("plus", X, X, alpha=1, out=out), "alpha is given"),
    (lambda out: tandem.scan(X, use="fastest", out=out), "unknown implementation 'fastest'; known: custom/serial"),
    (lambda out: tandem.implementations("fastest"), "none matches 'fastest'"),
    (lambda out: tandem.compare("shuffle", 10), "operation is 'shuffle'; it must be one of reduce, scan,"),
    (lambda out: tandem.compare("scan", 0), "n is 0"),
    (lambda out: tandem.compare("scan", 10, op="sum"), "op is 'sum'; it must be one of plus"),
    # posting lists
    (lambda out: tandem.Index(numpy.array([0, 2]), numpy.array([5, 1], "uint32")), "id 1 of list 0 is 1; it must be above 5"),
    (lambda out: tandem.Index(numpy.array([0, -2]), numpy.array([5, 1], "uint32")), "starts"),
    (lambda out: tandem.Index(numpy.array([0.0]), numpy.array([], "uint32")), "'starts' holds float64; it must hold uint64"),
    (lambda out: tandem.intersect(INDEX, [[2]]), "2"),
    (lambda out: tandem.intersect(INDEX, 5), "'queries' is of type int; it must be Queries, or for each query"),
    (lambda out: tandem.intersect(INDEX, [[-1]]), "'queries' is of type list"),
    (lambda out: tandem.intersect(X, [[0]]), "'index' is of type numpy.ndarray; it must be an Index"),
    (
        lambda out: tandem.intersect_into(
            tandem.QueryBatch(INDEX, [[0]]), numpy.zeros(1, "uint64"), numpy.zeros(9, "uint32")
        ),
        "size of 'offsets' is 1; it must be at least 2",
    ),
]


@pytest.mark.parametrize("call, message", WRONG, ids=[message[:40] for _, message in WRONG])
def test_wrong_calls_are_refused_and_write_nothing(call, message):
    out = numpy.full(12, 7, "float32")
    inputs = X.copy()
    with pytest.raises(tandem.InvalidArgument, match=message) as caught:
        call(out)
    assert isinstance(caught.value, ValueError) and isinstance(caught.value, tandem.Error)
    assert "\n" not in str(caught.value)
    numpy.testing.assert_array_equal(out, 7)
    numpy.testing.assert_array_equal(X, inputs)
    assert tandem.reduce(X) == X.sum()  # the next call is right


def test_counts_that_overlap_their_edges_are_refused():
    edges = numpy.arange(5)
    with pytest.raises(tandem.InvalidArgument, match="histogram: 'counts' overlaps 'edges' by starting 8 bytes after it"):
        tandem.histogram(edges.astype("int32"), edges=edges[:4], out=edges[1:4])
    numpy.testing.assert_array_equal(edges, range(5))


def test_misaligned_memory_is_refused():
    raw = numpy.zeros(49, "uint8")
    with pytest.raises(tandem.InvalidArgument, match="not a multiple of its element size 4"):
        tandem.scan(raw[1:].view("float32"))
    with pytest.raises(tandem.InvalidArgument, match="histogram: 'edges' starts at .* not a multiple of its element size 4"):
        tandem.histogram(X, edges=raw[1:].view("float32"))
    fields = numpy.zeros(3, numpy.dtype([("a", "f4"), ("b", "i1")]))["a"]
    with pytest.raises(tandem.InvalidArgument, match="'x' has a stride of 5 bytes"):
        tandem.scan(fields)


@pytest.mark.skipif(not tandem.implementations("scan/vendor/cub")[0]["reason"], reason="there is a GPU")
@pytest.mark.parametrize("array", [OnGpu(), OnGpu(1), CudaInterface()])
def test_without_a_gpu_its_arrays_are_unavailable(array):
    for call in (tandem.reduce, tandem.scan, tandem.transpose, lambda x: tandem.transform("negate", x)):
        with pytest.raises(tandem.Unavailable, match=r": 'x' is on cuda:[01], and that needs"):
            call(array)
    with pytest.raises(tandem.Unavailable, match="needs"):
        tandem.intersect(INDEX, [[0]], device="cuda")


def test_other_errors_pass():
    class Interrupted:
        def __dlpack_device__(self):
            raise KeyboardInterrupt

    class Broken:
        def __dlpack_device__(self):
            raise BufferError("requires a gradient")

    class NoDlpack(OnGpu):
        def __dlpack_device__(self):
            return "cuda"

    class NoInterface:
        __cuda_array_interface__ = {"data": 5}

    for array_like in (NoDlpack(), NoInterface()):
        with pytest.raises(tandem.InvalidArgument, match=r"'x' \(No.*\) cannot be exported: "):
            tandem.scan(array_like)
    with pytest.raises(KeyboardInterrupt):
        tandem.scan(Interrupted())
    with pytest.raises(tandem.InvalidArgument, match=r"'x' \(Broken\) cannot be exported: requires a gradient"):
        tandem.scan(Broken())
    with pytest.raises(TypeError, match="scan"):
        tandem.scan()
    assert tandem.scan(array.array("d", [1, 2])).tolist() == [1, 3]
