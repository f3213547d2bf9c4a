#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/record/fields.hpp"
#include "reports/record/measurements.hpp"
#include "reports/record/words.hpp"
#include "theory/base/build_info.hpp"

namespace attn::report {

// report.json, schema 1, as records. What a field means stands in the table of its record.

/// Equal bins of lhs/rhs over [0, 1] in a ratio histogram; one more bin counts what exceeds 1.
inline constexpr std::size_t kRatioBins = 20;

/// How many cases were of each name. One is looked up for each case, without a string of its own.
using Counts = std::map<std::string, std::uint64_t, std::less<>>;

/// The confidence of each interval of a share of cases.
inline constexpr double kClassConfidence = 0.999999;

inline constexpr double kApproached = 0.99;

inline constexpr std::string_view kDecimalPattern =
    "^(-?[0-9]+([.][0-9]+)?(e[+-][0-9]+)?|-?inf|nan)$";
inline constexpr std::string_view kSha256Pattern = "^([0-9a-f]{64})?$";

inline constexpr Traits kDecimal{.pattern = kDecimalPattern};

struct CaseRecord {
  nlohmann::json input{};
  std::string lhs{}, rhs{};
  std::string lhs_lower{}, lhs_upper{}, rhs_lower{}, rhs_upper{};
  std::optional<Verdict> verdict{};
  unsigned digits{};
  std::string where{};

  ATTN_RECORD(
      CaseRecord, "decided",
      "A case with both sides of its claim, exact enough to decide it again. The sides have 50 "
      "significant digits; where their enclosures are left out, they are the sides themselves.",
      required("case", &Self::input,
               "The exact input. Null where it has more than 100,000 numbers, but for a "
               "violation, which is always written out: `where` says which row it is, and the "
               "claim's replay command decides it again."),
      required(ATTN_FIELD(lhs), "The left side.", kDecimal),
      required(ATTN_FIELD(rhs), "The right side.", kDecimal),
      defaulted(ATTN_FIELD(lhs_lower), "The left side is at least this: rounded outwards.",
                kDecimal),
      defaulted(ATTN_FIELD(lhs_upper), "The left side is at most this: rounded outwards.",
                kDecimal),
      defaulted(ATTN_FIELD(rhs_lower), "The right side is at least this: rounded outwards.",
                kDecimal),
      defaulted(ATTN_FIELD(rhs_upper), "The right side is at most this: rounded outwards.",
                kDecimal),
      defaulted(ATTN_FIELD(verdict), "What the enclosures say of lhs <= rhs. Empty where unknown."),
      defaulted(ATTN_FIELD(digits),
                "Decimal digits of the intervals that decided: 50, 100 or 200. 0 where unknown."),
      defaulted(ATTN_FIELD(where),
                "Where the case comes from: on real input \"layer 3, head 2, row 17, N 5\", else "
                "the family of inputs."));
};

struct ClassRecord {
  std::string name{};
  double least_share{};
  std::uint64_t cases{};
  double share_lower{}, share_upper{};
  bool covered{};

  ATTN_RECORD(
      ClassRecord, "class",
      "How often the cases of a search fell into one class of inputs, and how often they must.",
      required(ATTN_FIELD(name), "\"exact ties\", \"64 tokens\", ... Once for each claim."),
      required(ATTN_FIELD(least_share), "The share of the cases that must belong to the class.",
               {.limits = {.words = "a share above 0 and at most 1", .above = 0, .most = 1}}),
      required(ATTN_FIELD(cases), "Cases that belong to it."),
      required(ATTN_FIELD(share_lower),
               "Lower end of the Clopper-Pearson interval of the share, at confidence 0.999999.",
               {.limits = kShare}),
      required(ATTN_FIELD(share_upper), "Its upper end.", {.limits = kShare}),
      required(ATTN_FIELD(covered), "Whether share_lower >= least_share."));
};

struct MutantRecord {
  std::string id{};
  std::string change{};
  bool caught{};
  std::uint64_t cases{};
  std::optional<CaseRecord> witness{};
  std::string replay{};

