#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "theory/attention/kind.hpp"

/// Cases of any kind, and walks over their fields that know no kind by name.
namespace attn {

namespace detail {

using OneOfTheKinds =
    std::variant<NormalizedRow, SoftmaxRow, TwoTemperatureLogits, BoundedRow, FixedNormalizerLogits,
                 PoolingRow, PolynomialRow, SoftmaxDirection, SoftmaxSteps, FixedNormalizerStep,
                 StepWithin, QueryKeys, QueryKey, SelfAttention, WeightedEmbeddings,
                 PoolingEmbeddings, SinkEmbeddings, TopNEmbeddings, SetEmbeddings,
                 RandomSetEmbeddings, EqualTokens, TwoLevelTokens, SphereEmbeddings, TransportPlan>;

template <class K>
concept IsKind = requires { K::fields; };

}  // namespace detail

/// One exact input of a claim, of one of the kinds: a std::variant of them. How one is copied,
/// moved and destroyed, which is much to compile, is compiled once.
class Case : public detail::OneOfTheKinds {
 public:
  Case() noexcept;
  template <detail::IsKind K>
  Case(K of_kind) : detail::OneOfTheKinds(std::in_place_type<K>, std::move(of_kind)) {}
  Case(const Case& other);
  Case(Case&& other) noexcept;
  Case& operator=(const Case& other);
  Case& operator=(Case&& other) noexcept;
  ~Case();
  friend bool operator==(const Case& a, const Case& b);
};

/// A kind, as a case of it without values; it says which normaliser a claim on one is about.
using InputKind = Case;

/// A row of a kind's table.
struct FieldOfKind {
  const Field* field;
  Presence presence;
  Role role;     ///< what it plays in the kind
  bool is_same;  ///< in all cases of the kind, which hold no value of their own
};

std::span<const FieldOfKind> fields_of(const InputKind& kind);
std::string_view name_of(const InputKind& kind);
std::string_view meaning_of(const InputKind& kind);

/// Whether a row of attention gives cases of the kind: real input must cover its claims.
bool is_on_rows(const InputKind& kind);

/// The one normaliser that a kind has; empty where cases choose theirs, or have none.
std::optional<Normalizer> only_normalizer(const InputKind& kind);

/// Whether both are of one kind, and of one normaliser where the kind has only one.
bool same_kind(const InputKind& a, const InputKind& b);

/// L.
std::size_t tokens_of(const Case& input);

/// How many numbers a case holds, words counted as such.
std::size_t numbers_of(const Case& input);

/// Calls visit(member, value) for every field of the case's kind, in the order of its table; an
/// optional number is a std::optional. `AnyCase` is Case or const Case.
template <class AnyCase, class Visit>
void for_each_member(AnyCase& input, Visit visit) {
  std::visit(
      [&](auto& of_kind) {
        of_kind.fields([&](const auto& member) { visit(member, member.in(of_kind)); });
      },
      input);
}

namespace detail {

template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

/// Null where there is none.
template <class T>
auto* pointer_to(T& value) {
  if constexpr (kIsOptional<std::remove_const_t<T>>) {
    return value ? &*value : nullptr;
  } else {
    return &value;
  }
}

[[noreturn]] void refuse_field(const InputKind& kind, const Field& field);

/// Calls visit(context, row, value) for every field of the case's kind, in the order of its table,
/// with the address of its value; an optional number is left out where the case does not have it.
using VisitField = void (*)(const void* context, const FieldOfKind& row, const void* value);
void for_each_field(const Case& input, const void* context, VisitField visit);

}  // namespace detail

/// Calls visit(row, role, value) for every field of the case's kind, in the order of its table; an
/// optional number is left out where the case does not have it.
template <class AnyCase, class Visit>
void for_each_field(AnyCase& input, const Visit& visit) {
  detail::for_each_field(
      input, &visit, [](const void* context, const FieldOfKind& row, const void* value) {
        const auto of_role = [&]<class Played>(const Played& role) {
          using Value = typename Played::Value;
          const Visit& visit_it = *static_cast<const Visit*>(context);
          const auto* const its = static_cast<const Value*>(value);
          if constexpr (std::is_const_v<AnyCase>) {
            visit_it(row, role, *its);
          } else if constexpr (std::is_same_v<Played, NormalizerName>) {
            row.is_same ? visit_it(row, role, *its) : visit_it(row, role, const_cast<Value&>(*its));
          } else {
            visit_it(row, role, const_cast<Value&>(*its));  // of a case that is not const
          }
        };
        std::visit(of_role, row.role);
      });
}

namespace detail {

/// Where the value of a field is, of the type that its role says; null where there is none.
const void* find_value(const Case& input, const Field& field);

/// Where the case holds the value of a field, which an optional number then has; null where it
/// holds none of its own.
void* own_value(Case& input, const Field& field);

}  // namespace detail

/// The value of a field; null where the case's kind does not have it, or the case leaves it out.
template <const Field& field>
const typename RoleOf<field>::Value* find_value(const Case& input) {
  return static_cast<const typename RoleOf<field>::Value*>(detail::find_value(input, field));
}

/// The value of a field. Throws std::logic_error, naming the kind and the field, where the case's
/// kind does not have it.
template <const Field& field>
const typename RoleOf<field>::Value& value_of(const Case& input) {
  const auto* const value = find_value<field>(input);
  if (value == nullptr) detail::refuse_field(input, field);
  return *value;
}

/// The same, to be changed; null also where all cases of the kind share the value.
template <const Field& field>
typename RoleOf<field>::Value* own_value(Case& input) {
  if (find_value<field>(input) == nullptr) return nullptr;
  return static_cast<typename RoleOf<field>::Value*>(detail::own_value(input, field));
}

/// Whether there is something that a temperature divides; beside weights it would say nothing.
bool has_temperature(const Case& input);

}  // namespace attn
