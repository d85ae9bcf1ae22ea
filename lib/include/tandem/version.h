#pragma once
// Tandem's version. CMake reads it from here; CHANGELOG.md says what a change of each number means.

#define TANDEM_VERSION_MAJOR 0
#define TANDEM_VERSION_MINOR 2
#define TANDEM_VERSION_PATCH 0