  ATTN_RECORD(MutantRecord, "mutant",
              "A wrong version of a proved claim, and whether the claim's search noticed.",
              required(ATTN_FIELD(id), "The claim's id, a slash and a word on the change.",
                       {.pattern = "^[^/]+/.+$"}),
              required(ATTN_FIELD(change), "What was done to the formula."),
              required(ATTN_FIELD(caught), "Whether some case violates the wrong version."),
              required(ATTN_FIELD(cases), "Cases decided until it was caught, or in all."),
              defaulted(ATTN_FIELD(witness), "The case that caught it; null where none did."),
              defaulted(ATTN_FIELD(replay), "The command that searches it again."));
};

struct TightnessRecord {
  TightnessKind kind{TightnessKind::loose};
  double ratio{};
  std::uint64_t climbed{};
  CaseRecord at{};

  ATTN_RECORD(
      TightnessRecord, "tightness",
      "How close a proved bound comes to its other side, as far as a directed search could push "
      "it.",
      required(ATTN_FIELD(kind),
               "attained: some case has equal sides. approached: lhs/rhs >= 0.99. loose: "
               "neither."),
      required(ATTN_FIELD(ratio),
               "The largest lhs/rhs found; 1 where the bound is attained. Without unit.",
               {.limits = {.words = "at most 1", .most = 1}}),
      required(ATTN_FIELD(climbed), "Cases of the directed search, on top of the random one."),
      required(ATTN_FIELD(at), "The case that has it."));
};

struct ClaimRecord {
  std::string id{}, title{};
  Status status{};
  attn::FormulaOrigin provenance{};
  std::string statement{}, paper{}, argument{};
  std::string sentence{}, instead{};
  Stage stage{};
  std::string input{};
  Outcome outcome{Outcome::not_covered};
  std::uint64_t cases{}, holds{}, equal{}, violated{}, undecided{}, assumption_not_met{};
  std::uint64_t sampled{}, sampled_open{};
  Counts unmet{};
  std::optional<double> max_ratio{};
  Counts digits{};
  Counts families{};
  std::vector<std::uint64_t> ratio_histogram{};
  std::optional<CaseRecord> worst{};
  std::optional<CaseRecord> smallest_witness{};
  std::optional<CaseRecord> first_undecided{};
  std::vector<ClassRecord> classes{};
  std::vector<MutantRecord> mutants{};
  std::optional<TightnessRecord> tightness{};
  std::uint64_t regressions{};
  std::string shrinking{};
  std::string seed{};
  std::string replay{};

