#pragma once
// Parallel loops whose body can throw: no exception may leave an OpenMP region.

#include <exception>
#include <utility>

namespace tandem {

/// Keeps the first exception of the threads of a loop, to be thrown behind it:
///
///     FirstError error;
///     #pragma omp parallel for
///     for (…) error.keep([&] { … });
///     error.rethrow();
class FirstError {
 public:
  template <class Work>
  void keep(Work&& work) noexcept {
    try {
      work();
    } catch (...) {
#pragma omp critical(tandem_first_error)
      if (!error_) error_ = std::current_exception();
    }
  }
  void rethrow() {
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

 private:
  std::exception_ptr error_;
};

}  // namespace tandem
