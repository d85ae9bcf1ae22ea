#include "tandem/types.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <string>

#include "lib/core/names.h"
#include "lib/core/test_elements.h"
#include "lib/core/type_table.h"
#include "tandem/error.h"

namespace tandem {
namespace {

struct TypeRow {
  std::string_view name, npy;
  std::size_t size;
  bool floating;
};
#define TANDEM_ROW(type_name, T, ...) \
  {TypeTraits<T>::name, TypeTraits<T>::npy, sizeof(T), TypeTraits<T>::floating},
constexpr TypeRow kTypes[] = {TANDEM_ELEMENT_TYPES(TANDEM_ROW)};
#undef TANDEM_ROW
constexpr TypeRow kBicyclicRow{"bicyclic", "", sizeof(Bicyclic), false};

#define TANDEM_ROW(name) #name,
constexpr std::string_view kOperators[] = {TANDEM_OPERATORS(TANDEM_ROW) "none"};
#undef TANDEM_ROW

const TypeRow& row(Type type) {
  return type == kBicyclic ? kBicyclicRow : kTypes[static_cast<std::size_t>(type)];
}

template <class Names>
std::size_t parse(const Names& names, std::string_view text, const char* what) {
  const auto found = std::find(names.begin(), names.end(), text);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  throw InvalidArgument(unknown_name(what, text, {names.begin(), names.end()}));
}

}  // namespace

std::string_view name(Type type) { return row(type).name; }
std::size_t size_of(Type type) { return row(type).size; }
bool is_floating(Type type) { return row(type).floating; }
std::string_view npy_code(Type type) { return row(type).npy; }

std::string_view name(OperatorId op) {
  return op == kConcatenate ? "concatenate" : kOperators[static_cast<std::size_t>(op)];
}

Type parse_type(std::string_view text) {
  std::array<std::string_view, std::size(kTypes)> names;
  std::transform(std::begin(kTypes), std::end(kTypes), names.begin(),
                 [](const TypeRow& r) { return r.name; });
  return static_cast<Type>(parse(names, text, "type"));
}
OperatorId parse_operator(std::string_view text) {
  return static_cast<OperatorId>(
      parse(std::span(kOperators).first(std::size(kOperators) - 1), text, "operator"));
}

std::vector<Type> all_types() {
  std::vector<Type> all;
  for (std::size_t i = 0; i < std::size(kTypes); ++i) all.push_back(static_cast<Type>(i));
  return all;
}

std::string CaseId::str() const {
  std::string text(tandem::name(type));
  if (op != OperatorId::none) text.append(" ").append(tandem::name(op));
  return text;
}

}  // namespace tandem
