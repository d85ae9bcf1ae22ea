// tandem tune: measures this machine and writes the user's choice table.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <span>
#include <tuple>

#include "bench/command/command.h"
#include "bench/measure/decision.h"
#include "bench/measure/paths.h"
#include "bench/measure/regions.h"
#include "bench/terminal.h"
#include "common/program.h"
#include "lib/core/choice_file.h"
#include "lib/core/recorded_choices.h"
#include "lib/core/type_table.h"
#include "tandem/error.h"

namespace tandem::command {
namespace {

using Clock = std::chrono::steady_clock;

struct Options {
  std::string operation, place;
  bool show = false, csv = false, reset = false, thorough = false, quick = false;
  int seconds = 0;  // in all; 0: as many as the effort says
};

/// How densely and how long to measure.
struct Effort {
  std::int64_t first_step, other_steps;  // a feature's values are the powers of these
  std::int64_t most_bytes;               // that a call must move
  double of_shape;                       // seconds for timing one
  int repetitions;
};
Effort effort(const Options& options, Place place) {
  const std::int64_t most = std::int64_t{1} << (place == Place::host ? 27 : 28);
  if (options.quick) return {64, 64, 1 << 18, 0.002, 3};
  if (options.thorough) return {2, 4, 4 * most, 0.1, 15};
  return {4, 16, most, 0.02, 9};
}

/// A time that operations share out: what one leaves over the others get.
class Shares {
 public:
  Shares(double seconds, std::size_t operations) : seconds_(seconds), operations_(operations) {}
  /// The next operation begins; at most as many times as there are.
  void next() {
    const double now = elapsed();
    end_ = now + (seconds_ - now) / static_cast<double>(operations_--);
  }
  bool is_over() const { return elapsed() > end_; }

 private:
  double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  Clock::time_point start_ = Clock::now();
  double seconds_, end_ = 0;
  std::size_t operations_;
};

/// A case for each size of elements, since what was not measured moves as a type of its size does, and others for variants that these
/// cases lack.
std::vector<int> cases_to_measure(const Operation& op) {
  const std::vector<Type> named = all_types();
  const auto rank = [&](CaseId id) {  // floating types before others, sums before other operators
    return 2 * is_floating(id.type) + (id.op == OperatorId::plus || id.op == OperatorId::none);
  };
  const auto id = [&](int c) { return op.cases[static_cast<std::size_t>(c)]; };
  std::vector<int> ranked;
  for (int c = 0; c < static_cast<int>(op.cases.size()); ++c) {
    if (std::find(named.begin(), named.end(), id(c).type) != named.end()) ranked.push_back(c);
  }
  std::stable_sort(ranked.begin(), ranked.end(), [&](int a, int b) { return rank(id(a)) > rank(id(b)); });
  std::map<std::size_t, std::set<std::string_view>> variants;  // by size
  std::vector<int> all;
  for (const int c : ranked) {
    const bool is_first = !variants.contains(size_of(id(c).type));
    auto& known = variants[size_of(id(c).type)];
    const std::size_t before = known.size();
    constexpr Features kSmall = {64, 4, 4};
    for (const Trial& trial : op.benchmarks_at(id(c), kSmall, 1)) known.insert(op.variant(trial));
    if (is_first || known.size() > before) all.push_back(c);
  }
  return all;
}

/// One shape to measure.
struct Job {
  Place place;
  const Operation* op;
  int case_index;
  Features at;
  Trial trial;
  std::vector<Trial> hard = {};  // of the same variant
  CaseId id() const { return op->cases[static_cast<std::size_t>(case_index)]; }
  /// About how long it takes to make and to measure, in bytes.
  double cost() const {
    constexpr double kOfAnyShape = 1 << 22, kFlopsPerByte = 16;
    return kOfAnyShape + op->memory(id(), trial) + op->work(id(), trial).operations / kFlopsPerByte;
  }
};

/// A random order in which cheap shapes tend to come first: where time runs out, most of them were
/// measured, and some of the others. The rest stays as it is known.
void shuffle(std::span<Job> jobs, std::minstd_rand& random) {
  std::uniform_real_distribution<double> uniform;
  std::vector<std::pair<double, Job>> keyed;
  for (Job& job : jobs) keyed.emplace_back(job.cost() * uniform(random), std::move(job));
  std::sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t k = 0; k < jobs.size(); ++k) jobs[k] = std::move(keyed[k].second);
}

/// A feature's values are the powers of its step; 0: the operation has no such feature. Of a single feature there are few.
Features steps(const Operation& op, const Effort& effort) {
  const bool single = op.feature_names.size() == 1;
  Features steps{single ? std::max<std::int64_t>(2, effort.first_step / 2) : effort.first_step, 0, 0};
  for (std::size_t f = 1; f < op.feature_names.size(); ++f) steps[f] = effort.other_steps;
  return steps;
}

/// Whether a shape stands for a point of the grid: not all matrices have as long rows as were asked for.
bool is_near(const Features& features, const Features& at) {
  for (std::size_t f = 0; f < at.size(); ++f) {
    if (features[f] > 2 * at[f] || at[f] > 2 * features[f]) return false;
  }
  return true;
}

/// A shape of each variant at every point of a grid of features, up to the bytes of the effort.
void add_jobs(std::vector<Job>& jobs, Place place, const Operation& op, int case_index, const Effort& effort,
              Features at = {}, std::size_t level = 0) {
  const Features step = steps(op, effort);
  if (level < step.size() && step[level] > 0) {
    for (at[level] = 1; at[level] <= effort.most_bytes; at[level] *= step[level])
      add_jobs(jobs, place, op, case_index, effort, at, level + 1);
    return;
  }
  const CaseId id = op.cases[static_cast<std::size_t>(case_index)];
  std::vector<Trial> trials = op.benchmarks_at(id, at, 1);
  if (trials.empty() || op.work(id, trials[0]).bytes > static_cast<double>(effort.most_bytes)) return;
  std::map<std::string_view, Job> by_variant;
  for (Trial& trial : trials) {
    if (!is_near(op.features(trial), at)) continue;
    const auto [job, is_first] =
        by_variant.try_emplace(op.variant(trial), Job{place, &op, case_index, at, trial});
    if (!is_first) job->second.hard.push_back(std::move(trial));
  }
  for (auto& [variant, job] : by_variant) jobs.push_back(std::move(job));
}

class Tune {
 public:
  explicit Tune(const Options& options) : options_(options), path_(choice_file()) {
    if (path_.empty())
      throw InvalidArgument("TANDEM_CHOICE is empty, so there is no choice table; name a file");
    if (!options.operation.empty()) only_ = &operation(options.operation);
    if (options.place == "device" && !contexts_.device)
      throw Unavailable("--place device: " + why_no_device());
    for (const Place place : {Place::host, Place::device}) {
      if (contexts_.of(place) && (options.place.empty() || options.place == name(place)))
        places_.push_back(place);
    }
    try {
      if (access(path_.c_str(), F_OK) == 0) old_ = read_choices(path_);
    } catch (const BadFile& error) {
      fmt::print(stderr, "tandem: the choice table so far is ignored: {}\n", error.what());
    }
    if (old_.empty()) setenv("TANDEM_CHOICE", "", 1);  // the automatic choice need not say it, too
  }

