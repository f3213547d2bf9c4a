#pragma once

#include <optional>
#include <string_view>

#include "theory/claims/claim.hpp"

namespace attn {

/// A theorem that Coq checks: that a claim holds, or that it does not.
struct CoqProof {
  std::string_view file;     ///< from the source folder's root: "theory/proofs/Lemma1.v"
  std::string_view theorem;  ///< the claim's id, underscores for dots, and its status
};

/// The theorem of theory/proofs for a claim of the paper's catalogue and its status; none where
/// people alone have read the argument. It is read from the Coq files by the build;
/// theory/proofs/check has Coq check it.
std::optional<CoqProof> coq_proof(std::string_view id, Status status);
inline std::optional<CoqProof> coq_proof(const Claim& claim) {
  return coq_proof(claim.id, claim.status);
}

}  // namespace attn
