#include "gpt2_check/rows/case_of_row.hpp"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "reports/io/record_json.hpp"
#include "theory/attention/normalizer.hpp"

namespace attn::gpt2 {
namespace {

/// A RowCase as it is written.
struct PlaceRecord {
  std::uint64_t row{};
  double temperature{};
  std::uint64_t n{};
  std::vector<std::uint64_t> set{};
  std::string normalizer{};

  static constexpr std::string_view kName = "place";
  static constexpr std::string_view kMeaning = "Which case of a head it is.";
  static constexpr auto fields() {
    return field_table(report::required("row", &PlaceRecord::row, "The query, counted from 0."),
                       report::required("temperature", &PlaceRecord::temperature, "T."),
                       report::required("n", &PlaceRecord::n, "How many tokens are selected."),
                       report::required("set", &PlaceRecord::set, "Which, but the n largest."),
                       report::required("normalizer", &PlaceRecord::normalizer, "Its name."));
  }
};

Normalizer normalizer_called(const std::string& name, const report::Reader& in) {
  for (const NormalizerTraits& each : normalizers()) {
    if (each.normalizer && each.name == name) return *each.normalizer;
  }
  in.refuse(BadInputKind::unknown_name, "the name of a normaliser");
}

}  // namespace

nlohmann::json CaseOfRow::place() const {
  return nlohmann::json(
      report::json_of(PlaceRecord{.row = static_cast<std::uint64_t>(at_.row.row),
                                  .temperature = at_.row.temperature,
                                  .n = at_.n,
                                  .set = {at_.set.begin(), at_.set.end()},
                                  .normalizer = std::string(to_string(at_.normalizer))}));
}

report::SharedCase case_at(std::shared_ptr<const Head> head, const Kind& kind,
                           const nlohmann::json& place) {
  const report::Reader in(place, "place");
  PlaceRecord record;
  report::read(in, record);
  RowCase at{
      .row = {.row = static_cast<std::int64_t>(record.row), .temperature = record.temperature},
      .n = record.n,
      .set = {record.set.begin(), record.set.end()},
      .normalizer = normalizer_called(record.normalizer, in.at("normalizer"))};
  return std::make_shared<const CaseOfRow>(std::move(head), kind, std::move(at));
}

}  // namespace attn::gpt2
