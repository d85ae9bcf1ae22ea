#include "loops.h"

#include <chrono>

namespace channel {
namespace {

constexpr std::int64_t kSerialNodes = 1 << 12;  // below, starting threads costs more than it saves

template <class T>
class HostLoops final : public Loops<T> {
  using Clock = std::chrono::steady_clock;

 public:
  void run(const Start<T>& f) override { at_nodes(f); }
  void run(const Residual<T>& f) override { at_nodes(f); }
  void run(const Fraction<T>& f) override { at_nodes(f); }
  void run(const Coefficients<T>& f) override { each(0, f.extent, f); }
  void run(const Update<T>& f) override { at_nodes(f); }
  void run(const Continuity<T>& f) override { at_nodes(f); }
  void run(const Sweep<T>& f) override {
    const Scheme<T>& s = f.scheme;
    const int p = f.axis == 0 ? 1 : 0, q = f.axis == 2 ? 1 : 2;  // the other two axes
#pragma omp parallel for collapse(2) schedule(static) if (s.n[0] * s.n[1] * s.n[2] > kSerialNodes)
    for (std::int64_t i = 0; i < s.n[p]; ++i) {
      for (std::int64_t j = 0; j < s.n[q]; ++j) f.template line<1>(i * s.stride[p] + j * s.stride[q]);
    }
  }

  void mark(int number) override { marks_[number] = Clock::now(); }
  double seconds(int from, int to) override {
    return std::chrono::duration<double>(marks_[to] - marks_[from]).count();
  }

 private:
  template <class F>
  static void at_nodes(const F& f) {
    const Scheme<T>& s = f.scheme;
    each(s.planes.first, {s.planes.count, s.n[1], s.n[2]}, f);
  }
  template <class F>
  static void each(std::int64_t first, const std::int64_t (&n)[3], const F& f) {
#pragma omp parallel for collapse(2) schedule(static) if (n[0] * n[1] * n[2] > kSerialNodes)
    for (std::int64_t i = first; i < first + n[0]; ++i) {
      for (std::int64_t j = 0; j < n[1]; ++j) {
        for (std::int64_t k = 0; k < n[2]; ++k) f({i, j, k});
      }
    }
  }
  Clock::time_point marks_[Loops<T>::kMarks];
};

}  // namespace

template <class T>
std::unique_ptr<Loops<T>> make_host_loops() {
  return std::make_unique<HostLoops<T>>();
}

template <class T>
std::unique_ptr<Loops<T>> make_loops(tandem::Context& ctx) {
  if (ctx.place() != tandem::Place::device) return make_host_loops<T>();
#ifdef CHANNEL_FLOW_DEVICE
  return make_device_loops<T>(ctx);
#else
  throw tandem::Unavailable(
      "channel_flow: this program was built without nvcc; build it with TANDEM_DEVICE=ON, or run --on cpu");
#endif
}

template std::unique_ptr<Loops<float>> make_host_loops<float>();
template std::unique_ptr<Loops<double>> make_host_loops<double>();
template std::unique_ptr<Loops<float>> make_loops<float>(tandem::Context&);
template std::unique_ptr<Loops<double>> make_loops<double>(tandem::Context&);

}  // namespace channel
