#pragma once

#include <string_view>

namespace attn {

/// Where the formula of a claim comes from.
enum class Provenance {
  quoted,         ///< seen in print
  reconstructed,  ///< rebuilt from the paper's prose, proof sketch and figures
  derived,        ///< stated by this project, beside a statement of the paper
};

constexpr std::string_view to_string(Provenance provenance) {
  switch (provenance) {
    case Provenance::quoted:
      return "quoted";
    case Provenance::reconstructed:
      return "reconstructed";
    case Provenance::derived:
      return "derived";
  }
  return {};
}

}  // namespace attn
