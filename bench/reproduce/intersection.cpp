// The lab's table: 1,000 queries by three algorithms, on one core and on the GPU.

#include <map>

#include "bench/reproduce/lab.h"

namespace tandem::command {
namespace {

constexpr double kSlow = 2;          // seconds: a call that takes longer is timed once
constexpr std::int64_t kAlone = 20;  // queries that are asked one by one

/// The timings of an implementation, or why there are none.
struct Times {
  std::optional<std::size_t> hot, end_to_end;  // rows of the measurement
  std::string reason;
};

class Clocks {
 public:
  Clocks(Experiment& experiment, Lab& lab) : experiment_(experiment), lab_(lab) {
    for (Context* ctx : {&experiment.contexts.host, experiment.contexts.device.get()}) {
      if (!ctx) continue;
      batches_.try_emplace({ctx, false}, *ctx, lab.index, lab.queries);
      batches_.try_emplace({ctx, true}, *ctx, lab.packed, lab.queries);
    }
  }

  void add(const std::string& name) {
    const Implementation& i = implementation_named(name);
    Times& times = times_[name];
    times.reason = i.unavailable();
    if (!times.reason.empty()) return;
    Context& ctx = *experiment_.contexts.of(i.place);
    const bool on_device = i.place == Place::device;
    if (!lab_.check(ctx, lab_.lists_for(i), name)) {
      times.reason = "WRONG";
      return;
    }
    ReadyBatch& batch = batches_.at({&ctx, (i.reads == "packed")});
    const double first = backend(ctx).seconds([&] { batch.intersect(ctx, name); });
    times.hot = first > kSlow
                    ? measurement_.add([first] { return first; })
                    : measurement_.add(sampler(
                                           ctx, [&batch, &ctx, name] { batch.intersect(ctx, name); },
                                           Method::hot, on_device ? 0.004 : 0.02)
                                           .sample);
    if (!on_device) return;
    // Timed by the host's clock: the call copies and waits.
    times.end_to_end = measurement_.add(
        sampler(
            experiment_.contexts.host,
            [this, &ctx, lists = lab_.lists_for(i), name] { intersect(ctx, lists, lab_.queries, {name}); },
            Method::hot, 0.02)
            .sample);
  }
  /// The same, as the lab called it: a query in a call.
  void add_alone(const std::string& name, const std::vector<std::int64_t>& queries) {
    const bool on_device = implementation_named(name).place == Place::device;
    if (on_device && !experiment_.contexts.device) return;
    Context& ctx = on_device ? *experiment_.contexts.device : experiment_.contexts.host;
    if (!lab_.check_alone(ctx, name, queries)) return;
    alone_[name] = measurement_.add([this, &ctx, name, &queries] {
      return lab_.seconds_alone(ctx, name, queries) / static_cast<double>(queries.size());
    });
  }
  void run() { timings_ = experiment_.run(measurement_); }

  const std::string& reason(const std::string& name) const { return times_.at(name).reason; }
  Cell hot(const std::string& name) const { return cell(name, times_.at(name).hot); }
  Cell end_to_end(const std::string& name) const { return cell(name, times_.at(name).end_to_end); }
  Cell alone(const std::string& name) const {
    const auto found = alone_.find(name);
    return found == alone_.end() ? Cell{} : cell(name, found->second);
  }

 private:
  Cell cell(const std::string& name, std::optional<std::size_t> row) const {
    if (!row) return {{}, {}, 0, name};
    return {timings_[*row].seconds * 1e3, {}, timings_[*row].spread, name};
  }

