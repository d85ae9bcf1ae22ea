#pragma once
// What a test asks of the runtime in cuda_faults.cpp.

#include <cstdint>

namespace tandem {

class CudaFaults {
 public:
  /// Fails the call of this index, from 0.
  virtual void fail_at(std::int64_t index) = 0;
  /// No call fails any more, and device 0 is current.
  virtual void recover() = 0;
  /// Calls since the last fail_at().
  virtual std::int64_t calls() const = 0;
  /// The call that failed since then, null where none did, and whether it gives something back, so that
  /// nobody has to hear of its failure.
  virtual const char* failed() const = 0;
  virtual bool failed_while_giving_back() const = 0;
  /// Pieces of memory, streams, events, graphs and handles that were not given back.
  virtual std::int64_t live() const = 0;
  /// What cudaGetLastError would return, and forgets it.
  virtual int error_left() = 0;
  /// What was given back twice, or never taken.
  virtual std::int64_t mismatches() const = 0;

 protected:
  ~CudaFaults() = default;
};

}  // namespace tandem

/// Found by dlsym where that runtime is loaded.
extern "C" tandem::CudaFaults* tandem_cuda_faults();
