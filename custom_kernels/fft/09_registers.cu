// Idea:    eight numbers stay in a thread's registers from the first pass to the last; threads exchange them through one
//          buffer of shared memory.
// New:     against mixed, the first and the last pass touch global memory alone; strides are powers of two; a place in 16 is
//          left free, so that no two lanes ask one bank for different words. The loop is in detail/line.cuh, since later steps
//          have use for it. Of the seven roots of a butterfly three are read, side by side, and four are products of two.
// Expect:  the bandwidth of the memory for rows of a few thousand numbers: log8(n) − 1 exchanges, each a write and a read of
//          shared memory.
// Limits:  powers of two from 8 to 4,096.
// Source:  Volkov, Kazian 2008, "Fitting FFT onto the G80 architecture"; Govindaraju and others 2008, "High performance discrete
//          Fourier transforms on graphics processors".

#include "custom_kernels/fft/detail/rows.cuh"

namespace tandem {
namespace {

constexpr int kHeld = 8;

template <int kFirst, class Args, class T>
__global__ void __launch_bounds__(kLongestLine / kHeld)
    fft_registers(const Args a, int n, const Complex<T>* roots) {
  transform_rows<kHeld, kFirst>(a, n, roots);
}

template <class C>
void registers(const typename C::Args& a, Context& ctx) {
  with_first_radix<kHeld>(a.n, [&]<int kFirst>() {
    launch_rows<kHeld>(ctx, a, fft_registers<kFirst, typename C::Args, typename C::T>);
  });
}

std::string refuses(const Fft::Shape& s, CaseId id) {
  if (s.n != 0 && (s.n < kHeld || s.n > kLongestLine)) return "takes powers of two from 8 to 4096";
  return Fft::refuse_other_than_powers(s, id);
}

REGISTER(Fft, registers, .note = "radix 8 in registers, one exchange between two passes",
         .depth = Fft::levels, .refuses = refuses)

}  // namespace
}  // namespace tandem
