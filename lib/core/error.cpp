#include "tandem/error.h"

namespace tandem {

OutOfMemory::OutOfMemory(const std::string& place, std::size_t asked, std::size_t free)
    : Error("out of memory on the " + place +
            (asked ? ": asked for " + std::to_string(asked) + " bytes" : "") +
            (free ? ", " + std::to_string(free) + " free" : "")),
      asked(asked),
      free(free) {}

DeviceError::DeviceError(const std::string& call, int code, const std::string& text)
    : Error(call + " failed with error " + std::to_string(code) + ": " + text), code(code) {}

BadFile::BadFile(const std::string& file, std::uint64_t offset, const std::string& text)
    : Error(file + ": " + text + " (at byte " + std::to_string(offset) + ")"), file(file), offset(offset) {}

BadFile::BadFile(const std::string& file, const std::string& text)
    : Error(file + ": " + text), file(file), offset(0) {}

namespace {
const OutOfMemory host_out_of_memory("host", 0, 0);
}

void detail::throw_out_of_memory() { throw host_out_of_memory; }  // a copy shares the text

}  // namespace tandem
