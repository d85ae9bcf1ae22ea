#include "lib/core/registry.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <tuple>

#include "lib/core/context_impl.h"
#include "lib/core/rank_registry.h"
#include "tandem/error.h"

namespace tandem {
namespace {

// Operations that are over ranks alone.
constexpr std::string_view kOverRanks[] = {"all_reduce"};

// Kept in order; filled before main, and only read afterwards.
std::vector<Implementation>& store(bool over_ranks) {
  static std::vector<Implementation> of_one, of_ranks;
  return over_ranks ? of_ranks : of_one;
}

auto order(const Implementation& i) { return std::tie(i.operation, i.path, i.step, i.place, i.name); }

}  // namespace

std::string Implementation::unavailable() const {
  if (place == Place::device) {
    if (const std::string reason = why_no_device(); !reason.empty()) return reason;
    if (architecture != 0 && left_out.empty() && device_architecture() != architecture) {
      return "is compiled for sm_" + std::to_string(architecture) + "a alone (this GPU is sm_" +
             std::to_string(device_architecture()) + ")";
    }
  }
  return left_out;
}

std::string Implementation::refusal(const void* shape, CaseId id) const {
  for (const CaseId& not_taken_case : not_taken) {
    if (not_taken_case == id) return "does not take " + std::string(tandem::name(id.type));
  }
  return refuses ? refuses(shape, id) : "";
}

const std::vector<Implementation>& implementations() { return store(false); }
const std::vector<Implementation>& rank_implementations() { return store(true); }

namespace {
std::vector<const Implementation*> matching(const std::vector<Implementation>& all,
                                            std::string_view pattern) {
  std::vector<const Implementation*> containing, beginning, exact;
  for (const Implementation& i : all) {
    const std::size_t at = i.name.find(pattern);
    if (at == std::string::npos) continue;
    containing.push_back(&i);
    if (at == 0) beginning.push_back(&i);
    if (i.name == pattern || i.name == std::string(pattern) + "@simt") exact.push_back(&i);
  }
  return !exact.empty() ? exact : !beginning.empty() ? beginning : containing;
}
}  // namespace

std::vector<const Implementation*> matching(std::string_view pattern) {
  return matching(implementations(), pattern);
}
std::vector<const Implementation*> rank_matching(std::string_view pattern) {
  return matching(rank_implementations(), pattern);
}
bool is_over_ranks(const Implementation& implementation) {
  return std::ranges::find(kOverRanks, implementation.operation) != std::end(kOverRanks);
}

namespace {

bool explains() {
  const char* value = std::getenv("TANDEM_EXPLAIN");
  return value && *value && *value != '0';
}

void run(const Implementation& implementation, Implementation::Launcher launcher, const void* args,
         Context& ctx, std::string_view why) {
  struct Call {
    Context::Impl& impl;
    ~Call() { impl.end_call(); }
  };
  static const bool explain = explains();
  if (explain) std::clog << "tandem: " << implementation.name << " (" << why << ")\n";
  ctx.impl().begin_call({implementation.name, why}, implementation.place);
  const Call call{ctx.impl()};
  launcher(args, ctx);
}

}  // namespace

void run(const Implementation& implementation, int case_index, const void* args, Context& ctx,
         std::string_view why) {
  run(implementation, implementation.launchers[static_cast<std::size_t>(case_index)], args, ctx, why);
}
void run_counting(const Implementation& implementation, const void* args, Context& ctx) {
  run(implementation, implementation.counting, args, ctx, "counted");
}

namespace detail {

Implementation from_file(std::string_view file, Place place) {
  Implementation entry;
  entry.place = place;
  // The last three parts of the path are the folder that gives the kind, the operation and the file.
  const auto slash3 = file.rfind('/');
  const auto slash2 = file.rfind('/', slash3 - 1);
  const auto slash1 = file.rfind('/', slash2 - 1);
  const std::string_view folder = file.substr(slash1 + 1, slash2 - slash1 - 1);
  std::string_view stem = file.substr(slash3 + 1);
  entry.operation = file.substr(slash2 + 1, slash3 - slash2 - 1);
  entry.path = folder.starts_with("custom") ? "custom" : folder.starts_with("vendor") ? "vendor" : "wrong";
  entry.file = file.substr(slash1 + 1);
  if (const auto at = stem.find(".sm"); at != stem.npos) entry.architecture = std::atoi(&stem[at + 3]);
  stem = stem.substr(0, stem.find('.'));
  while (!stem.empty() && stem[0] >= '0' && stem[0] <= '9') {
    entry.step = entry.step * 10 + (stem[0] - '0');
    stem.remove_prefix(1);
  }
  if (stem.starts_with('_')) stem.remove_prefix(1);
  entry.name =
      entry.operation + "/" + entry.path + "/" + std::string(stem) + (place == Place::simt ? "@simt" : "");
  return entry;
}

std::string version(const char* library, int major, int minor) {
  return std::string(library) + " " + std::to_string(major) + "." + std::to_string(minor);
}

bool add(Implementation implementation) {
  const auto before = [](const auto& a, const auto& b) { return order(a) < order(b); };
  std::vector<Implementation>& all = store(is_over_ranks(implementation));
  all.insert(std::upper_bound(all.begin(), all.end(), implementation, before), std::move(implementation));
  return true;
}

}  // namespace detail
}  // namespace tandem
