#pragma once

#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

#include "theory/attention/field.hpp"

/// The table of kinds of input, and walks over the fields of a case that know no kind by name. A
/// kind without a row in the table doesn't compile. What else depends on the kind asks for its
/// fields, or is a `switch` without a default, which doesn't compile where the kind is forgotten.
namespace attn {

/// Whether a case of the kind has the field.
enum class Presence {
  none,  ///< no field stands here
  required,
  optional,
  one_of,       ///< exactly one of the kind's fields with this presence
  one_of_sets,  ///< exactly one of the ways that the kind has to say which tokens are selected
};

constexpr bool is_alternative(Presence presence) {
  return presence == Presence::one_of || presence == Presence::one_of_sets;
}

/// A field of a kind.
struct FieldOfKind {
  const Field* field{};
  Presence presence{};
  Role role{};  ///< what it plays in the kind
};

std::span<const FieldOfKind> fields_of(const InputKind& kind);
std::string_view name_of(const InputKind& kind);
std::string_view meaning_of(const InputKind& kind);

/// What a field is in its kind, in a sentence or two, with its range, and what holds where it is
/// left out and may be.
std::string meaning_of(const FieldOfKind& row);

/// The field as cases of the kind have it, or may have it; null where they have it not.
const FieldOfKind* field_of(const InputKind& kind, const Field& field);

/// Whether cases of the kind have the field, or may have it.
bool has_field(const InputKind& kind, const Field& field);

/// Whether a row of attention gives cases of the kind: real input must cover its claims.
bool is_on_rows(const InputKind& kind);

/// What a side is the expectation over, which is added up term by term.
enum class Average { none, over_sets, over_directions };
Average average_of(const InputKind& kind);

/// The one normaliser that a kind has; empty where cases choose theirs, or have none.
std::optional<Normalizer> only_normalizer(const InputKind& kind);

/// The kind of a case, with its normaliser where the kind leaves that to the claim.
InputKind kind_of(const Case& input);

/// The kind's own normaliser, or else the one that the case names.
Normalizer normalizer_of(const Case& input);

/// Whether there is something that a temperature divides; beside weights it would say nothing.
bool has_temperature(const Case& input);

/// How many numbers a case holds, words counted as such.
std::size_t numbers_of(const Case& input);

/// Where a case, which may be const, holds the value of a field in a role.
template <class Played, class AnyCase>
auto& stored_in(AnyCase& input, const Field& field) {
  if constexpr (requires { typename Played::Stored; }) {
    return input.*std::get<typename Played::Stored Case::*>(field.member);
  } else {
    return input.*std::get<typename Played::Value Case::*>(field.member);
  }
}

/// Calls visit(row, role, value) for every field of the case's kind, in the order of its table; an
/// optional number, and an alternative that is not taken, are left out, and the normaliser is that
/// of normalizer_of. `AnyCase` is Case or const Case.
template <class AnyCase, class Visit>
void for_each_field(AnyCase& input, const Visit& visit) {
  for (const FieldOfKind& row : fields_of(input.kind)) {
    std::visit(
        [&]<class Played>(const Played& role) {
          if constexpr (std::is_same_v<Played, NormalizerName>) {
            const Normalizer normalizer = normalizer_of(input);
            visit(row, role, normalizer);
          } else if constexpr (requires { typename Played::Stored; }) {
            if (auto& value = stored_in<Played>(input, *row.field)) visit(row, role, *value);
          } else if (!is_alternative(row.presence) ||
                     stored_in<Played>(input, *row.field) != typename Played::Value{}) {
            visit(row, role, stored_in<Played>(input, *row.field));
          }
        },
        row.role);
  }
}

}  // namespace attn
