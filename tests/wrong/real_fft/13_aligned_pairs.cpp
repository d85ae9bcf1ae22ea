// Wrong:   pairs of real numbers are taken to begin where complex numbers do: a row's first one too early where it does not.
// Caught:  real rows that begin at odd numbers, by an odd distance or by their address.

#include "tests/wrong/real_fft/definition.h"

namespace tandem {
namespace {

template <class Args, class T = decltype(Args::factor)>
struct AlignedPairs : PlainWay<Args> {
  using PlainWay<Args>::PlainWay;
  Complex<T> load(std::int64_t row, std::int64_t j) const {
    const auto first = reinterpret_cast<std::uintptr_t>(this->a.in + row * this->a.in_distance);
    const bool odd = !this->a.inverse && first % sizeof(Complex<T>) != 0;
    return PlainWay<Args>::load(row, odd && j > 0 ? j - 1 : j);
  }
};

template <class C>
void aligned_pairs(const typename C::Args& a, Context& ctx) {
  transform_rows(AlignedPairs<typename C::Args>(a), ctx, roots<typename C::T>(ctx, a.n));
}

REGISTER(RealFft, aligned_pairs, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
