#pragma once
// Written by cmake/implementations.cmake: the header of every operation.

#include "tandem/gemm.h"
#include "tandem/histogram.h"
#include "tandem/intersect.h"
#include "tandem/random.h"
#include "tandem/reduce.h"
#include "tandem/reduce_by_key.h"
#include "tandem/scan.h"
#include "tandem/segmented_reduce.h"
#include "tandem/segmented_scan.h"
#include "tandem/select.h"
#include "tandem/sort.h"
#include "tandem/spmv.h"
#include "tandem/top_k.h"
#include "tandem/transform.h"
#include "tandem/transpose.h"
#include "tandem/tridiagonal.h"
