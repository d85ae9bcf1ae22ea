// A plugin of another version.

#include "tandem/export.h"

namespace {
constexpr int kVersion = 1'000'000;
}

extern "C" TANDEM_API const void* tandem_engine() { return &kVersion; }
