#pragma once
// The one include of a program that compiles CUDA: all of tandem.h, transform for functors of its own, reduce and scan and their
// forms by segment, by key and along an axis for operators, select for predicates, sort and top_k for comparisons, histogram for bins
// of its own, and tridiagonal for coefficients that a functor computes.
//
//     #include <tandem/functors.cuh>
//     struct Saxpby {
//       float a, b;
//       __device__ float operator()(float x, float y) const { return a * x + b * y; }
//     };
//     tandem::transform(ctx, Saxpby{2, 3}, x, y, z);                  // z[i] = 2·x[i] + 3·y[i]
//     tandem::transform(ctx, MyFourInputs{}, tandem::zip(a, b, c, d), z);  // any number of inputs
//
//     struct Longest {  // of own_operators.h; TANDEM_HD, because a context of the host calls it, too
//       TANDEM_HD int2 operator()(int2 a, int2 b) const { return a.x * a.x + a.y * a.y < b.x * b.x + b.y * b.y ? b : a; }
//     };
//     int2 longest = tandem::reduce(ctx, vectors, Longest{});
//
//     struct Diffusion {  // an implicit step along y of a field of nx × ny × nz
//       const float* u;
//       float k;
//       std::int64_t nx, ny;
//       __device__ tandem::TridiagonalRow<float> operator()(std::int64_t system, std::int64_t row) const {
//         return {-k, 1 + 2 * k, -k, u[system % nx + system / nx * nx * ny + row * nx]};
//       }
//     };
//     tandem::tridiagonal(ctx, Diffusion{u.data(), 0.1f, nx, ny}, next, tandem::sweep(1, nx, ny, nz));
//
// A transform's functor is called as f(x[i], y[i], …) on the device; it and the elements are copied, so both
// must be trivially copyable. Types may differ from array to array; the results need only convert to z's.
// Operators and their accumulators, predicates, comparisons, bins and elements are copied, too; accumulators and elements of sort
// have a default constructor. Lambdas need nvcc's --extended-lambda, functors of the standard library
// --expt-relaxed-constexpr. Arrays, overlap and errors are as for the operations with operators and arrays of
// Tandem's own; the context must be a device's; but for transform and tridiagonal it may be the host's. Each has one
// implementation for functors, so there is nothing to choose (options.use of transform must be empty). Include this file before
// headers of yours that call Tandem: calls that the compiler meets earlier are for the host alone. A template of yours that
// calls Tandem, in files with this include and in files without, is two functions of one name, of which the linker keeps one:
// give each kind of file its own, by a namespace without a name, say.

#include "tandem/functors/histogram.cuh"
#include "tandem/functors/ranks.cuh"
#include "tandem/functors/reduce.cuh"
#include "tandem/functors/scan.cuh"
#include "tandem/functors/segmented_reduce.cuh"
#include "tandem/functors/segmented_scan.cuh"
#include "tandem/functors/select.cuh"
#include "tandem/functors/sort.cuh"
#include "tandem/functors/transform.cuh"
#include "tandem/functors/tridiagonal.cuh"
#include "tandem/tandem.h"
