#include "bench/report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "bench/report/summary.h"
#include "bench/terminal.h"

namespace tandem::command {
namespace {

using Json = nlohmann::ordered_json;

std::string percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

/// The different values of a key in the files' words on their runs: "5 to 11".
std::string span(const std::vector<Json>& runs, const char* key) {
  std::set<std::int64_t> numbers;
  std::set<std::string> texts;
  for (const Json& run : runs) {
    const auto value = run.find(key);
    if (value == run.end()) continue;
    if (value->is_number_integer()) numbers.insert(value->get<std::int64_t>());
    if (value->is_string() && !value->get<std::string>().empty())
      texts.insert(printable(value->get<std::string>()));
  }
  for (const std::int64_t number : numbers) texts.insert(std::to_string(number));
  if (texts.empty()) return {};
  if (!numbers.empty()) {
    return *numbers.begin() == *numbers.rbegin()
               ? *texts.begin()
               : fmt::format("{} to {}", *numbers.begin(), *numbers.rbegin());
  }
  return texts.size() == 1 ? *texts.begin() : *texts.begin() + " to " + *texts.rbegin();
}

}  // namespace

std::string caption(const Machine& machine) {
  std::vector<std::string> parts;
  const auto add = [&](std::string before, const std::string& value, std::string after = "") {
    if (!value.empty()) parts.push_back(std::move(before) + value + after);
  };
  add("", span(machine.runs, "date"));
  add("median of ", span(machine.runs, "repetitions"), " repetitions");
  if (machine.device) {
    add("CUDA ", span(machine.runs, "cuda"));
    add("driver ", span(machine.runs, "driver"));
  }
  add("version ", span(machine.runs, "version"));
  for (const char* what : {"read", "copy"}) {
    if (const auto rate = machine.bound("bounds_gb_per_s", what))
      add(what, " " + show_billions(*rate, "B/s"));
  }
  for (const char* type : {"f32", "f64"}) {
    if (const auto rate = machine.bound("bounds_gflop_per_s", type))
      add(type, " multiply-adds " + show_billions(*rate, "FLOP/s"));
  }
  const std::string wrong = machine.wrong.empty() ? ", each checked before it was timed"
                                                  : fmt::format("; {} WRONG: {}", machine.wrong.size(),
                                                                fmt::join(machine.wrong, ", "));
  return fmt::format("{}; {} times{}", fmt::join(parts, "; "), machine.rows.size(), wrong);
}

DataTable summary_table(const Machine& machine) {
  Summary summary;
  for (const Json& row : machine.rows) summary.add(row);
  return {machine.name, caption(machine), Summary::kHeadings, summary.lines()};
}

DataTable times_table(const Series& series) {
  DataTable table{series.title(), "", {"implementation"}, {}};
  for (const Series::Size& size : series.sizes()) table.head.push_back(series.label(size));
  table.head.insert(table.head.end(), {"spread", "error", "of bound", "x vendor"});
  table.note = fmt::format("spread, error, share of the bound and x vendor: at {}",
                           series.label(series.sizes().back()));
  for (const std::string& name : series.implementations()) {
    std::vector<std::string> row{name};
    for (const Series::Size& size : series.sizes()) {
      const Result* r = series.at(name, size);
      row.push_back(r ? show_time(r->seconds) : "–");
    }
    const Series::Size& last = series.sizes().back();
    if (const Result* r = series.at(name, last)) {
      const Result* vendor = series.fastest("vendor", last);
      row.insert(row.end(),
                 {r->samples.size() == 1 ? "–" : fmt::format("{:.1f} %", 100 * r->spread),
                  r->error ? fmt::format("{:.2g}", *r->error) : "", r->fraction ? percent(*r->fraction) : "",
                  vendor && r->competes() ? fmt::format("{:.2f}", vendor->seconds / r->seconds) : ""});
    }
    row.resize(table.head.size());
    table.rows.push_back(std::move(row));
  }
  return table;
}

DataTable changes_table(const Machine& machine, const Baseline::Changes& changes) {
  DataTable table{
      fmt::format("changes on {}", machine.name),
      fmt::format("{} of {} rows that both runs have differ by more than both spreads and a tenth",
                  changes.beyond_noise.size(), changes.compared),
      {"implementation", "case", "n", "was", "is", "is ÷ was", "noise"},
      {}};
  for (const Baseline::Change& change : changes.beyond_noise) {
    const auto text = [&](const char* key) { return printable(change.row->at(key).get<std::string>()); };
    Series series;
    series.type = text("type"), series.op = text("op"), series.variant = text("variant");
    series.method = text("method");
    const Series::Size size{change.row->at("n").get<std::int64_t>(), text("shape")};
    table.rows.push_back({text("implementation"), series.case_name(), size.str(), show_time(change.was),
                          show_time(change.is), fmt::format("{:.2f}", change.is / change.was),
                          percent(change.noise)});
  }
  return table;
}

DataTable tuning_table(const Tuning& tuning) {
  DataTable table{fmt::format("{}, tuning {}", tuning.operation, tuning.name),
                  "",
                  {"point", "shape", "time", "rate", "registers", "spilled", "of bound"},
                  {}};
  for (const Json& row : tuning.content["rows"]) {
    if (row.at("time_ns").is_null()) continue;
    const auto text = [&](const char* key) { return printable(row.at(key).get<std::string>()); };
    table.rows.push_back(
        {text("implementation"), Series::Size{row.at("n").get<std::int64_t>(), text("shape")}.str(),
         show_time(row.at("time_ns").get<double>() * 1e-9),
         fmt::format("{:.4g} {}", row.at("rate").get<double>(), text("unit")),
         row.contains("registers") ? fmt::format("{}", row["registers"].get<int>()) : "",
         row.contains("registers") ? fmt::format("{} B", row.at("spilled_bytes").get<std::int64_t>()) : "",
         row.at("bound_fraction").is_null() ? "" : percent(row["bound_fraction"].get<double>())});
  }
  return table;
}

DataTable reasons_table(const Reasons& reasons) {
  DataTable table{
      "what the steps ask of memory", "counted by tandem trace", {"step", "input", "counted", "advice"}, {}};
  for (const Counts& c : reasons.all())
    table.rows.push_back({c.implementation, c.input, c.str(), c.advice.empty() ? "" : c.advice.front()});
  return table;
}

void print(const Report& report) {
  const Results& results = report.results;
  for (std::size_t m = 0; m < results.machines.size(); ++m) {
    const Machine& machine = results.machines[m];
    summary_table(machine).print();
    for (const Series& series : machine.series) times_table(series).print();
    if (!report.changes.empty()) changes_table(machine, report.changes[m]).print();
  }
  for (const Tuning& tuning : results.tunings) tuning_table(tuning).print();
  if (!results.reasons.all().empty()) reasons_table(results.reasons).print();
}

}  // namespace tandem::command
