// Two reports beside each other: a JSON array of both, to a difference, a gate and a merged report.
#include <cstdint>
#include <nlohmann/json.hpp>

#include "reports/compare/diff.hpp"
#include "reports/compare/gate.hpp"
#include "reports/io/merge.hpp"
#include "reports/io/report_json.hpp"
#include "theory/base/bad_input.hpp"

namespace attn::report {
namespace {

/// What the first or the second is refused for must not keep the rest from being tried.
template <class Task>
void attempt(const Task& task) {
  try {
    task();
  } catch (const BadInput&) {
  }
}

void compare(const nlohmann::json& json) {
  if (!json.is_array() || json.size() != 2) return;
  const Report before = report_from_json(json[0]), after = report_from_json(json[1]);
  attempt([&] { diff_text(before, after); });
  attempt([&] { gate_failures(after, {.most_undecided = 1, .baseline = baseline_of(before)}); });
  attempt([&] { merge({before, after}, [](const Report&) {}); });
}

}  // namespace
}  // namespace attn::report

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  attn::report::attempt(
      [&] { attn::report::compare(nlohmann::json::parse(data, data + size, nullptr, false)); });
  return 0;
}
