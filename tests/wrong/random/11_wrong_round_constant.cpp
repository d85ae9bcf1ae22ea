// Wrong:   a digit of a product's factor is another one. The numbers look as random as the right ones.
// Caught:  uniform integers, bit by bit.

#include "tests/wrong/random/loop.h"

namespace tandem {
namespace {

/// Philox with another first factor.
std::uint32_t other_word(std::uint64_t seed, std::uint64_t i) {
  std::uint32_t x[4] = {static_cast<std::uint32_t>(i / 4), static_cast<std::uint32_t>(i / 4 >> 32), 0, 0};
  std::uint32_t key[2] = {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)};
  for (int round = 0; round < Philox::kRounds; ++round) {
    const std::uint64_t a = std::uint64_t{Philox::kMultiplier0 ^ 0x100} * x[0];
    const std::uint64_t b = std::uint64_t{Philox::kMultiplier1} * x[2];
    const std::uint32_t next[4] = {
        static_cast<std::uint32_t>(b >> 32) ^ x[1] ^ key[0], static_cast<std::uint32_t>(b),
        static_cast<std::uint32_t>(a >> 32) ^ x[3] ^ key[1], static_cast<std::uint32_t>(a)};
    std::copy(next, next + 4, x);
    key[0] += Philox::kWeyl0, key[1] += Philox::kWeyl1;
  }
  return x[i % 4];
}

template <class C>
void wrong_round_constant(const typename C::Args& a, Context&) {
  if constexpr (std::is_same_v<typename C::T, std::uint32_t>) {
    for (std::int64_t i = 0; i < a.n; ++i)
      a.out[i] = other_word(a.key.seed, a.key.offset + static_cast<std::uint64_t>(i));
  }
}

std::string only_words(const Random::Shape& shape, CaseId id) {
  const bool words =
      id.type == Type::u32 && shape.kind == Random::Kind::uniform && shape.generator == Generator::philox;
  return words ? "" : "makes uniform words of 32 bits alone";
}

REGISTER(Random, wrong_round_constant, .note = "wrong on purpose", .refuses = only_words)

}  // namespace
}  // namespace tandem
