#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>

#include "gpt2_check/rows/row.hpp"
#include "reports/judge/tally.hpp"

namespace attn::gpt2 {

/// A case of a row of a head, which is made exact when it is asked for: of a kind that
/// gives_case().
class CaseOfRow : public report::DeferredCase {
 public:
  CaseOfRow(std::shared_ptr<const Head> head, Kind kind, RowCase at)
      : head_(std::move(head)), kind_(std::move(kind)), at_(std::move(at)) {}

  [[nodiscard]] Case make() const override { return exact_case(*head_, kind_, at_); }
  [[nodiscard]] nlohmann::json place() const override;

 private:
  std::shared_ptr<const Head> head_;
  Kind kind_;
  RowCase at_;
};

/// The case of a place in the same head. Throws BadInput for what no place is.
report::SharedCase case_at(std::shared_ptr<const Head> head, const Kind& kind,
                           const nlohmann::json& place);

}  // namespace attn::gpt2
