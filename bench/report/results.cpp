#include "bench/report/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <new>
#include <set>

#include "bench/report/baseline.h"
#include "bench/report/summary.h"
#include "bench/terminal.h"
#include "tandem/error.h"

namespace tandem::command {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kKinds = "what compare, compare --tuning and trace write with --json";

std::string text(const Json& row, const char* key) { return printable(row.at(key).get<std::string>()); }

/// Refuses what nests so deep that copying it could overflow the stack.
void require_shallow(const Json& value, int most) {
  if (!value.is_structured()) return;
  if (most == 0) throw InvalidArgument("it is nested deeper than any file of results");
  for (const Json& part : value) require_shallow(part, most - 1);
}

double positive(const char* key, const Json& value, bool or_zero = false) {
  constexpr double kLeast = 1e-18, kMost = 1e18;
  const auto number = value.get<double>();
  if (!(number <= kMost) || !(number >= kLeast || (or_zero && number == 0)))
    throw InvalidArgument(
        fmt::format("'{}' is {}; it must be {} to {}", key, number, or_zero ? 0 : kLeast, kMost));
  return number;
}

std::optional<double> maybe(const Json& row, const char* key, bool or_zero = false) {
  const Json& value = row.at(key);
  return value.is_null() ? std::nullopt : std::optional(positive(key, value, or_zero));
}

Result result_of(const Json& row) {
  Result r{text(row, "implementation"),
           text(row, "path"),
           text(row, "unit"),
           positive("time_ns", row.at("time_ns")) * 1e-9,
           positive("spread", row.at("spread"), true),
           maybe(row, "rate").value_or(0),
           positive("flop_per_byte", row.at("flop_per_byte"), true),
           maybe(row, "worst_error", true),
           maybe(row, "bound_fraction"),
           row.at("reduced_precision").get<bool>() ? "reduced precision"
           : row.value("alone", false)             ? "without the copies that a caller has to make"
                                                   : "",
           {}};
  if (row.contains("samples_ns")) {  // not in older files
    for (const Json& sample : row["samples_ns"]) r.samples.push_back(positive("samples_ns", sample) * 1e-9);
  }
  return r;
}

/// That all is there which report shows of a point.
void check_point(const Json& row) {
  text(row, "shape");
  row.at("n").get<std::int64_t>();
  if (!row.at("time_ns").is_null()) result_of(row);
  if (!row.contains("registers")) return;
  row["registers"].get<int>();
  row.at("spilled_bytes").get<std::int64_t>();
}

class Reader {
 public:
  void read(const std::string& file) {
    const std::string content = file::read_file(file, "a file of results");
    if (content.empty()) throw BadFile(file, fmt::format("is empty; report reads {}", kKinds));
    Json json;
    try {
      json = Json::parse(content);
    } catch (const Json::parse_error& error) {
      throw BadFile(file, fmt::format("is no JSON from byte {} on; report reads {}", error.byte, kKinds));
    }
    try {
      require_shallow(json, 8);
    } catch (const InvalidArgument& error) {
      throw BadFile(file, error.what());
    }
    if (json.is_array() && json.empty())
      throw BadFile(file, fmt::format("holds nothing; report reads {}", kKinds));
    if (const Json& one = json.is_array() ? json[0] : json; one.is_object() && one.contains("claims"))
      throw BadFile(file, fmt::format("was written by reproduce; report reads {}", kKinds));
    if (json.is_array()) return launches(file, json);
    if (!json.is_object() || !json.contains("rows") || !json["rows"].is_array() || !json.contains("machine"))
      throw BadFile(file, fmt::format("holds a table that report does not know; it reads {}", kKinds));
    const auto& rows = json["rows"];
    const auto point =
        std::ranges::find_if(rows, [](const Json& row) { return row.is_object() && row.contains("tuning"); });
    if (point != rows.end()) return tuning(file, *point, json);
    if (rows.empty()) throw BadFile(file, "holds no rows");
    runs_.clear();
    for_each_row(file, [this](const Json& row, const Json& run) { add(row, run); });
  }

  Results results;

 private:
  void launches(const std::string& file, const Json& json) {
    try {
      results.reasons.add(json);
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& error) {
      throw BadFile(file, fmt::format("is not a file written by trace --json ({})", reason_of(error)));
    }
  }

  void tuning(const std::string& file, const Json& point, const Json& json) {
    try {
      require_schema(json["machine"]);
      for (const Json& row : json["rows"]) check_point(row);
      results.tunings.push_back({file, text(point, "operation"), text(point, "tuning"), json});
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& error) {
      throw BadFile(file,
                    fmt::format("is not a file written by compare --tuning --json ({})", reason_of(error)));
    }
  }

  void add(const Json& row, const Json& run) {
    const bool timed = !row.at("time_ns").is_null(), wrong = row.at("correct") == false;
    if (!timed && !wrong) return;  // it cannot run there
    Machine& m = machine(row, run);
    if (wrong) {
      m.wrong.push_back(text(row, "implementation"));
      return;
    }
    const auto n = row.at("n").get<std::int64_t>();
    if (n < 0) throw InvalidArgument(fmt::format("'n' is {}; it must be at least 0", n));
    Summary().add(row);  // that it can be summed up
    Result result = result_of(row);
    result.row = m.rows.size();
    const std::size_t place = series(m, row).add({n, text(row, "shape")}, std::move(result));
    if (place == m.rows.size())
      m.rows.push_back(row);
    else
      m.rows[place] = row;
  }

