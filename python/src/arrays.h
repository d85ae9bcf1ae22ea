#pragma once
// The arrays of a call, taken without a copy from any Python object that holds one.

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "python/src/libraries.h"
#include "tandem/array.h"
#include "tandem/matrix.h"
#include "tandem/options.h"
#include "tandem/types.h"

namespace tandem::python {

enum class Order { c, fortran };

/// What a call of an operation knows before it runs. Its first array says where it computes; all others must
/// lie there too.
class Call {
 public:
  Call(const char* operation, const char* use, const char* precision = "full")
      : operation(operation),
        options{.use = use, .precision = parse_precision(precision, std::string(operation) + ": precision")} {
  }

  /// Throws InvalidArgument: "OPERATION: what".
  [[noreturn]] void refuse(const std::string& what) const;
  /// Settles where the call computes, or checks that `argument` lies there.
  void settle(const char* argument, dlpack::Device device, nb::handle object);
  /// work(context, options), while other Python threads run.
  template <class Work>
  void run(Work work) {
    Context& ctx = computes_in();
    const nb::gil_scoped_release others_run;
    work(ctx, options);
  }
  /// The same context, for memory of results.
  Context& computes_in();

  const char* const operation;
  const Options options;
  dlpack::Device device{0, 0};
  const char* first = nullptr;  // name of the first array
  /// On a GPU: the stream that the call is queued on, and the library whose current stream that is.
  std::uintptr_t stream = 0;
  Library streams = Library::other;

 private:
  Context* context_ = nullptr;
};

enum class Access { read, write };

/// An argument: memory with a type and a shape, exported by its owner as long as this lives.
class Array {
 public:
  /// Throws InvalidArgument where `object` is no array, lies elsewhere than the others, or cannot be written.
  Array(Call& call, const char* name, nb::handle object, Access access = Access::read);
  /// Memory of a result that no library owns yet.
  Array(const char* name, void* data, const Array& like, dlpack::DataType dtype,
        std::span<const std::int64_t> shape, Order order);
  Array(const Array&) = delete;
  ~Array();

  const char* name;
  Library library = Library::other;
  nb::handle object;
  void* data = nullptr;
  dlpack::DataType dtype{};
  int ndim = 0;
  static constexpr int kMostDimensions = 32;
  std::int64_t extents[kMostDimensions], strides[kMostDimensions];  // in elements

  std::span<const std::int64_t> shape() const { return {extents, static_cast<std::size_t>(ndim)}; }
  std::int64_t size() const;
  /// No gaps between the elements in this order.
  bool dense(Order order) const;
  Order order() const { return dense(Order::c) ? Order::c : Order::fortran; }
  /// The element type, where Tandem has it.
  std::optional<Type> type() const;
  std::string dtype_name() const;
  std::string shape_text() const;

  // What operations take. Each throws InvalidArgument where the array is none of it.

  /// All elements in memory's order, of an array without gaps.
  detail::Memory elements(const Call& call) const;
  /// The same of an array of one dimension.
  detail::Memory vector(const Call& call) const;
  /// Rows or columns without gaps, in `preferred` layout where it is both.
  MatrixView<std::byte> matrix(const Call& call, Layout preferred = Layout::row_major) const;
  void require_dtype(const Call& call, dlpack::DataType wanted, const char* why) const;
  void require_shape(const Call& call, std::span<const std::int64_t> wanted, const char* why) const;

 private:
  void export_from(Call& call);
  void from_buffer(Call& call);
  void from_dlpack(Call& call, dlpack::Device device);
  void from_exchange(Call& call, const dlpack::ExchangeApi& api);
  void from_cupy(Call& call);
  void from_cuda_interface(Call& call);
  void take(Call& call, const dlpack::Tensor& tensor);
  void describe(const Call& call, std::optional<dlpack::DataType> type, const std::string& type_name,
                nb::handle address, nb::handle shape, nb::handle in_bytes);
  [[noreturn]] void refuse_elements(const Call& call, const std::string& type) const;
  void set_dimensions(const Call& call, int count);
  void set_stride(const Call& call, int i, std::int64_t bytes, std::int64_t of_element);
  void set_shape(std::span<const std::int64_t> shape, Order order);

  void release();

  Py_buffer buffer_{};
  dlpack::ManagedVersioned* managed_ = nullptr;
  nb::object export_;  // a DLPack capsule, or the dict of __cuda_array_interface__
  bool read_only_ = false;
};

inline detail::ConstMemory read_only(detail::Memory memory) { return {memory.data, memory.size}; }

/// "the CPU", "cuda:0".
std::string device_name(dlpack::Device device);
dlpack::DataType dlpack_type(Type type);
/// As NumPy calls them: "float32".
std::string name_of(dlpack::DataType dtype);
std::string numpy_name(Type type);

}  // namespace tandem::python
