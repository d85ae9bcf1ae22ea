// tandem trace: what a kernel does to the memory system, counted on the CPU.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <span>

#include "bench/command/command.h"
#include "bench/command/trace.h"
#include "bench/report/trace_page.h"
#include "bench/report/trace_picture.h"
#include "bench/report/trace_prediction.h"
#include "bench/report/trace_report.h"
#include "bench/terminal.h"
#include "lib/core/context_impl.h"
#include "lib/core/rank_registry.h"
#include "lib/harness/rank_check.h"
#include "lib/simt/trace.h"
#include "tandem/error.h"

namespace tandem::command {
namespace {

constexpr double kPatience = 60;               // seconds: longer runs need --force
constexpr std::size_t kLargestPage = 300'000;  // bytes

struct Options {
  std::string n, type, op = "plus", schedule = "forward", by = "waste", svg, html;
  std::string predict;  // a GPU
  std::vector<std::string> patterns, compare;
  std::uint64_t seed = 1;
  simt::Settings settings;
  bool json = false, csv = false, force = false, launch_only = false, banks = false;
};

// --- which rows can be traced, and why others cannot ---

std::string why_not(const Implementation& i) {
  if (i.place == Place::simt) return {};
  if (i.path == "vendor") return "a library's kernels come without source; trace takes hand-written steps";
  if (i.place == Place::device && !matching(i.name + "@simt").empty())
    return i.left_out.empty() ? "what is traced is its row @simt" : i.left_out;
  if (const auto at = i.file.find(".sm"); at != std::string::npos) {
    const auto end = i.file.find('.', at + 1);
    return fmt::format("{} is written with instructions of sm_{} alone, which the executor does not have",
                       i.file, i.file.substr(at + 3, end - at - 3));
  }
  if (i.place == Place::device) return i.left_out;
  if (!i.counting) return "neither a kernel nor a step that counts its work";
  return {};
}

std::vector<const Implementation*> wanted(const std::string& pattern) {
  auto found = matching(pattern);
  if (found.empty()) found = rank_matching(pattern);
  if (found.empty()) found = require_matching(pattern);
  std::vector<const Implementation*> rows;
  for (const Implementation* i : found) {
    if (why_not(*i).empty()) rows.push_back(i);
  }
  if (rows.empty()) throw Unavailable(found[0]->name + ": " + why_not(*found[0]));
  return rows;
}

// --- running ---

/// Whether n is a number of elements, or of pieces of one length: what doubles with it is the first extent alone.
bool counts_elements(const Operation& op) {
  if (op.extents.empty()) return true;
  constexpr std::int64_t kSome = 1 << 14;
  const auto once = op.extents_of(kSome), twice = op.extents_of(2 * kSome);
  return std::equal(once.begin() + 1, once.end(), twice.begin() + 1);
}

/// What is traced where nobody says how much. A prediction goes on from there: several tiles of every step show how
/// counts grow.
std::int64_t usual_size(const Operation& op, const Options& options) {
  if (options.predict.empty()) return op.extents.empty() ? 4096 : 64;
  return counts_elements(op) ? 1 << 14 : 128;
}

/// The operation's, or the first that the step takes.
Type usual_type(const Operation& op, const Implementation& i) {
  const auto takes = [&](Type type) {
    return std::ranges::none_of(i.not_taken, [&](const CaseId& c) { return c.type == type; });
  };
  const auto first = std::ranges::find_if(op.cases, takes, &CaseId::type);
  return takes(op.default_type()) || first == op.cases.end() ? op.default_type() : first->type;
}

/// What the options ask a step of an operation to run.
struct Input {
  Input(const Operation& op, const Implementation& i, const Options& options)
      : id{options.type.empty() ? usual_type(op, i) : parse_type(options.type),
           op.cases[0].op == OperatorId::none ? OperatorId::none : parse_operator(options.op)},
        n(options.n.empty() ? usual_size(op, options) : parse_size(options.n, "--n")) {
    const auto found = std::find(op.cases.begin(), op.cases.end(), id);
    if (found == op.cases.end()) {
      std::string with_type, types;
      for (const CaseId c : op.cases) {
        const auto append = [](std::string& list, std::string_view item) {
          if (list.find(item) == list.npos) list += (list.empty() ? "" : ", ") + std::string(item);
        };
        append(types, name(c.type));
        if (c.type == id.type) append(with_type, name(c.op));
      }
      throw InvalidArgument(fmt::format("{} has no case {}; {}", op.name, id.str(),
                                        with_type.empty()
                                            ? "its types are " + types
                                            : fmt::format("with {} it has {}", name(id.type), with_type)));
    }
    if (n < 1) throw InvalidArgument(fmt::format("--n is {}; it must be at least 1", n));
    case_index = static_cast<int>(found - op.cases.begin());
  }
  CaseId id;
  std::int64_t n;
  int case_index;
};

/// The first that a step takes of what is timed at a size, since some take one distribution alone; null where it takes none.
const Trial* first_taken(std::span<const Trial> trials, const Implementation& i, const Operation& op,
                         CaseId id) {
  const auto taken = std::find_if(trials.begin(), trials.end(),
                                  [&](const Trial& trial) { return i.refusal(op.shape(trial), id).empty(); });
  return taken == trials.end() ? nullptr : &*taken;
}

// For a profiler to count the same on a GPU: every hand-written kernel that takes the input runs once, and
// nothing else does.
void launch_on_device(const Options& options) {
  Context ctx = Context::device();
  for (const std::string& pattern : options.patterns) {
    for (const Implementation* i : matching(pattern)) {
      const bool portable = !matching(i->name + "@simt").empty();
      if (i->place != Place::device || i->path != "custom" || !portable || !i->unavailable().empty())
        continue;
      const Operation& op = operation(i->operation);
      const Input input(op, *i, options);
      const std::vector<Trial> trials = op.benchmarks(input.id, input.n, options.seed);
      const Trial* trial = first_taken(trials, *i, op, input.id);
      if (!trial) continue;
      const auto problem = op.make(ctx, input.case_index, *trial);
      problem->reset();
      tandem::run(*i, input.case_index, problem->args(), ctx, "profiled");
      ctx.synchronize();
    }
  }
}

class Tracer {
 public:
  explicit Tracer(const Options& options)
      : options_(options), gpu_(options.predict.empty() ? nullptr : &gpu(options.predict)) {
    simt::settings() = options.settings;
    simt::settings().schedule = simt::parse_schedule(options.schedule);
    simt::settings().os_threads = 1;  // so that what depends on timing, as how far a look-back goes, repeats
  }
  ~Tracer() { simt::settings() = {}; }

