#pragma once
// What several test files need.

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <typeinfo>
#include <vector>

#include "tandem/error.h"

namespace tandem {

/// what() of the E that `action` throws; anything else fails the test. E itself, not a class derived from it.
template <class E, class Action>
std::string thrown(Action&& action) {
  try {
    action();
  } catch (const E& error) {
    const bool exactly = typeid(error) == typeid(E);
    CHECK_MESSAGE(exactly, "thrown is a derived ", typeid(error).name());
    CHECK_MESSAGE(std::string(error.what()).find('\n') == std::string::npos,
                  "more than one line: ", error.what());
    return error.what();
  } catch (const std::exception& error) {
    FAIL_CHECK("thrown is another exception: ", typeid(error).name(), ": ", error.what());
    return {};
  }
  FAIL_CHECK("nothing was thrown");
  return {};
}

/// All that is worth repeating (make thorough), or the part that CI has time for.
inline bool thorough() { return std::getenv("TANDEM_THOROUGH") != nullptr; }

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// How many bad calls this program made.
inline int refused_calls = 0;

/// A bad call: it throws an E whose message says all parts, and what is watched stays as it was, bit by bit.
template <class E, class T, class Call>
void expect_refused(const std::vector<T>& watched, Call&& call, const std::vector<std::string>& parts) {
  ++refused_calls;
  const std::vector<T> before = watched;
  const std::string message = thrown<E>(call);
  CHECK(std::memcmp(before.data(), watched.data(), watched.size() * sizeof(T)) == 0);
  for (const std::string& part : parts)
    CHECK_MESSAGE(contains(message, part), "'", message, "' does not say '", part, "'");
}

/// The same pointer some bytes on: not a multiple of its alignment.
template <class T>
T* shifted(T* pointer, int bytes) {
  return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(pointer) + static_cast<std::uintptr_t>(bytes));
}

/// An empty directory that vanishes with everything in it.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "tandem-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory() { std::filesystem::remove_all(path_); }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  /// How many entries it holds.
  long count() const {
    return std::distance(std::filesystem::directory_iterator(path_), std::filesystem::directory_iterator());
  }

 private:
  std::filesystem::path path_;
};

}  // namespace tandem
