// Idea:    sixteen numbers in a thread's registers, four levels between two exchanges.
// New:     against registers, two exchanges for 4,096 numbers in place of three, half as many barriers and threads that wait at
//          them, and longer rows, which half the threads of eight numbers could not hold.
// Expect:  the bandwidth of the memory up to 16,384 numbers of floats, which two launches would read and write twice.
// Limits:  powers of two from 16 to 16,384, of doubles to 8,192. A block that has one long row computes nothing while it
//          loads or stores.
// Source:  Govindaraju and others 2008, "High performance discrete Fourier transforms on graphics processors".

#include "custom_kernels/fft/detail/rows.cuh"

namespace tandem {
namespace {

constexpr int kHeld = 16;

template <int kFirst, bool kLong, class Args, class T>
__global__ void __launch_bounds__((kRowThreads<T, kLong>), (kRowBlocks<T, kLong>))
    fft_sixteen(const Args a, int n, const Complex<T>* roots) {
  transform_rows<kHeld, kFirst>(a, n, roots);
}

template <class C>
void sixteen(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  using Args = typename C::Args;
  with_first_radix<kHeld>(a.n, [&]<int kFirst>() {
    if (a.n <= kFewThreads * kHeld)
      launch_rows<kHeld>(ctx, a, fft_sixteen<kFirst, false, Args, T>);
    else
      launch_rows<kHeld>(ctx, a, fft_sixteen<kFirst, true, Args, T>);
  });
}

std::string refuses(const Fft::Shape& s, CaseId id) {
  const std::int64_t longest = id.type == Type::f32 ? kLongestRow<float> : kLongestRow<double>;
  if (s.n != 0 && (s.n < kHeld || s.n > longest))
    return "takes powers of two from 16 to 16384, of doubles to 8192";
  return Fft::refuse_other_than_powers(s, id);
}

REGISTER(
    Fft, sixteen, .note = "radix 16 in registers, rows as long as a block holds", .depth = Fft::levels,
    .refuses = refuses, .suits = [](const Fft::Shape& s) { return held_of(s.n) == kHeld; })

}  // namespace
}  // namespace tandem
