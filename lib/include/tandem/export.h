#pragma once
// TANDEM_API marks what libtandem.so shows to others; everything else is hidden. TANDEM_HD marks functions
// that kernels call too; under a host compiler it says nothing. TANDEM_UNROLL stands before a loop of few rounds.

#define TANDEM_API __attribute__((visibility("default")))

#ifdef __CUDACC__
#define TANDEM_HD __host__ __device__
#else
#define TANDEM_HD
#endif

#if defined(__CUDACC__) || defined(__clang__)
#define TANDEM_UNROLL _Pragma("unroll")
#else
#define TANDEM_UNROLL _Pragma("GCC unroll 32")
#endif
