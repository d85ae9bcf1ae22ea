// Preloaded into a program: from main on, operator new fails at the call number TANDEM_FAIL_AT, and with
// TANDEM_FAIL_FOR_EVER at every later one too. TANDEM_FAIL_REPORT names a file that gets the number of calls.

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "tests/allocations.h"

namespace {

using Main = int (*)(int, char**, char**);
Main program_main;

void report() {
  const long long calls = tandem::operator_new.calls;
  tandem::operator_new.recover();
  if (const char* path = std::getenv("TANDEM_FAIL_REPORT")) {
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    dprintf(file, "%lld\n", calls);
    close(file);
  }
}

int armed_main(int argc, char** argv, char** environment) {
  std::atexit(report);
  const char* at = std::getenv("TANDEM_FAIL_AT");
  tandem::operator_new.fail_at(at ? std::atoll(at) : INT64_MAX, std::getenv("TANDEM_FAIL_FOR_EVER"));
  return program_main(argc, argv, environment);
}

}  // namespace

// glibc calls main through this; what runs before, the libraries' own start, is left alone.
extern "C" int __libc_start_main(Main main, int argc, char** argv, int (*init)(int, char**, char**),
                                 void (*fini)(), void (*rtld_fini)(), void* stack_end) {
  program_main = main;
  using Start = int (*)(Main, int, char**, int (*)(int, char**, char**), void (*)(), void (*)(), void*);
  const auto start = reinterpret_cast<Start>(dlsym(RTLD_NEXT, "__libc_start_main"));
  return start(armed_main, argc, argv, init, fini, rtld_fini, stack_end);
}
