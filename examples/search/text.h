#pragma once
// What the commands print, and the options that they share.

#include <tandem/tandem.h>

#include <chrono>
#include <string>
#include <vector>

namespace search {

enum Exit { kSuccess = 0, kNothing = 1, kBadUsage = 2, kInterrupted = 130 };

/// Seconds since it was made.
class Clock {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// 3.21 ms, 12.4 µs
std::string show_time(double seconds);
/// 3.2 MB: in powers of ten.
std::string show_bytes(double bytes);

/// Rows of cells in aligned columns; the first row is the heading. Numbers stand at the right.
void print_table(const std::vector<std::vector<std::string>>& rows);

/// One line on stderr in place of the one before, where stderr is a terminal; nothing otherwise.
void show_progress(const std::string& line);

/// "host" or "device". Throws tandem::Unavailable without a GPU.
tandem::Context context_on(const std::string& place);

}  // namespace search
