// random by ranks that share an array: each fills its part, and the whole has the bits that one rank alone gives it.

#include "tandem/random.h"

#include <bit>

#include "tests/ranks/support.h"

TEST_SUITE_BEGIN("ranks");

namespace tandem {
namespace {

template <class Distribution>
void see_parts(const Distribution& distribution, RandomKey key) {
  constexpr std::int64_t kAll = 10'007;
  std::vector<float> whole(kAll);
  random(context(), whole, distribution, key);
  std::vector<std::int32_t> bits;
  for (const float number : whole) bits.push_back(std::bit_cast<std::int32_t>(number));
  for (const auto& begins : partitions(kAll)) {
    const auto rank = static_cast<std::size_t>(world().rank());
    const std::int64_t begin = begins[rank], end = begins[rank + 1];
    std::vector<float> part(static_cast<std::size_t>(end - begin));
    RandomKey mine = key;
    mine.offset += static_cast<std::uint64_t>(begin);
    random(context(), part, distribution, mine);
    std::vector<std::int32_t> own(kAll), together(kAll);
    for (std::size_t i = 0; i < part.size(); ++i)
      own[static_cast<std::size_t>(begin) + i] = std::bit_cast<std::int32_t>(part[i]);
    all_reduce(world(), own, together);
    CHECK(together == bits);
  }
}

TEST_CASE("the parts of all ranks are the numbers of one") {
  for (const std::uint64_t seed : {0u, 7u}) {
    see_parts(Uniform<float>(), {.seed = seed});
    see_parts(Normal<float>(), {.seed = seed, .offset = (std::uint64_t{1} << 34) - 5});
    see_parts(Uniform<float>(-1, 1),
              {.seed = seed, .generator = Generator::sobol, .dimensions = 3, .scrambling = Scrambling::owen});
  }
}

}  // namespace
}  // namespace tandem

TEST_SUITE_END();
