#include "theory/number/packed.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "theory/base/bad_input.hpp"

namespace attn {
namespace {

using testing::ElementsAre;

TEST(Packed, SaysEachNumberInItsShortestForm) {
  const std::vector<Rational> numbers = {0,
                                         -3,
                                         exact(-0.75),
                                         exact(0.1f),
                                         Rational(1, 3),
                                         Rational(-7, 5),
                                         exact(std::ldexp(1.0, 53)),
                                         exact(-std::numeric_limits<double>::denorm_min())};
  EXPECT_EQ(packed(numbers), "0 -3 -3p-2 13421773p-27 1/3 -1.4 9007199254740992 -1p-1074");
}

TEST(Packed, IsReadBackToTheLastBit) {
  std::mt19937_64 random(7);
  std::vector<Rational> numbers = {exact(std::numeric_limits<double>::max()),
                                   exact(std::numeric_limits<double>::min()),
                                   exact(std::ldexp(1.0, 1000)),
                                   parse_rational("1e-400"),
                                   parse_rational("123456789012345678901234567890"),
                                   Rational(1, 3) / parse_rational("3e300")};
  std::uniform_int_distribution<std::int64_t> top(-(std::int64_t{1} << 53), std::int64_t{1} << 53);
  std::uniform_int_distribution<int> power(-1074, 900);
  for (int i = 0; i < 2000; ++i) {
    numbers.push_back(exact(std::ldexp(static_cast<double>(top(random)), power(random))));
    numbers.push_back(Rational(top(random), 3 + 2 * i));
    numbers.push_back(exact(static_cast<float>(top(random)) / 1e15F));
  }
  EXPECT_EQ(unpacked(packed(numbers)), numbers);
}

TEST(Packed, RefusesWhatItDoesNotWrite) {
  for (const char* const text : {"",        " 1",      "1 ",
                                 "1  2",    "p",       "1p",
                                 "p-3",     "1p3",     "2p-3",
                                 "1p-0",    "1p+3",    "+1p-3",
                                 "1.5p-3",  "1p-3x",   "9007199254740993p-3",
                                 "1p-1075", "3p-1075", "1p-99999999999",
                                 "x",       "1,2",     "nan",
                                 "1/0",     "0x10"}) {
    EXPECT_THROW(unpacked(text), BadInput) << text;
  }
  EXPECT_THAT(unpacked("5"), ElementsAre(Rational(5)));
}

}  // namespace
}  // namespace attn
