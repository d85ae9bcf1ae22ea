#pragma once
// Tandem: operations that exist twice, as a library call and as hand-written kernels, behind one interface.
//
//     #include <tandem/tandem.h>
//     tandem::Context ctx;                                    // the GPU if there is one, else the CPU
//     tandem::Array<float> x(ctx, values), y(ctx, x.size());
//     tandem::inclusive_scan(ctx, x, y);
//     float total = tandem::reduce(ctx, x);
//     tandem::transform(ctx, tandem::axpy(2.0f), x, y, y);

#include "lib/ops/gemm/contract.h"
#include "lib/ops/intersect/contract.h"
#include "tandem/posting_files.h"
#include "lib/ops/reduce/contract.h"
#include "lib/ops/scan/contract.h"
#include "lib/ops/transform/contract.h"
#include "lib/ops/transpose/contract.h"
#include "lib/ops/tridiagonal/contract.h"
