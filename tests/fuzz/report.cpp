// Fuzz target: a file of results that `tandem report` shows, and the page and the tables that it makes of it.

#include "bench/report/report.h"
#include "tandem/error.h"
#include "tests/fuzz/target.h"

using namespace tandem;

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMost = 100'000;

Json row(const char* implementation, const char* path, std::int64_t n, double time) {
  return {{"operation", "scan"},
          {"implementation", implementation},
          {"path", path},
          {"place", "host"},
          {"reduced_precision", false},
          {"type", "f32"},
          {"op", "plus"},
          {"variant", "inclusive"},
          {"n", n},
          {"shape", ""},
          {"correct", true},
          {"worst_error", 0.5},
          {"time_ns", time},
          {"spread", 0.01},
          {"samples_ns", {time, time}},
          {"method", "hot"},
          {"rate", 10.0},
          {"unit", "GB/s"},
          {"flop_per_byte", 0.1},
          {"bound_fraction", 0.9},
          {"vs_vendor", nullptr}};
}
Json machine() {
  return {{"schema", 1}, {"date", "2026-11-23"}, {"host", "CPU"}, {"bounds_gb_per_s", {{"host_copy", 40.0}}}};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static fuzz::MemoryFile file;
  file.hold({reinterpret_cast<const char*>(data), size});
  try {
    command::Report report{command::read_results({file.path()}), {}, {}, {}};
    const auto old = command::Baseline::of_each_machine({file.path()});
    for (const command::Machine& one : report.results.machines)
      report.changes.push_back(old.changes(one.rows, one.name));
    const std::string page = command::page(report, kMost);
    fuzz::require(page.size() <= kMost, "a page is as short as it must be");
    fuzz::require(page.ends_with("</html>\n"), "a page is whole");
  } catch (const BadFile&) {
  } catch (const InvalidArgument&) {  // a page would be too long
  }
  return 0;
}

std::vector<std::string> fuzz::seeds() {
  const Json launch{
      {"implementation", "scan/custom/lookback@simt"},
      {"input", "f32 plus, n = 4K"},
      {"kernel", "scan_tiles"},
      {"grid", {4, 1, 1}},
      {"requests", 10},
      {"sectors", 40},
      {"efficiency", 0.5},
      {"shared_requests", 5},
      {"bank_conflict_ways", 2},
      {"extra_wavefronts", 3},
      {"lane_use", 0.9},
      {"barriers", 2.0},
      {"device", "GPU"},
      {"calls", {{{"n", 1024}, {"time_ns", 10.0}, {"limiter", "memory"}}}},
      {"sites",
       {{{"line", 7}, {"file", "a.cu"}, {"requests", 5}, {"shared_requests", 0}, {"advice", "wait less"}}}}};
  return {
      Json{{"machine", machine()},
           {"rows",
            {row("scan/custom/serial", "custom", 64, 1000.0), row("scan/custom/threads", "custom", 128, 90.0),
             row("scan/vendor/std_par", "vendor", 128, 100.0)}}}
          .dump(),
      Json::array({launch}).dump()};
}
