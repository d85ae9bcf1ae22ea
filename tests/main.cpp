// Runs the tests. A run that needs a GPU (TANDEM_TESTS_NEED_DEVICE) says so and exits with 77 where there is
// none, which ctest shows as skipped.

#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdlib>
#include <iostream>

#include "lib/core/backend.h"

namespace {

/// Counts the cases that a run selects: a run of none must not pass.
struct Counter : doctest::IReporter {
  static inline unsigned cases = 0;
  explicit Counter(const doctest::ContextOptions&) {}
  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats& run) override { cases = run.numTestCasesPassingFilters; }
  void test_case_start(const doctest::TestCaseData&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}
};
REGISTER_LISTENER("counter", 1, Counter);

}  // namespace

int main(int argc, char** argv) {
  setenv("TANDEM_CHOICE", "", 1);  // no choice table of whoever runs the tests
  if (std::getenv("TANDEM_TESTS_NEED_DEVICE")) {
    if (const std::string reason = tandem::why_no_device(); !reason.empty()) {
      std::cout << "skipped: " << reason << "\n";
      return 77;
    }
  }
  doctest::Context context(argc, argv);
  const int result = context.run();
  if (context.shouldExit()) return result;  // it printed help or a list
  if (Counter::cases == 0) {
    std::cout << "no test case has such a name: nothing was tested\n";
    return 1;
  }
  return result;
}
