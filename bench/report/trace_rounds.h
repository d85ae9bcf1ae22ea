#pragma once
// The rounds of a kernel's first warp, for all that shows them: what each lane costs, and which rounds repeat others.

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "lib/simt/traffic.h"

namespace tandem::command {

inline constexpr int kLanes = 32;

/// How much more than the least: passes through shared memory for a lane's bank, or sectors for the request.
struct Cost {
  const char *colour, *meaning;
};
inline constexpr Cost kCosts[] = {{"#d7eadb", "as few as can be"},
                                  {"#fbeeb0", "2 times as many"},
                                  {"#f8c98a", "4 times"},
                                  {"#ef9a84", "8 times or more"},
                                  {"#d3e2f5", "a shuffle (from that thread) or a vote"}};
inline constexpr int kExchange = 4, kWaits = -1;
/// Of each lane an index of kCosts, or kWaits.
std::array<int, kLanes> costs(const simt::Round& round);

/// A shuffle or a vote.
bool exchanges(const simt::Round& round);
/// "loads shared"
std::string deed(const simt::Round& round);
/// What a round of memory costs, in two lines: "9 sectors", "(4 would do)".
std::pair<std::string, std::string> verdict(const simt::Round& round);
/// The element that a lane touches, counted in its array or in shared memory; of a shuffle the thread.
std::uint64_t element(const simt::Round& round, int lane, std::size_t element_bytes);
/// The bank of shared memory that a lane touches (first).
std::uint64_t bank(const simt::Round& round, int lane);
/// The 32-byte sector of a global array that a lane touches (first).
std::uint64_t sector(const simt::Round& round, int lane);

/// A round that is shown, or rounds that are left out since they repeat those before them.
struct ShownRound {
  std::size_t round;         // which; the first that is left out
  std::size_t left_out = 0;  // how many: 0 says that the round is shown
  std::size_t period = 0;    // how many rounds they repeat …
  std::size_t first = 0;     // … which begin in this row
  int depth = 0;             // of folds in folds
};
struct ShownRounds {
  std::vector<ShownRound> rows;
  std::size_t seen;  // rounds that are shown or repeat what is shown; those after them are cut
};
/// `most`: rounds that are shown.
ShownRounds folded(const std::vector<simt::Round>& rounds, std::size_t most);
/// Were all rounds of the warp recorded?
bool complete(const std::vector<simt::Round>& rounds);

/// The launch whose warp is shown.
const simt::LaunchTraffic& most_requests(const std::vector<simt::LaunchTraffic>& launches);

}  // namespace tandem::command
