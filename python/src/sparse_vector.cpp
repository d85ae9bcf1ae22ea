// Sparse vectors on arrays of Python: their products with dense ones, and their sums with them.

#include "tandem/sparse_vector.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <variant>

#include "python/src/operations.h"
#include "python/src/operators.h"
#include "python/src/sparse_matrix.h"

namespace tandem::python {
namespace {

using namespace nb::literals;

/// Two arrays, exported as long as this lives, and looked at.
class KeptVector {
 public:
  KeptVector(Call& call, nb::handle data, nb::handle indices, std::int64_t size)
      : data_(nb::borrow(data)),
        indices_(nb::borrow(indices)),
        values_(call, "data", data),
        numbers_(call, "indices", indices),
        device_(call.device),
        type_(require_type(call, values_, OperatorId::none, floats)) {
    const detail::Memory values = values_.vector(call);
    const detail::Indices numbers = indices_of(call, numbers_);
    call.run([&](Context& ctx, const Options&) {
      with_index(numbers, [&](const auto& typed) {
        with_float(type_, [&]<class T>() {
          view_.emplace<SparseVectorView<T>>(ctx, size, typed,
                                             View<const T>{static_cast<const T*>(values.data), values.size});
        });
      });
    });
  }

  /// It takes part in a call.
  void join(Call& call) const { call.settle("x", device_, data_); }
  template <class T>
  const SparseVectorView<T>& view() const {
    return std::get<SparseVectorView<T>>(view_);
  }
  Type type() const { return type_; }
  std::int64_t size() const {
    return with_float(type_, [&]<class T>() { return view<T>().size(); });
  }
  std::int64_t elements() const { return values_.size(); }
  nb::object data() const { return data_; }
  nb::object indices() const { return indices_; }

 private:
  const nb::object data_, indices_;
  const Array values_, numbers_;
  const dlpack::Device device_;
  const Type type_;
  std::variant<std::monostate, SparseVectorView<float>, SparseVectorView<double>> view_;
};

/// The sparse vector of a call, one that is kept or one that is looked at now, beside a dense one.
class Operand {
 public:
  Operand(Call& call, nb::handle object, const Array& dense) : object_(nb::borrow(object)) {
    if (nb::isinstance<KeptVector>(object)) {
      x_ = &nb::cast<const KeptVector&>(object);
    } else {
      if (!nb::isinstance<nb::tuple>(object))
        call.refuse(
            fmt::format("'x' is of type {}; it must be a SparseVector, or a tuple of data and indices",
                        Py_TYPE(object.ptr())->tp_name));
      const nb::tuple parts = nb::borrow<nb::tuple>(object);
      if (parts.size() != 2)
        call.refuse(fmt::format("'x' has {} parts; it must have 2: data, indices", parts.size()));
      dense.vector(call);
      x_ = &made_.emplace(call, parts[0], parts[1], dense.size());
    }
    x_->join(call);
    dense.require_dtype(call, dlpack_type(x_->type()), "as 'data' does");
    dense.require_shape(call, std::array{x_->size()}, "the size of 'x'");
  }
  Operand(const Operand&) = delete;
  const KeptVector* operator->() const { return x_; }