  Experiment& experiment_;
  Lab& lab_;
  std::map<std::pair<Context*, bool>, ReadyBatch> batches_;  // by place, and whether of packed lists
  Measurement measurement_;
  std::map<std::string, Times> times_;
  std::map<std::string, std::size_t> alone_;
  std::vector<Timing> timings_;
};

Reproduction intersection(Experiment& experiment) {
  constexpr const LabRow* kRows[] = {&kSerial, &kBefore, &kCoarse, &kFine};
  constexpr std::pair<const char*, const char*> kBeyond[] = {
      {"one launch", "intersect/custom/batch"},
      {"results aside, two launches", "intersect/custom/deferred"},
      {"the same, dense parts as bits", "intersect/custom/dense_bits"},
      {"the same, from packed lists", "intersect/custom/packed_batch"},
      {"the CPU's best, all threads", "intersect/custom/threads"},
      {"all threads, packed lists", "intersect/custom/packed_threads"},
      {"std::set_intersection, pair by pair", "intersect/vendor/std_set_intersection"},
      {"CRoaring", "intersect/vendor/croaring"},
      {"Thrust, pair by pair", "intersect/vendor/thrust"}};
  Lab lab(experiment.quick ? Collection::small(experiment.seed) : Collection::lab(experiment.seed),
          experiment);
  Clocks clocks(experiment, lab);
  for (const LabRow* row : kRows) {
    for (const auto& [name, milliseconds, speed_up] : row->columns) {
      if (name) clocks.add(name);
    }
  }
  for (const auto& [title, name] : kBeyond) clocks.add(name);
  const std::vector<std::int64_t> few = lab.first_queries(kAlone, kMostCandidates);
  for (const auto& column : kCoarse.columns) clocks.add_alone(column.implementation, few);
  for (const auto& column : kSerial.columns) clocks.add_alone(column.implementation, few);
  for (const char* name : {kFineAsPublished, kFine.columns[0].implementation}) clocks.add_alone(name, few);
  clocks.run();

  const auto columns = [](const char* unit) {
    std::vector<Column> all;
    for (const char* name : kLabColumns) all.push_back({name, unit});
    return all;
  };
  Section times{"time", columns("ms"), {}}, speed_ups{"times as fast as serial", columns("×"), {}};
  Section with_copies{"end to end", columns("ms"), {}};
  for (const LabRow* row : kRows) {
    Line time{row->name, {}, "", ""}, speed{row->name, {}, "", ""}, copied{row->name, {}, "", ""};
    for (const auto& [name, milliseconds, speed_up] : row->columns) {
      time.cells.push_back(name ? clocks.hot(name) : Cell{});
      copied.cells.push_back(name ? clocks.end_to_end(name) : Cell{});
      if (!name) continue;
      time.cells.back().published = milliseconds;
      if (time.note.empty()) time.note = clocks.reason(name);
    }
    if (row == &kFine && time.note.empty()) time.note = "a launch for a list; the lab's form is below";
    speed.note = copied.note = time.note;
    times.lines.push_back(time);
    for (std::size_t c = 0; c < time.cells.size(); ++c) {
      Cell& ratio = speed.cells.emplace_back(quotient(times.lines[0].cells[c], time.cells[c]));
      const double published = row->columns[c].speed_up;
      ratio.published = published > 0 ? std::optional(published) : std::nullopt;
      ratio.derived = false;
    }
    if (row == &kSerial) continue;
    speed_ups.lines.push_back(speed);
    with_copies.lines.push_back(copied);
  }
  // The lab ran a query after the other; its times are those of all 1,000.
  Section one_by_one{"a query in a call", columns("ms"), {}};
  const auto published = [](Cell cell, const LabRow::Column& column) {
    cell.published = column.milliseconds / 1000;
    cell.derived = true;
    return cell;
  };
  const std::string no_device = experiment.contexts.device ? "" : why_no_device();
  Line coarse_alone{"coarse, memory taken and lists copied for each", {}, "", no_device};
  for (const auto& column : kCoarse.columns)
    coarse_alone.cells.push_back(published(clocks.alone(column.implementation), column));
  Line serial_alone{"one core, the same queries", {}, "", ""};
  for (const auto& column : kSerial.columns)
    serial_alone.cells.push_back(clocks.alone(column.implementation));
  std::vector<Cell> alone_over_serial;
  for (std::size_t c = 0; c < serial_alone.cells.size(); ++c)
    alone_over_serial.push_back(quotient(serial_alone.cells[c], coarse_alone.cells[c]));
  const LabRow::Column& fine_svs = kFine.columns[0];
  one_by_one.lines = {
      serial_alone,
      coarse_alone,
      {"fine, a launch for every 1,024 ids compared, its flag copied back",
       {published(clocks.alone(kFineAsPublished), fine_svs), {}, {}},
       "",
       no_device},
      {"fine, a launch for a list", {clocks.alone(fine_svs.implementation), {}, {}}, "", no_device}};
  Section beyond{
      "beyond the source", {{"time", "ms"}, {"end to end", "ms"}, {"as fast as serial SvS", "×"}}, {}};
  for (const auto& [title, name] : kBeyond) {
    const Cell time = clocks.hot(name);
    beyond.lines.push_back({title,
                            {time, clocks.end_to_end(name), quotient(times.lines[0].cells[0], time)},
                            "",
                            clocks.reason(name)});
  }

  // The lab timed whole programs, so its conclusion is about whole calls.
  const auto whole = [&](const LabRow& row) {
    std::vector<Cell> cells;
    for (const auto& [name, milliseconds, speed_up] : row.columns) {
      if (!name) continue;
      cells.push_back(&row == &kSerial ? clocks.hot(name) : clocks.end_to_end(name));
      cells.back().published = milliseconds;
    }
    return cells;
  };
  const std::vector<Cell> serial = whole(kSerial), before = whole(kBefore), coarse = whole(kCoarse),
                          fine = whole(kFine);
  std::vector<Cell> over_serial;
  for (std::size_t c = 0; c < coarse.size(); ++c) {
    over_serial.push_back(quotient(serial[c], coarse[c]));
    over_serial.back().published = kCoarse.columns[c].speed_up;
    over_serial.back().derived = false;
  }

  Reproduction result;
  result.method =
      "hot, batch made ready before, results left where they are made, a call of over 2 s once; end to end: "
      "queries uploaded, results fetched, the index stays; a query in a call: the average of 20 whose "
      "shortest "
      "list has at most 4,096 ids, memory and lists for each";
  result.data = {{"collection", lab.figures()}};
  result.sections = {times, speed_ups, with_copies, one_by_one, beyond};
  result.claims = {
      claim("on one core ADP is faster than SvS, and SvS faster than Hash(512)",
            {quotient(serial[0], serial[1]), quotient(serial[2], serial[0])}),
      claim("coarse, all queries in a call, end to end, is faster than one core", over_serial),
      claim("coarse, a query in a call with memory and lists for each, is faster than one core",
            alone_over_serial),
      claim("precise start speeds that up", {quotient(before[0], coarse[0]), quotient(before[1], coarse[1])}),
      claim("coarse is faster than fine, both end to end",
            {quotient(fine[0], coarse[0]), quotient(fine[1], coarse[1]), quotient(fine[2], coarse[2])}),
      claim("coarse is faster than fine, a query in a call and fine with its flag",
            {quotient(one_by_one.lines[2].cells[0], one_by_one.lines[1].cells[0])})};
  result.wrong = lab.wrong;
  return result;
}

const bool added =
    add_table({"intersection", "Conjunctive queries by SvS, ADP and Hash(512), serial, coarse and fine",
               "the inverted-index lab, ms for 1,000 queries of its own collection", intersection});

}  // namespace
}  // namespace tandem::command
