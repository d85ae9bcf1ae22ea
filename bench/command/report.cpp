// tandem report: what compare, tune and trace measured, in one page to look at.

#include "bench/report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "bench/command/command.h"
#include "bench/command/tuning.h"
#include "bench/terminal.h"
#include "tandem/error.h"
#ifdef TANDEM_HAS_SIMT
#include "bench/command/trace.h"
#endif

namespace tandem::command {
namespace {

constexpr std::size_t kLargestPage = 300'000;  // bytes

struct Options {
  std::vector<std::string> results;
  std::string baseline, html;
  bool trace = false, markdown = false;
};

/// The rows that have a time.
std::vector<std::string> implementations_of(const Results& results) {
  std::vector<std::string> all;
  for (const Machine& machine : results.machines) {
    for (const Series& series : machine.series)
      all.insert(all.end(), series.implementations().begin(), series.implementations().end());
  }
  return all;
}

#ifdef TANDEM_HAS_SIMT
/// The operations that results speak of.
std::vector<std::string> operations_of(const Results& results) {
  std::vector<std::string> all;
  for (const Machine& machine : results.machines) {
    for (const Series* series : machine.main_series()) {
      if (std::ranges::find(all, series->operation) == all.end()) all.push_back(series->operation);
    }
  }
  return all;
}

void trace_ladders(Report& report) {
  for (const std::string& operation : operations_of(report.results)) {
    for (TracedStep& step : trace_ladder(operation)) {
      report.results.reasons.add(step.launches);
      report.warps.push_back({step.implementation, std::move(step.warp)});
    }
  }
}
#endif

/// What was traced of these steps when the tree's own results were recorded: where nothing else says why one is fast.
/// Nothing where the tree is not at hand, as with an installed command.
void add_recorded_traces(Results& results) {
  const std::string file = std::string(TANDEM_SOURCE_DIR) + "/bench/results/trace/here.json";
  if (!results.reasons.all().empty() || !std::filesystem::exists(file)) return;
  results.reasons = read_results({file}).reasons;
  results.reasons.keep(implementations_of(results));
}

Report read(const Options& options) {
  std::vector<std::string> files;
  for (const std::string& path : options.results) {
    if (!std::filesystem::exists(path) && std::ranges::count(operation_names(), path)) {
      throw InvalidArgument(fmt::format(
          "{0} is an operation, not a file; tandem compare {0} --json {0}.json writes one", path));
    }
    for (std::string& file : files_of(path)) files.push_back(std::move(file));
  }
  Report report{read_results(files), {}, {}, {}};
  const Results& results = report.results;
  for (const Machine& machine : results.machines) {
    for (const Series& series : machine.series) operation(series.operation);  // throws where there is none
  }
  if (!options.baseline.empty()) {
    const Baseline old = Baseline::of_each_machine(files_of(options.baseline));
    std::size_t compared = 0;
    for (const Machine& machine : results.machines)
      compared += report.changes.emplace_back(old.changes(machine.rows, machine.name)).compared;
    if (compared == 0)
      throw InvalidArgument(fmt::format("{} holds none of the rows of these results", options.baseline));
  }
  for (const Tuning& tuning : results.tunings) {
    const std::string title = fmt::format("{}, tuning {}", tuning.operation, tuning.name);
    std::vector<TuningPoint> points;
    try {
      points = tuning_points(operation(tuning.operation).name, tuning.name);
    } catch (const InvalidArgument& error) {
      throw BadFile(tuning.file, error.what());
    }
    report.tunings.push_back(
        {title, figure_of(recorded_maps(tuning.file, operation(tuning.operation), points))});
  }
  return report;
}

void report(const Options& options) {
  if (!options.html.empty()) require_writable(options.html);
  Report all = read(options);
#ifdef TANDEM_HAS_SIMT
  if (options.trace) trace_ladders(all);
#endif
  add_recorded_traces(all.results);
  if (all.results.machines.empty() && all.results.tunings.empty() && !options.trace)
    throw InvalidArgument("none of the files holds a time: name one that compare --json wrote");
  if (options.html.empty()) {
    if (options.markdown) table_form = TableForm::markdown;
    return print(all);
  }
  const std::string text = page(all, kLargestPage);
  write_file(options.html, text);
  fmt::print("wrote {}: {}\n", options.html, show_bytes(static_cast<double>(text.size())));
}

}  // namespace

void add_report(Command app) {
  const auto sub = app.subcommand("report", "What was measured, as one HTML page to look at, or as tables");
  static Options options;
  sub.option("results", options.results,
             "Files that compare, compare --tuning and trace wrote with --json, or folders of them")
      .type_name(kFile)
      .required();
#ifdef TANDEM_HAS_SIMT
  sub.flag(
      "--trace", options.trace,
      "Trace every ladder of the results, to say why its steps are fast or slow; unless given what --json of "
      "trace wrote is shown, or what the tree has recorded");
#endif
  sub.option("--baseline", options.baseline,
             "Show what changed beyond noise since this file, or folder of files")
      .type_name(kFile);
  const auto html = sub.option("--html", options.html,
                               fmt::format("Write a page that needs nothing else, of at most {}",
                                           show_bytes(static_cast<double>(kLargestPage))))
                        .type_name(kFile)
                        .check([](const std::string& file) {
                          return file.empty() ? std::string("needs the name of a file") : std::string();
                        });
  sub.flag("--md", options.markdown, "Tables as Markdown").excludes(html);
  sub.footer(
      "Results of different machines stand apart. Of rows that several files have the last is shown.\n"
      "Example: tandem compare scan --json scan.json && tandem report scan.json --html report.html\n"
      "Example: tandem report bench/results bench/results/tuning --trace --html report.html");
  sub.callback([] { report(options); });
}

}  // namespace tandem::command
