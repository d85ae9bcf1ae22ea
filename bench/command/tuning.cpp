#include "bench/command/tuning.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "bench/measure/comparison.h"
#include "tandem/error.h"

namespace tandem::command {
namespace {

/// What is known of a point besides its row: nothing of the resources where no GPU computes.
struct Facts {
  std::optional<Resources> resources;
  double model;  // share of the bound

  double occupancy() const { return double(resources->warps) / kMostWarps; }
};

/// What is known of the points of a group. The model is given full occupancy where none is known.
std::vector<Facts> facts(Comparison& comparison, const Group& group, const std::vector<TuningPoint>& points) {
  std::vector<Facts> all;
  for (std::size_t i = 0; i < points.size(); ++i) {
    Facts& f = all.emplace_back();
    if (group.rows[i].timed && points[i].resources)
      f.resources = points[i].resources(*comparison.context(group.rows[i]));
    f.model = points[i].model(points[i], f.resources ? f.resources->warps : kMostWarps);
  }
  return all;
}

bool arithmetic(const Operation& op) { return op.bound == Bound::flops; }

/// What rates are shown in.
const char* unit(const Operation& op) { return arithmetic(op) ? "TFLOP/s" : "GB/s"; }
/// Of GFLOP/s or GB/s, which range so wide that they get digits instead of decimals.
std::string show_rate(const Operation& op, double rate, int decimals) {
  return arithmetic(op) ? fmt::format("{:.{}f}", rate * 1e-3, decimals) : fmt::format("{:.4g}", rate);
}

std::string point_name(const TuningPoint& point) {
  const std::string& name = point.implementation.name;
  return name.substr(name.find('/') + 1);
}

void print(Comparison& comparison, const Group& group, const std::vector<TuningPoint>& points,
           const std::vector<Facts>& known, const TuningOptions& options) {
  print_heading(fmt::format("{} {} {}, tuning {} ({})", group.operation->name, group.id().str(),
                            extents(group.trial), options.tuning, name(options.method)));
  Table table({"point", "correct", "time", "spread", unit(*group.operation), "registers", "spilled",
               "occupancy", "of bound", "modelled", "x vendor", "note"});
  table.may_leave_out({"spilled", "registers", "spread", "occupancy"});
  for (std::size_t i = 0; i < group.rows.size(); ++i) {
    const Row& row = group.rows[i];
    const TuningPoint* point = i < points.size() ? &points[i] : nullptr;  // else a row of a library
    std::vector<std::string> cells{point ? point_name(*point) : row.name()};
    const Facts f = point ? known[i] : Facts{{}, 1};
    cells.push_back(!row.checked          ? "not run"
                    : row.verdict.correct ? fmt::format("yes ({:.2g})", row.verdict.worst)
                                          : "WRONG");
    if (row.timed) {
      cells.insert(cells.end(), {show_time(row.time.seconds), fmt::format("{:.1f} %", row.time.spread * 100),
                                 show_rate(*group.operation, group.rate(row), 2)});
    } else {
      cells.resize(5);
    }
    cells.push_back(f.resources ? std::to_string(f.resources->registers) : "");
    cells.push_back(f.resources ? fmt::format("{} B", f.resources->spilled_bytes) : "");
    cells.push_back(f.resources ? fmt::format("{:.0f} %", f.occupancy() * 100) : "");
    const auto fraction = row.timed ? comparison.bound_fraction(group, row) : std::nullopt;
    cells.push_back(fraction ? fmt::format("{:.1f} %", *fraction * 100) : row.timed ? "in cache" : "");
    cells.push_back(point ? fmt::format("{:.1f} %", f.model * 100) : "");
    const auto ratio = row.timed ? group.vs_vendor(row) : std::nullopt;
    cells.push_back(ratio ? fmt::format("{:.3f}", *ratio) : "");
    cells.push_back(row.reason);
    table.add(cells, !row.verdict.correct ? Colour::bad : row.timed ? Colour::none : Colour::dim);
  }
  table.print();
}

/// A heat map for each shape, of what --json writes.
std::vector<HeatMap> pictures(const Json& content, const Operation& op,
                              const std::vector<TuningPoint>& points) {
  std::vector<std::pair<std::string, std::vector<const Json*>>> shapes;
  for (const Json& row : content.at("rows")) {
    if (row.value("tuning", "") != points[0].tuning) continue;  // libraries stand between
    const auto shape = row.at("shape").get<std::string>();
    const auto known = std::find_if(shapes.begin(), shapes.end(), [&](auto& s) { return s.first == shape; });
    (known == shapes.end() ? shapes.emplace_back(shape, std::vector<const Json*>{}) : *known)
        .second.push_back(&row);
  }
  std::vector<HeatMap> maps;
  for (const auto& [shape, rows] : shapes) {
    HeatMap map;
    std::set<std::string> machines;
    for (const Json* row : rows) {
      if (!row->at("time_ns").is_null())
        machines.insert(content.at("machine").at(row->at("place").get<std::string>()));
    }
    const bool timed = !machines.empty();
    map.title = fmt::format("{} {} {}: {}", op.name, rows[0]->at("type").get<std::string>(), shape,
                            timed            ? unit(op)
                            : arithmetic(op) ? "share of the multiply-add rate that the model allows"
                                             : "share of the bandwidth that the model allows");
    map.subtitle =
        timed ? fmt::format("{}", fmt::join(machines, ", ")) : "no GPU here, so nothing is measured";
    if (std::any_of(rows.begin(), rows.end(), [](const Json* row) { return row->contains("registers"); }))
      map.subtitle += "; in small: registers of a thread, and bytes spilled";
    for (const Json* row : rows) {
      if (timed && row->at("time_ns").is_null()) continue;
      const auto point = std::find_if(points.begin(), points.end(), [&](const TuningPoint& p) {
        return p.row == row->at("row") && p.column == row->at("column");
      });
      if (point == points.end())
        throw InvalidArgument(
            fmt::format("this build has no point {}", row->at("implementation").get<std::string>()));
      const double value = timed ? row->at("rate") : row->at("model");
      HeatMap::Cell cell{point->row, point->column, value,
                         timed ? show_rate(op, value, 1) : fmt::format("{:.2f}", value), ""};
      if (row->contains("registers")) {
        cell.small = std::to_string(row->at("registers").get<int>());
        const auto spilled = row->at("spilled_bytes").get<std::int64_t>();
        if (spilled > 0) cell.small += fmt::format(", {} B", spilled);
      }
      map.rows[point->row] = point->row_label;
      map.columns[point->column] = point->column_label;
      map.cells.push_back(cell);
    }
    maps.push_back(map);
  }
  return maps;
}

void write_picture(const std::string& name, const std::string& picture) {
  write_file(name, picture);
  fmt::print("wrote {}\n", name);
}

}  // namespace

std::vector<HeatMap> recorded_maps(const std::string& file, const Operation& op,
                                   const std::vector<TuningPoint>& points) {
  const std::string text = file::read_file(file, "a file written by compare --tuning --json");
  try {
    const Json content = Json::parse(text, nullptr, false);  // its errors quote the file
    if (content.is_discarded()) throw InvalidArgument("no JSON");
    auto maps = pictures(content, op, points);
    if (maps.empty()) throw InvalidArgument("it has no points of this tuning");
    return maps;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    throw BadFile(file, fmt::format("is not a file written by compare {} --tuning {} --json ({})", op.name,
                                    points[0].tuning, error.what()));
  }
}

bool run_tuning(const TuningOptions& options) {
  if (!options.json.empty()) require_writable(options.json);
  if (!options.svg.empty()) require_writable(options.svg);
  const Operation& op = operation(options.operation);
  std::vector<TuningPoint> points = tuning_points(op.name, options.tuning);
  if (!options.recorded.empty()) {
    write_picture(options.svg, draw(recorded_maps(options.recorded, op, points)));
    return true;
  }
  std::set<Place> timed;  // where points are
  for (const TuningPoint& p : points) {
    const Place place = p.implementation.place;
    if (p.implementation.unavailable().empty() && place != Place::simt) timed.insert(place);
  }
  // A kernel on the executor shows no more than the same kernel on a GPU.
  if (timed.contains(Place::device))
    std::erase_if(points, [](const TuningPoint& p) { return p.implementation.place == Place::simt; });
  std::vector<const Implementation*> rows;
  for (const TuningPoint& p : points) rows.push_back(&p.implementation);
  for (const Implementation& i : implementations()) {
    if (timed.contains(i.place) && i.operation == op.name && i.path == "vendor" && !i.reduced_precision())
      rows.push_back(&i);
  }

  Comparison comparison(options.repetitions, options.seed);
  const auto& shapes = options.shapes.empty() ? points[0].shapes : options.shapes;
  for (const auto& shape : shapes) {
    // Points are compiled for one case, the operation's first, and measured on one of its trials.
    const auto trials = shape.size() == 1 ? op.benchmarks(op.cases[0], shape[0], options.seed)
                                          : op.benchmarks(op.cases[0], shape, options.seed);
    comparison.run(op, 0, trials.at(points[0].trial), options.method, rows, shapes.size() * rows.size());
  }
  comparison.require_something();
  Json json = Json::array();
  for (const Group& group : comparison.groups()) {
    const std::vector<Facts> known = facts(comparison, group, points);
    print(comparison, group, points, known, options);
    for (std::size_t i = 0; i < group.rows.size(); ++i) {
      Json row = comparison.to_json(group, group.rows[i]);
      if (i < points.size()) {
        const Facts& f = known[i];
        row["tuning"] = options.tuning;
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
  print_note(fmt::format(
      "modelled: what {}, as a share of the bound; x vendor: against the fastest library of the same place",
      arithmetic(op) ? "load units and latency allow at the occupancy that the registers leave"
                     : "the bytes that are read allow"));
  const Json content{{"machine", comparison.machine()}, {"rows", json}};
  if (!options.json.empty()) write_file(options.json, content.dump(1) + "\n");
  if (!options.svg.empty()) write_picture(options.svg, draw(pictures(content, op, points)));
  return comparison.correct();
}

}  // namespace tandem::command
