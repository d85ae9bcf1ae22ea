// halos: every rank has a part of the same whole, and looks for its neighbours' layers in it.

#include "tests/ranks/support.h"

TEST_SUITE_BEGIN("ranks");

namespace tandem {
namespace {

constexpr std::int64_t kRoom = -1;  // stands where nothing comes

template <class T>
T element(std::int64_t place, std::int64_t field) {
  return static_cast<T>(static_cast<float>((place * 7 + field * 31) % 101));
}

/// Layers `begin` … `end` − 1 of a whole of n, and one on either side: from the whole where `has_halos`.
template <class T>
std::vector<T> part(std::int64_t begin, std::int64_t end, std::int64_t n, std::int64_t layer,
                    std::int64_t field, Ends ends, bool has_halos) {
  std::vector<T> values;
  for (std::int64_t i = begin - 1; i <= end; ++i) {
    const bool own = i >= begin && i < end, inside = i >= 0 && i < n;
    const bool comes = has_halos && begin < end && (inside || ends == Ends::periodic);
    for (std::int64_t k = 0; k < layer; ++k)
      values.push_back(own || comes ? element<T>((i + n) % n * layer + k, field)
                                    : static_cast<T>(static_cast<float>(kRoom)));
  }
  return values;
}

TEST_CASE("the neighbours' edge layers, layers shared out in any way") {
  const auto rank = static_cast<std::size_t>(world().rank());
  for_each_type([&]<class T>() {
    for (const Ends ends : {Ends::open, Ends::periodic}) {
      for (const std::int64_t layer : {1, 5}) {
        for (const std::int64_t n : {1, 2, 3, 4, 11}) {
          for (const auto& begins : partitions(n)) {
            INFO(n, " layers of ", layer, ", from ", begins[rank], " to ", begins[rank + 1]);
            const auto field = [&](int number, bool has_halos) {
              return part<T>(begins[rank], begins[rank + 1], n, layer, number, ends, has_halos);
            };
            std::vector<T> alone = field(0, false);
            halos(world(), layer, ends, alone);
            CHECK(same(alone, field(0, true)));
            std::vector<T> u = field(1, false), v = field(2, false), w = field(3, false);
            halos(world(), layer, ends, u, v, w);
            CHECK(same(u, field(1, true)));
            CHECK(same(v, field(2, true)));
            CHECK(same(w, field(3, true)));
          }
        }
      }
    }
  });
}

TEST_CASE("where no rank has a layer, nothing comes") {
  std::vector<float> x(6, 1.0f);
  halos(world(), 3, Ends::periodic, x);
  CHECK(x == std::vector<float>(6, 1.0f));
}

TEST_CASE("bad halos are refused on every rank") {
  const int last = world().size() - 1;
  const bool odd = world().rank() == last;
  std::vector<float> x(20, 1.0f), y(20, 1.0f), longer(30);
  const auto field = [&](float* data, std::int64_t size) { return View<float>{data, size}; };
  for (const std::int64_t bad : {0, -5}) {
    const auto text = thrown<InvalidArgument>([&] { halos(world(), bad, Ends::open, x); });
    CHECK(contains(text, "halos: layer is " + std::to_string(bad) + "; it must be at least 1"));
  }
  CHECK(contains(thrown<InvalidArgument>([&] { halos(world(), 4, static_cast<Ends>(7), x); }),
                 "ends is 7; it must be open"));
  // One rank alone.
  for (const std::int64_t size : {4, 19, 0, -4})
    expect_failed<InvalidArgument>(last,
                                   [&] { halos(world(), 4, Ends::open, field(x.data(), odd ? size : 20)); });
  expect_failed<InvalidArgument>(last,
                                 [&] { halos(world(), 4, Ends::open, field(odd ? nullptr : x.data(), 20)); });
  expect_failed<InvalidArgument>(last, [&] { halos(world(), 4, Ends::open, x, odd ? longer : y); });
  expect_failed<InvalidArgument>(last, [&] { halos(world(), 4, Ends::open, x, odd ? x : y); });
  // Layers, ends and numbers of fields that differ.
  expect_differ([&] { halos(world(), 4, Ends::open, x); }, [&] { halos(world(), 5, Ends::open, x); },
                "halos f32 of 5 x 1 x 0");
  expect_differ([&] { halos(world(), 4, Ends::open, x); }, [&] { halos(world(), 4, Ends::periodic, x); },
                "halos f32 of 4 x 1 x 1");
  expect_differ([&] { halos(world(), 4, Ends::open, x); }, [&] { halos(world(), 4, Ends::open, x, y); },
                "halos f32 of 4 x 2 x 0");
  CHECK(x == std::vector<float>(20, 1.0f));
  halos(world(), 4, Ends::open, x);  // and all goes on
}

}  // namespace
}  // namespace tandem

TEST_SUITE_END();
