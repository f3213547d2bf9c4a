#include "theory/attention/kind.hpp"

namespace attn {
namespace {

constexpr FieldOfKind kRow[]{required(case_field::logits), optional(case_field::temperature),
                             required(case_field::normalizer)};
constexpr FieldOfKind kPoolingRow[]{required(case_field::logits), optional(case_field::temperature),
                                    required(case_field::normalizer), required(case_field::gain)};
constexpr FieldOfKind kPolynomialRow[]{
    required(case_field::logits), optional(case_field::temperature),
    required(case_field::normalizer), required(case_field::bound), required(case_field::degree)};
constexpr FieldOfKind kStep[]{required(case_field::logits), optional(case_field::temperature),
                              required(case_field::normalizer), required(case_field::step)};
constexpr FieldOfKind kStepWithin[]{required(case_field::logits), optional(case_field::temperature),
                                    required(case_field::normalizer), required(case_field::step),
                                    required(case_field::constant)};

}  // namespace

std::span<const FieldOfKind> RowOf::fields() const {
  if (normalizer == Normalizer::pooling) return kPoolingRow;
  if (normalizer == Normalizer::polynomial) return kPolynomialRow;
  return kRow;
}

std::span<const FieldOfKind> StepOf::fields() const {
  // It has no Lipschitz constant: a claim that it has one names it.
  if (normalizer == Normalizer::self_adjusted) return kStepWithin;
  return kStep;
}

std::span<const FieldOfKind> fields_of(const Kind& kind) {
  return std::visit(
      [](const auto& k) -> std::span<const FieldOfKind> {
        if constexpr (requires { k.fields(); }) {
          return k.fields();
        } else {
          return k.fields;
        }
      },
      kind);
}

std::string_view name_of(const Kind& kind) {
  return std::visit([](const auto& k) { return k.name; }, kind);
}

std::string_view meaning_of(const Kind& kind) {
  return std::visit([](const auto& k) { return k.meaning; }, kind);
}

bool is_on_rows(const Kind& kind) {
  return std::visit([](const auto& k) { return k.on_rows; }, kind);
}

std::optional<Normalizer> only_normalizer(const Kind& kind) {
  return std::visit(
      [](const auto& k) -> std::optional<Normalizer> {
        if constexpr (requires { k.normalizer; }) {
          return k.normalizer;
        } else {
          return std::nullopt;
        }
      },
      kind);
}

}  // namespace attn
