// tridiagonal over ranks: systems whose rows the ranks share. Of interleaved systems a rank's rows lie side by side.

#include <cmath>

#include "bench/ranks/call.h"
#include "tandem/tandem.h"

namespace tandem::command {
namespace {

template <class T>
class TridiagonalTrial : public RanksTrial {
 public:
  TridiagonalTrial(Communicator& ranks, const RanksCase& c)
      : ranks_(ranks), n_(c.shape[0]), systems_(c.shape[1]) {
    const auto begins = share_out(c.shares, n_, ranks.size());
    const auto rank = static_cast<std::size_t>(ranks.rank());
    begin_ = begins[rank], rows_ = begins[rank + 1] - begin_;
    for (std::size_t a = 0; a < 4; ++a) arrays_[a] = real_numbers<T>(n_ * systems_, c.seed + a);
    for (T& diagonal : arrays_[1]) diagonal += diagonal < 0 ? T(-3) : T(3);  // dominates strictly
    x_.resize(arrays_[0].size());
  }
  void call(const RanksPath& path) override {
    tridiagonal(ranks_, part(0), part(1), part(2), part(3),
                View<T>{x_.data() + begin_ * systems_, rows_ * systems_}, side_by_side(rows_), path.options);
  }
  /// Of custom/transposed the bits of one rank; else by the difference, which dominance keeps near the rounding of one solution.
  double error(const RanksPath& path) override {
    const bool whole_systems =
        path.options.bits == Bits::portable || path.options.use.ends_with("custom/transposed");
    std::vector<T> one(x_.size());
    tridiagonal(ranks_.context(), arrays_[0], arrays_[1], arrays_[2], arrays_[3], one, side_by_side(n_),
                {.use = whole_systems ? "tridiagonal/custom/threads" : ""});
    const auto mine = [&](const std::vector<T>& x) {
      return std::span<const T>(x).subspan(static_cast<std::size_t>(begin_ * systems_),
                                           static_cast<std::size_t>(rows_ * systems_));
    };
    if (whole_systems) return unlike(mine(x_), mine(one));
    constexpr double kAllowed = 100 * std::numeric_limits<T>::epsilon();  // elements of x are below 1
    double worst = 0;
    for (std::size_t i = 0; i < mine(one).size(); ++i) {
      const double off = std::fabs(static_cast<double>(mine(x_)[i]) - mine(one)[i]);
      if (!(off <= kAllowed)) return std::numeric_limits<double>::infinity();  // a NaN, too
      worst = std::max(worst, off);
    }
    return worst / kAllowed;
  }
  void alone() override {
    tridiagonal(ranks_.context(), arrays_[0], arrays_[1], arrays_[2], arrays_[3], x_, side_by_side(n_));
  }
  double bytes_sent() const override {
    return ranks_.size() == 1 ? 0 : 8.0 * sizeof(T) * static_cast<double>(systems_);
  }

 private:
  Systems side_by_side(std::int64_t rows) const { return interleaved(rows, systems_); }
  View<const T> part(std::size_t a) const {
    return {arrays_[a].data() + begin_ * systems_, rows_ * systems_};
  }
  Communicator& ranks_;
  std::int64_t n_, systems_, begin_, rows_;
  std::vector<T> arrays_[4], x_;
};

}  // namespace

RanksOperation ranks_tridiagonal() {
  return {"tridiagonal",
          {"n", "systems"},
          {Type::f32, Type::f64},
          paths_of(RankCall::tridiagonal, true),
          {{1, 1}, {2, 3}, {5, 1}, {33, 40}, {700, 17}},
          {{256, 1 << 14}, {4096, 1 << 10}},
          1 << 20,
          [](Communicator& ranks, const RanksCase& c) {
            return of_type<float, double>(
                c.type, [&]<class T>() { return std::make_unique<TridiagonalTrial<T>>(ranks, c); });
          }};
}

}  // namespace tandem::command
