#include "bench/report/baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "bench/measure/commit.h"
#include "bench/terminal.h"
#include "tandem/error.h"

namespace tandem::command {
namespace {

using Json = nlohmann::ordered_json;

const Json kNothing = nullptr, kNoShape = "";
constexpr double kUnsure = 0.35;  // a tenth, and both spreads together as large as one on a busy machine

/// Of a single sample nothing is known: as much as on a busy machine.
double spread_of(const Json& row) {
  constexpr double kUnknown = 0.25;
  const double spread = row.at("spread");
  const auto samples = row.find("samples_ns");
  return samples != row.end() && samples->size() == 1 ? std::max(spread, kUnknown) : spread;
}

/// What tells rows apart. Arrays and objects are refused before anything recurs into them.
std::string key(const Json& row, std::string_view machine) {
  std::string text = std::string(machine) + " ";
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

void require_schema(const Json& machine) {
  const int schema = machine.is_object() ? machine.value("schema", kSchema) : kSchema;
  if (schema != kSchema)
    throw InvalidArgument(fmt::format("it is of schema {}, this version reads {}", schema, kSchema));
}

void for_each_row(const std::string& name, const std::function<void(const Json&, const Json&)>& visit) {
  const std::string text = file::read_file(name, "a file written by compare --json");
  try {
    const Json content = Json::parse(text, nullptr, false);  // its errors quote the file
    if (content.is_discarded()) throw InvalidArgument("no JSON");
    const Json& rows = content.at("rows");
    const Json& machine = content.contains("machine") ? content.at("machine") : kNothing;
    require_schema(machine);
    for (const Json& row : rows) visit(row, machine);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    throw BadFile(name, fmt::format("is not a file written by compare --json ({})", reason_of(error)));
  }
}

std::string reason_of(const std::exception& error) {
  const std::string_view what = error.what();
  const std::size_t behind = what.starts_with("[json.exception.") ? what.find("] ") : std::string_view::npos;
  return std::string(behind == std::string_view::npos ? what : what.substr(behind + 2));
}

std::string computed_by(const Json& row, const Json& machine) {
  return machine.at(row.at("place") == "device" ? "device" : "host").get<std::string>();
}

Baseline Baseline::of_each_machine(const std::vector<std::string>& files) {
  Baseline all;
  all.by_machine_ = true;
  for (const std::string& file : files) all.add(file);
  return all;
}

void Baseline::add(const std::string& name) {
  if (name.empty()) return;
  name_ = name;
  for_each_row(name, [this](const Json& row, const Json& machine) {
    if (row.at("time_ns").is_null()) return;
    rows_[key(row, by_machine_ ? computed_by(row, machine) : "")] = {row.at("time_ns"), spread_of(row)};
  });
}

Baseline::Changes Baseline::changes(const Json& rows, std::string_view machine) const {
  Changes all;
  for (const Json& row : rows) {
    const auto found = rows_.find(key(row, machine));
    if (found == rows_.end() || row["time_ns"].is_null()) continue;
    ++all.compared;
    const auto [was, old_spread] = found->second;
    const double is = row["time_ns"], noise = 0.1 + old_spread + spread_of(row);
    if (is > was * (1 + noise) || was > is * (1 + noise))
      all.beyond_noise.push_back({&row, was * 1e-9, is * 1e-9, noise});
    else if (noise > kUnsure)
      ++all.unsure;
  }
  return all;
}

Baseline::Verdict Baseline::verdict(const Json& rows) const {
  if (name_.empty()) return {};
  const Changes all = changes(rows);
  if (all.compared == 0) throw InvalidArgument(fmt::format("{} holds none of the rows of this run", name_));
  Verdict verdict;
  for (const auto& [row, was, is, noise] : all.beyond_noise) {
    const bool slower = is > was;
    (slower ? verdict.slower : verdict.faster)
        .push_back(fmt::format("{}: {} n = {}: {} was {}, beyond the noise of {:.0f} %",
                               slower ? "regression" : "faster", row->at("implementation").get<std::string>(),
                               row->at("n").get<std::int64_t>(), show_time(is), show_time(was), noise * 100));
  }
  verdict.counts = fmt::format(
      "against {}: {} of {} rows the same within noise, {} slower, {} faster, {} too noisy to tell", name_,
      all.compared - all.beyond_noise.size() - all.unsure, all.compared, verdict.slower.size(),
      verdict.faster.size(), all.unsure);
  return verdict;
}

}  // namespace tandem::command
