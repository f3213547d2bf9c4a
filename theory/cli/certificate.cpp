#include "theory/cli/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "theory/attention/case_json.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/overwrite.hpp"
#include "theory/claims/decide.hpp"
#include "theory/number/interval.hpp"

namespace attn {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr int kFormat = 1;
constexpr const char* kAdvice = "write the certificate anew";

/// Ends of 50 digits and of any exponent, infinities included: beyond what a Rational should hold.
using End = Real<kCapDigits>;

struct Enclosure {
  End lower, upper;
};

/// What a certificate says of its case.
struct Certified {
  std::string verdict;
  Enclosure lhs, rhs;
};

std::string place(const char* field) {
  return fmt::format("certificate: field '{}'", field);
}

[[noreturn]] void refuse_field(const char* name, BadInputKind kind, std::string expected,
                               std::string found) {
  throw BadInput({.kind = kind,
                  .where = place(name),
                  .expected = std::move(expected),
                  .found = std::move(found),
                  .advice = kAdvice});
}

/// Throws BadInput unless `decimal` is a number.
End end_from(const std::string& decimal) {
  End value;
  char* rest = nullptr;
  mpfr_strtofr(value.backend().data(), decimal.c_str(), &rest, 10, MPFR_RNDN);
  if (decimal.empty() || *rest != '\0' || mpfr_nan_p(value.backend().data()) != 0) {
    throw BadInput({.kind = BadInputKind::malformed,
                    .expected = "a decimal number",
                    .found = in_quotes(decimal)});
  }
  return value;
}

bool meet(const Enclosure& a, const Enclosure& b) {
  return a.lower <= b.upper && b.lower <= a.upper;
}

End width(const Enclosure& x) {
  return x.upper - x.lower;
}

/// The largest size of both ends.
End size(const Enclosure& x) {
  return std::max(End(-x.lower), x.upper);
}

/// 30 digits of a side: what an enclosure has to say at least.
constexpr const char* kWidest = "1e-30";

const json& field(const json& certificate, const char* name) {
  const auto found = certificate.find(name);
  if (found == certificate.end()) {
    refuse_field(name, BadInputKind::missing, "a value", "none");
  }
  return *found;
}

std::string text(const json& certificate, const char* name) {
  const json& value = field(certificate, name);
  if (!value.is_string()) {
    refuse_field(name, BadInputKind::malformed, "a string", value.type_name());
  }
  return value.get<std::string>();
}

Enclosure enclosure(const json& certificate, const char* name) {
  const json& value = field(certificate, name);
  if (!value.is_array() || value.size() != 2 || !value[0].is_string() || !value[1].is_string()) {
    refuse_field(name, BadInputKind::malformed, "[lower, upper] as two decimal strings",
                 value.type_name());
  }
  try {
    Enclosure ends{end_from(value[0].get<std::string>()), end_from(value[1].get<std::string>())};
    if (ends.lower <= ends.upper) return ends;
  } catch (const BadInput& error) {
    throw error.within(place(name));
  }
  refuse_field(name, BadInputKind::inconsistent, "a lower end that is not above the upper",
               fmt::format("[{}, {}]", shown_json(value[0]), shown_json(value[1])));
}

Enclosure enclosure(const recheck::Ball& ball) {
  return {end_from(ball.lower), end_from(ball.upper)};
}

/// Why a certificate's enclosure of a side is not confirmed by the second one; empty where it is.
/// `larger`: the size of the larger side.
std::string against(const Enclosure& certified, const Enclosure& second, const End& larger) {
  if (!meet(certified, second)) return "the two enclosures are apart";
  const bool is_narrow = width(certified) <= End(kWidest) * larger;
  if (is_narrow || width(certified) <= 2 * width(second)) return {};
  return fmt::format("the certificate's enclosure is wider than {} of the larger side", kWidest);
}

/// Why the certificate is not confirmed; empty where it is.
std::string why_not(const Certified& certified, const recheck::Rechecked& again) {
  if (again.verdict != certified.verdict) return "another verdict";
  if (again.lhs.lower.empty()) return "no sides to compare";
  const Enclosure lhs = enclosure(again.lhs);
  const Enclosure rhs = enclosure(again.rhs);
  const End larger = std::max(size(lhs), size(rhs));
  if (auto why = against(certified.lhs, lhs, larger); !why.empty()) return "lhs: " + why;
  if (auto why = against(certified.rhs, rhs, larger); !why.empty()) return "rhs: " + why;
  return {};
}

}  // namespace

