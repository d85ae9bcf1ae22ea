#pragma once
// Tandem: operations that exist twice, as a library call and as hand-written kernels, behind one interface.
//
//     #include <tandem/tandem.h>
//     tandem::Context ctx;                                    // the GPU if there is one, else the CPU
//     tandem::Array<float> x(ctx, values), y(ctx, x.size());
//     tandem::inclusive_scan(ctx, x, y);
//     float total = tandem::reduce(ctx, x);
//     tandem::transform(ctx, tandem::axpy(2.0f), x, y, y);

#include "tandem/array.h"
#include "tandem/context.h"
#include "tandem/error.h"
#include "tandem/matrix.h"
#include "tandem/matrix_market.h"
#include "tandem/npy.h"
#include "tandem/operations.h"
#include "tandem/operators.h"
#include "tandem/options.h"
#include "tandem/posting_files.h"
#include "tandem/sparse_arrays.h"
#include "tandem/sparse_layouts.h"
#include "tandem/sparse_rows.h"
#include "tandem/sparse_vector.h"
#include "tandem/types.h"
#include "tandem/version.h"