  void show() const;
  void reset() const;
  /// The exit status: of a machine that was too busy, and of work that a signal cut short, too.
  int measure();

 private:
  bool is_known_finely(Place place, const Operation& op, const Features& steps) const;
  Effort effort_for(Place place, const Operation& op) const;
  /// Whether a row of the table is of what this run concerns.
  bool concerned(const ChoiceRow& row) const {
    return std::any_of(places_.begin(), places_.end(), [&](Place place) {
      return row.place == place && row.machine == contexts_.of(place)->description() &&
             (!only_ || row.operation == only_->name);
    });
  }
  std::vector<ChoiceRow> others() const {
    std::vector<ChoiceRow> rows = old_;
    std::erase_if(rows, [&](const ChoiceRow& row) { return concerned(row); });
    return rows;
  }
  void write(const std::vector<ChoiceRow>& rows) const;

  const Options& options_;
  std::string path_;
  mutable Contexts contexts_;
  const Operation* only_ = nullptr;
  std::vector<Place> places_;
  std::vector<ChoiceRow> old_;
};

void Tune::show() const {
  Table table({"operation", "variant", "place", "type", "from", "implementations, fastest first"});
  auto rows = nlohmann::ordered_json::array();
  for (const ChoiceRow& row : old_) {
    if (!concerned(row)) continue;
    const auto& names = operation(row.operation).feature_names;
    std::string from;
    for (std::size_t f = 0; f < names.size(); ++f) {
      if (row.from[f] > 0) from += fmt::format("{}{} {}", from.empty() ? "" : ", ", names[f], row.from[f]);
    }
    if (from.empty()) from = "any";
    table.add({row.operation, row.variant, name(row.place), row.type, from, row.implementations});
    rows.push_back({{"operation", row.operation},
                    {"variant", row.variant},
                    {"place", name(row.place)},
                    {"type", row.type},
                    {"from", from},
                    {"implementations", row.implementations}});
  }
  if (options_.csv) return print_csv(rows);
  if (rows.empty()) {
    fmt::print("{}: nothing of this machine; tandem tune measures it\n", path_);
    return;
  }
  fmt::print("{}\n", path_);
  table.print();
}

void Tune::reset() const {
  const std::vector<ChoiceRow> rest = others();
  const std::size_t gone = old_.size() - rest.size();
  if (!rest.empty())
    write(rest);
  else if (unlink(path_.c_str()) != 0 && errno != ENOENT)
    throw BadFile(path_, std::string("cannot be removed: ") + std::strerror(errno));
  fmt::print("{}: {} rows of this machine removed\n", path_, gone);
}

void Tune::write(const std::vector<ChoiceRow>& rows) const { write_file(path_, choices_text(rows)); }

/// Whether regions of this machine's table begin where those of such a grid do not: more than a few, which a person wrote.
bool Tune::is_known_finely(Place place, const Operation& op, const Features& steps) const {
  const std::string& machine = contexts_.of(place)->description();
  std::vector<ChoiceRow> known = old_;
  std::erase_if(known, [&](const ChoiceRow& row) {
    return row.operation != op.name || row.place != place || row.machine != machine;
  });
  if (known.empty()) known = recorded_choices(op.name, place, machine);
  const auto begins_between = [&](const ChoiceRow& row) {
    for (std::size_t f = 0; f < steps.size(); ++f) {
      std::int64_t value = 1;
      while (steps[f] > 0 && border(value, steps[f]) < row.from[f]) value *= steps[f];
      if (row.from[f] > 0 && border(value, steps[f]) != row.from[f]) return true;
    }
    return false;
  };
  return std::ranges::count_if(known, begins_between) > std::ssize(known) / 8;
}

/// A table of this machine that was measured on a finer grid stays as fine: of its shapes those are measured that the time
/// suffices for.
Effort Tune::effort_for(Place place, const Operation& op) const {
  Effort how = effort(options_, place);
  if (options_.quick || options_.thorough || !is_known_finely(place, op, steps(op, how))) return how;
  Options thorough = options_;
  thorough.thorough = true;
  const Effort fine = effort(thorough, place);
  how.first_step = fine.first_step;
  how.other_steps = fine.other_steps;
  return how;
}

int Tune::measure() {
  require_automatic_choice();
  if (const auto folder = std::filesystem::path(path_).parent_path(); !folder.empty()) {
    std::error_code error;  // what cannot be written is said next, before a minute has passed
    std::filesystem::create_directories(folder, error);
  }
  require_writable(path_);
  const std::size_t operations_to_measure = places_.size() * (only_ ? 1 : operations().size());
  const double in_all = options_.thorough ? 300.0 * static_cast<double>(operations_to_measure) : 60;
  Shares time(options_.seconds > 0 ? options_.seconds : in_all, operations_to_measure);
  std::vector<Job> jobs;
  std::map<std::pair<Place, const Operation*>, Effort> efforts;
  std::minstd_rand random(std::random_device{}());  // another run comes to other shapes
  for (const Place place : places_) {
    for (const auto& op : operations()) {
      if (only_ && op.get() != only_) continue;
      const Effort& how = efforts.emplace(std::pair(place, op.get()), effort_for(place, *op)).first->second;
      const std::size_t first = jobs.size();
      for (const int c : cases_to_measure(*op)) add_jobs(jobs, place, *op, c, how);
      shuffle(std::span(jobs).subspan(first), random);
    }
  }
  // By group of rows: place, operation, type, variant.
  using Group = std::tuple<Place, const Operation*, Type, std::string_view>;
  const auto group_of = [](const Job& job) -> Group {
    return {job.place, job.op, job.id().type, job.op->variant(job.trial)};
  };
  std::map<Group, std::set<Features>> wanted;
  for (const Job& job : jobs) wanted[group_of(job)].insert(job.at);
  std::map<Group, Cells> groups;
  struct Change {
    int shapes = 0;
    double least = std::numeric_limits<double>::infinity(), most = 0;
  };
  std::map<std::tuple<std::string, std::string, std::string>, Change> changes;  // of what, before, now
  std::size_t measured = 0, undecided = 0, changed = 0, too_large = 0, at = 0;
  double logarithms = 0;
  std::pair<Place, const Operation*> last{};
  Progress progress;
  const Interruptible interruptible("tandem: writes what it has measured; once more to end now\n");
  for (const Job& job : jobs) {
    progress.show(
        fmt::format("{} of {}: {} {} {}", ++at, jobs.size(), job.op->name, job.id().str(), job.trial.str()));
    const Effort& how = efforts.at({job.place, job.op});
    if (const std::pair now(job.place, job.op); now != last) {
      time.next();
      last = now;
    }
    Context& ctx = *contexts_.of(job.place);
    const auto in_time = [&] { return !interruptible.asked() && !time.is_over(); };
    Decision decision;
    try {
      const auto measured_paths = [&](const Trial& trial) {
        Paths paths(ctx, *job.op, job.case_index, trial, Method::hot, how.of_shape, Paths::Purpose::tune);
        paths.measure(how.repetitions);
        return paths;
      };
      Hardest hardest;
      for (const Trial& trial : job.hard) {
        if (in_time()) include(hardest, Measured(measured_paths(trial)));
      }
      if (!in_time()) {  // one content alone may mislead
        const std::string_view known = job.op->choose(ctx, job.case_index, job.trial).row;
        if (!known.empty()) groups[group_of(job)][job.at] = known;
        continue;
      }
      decision = decide(Measured(measured_paths(job.trial)), hardest);
    } catch (const OutOfMemory&) {
      ++too_large;
      continue;
    }
    ++measured;
    const std::string_view variant = job.op->variant(job.trial);
    groups[group_of(job)][job.at] = decision.names;
    undecided += !decision.decided;
    logarithms += std::log(decision.gain);
    if (decision.now == decision.before) continue;
    ++changed;
    Change& change =
        changes[{fmt::format("{} {}{}{}", name(job.place), job.op->name, variant.empty() ? "" : " ", variant),
                 decision.before->name, decision.now->name}];
    ++change.shapes;
    change.least = std::min(change.least, decision.gain);
    change.most = std::max(change.most, decision.gain);
  }
  progress.clear();
  const int status = interruptible.asked() ? kInterrupted : kSuccess;
  if (measured == 0) {
    fmt::print("no shape was measured in the time: {} stays as it was\n", path_);
    return std::max<int>(status, kWrongResult);
  }
  if (too_busy(measured, undecided)) {
    fmt::print(
        "too busy to decide: of {} shapes {} took times that contradict each other. {} stays as it was; try "
        "again "
        "when nothing else runs\n",
        measured, undecided, path_);
    return kWrongResult;
  }
  std::vector<ChoiceRow> rows = others();
  for (auto& [group, cells] : groups) {
    const auto& [place, op, type, variant] = group;
    fill(cells, wanted[group]);
    for (const auto& [from, names] : regions(cells, 0, steps(*op, efforts.at({place, op})))) {
      rows.push_back({op->name, std::string(variant), place, contexts_.of(place)->description(),
                      std::string(name(type)), from, names});
    }
  }
  write(rows);
  Table table({"what", "so far", "now", "shapes", "times as fast"});
  for (const auto& [key, change] : changes) {
    const auto& [what, before, now] = key;
    table.add({what, before.substr(before.find('/') + 1), now.substr(now.find('/') + 1),
               std::to_string(change.shapes), fmt::format("{:.2f} to {:.2f}", change.least, change.most)});
  }
  if (!changes.empty()) table.print();
  fmt::print(
      "{} of {} shapes measured in the time{}; {} choices changed, {:.2f} times as fast over the measured "
      "ones; {} "
      "undecided, as they were\n",
      measured, jobs.size(), measured < jobs.size() ? ", others as known so far" : "", changed,
      std::exp(logarithms / static_cast<double>(std::max<std::size_t>(1, measured))), undecided);
  if (too_large > 0) fmt::print("{} shapes left out: not enough memory\n", too_large);
  fmt::print("wrote {}; programs use it from their next start on\n", path_);
  return status;
}

}  // namespace

