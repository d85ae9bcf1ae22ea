#pragma once
// Fibres for the threads of a block: small stacks that can be left in the middle and gone back to.

#include <boost/context/fiber.hpp>
#include <cstddef>
#include <deque>
#include <functional>
#include <vector>

#include "lib/simt/executor.h"

namespace tandem::simt {

/// Belongs to one OS thread. A fibre runs `work` again and again; between two runs it is free. What `work` returns goes
/// on behind it: another fibre, or kWhoeverResumed.
class Fibres {
 public:
  static constexpr unsigned kWhoeverResumed = ~0u;

  explicit Fibres(std::function<unsigned(unsigned fibre)> work);
  Fibres(const Fibres&) = delete;
  ~Fibres();

  /// One that is free.
  unsigned take();
  /// Goes on with a fibre until it yields or its work is done. Called from outside.
  void resume(unsigned fibre);
  /// Back to whoever resumed a fibre last. Called from inside.
  void yield(unsigned fibre);
  /// Stops here and goes on with another fibre: half of the way through whoever resumes them. Called from inside.
  void hand_over(unsigned fibre, unsigned to);
  bool any_free() const { return !free_.empty(); }
  /// Gives up all fibres, wherever they are. Nothing is unwound; their stacks are used again.
  void abandon();
  /// Where all stacks lie.
  Unwatched::Range stacks() const { return {stacks_, kBytes}; }

 private:
  using Place = boost::context::fiber;  // where to go on

  Place run(unsigned fibre, Place&& left);
  void go(Place& from, Place& to, const void* bottom, std::size_t bytes);
  void arrive(Place&& left);
  std::byte* bottom(unsigned fibre) const { return stacks_ + fibre * kStackBytes; }
  static std::size_t bytes(unsigned fibre) { return kStackBytes - fibre * kLine % kPage; }

  // If all stacks began at the same offset within a page, what threads touch would fall into a few sets of the L1 cache and
  // push itself out. So each begins a line below the one before, within one page more.
  static constexpr std::size_t kLine = 64, kPage = 4096;
  static constexpr std::size_t kStackBytes = 64 * 1024 + kPage;
  static constexpr std::size_t kGuardBytes = kPage;  // below each
  static constexpr std::size_t kBytes = 1024 * kStackBytes;

  std::function<unsigned(unsigned)> work_;
  std::byte* stacks_;  // one mapping; pages cost nothing until a fibre touches them
  std::deque<Place> fibres_;
  Place scheduler_;
  Place* left_ = nullptr;  // of whoever stopped last
  std::vector<unsigned> free_;
  const void* scheduler_bottom_ = nullptr;  // AddressSanitizer alone wants to know
  std::size_t scheduler_bytes_ = 0;
};

}  // namespace tandem::simt
