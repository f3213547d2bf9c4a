#include "properties/search/stream.hpp"

#include <algorithm>
#include <stdexcept>

#include "properties/generators/gen.hpp"
#include "properties/property.hpp"

namespace attn::properties {

namespace {

/// RapidCheck's size of case `k` of `count`: from 0 up to 100.
int size_of(std::size_t k, std::size_t count) {
  return count < 2 ? rc::kNominalSize
                   : static_cast<int>(k * static_cast<std::size_t>(rc::kNominalSize) / (count - 1));
}

/// Infinite of an empty portion.
double share_of(double drawn, std::size_t first, std::size_t last) {
  return (drawn + 0.5) / static_cast<double>(last - first);
}

}  // namespace

Stream::Stream(const Claim& claim, std::uint64_t seed, std::size_t cases, const Portion& portion) {
  const std::vector<Family> families = property_of(claim).families;
  std::size_t weights = 0;
  for (const Family& family : families) weights += family.weight;
  if (weights == 0) throw std::logic_error("no family has cases of this kind");
  rc::Random random(seed);
  std::size_t before = 0;
  for (const Family& family : families) {
    const std::size_t after = before + family.weight;
    const std::size_t count = cases * after / weights - cases * before / weights;
    const std::size_t first = count * portion.index / portion.count;
    const std::size_t last = count * (portion.index + 1) / portion.count;
    rc::Random of_family = random.split();
    // What a case is drawn with follows from that of the case before; a step takes nanoseconds.
    for (std::size_t i = 0; i < first; ++i) of_family.split();
    sources_.push_back({family.name, gen::case_of(claim, family), of_family, count, first, last,
                        first, share_of(0, first, last)});
    before = after;
  }
}

std::optional<DrawnCase> Stream::next() {
  // The family that is furthest behind its share.
  const auto at = std::ranges::min_element(sources_, {}, &Source::progress);
  if (at->next == at->last) return std::nullopt;
  const int size = size_of(at->next++, at->count);
  at->progress = share_of(static_cast<double>(at->next - at->first), at->first, at->last);
  return DrawnCase{at->cases(at->random.split(), size).value(), at->family};
}

}  // namespace attn::properties