  Traced operator()(const Implementation& i) {
    if (is_over_ranks(i)) return traced_rank(i);
    const Operation& op = operation(i.operation);
    const auto [id, n, c] = Input(op, i, options_);
    require_taken(trials_of(op, id, n), i, op, id);
    if (!options_.force) estimate(i, op, c, n);
    progress_.show(fmt::format("trace {} n = {}", i.name, n));
    Traced traced = run(i, op, c, n, multiprocessors());
    require_block(i, traced);
    const auto call = [](const Traced& t) {
      return TracedCall{t.trace.launches, t.cost ? t.cost->steps : 0};
    };
    if (gpu_ && !traced.trace.launches.empty())
      traced.prediction = predict(
          *gpu_, op, id, i, n, call(traced),
          [&](std::int64_t m, int multiprocessors) { return call(run(i, op, c, m, multiprocessors)); });
    return traced;
  }

 private:
  /// What is timed at this size.
  std::vector<Trial> trials_of(const Operation& op, CaseId id, std::int64_t n) const {
    std::vector<Trial> trials = op.benchmarks(id, n, options_.seed);
    if (trials.empty())
      throw InvalidArgument(fmt::format("--n is {}; {} has no shape of that size", n, op.name));
    return trials;
  }
  /// A prediction goes with recorded times of the first of them.
  const Trial& require_taken(const std::vector<Trial>& trials, const Implementation& i, const Operation& op,
                             CaseId id) const {
    if (const Trial* taken = first_taken(std::span(trials).first(gpu_ ? 1 : trials.size()), i, op, id))
      return *taken;
    throw Unavailable(i.name + ": " + i.refusal(op.shape(trials.front()), id));
  }

  /// What kernels are told of: the executor's own, unless there is a GPU to predict for.
  int multiprocessors() const { return gpu_ ? static_cast<int>(gpu_->multiprocessors) : 0; }

  Traced run(const Implementation& i, const Operation& op, int c, std::int64_t n, int multiprocessors) {
    const CaseId id = op.cases[static_cast<std::size_t>(c)];
    const std::vector<Trial> trials = trials_of(op, id, n);
    const Trial& trial = require_taken(trials, i, op, id);
    const std::string variant = &trial == &trials.front() ? "" : " " + trial.variant;
    Traced traced{&i, id.type, fmt::format("{}{}, n = {}", id.str(), variant, show_size(n)), {}, {}, 0};
    const std::clock_t start = std::clock();  // of this process: other programs do not count
    Context ctx = Context::host();
    if (multiprocessors) ctx.impl().backend = make_host_backend(nullptr, multiprocessors);
    if (i.place == Place::simt) {
      const auto problem = op.make(ctx, c, trial);
      problem->reset();
      traced.trace = simt::trace([&] { tandem::run(i, c, problem->args(), ctx, "traced"); });
    }
    // Counted numbers move like int64: a step that takes floating-point numbers alone does not count.
    if (i.counting && i.refusal(op.shape(trial), {Type::i64, OperatorId::plus}).empty())
      traced.cost = op.complexity(i, ctx, trial);
    traced.seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    return traced;
  }

