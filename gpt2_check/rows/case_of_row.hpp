#pragma once

#include <memory>

#include "gpt2_check/rows/row.hpp"
#include "reports/judge/tally.hpp"

namespace attn::gpt2 {

/// A case of a row of a head, which is made exact when it is asked for: of a kind that
/// gives_case().
class CaseOfRow : public report::DeferredCase {
 public:
  CaseOfRow(std::shared_ptr<const Head> head, InputKind kind, RowCase at)
      : head_(std::move(head)), kind_(kind), at_(std::move(at)) {}

  [[nodiscard]] Case make() const override { return exact_case(*head_, kind_, at_); }

 private:
  std::shared_ptr<const Head> head_;
  InputKind kind_;
  RowCase at_;
};

}  // namespace attn::gpt2
