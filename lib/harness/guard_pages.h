#pragma once
// Host memory between pages that nothing may touch. Who does, on whatever thread, is noted and goes on: the
// pages open, so that a test can say what happened instead of dying of it.

#include <cstddef>

#include "tandem/export.h"

namespace tandem {

class TANDEM_API GuardPages {
 public:
  /// At least so many bytes. Throws OutOfMemory.
  explicit GuardPages(std::size_t bytes);
  GuardPages(const GuardPages&) = delete;
  ~GuardPages();

  std::byte* begin() const { return begin_; }
  std::byte* end() const { return end_; }
  /// Closes pages that were touched.
  void close();
  /// The first address outside that was touched since, or null.
  const std::byte* touched() const;

 private:
  std::byte *begin_, *end_;
  int slots_[2];  // of the pages before and behind
};

}  // namespace tandem
