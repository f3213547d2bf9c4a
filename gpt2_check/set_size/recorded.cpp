#include "gpt2_check/set_size/recorded.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "gpt2_check/activations/names.hpp"
#include "gpt2_check/checkpoint/safetensors.hpp"
#include "reports/record/record_json.hpp"
#include "theory/base/bad_input.hpp"

namespace attn::gpt2 {

std::optional<report::SetSizes> recorded_set_sizes(const std::filesystem::path& file) {
  const auto found = safetensors::File(file).metadata(names::kSetSizes);
  if (!found) return {};
  // At a byte 0 the parser would end.
  const auto json = found->find('\0') == std::string::npos
                        ? nlohmann::json::parse(*found, nullptr, /*allow_exceptions=*/false)
                        : nlohmann::json(nlohmann::json::value_t::discarded);
  const std::string where = fmt::format("{}: metadata '{}'", file.string(), names::kSetSizes);
  if (json.is_discarded()) {
    throw BadInput({.kind = BadInputKind::malformed,
                    .where = where,
                    .expected = "JSON",
                    .found = in_quotes(*found)});
  }
  report::SetSizes sizes;
  report::read(report::Reader(json, where), sizes);
  return sizes;
}

}  // namespace attn::gpt2
