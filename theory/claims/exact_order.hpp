#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

#include "theory/attention/case_context.hpp"
#include "theory/claims/claim.hpp"
#include "theory/claims/evaluation.hpp"
#include "theory/number/exact/order.hpp"

namespace attn {

/// The work that exact arithmetic may do on one case (see number/exact/work.hpp): of the many of a
/// search, before more digits are asked; and of one that no digits decide, or that is asked for by
/// itself.
inline constexpr std::size_t kWorkOfSearch = std::size_t{1} << 16;
inline constexpr std::size_t kWorkOfOne = std::size_t{1} << 24;

/// How two sides are to each other by exact arithmetic, asked once and only where it is needed.
class ExactOrder {
 public:
  /// The sides of a claim on a case. It has a context of its own: neither its work nor what it
  /// finds depends on what was asked of the case before.
  ExactOrder(const Claim& claim, const Case& input, std::size_t budget);

  /// Any two sides, which `make` makes.
  ExactOrder(std::function<Sides<Exact>()> make, std::size_t budget);

  ~ExactOrder();
  ExactOrder(const ExactOrder&) = delete;
  ExactOrder& operator=(const ExactOrder&) = delete;

  /// How lhs is to rhs. Throws std::logic_error where that, or a side, contradicts their
  /// enclosures: one of the two is wrong then.
  symbolic::Order order(const Sides<Interval>& enclosures);

  /// Whether a side is known to be 0.
  bool lhs_is_zero() { return is_zero(&Sides<Exact>::lhs); }
  bool rhs_is_zero() { return is_zero(&Sides<Exact>::rhs); }

  /// Enclosures of the sides within those given: narrower where these know too few digits, and
  /// exact arithmetic knows the side.
  Sides<Interval> narrowed(Sides<Interval> enclosures);

 private:
  void find();
  bool is_zero(Exact Sides<Exact>::*side);

  /// The context of a claim's case; null for sides that are made in another way.
  std::unique_ptr<const CaseContext> context_;
  /// The tables for sides made in another way; null for a claim's case.
  std::unique_ptr<symbolic::Tables> own_;
  symbolic::Tables& tables_;
  std::function<Sides<Exact>()> make_;
  std::size_t budget_;
  std::optional<Sides<Exact>> sides_;
  std::optional<symbolic::Order> order_;
};

}  // namespace attn