  ATTN_RECORD(
      ClaimRecord, "claim",
      "What one stage found about one claim lhs <= rhs. A claim stands once for each stage and "
      "input. cases = holds + equal + violated + undecided + assumption_not_met.",
      required(ATTN_FIELD(id), "\"theorem1.fixed\", ...", {.pattern = "."}),
      required(ATTN_FIELD(title), "The claim in a few words."),
      required(ATTN_FIELD(status),
               "What mathematics says of the claim: proved, or refuted by a counterexample."),
      required(ATTN_FIELD(provenance),
               "Where the formula is from: quoted from the paper, reconstructed from its prose, "
               "or derived here."),
      defaulted(ATTN_FIELD(statement), "The claim as a formula."),
      defaulted(ATTN_FIELD(paper), "The statement of the paper that it is about."),
      defaulted(ATTN_FIELD(argument), "The proof, or the counterexample by hand, in short."),
      sparse(ATTN_FIELD(sentence),
             "What the paper says in words, where the claim is one of its sentences."),
      sparse(ATTN_FIELD(instead), "Beside a sentence: what is true."),
      required(ATTN_FIELD(stage),
               "Where the cases are from: a search, the attention of a GPT-2 checkpoint, or "
               "recorded activations."),
      sparse(ATTN_FIELD(input),
             "Of real input: which one, as its measurements name it. Absent of a search."),
      required(ATTN_FIELD(outcome), "How the verdicts compare with the status."),
      required(ATTN_FIELD(cases), "Cases looked at.", counted("cases")),
      required(ATTN_FIELD(holds), "Cases with certainly lhs < rhs.", counted("holds")),
      required(ATTN_FIELD(equal),
               "Cases whose sides agree to 190 digits or are exactly equal: the bound is "
               "attained.",
               counted("equal")),
      required(ATTN_FIELD(violated), "Cases with certainly lhs > rhs.", counted("violated")),
      required(ATTN_FIELD(undecided),
               "Cases whose sides overlap even at 200 digits, or that a confidence interval "
               "leaves open.",
               counted("undecided")),
      required(ATTN_FIELD(assumption_not_met), "Cases outside the hypotheses of the claim.",
               counted("assumption not met")),
      defaulted(ATTN_FIELD(sampled),
                "Of the decided and undecided cases, those judged against a confidence interval "
                "in place of an exact expectation.",
                kSum),
      defaulted(ATTN_FIELD(sampled_open),
                "Of these, the ones that the interval leaves open; they do not make the outcome "
                "undecided.",
                counted("left open by a confidence interval")),
      defaulted(ATTN_FIELD(unmet),
                "Hypothesis -> cases that do not meet it; their sum is at most "
                "assumption_not_met.",
                kSum),
      defaulted(ATTN_FIELD(max_ratio),
                "The largest lhs/rhs seen where rhs > 0; 1: attained, above 1: violated. Of a "
                "case whose sides are not known to nine digits (a sampled expectation), the "
                "least that it can be. Null where there is none. Without unit."),
      defaulted(ATTN_FIELD(digits),
                "Level -> cases that it decided: \"filter\" (double with an error bound), \"50\", "
                "\"100\", \"200\" digits.",
                kSum),
      defaulted(ATTN_FIELD(families), "Family of generated inputs -> cases; empty on real input.",
                kSum),
      defaulted(ATTN_FIELD(ratio_histogram),
                "Cases by lhs/rhs, as max_ratio has it: 20 equal bins over [0, 1], then one for "
                "what exceeds 1. Empty where there is no ratio.",
                {.elements = kRatioBins + 1, .joined = Joined::sum}),
      defaulted(ATTN_FIELD(worst), "The case of max_ratio, or null."),
      defaulted(ATTN_FIELD(smallest_witness),
                "The violation made as small as possible; on real input the worst, where that is "
                "not long; "
                "else the first one found; else null."),
      defaulted(ATTN_FIELD(first_undecided),
                "The first case that stayed open at 200 digits, or null."),
      defaulted(ATTN_FIELD(classes),
                "Classes of inputs that the search must meet; empty on real input."),
      defaulted(ATTN_FIELD(mutants),
                "Wrong versions of a proved claim, which the cases of the stage must tell from "
                "it; empty for refuted claims."),
      defaulted(ATTN_FIELD(tightness), "Of a proved claim in the synthetic stage; else null."),
      defaulted(ATTN_FIELD(regressions), "Kept cases that were decided before the search."),
      defaulted(ATTN_FIELD(shrinking),
                "How smallest_witness was made small: \"3 steps, 17 attempts\". Empty where it "
                "was not."),
      defaulted(ATTN_FIELD(seed),
                "The seed of this claim's search, an integer below 2^64; empty on real input.",
                {.pattern = "^[0-9]{0,20}$"}),
      defaulted(ATTN_FIELD(replay), "The command that runs it again."));
};

struct Shard {
  unsigned index{}, count{};

  ATTN_RECORD(Shard, "shard", "One part of a search, or of a run over windows.",
              required(ATTN_FIELD(index), "Which one, counted from 1.", {.limits = kFromOne}),
              required(ATTN_FIELD(count), "Of how many.", {.limits = kFromOne}));
};

struct ModelRecord {
  std::string name{}, sha256{};

