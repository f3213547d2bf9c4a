#pragma once

#include <string>
#include <vector>

#include "reports/record/record_json.hpp"
#include "reports/record/report.hpp"

namespace attn::report {

/// Puts references in the place of the long lists of the cases of `claims`: {"vector": k} for one
/// vector, {"vectors": [[k, n], ...]} for lists, n vectors from the k-th on. Returns the vectors
/// that they refer to, each once.
std::vector<std::string> take_vectors(std::vector<ClaimRecord>& claims);

/// Puts the lists in the place of the references that `take_vectors` wrote. `in`: the document that
/// the claims and the vectors were read from. Throws BadInput for a reference to none of them, and
/// for a vector that is no list of exact numbers.
void put_vectors(std::vector<ClaimRecord>& claims, std::vector<std::string> vectors,
                 const Reader& in);

}  // namespace attn::report
