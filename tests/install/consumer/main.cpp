#include <tandem/tandem.h>

#include <iostream>
#include <vector>

int main() {
  tandem::Context ctx = tandem::Context::host();
  const std::vector<float> values{1, 2, 3, 4};
  tandem::Array<float> x(ctx, values), y(ctx, x.size());
  tandem::inclusive_scan(ctx, x, y, tandem::maximum);
  const float total = tandem::reduce(ctx, x, tandem::plus, {.use = "custom/serial"});
  std::cout << total << " by " << ctx.last().implementation << "\n";
  try {
    tandem::reduce(ctx, x, tandem::plus, {.use = "nothing"});
  } catch (const tandem::InvalidArgument& error) {  // exceptions cross the library's border
    return total == 10 && y.to_vector()[3] == 4 ? 0 : 1;
  }
  return 1;
}
