// spmv, spmm and sptrsv on arrays of Python, and the sparse matrices that they take.

#include <fmt/format.h>
#include <nanobind/stl/optional.h>

#include <array>
#include <memory>
#include <optional>
#include <variant>

#include "python/src/operations.h"
#include "python/src/operators.h"
#include "python/src/output.h"
#include "tandem/sparse_arrays.h"
#include "tandem/spmm.h"
#include "tandem/spmv.h"
#include "tandem/sptrsv.h"

namespace tandem::python {
namespace {

using namespace nb::literals;

/// How many columns three arrays have that do not say it.
struct Columns {
  std::optional<std::int64_t> given = {};
  bool as_rows = false;  // as many as there are rows
};

/// The three arrays of a sparse matrix in rows, exported as long as this lives, and looked at.
class Csr {
 public:
  /// `object` has attributes data, indices, indptr and shape, or is a tuple of the three, whose number of columns is `cols`. One by
  /// columns is transposed, in memory of this object's own.
  /// Throws InvalidArgument where it is none of these, or no such matrix.
  Csr(Call& call, nb::handle object, Columns cols)
      : by_columns_(is_by_columns(call, object)),
        parts_(parts_of(call, object)),
        values_(call, "data", parts_[0]),
        columns_(call, "indices", parts_[1]),
        offsets_(call, "indptr", parts_[2]),
        device_(call.device),
        type_(require_type(call, values_, OperatorId::none, floats)) {
    for (const Array* const indices : {&columns_, &offsets_}) {
      if (indices->dtype != dlpack_type(Type::i32))
        indices->require_dtype(call, dlpack_type(Type::i64), "or int32, as indices do");
    }
    const detail::Memory values = values_.vector(call);
    const Sides sides = shape_of(call, object, cols);
    const std::int64_t lines = by_columns_ ? sides.cols : sides.rows;
    const std::int64_t across = by_columns_ ? sides.rows : sides.cols;
    const detail::Indices offsets = indices_of(call, offsets_), columns = indices_of(call, columns_);
    call.run([&](Context& ctx, const Options&) {
      if (offsets.type != Type::i64) wide_.emplace(detail::copy_offsets(ctx, offsets));
      if (columns.type != Type::i32) narrow_.emplace(detail::copy_columns(ctx, across, columns));
      const View<const std::int64_t> begins{
          wide_ ? wide_->data() : static_cast<const std::int64_t*>(offsets.data), offsets.size};
      const View<const std::int32_t> numbers{
          narrow_ ? narrow_->data() : static_cast<const std::int32_t*>(columns.data), columns.size};
      const auto matrix_of = [&]<class T>() {
        const CsrMatrix<T> matrix(ctx, lines, across, begins, numbers,
                                  View<const T>{static_cast<const T*>(values.data), values.size});
        if (by_columns_) {
          const auto& made = transposed_.emplace<OwnedCsr<T>>(transposed(ctx, matrix));
          pattern_.emplace(CsrMatrix<T>(ctx, across, lines, made.offsets(), made.columns(), made.values()));
          stored_ = made.values().data();
          wide_.reset(), narrow_.reset();
        } else {
          pattern_.emplace(matrix);
          stored_ = matrix.values();
        }
      };
      if (type_ == Type::f32)
        matrix_of.operator()<float>();
      else
        matrix_of.operator()<double>();
    });
  }

  /// Its arrays take part in a call.
  void join(Call& call) const { call.settle("a", device_, values_.object); }
  const Array& array() const { return values_; }
  const void* values() const { return stored_; }
  const detail::CsrPattern& pattern() const { return *pattern_; }
  Type type() const { return type_; }

 private:
  static bool is_by_columns(const Call& call, nb::handle object) {
    const nb::object format = nb::getattr(object, "format", nb::str("csr"));
    const bool by_columns = format.equal(nb::str("csc"));
    if (!by_columns && !format.equal(nb::str("csr")))
      call.refuse(
          fmt::format("'a' has the format {}; it must be 'csr' or 'csc' (tocsr)", nb::repr(format).c_str()));
    return by_columns;
  }
  static std::array<nb::object, 3> parts_of(const Call& call, nb::handle object) {
    if (nb::isinstance<nb::tuple>(object)) {
      const nb::tuple parts = nb::borrow<nb::tuple>(object);
      if (parts.size() != 3)
        call.refuse(fmt::format("'a' has {} parts; it must have 3: data, indices, indptr", parts.size()));
      return {parts[0], parts[1], parts[2]};
    }
    for (const char* name : {"data", "indices", "indptr", "shape"}) {
      if (!nb::hasattr(object, name))
        call.refuse(
            fmt::format("'a' is of type {}, which has no '{}'; it must be a CsrMatrix, a sparse matrix "
                        "in rows as SciPy has it, or a tuple of data, indices, indptr",
                        Py_TYPE(object.ptr())->tp_name, name));
    }
    return {object.attr("data"), object.attr("indices"), object.attr("indptr")};
  }
  struct Sides {
    std::int64_t rows, cols;
  };
  Sides shape_of(const Call& call, nb::handle object, Columns cols) const {
    if (!nb::isinstance<nb::tuple>(object)) {
      std::array<std::int64_t, 2> sides{};
      const nb::object shape = object.attr("shape");
      if (nb::len(shape) != 2 || !nb::try_cast(shape[0], sides[0]) || !nb::try_cast(shape[1], sides[1]))
        call.refuse(fmt::format("the shape of 'a' is {}; it must be two numbers", nb::repr(shape).c_str()));
      return {sides[0], sides[1]};
    }
    const std::int64_t rows = offsets_.size() - 1;
    if (cols.as_rows) return {rows, rows};
    if (!cols.given) call.refuse("cols is not given; three arrays do not say how many columns there are");
    return {rows, *cols.given};
  }
  static detail::Indices indices_of(const Call& call, const Array& indices) {
    const detail::Memory all = indices.vector(call);
    return {all.data, all.size, indices.dtype == dlpack_type(Type::i64) ? Type::i64 : Type::i32};
  }

