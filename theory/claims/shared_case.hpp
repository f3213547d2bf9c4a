#pragma once

#include <memory>

#include "theory/attention/case_context.hpp"
#include "theory/claims/decide.hpp"

namespace attn {

/// Certifies claims one after the other. What is found of a case is found once for those that
/// follow each other on the same case.
class SharedCase {
 public:
  /// The evidence for the verdict of the claim on the case, as `certify` gives it.
  Certificate certify(const Claim& claim, const Case& input);

 private:
  struct Latest {
    Case input;
    CaseContext context{input};
  };
  std::unique_ptr<Latest> latest_;
};

}  // namespace attn
