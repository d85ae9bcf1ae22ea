#include "bench/command/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

#include "bench/terminal.h"
#include "lib/core/names.h"
#include "lib/core/test_elements.h"
#include "lib/core/type_table.h"
#include "tandem/communicator.h"
#include "tandem/error.h"

namespace tandem::command {

Contexts::Contexts() : host(Context::host()) {
  try {
    device = std::make_unique<Context>(local_device());
  } catch (const Unavailable&) {  // rows say why
  }
}

// --- arrays ---

namespace {
constexpr const char* kStandardInput = "standard input";

std::string read_standard_input() {
  std::string content;
  std::array<char, 1 << 16> buffer;
  while (const std::size_t bytes = std::fread(buffer.data(), 1, buffer.size(), stdin))
    content.append(buffer.data(), bytes);
  if (std::ferror(stdin))
    throw BadFile(kStandardInput, std::string("cannot be read: ") + std::strerror(errno));
  return content;
}
}  // namespace

std::vector<std::int64_t> InputArray::extents() const {
  if (!format.fortran_order) return shape;
  return {shape.rbegin(), shape.rend()};
}
void InputArray::put_in_order(bool fortran) {
  if (format.fortran_order == fortran) return;
  data = axes_reversed(data, size_of(type) * (format.complex ? 2 : 1), extents());
  format.fortran_order = fortran;
}
std::string InputArray::str() const {
  return fmt::format("{} {} ({}{})", file, element_name(type, format), fmt::join(shape, ", "),
                     shape.size() == 1 ? "," : "");
}

InputArray read_real_or_complex_array(const std::string& path) {
  InputArray array;
  array.file = path == "-" ? kStandardInput : path;
  static_cast<NpyArray&>(array) =
      path == "-" ? parse_npy(array.file, read_standard_input(), array.format) : read_npy(path, array.format);
  return array;
}
InputArray read_array(const std::string& path) {
  InputArray array = read_real_or_complex_array(path);
  if (array.format.complex) {
    throw BadFile(array.file,
                  fmt::format("holds {}; Fourier transforms and convolve alone take complex numbers",
                              element_name(array.type, array.format)));
  }
  return array;
}
void require_rank(const InputArray& array, std::size_t rank, const std::string& advice) {
  if (array.shape.size() != rank) {
    throw BadFile(array.file, fmt::format("holds an array of rank {}; rank {} is needed{}",
                                          array.shape.size(), rank, advice));
  }
}
InputArray read_array(const std::string& path, std::size_t rank, const std::string& advice) {
  InputArray array = read_array(path);
  require_rank(array, rank, advice);
  return array;
}

// --- names ---

namespace {
std::vector<std::string> implementation_names() {
  std::vector<std::string> names;
  for (const Implementation& i : implementations()) names.push_back(i.name);
  return names;
}
std::string see_list(const std::string& pattern) {
  return "; see: tandem list" + did_you_mean(pattern, implementation_names());
}
}  // namespace

std::vector<const Implementation*> require_matching(const std::string& pattern) {
  auto found = matching(pattern);
  if (found.empty())
    throw InvalidArgument(fmt::format("no implementation matches '{}'{}", pattern, see_list(pattern)));
  return found;
}
std::string none_matches(const std::string& option, const std::string& pattern) {
  return fmt::format("{} is '{}', of which there is none{}", option, pattern, see_list(pattern));
}

const Implementation* step_before(const Implementation& step) {
  const Implementation* before = nullptr;
  for (const Implementation& i : implementations()) {
    if (&i == &step) break;
    if (i.operation == step.operation && i.path == "custom" && i.place == step.place) before = &i;
  }
  return before;
}

std::vector<std::string> operation_names() {
  std::vector<std::string> names;
  for (const auto& op : operations()) names.push_back(op->name);
  return names;
}
std::vector<std::string> type_names() {
  std::vector<std::string> names;
  for (const Type type : all_types()) names.emplace_back(name(type));
  return names;
}
std::vector<std::string> operator_names() {
  std::vector<std::string> names;
  for (int i = 0; i < static_cast<int>(OperatorId::none); ++i)
    names.emplace_back(name(static_cast<OperatorId>(i)));
  return names;
}

std::string known_operations() { return fmt::format("{}", fmt::join(operation_names(), ", ")); }
std::string known_types() { return fmt::format("{}", fmt::join(type_names(), ", ")); }
std::string known_operators() { return fmt::format("{}", fmt::join(operator_names(), ", ")); }
std::string operators_of(const Operation& op) {
  std::vector<std::string_view> names;
  for (const CaseId id : op.cases) {
    if (id.type != kBicyclic && std::ranges::find(names, name(id.op)) == names.end())
      names.push_back(name(id.op));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}
std::string known_extents() {
  std::vector<std::string> all;
  for (const auto& op : operations()) {
    if (!op->extents.empty()) all.push_back(fmt::format("{} ({})", op->extents, op->name));
  }
  return fmt::format("{}", fmt::join(all, ", "));
}
// --- tables for programs ---

namespace {
using Json = nlohmann::ordered_json;

std::string cell(const Json& value) {
  if (value.is_null()) return {};
  if (!value.is_string()) return value.dump();
  std::string text = value.get<std::string>();
  if (text.find_first_of(",\"\n\r") == text.npos) return text;
  for (std::size_t at = 0; (at = text.find('"', at)) != text.npos; at += 2) text.insert(at, 1, '"');
  return '"' + text + '"';
}

/// Columns and cells of a row.
using Cells = std::vector<std::pair<std::string, std::string>>;
void flatten(const Json& row, const std::string& prefix, Cells& out) {
  for (const auto& [key, value] : row.items()) {
    if (value.is_object()) {
      flatten(value, prefix + key + "_", out);
    } else if (value.is_array()) {
      if (!value.empty() && value[0].is_structured()) continue;
      std::vector<std::string> numbers;
      for (const Json& number : value) numbers.push_back(cell(number));
      out.emplace_back(prefix + key, fmt::format("{}", fmt::join(numbers, " ")));
    } else {
      out.emplace_back(prefix + key, cell(value));
    }
  }
}
}  // namespace

void print_csv(const Json& rows, bool with_heading) {
  std::vector<std::string> columns;
  for (const Json& row : rows) {
    Cells cells;
    flatten(row, "", cells);
    if (columns.empty()) {
      for (const auto& [column, text] : cells) columns.push_back(column);
      if (with_heading) fmt::print("{}\n", fmt::join(columns, ","));
    }
    std::vector<std::string> line;
    for (const std::string& column : columns) {
      const auto found = std::ranges::find(cells, column, &Cells::value_type::first);
      line.push_back(found == cells.end() ? "" : found->second);
    }
    fmt::print("{}\n", fmt::join(line, ","));
  }
  std::fflush(stdout);
}

}  // namespace tandem::command
