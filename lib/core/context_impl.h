#pragma once
// What a context holds, and how a call begins and ends.

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/core/backend.h"
#include "tandem/context.h"
#include "tandem/error.h"

namespace tandem {

class Ranking;  // lib/core/choice.cpp

struct Context::Impl {
  explicit Impl(std::shared_ptr<Backend> backend);
  ~Impl();

  void* scratch(std::int64_t count, std::size_t size);
  void* state(std::string_view key, std::int64_t count, std::size_t size);

  /// Scratch starts anew, the profiler is told, and on the executor kernels may touch what was lent.
  TANDEM_API void begin_call(LastCall call, Place place);
  TANDEM_API void end_call() noexcept;
  /// The caller's memory, which kernels may touch until the call ends.
  TANDEM_API void lend(const void* memory, std::size_t bytes);
  /// Withdraws what was lent, for a call that failed its argument checks.
  void forget_lent() noexcept { lent.clear(); }

  struct Block {
    std::byte* memory;
    std::size_t bytes;
    std::string key;  // empty: scratch
  };
  struct Range {
    const void* memory;
    std::size_t bytes;
  };

  std::shared_ptr<Backend> backend;
  /// Shared by nobody else: a weak pointer to it tells whether the context has ended.
  std::shared_ptr<const void> life = std::make_shared<char>();
  std::string forced;  // TANDEM_USE when the context was made
  /// Fills scratch with NaN patterns, so that what kernels never wrote shows, and puts a canary behind each
  /// piece.
  bool poison_scratch = false;
  /// Which piece of poisoned scratch the last call wrote past; empty when none.
  TANDEM_API std::string scratch_damage();
  /// The scratch of the running call, up to so many bytes.
  TANDEM_API std::vector<std::span<const std::byte>> scratch_contents(std::size_t most) const;
  std::vector<Block> blocks;
  std::vector<std::pair<std::string, Kept>> kept;
  std::vector<const Ranking*> rankings;  // by slot (lib/core/choice.h), null until a call asks
  LastCall last;

 private:
  std::byte* take(std::size_t bytes, std::string_view key);
  void expose_lent();
  void conceal_lent() noexcept;

  std::vector<Range> lent;              // and scratch of the running call
  std::size_t exposed = 0;              // how many of these kernels may touch now
  std::vector<Range> canaries;          // of the last call
  bool on_executor = false;             // the running call
  std::size_t current = 0, offset = 0;  // scratch: the block in use and how much of it is taken
};

inline Backend& backend(const Context& ctx) { return *ctx.impl().backend; }

/// Runs the work of an operation's entry point, from its argument checks on.
template <class Work>
decltype(auto) public_call(Context& ctx, Work&& work) {
  const detail::Lending lending(ctx);
  return detail::translated(work);
}

}  // namespace tandem
