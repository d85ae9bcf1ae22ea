// Arrays of other libraries as operands: thrust::device_vector as it is, std::mdspan by its pointer and extents.

#if __has_include(<thrust/device_vector.h>)
#define THRUST_DEVICE_SYSTEM \
  THRUST_DEVICE_SYSTEM_CPP  // its vectors lie in the CPU's memory, where every machine can test them
#include <thrust/device_vector.h>
#endif
#if __has_include(<mdspan>)
#include <mdspan>
namespace md = std;
#elif __has_include(<cuda/std/mdspan>)
#include <cuda/std/mdspan>
namespace md = cuda::std;
#endif

#include "tandem/tandem.h"
#include "tests/support.h"

namespace tandem {

TEST_SUITE_BEGIN("borrowed");

#if __has_include(<thrust/device_vector.h>)
TEST_CASE("thrust::device_vector is an operand") {
  Context ctx = Context::host();
  const thrust::device_vector<float> x(1000, 2.0f);
  CHECK(reduce(ctx, x) == 2000);
  thrust::device_vector<float> y(x.size());
  inclusive_scan(ctx, x, y);
  CHECK((y.front() == 2 && y.back() == 2000));
  sort(ctx, y, SortOrder{.descending = true});
  CHECK((y.front() == 2000 && y.back() == 2));
}
#endif

#if __has_include(<mdspan>) || __has_include(<cuda/std/mdspan>)
TEST_CASE("std::mdspan is an operand by its pointer and extents") {
  Context ctx = Context::host();
  std::vector<float> values{1, 2, 3, 4, 5, 6}, turned(6);
  const md::mdspan<float, md::dextents<std::int64_t, 2>> m(values.data(), 2, 3);
  const View<float> all{m.data_handle(), static_cast<std::int64_t>(m.size())};
  CHECK(reduce(ctx, all) == 21);
  transpose(ctx, matrix(all, m.extent(0), m.extent(1)), matrix(turned, 3, 2));
  CHECK((turned == std::vector<float>{1, 4, 2, 5, 3, 6}));
}
#endif

TEST_SUITE_END();

}  // namespace tandem
