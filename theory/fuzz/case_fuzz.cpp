// The case of a claim, from JSON to its verdict: by the filter and the ladder, by intervals alone,
// and by the second implementation, which must all agree.
#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

#include "theory/attention/case_json.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/claims/decide.hpp"
#include "theory/cli/certificate.hpp"
#include "theory/recheck/recheck.hpp"

namespace attn {
namespace {

/// More digits take longer and read nothing more of the input.
constexpr unsigned kMostDigits = 50;

void expect(bool holds, std::string_view what, const Claim& claim, const nlohmann::json& json) {
  if (!holds) throw std::logic_error(fmt::format("{} of {}: {}", what, claim.id, json.dump()));
}

bool is_decided(Verdict verdict) {
  return verdict == Verdict::holds || verdict == Verdict::violated || verdict == Verdict::equal;
}

/// Two verdicts on one case: the ladder that is cut short decides no more than the whole, and
/// no other thing.
bool agree(Verdict a, Verdict b) {
  return a == b || !is_decided(a) || !is_decided(b);
}

/// An entry as `claims eval` reads it.
void decide_one(const nlohmann::json& entry) {
  if (!entry.is_object() || !entry.contains("case") || !entry.contains("claim")) return;
  if (!entry["claim"].is_string()) return;
  const Claim& claim = catalogue().at(entry["claim"].get_ref<const std::string&>());
  const nlohmann::json& json = entry["case"];
  const Case input = read_case(claim, json);
  expect(to_json(read_case(claim, to_json(input))) == to_json(input), "JSON", claim, json);
  const Decision decision = decide(claim, input, kMostDigits);
  const Decision certified = certify(claim, input, kMostDigits, kMostDigits).decision;
  // Each samples anew, with its own number of draws.
  if (decision.sampled || certified.sampled) return;
  expect(agree(decision.verdict, certified.verdict), "filter and intervals", claim, json);
  const Recheck second =
      recheck_certificate(recheck::listed_checks(), make_certificate(claim, input));
  expect(second.agrees || !second.decided, "second implementation", claim, json);
}

}  // namespace
}  // namespace attn

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    attn::decide_one(nlohmann::json::parse(data, data + size, nullptr, false));
  } catch (const attn::BadInput&) {
  }
  return 0;
}
