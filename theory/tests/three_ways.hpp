#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "theory/attention/case_json.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/claims/decide.hpp"
#include "theory/cli/certificate.hpp"
#include "theory/recheck/recheck.hpp"

namespace attn {

/// What the ways to a verdict say of one case: the filter and the ladder, as a search decides it;
/// intervals alone; and the second implementation.
struct ThreeWays {
  Decision usual;             ///< by the filter and the ladder
  bool compared{};            ///< with both others: not where an expectation is sampled, of which
                              ///< each way draws its own sample, or the case is beyond the second
  std::string contradiction;  ///< in words; empty where all agree, or one cannot tell;
                              ///< that the second refuses a valid case is one
};

/// What contradicts the usual verdict on a case, in words; who cannot tell contradicts nobody.
inline std::string contradiction(const recheck::Checks& checks, const Claim& claim,
                                 const Case& input, std::string_view usual) {
  const std::string_view open = to_string(Verdict::undecided);
  const auto against = [&](std::string_view way, std::string_view verdict) {
    const bool agree = verdict == usual || verdict == open || usual == open;
    return agree ? "" : fmt::format("{}: {}, and not {}", way, verdict, usual);
  };
  if (usual == to_string(Verdict::assumption_not_met)) {
    const auto second = recheck::recheck(checks, std::string(claim.id), to_json(input));
    return second.unmet.empty() ? "the second implementation finds every assumption met" : "";
  }
  const nlohmann::ordered_json certificate = make_certificate(claim, input);
  const std::string by_intervals = certificate.at("verdict");
  if (auto found = against("intervals alone", by_intervals); !found.empty()) return found;
  const Recheck second = recheck_certificate(checks, certificate);
  const std::string verdict = second.result.at("verdict");
  if (auto found = against("the second implementation", verdict); !found.empty()) return found;
  if (second.agrees || by_intervals == open || verdict == open) return {};
  return fmt::format("the second implementation: {}", second.result.at("why").get<std::string>());
}

/// Decides a case that `read_case` has read or a generator drawn in all three ways; `max_digits`
/// ends the ladder of the first.
inline ThreeWays decide_three_ways(const recheck::Checks& checks, const Claim& claim,
                                   const Case& input, unsigned max_digits = 200) {
  ThreeWays ways;
  ways.usual = decide(claim, input, max_digits);
  if (ways.usual.sampled) return ways;
  try {
    ways.contradiction = contradiction(checks, claim, input, to_string(ways.usual.verdict));
    ways.compared = true;
  } catch (const BadInput& refusal) {
    if (recheck::is_beyond(refusal)) return ways;
    ways.contradiction =
        fmt::format("the second implementation refuses a valid case: {}", refusal.what());
  }
  return ways;
}

}  // namespace attn
