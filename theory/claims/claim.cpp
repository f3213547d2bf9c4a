#include "theory/claims/claim.hpp"

namespace attn {

std::string_view to_string(Provenance provenance) {
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
