#pragma once
// Functions that are compiled twice, for any x86-64 and for one with AVX2; the program's loader picks one.

// Under ThreadSanitizer the code that picks would call its runtime before that is there; AddressSanitizer takes long enough to
// compile a function once.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define TANDEM_CLONES
#elif defined(__clang__)
#define TANDEM_CLONES  // before version 18 it knows no "arch=x86-64-v3"
#else
// GCC would copy the slower one into a caller that it thinks worth it.
#define TANDEM_CLONES [[gnu::noinline, gnu::target_clones("arch=x86-64-v3", "default")]]
#endif
