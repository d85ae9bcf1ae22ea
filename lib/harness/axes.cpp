#include "lib/harness/axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lib/core/random_bits.h"

namespace tandem {

void Axes::add(std::string name, std::vector<std::string> values) {
  Axis axis{std::move(name), std::move(values), {}};
  for (const Axis& before : all_) {
    axis.first_pair.push_back(possible_.size());
    possible_.resize(possible_.size() + before.values.size() * axis.values.size(), true);
  }
  all_.push_back(std::move(axis));
}

std::size_t Axes::pair(int a, int value_a, int b, int value_b) const {
  const Axis& later = all_[static_cast<std::size_t>(b)];
  return later.first_pair[static_cast<std::size_t>(a)] +
         static_cast<std::size_t>(value_a) * later.values.size() + static_cast<std::size_t>(value_b);
}

void Axes::exclude(int a, int b, const std::function<bool(int, int)>& never) {
  for (int i = 0; i < values(a); ++i) {
    for (int j = 0; j < values(b); ++j) {
      if (never(i, j)) possible_[pair(a, i, b, j)] = false;
    }
  }
}

void Axes::leave_out(std::string_view name) {
  for (int b = 1; b < count(); ++b) {
    for (int a = 0; a < b; ++a) {
      if (all_[static_cast<std::size_t>(a)].name == name || all_[static_cast<std::size_t>(b)].name == name)
        exclude(a, b, [](int, int) { return true; });
    }
  }
}

bool Axes::leaves_a_value(int a, int value_a, int b, int value_b, int third) const {
  for (int value = 0; value < values(third); ++value) {
    if (possible(a, value_a, third, value) && possible(b, value_b, third, value)) return true;
  }
  return false;
}

void Axes::close() {
  for (bool changed = true; changed;) {
    changed = false;
    for (int b = 1; b < count(); ++b) {
      for (int a = 0; a < b; ++a) {
        exclude(a, b, [&](int value_a, int value_b) {
          if (!possible(a, value_a, b, value_b)) return true;
          for (int third = 0; third < count(); ++third) {
            if (third == a || third == b || leaves_a_value(a, value_a, b, value_b, third)) continue;
            return changed = true;
          }
          return false;
        });
      }
    }
  }
}

std::string Axes::describe(std::size_t number) const {
  for (const Axis& later : all_) {
    for (std::size_t a = 0; a < later.first_pair.size(); ++a) {
      const std::size_t at = number - later.first_pair[a], width = later.values.size();
      if (number < later.first_pair[a] || at >= width * all_[a].values.size()) continue;
      return fmt::format("{} {} with {} {}", all_[a].name, all_[a].values[at / width], later.name,
                         later.values[at % width]);
    }
  }
  return "";
}

Covering::Covering(const Axes& axes, std::uint64_t seed)
    : axes_(axes), seed_(seed), done_(axes.pairs(), false) {
  for (std::size_t pair = 0; pair < done_.size(); ++pair) done_[pair] = !axes.possible(pair);
}

// One axis after the other takes the value that is in most open pairs with the values so far; of equal ones,
// any.
Point Covering::next(Point point) {
  bool possible = true;
  axes_.for_pairs(point, [&](std::size_t pair) { possible &= axes_.possible(pair); });
  if (!possible) return {};
  ++turn_;
  for (int axis = 0; axis < axes_.count(); ++axis) {
    if (point[static_cast<std::size_t>(axis)] >= 0) continue;
    const int values = axes_.values(axis);
    const auto first = static_cast<int>(random_bits(seed_ + static_cast<std::uint64_t>(axis), turn_) %
                                        static_cast<std::uint64_t>(values));
    int best = -1, most = -1;
    for (int k = 0; k < values; ++k) {
      const int value = (first + k) % values;
      int fresh = 0;
      for (int other = 0; other < axes_.count() && fresh >= 0; ++other) {
        const int with = point[static_cast<std::size_t>(other)];
        if (other == axis || with < 0) continue;
        const std::size_t pair =
            other < axis ? axes_.pair(other, with, axis, value) : axes_.pair(axis, value, other, with);
        fresh = axes_.possible(pair) ? fresh + !done_[pair] : -1;
      }
      if (fresh > most) best = value, most = fresh;
    }
    if (best < 0) return {};
    point[static_cast<std::size_t>(axis)] = best;
  }
  axes_.for_pairs(point, [&](std::size_t pair) { done_[pair] = true; });
  return point;
}

std::optional<Point> Covering::open() {
  for (; b_ < axes_.count(); ++b_, a_ = 0) {
    for (; a_ < b_; ++a_, value_a_ = 0) {
      for (; value_a_ < axes_.values(a_); ++value_a_, value_b_ = 0) {
        for (; value_b_ < axes_.values(b_); ++value_b_) {
          if (done_[axes_.pair(a_, value_a_, b_, value_b_)]) continue;
          Point point(static_cast<std::size_t>(axes_.count()), -1);
          point[static_cast<std::size_t>(a_)] = value_a_;
          point[static_cast<std::size_t>(b_)] = value_b_++;  // asked for once
          return point;
        }
      }
    }
  }
  return std::nullopt;
}

PairCoverage::PairCoverage(Axes axes)
    : axes_(std::move(axes)), executed_(axes_.pairs(), false), refused_(axes_.pairs(), false) {}

void PairCoverage::executed(const Point& point) {
  for_pairs(point, [&](std::size_t pair) { executed_[pair] = true; });
}
void PairCoverage::refused(const Point& point) {
  for_pairs(point, [&](std::size_t pair) { refused_[pair] = true; });
}
bool PairCoverage::brings(const Point& point) const {
  bool fresh = false;
  for_pairs(point, [&](std::size_t pair) { fresh |= !executed_[pair]; });
  return fresh;
}
std::int64_t PairCoverage::met() const { return std::count(executed_.begin(), executed_.end(), true); }
std::vector<std::string> PairCoverage::open() const {
  std::vector<std::string> names;
  for (std::size_t pair = 0; pair < axes_.pairs(); ++pair) {
    if (axes_.possible(pair) && !executed_[pair] && !refused_[pair]) names.push_back(axes_.describe(pair));
  }
  return names;
}

}  // namespace tandem
