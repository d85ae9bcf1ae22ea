#include "tandem/types.h"

#include <array>
#include <span>

#include "tandem/error.h"

namespace tandem {
namespace {

constexpr std::array<std::string_view, 8> kTypes = {"f16", "f32", "f64", "i8",
                                                    "i32", "i64", "u32", "bicyclic"};
constexpr std::array<std::size_t, 8> kSizes = {2, 4, 8, 1, 4, 8, 4, 8};
constexpr std::array<std::string_view, 13> kOperators = {
    "plus",   "multiplies", "minimum",      "maximum", "logical_and", "logical_or", "negate",
    "square", "axpy",       "multiply_add", "dot2",    "concatenate", "none"};
// What comes behind these is internal: it has a name in test output but cannot be asked for.
constexpr std::size_t kPublicTypes = 7, kPublicOperators = 11;

std::size_t parse(std::span<const std::string_view> names, std::string_view text, const char* what) {
  std::string known;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == text) return i;
    known += (i ? ", " : "") + std::string(names[i]);
  }
  throw InvalidArgument("unknown " + std::string(what) + " '" + std::string(text) + "'; known: " + known);
}

}  // namespace

std::string_view name(Type type) { return kTypes[static_cast<std::size_t>(type)]; }
std::string_view name(OperatorId op) { return kOperators[static_cast<std::size_t>(op)]; }
std::size_t size_of(Type type) { return kSizes[static_cast<std::size_t>(type)]; }
Type parse_type(std::string_view text) {
  return static_cast<Type>(parse(std::span(kTypes).first(kPublicTypes), text, "type"));
}
OperatorId parse_operator(std::string_view text) {
  return static_cast<OperatorId>(parse(std::span(kOperators).first(kPublicOperators), text, "operator"));
}
std::string CaseId::str() const {
  return std::string(name(type)) + (op == OperatorId::none ? "" : " " + std::string(name(op)));
}

}  // namespace tandem
