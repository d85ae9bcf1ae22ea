// What tandem tune makes of the times of a shape.

#include "bench/measure/decision.h"

#include <doctest/doctest.h>

#include <array>

namespace tandem::command {
namespace {

TEST_SUITE_BEGIN("decision");

/// Three paths; times are microseconds: the median, and the least.
struct Shape {
  std::array<Implementation, 3> all;
  std::vector<Paths::Path> paths;

  Shape(Timing serial, Timing threads, Timing library) {
    const char* const names[] = {"sum/custom/serial", "sum/custom/threads", "sum/vendor/library"};
    const Timing times[] = {serial, threads, library};
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i].name = names[i];
      paths.push_back({&all[i], "", false, false, true, times[i]});
    }
  }
  Decision decide(std::size_t choice, const Timing& automatic, const Hardest& hardest = {}) const {
    return command::decide(Measured(paths, &all[choice], automatic), hardest);
  }
};
Timing time(double median, double least) { return {median, 0.1, least, {least, median}}; }

TEST_CASE("a path that is clearly faster is taken, and those near it stand behind it") {
  const Shape shape(time(10, 9.9), time(4, 3.9), time(100, 99));
  const Decision now = shape.decide(0, time(10, 9.9));
  CHECK(now.decided);
  CHECK(now.now == &shape.all[1]);
  CHECK(now.gain == doctest::Approx(9.9 / 3.9));
  CHECK(now.names ==
        "sum/custom/threads sum/custom/serial");  // the library takes more than four times as long
}

TEST_CASE("what is chosen stays where another path is hardly faster") {
  const Shape shape(time(10, 9.9), time(9.8, 9.6), time(30, 29));
  const Decision now = shape.decide(0, time(10, 9.9));
  CHECK(now.decided);
  CHECK(now.now == &shape.all[0]);
  CHECK(now.gain == 1);
  CHECK(now.names == "sum/custom/serial sum/custom/threads sum/vendor/library");
}

TEST_CASE("nothing is decided by times that contradict each other") {
  SUBCASE("the choice took another time than its path did") {
    const Shape shape(time(10, 9.9), time(8, 7.9), time(30, 29));
    const Decision now = shape.decide(0, time(13, 12));
    CHECK(!now.decided);
    CHECK(now.now == &shape.all[0]);
  }
  SUBCASE("the path that can be faster was slower, mostly") {
    const Shape shape(time(10, 9.9), time(14, 7.9), time(30, 29));
    const Decision now = shape.decide(0, time(10, 9.9));
    CHECK(!now.decided);
    CHECK(now.now == &shape.all[0]);
  }
  SUBCASE("but twice as fast is no noise") {
    const Shape shape(time(10, 9.9), time(4, 3.9), time(30, 29));
    CHECK(shape.decide(0, time(13, 12)).now == &shape.all[1]);
  }
}

TEST_CASE("what is slow for hard contents is not taken, nor what the choice may not take") {
  Shape shape(time(10, 9.9), time(4, 3.9), time(30, 29));
  CHECK(shape.decide(0, time(10, 9.9), {{&shape.all[1], 20}, {&shape.all[0], 1}}).now == &shape.all[0]);
  shape.paths[1].choosable = false;
  CHECK(shape.decide(0, time(10, 9.9)).now == &shape.all[0]);
}

TEST_CASE("a machine is too busy where more than a quarter of the shapes are undecided") {
  CHECK(!too_busy(8, 2));
  CHECK(too_busy(8, 3));
  CHECK(!too_busy(1, 0));
}

TEST_SUITE_END();

}  // namespace
}  // namespace tandem::command
