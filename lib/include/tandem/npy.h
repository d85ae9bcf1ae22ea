#pragma once
// NumPy's .npy files: one array with its element type and shape. Format versions 1.0, 2.0 and 3.0 are read;
// the version and the bytes that numpy.save would choose are written.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tandem/export.h"
#include "tandem/types.h"

namespace tandem {

struct NpyArray {
  Type type = Type::f32;
  std::vector<std::int64_t> shape;  // outermost dimension first; empty for a single value
  std::vector<std::byte> data;      // last dimension contiguous

  /// Number of elements.
  TANDEM_API std::int64_t size() const;
  /// The elements as T; InvalidArgument where the file holds another type.
  template <class T>
  std::span<const T> as() const {
    require_type(type_of<T>);
    return {reinterpret_cast<const T*>(data.data()), data.size() / sizeof(T)};
  }

 private:
  TANDEM_API void require_type(Type wanted) const;
};

/// Reads the array in `path`: f16, bf16, f32, f64, i8, i32, i64, u32, u64 or u8, of either byte order, in C or Fortran order.
/// NumPy has no bf16: an array of ml_dtypes' is a file of '<V2', and V2 is read as bf16 ('>V2' is refused).
/// Throws BadFile (what was found where, and what is needed). Memory is taken only after the file's size has
/// shown that the data is there. O(size).
TANDEM_API NpyArray read_npy(const std::string& path);

/// Writes `data`, elements of `type` in C order, to `path`. A file that is already there stays as it is until
/// the new one is complete on the disk. Throws InvalidArgument (type not storable, shape and data do not
/// match) or BadFile (the system's reason); nothing is left behind then. O(size).
TANDEM_API void write_npy(const std::string& path, Type type, std::span<const std::int64_t> shape,
                          std::span<const std::byte> data);

}  // namespace tandem
