#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "theory/attention/case_line.hpp"
#include "theory/claims/claim.hpp"

namespace attn {
namespace {

std::string example_text(const Claim& claim) {
  nlohmann::json input = nlohmann::json::parse(claim.example);
  if (only_normalizer(claim.kind)) input.erase("normalizer");  // the statement names it
  return case_line(input);
}

}  // namespace

std::string argument_text(const Claim& claim) {
  if (claim.witness.lhs.empty()) return std::string(claim.argument);
  return fmt::format("{} At {} the left side is ${}$, the right side ${}$.", claim.argument,
                     example_text(claim), claim.witness.lhs, claim.witness.rhs);
}

}  // namespace attn
