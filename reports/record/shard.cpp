#include "reports/record/shard.hpp"

#include <fmt/format.h>

#include "theory/base/bad_input.hpp"
#include "theory/base/words.hpp"

namespace attn::report {

Shard shard_from(std::string_view text) {
  const auto slash = text.find('/');
  if (slash != std::string_view::npos) {
    const auto index = number_from<unsigned>(text.substr(0, slash));
    const auto count = number_from<unsigned>(text.substr(slash + 1));
    if (index && count && 1 <= *index && *index <= *count && *count <= kMostShards) {
      return {*index, *count};
    }
  }
  throw BadInput({.kind = BadInputKind::malformed,
                  .expected = fmt::format("K/N with 1 <= K <= N <= {}, such as 2/3", kMostShards),
                  .found = in_quotes(text)});
}

}  // namespace attn::report
