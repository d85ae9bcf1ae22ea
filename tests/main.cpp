// Runs the tests. A run that needs a GPU (TANDEM_TESTS_NEED_DEVICE) says so and exits with 77 where there is
// none, which ctest shows as skipped.

#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdlib>
#include <iostream>

#include "lib/core/backend.h"

int main(int argc, char** argv) {
  setenv("TANDEM_CHOICE", "", 1);  // no choice table of whoever runs the tests
  if (std::getenv("TANDEM_TESTS_NEED_DEVICE")) {
    if (const std::string reason = tandem::why_no_device(); !reason.empty()) {
      std::cout << "skipped: " << reason << "\n";
      return 77;
    }
  }
  doctest::Context context(argc, argv);
  return context.run();
}
