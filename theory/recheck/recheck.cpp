#include "theory/recheck/recheck.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "theory/base/words.hpp"
#include "theory/recheck/check.hpp"

namespace attn::recheck {
namespace {

/// A third of the last level's 693 digits is enough to tell 1e-190, even where a norm loses digits
/// to a multiple eigenvalue.
constexpr slong kLevels[] = {192, 768, 2304};
/// 46 decimal digits.
constexpr slong kKnownBits = 153;
constexpr unsigned long kEqualDigits = 190;

const Check& find(const Checks& checks, const std::string& id) {
  const auto found = std::ranges::find(checks, id, &ClaimCheck::id);
  if (found != checks.end()) return found->check;
  std::vector<std::string_view> known;
  for (const ClaimCheck& check : checks) known.push_back(check.id);
  throw no_claim(id, "the second implementation", std::move(known));
}

/// Certainly |lhs - rhs| < 1e-190 max(|lhs|, |rhs|).
bool nearly_equal(const Sides& sides) {
  Rational threshold(1);
  mpz_ui_pow_ui(threshold.get_den_mpz_t(), 10, kEqualDigits);
  return abs(sides.lhs - sides.rhs) < Arb(threshold) * max(abs(sides.lhs), abs(sides.rhs));
}

std::string order_of(const Sides& sides) {
  if (sides.lhs < sides.rhs) return "holds";
  if (sides.lhs > sides.rhs) return "violated";
  return "undecided";
}

std::string verdict_of(const Sides& sides, bool last) {
  const bool exact = is_exact(sides.lhs) && is_exact(sides.rhs);
  if (exact && arb_equal(sides.lhs.get(), sides.rhs.get()) != 0) return "equal";
  if (last && nearly_equal(sides)) return "equal";
  return order_of(sides);
}

bool known(const Arb& x) {
  return arb_rel_accuracy_bits(x.get()) >= kKnownBits;
}

unsigned decimal_digits(slong bits) {
  constexpr double kLog10Of2 = 0.3010299956639812;
  return static_cast<unsigned>(static_cast<double>(bits) * kLog10Of2);
}

}  // namespace

const Checks& listed_checks() {
  static const Checks all = [] {
    Checks checks;
    for (const auto& of_statement :
         {lemma1_checks(), corollary1_checks(), theorem1_checks(), corollary2_checks(),
          theorem2_checks(), separability_checks(), lemma2_checks(), corollary3_checks(),
          normalizers_checks(), beyond_checks(), retrieval_checks()}) {
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
  return refusal.kind() == BadInputKind::too_large || refusal.kind() == BadInputKind::unsupported;
}

Rechecked recheck(const Checks& checks, const std::string& claim_id,
                  const nlohmann::json& exact_case) {
  const Check& check = find(checks, claim_id);
  const Input input(exact_case);
  Rechecked result{
      .verdict = "undecided", .lhs = {}, .rhs = {}, .digits = 0, .unmet = {}, .order = {}};
  if (check.unmet != nullptr) result.unmet = check.unmet(input);
  if (!result.unmet.empty()) {
    result.verdict = "assumption not met";
    return result;
  }
  for (const slong bits : kLevels) {
    const Precision precision(bits);
    const Sides sides = check.sides(input);
    input.expect_all_read();
    result.lhs = decimals(sides.lhs);
    result.rhs = decimals(sides.rhs);
    if (result.verdict == "undecided") {
      result.verdict = verdict_of(sides, bits == *std::rbegin(kLevels));
      result.digits = decimal_digits(bits);
      result.order = order_of(sides);
    }
    if (result.verdict != "undecided" && known(sides.lhs) && known(sides.rhs)) break;
  }
  return result;
}

}  // namespace attn::recheck
