#include "theory/recheck/recheck.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "theory/base/words.hpp"
#include "theory/recheck/check.hpp"
#include "theory/recheck/exact/tape.hpp"

namespace attn::recheck {
namespace {

constexpr long kDigits = 50;
/// Enough for 50 digits of a number of any size that Arb can hold here.
constexpr slong kBits = 320;

std::string layout(const std::string& digits, const mpz_class& magnitude) {
  if (magnitude < 0 && magnitude > -20) {
    const auto zeros = static_cast<std::size_t>(-magnitude.get_si() - 1);
    return fmt::format("0.{}{}", std::string(zeros, '0'), digits);
  }
  if (magnitude >= 0 && magnitude < kDigits - 1) {
    const auto whole = static_cast<std::size_t>(magnitude.get_si() + 1);
    return fmt::format("{}.{}", digits.substr(0, whole), digits.substr(whole));
  }
  return fmt::format("{}.{}e{}", digits.substr(0, 1), digits.substr(1), magnitude.get_str());
}

/// Beyond 2^(2^60) and its inverse a number has too many digits before or behind its point to count
/// them. It is above 10^(10^17), or below its inverse.
constexpr slong kFarExponent = 1L << 60;
const mpz_class kFarMagnitude("100000000000000000");

std::string power_of_ten(const mpz_class& magnitude) {
  return layout("1" + std::string(kDigits - 1, '0'), magnitude);
}

/// A size > 0, known exactly, rounded up or down.
std::string decimal(const Arb& size, bool up) {
  const fmpz* const exponent = ARF_EXPREF(arb_midref(size.get()));
  if (fmpz_cmp_si(exponent, kFarExponent) > 0) return up ? "inf" : power_of_ten(kFarMagnitude);
  if (fmpz_cmp_si(exponent, -kFarExponent) < 0) return up ? power_of_ten(-kFarMagnitude) : "0";
  // More digits than are shown, so that what they are off by is seldom seen.
  constexpr slong kSpare = 60;
  fmpz_t middle, radius, power;
  for (fmpz* const x : {middle, radius, power}) fmpz_init(x);
  arb_get_fmpz_mid_rad_10exp(middle, radius, power, size.get(), kDigits + kSpare);
  (up ? fmpz_add : fmpz_sub)(middle, middle, radius);
  mpz_class digits, exponent_of_ten;
  fmpz_get_mpz(digits.get_mpz_t(), middle);
  fmpz_get_mpz(exponent_of_ten.get_mpz_t(), power);
  for (fmpz* const x : {middle, radius, power}) fmpz_clear(x);
  const auto rounded = up ? mpz_cdiv_q : mpz_fdiv_q;
  while (digits.get_str().size() > kDigits) {
    mpz_class divisor;
    mpz_ui_pow_ui(divisor.get_mpz_t(), 10, digits.get_str().size() - kDigits);
    exponent_of_ten += digits.get_str().size() - kDigits;
    rounded(digits.get_mpz_t(), digits.get_mpz_t(), divisor.get_mpz_t());
  }
  return layout(digits.get_str(), exponent_of_ten + kDigits - 1);
}

/// One end of a ball, rounded up or down.
std::string end_of(const Arb& end, bool up) {
  if (is_zero(end)) return "0";
  if (arb_is_finite(end.get()) == 0) return up ? "inf" : "-inf";
  if (Arb(0) < end) return decimal(end, up);
  const std::string size = decimal(-end, !up);
  return size == "0" ? size : "-" + size;
}

constexpr slong kLevels[] = {192, 768, 2304};
/// The working bits after which the sides are compared exactly.
constexpr slong kExactAfter = 768;
/// The bits that must be known of both sides: 46 decimal digits.
constexpr slong kKnownBits = 153;

const Check& find(const Checks& checks, const std::string& id) {
  const auto found = std::ranges::find(checks, id, &Check::id);
  if (found != checks.end()) return *found;
  std::vector<std::string_view> known;
  for (const Check& check : checks) known.push_back(check.id);
  throw no_claim(id, "the second implementation", std::move(known));
}

bool known(const Arb& x) {
  return arb_rel_accuracy_bits(x.get()) >= kKnownBits;
}

unsigned decimal_digits(slong bits) {
  constexpr double kLog10Of2 = 0.3010299956639812;
  return static_cast<unsigned>(static_cast<double>(bits) * kLog10Of2);
}

/// The verdict by the enclosures; `equal` where both are the same point.
std::string verdict_of(const Sides& sides) {
  if (sides.lhs < sides.rhs) return "holds";
  if (sides.lhs > sides.rhs) return "violated";
  const bool exact = is_exact(sides.lhs) && is_exact(sides.rhs);
  const bool same = arb_equal(sides.lhs.get(), sides.rhs.get()) != 0;
  return exact && same ? "equal" : "undecided";
}

/// Decides by what the sides are made of.
void decide_exactly(Rechecked& result, const Check& check, const Input& input) {
  const Recording recording;
  const Sides sides = check.sides(input);
  const Sign sign = compare_exactly(*tape, sides.lhs.step(), sides.rhs.step());
  result.open = sign.differs ? "the sides differ" : "nothing is known";
  if (!sign.value) return;
  result.exact = true;
  result.verdict = *sign.value == 0 ? "equal" : *sign.value < 0 ? "holds" : "violated";
}

/// Encloses the sides at one precision, and decides by that where the verdict is open. Whether both
/// are known to 46 digits.
bool decide_at(slong bits, Rechecked& result, const Check& check, const Input& input) {
  const Precision precision(bits);
  const Sides sides = check.sides(input);
  input.expect_all_read();
  result.lhs = decimals(sides.lhs);
  result.rhs = decimals(sides.rhs);
  const std::string shown = verdict_of(sides);
  if (result.verdict == "undecided") {
    result.verdict = shown;
    result.digits = decimal_digits(bits);
  } else if (shown != "undecided" && shown != result.verdict) {
    throw std::logic_error(fmt::format("{}: {} by enclosures of {} bits, {} before", check.id,
                                       shown, bits, result.verdict));
  }
  return known(sides.lhs) && known(sides.rhs);
}

}  // namespace

Ball decimals(const Arb& x) {
  const Precision precision(kBits);
  return {end_of(lower(x), false), end_of(upper(x), true)};
}

const Checks& listed_checks() {
  static const Checks all = [] {
    Checks checks;
    for (const auto& of_statement :
         {lemma1_checks(), theorem1_checks(), theorem2_checks(), lemma2_checks(), section4_checks(),
          normalizers_checks(), beyond_checks(), retrieval_checks(), cache_checks()}) {
      checks.insert(checks.end(), of_statement.begin(), of_statement.end());
    }
    return checks;
  }();
  return all;
}

BallArithmetic ball_arithmetic() {
#if __FLINT_RELEASE >= 30000
  return {"flint", FLINT_VERSION};
#else
  return {"arb", arb_version};
#endif
}

bool is_beyond(const BadInput& refusal) {
  const BadInputKind kind = refusal.parts().kind;
  return kind == BadInputKind::too_large || kind == BadInputKind::unsupported;
}

Rechecked recheck(const Checks& checks, const std::string& claim_id,
                  const nlohmann::json& exact_case) {
  const Check& check = find(checks, claim_id);
  const Input input(exact_case);
  Rechecked result;
  try {
    if (check.unmet != nullptr) result.unmet = check.unmet(input);
  } catch (const NotTold&) {
    result.open = "whether the assumptions are met is not known";
    return result;
  }
  if (!result.unmet.empty()) {
    result.verdict = "assumption not met";
    return result;
  }
  for (const slong bits : kLevels) {
    const bool is_known = decide_at(bits, result, check, input);
    if (result.verdict == "undecided" && bits == kExactAfter) decide_exactly(result, check, input);
    if (result.verdict != "undecided" && is_known) break;
  }
  if (result.verdict != "undecided") result.open.clear();
  return result;
}

}  // namespace attn::recheck
