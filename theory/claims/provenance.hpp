#pragma once

#include <string_view>

namespace attn {

/// Where the formula of a claim comes from.
enum class FormulaOrigin {
  quoted,         ///< seen in print
  reconstructed,  ///< rebuilt from the paper's prose, proof sketch and figures
  derived,        ///< stated by this project, beside a statement of the paper
};

constexpr std::string_view to_string(FormulaOrigin provenance) {
  switch (provenance) {
    case FormulaOrigin::quoted:
      return "quoted";
    case FormulaOrigin::reconstructed:
      return "reconstructed";
    case FormulaOrigin::derived:
      return "derived";
  }
  return {};
}

}  // namespace attn
