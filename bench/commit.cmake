# Writes commit.cpp into the folder of the build where the commit changed: cmake -D SOURCE=… -D OUTPUT=… -P commit.cmake
execute_process(COMMAND git -C ${SOURCE} describe --always --abbrev=12 --exclude=* --dirty
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT [[
#include "bench/measure/commit.h"

const char* const tandem::command::kCommit = "@commit@";
]] @ONLY)
