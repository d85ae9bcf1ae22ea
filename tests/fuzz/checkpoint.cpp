// Fuzz target: checkpoints of channel_flow.

#include "examples/channel_flow/checkpoint.h"
#include "tests/fuzz/target.h"

using namespace tandem;

namespace {

channel::Flow small_flow() {
  channel::Flow flow;
  flow.n = {3, 4, 3};
  return flow;
}

template <class T>
void read(const std::string& path, std::size_t size) {
  channel::Fields<T> fields;
  try {
    channel::read_checkpoint(path, small_flow(), fields);
    for (const auto& field : fields)
      fuzz::require(field.size() == static_cast<std::size_t>(small_flow().cells()), "a value for each node");
  } catch (const BadFile& error) {
    fuzz::require(error.offset <= size, "the offset lies in the file");
    fuzz::require(fields[0].empty(), "fields are read whole or not at all");
  }
}

template <class T>
std::string seed() {
  channel::Fields<T> fields;
  for (auto& field : fields) field.assign(static_cast<std::size_t>(small_flow().cells()), T(1));
  return fuzz::written(
      [&](const std::string& path) { channel::write_checkpoint(path, small_flow(), fields, 17); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static fuzz::MemoryFile file;
  file.hold({reinterpret_cast<const char*>(data), size});
  read<float>(file.path(), size);
  read<double>(file.path(), size);
  return 0;
}

std::vector<std::string> fuzz::seeds() { return {seed<float>(), seed<double>()}; }
