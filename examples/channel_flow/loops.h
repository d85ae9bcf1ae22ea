#pragma once
// What runs the functors of scheme.h and sweep.h: CPU loops (loops.cpp) or GPU kernels (device.cu).

#include <memory>

#include "sweep.h"

namespace channel {

template <class T>
class Loops {
 public:
  virtual ~Loops() = default;
  /// Calls the functor at every node, without waiting. No node reads what another one writes.
  virtual void run(const Start<T>& f) = 0;
  virtual void run(const Residual<T>& f) = 0;
  virtual void run(const Fraction<T>& f) = 0;
  virtual void run(const Coefficients<T>& f) = 0;
  virtual void run(const Update<T>& f) = 0;
  virtual void run(const Continuity<T>& f) = 0;
  /// Solves all lines of a fused sweep. Throws tandem::Unavailable where lines are too long.
  virtual void run(const Sweep<T>& f) = 0;

  static constexpr int kMarks = 4;
  /// Records the time at which all work queued before is done. seconds(), between two marks, needs all work
  /// to be done.
  virtual void mark(int number) = 0;
  virtual double seconds(int from, int to) = 0;
};

template <class T>
std::unique_ptr<Loops<T>> make_host_loops();
template <class T>
std::unique_ptr<Loops<T>> make_device_loops(tandem::Context& ctx);

/// The loops of the place where ctx computes. Throws tandem::Unavailable for a GPU when this program was
/// built without nvcc.
template <class T>
std::unique_ptr<Loops<T>> make_loops(tandem::Context& ctx);

}  // namespace channel
