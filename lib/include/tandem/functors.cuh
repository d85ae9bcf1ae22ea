#pragma once
// The one include of a program that compiles CUDA: all of tandem.h, transform for functors of its own, and
// tridiagonal for coefficients that a functor computes.
//
//     #include <tandem/functors.cuh>
//     struct Saxpby {
//       float a, b;
//       __device__ float operator()(float x, float y) const { return a * x + b * y; }
//     };
//     tandem::transform(ctx, Saxpby{2, 3}, x, y, z);                  // z[i] = 2·x[i] + 3·y[i]
//     tandem::transform(ctx, MyFourInputs{}, tandem::zip(a, b, c, d), z);  // any number of inputs
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
// Lambdas need nvcc's --extended-lambda. Arrays, overlap and errors are as for transform and tridiagonal with
// operators and arrays of Tandem's own; the context must be a device's. Each has one implementation for
// functors, so there is nothing to choose (options.use of transform must be empty).

#include "tandem/functors/transform.cuh"
#include "tandem/functors/tridiagonal.cuh"
#include "tandem/tandem.h"
