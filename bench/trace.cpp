// tandem trace: what a kernel does to the memory system, counted on the CPU.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "bench/command.h"
#include "bench/text.h"
#include "bench/trace_picture.h"
#include "bench/trace_report.h"
#include "lib/core/error.h"
#include "lib/simt/trace.h"

namespace tandem::command {
namespace {

constexpr double kPatience = 30;  // seconds: longer runs need --force
constexpr std::int64_t kProbe = 1 << 15;

struct Options {
  std::string pattern, n, type = "f32", op = "plus", schedule = "forward", by = "waste", svg;
  std::vector<std::string> compare;
  std::uint64_t seed = 1;
  simt::Settings settings;
  bool json = false, force = false, launch_only = false;
};

// --- which rows can be traced, and why others cannot ---

std::string why_not(const Implementation& i) {
  if (i.place == Place::simt) return {};
  if (i.path == "vendor") return "a library's kernels come without source; trace takes hand-written steps";
  if (const auto at = i.file.find(".sm"); at != std::string::npos) {
    const auto end = i.file.find('.', at + 1);
    return fmt::format("{} is written with instructions of sm_{} alone, which the executor does not have",
                       i.file, i.file.substr(at + 3, end - at - 3));
  }
  if (i.place == Place::device) return i.left_out.empty() ? "what is traced is its row @simt" : i.left_out;
  if (!i.counting) return "neither a kernel nor a step that counts its work";
  return {};
}

std::vector<const Implementation*> wanted(const std::string& pattern) {
  const auto found = matching(pattern);
  if (found.empty())
    throw InvalidArgument(fmt::format("no implementation matches '{}'; see: tandem list", pattern));
  std::vector<const Implementation*> rows;
  for (const Implementation* i : found) {
    if (why_not(*i).empty()) rows.push_back(i);
  }
  if (rows.empty()) throw Unavailable(found[0]->name + ": " + why_not(*found[0]));
  return rows;
}

// --- running ---

// What the options ask an operation to run.
struct Input {
  Input(const Operation& op, const Options& options)
      : id{parse_type(options.type),
           op.cases[0].op == OperatorId::none ? OperatorId::none : parse_operator(options.op)},
        n(options.n.empty() ? (op.extents.empty() ? 4096 : 64) : parse_size(options.n, "--n")) {
    const auto found = std::find(op.cases.begin(), op.cases.end(), id);
    if (found == op.cases.end()) throw InvalidArgument(fmt::format("{} has no case {}", op.name, id.str()));
    if (n < 1) throw InvalidArgument(fmt::format("--n is {}; it must be at least 1", n));
    case_index = static_cast<int>(found - op.cases.begin());
  }
  CaseId id;
  std::int64_t n;
  int case_index;
};

// For a profiler to count the same on a GPU: every hand-written kernel runs once, and nothing else does.
void launch_on_device(const Options& options) {
  Context ctx = Context::device();
  for (const Implementation* i : matching(options.pattern)) {
    const bool portable = !matching(i->name + "@simt").empty();
    if (i->place != Place::device || i->path != "custom" || !portable || !i->unavailable().empty()) continue;
    const Operation& op = operation(i->operation);
    const Input input(op, options);
    const auto problem =
        op.make(ctx, input.case_index, op.benchmarks(input.id, input.n, options.seed).front());
    problem->reset();
    tandem::run(*i, input.case_index, problem->args(), ctx, "profiled");
    ctx.synchronize();
  }
}

class Tracer {
 public:
  explicit Tracer(const Options& options) : options_(options) {
    simt::settings() = options.settings;
    simt::settings().schedule = simt::parse_schedule(options.schedule);
  }
  ~Tracer() { simt::settings() = {}; }

  Traced operator()(const Implementation& i) {
    const Operation& op = operation(i.operation);
    const auto [id, n, c] = Input(op, options_);
    if (!options_.force) estimate(i, op, c, n);
    progress_.show(fmt::format("trace {} n = {}", i.name, n));
    Traced traced = run(i, op, c, n);
    require_block(i, traced);
    return traced;
  }

 private:
  Traced run(const Implementation& i, const Operation& op, int c, std::int64_t n) {
    const CaseId id = op.cases[static_cast<std::size_t>(c)];
    const std::vector<Trial> trials = op.benchmarks(id, n, options_.seed);
    const Trial& trial = trials.front();
    if (const std::string reason = i.refusal(op.shape(trial), id); !reason.empty())
      throw Unavailable(i.name + ": " + reason);
    Traced traced{&i, fmt::format("{}, n = {}", id.str(), show_size(n)), {}, {}, 0};
    const auto start = std::chrono::steady_clock::now();
    Context ctx = Context::host();
    if (i.place == Place::simt) {
      const auto problem = op.make(ctx, c, trial);
      problem->reset();
      traced.trace = simt::trace([&] { tandem::run(i, c, problem->args(), ctx, "traced"); });
    }
    if (i.counting) traced.cost = op.complexity(i, ctx, trial);
    traced.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return traced;
  }

