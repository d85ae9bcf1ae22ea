// Fuzz target: the file of `tandem compare --tuning --recorded`, as --json writes it.

#include <nlohmann/json.hpp>

#include "bench/command/tuning.h"
#include "tandem/error.h"
#include "tests/fuzz/target.h"

using namespace tandem;

namespace {

using Json = nlohmann::ordered_json;

const std::vector<TuningPoint>& points() {
  static const auto all = tuning_points("intersect", "bucket");
  return all;
}

Json row(const TuningPoint& point, Json time) {
  return {{"implementation", point.implementation.name},
          {"place", "host"},
          {"type", "u32"},
          {"shape", "64x2x4096x64"},
          {"time_ns", time},
          {"rate", 0.3},
          {"tuning", point.tuning},
          {"row", point.row},
          {"column", point.column},
          {"model", 0.5},
          {"registers", 32},
          {"spilled_bytes", 8}};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static fuzz::MemoryFile file;
  file.hold({reinterpret_cast<const char*>(data), size});
  try {
    command::draw(command::recorded_maps(file.path(), operation("intersect"), points()));
  } catch (const BadFile&) {
  }
  return 0;
}

std::vector<std::string> fuzz::seeds() {
  const auto& all = points();
  const Json machine{{"host", "CPU"}, {"device", nullptr}};
  return {Json{{"machine", machine}, {"rows", {row(all.front(), 1000.0), row(all.back(), nullptr)}}}.dump(1),
          Json{{"machine", machine}, {"rows", {row(all.front(), nullptr)}}}.dump()};
}
