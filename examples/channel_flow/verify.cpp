#include "verify.h"

#include <algorithm>
#include <cmath>

namespace channel {

std::vector<double> Result::orders() const {
  std::vector<double> orders;
  for (std::size_t i = 1; i < errors.size(); ++i) orders.push_back(std::log2(errors[i - 1] / errors[i]));
  return orders;
}

bool Result::passed() const {
  if (highest == 0) return std::all_of(errors.begin(), errors.end(), [&](double e) { return e <= limit; });
  const std::vector<double> all = orders();
  return !all.empty() &&
         std::all_of(all.begin(), all.end(), [&](double o) { return o >= lowest && o <= highest; });
}

std::vector<Check> checks(bool full) {
  const auto one = [full](const char* name, Result (*run)(const Where&, const Cells&), const Cells& all,
                          const Cells& few) {
    return Check{
        name, [run, cells = full ? all : few](const Where& where) { return std::vector{run(where, cells)}; }};
  };
  const std::int64_t cells = full ? 40 : 12;
  return {one("plane Poiseuille", poiseuille, {2, 3, 8, 17, 32, 64}, {2, 3, 8, 17}),
          one("square duct", square_duct, {32, 64, 128}, {16, 32}),
          one("diffusion", diffusion, {16, 32, 64}, {8, 16, 32}),
          one("lecture's splitting", lecture_splitting, {16, 32, 64}, {8, 16}),
          one("manufactured solution", manufactured, {16, 32, 64}, {8, 16}),
          one("entrance of a duct", entrance, {12, 16}, {12}),
          one("free stream", free_stream, {4, 9, 32}, {4, 9}),
          one("mirror symmetry", mirror, {9, 16, 32}, {9, 12}),
          {"the same fields, f32", [cells](const Where& where) { return same_fields(where, cells, true); }},
          {"the same fields, f64", [cells](const Where& where) { return same_fields(where, cells, false); }}};
}

}  // namespace channel
