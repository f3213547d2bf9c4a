#include "theory/number/machine_assumptions.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <limits>
#include <string>
#include <thread>

#include "theory/claims/catalogue.hpp"
#include "theory/claims/decide.hpp"
#include "theory/number/elementary.hpp"
#include "theory/tests/support.hpp"
#ifdef __SSE2__
#include <pmmintrin.h>
#endif

namespace attn {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

/// What breaks the floating point of a thread, and what is then said of it.
struct Break {
  const char* name;
  void (*apply)();
  const char* said;
};

constexpr const char* kRounding = "expected round to nearest";
constexpr const char* kSubnormal = "expected subnormal numbers";

constexpr Break kBreaks[] = {
    {"Upward", [] { std::fesetround(FE_UPWARD); }, kRounding},
    {"Downward", [] { std::fesetround(FE_DOWNWARD); }, kRounding},
    {"TowardZero", [] { std::fesetround(FE_TOWARDZERO); }, kRounding},
#ifdef __SSE2__
    {"FlushToZero", [] { _MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_ON); }, kSubnormal},
    {"DenormalsAreZero", [] { _MM_SET_DENORMALS_ZERO_MODE(_MM_DENORMALS_ZERO_ON); }, kSubnormal},
#endif
};

/// Puts the thread's floating point back.
class KeepsFloatingPoint {
 public:
  KeepsFloatingPoint() { std::fegetenv(&kept_); }
  ~KeepsFloatingPoint() { std::fesetenv(&kept_); }
  KeepsFloatingPoint(const KeepsFloatingPoint&) = delete;
  KeepsFloatingPoint& operator=(const KeepsFloatingPoint&) = delete;

 private:
  std::fenv_t kept_{};
};

void decide_one() {
  const auto input = test::case_of(InputKind::softmax_row, R"({"logits": ["0", "1"]})");
  EXPECT_EQ(decide(find_claim("corollary3.sharp"), input).digits, kFilter);
}

class BrokenFloatingPoint : public testing::TestWithParam<Break> {};

TEST_P(BrokenFloatingPoint, IsNamedAndGivesNoVerdict) {
  EXPECT_NO_THROW(check_floating_point());
  EXPECT_NO_THROW(decide_one());
  const KeepsFloatingPoint kept;
  GetParam().apply();
  EXPECT_THAT(check_floating_point, ThrowsMessage<BrokenAssumption>(HasSubstr(GetParam().said)));
  EXPECT_THAT(decide_one, ThrowsMessage<BrokenAssumption>(HasSubstr(GetParam().said)));
  EXPECT_THROW(check_machine_assumptions(), BrokenAssumption);
}

TEST_P(BrokenFloatingPoint, IsFoundInAThreadOfItsOwn) {
  std::string said;
  std::thread([&] {
    GetParam().apply();
    try {
      decide_one();
    } catch (const BrokenAssumption& broken) {
      said = broken.what();
    }
  }).join();
  EXPECT_THAT(said, HasSubstr(GetParam().said));
  EXPECT_NO_THROW(check_floating_point()) << "the caller's own is as it was";
}

INSTANTIATE_TEST_SUITE_P(MachineAssumptions, BrokenFloatingPoint, testing::ValuesIn(kBreaks),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(MachineAssumptions, HoldsHere) {
  EXPECT_NO_THROW(check_machine_assumptions());
}

constexpr ElementaryFunction kFunctions[] = {{"exp", reproducible::exp},
                                             {"expm1", reproducible::expm1},
                                             {"log", reproducible::log},
                                             {"log1p", reproducible::log1p}};

TEST(MachineAssumptions, ElementaryFunctionsRoundWell) {
  for (const ElementaryFunction& function : kFunctions) {
    const double worst = check_function(function, 100'000);
    fmt::print("{}: at most {:.3f} units in the last place\n", function.name, worst);
    EXPECT_GT(worst, 0.4) << function.name << ": of so many points one falls between two doubles";
    EXPECT_LE(worst, ErrorDouble::kFunctionUlps) << function.name;
  }
}

/// A function that is wrong by so many units in the last place of its result, where |x| is at least
/// `from`.
template <double (*Right)(double), int Ulps>
double wrong(double x) {
  double y = Right(x);
  for (int i = 0; i < Ulps; ++i) y = std::nextafter(y, std::numeric_limits<double>::infinity());
  return y;
}

template <double (*Right)(double)>
void expect_found(const char* name) {
  SCOPED_TRACE(name);
  EXPECT_NO_THROW(check_function({name, Right}, kAssumptionSamples));
  EXPECT_NO_THROW(check_function({name, wrong<Right, 2>}, kAssumptionSamples));
  EXPECT_THAT(
      [&] {
        check_function({name, wrong<Right, 6>}, kAssumptionSamples);
      },
      ThrowsMessage<BrokenAssumption>(HasSubstr(std::string(name) + "(")));
  const auto nan = [](double) { return std::numeric_limits<double>::quiet_NaN(); };
  EXPECT_THROW(check_function({name, nan}, kAssumptionSamples), BrokenAssumption);
  // Wrong in one binade of its arguments alone.
  const auto local = [](double x) { return x > 0.5 && x < 1 ? wrong<Right, 6>(x) : Right(x); };
  EXPECT_THROW(check_function({name, local}, kAssumptionSamples), BrokenAssumption);
  const auto infinite = [](double) { return std::numeric_limits<double>::infinity(); };
  EXPECT_THROW(check_function({name, infinite}, kAssumptionSamples), BrokenAssumption);
}

TEST(MachineAssumptions, AWrongFunctionIsFound) {
  expect_found<reproducible::exp>("exp");
  expect_found<reproducible::expm1>("expm1");
  expect_found<reproducible::log>("log");
  expect_found<reproducible::log1p>("log1p");
}

TEST(MachineAssumptions, PointsAreOfAllMagnitudes) {
  static double least, most;
  for (const ElementaryFunction& function : kFunctions) {
    least = std::numeric_limits<double>::infinity();
    most = 0;
    static double (*right)(double);
    right = function.computed;
    const auto noted = [](double x) {
      least = std::min(least, std::abs(x));
      most = std::max(most, std::abs(x));
      return right(x);
    };
    check_function({function.name, noted}, kAssumptionSamples);
    EXPECT_LT(least, 1e-250) << function.name;
    EXPECT_GT(most, 700) << function.name;
  }
}

}  // namespace
}  // namespace attn
