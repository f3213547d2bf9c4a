#include "properties/search/coverage.hpp"

#include <boost/math/distributions/binomial.hpp>
#include <nlohmann/json.hpp>

#include "reports/record/json_reader.hpp"

namespace attn::properties {

void Coverage::add(const CaseFeatures& profile) {
  ++cases_;
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    if (classes_[i].contains(profile)) ++counts_[i];
  }
}

void Coverage::merge(const Coverage& other) {
  cases_ += other.cases_;
  for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_.at(i);
}

nlohmann::json Coverage::to_json() const {
  return {{"cases", cases_}, {"counts", counts_}};
}

Coverage Coverage::from_json(std::span<const InputClass> classes, const nlohmann::json& json) {
  const report::Reader in(json, "coverage");
  Coverage coverage(classes);
  coverage.cases_ = in.at("cases").count();
  const std::vector<report::Reader> counts = in.at("counts").elements();
  if (counts.size() != classes.size()) {
    in.at("counts").refuse(BadInputKind::malformed, "a count for each class");
  }
  for (std::size_t i = 0; i < counts.size(); ++i) coverage.counts_[i] = counts[i].count();
  return coverage;
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
