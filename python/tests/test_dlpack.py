"""Arrays of other libraries: what they export is read and written in place, given back, and answered in kind."""

import numpy
import pytest
import tandem
from standins import Exporter, Namespace


@pytest.mark.parametrize("versioned", [True, False])
@pytest.mark.parametrize("options", [{}, {"strides": False}, {"offset": 64}])
def test_exports_are_read_in_place_and_given_back(versioned, options):
    x, out = numpy.arange(10.0), numpy.zeros(10)
    source, target = Exporter(x, versioned, **options), Exporter(out, versioned, **options)
    assert tandem.reduce(source) == 45
    assert tandem.scan(source, out=target) is target
    numpy.testing.assert_array_equal(out, numpy.cumsum(x))
    assert source.exports == target.exports == 0
    assert source.asked == ({"max_version": (1, 0), "copy": False} if versioned else {})


def test_a_refused_export_is_given_back():
    x = Exporter(numpy.arange(12.0).reshape(3, 4)[:, :2])
    with pytest.raises(tandem.InvalidArgument, match="strides"):
        tandem.reduce(x)
    future = Exporter(numpy.arange(3.0), version=(2, 0))
    with pytest.raises(tandem.InvalidArgument, match="'x' is exported by DLPack 2.0; version 1 is needed"):
        tandem.reduce(future)
    assert x.exports == future.exports == 0


@pytest.mark.parametrize("order", ["C", "F"])
def test_results_are_of_the_kind_of_the_caller(order):
    x = numpy.asarray(numpy.arange(12, dtype="float32").reshape(3, 4), order=order)
    result = tandem.transform("square", Namespace.Array(x))
    assert type(result) is Namespace.Array
    numpy.testing.assert_array_equal(result.array, x * x)
    assert result.array.flags.f_contiguous == (order == "F")
    product = tandem.gemm(Namespace.Array(x), Namespace.Array(x.T.copy()))
    numpy.testing.assert_array_equal(product.array, x @ x.T)


def test_a_library_without_a_namespace_gets_numpy():
    result = tandem.scan(Exporter(numpy.arange(5, dtype="int64")))
    assert type(result) is numpy.ndarray and result.flags.writeable
    numpy.testing.assert_array_equal(result, [0, 1, 3, 6, 10])


def test_pinned_memory_is_the_cpus():
    x = numpy.arange(5.0)
    assert tandem.reduce(Exporter(x, device=(3, 0))) == 10
    numpy.testing.assert_array_equal(tandem.transform("plus", x, Exporter(x, device=(3, 1))), 2 * x)


def test_torch():
    torch = pytest.importorskip("torch")
    x = torch.arange(12.0).reshape(3, 4)
    assert tandem.reduce(x) == 66
    result = tandem.transpose(x)
    assert type(result) is torch.Tensor and torch.equal(result, x.T)
    assert torch.equal(tandem.transform("plus", x.T, x.T), 2 * x.T)
    assert torch.equal(tandem.gemm(x, x.T), x @ x.T)
    assert tandem.reduce(torch.full((5000,), 10, dtype=torch.bfloat16)) == 50_000  # bfloat16 itself counts to 256 in ones
    out = torch.zeros(12)
    assert tandem.scan(x.reshape(-1), out=out) is out and torch.equal(out, x.reshape(-1).cumsum(0))
    with pytest.raises(tandem.InvalidArgument, match="'x' .* cannot be exported: .*grad"):
        tandem.reduce(torch.ones(3, requires_grad=True))


def test_jax():
    jax = pytest.importorskip("jax")
    x = jax.numpy.arange(12, dtype="float32")
    result = tandem.scan(x)
    assert isinstance(result, jax.Array) and (result == x.cumsum()).all()
    with pytest.raises(tandem.InvalidArgument, match="'out' is of JAX, whose arrays never change"):
        tandem.scan(x, out=x)
