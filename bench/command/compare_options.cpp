// The command line of tandem compare.

#include <fmt/format.h>

#include "bench/command/command.h"
#include "bench/command/compare.h"
#include "bench/command/tuning.h"
#include "bench/ranks/ranks.h"
#include "bench/terminal.h"
#include "tandem/error.h"

namespace tandem::command {
namespace {

/// The operation of --step, of which there must be one.
std::string operation_of_step(const std::string& step) {
  const auto found = matching(step);
  if (found.empty()) throw InvalidArgument(none_matches("--step", step));
  for (const Implementation* i : found) {
    if (i->operation != found[0]->operation) {
      throw InvalidArgument(fmt::format("--step is '{}', a part of {} and of {}; say more of the name", step,
                                        found[0]->name, i->name));
    }
  }
  return found[0]->operation;
}

bool compare_tuning(const CompareOptions& options) {
  if (options.operation.empty())
    throw InvalidArgument("--tuning needs an operation; see: tandem list --tunings");
  const std::vector<Method> methods = methods_of(options);
  if (methods.size() > 1) throw InvalidArgument("--tuning takes one --method");
  if (is_end_to_end(methods[0]))
    throw InvalidArgument(fmt::format("--tuning takes no --method {}: kernels are timed", name(methods[0])));
  return run_tuning({options.operation, options.tuning, asked_shapes(options), methods[0],
                     options.repetitions, options.seed, options.json, options.svg, options.recorded});
}

/// What of the options holds for calls over ranks.
RanksOptions over_ranks(const CompareOptions& options) {
  const CompareOptions usual;
  refuse_over_ranks({{!options.in.empty(), "--in"},
                     {!options.baseline.empty(), "--baseline"},
                     {!options.after.empty(), "--after"},
                     {!options.step.empty(), "--step"},
                     {!options.only.empty(), "--only"},
                     {options.place == "simt", "--place simt"},
                     {!options.tuning.empty(), "--tuning"},
                     {options.drawn.has_value(), "--draw"},
                     {options.offset != 0, "--offset"},
                     {options.methods != usual.methods, "--method"},
                     {options.operators != usual.operators, "--op"}});
  RanksOptions ranks{.operation = options.operation,
                     .place = options.place,
                     .shapes = options.shapes,
                     .types = options.types,
                     .seed = options.seed,
                     .repetitions = options.repetitions,
                     .json = options.json,
                     .csv = options.csv};
  ranks.shapes.insert(ranks.shapes.end(), options.n.begin(), options.n.end());
  if (!ranks.json.empty()) require_writable(ranks.json);
  return ranks;
}

}  // namespace

void add_compare(Command app) {
  const auto sub =
      app.subcommand("compare", "Correctness and speed of every implementation, side by side, in one run");
  static CompareOptions options;
  sub.option("operation", options.operation, known_operations() + "; all when left out")
      .type_name(kOperation);
  const auto n =
      sub.texts("--n", options.n, "Sizes, e.g. 64K,16M (powers of 1024); 1K means 1K x 1K matrices");
  const auto shape = sub.texts("--shape", options.shapes,
                               "Shapes, e.g. 1000x2K. What their extents are: " + known_extents());
  const auto type = sub.texts("--type", options.types,
                              "Element types: " + known_types() +
                                  "; unless given f32, or the first that the operation takes")
                        .type_name(kType);
  sub.texts("--op", options.operators,
            "Operators or functions, where the operation takes them: " + known_operators())
      .type_name(kOperator);
  sub.option("--in", options.in, "Take the elements of this .npy file instead of random ones")
      .type_name(kFile)
      .excludes(n)
      .excludes(shape)
      .excludes(type);
  sub.texts("--only", options.only, "Only implementations whose names contain one of these")
      .type_name(kImplementation);
  sub.option("--step", options.step,
             "Only this step, the one before it and the libraries: scan/custom/blelloch")
      .type_name(kImplementation);
  sub.option("--place", options.place, "Only these rows").one_of({"host", "device", "simt"});
  sub.texts("--method", options.methods,
            fmt::format("How times are taken, one or several. {}. And {}", kCallMethodsMeaning,
                        kEndToEndMeaning))
      .type_name(fmt::format("TEXT:{{{}}}", fmt::join(method_names(true), ",")));
  sub.option(
         "--draw",
         [](const std::string& text) { options.drawn = parse_number<std::uint64_t>(text, "--draw"); },
         "Instead: the shape that tandem audit drew from this number")
      .type_name("INT")
      .excludes(n)
      .excludes(shape)
      .excludes(type);
  sub.option("--largest", options.largest, "With --draw: bytes of the largest array").show_default();
  sub.number("--offset", options.offset, "Arrays begin so many bytes behind an aligned address", 0, 252)
      .excludes("--draw");
  sub.number("--repetitions", options.repetitions,
             "Of each row, shuffled; of calls that are long and many times slower than the fastest one", 1,
             1000);
  sub.number("--seed", options.seed, "Of the data");
  const auto tuning_name = sub.option("--tuning", options.tuning,
                                      "Instead: steps of the operation with many constants; see: tandem list "
                                      "--tunings")
                               .type_name(kTuning)
                               .excludes(type);
  const auto svg = sub.option("--svg", options.svg, "Draw the tuning as a heat map into this file")
                       .type_name(kFile)
                       .needs(tuning_name);
  sub.option("--recorded", options.recorded,
             "Draw what --json of such a run wrote into this file, and measure nothing")
      .type_name(kFile)
      .needs(svg)
      .excludes(n)
      .excludes(shape);
  sub.flag("--all", options.all, "Show rows without a time one by one, too");
  sub.option("--json", options.json, "Write the rows to this file").type_name(kFile);
  add_table_options(sub, options.csv);
  tuning_name.excludes("--csv").excludes("--offset");
  sub.option("--after", options.after,
             "Leave out the rows that earlier runs wrote to these files, but for the summary")
      .type_name(kFile);
  sub.option("--baseline", options.baseline, "Exit 1 if a row is slower than in this file, beyond noise")
      .type_name(kFile);
  sub.footer(
      "Each table is printed as soon as it is measured, the last one tells who is the fastest. A wrong "
      "result has no time; "
      "exit status 1 says that there is one.\nExample: tandem compare scan --n "
      "1M,64M --type f32,f64 --json scan.json");
  sub.callback([] {
    if (launched_ranks() > 1) {
      exit_code = compare_over_ranks(over_ranks(options)) ? kSuccess : kWrongResult;
      return;
    }
    if (!options.step.empty() && options.operation.empty())
      options.operation = operation_of_step(options.step);
    exit_code =
        (options.tuning.empty() ? compare(options) : compare_tuning(options)) ? kSuccess : kWrongResult;
  });
}

}  // namespace tandem::command
