#pragma once
// Every failure is an exception derived from tandem::Error; what() is one line that says what to do.

#include <cstddef>
#include <cstdint>
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

class TANDEM_API OutOfMemory : public Error {
 public:
  OutOfMemory(const std::string& place, std::size_t asked, std::size_t free);
  std::size_t asked, free;  // bytes; free is 0 where the place does not tell
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

}  // namespace tandem
