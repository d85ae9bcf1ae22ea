#pragma once
// In which order persistent blocks take the tiles of C.

#include "tandem/device/launch.cuh"

namespace tandem {

/// Bands of kBand rows of tiles, each numbered down its columns: blocks that run at one time find their inputs in the
/// L2 cache.
template <int kBand>
struct TileOrder {
  int tiles_m, tiles_n;

  __device__ int count() const { return tiles_m * tiles_n; }
  /// Row and column of a tile, in tiles.
  __device__ void locate(int tile, int& row, int& col) const {
    const int band = tile / (kBand * tiles_n), in_band = tile % (kBand * tiles_n);
    const int height = min(kBand, tiles_m - band * kBand);
    row = band * kBand + in_band % height;
    col = in_band / height;
  }
};

/// For .refuses.
inline bool too_many_tiles(std::int64_t tiles_m, std::int64_t tiles_n) { return tiles_m * tiles_n > 1 << 30; }

}  // namespace tandem
