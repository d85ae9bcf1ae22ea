#pragma once
// DLPack 1, the standard by which array libraries hand memory to each other: what the capsules of
// __dlpack__() hold.
// Source:  https://dmlc.github.io/dlpack/latest/c_api.html

#include <cstdint>

namespace tandem::python::dlpack {

enum DeviceType : std::int32_t { kCpu = 1, kCuda = 2, kCudaHost = 3, kCudaManaged = 13 };
struct Device {
  std::int32_t type, index;
};

enum TypeCode : std::uint8_t { kInt = 0, kUInt = 1, kFloat = 2, kBfloat = 4, kComplex = 5, kBool = 6 };
struct DataType {
  std::uint8_t code, bits;
  std::uint16_t lanes;
  friend bool operator==(const DataType&, const DataType&) = default;
};

struct Tensor {
  void* data;
  Device device;
  std::int32_t ndim;
  DataType dtype;
  std::int64_t* shape;    // ndim extents
  std::int64_t* strides;  // in elements; null: in C order without gaps
  std::uint64_t byte_offset;
};

/// In a capsule named "dltensor".
struct Managed {
  Tensor tensor;
  void* owner;
  void (*release)(Managed*);
};

/// In a capsule named "dltensor_versioned".
struct ManagedVersioned {
  std::uint32_t major, minor;
  void* owner;
  void (*release)(ManagedVersioned*);
  std::uint64_t flags;
  Tensor tensor;
};
constexpr std::uint64_t kReadOnly = 1;  // a flag

/// DLPack 1.3: what a library offers to C, so that no method of Python's is called. In a capsule named
/// "dlpack_exchange_api", the attribute __dlpack_c_exchange_api__ of its array type. Each function returns 0, or sets
/// Python's error. None of them waits for anything.
struct ExchangeApi {
  std::uint32_t major, minor;
  ExchangeApi* before;
  void* allocate;
  int (*managed_from)(void* array, ManagedVersioned** managed);
  void* array_from;
  void* tensor_from;  // perhaps null
  int (*current_stream)(DeviceType type, std::int32_t index, void** stream);
};

}  // namespace tandem::python::dlpack
