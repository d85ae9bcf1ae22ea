#include "program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <tandem/error.h>
#include <tandem/file.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <iostream>
#include <new>
#include <system_error>

#include "terminal.h"

namespace tandem::terminal {
namespace {

constexpr int kFailed = 2;

std::atomic<bool> at_work = false;

/// A library that gives up within the work (OpenMP's does where it cannot start a thread) ends the program by exit(1),
/// which is the status of a wrong result.
void correct_status() {
  if (!at_work) return;
  std::fflush(stdout);
  _exit(kFailed);
}

const char* program_name = "";

/// An exception that leaves a thread of a library (OpenMP's, TBB's) cannot be caught. There may be no memory for a
/// message that is put together.
[[noreturn]] void end_by_exception() {
  try {
    if (const auto thrown = std::current_exception()) std::rethrow_exception(thrown);
    std::fprintf(stderr, "%s: an error in the middle of another one; memory may have run out\n",
                 program_name);
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "%s: out of memory on the host\n", program_name);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", program_name, error.what());
  } catch (...) {
  }
  _exit(kFailed);
}

/// The next file to be opened would get the number of a standard descriptor that is closed, and what is printed
/// would end up in it. A folder takes the number instead: it cannot be read or written either.
void occupy_closed_descriptors() {
  for (int descriptor = 0; descriptor <= STDERR_FILENO; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) < 0) open("/", O_RDONLY | O_DIRECTORY);
  }
}

/// Where nobody can read it, the exit status is left.
void complain(const char* name, const std::string& text) {
  const std::string prefix = fmt::format("{}: ", name);
  std::fputs(printable((text.starts_with(prefix) ? "" : prefix) + text).append("\n").c_str(), stderr);
}

std::string lost_output(const std::string& reason) {
  return "the output cannot be written" + (reason.empty() ? "" : ": " + reason);
}

std::atomic<int> interrupted = 0;  // the signal that asked for it
std::atomic<double> interrupted_at = 0;
std::atomic<const char*> said_of_it = nullptr;

/// Seconds in which a signal that comes again is the same one: `timeout` sends its signal to the process and to its group.
constexpr double kAtOnce = 0.05;

double seconds_now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void interrupt(int number) {
  const int asked = interrupted;
  if (asked == number && seconds_now() - interrupted_at < kAtOnce) return;
  if (asked) {
    file::clean_up_on_signals();
    std::raise(number);
    return;
  }
  interrupted_at = seconds_now();
  interrupted = number;
  const char* const text = said_of_it;
  if (!text) return;
  [[maybe_unused]] const auto written = write(STDERR_FILENO, text, std::strlen(text));
}

}  // namespace

Interruptible::Interruptible(const char* says) {
  said_of_it = says;
  for (const int number : {SIGINT, SIGTERM}) {
    if (std::signal(number, interrupt) == SIG_IGN) std::signal(number, SIG_IGN);
  }
}
Interruptible::~Interruptible() { said_of_it = nullptr; }
bool Interruptible::asked() const { return interrupted; }

void flush() {
  errno = 0;
  std::cout.flush();
  if (std::fflush(stdout) != 0 || std::ferror(stdout) || !std::cout)
    throw Error(lost_output(errno ? std::strerror(errno) : ""));
}

int run_program(const char* name, const char* advice, const std::function<int()>& work) {
  occupy_closed_descriptors();
  std::atexit(correct_status);
  program_name = name;
  std::set_terminate(end_by_exception);
  file::clean_up_on_signals();
  int status = kFailed;
  std::string failure;
  at_work = true;
  try {
    const int end = work();
    flush();
    status = end;
  } catch (const std::bad_alloc&) {
    failure = fmt::format("out of memory on the host; {}", advice);
  } catch (const std::system_error& error) {
    failure = std::ferror(stdout) ? lost_output(error.code().message()) : error.what();
  } catch (const std::exception& error) {
    failure = error.what();
  }
  at_work = false;
  if (!failure.empty()) complain(name, failure);
  return status;
}

int launched_ranks() {
  for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    if (const char* text = std::getenv(variable)) return std::max(1, std::atoi(text));
  }
  return 1;
}

}  // namespace tandem::terminal
