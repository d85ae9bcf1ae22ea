#include <tandem/tandem.h>

#include <vector>

#include "lib/core/registry.h"

int main() {
  tandem::Context ctx = tandem::Context::host();
  return tandem::reduce(ctx, std::vector<float>{1, 2}) == kRegistered ? 0 : 1;
}