  Machine& machine(const Json& row, const Json& run) {
    const std::string name = printable(computed_by(row, run));
    const bool device = row.at("place") == "device";
    auto known = std::ranges::find_if(results.machines,
                                      [&](const Machine& m) { return m.name == name && m.device == device; });
    if (known == results.machines.end())
      known = results.machines.insert(known, Machine{name, device, {}, {}, Json::array(), {}});
    if (runs_.insert(known->name).second) known->runs.push_back(run);
    return *known;
  }

  static Series& series(Machine& machine, const Json& row) {
    const std::string operation = text(row, "operation"), type = text(row, "type"), op = text(row, "op"),
                      variant = text(row, "variant"), method = text(row, "method");
    const auto known = std::ranges::find_if(machine.series, [&](const Series& s) {
      return s.operation == operation && s.type == type && s.op == op && s.variant == variant &&
             s.method == method;
    });
    if (known != machine.series.end()) return *known;
    Series& added = machine.series.emplace_back();
    added.operation = operation, added.type = type, added.op = op, added.variant = variant,
    added.method = method;
    return added;
  }

  std::set<std::string> runs_;  // machines that this file's run stands with
};

}  // namespace

// --- series ---

std::string Series::Size::str() const {
  if (shape.empty()) return show_size(n);
  std::string out, digits;
  for (const char c : shape + "x") {
    if (c != 'x') {
      digits += c;
      continue;
    }
    const bool number =
        !digits.empty() && digits.size() < 18 && digits.find_first_not_of("0123456789") == digits.npos;
    out += (out.empty() ? "" : "×") + (number ? show_size(std::stoll(digits)) : digits);
    digits.clear();
  }
  return out;
}

std::size_t Series::add(const Size& size, Result result) {
  if (std::ranges::find(implementations_, result.implementation) == implementations_.end())
    implementations_.push_back(result.implementation);
  const auto place = std::ranges::lower_bound(sizes_, size);
  if (place == sizes_.end() || *place != size) sizes_.insert(place, size);
  const auto known = results_.try_emplace({result.implementation, size}, result).first;
  result.row = known->second.row;
  known->second = std::move(result);
  return known->second.row;
}

std::string Series::case_name() const {
  const std::string what = of_method(variant, method);
  return fmt::format("{}{}{}{}{}", type, op == "none" ? "" : " ", op == "none" ? "" : op,
                     what.empty() ? "" : " ", what);
}
std::string Series::title() const { return operation + " " + case_name(); }

bool Series::Size::is_regular() const {
  const std::string first = shape.substr(0, shape.find('x'));
  std::string regular = first;
  while (regular.size() < shape.size()) regular += "x" + first;
  return n > 0 && regular == shape;
}

bool Series::over_n() const { return std::ranges::all_of(sizes_, &Size::is_regular); }

const Result* Series::at(const std::string& implementation, const Size& size) const {
  const auto found = results_.find({implementation, size});
  return found == results_.end() ? nullptr : &found->second;
}

const Result* Series::fastest(std::string_view path, const Size& size) const {
  const Result* best = nullptr;
  for (const std::string& name : implementations_) {
    const Result* r = at(name, size);
    if (r && r->path == path && r->competes() && (!best || r->seconds < best->seconds)) best = r;
  }
  return best;
}

std::optional<double> Series::against_vendor(const Size& size) const {
  const Result *custom = fastest("custom", size), *vendor = fastest("vendor", size);
  if (!custom || !vendor) return {};
  return vendor->seconds / custom->seconds;
}

const Result* Series::before(const Result& result, const Size& size) const {
  const Result* last = nullptr;
  for (const std::string& name : implementations_) {
    const Result* r = at(name, size);
    if (r == &result) break;
    if (r && r->custom() && r->competes()) last = r;
  }
  return result.custom() ? last : nullptr;
}

// --- machines ---

std::vector<const Series*> Machine::main_series() const {
  std::vector<const Series*> all;
  const auto rank = [](const Series& s) {
    return (s.method != "hot") * 4 + (s.type != "f32") * 2 + (s.op != "plus" && s.op != "none");
  };
  for (const Series& s : series) {
    const auto same = std::ranges::find(all, s.operation, [](const Series* m) { return m->operation; });
    if (same == all.end())
      all.push_back(&s);
    else if (rank(s) < rank(**same))
      *same = &s;
  }
  return all;
}

const Series* Machine::by(const Series& like, std::string_view method) const {
  for (const Series& s : series) {
    if (s.operation == like.operation && s.type == like.type && s.op == like.op &&
        s.variant == like.variant && s.method == method)
      return &s;
  }
  return nullptr;
}

std::optional<double> Machine::bound(const std::string& group, const std::string& name) const {
  const std::string key = (device ? "device_" : "host_") + name;
  std::optional<double> highest;
  for (const Json& run : runs) {
    const auto values = run.find(group);
    if (values == run.end() || !values->contains(key) || !values->at(key).is_number()) continue;
    const auto value = values->at(key).get<double>();
    if (value > 0 && value > highest.value_or(0)) highest = value;
  }
  return highest;
}

std::string show_billions(double billions, const char* unit) {
  return billions < 1000 ? fmt::format("{:.3g} G{}", billions, unit)
                         : fmt::format("{:.3g} T{}", billions / 1000, unit);
}

// --- files ---

std::vector<std::string> files_of(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(path, ignored)) return {path};
  std::vector<std::string> files;
  for (const std::string& name : file::names_in(path)) {
    if (name.ends_with(".json")) files.push_back(path + (path.ends_with('/') ? "" : "/") + name);
  }
  if (files.empty()) throw BadFile(path, "is a folder without .json files");
  std::ranges::sort(files);
  return files;
}

Results read_results(const std::vector<std::string>& files) {
  Reader reader;
  for (const std::string& file : files) reader.read(file);
  return std::move(reader.results);
}

}  // namespace tandem::command
