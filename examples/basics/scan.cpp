// 1. Arrays, a call, and another operator.

#include <tandem/tandem.h>

#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

namespace {

void print(const std::string& what, const tandem::Array<std::int32_t>& array) {
  std::cout << what << ':';
  for (const std::int32_t value : array.to_vector())
    std::cout << ' ' << value;  // to_vector waits, then copies to the host
  std::cout << '\n';
}

}  // namespace

int main() {
  tandem::Context ctx;  // the GPU if there is one, else the CPU
  const std::vector<std::int32_t> values{3, 1, 4, 1, 5, 9, 2, 6};
  tandem::Array<std::int32_t> x(ctx, values), y(ctx, x.size());  // memory where ctx computes
  print("values", x);

  tandem::inclusive_scan(ctx, x, y);  // y[i] = x[0] + … + x[i]
  print("running sum", y);
  tandem::exclusive_scan(ctx, x, y);  // y[i] = x[0] + … + x[i − 1]
  print("sum of those before", y);
  tandem::inclusive_scan(ctx, x, y, tandem::maximum);
  print("running maximum", y);

  const std::int32_t sum = tandem::reduce(ctx, x);  // waits for the value
  const std::int32_t least = tandem::reduce(ctx, x, tandem::minimum);
  std::cout << "sum " << sum << ", least " << least << '\n';
}
