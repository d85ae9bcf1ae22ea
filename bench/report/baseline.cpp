#include "bench/report/baseline.h"

#include <fmt/format.h>

#include <new>

#include "bench/terminal.h"
#include "tandem/error.h"

namespace tandem::command {
namespace {

using Json = nlohmann::ordered_json;

const Json kNoShape = "";

/// What tells rows apart. Arrays and objects are refused before anything recurs into them.
std::string key(const Json& row) {
  std::string text;
  for (const char* name : {"implementation", "type", "op", "variant", "n", "shape", "method"}) {
    const bool left_out = name == std::string_view("shape") && !row.contains(name);  // by older files
    const Json& value = left_out ? kNoShape : row.at(name);
    if (value.is_structured())
      throw InvalidArgument(fmt::format("'{}' is neither a text nor a number", name));
    text += value.dump() + " ";
  }
  return text;
}

}  // namespace

void for_each_row(const std::string& name, const std::function<void(const Json&)>& visit) {
  const std::string text = file::read_file(name, "a file written by compare --json");
  try {
    const Json content = Json::parse(text, nullptr, false);  // its errors quote the file
    if (content.is_discarded()) throw InvalidArgument("no JSON");
    for (const Json& row : content.at("rows")) visit(row);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    throw BadFile(name, fmt::format("is not a file written by compare --json ({})", error.what()));
  }
}

Baseline::Baseline(const std::string& name) : name_(name) {
  if (name_.empty()) return;
  for_each_row(name_, [this](const Json& row) {
    if (!row.at("time_ns").is_null()) rows_[key(row)] = {row.at("time_ns"), row.at("spread")};
  });
}

std::vector<std::string> Baseline::regressions(const Json& rows) const {
  std::vector<std::string> slower;
  std::size_t compared = 0;
  for (const Json& row : rows) {
    const auto found = rows_.find(key(row));
    if (found == rows_.end() || row["time_ns"].is_null()) continue;
    ++compared;
    const auto [was, old_spread] = found->second;
    const double is = row["time_ns"], noise = 0.1 + old_spread + row["spread"].get<double>();
    if (is <= was * (1 + noise)) continue;
    slower.push_back(fmt::format("regression: {} n = {}: {} was {}, beyond the noise of {:.0f} %",
                                 row["implementation"].get<std::string>(), row["n"].get<std::int64_t>(),
                                 show_time(is * 1e-9), show_time(was * 1e-9), noise * 100));
  }
  if (!name_.empty() && compared == 0)
    throw InvalidArgument(fmt::format("{} holds none of the rows of this run", name_));
  return slower;
}

}  // namespace tandem::command
