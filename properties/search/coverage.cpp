#include "properties/search/coverage.hpp"

#include <boost/math/distributions/binomial.hpp>

namespace attn::properties {

void Coverage::add(const Case& input) {
  ++cases_;
  const Profile profile(input);
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    if (classes_[i].contains(profile)) ++counts_[i];
  }
}

std::vector<report::ClassRecord> Coverage::records() const {
  using Binomial = boost::math::binomial_distribution<double>;
  constexpr double kOneSide = (1 - report::kClassConfidence) / 2;
  std::vector<report::ClassRecord> records;
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    report::ClassRecord record{.name = std::string(classes_[i].name),
                               .least_share = classes_[i].least_share,
                               .cases = counts_[i],
                               .share_lower = 0,
                               .share_upper = 1,
                               .covered = false};
    if (cases_ > 0) {
      const auto trials = static_cast<double>(cases_);
      const auto met = static_cast<double>(counts_[i]);
      record.share_lower = Binomial::find_lower_bound_on_p(trials, met, kOneSide);
      record.share_upper = Binomial::find_upper_bound_on_p(trials, met, kOneSide);
    }
    record.covered = record.share_lower >= record.least_share;
    records.push_back(std::move(record));
  }
  return records;
}

}  // namespace attn::properties
