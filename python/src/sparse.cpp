// spmv, spmm and sptrsv on arrays of Python, and the sparse matrices that they take.

#include <fmt/format.h>
#include <nanobind/stl/optional.h>

#include <array>
#include <optional>

#include "python/src/operations.h"
#include "python/src/operators.h"
#include "python/src/output.h"
#include "python/src/sparse_matrix.h"
#include "tandem/spmm.h"
#include "tandem/spmv.h"
#include "tandem/sptrsv.h"

namespace tandem::python {
namespace {

using namespace nb::literals;

/// A triangle of a matrix, and what a look at its columns found.
class Triangular {
 public:
  Triangular(Call& call, nb::handle object, TriangularForm form) : matrix_(call, object, {.as_rows = true}) {
    call.run([&](Context& ctx, const Options&) {
      analysis_.emplace(detail::analyse_triangular(ctx, matrix_->pattern(), form));
    });
  }

  const Csr& matrix() const { return *matrix_.operator->(); }
  const detail::SptrsvAnalysis& analysis() const { return *analysis_; }

 private:
  const Matrix matrix_;
  std::optional<detail::SptrsvAnalysis> analysis_;
};

void require_value(const Call& call, nb::handle out, const Scalar& beta) {
  if (out.is_none() && !beta.is_zero())
    call.refuse("beta is not 0; it multiplies what 'out' holds, so give 'out'");
}

nb::object spmv(nb::handle a_object, nb::handle x_object, nb::handle out, nb::handle alpha_object,
                nb::handle beta_object, const char* use) {
  Call call("spmv", use);
  const Array x(call, "x", x_object);
  const detail::Memory from = x.vector(call);
  const Matrix a(call, a_object, {from.size});
  x.require_dtype(call, a->dtype(), "as 'data' does");
  x.require_shape(call, std::array{a->pattern().cols()}, "the columns of 'a'");
  const Scalar alpha(call, "alpha", alpha_object, a->type()), beta(call, "beta", beta_object, a->type());
  require_value(call, out, beta);
  Output output(call, out, x, std::array{a->pattern().rows()}, Order::c);
  const detail::Memory y = output.array().vector(call);
  call.run([&](Context& ctx, const Options& options) {
    detail::spmv(ctx, a->type(), a->pattern(), a->values(), alpha.data(), read_only(from), beta.data(), y,
                 options);
  });
  return output.result();
}

nb::object spmm(nb::handle a_object, nb::handle b_object, nb::handle out, nb::handle alpha_object,
                nb::handle beta_object, const char* use) {
  Call call("spmm", use);
  const Array b(call, "b", b_object);
  const MatrixView<std::byte> from = b.matrix(call);
  const Matrix a(call, a_object, {from.rows});
  b.require_dtype(call, a->dtype(), "as 'data' does");
  if (from.rows != a->pattern().cols())
    call.refuse(
        fmt::format("'b' has {} rows; it must have {}, the columns of 'a'", from.rows, a->pattern().cols()));
  const Scalar alpha(call, "alpha", alpha_object, a->type()), beta(call, "beta", beta_object, a->type());
  require_value(call, out, beta);
  Output output(call, out, b, std::array{a->pattern().rows(), from.cols},
                from.layout == Layout::row_major ? Order::c : Order::fortran);
  const MatrixView<std::byte> c = output.array().matrix(call, from.layout);
  call.run([&](Context& ctx, const Options& options) {
    detail::spmm(ctx, a->type(), a->pattern(), a->values(), alpha.data(), from, beta.data(), c, options);
  });
  return output.result();
}

nb::object sptrsv(nb::handle triangle, nb::handle b_object, nb::handle out, nb::handle alpha_object,
                  const char* use) {
  Call call("sptrsv", use);
  if (!nb::isinstance<Triangular>(triangle))
    call.refuse(fmt::format("'triangle' is of type {}; it must be a TriangularMatrix",
                            Py_TYPE(triangle.ptr())->tp_name));
  const auto& kept = nb::cast<const Triangular&>(triangle);
  const Csr& a = kept.matrix();
  const Array b(call, "b", b_object);
  a.join(call);
  const detail::Memory from = b.vector(call);
  b.require_dtype(call, a.dtype(), "as 'data' does");
  b.require_shape(call, std::array{a.pattern().rows()}, "the rows of 'triangle'");
  const Scalar alpha(call, "alpha", alpha_object, a.type());
  Output output(call, out, b, b.shape(), Order::c);
  const detail::Memory x = output.array().vector(call);
  call.run([&](Context& ctx, const Options& options) {
    detail::sptrsv(ctx, a.type(), a.pattern(), a.values(), kept.analysis(), alpha.data(), read_only(from), x,
                   options);
  });
  return output.result();
}

}  // namespace

void add_sparse(nb::module_& module) {
  nb::class_<Csr>(module, "CsrMatrix",
                  R"(A sparse matrix in rows (CSR), looked at once, for many products.

A view of rows: data, indices, and indptr where it is int64 are not copied, and must stay as they are but for the values
of data, which may change between calls. Of another format all is copied, into rows.)")
      .def(
          "__init__",
          [](Csr* self, nb::handle a, std::optional<std::int64_t> cols) {
            Call call("CsrMatrix", "");
            new (self) Csr(call, a, {cols});
          },
          "a"_a, "cols"_a = nb::none(),
          nb::sig("def __init__(self, a: SparseMatrix, cols: int | None = None) -> None"),
          R"(Looks at all offsets and numbers of rows and columns, and waits for that. O(rows + elements); coo and csc are sorted.

a     any object whose arrays have the names that SciPy gives them, and which says its format, unless it is csr:
      csr   data, indices, indptr and shape: row i has the elements indptr[i] to indptr[i+1] - 1; indices are
            their columns, in any order, and several of one column add up. SciPy's csr_array and csr_matrix
      csc   the same by columns; becomes rows whose elements are by columns. SciPy's csc_array and csc_matrix
      coo   data, row, col and shape: elements in any order; those of a row stay in theirs. SparseElements, SciPy's
            coo_array and coo_matrix
      bsr   data of shape (blocks, rows, columns of a block), indices, indptr and shape; becomes rows of the elements
            that are not 0, on the CPU alone. SparseBlocks, SciPy's bsr_array and bsr_matrix
      sell  SparseSlices, on the CPU alone
      or a tuple of data, indices and indptr in rows, such as the values(), col_indices() and crow_indices() of
      PyTorch's sparse_csr. data: float32 or float64; indices: int32 or int64; row and col, and indices of what
      becomes rows: int32, or int64, which is narrowed once; indptr: int64, or int32, which is widened once
cols  the number of columns, where a is a tuple

Raises InvalidArgument (with the first offset, row or column that is out of place), OutOfMemory.)")
      .def_prop_ro(
          "shape", [](const Csr& a) { return nb::make_tuple(a.pattern().rows(), a.pattern().cols()); },
          nb::sig("def shape(self) -> tuple[int, int]"), "The numbers of rows and columns.")
      .def_prop_ro(
          "elements", [](const Csr& a) { return a.pattern().elements(); },
          nb::sig("def elements(self) -> int"), "How many are stored.")
      .def_prop_ro(
          "data", [](nb::handle self) { return nb::cast<const Csr&>(self).data(self); },
          nb::sig("def data(self) -> typing.Any"),
          "The array of values, of all rows one behind the other: the caller's, or the matrix's own memory.")
      .def_prop_ro(
          "indices", [](nb::handle self) { return nb::cast<const Csr&>(self).indices(self); },
          nb::sig("def indices(self) -> typing.Any"),
          "The array of their columns, int32, or the caller's int64; the same.")
      .def_prop_ro(
          "indptr", [](nb::handle self) { return nb::cast<const Csr&>(self).indptr(self); },
          nb::sig("def indptr(self) -> typing.Any"),
          "The array of offsets, int64, where rows begin and the last one ends; the same.")
      .def_prop_ro(
          "format", [](const Csr&) { return "csr"; }, nb::sig("def format(self) -> str"),
          "'csr', as SciPy calls rows.");

  nb::class_<Triangular>(
      module, "TriangularMatrix",
      R"(A triangle of a square sparse matrix, for many solves: which rows wait for which is found once.

A view of the matrix, whose values may change between calls. Elements of the other triangle are never read, so both
factors of an incomplete factorisation may lie in one matrix.)")
      .def(
          "__init__",
          [](Triangular* self, nb::handle a, bool upper, bool unit) {
            Call call("TriangularMatrix", "");
            new (self) Triangular(call, a,
                                  {.triangle = upper ? Triangle::upper : Triangle::lower,
                                   .diagonal = unit ? Diagonal::unit : Diagonal::stored});
          },
          "a"_a, nb::kw_only(), "upper"_a = false, "unit"_a = false,
          nb::sig("def __init__(self, a: SparseMatrix, *, upper: bool = False, unit: bool = False) -> None"),
          R"(Looks at all offsets and column numbers, and waits for that.

a      CsrMatrix, or what makes one, with as many columns as rows
upper  the upper triangle instead of the lower one
unit   ones on the diagonal, whatever is stored there

Raises InvalidArgument, SingularSystem (with .row, the first that stores no element on the diagonal), OutOfMemory.)")
      .def_prop_ro(
          "shape",
          [](const Triangular& t) {
            return nb::make_tuple(t.matrix().pattern().rows(), t.matrix().pattern().cols());
          },
          nb::sig("def shape(self) -> tuple[int, int]"), "The numbers of rows and columns.")
      .def_prop_ro(
          "levels", [](const Triangular& t) { return t.analysis().begins.size() - 1; },
          nb::sig("def levels(self) -> int"),
          "How many sets of rows are solved one after the other; those of one set are solved side by side.");

  module.def(
      "spmv", &spmv, "a"_a, "x"_a, nb::kw_only(), "out"_a = nb::none(), "alpha"_a = 1, "beta"_a = 0,
      "use"_a = "",
      nb::sig(
          "def spmv(a: SparseMatrix, x: Array, *, out: Array | None = None, alpha: float = 1, beta: float = "
          "0, use: str = '') -> Array"),
      R"(The product of a sparse matrix and a vector: out = alpha*a@x + beta*out.

a      CsrMatrix, or what makes one: it is looked at, and copied where it must be, at every call then. Of a tuple
       of data, indices and indptr the columns are as many as x has elements
x      array of one dimension, of the type of data (float32, float64), without gaps
out    array of as many elements as a has rows, apart from x and a; made unless given
alpha  a number
beta   a number; where it is 0, as unless given, what out held is not read
use    full or partial name of the implementation to run; see implementations()

Returns out.

Raises InvalidArgument, Unavailable, OutOfMemory, DeviceError.)");

  module.def(
      "spmm", &spmm, "a"_a, "b"_a, nb::kw_only(), "out"_a = nb::none(), "alpha"_a = 1, "beta"_a = 0,
      "use"_a = "",
      nb::sig(
          "def spmm(a: SparseMatrix, b: Array, *, out: Array | None = None, alpha: float = 1, beta: float = "
          "0, use: str = '') -> Array"),
      R"(The product of a sparse and a dense matrix: out = alpha*a@b + beta*out.

a      as of spmv(); of a tuple the columns are as many as b has rows
b      matrix of the type of data (float32, float64) with its rows or its columns in one piece: a transposed view
       or a slice costs no copy, but rows in one piece are faster
out    matrix of a's rows and b's columns, apart from b and a; made in the order of b unless given
alpha  a number
beta   a number; where it is 0, as unless given, what out held is not read
use    full or partial name of the implementation to run; see implementations()

Returns out.

Raises InvalidArgument, Unavailable, OutOfMemory, DeviceError.)");

  module.def("sptrsv", &sptrsv, "triangle"_a, "b"_a, nb::kw_only(), "out"_a = nb::none(), "alpha"_a = 1,
             "use"_a = "",
             nb::sig("def sptrsv(triangle: TriangularMatrix, b: Array, *, out: Array | None = None, alpha: "
                     "float = 1, use: str = '') -> Array"),
             R"(The solution of a sparse triangular system: out, where a@out = alpha*b.

triangle  TriangularMatrix
b         array of as many elements as there are rows, of the type of data (float32, float64), without gaps
out       array like b, apart from the matrix, or b itself; made unless given
alpha     a number; where it is 0, the matrix and b are not read
use       full or partial name of the implementation to run; see implementations()

Returns out.

Raises InvalidArgument, SingularSystem (with .row, the first whose diagonal is zero, denormal or NaN; on a GPU
synchronize() raises it), Unavailable, OutOfMemory, DeviceError.)");
}

}  // namespace tandem::python
