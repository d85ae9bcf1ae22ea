#pragma once
// Libraries whose loops run on a team of OpenMP's threads.

namespace tandem {

/// For .by_name_only. A thread whose core another process has keeps the others of its team waiting, and they wait awake.
inline constexpr const char* kAwakeTeam = "OpenMP's threads wait for each other awake";

}  // namespace tandem
