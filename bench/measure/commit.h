#pragma once
// The commit of this build. Its value is in a file of its own, so that a commit compiles nothing else anew.

namespace tandem::command {

/// "6c7f7be0d1f2", "-dirty" behind it where files differed from it; empty where the tree was no git repository.
extern const char* const kCommit;

}  // namespace tandem::command