  // One rank of several, whose others are watched for races alone.
  Traced traced_rank(const Implementation& i) const {
    if (gpu_) throw InvalidArgument(i.name + ": --predict knows one GPU, and no links between several");
    RanksTrial trial{
        {options_.type.empty() ? Type::f32 : parse_type(options_.type), parse_operator(options_.op)},
        4,
        {options_.n.empty() ? 4096 : parse_size(options_.n, "--n")}};
    trial.half = 1 << 20;
    Traced traced{&i, trial.id.type, "", {}, {}, 0};
    traced.title =
        fmt::format("{}, n = {}, rank 0 of {}", trial.id.str(), show_size(trial.n[0]), trial.ranks);
    traced.trace = trace_ranks(i, trial);
    return traced;
  }

  // Runs of twice the size each, until one takes long enough to tell how time grows.
  void estimate(const Implementation& i, const Operation& op, int c, std::int64_t n) {
    constexpr double kLongEnough = 0.1;
    progress_.show(fmt::format("estimating {}", i.name));
    double last = 0;
    for (std::int64_t probe = 32; 4 * probe <= n; probe *= 2) {
      const double seconds = run(i, op, c, probe, multiprocessors()).seconds;
      if (seconds > kLongEnough) {
        const double growth = std::clamp(std::log2(seconds / last), 1.0, 3.0);
        const double all = seconds * std::pow(static_cast<double>(n) / static_cast<double>(probe), growth);
        if (all <= kPatience) return;
        throw InvalidArgument(fmt::format("{} with n = {} would take about {:.0f} {}; --force goes ahead",
                                          i.name, n, all < 120 ? all : all / 60, all < 120 ? "s" : "min"));
      }
      last = seconds;
    }
  }

  void require_block(const Implementation& i, const Traced& traced) const {
    const auto asked = static_cast<unsigned>(options_.settings.block);
    const auto& launches = traced.trace.launches;
    if (asked == 0 || launches.empty()) return;
    if (std::none_of(launches.begin(), launches.end(), [&](auto& l) { return l.block.count() == asked; })) {
      throw InvalidArgument(fmt::format("{} chooses its own block ({} threads); --block has no effect on it",
                                        i.name, launches.back().block.count()));
    }
  }

