#pragma once
// Memory that runs out: operator new of this program, which counts and fails on request, and an allocator of
// a context that does the same.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <new>

#include "tandem/context.h"

namespace tandem {

/// operator new of the whole program (allocations.cpp), all threads together.
struct OperatorNew {
  std::atomic<std::int64_t> live = 0;  // blocks
  std::atomic<std::int64_t> calls = 0;
  std::atomic<std::int64_t> failures = 0;
  /// Fails the call of this index, from 0, and with `for_ever` every later one too.
  void fail_at(std::int64_t index, bool for_ever) {
    failures = 0;
    calls = 0;
    for_ever_ = for_ever;
    fail_at_ = index;
  }
  void recover() { fail_at_ = INT64_MAX; }
  void* allocate(std::size_t bytes, std::size_t alignment) noexcept;  // null where it fails
  void release(void* memory) noexcept;

 private:
  std::atomic<std::int64_t> fail_at_ = INT64_MAX;
  std::atomic<bool> for_ever_ = false;
};
extern OperatorNew operator_new;

/// Counts what passes the allocator hook and fails at one index, or from one index on.
class Ledger : public Allocator {
 public:
  std::map<void*, std::size_t> live;
  std::size_t allocations = 0, mismatches = 0;
  std::size_t fail_at = SIZE_MAX;
  bool for_ever = false;

  void* allocate(std::size_t bytes) override {
    const std::size_t index = allocations++;
    if (index == fail_at || (for_ever && index > fail_at)) return nullptr;
    void* memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
    try {
      live[memory] = bytes;
    } catch (const std::bad_alloc&) {  // operator new fails, too, where a test says so
      std::free(memory);
      return nullptr;
    }
    return memory;
  }
  void release(void* memory, std::size_t bytes) noexcept override {
    const auto found = live.find(memory);
    if (found == live.end() || found->second != bytes)
      ++mismatches;
    else
      live.erase(found);
    std::free(memory);
  }
};

}  // namespace tandem