void add_verdict(ordered_json& result, const Decision& decision) {
  result["verdict"] = to_string(decision.verdict);
  if (decision.verdict == Verdict::undecided) {
    result["undecided"] = to_string(decision.open);
  } else if (decision.verdict != Verdict::assumption_not_met) {
    result["by"] = to_string(decision.by);
  }
  result["digits"] = decision.digits;
}

ordered_json make_certificate(const Claim& claim, const Case& input) {
  const Certificate certificate = certify(claim, input);
  ordered_json result = {{"certificate", kFormat},
                         {"claim", claim.id},
                         {"statement", claim.statement},
                         {"status", to_string(claim.status)},
                         {"case", to_json(input)}};
  add_verdict(result, certificate.decision);
  result["lhs"] = {certificate.lhs_lower, certificate.lhs_upper};
  result["rhs"] = {certificate.rhs_lower, certificate.rhs_upper};
  return result;
}

bool is_certificate(std::string_view text) {
  return begins_as(text, R"({"certificate":1,"claim":)");
}

ExitCode code_of(const Recheck& recheck) {
  if (recheck.agrees) return kAsExpected;
  return recheck.decided ? kUnexpected : kUndecided;
}

std::string wrong_words(const Catalogue& claims, const json& certificate) {
  const Claim* const claim = claims.find(text(certificate, "claim"));
  if (claim == nullptr) return {};
  const std::pair<const char*, std::string_view> words[] = {{"statement", claim->statement},
                                                            {"status", to_string(claim->status)}};
  for (const auto& [name, ours] : words) {
    if (certificate.contains(name) && text(certificate, name) != ours) {
      return fmt::format("the {} is not that of {} in this version", name, claim->id);
    }
  }
  return {};
}

Recheck recheck_certificate(const recheck::Checks& checks, const json& certificate) {
  const WidestExponents widest;
  if (!certificate.is_object()) {
    throw BadInput({.kind = BadInputKind::malformed,
                    .expected = "a certificate",
                    .found = certificate.type_name(),
                    .advice = kAdvice});
  }
  if (const json& format = field(certificate, "certificate"); format != kFormat) {
    refuse_field("certificate", BadInputKind::unsupported, fmt::format("format {}", kFormat),
                 shown_json(format));
  }
  const std::string claim = text(certificate, "claim");
  const Certified certified{.verdict = text(certificate, "verdict"),
                            .lhs = enclosure(certificate, "lhs"),
                            .rhs = enclosure(certificate, "rhs")};
  const recheck::Rechecked again = recheck::recheck(checks, claim, field(certificate, "case"));
  const bool decided = again.verdict != to_string(Verdict::undecided);
  ordered_json result = {
      {"claim", claim}, {"certified", certified.verdict}, {"verdict", again.verdict}};
  if (!decided) {
    result["undecided"] = again.open;
  } else if (again.unmet.empty()) {
    result["by"] = again.exact ? "exact" : "enclosures";
  }
  result["digits"] = again.digits;
  if (!again.unmet.empty()) result["unmet"] = again.unmet;
  if (!again.lhs.lower.empty()) {
    result["lhs_enclosure"] = {again.lhs.lower, again.lhs.upper};
    result["rhs_enclosure"] = {again.rhs.lower, again.rhs.upper};
  }
  const std::string why = why_not(certified, again);
  result["agrees"] = why.empty();
  if (!why.empty()) result["why"] = why;
  return {std::move(result), why.empty(), decided};
}

}  // namespace attn
