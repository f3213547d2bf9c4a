#include "gpt2_check/rows/head_check.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>

#include "reports/record/walk.hpp"
#include "theory/attention/case_context.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/claims/evidence.hpp"
#include "theory/claims/relation.hpp"

namespace attn::gpt2 {

BoundPair::BoundPair(const Claim& sharp, const Claim& printed) {
  record_.sharp = sharp.id;
  record_.printed = printed.id;
}

void BoundPair::add(const Decision& sharp, const Decision& printed) {
  const auto sharp_ratio = finite_tightness(sharp), printed_ratio = finite_tightness(printed);
  if (!sharp_ratio || !printed_ratio) return;
  sharp_ratios_.add(*sharp_ratio);
  printed_ratios_.add(*printed_ratio);
  report::count(record_, relation(sharp, printed));
}

void BoundPair::merge(const BoundPair& other) {
  report::join<report::ComparisonRecord>(record_, other.record_, 1);
  sharp_ratios_.merge(other.sharp_ratios_);
  printed_ratios_.merge(other.printed_ratios_);
}

std::optional<report::WindowComparison> BoundPair::record() const {
  if (record_.cases == 0) return std::nullopt;
  report::WindowComparison record = record_;
  record.median_sharp = sharp_ratios_.quantile(0.5);
  record.median_printed = printed_ratios_.quantile(0.5);
  record.sharp_ratios = sharp_ratios_.buckets();
  record.printed_ratios = printed_ratios_.buckets();
  return record;
}

namespace {

/// Whether the claim follows, strictly, of what the kernel has beside its sides.
bool follows(const RowKernel& kernel, const RowTerms& terms) {
  return kernel.sufficient != nullptr && filter(kernel.sufficient(terms)).verdict == Verdict::holds;
}

/// The decision by the kernel alone: undecided where that cannot tell.
Decision filtered(const RowKernel& kernel, const RowTerms& terms) {
  if (kernel.unmet != nullptr && !kernel.unmet(terms).empty()) {
    return {.verdict = Verdict::assumption_not_met, .unmet = kernel.unmet(terms)};
  }
  if (kernel.formula == nullptr) {
    return {.verdict = follows(kernel, terms) ? Verdict::holds : Verdict::undecided};
  }
  const auto sides = kernel.sides(terms);
  if (!sides) return {};
  Decision decision = filter(*sides);
  decision.sampled = terms.random != nullptr && terms.random->sampled;
  if (kernel.decided != nullptr) decision.verdict = filter(kernel.decided(terms)).verdict;
  const bool is_open = decision.verdict == Verdict::undecided;
  if (is_open && follows(kernel, terms)) decision.verdict = Verdict::holds;
  return decision;
}

/// Whether a kernel is of a case: one without sides, where the claim's own are not computed
/// (`taken`), and only of sets that are certain. Kernels are of softmax.
bool is_used(const RowKernel& kernel, const RowTerms& terms, const RowCase& at, bool taken) {
  if (at.normalizer != Normalizer::softmax) return false;
  return kernel.formula != nullptr || (!taken && kernel.is_certain(terms));
}

/// Whether a claim without a kernel is decided on a row, of so many tokens.
bool is_taken(const InputKind& kind, std::size_t tokens, const Row& row) {
  return has_field(kind, case_field::sphere_radius) || has_few(tokens, row);
}

/// How the tokens of a case were selected, where claims on its kind have both ways; else empty.
std::string_view set_of(const InputKind& kind, const RowCase& at) {
  if (std::ranges::find(kinds_with_any_set(), kind) == kinds_with_any_set().end()) return {};
  return at.set.empty() ? report::kLargestWeights : report::kRandomSet;
}

}  // namespace

std::vector<const Claim*> row_claims() {
  std::vector<const Claim*> found;
  for (const Claim& claim : catalogue()) {
    if (is_on_rows(claim.kind) && !is_of_largest_steps(claim.kind)) {
      found.push_back(&claim);
    }
  }
  return found;
}

HeadCheck::HeadCheck(const Head& head, report::Stage stage, std::span<const Claim* const> claims,
                     std::vector<std::int64_t> lengths)
    : head_(head), keeper_(head), latest_{-1, {}}, terms_(head_, std::move(lengths)) {
  for (const Claim* const claim : claims) {
    of_kind_[claim->kind].push_back(checks_.size());
    checks_.push_back({claim, kernel_of(*claim), report::Tally(*claim, stage)});
  }
  for (ClaimCheck& check : checks_) {
    const Claim& claim = *check.claim;
    const auto printed = std::ranges::find_if(checks_, [&](const ClaimCheck& other) {
      return other.claim->id == claim.sharpens && other.claim->kind == claim.kind;
    });
    if (printed == checks_.end()) continue;
    check.pair.emplace(claim, *printed->claim);
    check.printed = static_cast<std::size_t>(printed - checks_.begin());
  }
}

void HeadCheck::check(const RowSelections& row, double temperature) {
  const ExactRow exact(head_, {.row = row.row, .temperature = temperature});
  terms_.for_each_case(row, temperature,
                       [&](const InputKind& kind, const RowTerms& terms, const RowCase& at) {
                         check_case(kind, terms, at, exact);
                       });
}

void HeadCheck::check_case(const InputKind& kind, const RowTerms& terms, const RowCase& at,
                           const ExactRow& row) {
  const std::vector<std::size_t>& checks = of_kind_[kind];
  const bool taken = is_taken(kind, terms.weights->tokens(), at.row);
  // Made where it is first needed; null where the row has no such case.
  struct Exact {
    Case input;
    CaseContext context{input};
  };
  std::unique_ptr<Exact> made;
  bool is_asked = false;
  const auto exact = [&] {
    if (std::exchange(is_asked, true)) return made.get();
    if (auto input = row.case_of(kind, at)) made = std::make_unique<Exact>(std::move(*input));
    return made.get();
  };
  const std::string_view set = set_of(kind, at);
  for (const std::size_t c : checks) {
    ClaimCheck& check = checks_[c];
    check.latest.reset();
    const bool has_kernel = check.kernel != nullptr && is_used(*check.kernel, terms, at, taken);
    if (!has_kernel && !(taken && exact() != nullptr)) continue;
    check.latest = has_kernel ? filtered(*check.kernel, terms) : Decision{};
    const bool is_open = check.latest->verdict == Verdict::undecided && !check.latest->sampled;
    if (is_open && exact() != nullptr) check.latest = decide(*check.claim, exact()->context);
    const auto later = [&] {
      return MakeCase(
          [rows = kept(at.row.row), kind, at] { return exact_case(rows.head(), kind, at); });
    };
    Decision settled = *check.latest;
    settle_ratio(settled, *check.claim, check.tally.counts().max_ratio, [&] { return later()(); });
    check.tally.add(
        settled, [&] { return std::pair(later(), at.place(head_, report::kRandomSet)); }, {}, set);
  }
  for (const std::size_t c : checks) {
    ClaimCheck& sharp = checks_[c];
    const std::optional<Decision>& printed = checks_[sharp.printed].latest;
    if (sharp.pair && sharp.latest && printed) sharp.pair->add(*sharp.latest, *printed);
  }
}

const KeptRows& HeadCheck::kept(Eigen::Index row) {
  if (latest_.first != row) latest_ = {row, keeper_.keep(row, 2)};
  return latest_.second;
}

std::vector<report::Tally> HeadCheck::tallies() const {
  std::vector<report::Tally> tallies;
  for (const ClaimCheck& check : checks_) tallies.push_back(check.tally);
  return tallies;
}

std::vector<BoundPair> HeadCheck::pairs() const {
  std::vector<BoundPair> pairs;
  for (const ClaimCheck& check : checks_) {
    if (check.pair) pairs.push_back(*check.pair);
  }
  return pairs;
}

}  // namespace attn::gpt2
