#pragma once
// xoshiro256++: a generator with a state, for loops of one thread on the CPU.

#include <array>
#include <cstdint>

namespace tandem {

/// 64 random bits for each call, faster than Philox where one number follows the other: what <random>'s distributions and
/// std::shuffle take. Number i costs the numbers before it, or a skip; random() uses Philox, therefore.
/// Source:  Blackman, Vigna 2021, "Scrambled linear pseudorandom number generators"; skips: Haramoto and others 2008,
///          "Efficient jump ahead for F2-linear random number generators".
class Xoshiro {
 public:
  using result_type = std::uint64_t;
  using State = std::array<std::uint64_t, 4>;

  /// The state is made of the seed by splitmix64 (Steele, Lea, Flood 2014), as its authors advise.
  constexpr explicit Xoshiro(std::uint64_t seed = 0) : state_() {
    for (std::uint64_t& word : state_) {
      std::uint64_t z = seed += 0x9E3779B97F4A7C15;
      z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
      z = (z ^ z >> 27) * 0x94D049BB133111EB;
      word = z ^ z >> 31;
    }
  }
  /// Not all words 0.
  constexpr explicit Xoshiro(const State& state) : state_(state) {}

  static constexpr std::uint64_t min() { return 0; }
  static constexpr std::uint64_t max() { return ~std::uint64_t{0}; }

  constexpr std::uint64_t operator()() {
    const std::uint64_t result = rotated(state_[0] + state_[3], 23) + state_[0], shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = rotated(state_[3], 45);
    return result;
  }

  /// As n calls do, in time O(log n): some 100 µs at most.
  constexpr void skip(std::uint64_t n) {
    Polynomial skips = {1}, power = {2};  // x^0 and x^1: a call multiplies the state by x
    for (; n != 0; n >>= 1) {
      if (n & 1) skips = product(skips, power);
      power = product(power, power);
    }
    apply(skips);
  }
  /// As 2^128 calls: generators of one seed that differ by jumps share no number that a program reaches.
  constexpr void jump() {
    apply({0x180ec6d33cfd0aba, 0xd5a61266f0c9392c, 0xa9582618e03fc9aa, 0x39abdc4529b1661c});
  }
  constexpr bool operator==(const Xoshiro&) const = default;

 private:
  using Polynomial = State;  // over the field of two elements, the coefficient of x^0 in the lowest bit
  // The characteristic polynomial of a call, without x^256.
  static constexpr Polynomial kModulus = {0x9d116f2bb0f0f001, 0x0280002bcefd1a5e, 0x04b4edcf26259f85,
                                          0x0003c03c3f3ecb19};

  static constexpr std::uint64_t rotated(std::uint64_t x, int by) { return x << by | x >> (64 - by); }
  static constexpr bool has(const Polynomial& p, int power) { return p[power / 64] >> (power % 64) & 1; }
  static constexpr void add(Polynomial& to, const Polynomial& p) {
    for (int w = 0; w < 4; ++w) to[w] ^= p[w];
  }
  static constexpr Polynomial product(Polynomial a, const Polynomial& b) {
    Polynomial sum = {};
    for (int power = 0; power < 256; ++power) {
      if (has(b, power)) add(sum, a);
      const bool carry = has(a, 255);
      for (int w = 3; w > 0; --w) a[w] = a[w] << 1 | a[w - 1] >> 63;
      a[0] <<= 1;
      if (carry) add(a, kModulus);
    }
    return sum;
  }
  constexpr void apply(const Polynomial& p) {
    State sum = {};
    for (int power = 0; power < 256; ++power) {
      if (has(p, power)) add(sum, state_);
      (*this)();
    }
    state_ = sum;
  }

  State state_;
};

}  // namespace tandem
