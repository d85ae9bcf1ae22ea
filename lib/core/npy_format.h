#pragma once
// .npy files as they lie: for programs that write what they read in the way they read it, and for pipes.

#include <span>
#include <string>
#include <string_view>

#include "tandem/npy.h"

namespace tandem {

/// What a .npy file may choose besides its element type and shape.
struct NpyFormat {
  bool fortran_order = false;  // the first dimension is contiguous
  bool big_endian = false;
  bool complex = false;  // `type` is that of a part, and the data has two parts for each element of the shape
};

/// "f32", "complex f32"
TANDEM_API std::string element_name(Type type, NpyFormat format);

/// The elements of `shape`, of so many bytes each, from C order in Fortran order or the other way round: `shape` is that
/// of the order in which they lie, the last dimension contiguous. O(size).
TANDEM_API std::vector<std::byte> axes_reversed(std::span<const std::byte> data, std::size_t element_bytes,
                                                std::span<const std::int64_t> shape);

/// As read_npy, but elements stay in the order of the file, and complex numbers are taken, too: format says so. (Bytes are
/// those of this machine in any case.)
TANDEM_API NpyArray read_npy(const std::string& path, NpyFormat& format);
/// The same of a file's content; `name` stands for the file in messages.
TANDEM_API NpyArray parse_npy(const std::string& name, std::string_view content, NpyFormat& format);

/// As write_npy, in this format; `data` lies in its order, with the bytes of this machine. Only floats have complex
/// numbers.
TANDEM_API void write_npy(const std::string& path, Type type, std::span<const std::int64_t> shape,
                          std::span<const std::byte> data, NpyFormat format);
/// The bytes of such a file.
TANDEM_API std::string npy_content(Type type, std::span<const std::int64_t> shape,
                                   std::span<const std::byte> data, NpyFormat format);

}  // namespace tandem
