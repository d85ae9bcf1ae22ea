#pragma once
// cuRAND's host API. A generator is made once for a context, a seed and an offset, and goes on with each call, as in a
// program that calls it in a loop.

#include <curand.h>

#include <climits>
#include <memory>

#include "lib/ops/random/contract.h"
#include "tandem/device/launch.cuh"
#include "vendor_wrappers/common/last_made.cuh"

namespace tandem {

inline void check(curandStatus_t status, const Context& ctx, const char* call) {
  if (status == CURAND_STATUS_SUCCESS) return;
  if (status == CURAND_STATUS_ALLOCATION_FAILED) throw OutOfMemory("device", 0, 0);
  throw DeviceError(std::string(ctx.last().implementation) + ": " + call, status, "cuRAND reports an error");
}

inline std::string curand_version() { return detail::version("cuRAND", CURAND_VER_MAJOR, CURAND_VER_MINOR); }

/// The generator of a type, where it was left by the last call with this key, or made and set anew.
inline curandGenerator_t curand_generator(Context& ctx, curandRngType_t type, const char* name,
                                          const RandomKey& key) {
  struct Kept {
    std::unique_ptr<curandGenerator_st, curandStatus_t (*)(curandGenerator_t)> generator;
    RandomKey key;
  };
  auto& kept = ctx.keep<LastMade<Kept>>(name, [] { return LastMade<Kept>(); });
  const bool same = kept.get() && kept.get()->key.seed == key.seed && kept.get()->key.offset == key.offset &&
                    kept.get()->key.dimensions == key.dimensions;
  if (!same) {
    curandGenerator_t made = nullptr;
    check(curandCreateGenerator(&made, type), ctx, "curandCreateGenerator");
    auto next = std::make_shared<Kept>(Kept{{made, curandDestroyGenerator}, key});
    if (type == CURAND_RNG_QUASI_SOBOL32 || type == CURAND_RNG_QUASI_SOBOL64)
      check(curandSetQuasiRandomGeneratorDimensions(made, static_cast<unsigned>(key.dimensions)), ctx,
            "curandSetQuasiRandomGeneratorDimensions");
    else
      check(curandSetPseudoRandomGeneratorSeed(made, key.seed), ctx, "curandSetPseudoRandomGeneratorSeed");
    if (type != CURAND_RNG_PSEUDO_MTGP32)
      check(curandSetGeneratorOffset(made, key.offset), ctx, "curandSetGeneratorOffset");
    kept.replace(std::move(next));  // only now: one that is not set is not kept
  }
  const curandGenerator_t generator = kept.get()->generator.get();
  check(curandSetStream(generator, static_cast<cudaStream_t>(ctx.stream())), ctx, "curandSetStream");
  kept.keep_if_recorded(ctx);
  return generator;
}

/// What cuRAND's host API does not make: of its own numbers, or of a generator's.
template <bool kSobol>
std::string curand_refuses(const Random::Shape& s, CaseId id) {
  if (!only_other_numbers(s).empty()) return only_other_numbers(s);
  if (kSobol != (s.generator == Generator::sobol))
    return kSobol ? "makes Sobol's points alone" : "makes no Sobol points";
  if (kSobol && (s.n % s.dimensions != 0 || id.type == Type::u64))
    return "makes whole points of 32 bits, coordinate by coordinate";
  if (s.kind == Random::Kind::uniform && !s.unit) return "makes uniform numbers of (0, 1] alone";
  const bool pairs = s.kind == Random::Kind::normal || s.kind == Random::Kind::log_normal;
  if (pairs && !kSobol && s.n % 2 != 0) return "makes an even number of normal numbers";
  if (s.kind == Random::Kind::poisson && id.type == Type::u64) return "makes Poisson numbers of 32 bits";
  // Of 2^31 + 3 words MTGP32 wrote past the array's end, and Philox's were not uniform (CUDA 13.0, H200).
  if (s.n > INT_MAX / (static_cast<std::int64_t>(size_of(id.type)) / 4))
    return "is not asked for more than 2^31 - 1 words at once, which cuRAND gets wrong";
  if (s.mean > 400'000) return "makes Poisson numbers of a mean of at most 400,000";
  return "";
}

/// cuRAND stores packs of 16 bytes; an array that is not aligned to them gets a copy.
template <class C>
void curand_fill(typename C::Args a, Context& ctx, curandRngType_t type, const char* name) {
  using T = typename C::T;
  T* const asked = a.out;
  if (reinterpret_cast<std::uintptr_t>(asked) % 16 != 0) a.out = ctx.scratch<T>(a.n);
  const curandGenerator_t generator = curand_generator(ctx, type, name, a.key);
  const auto n = static_cast<std::size_t>(a.n);
  const auto& [kind, first, second] = a.distribution;
  if constexpr (std::is_same_v<T, float>) {
    const float x = static_cast<float>(first), y = static_cast<float>(second);
    if (kind == Random::Kind::uniform)
      check(curandGenerateUniform(generator, a.out, n), ctx, "curandGenerateUniform");
    else if (kind == Random::Kind::normal)
      check(curandGenerateNormal(generator, a.out, n, x, y), ctx, "curandGenerateNormal");
    else
      check(curandGenerateLogNormal(generator, a.out, n, x, y), ctx, "curandGenerateLogNormal");
  } else if constexpr (std::is_same_v<T, double>) {
    if (kind == Random::Kind::uniform)
      check(curandGenerateUniformDouble(generator, a.out, n), ctx, "curandGenerateUniformDouble");
    else if (kind == Random::Kind::normal)
      check(curandGenerateNormalDouble(generator, a.out, n, first, second), ctx,
            "curandGenerateNormalDouble");
    else
      check(curandGenerateLogNormalDouble(generator, a.out, n, first, second), ctx,
            "curandGenerateLogNormalDouble");
  } else if (kind == Random::Kind::poisson) {
    if constexpr (sizeof(T) == 4)
      check(curandGeneratePoisson(generator, a.out, n, first), ctx, "curandGeneratePoisson");
  } else {
    check(curandGenerate(generator, reinterpret_cast<unsigned*>(a.out), n * (sizeof(T) / 4)), ctx,
          "curandGenerate");
  }
  if (asked != a.out) ctx.copy(asked, a.out, n * sizeof(T));
}

}  // namespace tandem
