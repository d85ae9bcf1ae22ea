#include "python/src/output.h"

#include <fmt/format.h>
#include <nanobind/ndarray.h>

#include <utility>
#include <vector>

namespace tandem::python {
namespace {

/// While this lives, CuPy allocates on the device `index`, that of an array.
class OnDeviceOf {
 public:
  OnDeviceOf(nb::handle array, int index) {
    if (nb::cast<int>(attribute<"getDevice">(attribute<"runtime">(module<"cupy.cuda">()))()) == index) return;
    device_ = array.attr("device");
    device_.attr("__enter__")();
  }
  OnDeviceOf(const OnDeviceOf&) = delete;
  ~OnDeviceOf() noexcept(false) {
    if (device_) device_.attr("__exit__")(nb::none(), nb::none(), nb::none());
  }

 private:
  nb::object device_;
};

nb::object shape_object(std::span<const std::int64_t> shape, bool reversed) {
  if (shape.size() == 1) return nb::int_(shape[0]);
  nb::list extents;
  for (const std::int64_t extent : shape) extents.append(extent);
  if (reversed) extents.attr("reverse")();
  return nb::tuple(extents);
}

/// numpy.empty: looked up once.
nb::handle numpy_empty() {
  static PyObject* const empty = nb::object(nb::module_::import_("numpy").attr("empty")).release().ptr();
  return empty;
}

/// What from_dlpack of any library takes, or NumPy's own array.
template <class Framework>
nb::object exported(nb::handle owner, dlpack::Device device, const void* data, dlpack::DataType dtype,
                    std::span<const std::int64_t> shape, const std::int64_t* strides = nullptr) {
  const std::vector<std::size_t> extents(shape.begin(), shape.end());
  return nb::cast(nb::ndarray<Framework>(const_cast<void*>(data), extents.size(), extents.data(), owner,
                                         strides, nb::dlpack::dtype{dtype.code, dtype.bits, dtype.lanes},
                                         device.type, device.index));
}

}  // namespace

Output::Output(Call& call, nb::handle out, const Array& like, std::span<const std::int64_t> shape,
               Order order, std::optional<dlpack::DataType> dtype)
    : call_(call), dtype_(dtype.value_or(like.dtype)), object_(nb::borrow(out)) {
  if (out.is_none()) {
    make(like, shape, order);
    return;
  }
  array_.emplace(call, "out", out, Access::write);
  array_->require_dtype(call, dtype_,
                        dtype ? "the type of the results" : fmt::format("as '{}' does", like.name).c_str());
  array_->require_shape(call, shape, fmt::format("the shape of the result for this '{}'", like.name).c_str());
}

nb::object Output::library_dtype(const Array& like) const {
  if (dtype_ == like.dtype) return attribute<"dtype">(like.object);
  if (like.library == Library::torch) return module<"torch">().attr(name_of(dtype_).c_str());
  return nb::str(name_of(dtype_).c_str());
}

void Output::make(const Array& like, std::span<const std::int64_t> shape, Order order) {
  const bool turned = order == Order::fortran && shape.size() > 1;  // made in C order and seen transposed
  const nb::object extents = shape_object(shape, turned);
  void* known = nullptr;  // where the result lies, of a library whose arrays take long to ask
  switch (like.library) {
    case Library::numpy:
      object_ = numpy_empty()(extents, library_dtype(like));
      break;
    case Library::torch:
      object_ = dtype_ == like.dtype
                    ? attribute<"new_empty">(like.object)(extents)
                    : attribute<"new_empty">(like.object)(extents, nb::arg("dtype") = library_dtype(like));
      break;
    case Library::cupy: {
      const OnDeviceOf there(like.object, call_.device.index);
      object_ = attribute<"empty">(module<"cupy">())(extents, library_dtype(like));
      known = reinterpret_cast<void*>(nb::cast<std::uintptr_t>(attribute<"ptr">(attribute<"data">(object_))));
      break;
    }
    case Library::jax:
    case Library::other: {
      if (!nb::hasattr(like.object, "__array_namespace__")) {
        if (call_.device.type != dlpack::kCpu)
          call_.refuse(fmt::format(
              "no result can be made for '{}', whose type {} has no __array_namespace__; give 'out'",
              like.name, Py_TYPE(like.object.ptr())->tp_name));
        object_ = numpy_empty()(extents, name_of(dtype_).c_str());
        break;
      }
      namespace_ = like.object.attr("__array_namespace__")();
      std::int64_t size = 1;
      for (const std::int64_t extent : shape) size *= extent;
      own_ = std::make_unique<detail::Buffer>(call_.computes_in(), size, dtype_.bits / 8);
      array_.emplace("out", own_->data(), like, dtype_, shape, order);
      return;
    }
  }
  if (turned) {
    nb::list axes;
    for (std::size_t axis = shape.size(); axis-- > 0;) axes.append(axis);
    object_ = object_.attr(like.library == Library::torch ? "permute" : "transpose")(nb::tuple(axes));
  }
  if (known)
    array_.emplace("out", known, like, dtype_, shape, order);
  else
    array_.emplace(call_, "out", object_, Access::write);
}

nb::object Output::result() {
  if (!own_) return std::move(object_);
  if (call_.device.type == dlpack::kCuda) call_.run([](Context& ctx, const Options&) { ctx.synchronize(); });
  const Array& a = array();
  void* const data = own_->data();
  const nb::capsule owner(own_.release(),
                          [](void* buffer) noexcept { delete static_cast<detail::Buffer*>(buffer); });
  return namespace_.attr("from_dlpack")(
      exported<nb::array_api>(owner, call_.device, data, a.dtype, a.shape(), a.strides));
}

nb::object lent(nb::handle owner, nb::handle like, dlpack::Device device, const void* data,
                dlpack::DataType dtype, std::span<const std::int64_t> shape) {
  const Library library = like && !like.is_none() ? facts_of(like).library : Library::numpy;
  nb::object maker;
  if (library == Library::torch)
    maker = module<"torch">();
  else if (library == Library::cupy)
    maker = module<"cupy">();
  else if (library != Library::numpy && nb::hasattr(like, "__array_namespace__"))
    maker = like.attr("__array_namespace__")();
  if (maker.is_valid())
    return maker.attr("from_dlpack")(exported<nb::array_api>(owner, device, data, dtype, shape));
  if (device.type == dlpack::kCpu) return exported<nb::numpy>(owner, device, data, dtype, shape);
  return exported<nb::array_api>(owner, device, data, dtype, shape);
}

}  // namespace tandem::python