  const bool by_columns_;
  const std::array<nb::object, 3> parts_;
  const Array values_, columns_, offsets_;
  const dlpack::Device device_;
  const Type type_;
  // Made where the arrays of `object` are not what products take.
  std::optional<tandem::Array<std::int64_t>> wide_;
  std::optional<tandem::Array<std::int32_t>> narrow_;
  std::variant<std::monostate, OwnedCsr<float>, OwnedCsr<double>> transposed_;
  std::optional<detail::CsrPattern> pattern_;
  const void* stored_ = nullptr;
};

/// The matrix of a call: one that is kept, or one that is looked at now.
class Matrix {
 public:
  Matrix(Call& call, nb::handle object, Columns cols) : object_(nb::borrow(object)) {
    if (nb::isinstance<Csr>(object))
      csr_ = &nb::cast<const Csr&>(object);
    else
      csr_ = &made_.emplace(call, object, cols);
    csr_->join(call);
  }
  Matrix(const Matrix&) = delete;
  const Csr* operator->() const { return csr_; }

 private:
  const nb::object object_;
  std::optional<Csr> made_;
  const Csr* csr_;
};

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
  x.require_dtype(call, a->array().dtype, "as 'data' does");
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
  b.require_dtype(call, a->array().dtype, "as 'data' does");
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
  b.require_dtype(call, a.array().dtype, "as 'data' does");
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
                  R"(A sparse matrix in rows, looked at once, for many products.

A view: data, indices where they are int32 and indptr where it is int64 are not copied, and must stay as they are but
for the values of data, which may change between calls. Of a matrix by columns all is copied.)")
      .def(
          "__init__",
          [](Csr* self, nb::handle a, std::optional<std::int64_t> cols) {
            Call call("CsrMatrix", "");
            new (self) Csr(call, a, {cols});
          },
          "a"_a, "cols"_a = nb::none(),
          nb::sig("def __init__(self, a: SparseRows | tuple[SupportsDLPack, SupportsDLPack, SupportsDLPack], "
                  "cols: int | None = None) -> None"),
          R"(Looks at all offsets and column numbers, and waits for that.

a     any object with data, indices, indptr and shape, such as SciPy's csr_matrix and csr_array, or csc_matrix and
      csc_array, which are transposed; or a tuple of data, indices and indptr, such as the values(), col_indices()
      and crow_indices() of PyTorch's sparse_csr. data: float32 or float64; indices: int32, or int64, which is
      narrowed once, the columns of these elements, in any order, and several of one column add up; indptr: int64,
      or int32, which is widened once: row i has the elements indptr[i] to indptr[i+1] - 1
cols  the number of columns, where a is a tuple

Raises InvalidArgument (with the first offset or column that is out of place), OutOfMemory.)")
      .def_prop_ro(
          "shape", [](const Csr& a) { return nb::make_tuple(a.pattern().rows(), a.pattern().cols()); },
          nb::sig("def shape(self) -> tuple[int, int]"), "The numbers of rows and columns.")
      .def_prop_ro(
          "elements", [](const Csr& a) { return a.pattern().elements(); },
          nb::sig("def elements(self) -> int"), "How many are stored.");

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
          nb::sig("def __init__(self, a: CsrMatrix | SparseRows | tuple[SupportsDLPack, SupportsDLPack, "
                  "SupportsDLPack], *, upper: bool = False, unit: bool = False) -> None"),
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
      nb::sig("def spmv(a: CsrMatrix | SparseRows | tuple[SupportsDLPack, SupportsDLPack, "
              "SupportsDLPack], x: Array, *, out: Array | None = None, alpha: float = 1, beta: float = "
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
      nb::sig("def spmm(a: CsrMatrix | SparseRows | tuple[SupportsDLPack, SupportsDLPack, "
              "SupportsDLPack], b: Array, *, out: Array | None = None, alpha: float = 1, beta: float = "
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
