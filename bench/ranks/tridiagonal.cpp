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
    for (std::size_t a = 0; a < 4; ++a) {
      std::vector<T> elements = real_numbers<T>(n_ * systems_, c.seed + a);
      if (a == 1)
        for (T& diagonal : elements) diagonal += diagonal < 0 ? T(-3) : T(3);  // dominates strictly
      arrays_.emplace_back(ranks.context(), elements);
    }
    arrays_.emplace_back(ranks.context(), n_ * systems_);
  }
  void call(const RanksPath& path) override {
    tridiagonal(ranks_, part(0), part(1), part(2), part(3),
                part(4), side_by_side(rows_), path.options);
  }
  /// Of custom/transposed the bits of one rank; else by the difference, which dominance keeps near the rounding of one solution.
  double error(const RanksPath& path) override {
    Context& ctx = ranks_.context();
    const bool same_bits =
        ctx.place() == Place::host && (path.options.bits == Bits::portable || path.options.use.ends_with("custom/transposed"));
    Array<T> one(ctx, n_ * systems_);
    tridiagonal(ctx, arrays_[0], arrays_[1], arrays_[2], arrays_[3], one, side_by_side(n_),
                {.use = same_bits ? "tridiagonal/custom/threads" : ""});
    const std::vector<T> mine = on_host(ctx, part(4).data, part(4).size),
                         expected = on_host(ctx, one.data() + begin_ * systems_, rows_ * systems_);
    if (same_bits) return unlike(mine, expected);
    constexpr double kAllowed = 100 * std::numeric_limits<T>::epsilon();  // elements of x are below 1
    double worst = 0;
    for (std::size_t i = 0; i < mine.size(); ++i) {
      const double off = std::fabs(static_cast<double>(mine[i]) - expected[i]);
      if (!(off <= kAllowed)) return std::numeric_limits<double>::infinity();  // a NaN, too
      worst = std::max(worst, off);
    }
    return worst / kAllowed;
  }
  void alone() override {
    tridiagonal(ranks_.context(), arrays_[0], arrays_[1], arrays_[2], arrays_[3], arrays_[4], side_by_side(n_));
  }
  double bytes_sent() const override {
    return ranks_.size() == 1 ? 0 : 8.0 * sizeof(T) * static_cast<double>(systems_);
  }

 private:
  Systems side_by_side(std::int64_t rows) const { return interleaved(rows, systems_); }
  View<T> part(std::size_t a) { return piece(arrays_[a], begin_ * systems_, rows_ * systems_); }
  Communicator& ranks_;
  std::int64_t n_, systems_, begin_, rows_;
  std::vector<Array<T>> arrays_;  // lower, diag, upper, rhs and x
};

}  // namespace

RanksOperation ranks_tridiagonal() {
  return {"tridiagonal",
          {"n", "systems"},
          {Type::f32, Type::f64},
          paths_of(RankCall::tridiagonal, true),
          {{1, 1}, {2, 3}, {5, 1}, {33, 40}, {700, 17}},
          {{256, 1 << 14}, {4096, 1 << 10}},
          {{512, 1 << 16}, {4096, 1 << 16}},
          1 << 20,
          [](Communicator& ranks, const RanksCase& c) {
            return of_type<float, double>(
                c.type, [&]<class T>() { return std::make_unique<TridiagonalTrial<T>>(ranks, c); });
          }};
}

}  // namespace tandem::command
