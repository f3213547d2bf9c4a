#include "gpt2_check/rows/head_check.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>

#include "theory/attention/dispersion.hpp"
#include "theory/attention/problem.hpp"
#include "theory/claims/catalogue.hpp"

namespace attn::gpt2 {
namespace {

/// By the kernel alone: undecided where that cannot tell.
Decision filtered(const RowKernel& kernel, const RowTerms& terms) {
  if (kernel.unmet != nullptr && !kernel.unmet(terms).empty()) {
    return {.verdict = Verdict::assumption_not_met, .unmet = kernel.unmet(terms)};
  }
  const KernelSides sides = kernel.sides(terms);
  if (!sides) return {};
  Decision decision = filter(*sides);
  decision.sampled = terms.random != nullptr && terms.random->sampled;
  if (kernel.decided != nullptr) decision.verdict = filter(*kernel.decided(terms)).verdict;
  return decision;
}

/// Whether a claim without a kernel is decided on a row, of so many tokens.
bool is_taken(const Kind& kind, std::size_t tokens, const Row& row) {
  constexpr std::size_t kMostTokens = 64;
  return std::holds_alternative<SphereEmbeddings>(kind) ||
         (std::has_single_bit(static_cast<std::uint64_t>(row.row) + 1) && tokens <= kMostTokens);
}

/// The exact case of a row, made where it is first needed.
class ExactRow {
 public:
  ExactRow(const Head& head, const Kind& kind, const RowCase& at)
      : head_(head), kind_(kind), at_(at) {}

  const Problem& problem() {
    if (!problem_) {
      input_ = exact_case(head_, kind_, at_);
      problem_.emplace(*input_);
    }
    return *problem_;
  }

 private:
  const Head& head_;
  const Kind& kind_;
  const RowCase& at_;
  std::optional<Case> input_;
  std::optional<Problem> problem_;
};

}  // namespace

std::vector<const Claim*> row_claims() {
  std::vector<const Claim*> found;
  for (const Claim& claim : catalogue()) {
    if (is_on_rows(claim.kind) && !std::holds_alternative<SoftmaxDirection>(claim.kind)) {
      found.push_back(&claim);
    }
  }
  return found;
}

std::string_view lacking(const Claim& claim, const Known& known) {
  if (!known.queries && reads(claim.kind, case_field::keys)) return "queries and keys";
  return !known.embeddings && reads_embeddings(claim.kind) ? "values" : "";
}

std::vector<const Claim*> row_claims(const Known& known) {
  std::vector<const Claim*> found = row_claims();
  std::erase_if(found, [&](const Claim* claim) { return !lacking(*claim, known).empty(); });
  return found;
}

HeadCheck::HeadCheck(std::shared_ptr<const Head> head, report::Stage stage,
                     std::span<const Claim* const> claims, std::vector<std::int64_t> lengths)
    : head_(std::move(head)), stage_(stage), terms_(*head_, std::move(lengths)) {
  for (const Claim* const claim : claims) checks_.push_back({claim, kernel_of(*claim), {}});
}

void HeadCheck::check(const RowSelections& row, double temperature) {
  terms_.for_each_case(row, temperature,
                       [&](const Kind& kind, const RowTerms& terms, const RowCase& at) {
                         check_case(kind, terms, at);
                       });
}

void HeadCheck::check_case(const Kind& kind, const RowTerms& terms, const RowCase& at) {
  ExactRow exact(*head_, kind, at);
  for (ClaimCheck& check : checks_) {
    if (!same_kind(check.claim->kind, kind)) continue;
    // Kernels are of softmax.
    const bool has_kernel = check.kernel != nullptr && at.normalizer == Normalizer::softmax;
    if (!has_kernel &&
        !(is_taken(kind, terms.weights->tokens(), at.row) && gives_case(*head_, kind, at))) {
      continue;
    }
    Decision decision = has_kernel ? filtered(*check.kernel, terms) : Decision{};
    if (decision.verdict == Verdict::undecided && !decision.sampled) {
      decision = decide(*check.claim, exact.problem());
    }
    check.checked.push_back({decision, at});
  }
}

/// The largest ratio is counted first, so that a tally keeps no case but that one.
std::vector<report::Tally> HeadCheck::tallies() const {
  std::vector<report::Tally> tallies;
  for (const auto& [claim, kernel, checked] : checks_) {
    report::Tally& tally = tallies.emplace_back(*claim, stage_);
    const auto ratio = [](const Checked& c) {
      return report::tightness(c.decision).value_or(-std::numeric_limits<double>::infinity());
    };
    const auto worst = std::ranges::max_element(checked, {}, ratio);
    const auto add = [&, kind = claim->kind](const Checked& c) {
      tally.add(c.decision, [&] {
        return std::pair<std::function<Case()>, std::string>(
            [head = head_, kind, at = c.at] { return exact_case(*head, kind, at); },
            c.at.place(*head_, "random set"));
      });
    };
    if (worst != checked.end()) add(*worst);
    for (auto c = checked.begin(); c != checked.end(); ++c) {
      if (c != worst) add(*c);
    }
  }
  return tallies;
}

/// Cases come in one order; a claim without a kernel has some of those that another has.
std::vector<BoundPair> HeadCheck::pairs() const {
  std::vector<BoundPair> pairs;
  for (const ClaimCheck& sharp : checks_) {
    const auto printed = std::ranges::find_if(checks_, [&](const ClaimCheck& other) {
      return other.claim->id == sharp.claim->sharpens &&
             same_kind(other.claim->kind, sharp.claim->kind);
    });
    if (printed == checks_.end()) continue;
    BoundPair& pair = pairs.emplace_back(*sharp.claim, *printed->claim);
    const bool has_fewer = sharp.checked.size() <= printed->checked.size();
    const std::vector<Checked>& fewer = has_fewer ? sharp.checked : printed->checked;
    const std::vector<Checked>& more = has_fewer ? printed->checked : sharp.checked;
    auto other = more.begin();
    for (const Checked& one : fewer) {
      while (other != more.end() && !(other->at == one.at)) ++other;
      if (other == more.end()) break;
      pair.add(has_fewer ? one.decision : other->decision,
               has_fewer ? other->decision : one.decision);
    }
  }
  return pairs;
}

}  // namespace attn::gpt2
