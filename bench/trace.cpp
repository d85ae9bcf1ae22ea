// tandem trace: what a kernel does to the memory system, counted on the CPU.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "bench/command.h"
#include "bench/text.h"
#include "bench/trace_picture.h"
#include "lib/core/error.h"
#include "lib/simt/trace.h"

namespace tandem::command {
namespace {

using Json = nlohmann::ordered_json;
using simt::Kind;
using simt::LaunchTraffic;
using simt::LineTraffic;
using simt::Requests;
using simt::Space;

constexpr double kPatience = 30;  // seconds: longer runs need --force
constexpr std::int64_t kProbe = 1 << 15;

struct Options {
  std::string pattern, n = "4096", type = "f32", op = "plus", schedule = "forward", by = "waste", svg, json;
  std::vector<std::string> compare;
  std::uint64_t seed = 1;
  simt::Settings settings;
  bool force = false, launch_only = false;
};

/// One implementation on one input.
struct Traced {
  const Implementation* implementation;
  std::string title;  // "f32 plus, n = 4096"
  simt::Trace trace;
  std::optional<Complexity> cost;
  double seconds = 0;
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
  if (i.place == Place::device) return i.unavailable();
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

// The case of an operation that the options name, and what they ask to run.
struct Input {
  Input(const Operation& op, const Options& options)
      : id{parse_type(options.type), parse_operator(options.op)}, n(parse_size(options.n, "--n")) {
    if (op.cases[0].op == OperatorId::none) id.op = OperatorId::none;
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

// --- figures ---

std::string access_name(Space space, Kind kind) {
  return fmt::format("{} {}",
                     kind == Kind::load    ? "load"
                     : kind == Kind::store ? "store"
                                           : "atomic",
                     space == Space::shared ? "shared" : "global");
}

std::string percent(double x) { return fmt::format("{:.0f}%", 100 * x); }

/// What a line costs beyond the least: passes that wait for a bank, lines moved for nothing, and requests for lanes that
/// are idle. Only to put the worst line first.
double waste(const Requests& r) {
  return static_cast<double>(r.extra_wavefronts()) + static_cast<double>(r.sectors - r.least_sectors) / 4 +
         static_cast<double>(r.requests) * (1 - r.lane_use());
}

/// One sentence on a line that costs much more than it must; empty for others. Lines that are few against the whole
/// launch are left alone.
std::string advice(const LineTraffic& line, const LaunchTraffic& launch) {
  const Requests& r = line.counts;
  const auto all = static_cast<double>(launch.global.requests + launch.shared.requests);
  if (static_cast<double>(r.requests) < 0.05 * all) return {};
  if (r.extra_wavefronts() > r.least_wavefronts / 10) {
    return fmt::format(
        "up to {}-way bank conflicts: {} of {} passes through shared memory only wait; let neighbouring "
        "lanes touch neighbouring words, or pad the array",
        r.ways, r.extra_wavefronts(), r.wavefronts);
  }
  if (r.sectors > 2 * r.least_sectors && r.sectors > 2 * r.requests) {
    return fmt::format(
        "uncoalesced: a request moves {:.1f} sectors of 32 bytes where {:.1f} would hold its data; let "
        "neighbouring lanes touch neighbouring elements",
        static_cast<double>(r.sectors) / static_cast<double>(r.requests),
        static_cast<double>(r.least_sectors) / static_cast<double>(r.requests));
  }
  if (r.lane_use() < 0.5) {
    return fmt::format(
        "{:.1f} of 32 lanes at work: the others of the warp wait for them; give the work to neighbouring "
        "threads, so that whole warps retire",
        32 * r.lane_use());
  }
  return {};
}

/// Text of a source line, cut to `width`; empty when the tree is not at hand.
std::string source_text(const simt::SourceLine& line, std::size_t width) {
  std::ifstream file(std::string(TANDEM_SOURCE_DIR) + "/" + line.file);
  std::string text;
  for (unsigned l = 0; l < line.line && std::getline(file, text); ++l) {
  }
  if (!file) return {};
  text.erase(0, text.find_first_not_of(' '));
  return text.size() > width ? text.substr(0, width - 3) + "..." : text;
}

std::string short_name(const simt::SourceLine& line, const std::string& own_file) {
  const std::string file = line.file.substr(line.file.rfind('/') + 1);
  return own_file.ends_with("/" + file) ? fmt::format("{}", line.line)
                                        : fmt::format("{}:{}", file, line.line);
}

/// What lines may be sorted by: the columns of the table, the worst line first, and `waste`.
struct Figure {
  const char* name;
  double (*badness)(const Requests&);
};
constexpr Figure kFigures[] = {
    {"waste", waste},
    {"requests", [](const Requests& r) { return static_cast<double>(r.requests); }},
    {"sectors", [](const Requests& r) { return static_cast<double>(r.sectors); }},
    {"lines", [](const Requests& r) { return static_cast<double>(r.lines); }},
    {"efficiency", [](const Requests& r) { return -r.efficiency(); }},
    {"ways", [](const Requests& r) { return static_cast<double>(r.ways); }},
    {"extra", [](const Requests& r) { return static_cast<double>(r.extra_wavefronts()); }},
    {"lanes", [](const Requests& r) { return -r.lane_use(); }},
};
const Figure& figure(const std::string& name) {
  std::string known;
  for (const Figure& f : kFigures) {
    if (f.name == name) return f;
    known += (known.empty() ? "" : ", ") + std::string(f.name);
  }
  throw InvalidArgument(fmt::format("unknown figure '{}'; known: {}", name, known));
}

std::vector<const LineTraffic*> worst_first(const LaunchTraffic& launch, const Figure& by) {
  std::vector<const LineTraffic*> lines;
  for (const LineTraffic& line : launch.lines) lines.push_back(&line);
  std::stable_sort(lines.begin(), lines.end(),
                   [&](auto* a, auto* b) { return by.badness(a->counts) > by.badness(b->counts); });
  return lines;
}

std::vector<std::string> cells(const Requests& global, const Requests& shared) {
  Requests all = global;
  all.add(shared);
  const bool g = global.requests > 0, s = shared.requests > 0;
  return {fmt::format("{}", all.requests),
          g ? fmt::format("{}", global.sectors) : "",
          g ? fmt::format("{}", global.lines) : "",
          g ? percent(global.efficiency()) : "",
          s ? fmt::format("{}", shared.ways) : "",
          s ? fmt::format("{}", shared.extra_wavefronts()) : "",
          percent(all.lane_use())};
}
std::vector<std::string> cells(const LineTraffic& line) {
  return line.space == Space::shared ? cells({}, line.counts) : cells(line.counts, {});
}

// Launches of the same kernel with the same block are levels of one algorithm and shown as one.
std::vector<LaunchTraffic> merged(const std::vector<LaunchTraffic>& launches) {
  std::vector<LaunchTraffic> all;
  for (const LaunchTraffic& l : launches) {
    const auto same = std::find_if(all.begin(), all.end(), [&](const LaunchTraffic& m) {
      return m.kernel == l.kernel && m.block.count() == l.block.count();
    });
    if (same == all.end()) {
      all.push_back(l);
      continue;
    }
    same->grid.x += l.grid.x;
    same->barriers += l.barriers;
    same->global.add(l.global);
    same->shared.add(l.shared);
    for (const LineTraffic& line : l.lines) {
      const auto known = std::find_if(same->lines.begin(), same->lines.end(), [&](const LineTraffic& m) {
        return m.line == line.line && m.space == line.space && m.kind == line.kind;
      });
      if (known == same->lines.end())
        same->lines.push_back(line);
      else
        known->counts.add(line.counts);
    }
  }
  return all;
}

void print(const Traced& traced, const Figure& by) {
  const Implementation& i = *traced.implementation;
  fmt::print("{}  {}", i.name, traced.title);
  if (traced.cost) fmt::print("  work {}, steps {}", traced.cost->work, traced.cost->steps);
  fmt::print("\n");
  if (i.place != Place::simt) fmt::print("  runs on the CPU: no warps, so nothing else to count\n");
  for (const LaunchTraffic& l : merged(traced.trace.launches)) {
    const auto blocks = static_cast<double>(l.grid.count());
    fmt::print("\n{}: {} {} of {} threads, {:.3g} barriers per block\n", l.kernel, l.grid.count(),
               l.grid.count() == 1 ? "block" : "blocks", l.block.count(),
               static_cast<double>(l.barriers) / blocks);
    Table table(
        {"line", "access", "requests", "sectors", "lines", "efficiency", "ways", "extra", "lanes", "source"});
    std::vector<std::string> sentences;
    for (const LineTraffic* line : worst_first(l, by)) {
      const std::string text = advice(*line, l);
      auto row = cells(*line);
      row.insert(row.begin(), {short_name(line->line, i.file), access_name(line->space, line->kind)});
      row.push_back(source_text(line->line, 60));
      table.add(row, text.empty() ? Colour::none : Colour::bad);
      const std::string place = fmt::format("line {}: ", short_name(line->line, i.file));
      const bool said =
          std::any_of(sentences.begin(), sentences.end(), [&](auto& s) { return s.starts_with(place); });
      if (!text.empty() && !said) sentences.push_back(place + text);
    }
    auto row = cells(l.global, l.shared);
    row.insert(row.begin(), {"all", ""});
    table.add(row);
    table.print();
    for (const std::string& sentence : sentences) fmt::print("{}\n", paint(sentence, Colour::bad));
  }
  if (i.place == Place::simt) {
    for (const simt::Race& race : traced.trace.races) fmt::print("\n{}", paint(race.str(), Colour::bad));
    fmt::print("{}\n", traced.trace.races.empty() ? "\nno races" : "");
  }
}

// --- two steps side by side ---

void print_comparison(const Traced& a, const Traced& b) {
  const auto total = [](const Traced& t) {
    struct {
      Requests global, shared;
      double blocks = 0, barriers = 0;
    } sum;
    for (const LaunchTraffic& l : t.trace.launches) {
      sum.global.add(l.global);
      sum.shared.add(l.shared);
      sum.blocks += static_cast<double>(l.grid.count());
      sum.barriers += static_cast<double>(l.barriers);
    }
    return sum;
  };
  const auto x = total(a), y = total(b);
  Requests all_x = x.global, all_y = y.global;
  all_x.add(x.shared);
  all_y.add(y.shared);
  const auto name = [](const Traced& t) {
    return t.implementation->name.substr(t.implementation->name.rfind('/') + 1);
  };
  Table table({a.title, name(a), name(b), "ratio"});
  const auto count = [&](const char* figure, auto p, auto q) {
    const auto u = static_cast<double>(p), v = static_cast<double>(q);
    table.add({figure, fmt::format("{:.10g}", u), fmt::format("{:.10g}", v),
               u > 0 ? fmt::format("{:.3g}", v / u) : "-"});
  };
  const auto share = [&](const char* figure, double p, double q) {
    table.add({figure, percent(p), percent(q), ""});
  };
  if (a.cost && b.cost) {
    count("work (operator applications)", a.cost->work, b.cost->work);
    count("steps (longest chain)", a.cost->steps, b.cost->steps);
  }
  count("launches", a.trace.launches.size(), b.trace.launches.size());
  count("blocks", x.blocks, y.blocks);
  count("block barriers", x.barriers, y.barriers);
  count("global requests", x.global.requests, y.global.requests);
  count("global sectors (32 bytes)", x.global.sectors, y.global.sectors);
  count("global lines (128 bytes)", x.global.lines, y.global.lines);
  share("global memory efficiency", x.global.efficiency(), y.global.efficiency());
  count("shared requests", x.shared.requests, y.shared.requests);
  count("shared wavefronts", x.shared.wavefronts, y.shared.wavefronts);
  count("extra wavefronts (bank conflicts)", x.shared.extra_wavefronts(), y.shared.extra_wavefronts());
  count("worst bank conflict (ways)", x.shared.ways, y.shared.ways);
  share("lane use", all_x.lane_use(), all_y.lane_use());
  count("races", a.trace.races.size(), b.trace.races.size());
  table.print();
}

// --- for programs ---

Json figures(const Requests& global, const Requests& shared) {
  Requests all = global;
  all.add(shared);
  return {{"requests", global.requests},
          {"sectors", global.sectors},
          {"lines", global.lines},
          {"efficiency", global.efficiency()},
          {"shared_requests", shared.requests},
          {"bank_conflict_ways", shared.ways},
          {"extra_wavefronts", shared.extra_wavefronts()},
          {"lane_use", all.lane_use()}};
}

Json json_of(const Traced& traced) {
  const auto side = [](const simt::Race::Side& s) {
    return Json{{"file", s.line.file}, {"line", s.line.line}, {"block", s.block}, {"thread", s.thread}};
  };
  Json launches = Json::array();
  for (const LaunchTraffic& l : traced.trace.launches) {
    Json launch = {{"implementation", traced.implementation->name},
                   {"input", traced.title},
                   {"kernel", l.kernel},
                   {"grid", {l.grid.x, l.grid.y, l.grid.z}},
                   {"block", {l.block.x, l.block.y, l.block.z}}};
    launch.update(figures(l.global, l.shared));
    launch["barriers"] = l.barriers;
    launch["steps"] = traced.cost ? Json(traced.cost->steps) : Json(nullptr);  // of the whole call
    launch["work"] = traced.cost ? Json(traced.cost->work) : Json(nullptr);
    launch["sites"] = Json::array();
    for (const LineTraffic& line : l.lines) {
      const bool shared = line.space == Space::shared;
      Json site = {
          {"file", line.line.file}, {"line", line.line.line}, {"access", access_name(line.space, line.kind)}};
      site.update(figures(shared ? Requests{} : line.counts, shared ? line.counts : Requests{}));
      if (const std::string text = advice(line, l); !text.empty()) site["advice"] = text;
      launch["sites"].push_back(site);
    }
    launch["races"] = Json::array();
    for (const simt::Race& race : traced.trace.races) {
      if (race.kernel != l.kernel) continue;
      Json entry = {{"text", race.str()}, {"count", race.count}, {"second", side(race.second)}};
      if (!race.uninitialised) entry["first"] = side(race.first);
      launch["races"].push_back(entry);
    }
    launches.push_back(launch);
  }
  if (traced.trace.launches.empty()) {  // a CPU step
    launches.push_back({{"implementation", traced.implementation->name},
                        {"input", traced.title},
                        {"kernel", nullptr},
                        {"steps", traced.cost->steps},
                        {"work", traced.cost->work}});
  }
  return launches;
}

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
    for (const std::string& name : options.compare) rows.push_back(wanted(name).front());
  }
  const Figure& by = figure(options.by);
  Tracer tracer(options);
  std::vector<Traced> traced;
  for (const Implementation* i : rows) traced.push_back(tracer(*i));
  bool clean = true;
  Json json = Json::array();
  for (const Traced& t : traced) {
    clean &= t.trace.races.empty();
    for (Json& launch : json_of(t)) json.push_back(std::move(launch));
  }
  if (!options.svg.empty()) {
    if (traced.size() != 1 || traced[0].trace.launches.empty())
      throw InvalidArgument(
          fmt::format("--svg draws one kernel; '{}' names {} steps", options.pattern, traced.size()));
    const std::string& name = traced[0].implementation->name;
    write_file(options.svg,
               picture(name.substr(0, name.find('@')), traced[0].title, traced[0].trace.launches));
  }
  if (!options.json.empty()) {
    if (options.json == "-")
      fmt::print("{}\n", json.dump(2));
    else
      write_file(options.json, json.dump(2) + "\n");
  }
  if (options.json != "-") {
    if (options.compare.empty()) {
      for (std::size_t t = 0; t < traced.size(); ++t) {
        if (t > 0) fmt::print("\n");
        print(traced[t], by);
      }
    } else {
      print_comparison(traced[0], traced[1]);
    }
  }
  exit_code = clean ? kSuccess : kWrongResult;
}

}  // namespace

void add_trace(CLI::App& app) {
  auto* sub = app.add_subcommand("trace",
                                 "What a kernel does to the memory system, line by line, counted on the CPU");
  static Options options;
  sub->add_option("implementation", options.pattern, "Part of a name: scan/custom/blelloch");
  sub->add_option("--compare", options.compare, "Two implementations side by side, in totals")->expected(2);
  sub->add_option("--n", options.n, "Size of the input")->capture_default_str();
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
  sub->add_option("--json", options.json, "Write an array of launches to this file; without a name to stdout")
      ->expected(0, 1)
      ->default_str("-");
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
