#include "bench/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "bench/comparison.h"
#include "bench/heat_map.h"
#include "lib/core/error.h"
#include "lib/core/sweep.h"

namespace tandem::command {
namespace {

/// What is known of a point besides its row: nothing of the resources where no GPU computes.
struct Facts {
  std::optional<Resources> resources;
  double model;  // share of the bound

  double occupancy() const { return double(resources->warps) / kMostWarps; }
};

/// Of the points of a group. The model is given full occupancy where none is known.
std::vector<Facts> facts(Comparison& comparison, const Group& group, const std::vector<SweepPoint>& points) {
  std::vector<Facts> all;
  for (std::size_t i = 0; i < points.size(); ++i) {
    Facts& f = all.emplace_back();
    if (group.rows[i].timed && points[i].resources)
      f.resources = points[i].resources(*comparison.context(group.rows[i]));
    f.model = points[i].model(points[i], f.resources ? f.resources->warps : kMostWarps);
  }
  return all;
}

std::string point_name(const SweepPoint& point) {
  const std::string& name = point.implementation.name;
  return name.substr(name.find('/') + 1);
}

void print(Comparison& comparison, const Group& group, const std::vector<SweepPoint>& points,
           const std::vector<Facts>& known, const SweepOptions& options) {
  fmt::print("\n{} {} {}, sweep {} ({})\n", group.operation->name, group.id().str(), extents(group.trial),
             options.sweep, name(options.method));
  Table table({"point", "correct", "time", "spread", "TFLOP/s", "registers", "spilled", "occupancy",
               "of bound", "modelled", "x vendor", "note"});
  for (std::size_t i = 0; i < group.rows.size(); ++i) {
    const Row& row = group.rows[i];
    const SweepPoint* point = i < points.size() ? &points[i] : nullptr;  // else a row of a library
    std::vector<std::string> cells{point ? point_name(*point) : row.implementation->name};
    const Facts f = point ? known[i] : Facts{{}, 1};
    cells.push_back(!row.checked          ? "not run"
                    : row.verdict.correct ? fmt::format("yes ({:.2g})", row.verdict.worst)
                                          : "WRONG");
    if (row.timed) {
      cells.insert(cells.end(), {show_time(row.time.seconds), fmt::format("{:.1f} %", row.time.spread * 100),
                                 fmt::format("{:.2f}", group.rate(row) * 1e-3)});
    } else {
      cells.resize(5);
    }
    cells.push_back(f.resources ? std::to_string(f.resources->registers) : "");
    cells.push_back(f.resources ? fmt::format("{} B", f.resources->spilled_bytes) : "");
    cells.push_back(f.resources ? fmt::format("{:.0f} %", f.occupancy() * 100) : "");
    cells.push_back(
        row.timed ? fmt::format("{:.1f} %", comparison.bound_fraction(group, row).value_or(0) * 100) : "");
    cells.push_back(point ? fmt::format("{:.1f} %", f.model * 100) : "");
    const auto ratio = row.timed ? group.vs_vendor(row) : std::nullopt;
    cells.push_back(ratio ? fmt::format("{:.3f}", *ratio) : "");
    cells.push_back(row.reason);
    table.add(cells, !row.verdict.correct ? Colour::bad : row.timed ? Colour::none : Colour::dim);
  }
  table.print();
}

HeatMap picture(Comparison& comparison, const Group& group, const std::vector<SweepPoint>& points,
                const std::vector<Facts>& known) {
  HeatMap map;
  const bool timed =
      std::any_of(group.rows.begin(), group.rows.end(), [](const Row& row) { return row.timed.has_value(); });
  map.title = fmt::format("{} {} {}: {}", group.operation->name, group.id().str(), extents(group.trial),
                          timed ? "TFLOP/s" : "share of the multiply-add rate that the model allows");
  map.subtitle = timed ? comparison.context(group.rows.front())->description() +
                             "; in small: registers of a thread, and bytes spilled"
                       : "no GPU here, so nothing is measured";
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Facts& f = known[i];
    HeatMap::Cell cell{points[i].row, points[i].column, f.model, fmt::format("{:.2f}", f.model), ""};
    if (timed) {
      if (!group.rows[i].timed) continue;
      cell.value = group.rate(group.rows[i]) * 1e-3;
      cell.text = fmt::format("{:.1f}", cell.value);
    }
    if (f.resources) {
      cell.small = std::to_string(f.resources->registers);
      if (f.resources->spilled_bytes > 0) cell.small += fmt::format(", {} B", f.resources->spilled_bytes);
    }
    map.rows[points[i].row] = points[i].row_label;
    map.columns[points[i].column] = points[i].column_label;
    map.cells.push_back(cell);
  }
  return map;
}

}  // namespace

bool sweep(const SweepOptions& options) {
  if (!options.json.empty()) require_writable(options.json);
  if (!options.svg.empty()) require_writable(options.svg);
  const Operation& op = operation(options.operation);
  std::vector<SweepPoint> points = sweep_points(op.name, options.sweep);
  // A kernel on the executor shows no more than the same kernel on a GPU.
  const auto on_device = [](const SweepPoint& p) {
    return p.implementation.unavailable().empty() && p.implementation.place == Place::device;
  };
  const bool device = std::any_of(points.begin(), points.end(), on_device);
  std::erase_if(points, [&](const SweepPoint& p) { return device != on_device(p); });
  std::vector<const Implementation*> rows;
  for (const SweepPoint& p : points) rows.push_back(&p.implementation);
  for (const Implementation& i : implementations()) {
    if (device && i.operation == op.name && i.path == "vendor" && i.place == Place::device &&
        !i.reduced_precision)
      rows.push_back(&i);
  }

  Comparison comparison(options.method, options.repetitions, options.seed);
  for (const auto& shape : options.shapes) {
    // Points are compiled for one case, the operation's first.
    const auto trials = shape.size() == 1 ? op.benchmarks(op.cases[0], shape[0], options.seed)
                                          : op.benchmarks(op.cases[0], shape, options.seed);
    comparison.add(op, 0, trials.at(0), rows);
  }
  comparison.measure();
  Json json = Json::array();
  std::vector<HeatMap> maps;
  for (const Group& group : comparison.groups()) {
    const std::vector<Facts> known = facts(comparison, group, points);
    print(comparison, group, points, known, options);
    maps.push_back(picture(comparison, group, points, known));
    for (std::size_t i = 0; i < group.rows.size(); ++i) {
      Json row = comparison.to_json(group, group.rows[i]);
      if (i < points.size()) {
        const Facts& f = known[i];
        row["sweep"] = options.sweep;
        row["row"] = points[i].row;
        row["column"] = points[i].column;
        row["model"] = f.model;
        if (f.resources) {
          row["registers"] = f.resources->registers;
          row["spilled_bytes"] = f.resources->spilled_bytes;
          row["occupancy"] = f.occupancy();
        }
      }
      json.push_back(row);
    }
  }
  comparison.print_bounds();
  fmt::print(
      "modelled: what load units and latency allow, as a share of the bound, at the occupancy that the "
      "registers leave; "
      "x vendor: against the fastest library\n");
  if (!options.json.empty())
    write_file(options.json, Json{{"machine", comparison.machine()}, {"rows", json}}.dump(1) + "\n");
  if (!options.svg.empty()) {
    write_file(options.svg, draw(maps));
    fmt::print("wrote {}\n", options.svg);
  }
  return comparison.correct();
}

}  // namespace tandem::command
