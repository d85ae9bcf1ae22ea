"""A tour of tandem in cells. Run python3 python/examples/tour.py, or open it as a notebook; after #> stands what a cell
prints."""

# %% Arrays stay where they are: nothing is copied, results are of the caller's kind.
import numpy as np
import tandem

x = np.array([3, 1, 4, 1, 5, 9, 2, 6], dtype=np.float32)
print(tandem.scan(x))
print(tandem.scan(x, "maximum", exclusive=True, init=0))
print(tandem.reduce(x), tandem.reduce(x, "minimum"))
#> [ 3.  4.  8.  9. 14. 23. 25. 31.]
#> [0. 3. 3. 4. 4. 5. 9. 9.]
#> 31.0 1.0

# %% `out` takes the result, the input itself included.
y = np.ones_like(x)
tandem.transform("axpy", x, y, alpha=2, out=y)  # y = 2 x + y
print(y)
#> [ 7.  3.  9.  3. 11. 19.  5. 13.]

# %% Matrices keep their layout: a transposed view or a slice is multiplied as it lies.
a, b = x.reshape(2, 4), y.reshape(2, 4)
print(tandem.gemm(a, b.T))
print(tandem.gemm(a[:, 1:3], b[:, 1:3].T, alpha=0.5))
print(tandem.transpose(a).shape)
#> [[ 63.  85.]
#>  [ 98. 314.]]
#> [[19.5 19.5]
#>  [22.5 90.5]]
#> (4, 2)

# %% Heat on two rods, one implicit step: a tridiagonal system for each line along the last axis.
heat = np.zeros((2, 5))
heat[0, 2] = heat[1, 0] = 1
side, middle = np.full(5, -0.5), np.full(5, 2.0)  # one matrix for both
print(tandem.tridiagonal(side, middle, side, heat).round(3))
#> [[0.038 0.154 0.577 0.154 0.038]
#>  [0.536 0.144 0.038 0.01  0.003]]

# %% A matrix without an inverse has a name and a place.
try:
    tandem.tridiagonal(side, np.array([2.0, 2, 0, 2, 2]) * [0, 1, 1, 1, 1], side, heat)
except tandem.SingularSystem as error:
    print(error.system, error.row)
#> 0 0

# %% Documents that hold all words of a query.
ids = np.array([1, 3, 5, 7, 9, 3, 4, 5, 9, 0, 9], dtype=np.uint32)  # three lists, one behind the other
index = tandem.Index(np.array([0, 5, 9, 11]), ids)
offsets, found = tandem.intersect(index, [[0, 1], [0, 1, 2]])
print([found[i:j].tolist() for i, j in zip(offsets, offsets[1:])])
#> [[3, 5, 9], [9]]

# %% Every operation has many implementations; any of them runs by name.
tandem.scan(x, use="custom/serial")
print(tandem.last()[0])
rows = tandem.compare("scan", 10_000, repetitions=3)  # print(rows) shows the table
print(all(row["correct"] for row in rows if not row["reason"]))
#> scan/custom/serial
#> True

# %% What a call does not take is refused before anything is written.
try:
    tandem.scan(x, out=np.empty(8))
except tandem.InvalidArgument as error:  # a ValueError, too
    print(error)
#> scan: 'out' holds float64; it must hold float32, as 'x' does