 private:
  const nb::object object_;
  std::optional<KeptVector> made_;
  const KeptVector* x_;
};

nb::object dot(nb::handle x_object, nb::handle y_object, nb::handle out, const char* use) {
  Call call("dot", use);
  const Array y(call, "y", y_object);
  const Operand x(call, x_object, y);
  const detail::Memory from = y.vector(call);
  std::optional<Array> result;
  if (!out.is_none()) {
    result.emplace(call, "out", out, Access::write);
    result->require_dtype(call, y.dtype, "as 'y' does");
    if (result->size() != 1)
      call.refuse(fmt::format("'out' has shape {}; it must have one element", result->shape_text()));
  }
  return with_float(x->type(), [&]<class T>() -> nb::object {
    T sum{};
    call.run([&](Context& ctx, const Options& options) {
      const View<const T> elements{static_cast<const T*>(from.data), from.size};
      if (result)
        return tandem::dot(ctx, x->view<T>(), elements, View<T>{static_cast<T*>(result->data), 1}, options);
      tandem::Array<T> made(ctx, 1);
      tandem::dot(ctx, x->view<T>(), elements, made, options);
      sum = made.to_vector()[0];
    });
    return result ? nb::borrow(out) : nb::object(nb::float_(static_cast<double>(sum)));
  });
}

nb::object axpy(nb::handle x_object, nb::handle y_object, nb::handle alpha_object) {
  Call call("axpy", "");
  const Array y(call, "y", y_object, Access::write);
  const Operand x(call, x_object, y);
  const detail::Memory to = y.vector(call);
  const Scalar alpha(call, "alpha", alpha_object, x->type());
  call.run([&](Context& ctx, const Options&) {
    with_float(x->type(), [&]<class T>() {
      tandem::axpy(ctx, *static_cast<const T*>(alpha.data()), x->view<T>(),
                   View<T>{static_cast<T*>(to.data), to.size});
    });
  });
  return nb::borrow(y_object);
}

}  // namespace

void add_sparse_vectors(nb::module_& module) {
  nb::class_<KeptVector>(module, "SparseVector",
                         R"(A vector of which few elements are stored, looked at once, for many calls.

A view: data and indices are not copied, and must stay as they are but for the values of data, which may change between
calls.)")
      .def(
          "__init__",
          [](KeptVector* self, nb::handle data, nb::handle indices, std::int64_t size) {
            Call call("SparseVector", "");
            new (self) KeptVector(call, data, indices, size);
          },
          "data"_a, "indices"_a, "size"_a,
          nb::sig("def __init__(self, data: SupportsDLPack, indices: SupportsDLPack, size: int) -> None"),
          R"(Looks at all indices, and waits for that. O(elements * log(elements)).

data     array of one dimension: float32 or float64, without gaps
indices  array like it: data[k] is element indices[k] of the vector, the others are 0. int32 or int64, from 0 to
         size - 1, in any order, distinct
size     how many elements the vector has with those that are 0

Row i of a CsrMatrix m, or of SciPy's csr_array: where i and j are m.indptr[i] and m.indptr[i + 1],
SparseVector(m.data[i:j], m.indices[i:j], m.shape[1]) copies nothing.

Raises InvalidArgument (with the first index that is out of range or stands twice), OutOfMemory.)")
      .def_prop_ro("size", &KeptVector::size, nb::sig("def size(self) -> int"),
                   "How many elements there are, with those that are 0.")
      .def_prop_ro("elements", &KeptVector::elements, nb::sig("def elements(self) -> int"),
                   "How many are stored.")
      .def_prop_ro("data", &KeptVector::data, nb::sig("def data(self) -> typing.Any"),
                   "The caller's array of values.")
      .def_prop_ro("indices", &KeptVector::indices, nb::sig("def indices(self) -> typing.Any"),
                   "The caller's array of indices.");

  module.def(
      "dot", &dot, "x"_a, "y"_a, nb::kw_only(), "out"_a = nb::none(), "use"_a = "",
      nb::sig("def dot(x: SparseVector | tuple[SupportsDLPack, SupportsDLPack], y: SupportsDLPack, *, out: "
              "typing.Any = None, use: str = '') -> typing.Any"),
      R"(The product of a sparse and a dense vector: the sum of x[i]*y[i]. It is spmv() with one row. O(elements of x).

x    SparseVector, or a tuple of data and indices, which are looked at at every call then
y    array of as many elements as x has size, of the type of data (float32, float64), without gaps
out  array of one element of this type, apart from x and y: nothing waits then
use  full or partial name of the implementation of spmv to run; see implementations()

Returns a float, or out.

Raises InvalidArgument, Unavailable, OutOfMemory, DeviceError.)");

  module.def(
      "axpy", &axpy, "x"_a, "y"_a, nb::kw_only(), "alpha"_a = 1,
      nb::sig("def axpy(x: SparseVector | tuple[SupportsDLPack, SupportsDLPack], y: Array, *, alpha: float = "
              "1) -> Array"),
      R"(Adds a sparse vector to a dense one in its place: y = alpha*x + y. O(elements of x).

x      SparseVector, or a tuple of data and indices, which are looked at at every call then
y      array of as many elements as x has size, of the type of data (float32, float64), without gaps, apart from x;
       elements that x does not store stay as they are
alpha  a number; where it is 0, nothing is read or changed

Returns y.

Raises InvalidArgument, Unavailable, DeviceError.)");
}

}  // namespace tandem::python