void add_tune(Command app) {
  const auto sub = app.subcommand("tune", "Measure this machine, so that the automatic choice knows it");
  static Options options;
  sub.option("operation", options.operation, known_operations() + "; all when left out")
      .type_name(kOperation);
  sub.option("--place", options.place, "Only here; the host and the GPU, if there is one, unless given")
      .one_of({"host", "device"});
  const auto thorough =
      sub.flag("--thorough", options.thorough, "More shapes: five minutes for each operation");
  const auto quick =
      sub.flag("--quick", options.quick, "A few small shapes: to see that it works").excludes(thorough);
  sub.number("--seconds", options.seconds,
             "In all, shared out among operations; unless given 60, with --thorough 300 for each", 1, 86400)
      .default_str("");
  const auto show = sub.flag("--show", options.show, "Instead: print what was measured on this machine");
  add_table_options(sub, options.csv, "With --show: as CSV");
  sub.flag("--reset", options.reset, "Instead: forget it").excludes(show).excludes(thorough).excludes(quick);
  sub.footer(
      "The table is TANDEM_CHOICE, else tandem/choices in XDG_CONFIG_HOME or ~/.config. Exit status 1 says "
      "that the machine was too busy. SIGINT and SIGTERM end it early: what was measured until then is "
      "written. "
      "docs/choice.md tells more.\nExample: tandem tune && tandem tune --show");
  sub.callback([] {
    if (options.csv && !options.show) throw InvalidArgument("--csv requires --show");
    Tune tune(options);
    if (options.show)
      tune.show();
    else if (options.reset)
      tune.reset();
    else
      exit_code = tune.measure();
  });
}

}  // namespace tandem::command
