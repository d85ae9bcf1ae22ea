// Fuzz target: the file of `tandem compare --baseline`, as compare --json writes it.

#include "bench/report/baseline.h"
#include "tandem/error.h"
#include "tests/fuzz/target.h"

using namespace tandem;

namespace {

using Json = nlohmann::ordered_json;

Json row(const char* implementation, std::int64_t n) {
  return {{"implementation", implementation},
          {"type", "f32"},
          {"op", "plus"},
          {"variant", ""},
          {"n", n},
          {"shape", ""},
          {"method", "hot"},
          {"time_ns", 1000.0},
          {"spread", 0.01}};
}
const Json& rows() {
  static const Json all{row("reduce/custom/serial", 64), row("reduce/vendor/openblas", 1 << 20)};
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static fuzz::MemoryFile file;
  file.hold({reinterpret_cast<const char*>(data), size});
  try {
    command::Baseline(file.path()).verdict(rows());
  } catch (const BadFile&) {
  } catch (const InvalidArgument&) {  // none of the rows
  }
  return 0;
}

std::vector<std::string> fuzz::seeds() {
  Json without_time = row("reduce/custom/serial", 64);
  without_time["time_ns"] = nullptr;
  return {Json{{"machine", {{"host", "CPU"}}}, {"rows", rows()}}.dump(1),
          Json{{"rows", {without_time, row("reduce/custom/serial", 7)}}}.dump()};
}
