// 2. Which implementation runs: the automatic choice, a choice by name, and whether their results agree.

#include <tandem/tandem.h>

#include <cmath>
#include <iostream>
#include <limits>
#include <vector>

int main() {
  tandem::Context ctx;
  const std::vector<double> values(1'000'000, 0.1);
  const tandem::Array<double> x(ctx, values);

  const double automatic = tandem::reduce(ctx, x);
  std::cout << "automatic choice: " << ctx.last().implementation << " (" << ctx.last().why << ")\n";

  // `tandem list reduce` prints all names.
  const bool on_device = ctx.place() == tandem::Place::device;
  const std::vector<const char*> names =
      on_device ? std::vector{"custom/one_pass", "vendor/cub"}
                : std::vector{"custom/serial", "custom/threads", "vendor/std_par"};
  // Implementations add in different orders, so results differ by rounding: at most n·ε each.
  const double bound = 2 * static_cast<double>(values.size()) * std::numeric_limits<double>::epsilon();
  bool agree = true;
  for (const char* name : names) {
    try {
      const double sum = tandem::reduce(ctx, x, tandem::plus, {.use = name});
      const double difference = std::fabs(sum / automatic - 1);
      std::cout << ctx.last().implementation << ": differs by " << difference << '\n';
      agree = agree && difference <= bound;
    } catch (const tandem::Unavailable& error) {  // a library that is not built in, no GPU, …
      std::cout << error.what() << '\n';
    }
  }
  std::cout << (agree ? "all agree\n" : "DIFFERENT RESULTS\n");
  return agree ? 0 : 1;
}
