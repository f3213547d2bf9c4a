#include "reports/record/measurements.hpp"

#include <gtest/gtest.h>

#include "reports/record/record_json.hpp"
#include "reports/tests/sample_measurements.hpp"
#include "theory/base/tests/expect_bad_input.hpp"

namespace attn::report {
namespace {

using nlohmann::json;
using enum BadInputKind;

/// `part` with what `whole` has besides.
json filled(json part, const json& whole) {
  if (part.is_object()) {
    for (const auto& [name, value] : whole.items()) {
      part[name] = part.contains(name) ? filled(part[name], value) : value;
    }
  } else if (part.is_array()) {
    for (std::size_t i = 0; i < part.size(); ++i) part[i] = filled(part[i], whole.at(i));
  }
  return part;
}

TEST(Measurements, KeepEveryFieldOfTheContract) {
  const json block = sample_measurements(2, 3);
  const json written(json_of(measurements_from(block)));
  EXPECT_EQ(written, filled(block, written)) << "what was read is written again";
}

TEST(Measurements, ReadWhatThereIs) {
  for (const json& block :
       {json::object(), json{{"figures", nullptr}}, json{{"figures", json::object()}},
        json{{"figures", {{"critical_n", json::array()}}}},
        json{{"figures", {{"distance_by_n", {{{"n", 1}, {"length", 32.0}, {"rows", 16}}}}}}},
        json{{"figures", {{"gradient", {{{"temperature", 8}, {"rows", 48}}}}}}}}) {
    EXPECT_NO_THROW(measurements_from(block)) << block;
  }
}

TEST(Measurements, NameThePathOfWhatIsWrong) {
  json block = sample_measurements(2, 3);
  block["figures"]["gradient"][0]["step"][2]["direction"] = "up";
  EXPECT_BAD_INPUT(measurements_from(block), {.kind = unknown_name,
                                              .where = "/gpt2/figures/gradient/0/step/2/direction",
                                              .expected = "one of {random,top}"});
  block = sample_measurements(2, 3);
  block["heads"][0]["layer"] = 4096;
  EXPECT_BAD_INPUT(
      measurements_from(block),
      {.kind = out_of_range, .where = "/gpt2/heads/0/layer", .expected = "an index below 4096"});
}

}  // namespace
}  // namespace attn::report
