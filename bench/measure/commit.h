#pragma once
// What results say of the build that wrote them. The value of the commit is in a file of its own, so that a commit
// compiles nothing else anew.

namespace tandem::command {

/// "6c7f7be0d1f2", "-dirty" behind it where files differed from it; empty where the tree was no git repository.
extern const char* const kCommit;

/// The form of the files that --json writes: raised where an older reader would take a new file for something else.
inline constexpr int kSchema = 1;

}  // namespace tandem::command