  // Two short runs tell how time grows.
  void estimate(const Implementation& i, const Operation& op, int c, std::int64_t n) {
    const std::int64_t probe = std::min(n / 64, kProbe);
    if (probe < 256) return;
    progress_.show(fmt::format("estimating {}", i.name));
    const double first = run(i, op, c, probe).seconds, second = run(i, op, c, 2 * probe).seconds;
    const double growth = std::clamp(std::log2(second / first), 1.0, 3.0);
    const double seconds = second * std::pow(static_cast<double>(n) / static_cast<double>(2 * probe), growth);
    if (seconds > kPatience) {
      throw InvalidArgument(fmt::format("{} with n = {} would take about {:.0f} {}; --force goes ahead",
                                        i.name, n, seconds < 120 ? seconds : seconds / 60,
                                        seconds < 120 ? "s" : "min"));
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

  const Options& options_;
  Progress progress_;
};

void trace_all(const Options& options) {
  if (options.pattern.empty() == options.compare.empty()) {
    throw InvalidArgument("say what to trace: one implementation, or --compare with two");
  }
  if (options.launch_only) return launch_on_device(options);
  if (!options.svg.empty()) require_writable(options.svg);
  std::vector<const Implementation*> rows;
  if (options.compare.empty()) {
    rows = wanted(options.pattern);
  } else {
    for (const std::string& name : options.compare) {
      const auto found = wanted(name);
      if (found.size() > 1) {
        throw InvalidArgument(
            fmt::format("--compare takes one step for each name; '{}' is part of {}: {}, {}, …", name,
                        found.size(), found[0]->name, found[1]->name));
      }
      rows.push_back(found.front());
    }
  }
  if (!options.svg.empty() && (rows.size() != 1 || rows[0]->place != Place::simt)) {
    throw InvalidArgument(
        fmt::format("--svg draws one kernel; '{}' names {}", options.pattern,
                    rows.size() == 1 ? "a step on the CPU" : fmt::format("{} steps", rows.size())));
  }
  const Figure& by = figure(options.by);
  Tracer tracer(options);
  std::vector<Traced> traced;
  for (const Implementation* i : rows) traced.push_back(tracer(*i));
  if (!options.svg.empty()) {
    const std::string& name = traced[0].implementation->name;
    write_file(options.svg,
               picture(name.substr(0, name.find('@')), traced[0].title, traced[0].trace.launches));
  }
  if (options.json) {
    auto launches = nlohmann::ordered_json::array();
    for (const Traced& t : traced) {
      for (auto& launch : json_of(t)) launches.push_back(std::move(launch));
    }
    fmt::print("{}\n", launches.dump(2));
  } else if (!options.compare.empty()) {
    print_comparison(traced[0], traced[1]);
  } else {
    for (std::size_t t = 0; t < traced.size(); ++t) {
      if (t > 0) fmt::print("\n");
      print(traced[t], by);
    }
  }
  const bool clean = std::all_of(traced.begin(), traced.end(), [](auto& t) { return t.trace.races.empty(); });
  exit_code = clean ? kSuccess : kWrongResult;
}

}  // namespace

void add_trace(CLI::App& app) {
  auto* sub = app.add_subcommand("trace",
                                 "What a kernel does to the memory system, line by line, counted on the CPU");
  static Options options;
  sub->add_option("implementation", options.pattern, "Part of a name: scan/custom/blelloch");
  sub->add_option("--compare", options.compare, "Two implementations side by side, in totals")->expected(2);
  sub->add_option("--n", options.n, "Size of the input: 4096 elements, or matrices of 64 x 64, unless given");
  sub->add_option("--type", options.type, "Element type: f16, f32, f64, i8, i32, i64")->capture_default_str();
  sub->add_option("--op", options.op, "plus, multiplies, minimum, maximum, logical_and, logical_or")
      ->capture_default_str();
  sub->add_option("--block", options.settings.block,
                  "Threads per block, for kernels that take any power of two")
      ->check(CLI::Range(1, 1024));
  sub->add_option("--resident-blocks", options.settings.resident_blocks,
                  "Blocks that kernels are told to run at once per multiprocessor (of which there are 4)")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  sub->add_option("--schedule", options.schedule, "forward, reverse, random:SEED")->capture_default_str();
  sub->add_option("--seed", options.seed, "Of the input")->capture_default_str();
  sub->add_option("--by", options.by,
                  "Which lines come first: waste, requests, sectors, lines, efficiency, ways, extra, lanes")
      ->capture_default_str();
  sub->add_option("--svg", options.svg, "Draw what the first warp touches, round by round, into this file");
  sub->add_flag("--json", options.json, "An array of launches, for programs");
  sub->add_flag("--launch-only", options.launch_only,
                "Run the GPU rows once instead, for a profiler to count there what trace counts here");
  sub->add_flag("--force", options.force, "Go ahead even if it takes long");
  sub->footer(
      "requests: instructions of one warp, up to 32 lanes. sectors, lines: different 32- and 128-byte pieces "
      "they touch\n"
      "in global memory. efficiency: bytes asked for / bytes moved. ways, extra: words wanted from one bank "
      "of shared\n"
      "memory at once, and the passes this adds. lanes: of 32, how many take part. docs/trace.md explains "
      "them.\n"
      "Exit status 1 says that there is a race.\n"
      "Example: tandem trace reduce/custom/reduce2_strided --n 4096 --svg conflicts.svg\n"
      "Example: tandem trace --compare scan/custom/blelloch scan/custom/blelloch_padded");
  sub->callback([] { trace_all(options); });
}

}  // namespace tandem::command
