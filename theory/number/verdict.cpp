#include "theory/number/verdict.hpp"

namespace attn {

std::string_view to_string(Status status) {
  return status == Status::proved ? "proved" : "refuted";
}

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      return "holds";
    case Verdict::equal:
      return "equal";
    case Verdict::violated:
      return "violated";
    case Verdict::undecided:
      return "undecided";
    case Verdict::assumption_not_met:
      return "assumption not met";
  }
  return {};
}

}  // namespace attn