  Options options_;
  const Gpu* gpu_;  // to predict for, or null
  Progress progress_;
};

/// What the patterns, or --compare, name.
std::vector<const Implementation*> rows_of(const Options& options) {
  std::vector<const Implementation*> rows;
  if (options.compare.empty()) {
    for (const std::string& pattern : options.patterns) {
      for (const Implementation* i : wanted(pattern)) rows.push_back(i);
    }
    return rows;
  }
  for (const std::string& name : options.compare) {
    const auto found = wanted(name);
    if (found.size() > 1) {
      throw InvalidArgument(
          fmt::format("--compare takes one step for each name; '{}' is part of {}: {}, {}, …", name,
                      found.size(), found[0]->name, found[1]->name));
    }
    rows.push_back(found.front());
  }
  if (rows.size() == 1) {
    if (const Implementation* before = step_before(*rows[0]))
      rows.insert(rows.begin(), before);
    else
      fmt::print(stderr, "{} is the first step on the executor: nothing comes before\n", rows[0]->name);
  }
  return rows;
}

/// For options that show a kernel: --svg draws one, --html shows one.
void require_kernel(const char* option, const Options& options,
                    const std::vector<const Implementation*>& rows) {
  const std::size_t most = options.compare.empty() ? 1 : 2;
  const bool kernels = std::ranges::all_of(rows, [](auto* i) { return i->place == Place::simt; });
  if (rows.size() <= most && kernels) return;
  throw InvalidArgument(
      fmt::format("{} one kernel; '{}' names {}", option,
                  fmt::join(options.compare.empty() ? options.patterns : options.compare, " "),
                  rows.size() <= most ? "a step on the CPU" : fmt::format("{} steps", rows.size())));
}

void require_launch(const Traced& traced) {
  if (traced.trace.launches.empty())
    throw Unavailable(traced.name() + " starts no kernel on this input: there is nothing to show");
}

/// Unless a size is given, rows that are looked at together, or one alone, have the usual one or the next half of it that
/// they take.
Options sized_for(const std::vector<const Implementation*>& rows, Options options) {
  const bool together = rows.size() == 1 || !options.compare.empty();
  if (!options.n.empty() || !together || is_over_ranks(*rows[0])) return options;
  const auto takes = [&](const Implementation* i, std::int64_t n) {
    const Operation& op = operation(i->operation);
    const CaseId id = Input(op, *i, options).id;
    const auto trials = op.benchmarks(id, n, options.seed);
    return !trials.empty() && i->refusal(op.shape(trials[0]), id).empty();
  };
  for (std::int64_t n = Input(operation(rows[0]->operation), *rows[0], options).n; n > 1; n /= 2) {
    if (!std::ranges::all_of(rows, [&](auto* i) { return takes(i, n); })) continue;
    options.n = fmt::to_string(n);
    break;
  }
  return options;
}

/// In the exit status.
void say_whether_clean(const std::vector<Traced>& traced) {
  const bool clean = std::all_of(traced.begin(), traced.end(), [](auto& t) { return t.trace.races.empty(); });
  exit_code = clean ? kSuccess : kWrongResult;
}

/// The page of the last row; beside it the one before, or of one alone the nearest before it in its ladder that takes
/// this input.
void write_page(const Options& options, const std::vector<const Implementation*>& rows) {
  Tracer tracer(sized_for(rows, options));
  std::vector<Traced> traced{tracer(*rows.back())};
  if (rows.size() == 2) {
    traced.push_back(tracer(*rows.front()));
  } else if (options.compare.empty()) {
    const Implementation* before = step_before(*rows.back());
    for (; before && traced.size() == 1; before = step_before(*before)) {
      try {
        traced.push_back(tracer(*before));
      } catch (const Unavailable&) {      // it takes only other inputs
      } catch (const InvalidArgument&) {  // it would take minutes
      }
    }
  }
  std::ranges::for_each(traced, require_launch);
  const std::string text = kernel_page(traced[0], traced.size() > 1 ? &traced[1] : nullptr, kLargestPage);
  write_file(options.html, text);
  fmt::print("wrote {}: {}\n", options.html, show_bytes(static_cast<double>(text.size())));
  for (const Traced& t : traced) print_races(t);
  say_whether_clean(traced);
}

void trace_all(const Options& options) {
  if (options.patterns.empty() == options.compare.empty()) {
    throw InvalidArgument("say what to trace: one implementation, or --compare with one or two");
  }
  if (options.launch_only) return launch_on_device(options);
  for (const std::string& file : {options.svg, options.html}) {
    if (!file.empty()) require_writable(file);
  }
  const auto rows = rows_of(options);
  if (!options.svg.empty()) require_kernel("--svg draws", options, rows);
  if (!options.html.empty()) {
    require_kernel("--html shows", options, rows);
    return write_page(options, rows);
  }
  const Figure& by = figure(options.by);
  Tracer tracer(sized_for(rows, options));
  std::vector<Traced> traced;
  for (const Implementation* i : rows) {
    try {
      traced.push_back(tracer(*i));
    } catch (const Unavailable& error) {  // of several rows the others are still wanted
      if (rows.size() == 1 || !options.compare.empty()) throw;
      fmt::print(stderr, "tandem: {}\n", error.what());
    }
  }
  if (!options.svg.empty()) {
    require_launch(traced[0]);
    write_file(options.svg, picture(*traced[0].implementation, traced[0].title, traced[0].trace.launches,
                                    size_of(traced[0].type), options.banks));
  }
  if (options.json || options.csv) {
    auto launches = nlohmann::ordered_json::array();
    for (const Traced& t : traced) {
      for (auto& launch : json_of(t)) launches.push_back(std::move(launch));
    }
    if (options.csv)
      print_csv(launches);
    else
      fmt::print("{}\n", launches.dump(2));
  } else if (!options.compare.empty() && traced.size() == 2) {
    print_comparison(traced[0], traced[1]);
  } else {
    for (std::size_t t = 0; t < traced.size(); ++t) {
      if (t > 0) fmt::print("\n");
      print(traced[t], by);
    }
  }
  if (traced.empty()) throw Unavailable("none of them takes this input");
  say_whether_clean(traced);
}

}  // namespace

std::vector<TracedStep> trace_ladder(const std::string& operation) {
  const auto known = operation_names();
  if (std::ranges::find(known, operation) == known.end()) return {};
  Options options;
  options.predict = gpu_names().front();
  Tracer tracer(options);
  std::vector<TracedStep> steps;
  for (const Implementation& i : implementations()) {
    if (i.operation != operation || i.path != "custom" || i.place != Place::simt) continue;
    try {
      const Traced traced = tracer(i);
      if (traced.trace.launches.empty()) continue;
      steps.push_back({traced.name(), json_of(traced), warp_strip(traced.trace.launches)});
    } catch (const Unavailable&) {      // it takes only other inputs
    } catch (const InvalidArgument&) {  // it would take minutes
    }
  }
  return steps;
}

void add_trace(Command app) {
  const auto sub =
      app.subcommand("trace", "What a kernel does to the memory system, line by line, counted on the CPU");
  static Options options;
  sub.option("implementation", options.patterns, "Parts of names: scan/custom/blelloch, reduce")
      .type_name(kImplementation);
  const auto compare =
      sub.option("--compare", options.compare,
                 "Two implementations side by side, in totals; one beside the step before it")
          .type_name(kImplementation)
          .expected(1, 2);
  sub.option("--n", options.n,
             "Size of the input: 4096 elements, or matrices of 64 x 64, unless given; with --predict 16K, or "
             "128 x 128; or the next half of these that a step takes");
  sub.option("--type", options.type,
             "Element type: " + known_types() +
                 "; unless given f32, or the first that the operation, or the step, takes")
      .type_name(kType);
  sub.option("--op", options.op, "Operator or function, where the operation takes one")
      .type_name(kOperator)
      .show_default();
  sub.number("--block", options.settings.block, "Threads per block, for kernels that take any power of two",
             1, 1024)
      .default_str("");
  sub.number("--resident-blocks", options.settings.resident_blocks,
             "Blocks that kernels are told to run at once per multiprocessor (of which there are 4)", 1,
             1 << 20);
  sub.option("--schedule", options.schedule, "forward, reverse, random:SEED").show_default();
  sub.number("--seed", options.seed, "Of the input");
  const auto by =
      sub.option("--by", options.by,
                 "Which lines come first: waste, requests, sectors, lines, efficiency, ways, extra, lanes")
          .show_default();
  const auto named = [](const std::string& file) {
    return file.empty() ? std::string("needs the name of a file") : std::string();
  };
  const auto svg =
      sub.option("--svg", options.svg, "Draw what the first warp touches, round by round, into this file")
          .type_name(kFile)
          .excludes(compare)
          .check(named);
  sub.flag("--banks", options.banks,
           "In --svg: of shared memory the banks (the word mod 32) instead of the elements")
      .needs(svg);
  const auto json = sub.flag("--json", options.json, "An array of launches, for programs");
  add_table_options(sub, options.csv);
  json.excludes("--csv").excludes("--md");
  const auto predict =
      sub.option("--predict", options.predict,
                 "How long each launch, and a call of each recorded size, takes at least on this GPU")
          .type_name(fmt::format("TEXT:{{{}}}", fmt::join(gpu_names(), ",")));
  const auto launch_only =
      sub.flag("--launch-only", options.launch_only,
               "Run the GPU rows once instead, for a profiler to count there what trace counts here")
          .excludes(compare)
          .excludes(predict);
  sub.option(
         "--html", options.html,
         fmt::format("Write a page of one step that needs nothing else, of at most {}: its source with what "
                     "each line costs, the first warp round by round, and beside it the step before",
                     show_bytes(static_cast<double>(kLargestPage))))
      .type_name(kFile)
      .excludes(by)
      .excludes(json)
      .excludes("--csv")
      .excludes("--md")
      .excludes(svg)
      .excludes(launch_only)
      .check(named);
  sub.flag("--force", options.force, "Go ahead even if it takes long");
  sub.footer(
      "requests: instructions of one warp, up to 32 lanes. sectors, lines: different 32- and 128-byte pieces "
      "they touch\n"
      "in global memory. efficiency: bytes asked for / bytes moved. ways, extra: words wanted from one bank "
      "of shared\n"
      "memory at once, and the passes this adds. lanes: of 32, how many take part. docs/trace.md explains "
      "them.\n"
      "Exit status 1 says that there is a race.\n"
      "Example: tandem trace reduce/custom/reduce2_strided --n 4096 --svg conflicts.svg\n"
      "Example: tandem trace reduce/custom/reduce2_strided --svg banks.svg --banks\n"
      "Example: tandem trace reduce/custom/reduce2_strided --html page.html\n"
      "Example: tandem trace scan/custom/blelloch --n 16K --predict h200\n"
      "Example: tandem trace --compare scan/custom/blelloch scan/custom/blelloch_padded");
  sub.callback([] { trace_all(options); });
}

}  // namespace tandem::command
