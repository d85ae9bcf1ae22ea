#include "bench/report/reasons.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "bench/terminal.h"
#include "tandem/error.h"

namespace tandem::command {
namespace {

using Json = nlohmann::ordered_json;

double number(const Json& launch, const char* key) {
  const auto value = launch.at(key).get<double>();
  if (!(value >= 0)) throw InvalidArgument(fmt::format("'{}' is {}; it must be at least 0", key, value));
  return value;
}

std::string text(const Json& launch, const char* key) { return printable(launch.at(key).get<std::string>()); }

void add_sites(Counts& counts, const Json& sites) {
  const std::string step = counts.implementation.substr(counts.implementation.rfind('/') + 1);
  for (const Json& site : sites) {
    if (!site.contains("advice")) continue;
    const std::string file = text(site, "file");
    const double requests = number(site, "requests") + number(site, "shared_requests");
    std::string said = fmt::format("line {}: {}", site.at("line").get<std::int64_t>(), text(site, "advice"));
    if (std::ranges::find(counts.advice, said) != counts.advice.end()) continue;
    // The line with the most requests comes first.
    counts.advice.insert(requests > counts.most_waste ? counts.advice.begin() : counts.advice.end(),
                         std::move(said));
    counts.most_waste = std::max(counts.most_waste, requests);
  }
}

}  // namespace

std::string Counts::str() const {
  const auto percent = [](double share) { return fmt::format("{:.0f} %", 100 * share); };
  std::vector<std::string> parts{fmt::format("{} {}", launches, launches == 1 ? "launch" : "launches")};
  if (sectors > 0) parts.push_back(percent(used_sectors / sectors) + " of moved bytes used");
  if (extra_passes > 0) parts.push_back(fmt::format("up to {:.0f}-way bank conflicts", ways));
  if (const double all = requests + shared_requests; all > 0)
    parts.push_back(percent(lanes / all) + " of lanes at work");
  if (barriers > 0)
    parts.push_back(
        fmt::format("{:.3g} {} a block", barriers / blocks, barriers == blocks ? "barrier" : "barriers"));
  return fmt::format("{}", fmt::join(parts, " · "));
}

void Reasons::add(const Json& launches) {
  if (!launches.is_array() || launches.empty()) throw InvalidArgument("it holds no launches");
  std::vector<Counts> read;
  for (const Json& launch : launches) {
    std::string name = text(launch, "implementation");
    name = name.substr(0, name.find('@'));
    if (launch.at("kernel").is_null()) continue;  // a step on the CPU
    auto known = std::ranges::find(read, name, &Counts::implementation);
    if (known == read.end()) {
      known = read.insert(known, Counts{});
      known->implementation = name;
      known->input = text(launch, "input");
    }
    Counts& c = *known;
    const double requests = number(launch, "requests"), shared = number(launch, "shared_requests"),
                 sectors = number(launch, "sectors");
    double blocks = 1;
    for (const Json& extent : launch.at("grid")) blocks *= extent.get<double>();
    ++c.launches;
    c.requests += requests;
    c.shared_requests += shared;
    c.sectors += sectors;
    c.used_sectors += sectors * number(launch, "efficiency");
    c.extra_passes += number(launch, "extra_wavefronts");
    c.ways = std::max(c.ways, number(launch, "bank_conflict_ways"));
    c.lanes += number(launch, "lane_use") * (requests + shared);
    c.blocks += blocks;
    c.barriers += number(launch, "barriers") * blocks;
    add_sites(c, launch.at("sites"));
    if (!launch.contains("calls")) continue;
    c.device = text(launch, "device");
    for (const Json& call : launch["calls"])
      c.at_least.push_back(
          {call.at("n").get<std::int64_t>(), number(call, "time_ns") * 1e-9, text(call, "limiter")});
  }
  for (Counts& counts : read) {  // later ones stand for earlier ones
    std::erase_if(all_, [&](const Counts& c) { return c.implementation == counts.implementation; });
    all_.push_back(std::move(counts));
  }
}

void Reasons::keep(const std::vector<std::string>& implementations) {
  std::erase_if(all_, [&](const Counts& c) {
    return std::ranges::find(implementations, c.implementation) == implementations.end();
  });
}

const Counts* Reasons::of(const std::string& implementation) const {
  const auto found = std::ranges::find(all_, implementation, &Counts::implementation);
  return found == all_.end() ? nullptr : &*found;
}

}  // namespace tandem::command
