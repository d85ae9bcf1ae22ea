#pragma once
// What the trials of an operation vary, and whether every pair of values of two axes is met: most mistakes
// need one or two values to show, so a set of trials that meets all pairs finds nearly what the product
// would.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/export.h"

namespace tandem {

/// One value, by its number, of every axis; −1: any.
using Point = std::vector<int>;

/// The axes of an operation's trials, and which pairs of their values a trial can have.
class TANDEM_API Axes {
 public:
  Axes() = default;
  /// An axis takes the next number, from 0 on.
  void add(std::string name, std::vector<std::string> values);
  /// Pairs of values of axes a < b that no trial has.
  void exclude(int a, int b, const std::function<bool(int, int)>& never);
  /// Pairs with the axis of this name count no more, if there is one.
  void leave_out(std::string_view name);
  /// Called after the last exclusion: pairs that leave a third axis no value are not possible either.
  void close();

  int count() const { return static_cast<int>(all_.size()); }
  int values(int axis) const { return static_cast<int>(all_[static_cast<std::size_t>(axis)].values.size()); }
  std::size_t pairs() const { return possible_.size(); }
  bool possible(std::size_t pair) const { return possible_[pair]; }
  /// The number of a pair of values of axes a < b.
  std::size_t pair(int a, int value_a, int b, int value_b) const;
  /// "size 0 with variant in place".
  std::string describe(std::size_t pair) const;
  /// Calls f(pair) for every pair of given values of a point.
  template <class F>
  void for_pairs(const Point& point, F f) const {
    for (int b = 1; b < count() && !point.empty(); ++b) {
      for (int a = 0; a < b; ++a) {
        const int value_a = point[static_cast<std::size_t>(a)], value_b = point[static_cast<std::size_t>(b)];
        if (value_a >= 0 && value_b >= 0) f(pair(a, value_a, b, value_b));
      }
    }
  }

 private:
  struct Axis {
    std::string name;
    std::vector<std::string> values;
    std::vector<std::size_t> first_pair;  // with each axis before it
  };
  bool possible(int a, int value_a, int b, int value_b) const {
    return possible_[a < b ? pair(a, value_a, b, value_b) : pair(b, value_b, a, value_a)];
  }
  /// Whether a third axis has a value that goes with both.
  bool leaves_a_value(int a, int value_a, int b, int value_b, int third) const;

  std::vector<Axis> all_;
  std::vector<bool> possible_;
};

/// Makes points one after the other, each meeting as many pairs as it can that no point before it met.
class TANDEM_API Covering {
 public:
  Covering(const Axes& axes, std::uint64_t seed);
  /// The point with the given values; empty where no trial has them.
  Point next(Point given);
  /// A pair that is still to be met, as the values of a point.
  std::optional<Point> open();

 private:
  const Axes& axes_;
  std::uint64_t seed_, turn_ = 0;
  std::vector<bool> done_;
  int a_ = 0, value_a_ = 0, b_ = 1, value_b_ = 0;  // pairs before this one are done
};

/// Which pairs one implementation met.
class TANDEM_API PairCoverage {
 public:
  explicit PairCoverage(Axes axes);
  /// A point of a trial that was executed, or refused by the implementation.
  void executed(const Point& point);
  void refused(const Point& point);
  /// Whether a point has a pair that was not executed yet.
  bool brings(const Point& point) const;

  /// Pairs that were executed, out of those that are possible and that the implementation does not refuse in
  /// every trial.
  std::int64_t met() const;
  std::int64_t possible() const { return met() + static_cast<std::int64_t>(open().size()); }
  /// Possible pairs that no trial had, described.
  std::vector<std::string> open() const;

 private:
  template <class F>
  void for_pairs(const Point& point, F f) const {
    axes_.for_pairs(point, [&](std::size_t pair) {
      if (axes_.possible(pair)) f(pair);
    });
  }

  Axes axes_;
  std::vector<bool> executed_, refused_;
};

}  // namespace tandem
