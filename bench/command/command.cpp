#include "bench/command/command.h"

#include <fmt/format.h>

#include "lib/core/type_table.h"
#include "tandem/error.h"

namespace tandem::command {

Contexts::Contexts() : host(Context::host()) {
  if (why_no_device().empty()) device = std::make_unique<Context>(Context::device(0));
}

namespace {
NpyArray read_rank(const std::string& path, std::size_t rank) {
  NpyArray array = read_npy(path);
  if (array.shape.size() != rank) {
    throw BadFile(path,
                  fmt::format("holds an array of rank {}; rank {} is needed", array.shape.size(), rank));
  }
  return array;
}
}  // namespace

NpyArray read_vector(const std::string& path) { return read_rank(path, 1); }
NpyArray read_matrix(const std::string& path) { return read_rank(path, 2); }

const Implementation* step_before(const Implementation& step) {
  const Implementation* before = nullptr;
  for (const Implementation& i : implementations()) {
    if (&i == &step) break;
    if (i.operation == step.operation && i.path == "custom" && i.place == step.place) before = &i;
  }
  return before;
}

std::string known_operations() {
  std::vector<std::string_view> names;
  for (const auto& op : operations()) names.push_back(op->name);
  return fmt::format("{}", fmt::join(names, ", "));
}
std::string known_extents() {
  std::vector<std::string> all;
  for (const auto& op : operations()) {
    if (!op->extents.empty()) all.push_back(fmt::format("{} ({})", op->extents, op->name));
  }
  return fmt::format("{}", fmt::join(all, ", "));
}
std::string known_types() {
  std::vector<std::string_view> names;
  for (const Type type : all_types()) names.push_back(name(type));
  return fmt::format("{}", fmt::join(names, ", "));
}
std::string known_operators() {
  std::vector<std::string_view> names;
  for (int i = 0; i < static_cast<int>(OperatorId::none); ++i)
    names.push_back(name(static_cast<OperatorId>(i)));
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace tandem::command
