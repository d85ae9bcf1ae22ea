// 8. Random numbers: an array of them, the same ones where they are needed, and an integral inside of a reduction.

#include <tandem/tandem.h>

#include <cstdint>
#include <iostream>
#include <vector>

namespace {

/// How many of the two points of counter i lie in the quarter of a circle. No number is written or read; with
/// <tandem/functors.cuh> and __host__ __device__ the same struct serves a GPU.
struct InCircle {
  tandem::Philox philox;
  static bool inside(std::uint32_t x, std::uint32_t y) {
    const tandem::Uniform<float> uniform;
    return uniform(x) * uniform(x) + uniform(y) * uniform(y) < 1;
  }
  std::int64_t lift(std::uint8_t, std::int64_t i) const {
    const tandem::Philox::Words four = philox(static_cast<std::uint64_t>(i));
    return inside(four.w[0], four.w[1]) + inside(four.w[2], four.w[3]);
  }
  std::int64_t operator()(std::int64_t a, std::int64_t b) const { return a + b; }
};

}  // namespace

int main() {
  tandem::Context ctx = tandem::Context::host();
  std::vector<float> x(4), rest(2);
  tandem::random(ctx, x, tandem::Normal<float>(), {.seed = 7});
  tandem::random(ctx, rest, tandem::Normal<float>(), {.seed = 7, .offset = 2});
  std::cout << "normal numbers: " << x[0] << ' ' << x[1] << ' ' << x[2] << ' ' << x[3] << '\n';
  const float third = tandem::random_element(tandem::Normal<float>(), tandem::Philox(7), 2);
  std::cout << "from the third on: "
            << (rest[0] == x[2] && rest[1] == x[3] && third == x[2] ? "the same" : "others") << '\n';

  constexpr std::int64_t kCounters = 1 << 20;
  const std::vector<std::uint8_t> counters(
      kCounters);  // what is reduced; the numbers come from the places alone
  const std::int64_t inside = tandem::reduce(ctx, counters, InCircle{tandem::Philox(7)});
  std::cout << "pi is about " << 4.0 * static_cast<double>(inside) / (2 * kCounters) << '\n';
}
