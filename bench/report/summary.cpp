#include "bench/report/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "bench/report/baseline.h"
#include "bench/terminal.h"
#include "tandem/error.h"

namespace tandem::command {
namespace {

using Json = nlohmann::ordered_json;

std::optional<double> number(const Json& row, const char* name) {
  const Json& value = row.at(name);
  return value.is_null() ? std::nullopt : std::optional(value.get<double>());
}

}  // namespace

std::string table_title(std::string_view operation, std::string_view case_name, std::string_view extents,
                        std::string_view variant) {
  return fmt::format("{} {}{}{}{}{}", operation, case_name, extents.empty() ? "" : " ", extents,
                     variant.empty() ? "" : " ", variant);
}

std::string of_method(std::string_view variant, std::string_view method) {
  if (method == "hot") return std::string(variant);
  return fmt::format("{}{}({})", variant, variant.empty() ? "" : " ", method);
}

void Summary::add(const Json& row) {
  const auto text = [&](const char* name) { return row.at(name).get<std::string>(); };
  const std::string op = text("op"), case_name = op == "none" ? text("type") : text("type") + " " + op;
  const std::string shape = text("shape"), variant = of_method(text("variant"), text("method"));
  const std::string extents = shape.empty() ? "n = " + show_size(row.at("n").get<std::int64_t>()) : shape;
  Entry entry{text("operation"),
              table_title(text("operation"), case_name, "", variant),
              table_title(text("operation"), case_name, extents, variant),
              text("implementation"),
              text("path"),
              text("place"),
              number(row, "time_ns"),
              number(row, "vs_vendor"),
              number(row, "bound_fraction"),
              !row.at("reduced_precision").get<bool>() && !row.value("alone", false),
              row.contains("bound") && !row["bound"].is_null()};  // older files have none
  if (entry.path != "custom" && entry.path != "vendor")
    throw InvalidArgument(fmt::format("'path' is '{}'; it must be custom or vendor", entry.path));
  if (entry.seconds) *entry.seconds *= 1e-9;
  entries_.push_back(std::move(entry));
}

void Summary::add_file(const std::string& file) {
  for_each_row(file, [this](const Json& row, const Json&) { add(row); });
}

bool Summary::holds(std::string_view title, std::string_view implementation) const {
  return std::ranges::any_of(
      entries_, [&](const Entry& e) { return e.title == title && e.implementation == implementation; });
}

const Summary::Entry* Summary::fastest(const Entry& like, std::string_view path) const {
  const Entry* best = nullptr;
  for (const Entry& e : entries_) {
    if (e.title == like.title && e.place == like.place && e.path == path && e.seconds && e.rival &&
        (!best || *e.seconds < *best->seconds))
      best = &e;
  }
  return best;
}

std::vector<const Summary::Entry*> Summary::largest() const {
  std::vector<const Entry*> last;  // a row with a time of each case's last table on a place
  for (const Entry& e : entries_) {
    if (!e.seconds || !e.rival) continue;
    const auto same =
        std::ranges::find_if(last, [&](auto* l) { return l->what == e.what && l->place == e.place; });
    if (same == last.end())
      last.push_back(&e);
    else
      *same = &e;
  }
  return last;
}

Summary::Line Summary::line(const Entry& e) const {
  const Entry *mine = fastest(e, "custom"), *rival = fastest(e, "vendor");
  const auto short_name = [](const Entry* row) {
    return row ? row->implementation.substr(row->implementation.rfind('/') + 1) : std::string("–");
  };
  const auto time = [](const Entry* row) { return row ? show_time(*row->seconds) : std::string(); };
  const Entry& shown = mine ? *mine : *rival;
  const auto& fraction = shown.bound_fraction;
  return {e.title,
          e.place,
          short_name(mine),
          time(mine),
          short_name(rival),
          time(rival),
          mine && mine->vs_vendor ? fmt::format("{:.2f}", *mine->vs_vendor) : "",
          fraction        ? fmt::format("{:.0f} %", *fraction * 100)
          : shown.bounded ? "in cache"
                          : ""};
}

std::vector<Summary::Line> Summary::lines() const {
  std::vector<Line> lines;
  for (const Entry* e : largest()) lines.push_back(line(*e));
  return lines;
}

void Summary::print() const {
  std::vector<const Entry*> first;  // of each operation, on a GPU where one measured it
  const std::vector<const Entry*> all = largest();
  for (const Entry* e : all) {
    const auto same = std::ranges::find_if(first, [&](auto* f) { return f->operation == e->operation; });
    if (same == first.end())
      first.push_back(e);
    else if ((*same)->place != "device" && e->place == "device")
      *same = e;
  }
  if (first.empty()) return;
  const auto cells = [](Line line, std::string operation, std::string what) {
    line[0] = std::move(operation);
    line.insert(line.begin() + 1, std::move(what));
    return line;
  };
  Table table(cells(kHeadings, kHeadings[0], "of"));
  table.may_leave_out({"place", "of", "time", "of bound"});
  for (const Entry* e : first)
    table.add(cells(line(*e), e->operation, e->title.substr(e->operation.size() + 1)));
  fmt::print("\n");
  table.print();
  if (all.size() > first.size())
    print_note(fmt::format("{} more in the tables above", all.size() - first.size()));
}

}  // namespace tandem::command
