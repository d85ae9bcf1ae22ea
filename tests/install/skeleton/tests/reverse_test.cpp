// reverse by its public function: right calls, bad ones. What is the same for every operation (all
// implementations, sizes, alignments, guard zones) is tested by equivalence_test.cpp without a line here.

#include <cstring>

#include "tandem/tandem.h"
#include "tests/support.h"

namespace tandem {

TEST_SUITE_BEGIN("reverse");

TEST_CASE_TEMPLATE("both types, every container", T, float, std::int32_t) {
  Context ctx = Context::host();
  const std::vector<T> x{1, 2, 3, 4, 5};
  std::vector<T> y(5);
  reverse(ctx, x, y);
  CHECK((y == std::vector<T>{5, 4, 3, 2, 1}));
  const Array<T> a(ctx, y);
  Array<T> b(ctx, 5);
  reverse(ctx, a, b, {.use = "custom/serial"});
  CHECK(b.to_vector() == x);
  CHECK(ctx.last().implementation == "reverse/custom/serial");
}

TEST_CASE("bits are moved as they are") {
  Context ctx = Context::host();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> x{-0.0f, nan}, want{nan, -0.0f};
  std::vector<float> y(2);
  reverse(ctx, x, y);
  CHECK(std::memcmp(y.data(), want.data(), sizeof(float) * 2) == 0);
}

TEST_CASE("nothing at all") {
  Context ctx = Context::host();
  float untouched = -7;
  reverse(ctx, View<const float>{nullptr, 0}, View<float>{&untouched, 0});
  CHECK(untouched == -7);
}

TEST_CASE("bad calls") {
  Context ctx = Context::host();
  std::vector<float> z(8, 1);
  const auto bad = [&](auto in, auto out, const std::string& part) {
    const std::string message = thrown<InvalidArgument>([&] { reverse(ctx, in, out); });
    CHECK_MESSAGE(contains(message, part), message);
  };
  const View<const float> in{z.data(), 4};
  bad(View<const float>{nullptr, 4}, View<float>{z.data() + 4, 4}, "reverse: 'in' is null");
  bad(in, View<float>{z.data() + 4, 3}, "reverse: size of 'out' is 3; it must be 4");
  bad(in, View<float>{z.data(), 4}, "reverse: 'out' overlaps 'in'");
  bad(in, View<float>{z.data() + 3, 4}, "reverse: 'out' overlaps 'in'");
  const std::string message = thrown<InvalidArgument>([&] {
    reverse(ctx, in, View<float>{z.data() + 4, 4}, {.use = "nothing"});
  });
  CHECK(contains(message, "reverse: unknown implementation 'nothing'; known: custom/serial"));
}

TEST_SUITE_END();

}  // namespace tandem
