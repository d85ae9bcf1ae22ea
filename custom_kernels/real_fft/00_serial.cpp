// Idea:    the definition: each result is a sum over all numbers of its row, real ones taken for complex ones without imaginary
//          parts. Every later step must agree with this one.
// Expect:  8 n² operations for a spectrum's n/2 + 1 results and twice as many for n real ones: half of each product is known
//          to be zero, or is not stored.
// Limits:  n² operations; errors grow with n, where those of fast transforms grow with its logarithm. One core.
//          It takes calls of up to 2^32 steps.

#include "custom_kernels/fft/detail/many_steps.h"
#include "custom_kernels/real_fft/detail/serial_rows.h"

namespace tandem {
namespace {

template <class C>
void serial(const typename C::Args& a, Context& ctx) {
  serial_rows(ctx, a);
}

std::string refuse_long(const RealFft::Shape& s, CaseId) {
  return refuse_many_steps(static_cast<double>(s.n) * static_cast<double>(s.n) *
                           static_cast<double>(s.batch));
}

REGISTER(
    RealFft, serial, .note = "the definition, two loops", .refuses = refuse_long,
    .suits = [](const RealFft::Shape& s) { return s.n <= 8; })

}  // namespace
}  // namespace tandem