  ATTN_RECORD(ModelRecord, "model", "A model, or the recording of one.",
              required(ATTN_FIELD(name), "Its name."),
              required(ATTN_FIELD(sha256),
                       "SHA-256 of its weights or of the recording, in hexadecimal.",
                       {.pattern = kSha256Pattern}));
};

struct RunInfo : BuildInfo {
  std::string processor{}, blas{};
  unsigned threads{};
  std::optional<std::uint64_t> ranks{};
  std::uint64_t seed{};
  Effort effort{Effort::none};
  std::optional<std::uint64_t> cases{};
  std::string started{};
  double seconds{};
  ModelRecord model{};
  std::string text_sha256{};
  std::optional<Shard> shard{};

  ATTN_RECORD(RunInfo, "provenance", "What was run, on what, with what.",
              required(ATTN_FIELD(version), "Version of the project."),
              required(ATTN_FIELD(commit),
                       "The commit that was built, in hexadecimal; \"unknown\" outside a checkout.",
                       {.pattern = "^([0-9a-f]{40}|unknown)$"}),
              required(ATTN_FIELD(dirty),
                       "Whether the tree had changes when it was built, or its commit is unknown."),
              required(ATTN_FIELD(compiler), "Compiler and its version."),
              required(ATTN_FIELD(flags), "What it was given."),
              sparse(ATTN_FIELD(processor),
                     "The processor that it ran on: its family, the vectors used, its name. "
                     "Here and below, of reports joined from several machines a list."),
              required(ATTN_FIELD(libraries),
                       "Library -> version; LibTorch's with the vectors that its kernels use."),
              required(ATTN_FIELD(blas),
                       "The BLAS of the forward pass; empty where the stage uses none."),
              required(ATTN_FIELD(threads), "Threads at most, of all ranks together."),
              sparse(ATTN_FIELD(ranks),
                     "Processes that shared the run (MPI ranks), where there were several."),
              required(ATTN_FIELD(seed), "The seed of the run, below 2^64."),
              required(ATTN_FIELD(effort),
                       "How much was searched; empty on real input, where nothing is drawn."),
              sparse(ATTN_FIELD(cases), "Cases of each claim, where so many were asked for."),
              required(ATTN_FIELD(started), "When the run started: UTC, ISO 8601.",
                       {.pattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$"}),
              required(ATTN_FIELD(seconds),
                       "How long it took, in seconds; of merged reports the sum."),
              required(ATTN_FIELD(model),
                       "The model that was run; both fields are empty where the stage has none."),
              required(ATTN_FIELD(text_sha256),
                       "SHA-256 of the text that the model read; empty where there is none.",
                       {.pattern = kSha256Pattern}),
              sparse(ATTN_FIELD(shard),
                     "Which part of the run this report is of; absent where it is of the whole."));
};

struct ComparisonRecord {
  std::string sharp{}, printed{}, input{};
  std::uint64_t cases{}, tighter{}, as_tight{}, looser{};
  double median_sharp{}, median_printed{};

  ATTN_RECORD(
      ComparisonRecord, "comparison",
      "A sharp or repaired bound beside the printed one, over the same cases. tighter + as_tight + "
      "looser <= cases.",
      required(ATTN_FIELD(sharp), "Id of the sharp claim."),
      required(ATTN_FIELD(printed), "Id of the printed one."),
      sparse(ATTN_FIELD(input), "Of real input: which one. Absent of the cases of a search."),
      required(ATTN_FIELD(cases), "Cases with a ratio for each.", counted("cases")),
      required(ATTN_FIELD(tighter), "Cases where the sharp bound is certainly tighter.",
               counted("tighter")),
      required(ATTN_FIELD(as_tight), "Cases where the bounds are equal.", counted("as tight")),
      required(ATTN_FIELD(looser), "Cases where the sharp bound is certainly looser.",
               counted("looser")),
      required(ATTN_FIELD(median_sharp),
               "Median of lhs/rhs for the sharp bound. Of more than 2^20 cases, and of several "
               "windows, within 1/256 of itself.",
               {.measure = "median lhs/rhs"}),
      required(ATTN_FIELD(median_printed), "The same for the printed one.",
               {.measure = "median of the printed"}));
};

struct Bucket {
  double at{};
  std::uint64_t count{};

  ATTN_RECORD(Bucket, "bucket", "How many values lie about one.",
              required(ATTN_FIELD(at), "The middle of the bucket."),
              required(ATTN_FIELD(count), "Values in it."));
};

struct WindowComparison : ComparisonRecord {
  std::vector<Bucket> sharp_ratios{}, printed_ratios{};

  using Self = WindowComparison;
  static constexpr std::string_view kName = "window_comparison";
  static constexpr std::string_view kMeaning = "A comparison in one window.";
  static constexpr auto fields() {
    return joined(
        ComparisonRecord::fields(),
        field_table(
            required(ATTN_FIELD(sharp_ratios), "lhs/rhs of the sharp bound over its cases."),
            required(ATTN_FIELD(printed_ratios), "The same of the printed one.")));
  }
};

/// What one window of a text showed: all that a report over several takes of it.
struct WindowResult {
  std::uint64_t window{1};
  std::vector<ClaimRecord> claims{};
  std::vector<WindowComparison> comparisons{};
  Measurements measured{};
  std::vector<std::vector<double>> by_head{};

  ATTN_RECORD(
      WindowResult, "window_result", "What one window of a text showed.",
      required(ATTN_FIELD(window), "Which one, counted from 1.", {.limits = kFromOne}),
      required(ATTN_FIELD(claims), "One record for each claim."),
      required(ATTN_FIELD(comparisons), "As in a report."),
      required(ATTN_FIELD(measured), "As in a report of this window alone."),
      required(ATTN_FIELD(by_head),
               "The numbers of each head behind the spreads of the figures, in their order, then "
               "behind each statement of the abstract and its points. Empty where there is "
               "none."));
};

/// The windows of a shard, which stay in its report.json: a book has more than fit in memory.
struct KeptWindows {
  using Element = WindowResult;

  std::filesystem::path file{};
  std::vector<std::uint64_t> offsets{};  ///< in the file: where the object of each begins

  [[nodiscard]] bool empty() const { return offsets.empty(); }
};

struct NormalizerRecord {
  std::string name{}, definition{}, constant{}, breaks{}, claim{};

  ATTN_RECORD(NormalizerRecord, "normalizer", "One normaliser.",
              required(ATTN_FIELD(name), "Its name."),
              required(ATTN_FIELD(definition), "Its formula."),
              required(ATTN_FIELD(constant), "Its sharp Lipschitz constant."),
              required(ATTN_FIELD(breaks),
                       "What of the paper's assumptions it breaks; empty where nothing."),
              required(ATTN_FIELD(claim),
                       "Id of the claim about its constant; empty where there is none."));
};

struct CatalogueClaim {
  std::string id{}, title{};
  Status status{};
  bool on_rows{};

  ATTN_RECORD(
      CatalogueClaim, "catalogue_claim", "A claim that a report must have.",
      required(ATTN_FIELD(id), "Its id.", {.pattern = "."}),
      required(ATTN_FIELD(title), "The claim in a few words."),
      required(ATTN_FIELD(status), "What mathematics says of the claim."),
      required(ATTN_FIELD(on_rows),
               "Whether it speaks of rows of attention alone: then a stage of real input must "
               "have it too."));
};

struct CatalogueRecord {
  std::string name{};
  std::string eval{};
  std::vector<CatalogueClaim> claims{};

  ATTN_RECORD(
      CatalogueRecord, "catalogue",
      "The claims that a report is about, in their order, where they are not those of the paper.",
      required(ATTN_FIELD(name), "What the claims are called."),
      required(ATTN_FIELD(eval),
               "The command that decides cases of these claims, before the name "
               "of a file of them.",
               {.pattern = "."}),
      required(ATTN_FIELD(claims), "Each claim."));
};

struct PartRecord {
  std::string unit{}, result{};

  ATTN_RECORD(PartRecord, "part", "A unit of work of a shard.",
              required(ATTN_FIELD(unit), "Which one. Once in all shards.", {.pattern = "."}),
              required(ATTN_FIELD(result), "What it came to: JSON, which the joining reads."));
};

struct Report {
  RunInfo provenance{};
  std::optional<CatalogueRecord> catalogue{};
  std::vector<ClaimRecord> claims{};
  std::vector<ComparisonRecord> comparisons{};
  std::vector<NormalizerRecord> normalizers{};
  std::vector<Measurements> inputs{};  ///< real ones
  std::vector<PartRecord> parts{};
  KeptWindows windows{};
};

/// A report as report.json has it: the first input stands apart.
struct ReportFile : Report {
  std::optional<Measurements> gpt2{};
  std::vector<Measurements> further_inputs{};

  ATTN_RECORD(
      ReportFile, "report",
      "What the programs properties and gpt2_check write and the program report reads. Further "
      "fields are welcome. Counts are integers below 2^64; numbers that must not lose digits are "
      "strings.",
      required(ATTN_FIELD(provenance), "What was run, on what, with what."),
      sparse(ATTN_FIELD(catalogue),
             "The catalogue of the claims; absent where it is the paper's own."),
      required(ATTN_FIELD(claims),
               "One record for each claim, stage and input: claims in the order of the catalogue, "
               "then stages, then inputs."),
      defaulted(ATTN_FIELD(comparisons),
                "Sharp or repaired bounds beside the printed ones, decided on the same cases: of "
                "the search and of each real input."),
      defaulted(ATTN_FIELD(normalizers), "How logits may become weights."),
      sparse(ATTN_FIELD(gpt2),
             "What was measured on real attention: plain double arithmetic, not certified. "
             "Absent or null without such a stage."),
      sparse(ATTN_FIELD(further_inputs),
             "The same of each further input, where the report has several."),
      sparse(ATTN_FIELD(parts),
             "Of a shard: the units of work that fell to it, which `report merge` makes records "
             "of."),
      sparse(ATTN_FIELD(windows),
             "Of a shard of a run over windows: what each of its windows showed, in place of "
             "claims and of what was measured."));
};

/// Where cases are from: a stage and, of real input, which one.
struct Source {
  Stage stage{};
  std::string input{};
  // NOLINTNEXTLINE(modernize-use-nullptr): a defaulted comparison compares with 0, not this code
  auto operator<=>(const Source&) const = default;
};

Source source_of(const ClaimRecord& record);

/// The stages that left a record, in their order.
std::vector<Stage> stages_of(const Report& report);

/// The sources that left a record: stages in their order, the inputs of each as the report has
/// them.
std::vector<Source> sources_of(const Report& report);

/// "synthetic", "gpt2, tiny".
std::string source_words(const Source& source);

/// The processes of one run.
struct Processes {
  unsigned ranks{1};
  unsigned threads{1};       ///< at most, of all ranks together
  std::string processors{};  ///< what they run on
};

/// What is known when a run starts: what build_info() tells, by whom, and the time. `blas` names
/// the BLAS in use, empty where the stage uses none; a stage adds libraries of its own, its model,
/// its text and the seconds it took.
RunInfo collect_provenance(std::uint64_t seed, Effort effort, const Processes& processes,
                           std::string blas = {});

/// More shards than this are a slip of the hand.
inline constexpr unsigned kMostShards = 1000;

/// The shard of "K/N". Throws BadInput unless 1 <= K <= N <= kMostShards.
Shard shard_from(std::string_view text);

}  // namespace attn::report
