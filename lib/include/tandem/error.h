#pragma once
// Every failure is an exception derived from tandem::Error; what() is one line that says what to do.

#include <cstddef>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>

#include "tandem/export.h"

namespace tandem {

class TANDEM_API Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The call is wrong: names the operation, the argument, its value and the limit. Outputs are untouched.
class TANDEM_API InvalidArgument : public Error {
 public:
  using Error::Error;
};

/// The call is right but cannot run here: no GPU, wrong architecture, library not built in. Outputs are
/// untouched.
class TANDEM_API Unavailable : public Error {
 public:
  using Error::Error;
};

/// Memory ran out: of a context's place, or of the host for what the library itself needs. The call can be
/// made again.
class TANDEM_API OutOfMemory : public Error {
 public:
  OutOfMemory(const std::string& place, std::size_t asked, std::size_t free);
  std::size_t asked, free;  // bytes; 0 where they are not known
};

/// A CUDA call or a kernel failed, on the GPU or on the SIMT executor. Outputs are unspecified.
class TANDEM_API DeviceError : public Error {
 public:
  DeviceError(const std::string& call, int code, const std::string& text);
  explicit DeviceError(const std::string& text) : Error(text), code(0) {}
  int code;  // the CUDA error code; 0 from the executor
};

/// A file cannot be used; the message names the file, what was found and what is needed.
class TANDEM_API BadFile : public Error {
 public:
  BadFile(const std::string& file, std::uint64_t offset, const std::string& text);
  BadFile(const std::string& file, const std::string& text);  // as a whole: at no particular byte
  std::string file;
  std::uint64_t offset;  // bytes from the start, where the problem was found
};

namespace detail {
/// Throws an OutOfMemory of the host that was made when the program started: nothing is allocated.
[[noreturn]] TANDEM_API void throw_out_of_memory();

/// Every public function runs its work in this: a std::bad_alloc from anywhere below becomes OutOfMemory.
template <class Work>
decltype(auto) translated(Work&& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    throw_out_of_memory();
  }
}
}  // namespace detail

}  // namespace tandem
