// random by its public functions: the generators against published numbers, the same bits on every path, and bad calls, each
// of which throws the right exception and leaves the array untouched.

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "lib/harness/fnv1a.h"
#include "lib/ops/random/contract.h"
#include "tandem/tandem.h"
#include "tandem/xoshiro.h"
#include "tests/array_calls.h"
#include "tests/random_calls.h"

namespace tandem {
namespace {

template <class T>
auto bits_of_all(const std::vector<T>& x) {
  std::vector<std::uint64_t> bits;
  for (const T v : x) bits.push_back(__builtin_bit_cast(detail::WordOf<T>, v));
  return bits;
}

}  // namespace

TEST_SUITE_BEGIN("random");

TEST_CASE("Philox gives the published words") {
  // Random123, kat_vectors of philox4x32-10: all bits 0, all 1, and digits of π.
  const auto words = [](std::uint64_t seed, std::uint64_t low, std::uint64_t high) {
    const Philox::Words w = Philox(seed)(low, high);
    return std::vector<std::uint32_t>(w.w, w.w + 4);
  };
  CHECK(words(0, 0, 0) == std::vector<std::uint32_t>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  constexpr std::uint64_t kAll = ~std::uint64_t{0};
  CHECK(words(kAll, kAll, kAll) ==
        std::vector<std::uint32_t>{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(words(0x299f31d0a4093822, 0x85a308d3243f6a88, 0x0370734413198a2e) ==
        std::vector<std::uint32_t>{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
  static_assert(Philox(0)(0).w[0] == 0x6627e8d5, "at compile time, too");
}

TEST_CASE("which word is which number's") {
  for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{0x123456789ABCDEF0}}) {
    const Philox philox(seed);
    for (const std::uint64_t i : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3},
                                  std::uint64_t{4}, std::uint64_t{0x3FFFFFFFF}, ~std::uint64_t{0}}) {
      CHECK(philox.word<std::uint32_t>(i) == philox(i / 4).w[i % 4]);
      for (const int k : {0, 1, 2, 3}) CHECK(philox.round_keys()(i, 3).w[k] == philox(i, 3).w[k]);
      const Philox::Words w = philox(i / 2);
      CHECK(philox.word<std::uint64_t>(i) == (std::uint64_t{w.w[2 * (i % 2) + 1]} << 32 | w.w[2 * (i % 2)]));
    }
    const auto words = numbers(9, Uniform<std::uint32_t>(), {seed});
    const auto wide = numbers(9, Uniform<std::uint64_t>(), {seed});
    const auto floats = numbers(9, Uniform<float>(), {seed});
    const auto doubles = numbers(9, Uniform<double>(), {seed});
    for (std::size_t i = 0; i < 9; ++i) {
      CHECK(words[i] == philox.word<std::uint32_t>(i));
      CHECK(wide[i] == philox.word<std::uint64_t>(i));
      CHECK(floats[i] == std::ldexp(static_cast<float>(words[i] >> 8), -24));
      CHECK(doubles[i] == std::ldexp(static_cast<double>(wide[i] >> 11), -53));
    }
  }
}

TEST_CASE("every path gives the same bits, wherever the sequence is cut") {
  constexpr std::size_t n = 5003;
  int calls = 0;
  const auto check = [&](const auto& distribution, RandomKey key) {
    key.seed = 0xFEDCBA9876543210, key.offset = 0xFFFFFFFF - 1000;
    const auto whole = numbers(n, distribution, key, "serial");
    for (std::size_t i = 0; i < n; i += 97) {
      const std::uint64_t element = key.offset + i;
      const auto number =
          key.generator == Generator::philox
              ? random_element(distribution, Philox(key.seed), element)
              : random_element(distribution, Sobol(key.dimensions, key.scrambling, key.seed), element);
      CHECK(std::memcmp(&number, &whole[i], sizeof number) == 0);
    }
    for (const Implementation* row : host_rows("random")) {
      const Random::Shape shape =
          Random::automatic(Random::shape(n,
                                          {detail::Described<std::decay_t<decltype(distribution)>>::kind,
                                           distribution.first(), distribution.second()},
                                          key));
      if (!row->refusal(&shape,
                        {type_of<typename std::decay_t<decltype(distribution)>::Value>, OperatorId::none})
               .empty())
        continue;
      CAPTURE(row->name);
      Context ctx = Context::host();
      for (const std::size_t cut :
           {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{1026}}) {
        auto parts = whole;
        using Value = typename std::decay_t<decltype(distribution)>::Value;
        std::fill(parts.begin(), parts.end(), Value(7));
        RandomKey rest = key;
        rest.offset += cut;
        random(ctx, View<Value>{parts.data(), static_cast<std::int64_t>(cut)}, distribution, key,
               {row->name});
        random(ctx, View<Value>{parts.data() + cut, static_cast<std::int64_t>(n - cut)}, distribution, rest,
               {row->name});
        CHECK(std::memcmp(parts.data(), whole.data(), n * sizeof whole[0]) == 0);
        ++calls;
      }
      CHECK(ctx.last().implementation == row->name);
    }
  };
  const auto all = [&](const RandomKey& key) {
    check(Uniform<float>(-3, 5), key), check(Uniform<double>(), key);
    check(Uniform<std::uint32_t>(), key), check(Uniform<std::uint64_t>(), key);
    check(Normal<float>(1, 2), key), check(Normal<double>(), key);
    check(LogNormal<float>(), key), check(LogNormal<double>(0.5, 0.25), key);
    check(Poisson<std::uint32_t>(4.5), key), check(Poisson<std::uint64_t>(60), key);
  };
  all({});
  check(Poisson<std::uint32_t>(99.5), {}), check(Poisson<std::uint64_t>(1e6), {});
  all({.generator = Generator::sobol});
  all({.generator = Generator::sobol, .dimensions = 5, .scrambling = Scrambling::owen});
  all({.generator = Generator::sobol, .dimensions = 32, .scrambling = Scrambling::shift});
  CHECK(calls > 500);
}

// What these sequences were when they were made: a compiler, a processor or a change that gives others is found.
TEST_CASE("sequences are the same on every machine") {
  const auto hash = [](const auto& distribution, const RandomKey& key) {
    return fnv1a(bits_of_all(numbers(10000, distribution, key)));
  };
  const RandomKey philox{.seed = 20261124};
  const RandomKey sobol{
      .seed = 7, .generator = Generator::sobol, .dimensions = 3, .scrambling = Scrambling::owen};
  CHECK(hash(Uniform<float>(), philox) == 0x8271cea045188cb5u);
  CHECK(hash(Uniform<double>(-1, 3), philox) == 0x8b2bc56cc3514bd7u);
  CHECK(hash(Uniform<std::uint32_t>(), philox) == 0x5dcea0cc2bea7931u);
  CHECK(hash(Uniform<std::uint64_t>(), philox) == 0xcfcece6d1e267e9bu);
  CHECK(hash(Normal<float>(), philox) == 0x358bcb7d959d9751u);
  CHECK(hash(Normal<double>(), philox) == 0xf6f659ed3775c869u);
  CHECK(hash(LogNormal<float>(), philox) == 0x99b190782aa2ca6eu);
  CHECK(hash(LogNormal<double>(), philox) == 0x5aa34bf5edc68bc8u);
  CHECK(hash(Poisson<std::uint32_t>(10), philox) == 0x2685e0e59cb06755u);
  CHECK(hash(Poisson<std::uint32_t>(1000), philox) == 0xafd9c1d90f38269du);
  CHECK(hash(Uniform<float>(), sobol) == 0x73d76603de48b9d6u);
  CHECK(hash(Normal<double>(), sobol) == 0xea964d95ab6e3296u);
}

TEST_CASE("Sobol's points") {
  // The first points of three coordinates, as Joe and Kuo's program prints them.
  const auto first = numbers(24, Uniform<double>(), {.generator = Generator::sobol, .dimensions = 3});
  const std::vector<double> published{0,     0,     0,     0.5,   0.5,   0.5,   0.75,  0.25,
                                      0.25,  0.25,  0.75,  0.75,  0.375, 0.375, 0.625, 0.875,
                                      0.875, 0.125, 0.625, 0.125, 0.875, 0.125, 0.625, 0.375};
  CHECK(first == published);
  // Of 2^k points each coordinate lies once in each interval of length 2^-k, scrambled or not, from 2^k on, too.
  for (const Scrambling scrambling : {Scrambling::none, Scrambling::shift, Scrambling::owen}) {
    for (const int k : {1, 5, 10}) {
      const Sobol sobol(32, scrambling, 99);
      for (const std::uint64_t start :
           {std::uint64_t{0}, std::uint64_t{1} << k, std::uint64_t{7} << (k + 30)}) {
        for (int d = 0; d < 32; ++d) {
          std::vector<int> times(std::size_t{1} << k);
          for (std::uint64_t p = 0; p < times.size(); ++p) {
            const std::uint64_t i = (start + p) * 32 + static_cast<std::uint64_t>(d);
            const auto word = sobol.word<std::uint64_t>(i);
            CHECK(sobol.word<std::uint32_t>(i) == word >> 32);
            ++times[word >> (64 - k)];
          }
          CHECK(std::all_of(times.begin(), times.end(), [](int t) { return t == 1; }));
        }
      }
    }
  }
  // Neighbouring pairs of coordinates: of 2^2k points, for what their polynomials promise, all but few squares are met.
  const auto error = [](const RandomKey& key) {  // of the mean of a product of six coordinates
    const auto x = numbers(6 << 12, Uniform<double>(), key);
    double sum = 0;
    for (std::size_t p = 0; p < x.size(); p += 6) {
      double product = 1;
      for (std::size_t d = 0; d < 6; ++d) product *= 2 * x[p + d];
      sum += product;
    }
    return std::fabs(sum / (1 << 12) - 1);
  };
  double sobol = 0, philox = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    sobol +=
        error({.seed = seed, .generator = Generator::sobol, .dimensions = 6, .scrambling = Scrambling::owen});
    philox += error({.seed = seed});
  }
  CHECK(sobol < philox / 5);
  // Seeds scramble differently; without scrambling they do not matter.
  RandomKey key{.seed = 1, .generator = Generator::sobol, .scrambling = Scrambling::owen}, other = key;
  other.seed = 2;
  CHECK(numbers(100, Uniform<float>(), key) != numbers(100, Uniform<float>(), other));
  key.scrambling = other.scrambling = Scrambling::none;
  CHECK(numbers(100, Uniform<float>(), key) == numbers(100, Uniform<float>(), other));
}

// Where they do not, they leave it to doubles: one attempt in some 1,700.
TEST_CASE("whether an attempt at a Poisson number is accepted floats tell as doubles do") {
  const std::string_view use = "random/custom/floats_first@simt";
  if (matching(use).empty()) return;
  for (const double mean : {std::nextafter(64.0, 65.0), 64.5, 70.0, 333.0, 1e4, 1e6, 0x1p30 - 0.25, 0x1p30}) {
    CAPTURE(mean);
    const RandomKey key{.seed = 12, .offset = (std::uint64_t{1} << 32) - 70001};
    constexpr std::size_t n = 200'003;
    CHECK(numbers(n, Poisson<std::uint32_t>(mean), key, use) ==
          numbers(n, Poisson<std::uint32_t>(mean), key, "serial"));
  }
}

// The checks of long arrays have points of one coordinate alone.
TEST_CASE("points of several coordinates go in strides, too") {
  const std::string_view use = "random/custom/gray_strides@simt";
  if (matching(use).empty()) return;
  for (const int dimensions : {1, 2, 3, 5, 31, 32}) {
    CAPTURE(dimensions);
    const RandomKey key{
        .seed = 11,
        .offset = (std::uint64_t{1} << 40) - 70001,  // all digits of a point change on the way
        .generator = Generator::sobol,
        .dimensions = dimensions,
        .scrambling = Scrambling::shift};
    constexpr std::size_t n = 200'003;
    CHECK(numbers(n, Uniform<float>(-1, 1), key, use) == numbers(n, Uniform<float>(-1, 1), key, "serial"));
    CHECK(numbers(n, Uniform<std::uint64_t>(), key, use) ==
          numbers(n, Uniform<std::uint64_t>(), key, "serial"));
  }
}

TEST_CASE("xoshiro256++ gives the published numbers, and skips") {
  Xoshiro known(Xoshiro::State{1, 2, 3, 4});
  for (const std::uint64_t number : {41943041ul, 58720359ul, 3588806011781223ul, 3591011842654386ul,
                                     9228616714210784205ul, 9973669472204895162ul, 14011001112246962877ul,
                                     12406186145184390807ul, 15849039046786891736ul, 10450023813501588000ul})
    CHECK(known() == number);
  for (const std::uint64_t n : {0, 1, 2, 255, 256, 257, 100003}) {
    Xoshiro called(7), skipped(7);
    for (std::uint64_t i = 0; i < n; ++i) called();
    skipped.skip(n);
    CHECK(called == skipped);
  }
  // Skips add up, and commute with jumps.
  Xoshiro a(9), b(9);
  a.skip(std::uint64_t{1} << 63), a.skip(12345), a.jump();
  b.jump(), b.skip((std::uint64_t{1} << 63) + 12345);
  CHECK(a == b);
  CHECK_FALSE(a == Xoshiro(9));
  // The first numbers of splitmix64.
  CHECK(Xoshiro(0) == Xoshiro(Xoshiro::State{0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F,
                                             0xF88BB8A8724C81EC}));
}

TEST_CASE("a jump of xoshiro256++ is 2^128 calls") {
  // A call is linear over the bits of the state: column i of its matrix is what becomes of bit i. Squared 128 times.
  using State = Xoshiro::State;
  const auto has = [](const State& s, std::size_t i) { return s[i / 64] >> i % 64 & 1; };
  std::vector<State> columns;
  for (std::size_t i = 0; i < 256; ++i) {
    State bit{};
    bit[i / 64] = std::uint64_t{1} << i % 64;
    Xoshiro called(bit);
    called();
    columns.push_back(std::bit_cast<State>(called));
  }
  const auto multiplied = [&](const State& s) {
    State sum{};
    for (std::size_t i = 0; i < 256; ++i) {
      for (std::size_t w = 0; has(s, i) && w < 4; ++w) sum[w] ^= columns[i][w];
    }
    return sum;
  };
  for (int squared = 0; squared < 128; ++squared) {
    std::vector<State> square;
    for (const State& column : columns) square.push_back(multiplied(column));
    columns = square;
  }
  Xoshiro jumped(9);
  jumped.jump();
  CHECK(jumped == Xoshiro(multiplied(std::bit_cast<State>(Xoshiro(9)))));
}

TEST_CASE("a call allocates nothing, and the automatic choice makes the numbers of the seed") {
  Context ctx = Context::host();
  Array<float> x(ctx, 300000);
  random(ctx, x, Normal<float>(), {.seed = 1});
  const std::size_t before = ctx.allocations();
  random(ctx, x, Normal<float>(), {.seed = 2});
  random(ctx, x, {.seed = 3}, {.bits = portable});
  CHECK(ctx.allocations() == before);
  CHECK(contains(std::string(ctx.last().implementation), "random/custom/"));
  for (const char* name : {"random/vendor/std_mt19937"}) {
    Random::Shape shape;
    CHECK(matching(name).at(0)->refusal(&shape, {Type::f32, OperatorId::none}).empty());
    shape = Random::automatic(shape);
    CHECK_FALSE(matching(name).at(0)->refusal(&shape, {Type::f32, OperatorId::none}).empty());
  }
}

TEST_CASE("odd but legal calls") {
  Context ctx = Context::host();
  LegalCalls count;
  random(ctx, View<float>{nullptr, 0});
  random(ctx, View<std::uint64_t>{nullptr, 0}, Poisson<std::uint64_t>(3));
  count(true);
  // The last numbers that there are.
  std::vector<std::uint32_t> last(3);
  random(ctx, last, {.seed = 5, .offset = ~std::uint64_t{0} - 2});
  count(last[2] == Philox(5).word<std::uint32_t>(~std::uint64_t{0}));
  std::vector<double> end(2);
  random(ctx, end, {.offset = ~std::uint64_t{0} - 1, .generator = Generator::sobol, .dimensions = 32});
  count(end[0] >= 0 && end[1] < 1);
  // Distributions without width, or of the widest.
  count(numbers(3, Normal<double>(-7, 0)) == std::vector<double>{-7, -7, -7});
  count(numbers(2, LogNormal<float>(0, 0)) == std::vector<float>{1, 1});
  count(std::isinf(numbers(1, LogNormal<float>(1000, 1))[0]));
  count(numbers(1, LogNormal<double>(-1000, 1))[0] == 0);
  count(numbers(100, Poisson<std::uint32_t>(1e-300)) == std::vector<std::uint32_t>(100));
  constexpr float kMost = std::numeric_limits<float>::max();
  count(std::isfinite(numbers(1, Uniform<float>(-kMost / 2, kMost / 2))[0]));
  // Dimensions and scrambling without Sobol's points say nothing.
  count(numbers(5, Uniform<float>(), {.dimensions = -9, .scrambling = Scrambling::owen}) ==
        numbers(5, Uniform<float>()));
  // An element is aligned to itself and no more.
  std::vector<float> memory(64);
  for (const int shift : {1, 2, 3, 5, 7}) {
    random(ctx, View<float>{memory.data() + shift, 50}, {.seed = 8, .offset = 3});
    count(memory[static_cast<std::size_t>(shift) + 49] ==
          Uniform<float>()(Philox(8).word<std::uint32_t>(52)));
  }
  CHECK(count.count == 15);
}

TEST_CASE("bad calls") {
  int common = 0;
  const auto of_type = [&]<class T>(T) {
    BadCalls<T> bad(
        "random",
        [](Context& ctx, View<const T>, View<T> out, const Options& options) {
          random(ctx, out, {}, options);
        },
        true, common);
    const std::string op = "random: ";
    for (const std::int64_t n : {1, 32, 1 << 30})
      bad.expect(bad.in, {nullptr, n}, {op, "'out' is null, but its size is " + std::to_string(n)});
    for (const std::int64_t n : {std::int64_t{-1}, INT64_MIN})
      bad.expect(bad.in, {bad.y.data(), n}, {op, "size of 'out' is " + std::to_string(n), "at least 0"});
    bad.expect(bad.in, {bad.y.data(), INT64_MAX}, {op, "overflow 2^63 bytes"});
    for (int bytes = 1; bytes < static_cast<int>(sizeof(T)); ++bytes)
      bad.expect(bad.in, {shifted(bad.y.data(), bytes), 8}, {op, "'out' starts at 0x", "not a multiple"});
    for (const char* use : {"nothing", "custom/nothing", "random/custom", "scan", "*", "serial@simt"})
      bad.expect(bad.in, bad.out, {op + "unknown implementation '" + use + "'", "known: custom/serial"},
                 {.use = use});
  };
  of_type(float()), of_type(double()), of_type(std::uint32_t()), of_type(std::uint64_t());

  Context ctx = Context::host();
  std::vector<double> x(8, -7);
  std::vector<float> y(8, -7);
  std::vector<std::uint32_t> z(8, 7);
  int count = 0;
  const auto bad = [&](auto call, const std::string& part) {
    expect_refused<InvalidArgument>(x, call, {part});
    CHECK(y == std::vector<float>(8, -7));
    CHECK(z == std::vector<std::uint32_t>(8, 7));
    ++count;
  };
  constexpr double inf = std::numeric_limits<double>::infinity(),
                   nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kMost = std::numeric_limits<double>::max();
  const auto uniform = [&](double low, double high) {
    return [&, low, high] { random(ctx, x, Uniform<double>(low, high)); };
  };
  bad(uniform(1, 1), "random: 'low' is 1; it must be below 'high', 1");
  bad(uniform(2, 1), "random: 'low' is 2; it must be below 'high', 1");
  bad(uniform(0.0, -0.0), "it must be below 'high', -0");
  bad(uniform(nan, 1), "random: 'low' is nan; it must be finite");
  bad(uniform(0, nan), "random: 'high' is nan; it must be finite");
  bad(uniform(-inf, 1), "random: 'low' is -inf; it must be finite");
  bad(uniform(0, inf), "random: 'high' is inf; it must be finite");
  bad(uniform(-kMost, kMost), "is more than f64 holds");
  constexpr float kMostFloat = std::numeric_limits<float>::max();
  bad([&] { random(ctx, y, Uniform<float>(-kMostFloat, kMostFloat)); }, "is more than f32 holds");
  for (const double wrong : {nan, inf, -inf}) {
    bad([&] { random(ctx, x, Normal<double>(wrong, 1)); }, "random: 'mean' is");
    bad([&] { random(ctx, x, Normal<double>(0, wrong)); }, "random: 'deviation' is");
    bad([&] { random(ctx, y, Normal<float>(static_cast<float>(wrong), 1)); }, "random: 'mean' is");
    bad([&] { random(ctx, x, LogNormal<double>(wrong, 1)); }, "it must be finite");
    bad([&] { random(ctx, x, LogNormal<double>(0, wrong)); }, "it must be finite");
    bad([&] { random(ctx, z, Poisson<std::uint32_t>(wrong)); }, "it must be above 0 and at most 2^30");
  }
  bad([&] { random(ctx, x, Normal<double>(0, -1)); }, "random: 'deviation' is -1; it must be at least 0");
  bad([&] { random(ctx, y, LogNormal<float>(0, -0x1p-149f)); }, "it must be at least 0");
  for (const double wrong : {0.0, -0.0, -1.0, 0x1.0000001p30, 1e300})
    bad([&] { random(ctx, z, Poisson<std::uint32_t>(wrong)); },
        "of a Poisson distribution it must be above 0 and at most 2^30");
  const RandomKey points{.generator = Generator::sobol};
  bad([&] { random(ctx, z, Poisson<std::uint32_t>(64.5), points); }, "'mean' is 64.5; with Sobol's points");
  for (const int dimensions : {0, -1, 33, INT32_MAX, INT32_MIN}) {
    bad([&] { random(ctx, x, {.generator = Generator::sobol, .dimensions = dimensions}); },
        "random: 'dimensions' is " + std::to_string(dimensions) + "; it must be from 1 to 32");
  }
  for (const std::uint64_t offset : {~std::uint64_t{0}, ~std::uint64_t{0} - 6}) {
    bad([&] { random(ctx, x, {.offset = offset}); },
        "random: 'offset' is " + std::to_string(offset) +
            " and the size of 'out' 8; together they must be at most 2^64");
  }
  bad([&] { random(ctx, x, {.generator = static_cast<Generator>(2)}); }, "random: 'generator' is 2");
  bad([&] { random(ctx, x, {.scrambling = static_cast<Scrambling>(3)}); }, "random: 'scrambling' is 3");
  // Distributions that a type has not, as callers without types may ask.
  const auto erased = [&](Type type, detail::DistributionKind kind) {
    return [&, type, kind] { detail::random(ctx, type, {x.data(), 4}, {kind, 1, 1}, {}, {}); };
  };
  bad(erased(Type::f64, detail::DistributionKind::poisson),
      "random: the distribution Poisson has no numbers of type f64");
  bad(erased(Type::u64, detail::DistributionKind::normal),
      "the distribution normal has no numbers of type u64");
  bad(erased(Type::u32, detail::DistributionKind::log_normal), "has no numbers of type u32");
  // Libraries that make other numbers are none for who asks for these.
  expect_refused<Unavailable>(x, [&] { random(ctx, x, {}, {.use = "std_mt19937", .bits = portable}); },
                              {"its numbers are not those that the seed says"});
  expect_refused<Unavailable>(x, [&] { random(ctx, x, points, {.use = "std_mt19937"}); },
                              {"<random> has no Sobol points"});
  CHECK(count > 40);
  CHECK(common + count > 100);
}

TEST_SUITE_END();

}  // namespace tandem
