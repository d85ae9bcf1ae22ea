#pragma once
// Fibres for the threads of a block: small stacks that can be left in the middle and gone back to.

#include <boost/context/fiber.hpp>
#include <cstddef>
#include <deque>
#include <functional>
#include <vector>

namespace tandem::simt {

/// Belongs to one OS thread. A fibre runs `work` again and again; between two runs it is free.
class Fibres {
 public:
  explicit Fibres(std::function<void(unsigned fibre)> work);
  Fibres(const Fibres&) = delete;
  ~Fibres();

  /// One that is free.
  unsigned take();
  /// Goes on with a fibre until it yields or its work is done. Called from outside.
  void resume(unsigned fibre);
  /// Back to whoever resumed this fibre. Called from inside.
  void yield(unsigned fibre);
  /// Gives up all fibres, wherever they are. Nothing is unwound; their stacks are used again.
  void abandon();
  /// Is this address on one of the stacks?
  bool hold(const std::byte* address) const { return std::size_t(address - stacks_) < kBytes; }

 private:
  struct Fibre {
    boost::context::fiber here;       // where to resume it
    boost::context::fiber scheduler;  // where it returns to
  };
  boost::context::fiber run(unsigned fibre, boost::context::fiber&& scheduler);
  std::byte* bottom(unsigned fibre) const { return stacks_ + fibre * kStackBytes; }

  static constexpr std::size_t kStackBytes = 64 * 1024;
  static constexpr std::size_t kGuardBytes = 4096;  // below each
  static constexpr std::size_t kBytes = 1024 * kStackBytes;

  std::function<void(unsigned)> work_;
  std::byte* stacks_;  // one mapping; pages cost nothing until a fibre touches them
  std::deque<Fibre> fibres_;
  std::vector<unsigned> free_;
#if defined(__SANITIZE_ADDRESS__)
  const void* scheduler_bottom_ = nullptr;
  std::size_t scheduler_bytes_ = 0;
#endif
};

}  // namespace tandem::simt
