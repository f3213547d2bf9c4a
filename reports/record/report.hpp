#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "reports/record/fields.hpp"
#include "reports/record/measurements.hpp"
#include "reports/record/words.hpp"

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

struct CaseRecord {
  nlohmann::json input{};
  std::string lhs{}, rhs{};
  std::string lhs_lower{}, lhs_upper{}, rhs_lower{}, rhs_upper{};
  std::optional<Verdict> verdict{};
  unsigned digits{};
  std::string where{};

  static constexpr std::string_view kName = "decided";
  static constexpr std::string_view kMeaning =
      "A case with both sides of its claim, exact enough to decide it again. The sides have 50 "
      "significant digits; where their enclosures are left out, they are the sides themselves.";
  static constexpr auto fields() {
    constexpr Traits kDecimal{.pattern = kDecimalPattern};
    return field_table(
        required("case", &CaseRecord::input,
                 "The exact input. Null where it has more than 100,000 numbers, but for a "
                 "violation, which is always written out: `where` says which row it is, and the "
                 "claim's replay command decides it again."),
        required("lhs", &CaseRecord::lhs, "The left side.", kDecimal),
        required("rhs", &CaseRecord::rhs, "The right side.", kDecimal),
        defaulted("lhs_lower", &CaseRecord::lhs_lower,
                  "The left side is at least this: rounded outwards.", kDecimal),
        defaulted("lhs_upper", &CaseRecord::lhs_upper,
                  "The left side is at most this: rounded outwards.", kDecimal),
        defaulted("rhs_lower", &CaseRecord::rhs_lower,
                  "The right side is at least this: rounded outwards.", kDecimal),
        defaulted("rhs_upper", &CaseRecord::rhs_upper,
                  "The right side is at most this: rounded outwards.", kDecimal),
        defaulted("verdict", &CaseRecord::verdict,
                  "What the enclosures say of lhs <= rhs. Empty where unknown."),
        defaulted("digits", &CaseRecord::digits,
                  "Decimal digits of the intervals that decided: 50, 100 or 200. 0 where unknown."),
        defaulted("where", &CaseRecord::where,
                  "Where the case comes from: on real input \"layer 3, head 2, row 17, N 5\", else "
                  "the family of inputs."));
  }
};

struct ClassRecord {
  std::string name{};
  double least_share{};
  std::uint64_t cases{};
  double share_lower{}, share_upper{};
  bool covered{};

  static constexpr std::string_view kName = "class";
  static constexpr std::string_view kMeaning =
      "How often the cases of a search fell into one class of inputs, and how often they must.";
  static constexpr auto fields() {
    return field_table(
        required("name", &ClassRecord::name,
                 "\"exact ties\", \"64 tokens\", ... Once for each claim."),
        required("least_share", &ClassRecord::least_share,
                 "The share of the cases that must belong to the class.",
                 {.limits = {.words = "a share above 0 and at most 1", .above = 0, .most = 1}}),
        required("cases", &ClassRecord::cases, "Cases that belong to it."),
        required("share_lower", &ClassRecord::share_lower,
                 "Lower end of the Clopper-Pearson interval of the share, at confidence 0.999999.",
                 {.limits = kShare}),
        required("share_upper", &ClassRecord::share_upper, "Its upper end.", {.limits = kShare}),
        required("covered", &ClassRecord::covered, "Whether share_lower >= least_share."));
  }
};

struct MutantRecord {
  std::string id{};
  std::string change{};
  bool caught{};
  std::uint64_t cases{};
  std::optional<CaseRecord> witness{};
  std::string replay{};

  static constexpr std::string_view kName = "mutant";
  static constexpr std::string_view kMeaning =
      "A wrong version of a proved claim, and whether the claim's search noticed.";
  static constexpr auto fields() {
    return field_table(
        required("id", &MutantRecord::id, "The claim's id, a slash and a word on the change.",
                 {.pattern = "^[^/]+/.+$"}),
        required("change", &MutantRecord::change, "What was done to the formula."),
        required("caught", &MutantRecord::caught, "Whether some case violates the wrong version."),
        required("cases", &MutantRecord::cases, "Cases decided until it was caught, or in all."),
        defaulted("witness", &MutantRecord::witness,
                  "The case that caught it; null where none did."),
        defaulted("replay", &MutantRecord::replay, "The command that searches it again."));
  }
};

struct TightnessRecord {
  TightnessKind kind{TightnessKind::loose};
  double ratio{};
  std::uint64_t climbed{};
  CaseRecord at{};

  static constexpr std::string_view kName = "tightness";
  static constexpr std::string_view kMeaning =
      "How close a proved bound comes to its other side, as far as a directed search could push "
      "it.";
  static constexpr auto fields() {
    return field_table(
        required("kind", &TightnessRecord::kind,
                 "attained: some case has equal sides. approached: lhs/rhs >= 0.99. loose: "
                 "neither."),
        required("ratio", &TightnessRecord::ratio,
                 "The largest lhs/rhs found; 1 where the bound is attained. Without unit.",
                 {.limits = {.words = "at most 1", .most = 1}}),
        required("climbed", &TightnessRecord::climbed,
                 "Cases of the directed search, on top of the random one."),
        required("at", &TightnessRecord::at, "The case that has it."));
  }
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
  std::optional<std::uint64_t> batches{};
  std::string replay{};

  static constexpr std::string_view kName = "claim";
  static constexpr std::string_view kMeaning =
      "What one stage found about one claim lhs <= rhs. A claim stands once for each stage and "
      "input. cases = holds + equal + violated + undecided + assumption_not_met.";
  static constexpr auto fields() {
    return field_table(
        required("id", &ClaimRecord::id, "\"theorem1.fixed\", ...", {.pattern = "."}),
        required("title", &ClaimRecord::title, "The claim in a few words."),
        required("status", &ClaimRecord::status,
                 "What mathematics says of the claim: proved, or refuted by a counterexample."),
        required("provenance", &ClaimRecord::provenance,
                 "Where the formula is from: quoted from the paper, reconstructed from its prose, "
                 "or derived here."),
        defaulted("statement", &ClaimRecord::statement, "The claim as a formula."),
        defaulted("paper", &ClaimRecord::paper, "The statement of the paper that it is about."),
        defaulted("argument", &ClaimRecord::argument,
                  "The proof, or the counterexample by hand, in short."),
        sparse("sentence", &ClaimRecord::sentence,
               "What the paper says in words, where the claim is one of its sentences."),
        sparse("instead", &ClaimRecord::instead, "Beside a sentence: what is true."),
        required("stage", &ClaimRecord::stage,
                 "Where the cases are from: a search, the attention of a GPT-2 checkpoint, or "
                 "recorded activations."),
        sparse("input", &ClaimRecord::input,
               "Of real input: which one, as its measurements name it. Absent of a search."),
        required("outcome", &ClaimRecord::outcome, "How the verdicts compare with the status."),
        required("cases", &ClaimRecord::cases, "Cases looked at.", {.measure = "cases"}),
        required("holds", &ClaimRecord::holds, "Cases with certainly lhs < rhs.",
                 {.measure = "holds"}),
        required("equal", &ClaimRecord::equal,
                 "Cases whose sides agree to 190 digits or are exactly equal: the bound is "
                 "attained.",
                 {.measure = "equal"}),
        required("violated", &ClaimRecord::violated, "Cases with certainly lhs > rhs.",
                 {.measure = "violated"}),
        required("undecided", &ClaimRecord::undecided,
                 "Cases whose sides overlap even at 200 digits, or that a confidence interval "
                 "leaves open.",
                 {.measure = "undecided"}),
        required("assumption_not_met", &ClaimRecord::assumption_not_met,
                 "Cases outside the hypotheses of the claim.", {.measure = "assumption not met"}),
        defaulted("sampled", &ClaimRecord::sampled,
                  "Of the decided and undecided cases, those judged against a confidence interval "
                  "in place of an exact expectation."),
        defaulted("sampled_open", &ClaimRecord::sampled_open,
                  "Of these, the ones that the interval leaves open; they do not make the outcome "
                  "undecided.",
                  {.measure = "left open by a confidence interval"}),
        defaulted("unmet", &ClaimRecord::unmet,
                  "Hypothesis -> cases that do not meet it; their sum is at most "
                  "assumption_not_met."),
        defaulted("max_ratio", &ClaimRecord::max_ratio,
                  "The largest lhs/rhs seen where rhs > 0; 1: attained, above 1: violated. Of a "
                  "case whose sides are not known to nine digits (a sampled expectation), the "
                  "least that it can be. Null where there is none. Without unit."),
        defaulted(
            "digits", &ClaimRecord::digits,
            "Level -> cases that it decided: \"filter\" (double with an error bound), \"50\", "
            "\"100\", \"200\" digits."),
        defaulted("families", &ClaimRecord::families,
                  "Family of generated inputs -> cases; empty on real input."),
        defaulted("ratio_histogram", &ClaimRecord::ratio_histogram,
                  "Cases by lhs/rhs, as max_ratio has it: 20 equal bins over [0, 1], then one for "
                  "what exceeds 1. Empty where there is no ratio.",
                  {.elements = kRatioBins + 1}),
        defaulted("worst", &ClaimRecord::worst, "The case of max_ratio, or null."),
        defaulted("smallest_witness", &ClaimRecord::smallest_witness,
                  "The violation made as small as possible; on real input the worst, where that is "
                  "not long; "
                  "else the first one found; else null."),
        defaulted("first_undecided", &ClaimRecord::first_undecided,
                  "The first case that stayed open at 200 digits, or null."),
        defaulted("classes", &ClaimRecord::classes,
                  "Classes of inputs that the search must meet; empty on real input."),
        defaulted("mutants", &ClaimRecord::mutants,
                  "Wrong versions of a proved claim, which the cases of the stage must tell from "
                  "it; empty for refuted claims."),
        defaulted("tightness", &ClaimRecord::tightness,
                  "Of a proved claim in the synthetic stage; else null."),
        defaulted("regressions", &ClaimRecord::regressions,
                  "Kept cases that were decided before the search."),
        defaulted("shrinking", &ClaimRecord::shrinking,
                  "How smallest_witness was made small: \"3 steps, 17 attempts\". Empty where it "
                  "was not."),
        defaulted("seed", &ClaimRecord::seed,
                  "The seed of this claim's search, an integer below 2^64; empty on real input.",
                  {.pattern = "^[0-9]{0,20}$"}),
        sparse("batches", &ClaimRecord::batches,
               "How many batches the search drew, where it was given a budget: each is the whole "
               "search of one seed, from the run's own on."),
        defaulted("replay", &ClaimRecord::replay, "The command that runs it again."));
  }
};

struct Shard {
  unsigned index{}, count{};

  static constexpr std::string_view kName = "shard";
  static constexpr std::string_view kMeaning = "One part of a search, or of a run over windows.";
  static constexpr auto fields() {
    return field_table(
        required("index", &Shard::index, "Which one, counted from 1.", {.limits = kFromOne}),
        required("count", &Shard::count, "Of how many.", {.limits = kFromOne}));
  }
};

struct ModelRecord {
  std::string name{}, sha256{};

  static constexpr std::string_view kName = "model";
  static constexpr std::string_view kMeaning = "A model, or the recording of one.";
  static constexpr auto fields() {
    return field_table(required("name", &ModelRecord::name, "Its name."),
                       required("sha256", &ModelRecord::sha256,
                                "SHA-256 of its weights or of the recording, in hexadecimal.",
                                {.pattern = kSha256Pattern}));
  }
};

struct RunInfo {
  std::string version{}, commit{};
  bool dirty{};
  std::string compiler{}, flags{}, processor{};
  std::map<std::string, std::string> libraries{};
  std::string blas{};
  unsigned threads{};
  std::optional<std::uint64_t> ranks{};
  std::uint64_t seed{};
  Effort effort{Effort::none};
  std::optional<std::uint64_t> cases{};
  std::optional<double> minutes{};
  std::string started{};
  double seconds{};
  ModelRecord model{};
  std::string text_sha256{};
  std::optional<Shard> shard{};

  static constexpr std::string_view kName = "provenance";
  static constexpr std::string_view kMeaning = "What was run, on what, with what.";
  static constexpr auto fields() {
    return field_table(
        required("version", &RunInfo::version, "Version of the project."),
        required("commit", &RunInfo::commit,
                 "The commit that was built, in hexadecimal; \"unknown\" outside a checkout.",
                 {.pattern = "^([0-9a-f]{40}|unknown)$"}),
        required("dirty", &RunInfo::dirty,
                 "Whether the tree had changes when it was built, or its commit is unknown."),
        required("compiler", &RunInfo::compiler, "Compiler and its version."),
        required("flags", &RunInfo::flags, "What it was given."),
        sparse("processor", &RunInfo::processor,
               "The processor that it ran on: its family, the vectors used, its name. "
               "Here and below, of reports joined from several machines a list."),
        required("libraries", &RunInfo::libraries,
                 "Library -> version; LibTorch's with the vectors that its kernels use."),
        required("blas", &RunInfo::blas,
                 "The BLAS of the forward pass; empty where the stage uses none."),
        required("threads", &RunInfo::threads, "Threads at most, of all ranks together."),
        sparse("ranks", &RunInfo::ranks,
               "Processes that shared the run (MPI ranks), where there were several."),
        required("seed", &RunInfo::seed, "The seed of the run, below 2^64."),
        required("effort", &RunInfo::effort,
                 "How much was searched; empty on real input, where nothing is drawn."),
        sparse("cases", &RunInfo::cases, "Cases of each claim, where so many were asked for."),
        sparse("minutes", &RunInfo::minutes,
               "How long the search was to last, where that was asked for."),
        required("started", &RunInfo::started, "When the run started: UTC, ISO 8601.",
                 {.pattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$"}),
        required("seconds", &RunInfo::seconds,
                 "How long it took, in seconds; of merged reports the sum."),
        required("model", &RunInfo::model,
                 "The model that was run; both fields are empty where the stage has none."),
        required("text_sha256", &RunInfo::text_sha256,
                 "SHA-256 of the text that the model read; empty where there is none.",
                 {.pattern = kSha256Pattern}),
        sparse("shard", &RunInfo::shard,
               "Which part of the run this report is of; absent where it is of the whole."));
  }
};

struct ComparisonRecord {
  std::string sharp{}, printed{}, input{};
  std::uint64_t cases{}, tighter{}, as_tight{}, looser{};
  double median_sharp{}, median_printed{};

  static constexpr std::string_view kName = "comparison";
  static constexpr std::string_view kMeaning =
      "A sharp or repaired bound beside the printed one, over the same cases. tighter + as_tight + "
      "looser <= cases.";
  static constexpr auto fields() {
    return field_table(
        required("sharp", &ComparisonRecord::sharp, "Id of the sharp claim."),
        required("printed", &ComparisonRecord::printed, "Id of the printed one."),
        sparse("input", &ComparisonRecord::input,
               "Of real input: which one. Absent of the cases of a search."),
        required("cases", &ComparisonRecord::cases, "Cases with a ratio for each.",
                 {.measure = "cases"}),
        required("tighter", &ComparisonRecord::tighter,
                 "Cases where the sharp bound is certainly tighter.", {.measure = "tighter"}),
        required("as_tight", &ComparisonRecord::as_tight, "Cases where the bounds are equal.",
                 {.measure = "as tight"}),
        required("looser", &ComparisonRecord::looser,
                 "Cases where the sharp bound is certainly looser.", {.measure = "looser"}),
        required("median_sharp", &ComparisonRecord::median_sharp,
                 "Median of lhs/rhs for the sharp bound. Of more than 2^20 cases, and of several "
                 "windows, within 1/256 of itself.",
                 {.measure = "median lhs/rhs"}),
        required("median_printed", &ComparisonRecord::median_printed,
                 "The same for the printed one.", {.measure = "median of the printed"}));
  }
};

struct Bucket {
  double at{};
  std::uint64_t count{};

  static constexpr std::string_view kName = "bucket";
  static constexpr std::string_view kMeaning = "How many values lie about one.";
  static constexpr auto fields() {
    return field_table(required("at", &Bucket::at, "The middle of the bucket."),
                       required("count", &Bucket::count, "Values in it."));
  }
};

struct WindowComparison : ComparisonRecord {
  std::vector<Bucket> sharp_ratios{}, printed_ratios{};

  static constexpr std::string_view kName = "window_comparison";
  static constexpr std::string_view kMeaning = "A comparison in one window.";
  static constexpr auto fields() {
    return joined(ComparisonRecord::fields(),
                  field_table(required("sharp_ratios", &WindowComparison::sharp_ratios,
                                       "lhs/rhs of the sharp bound over its cases."),
                              required("printed_ratios", &WindowComparison::printed_ratios,
                                       "The same of the printed one.")));
  }
};

/// What one window of a text showed: all that a report over several takes of it.
struct WindowResult {
  std::uint64_t window{1};
  std::string words{};
  std::vector<ClaimRecord> claims{};
  std::vector<WindowComparison> comparisons{};
  Measurements measured{};
  std::vector<std::vector<double>> by_head{};

  static constexpr std::string_view kName = "window_result";
  static constexpr std::string_view kMeaning = "What one window of a text showed.";
  static constexpr auto fields() {
    return field_table(
        required("window", &WindowResult::window, "Which one, counted from 1.",
                 {.limits = kFromOne}),
        required("words", &WindowResult::words, "Its first words; empty where ids were given."),
        required("claims", &WindowResult::claims, "One record for each claim."),
        required("comparisons", &WindowResult::comparisons, "As in a report."),
        required("measured", &WindowResult::measured, "As in a report of this window alone."),
        required("by_head", &WindowResult::by_head,
                 "The numbers of each head behind the spreads of the figures, in their order, then "
                 "behind each statement of the abstract and its points. Empty where there is "
                 "none."));
  }
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

  static constexpr std::string_view kName = "normalizer";
  static constexpr std::string_view kMeaning = "One normaliser.";
  static constexpr auto fields() {
    return field_table(
        required("name", &NormalizerRecord::name, "Its name."),
        required("definition", &NormalizerRecord::definition, "Its formula."),
        required("constant", &NormalizerRecord::constant, "Its sharp Lipschitz constant."),
        required("breaks", &NormalizerRecord::breaks,
                 "What of the paper's assumptions it breaks; empty where nothing."),
        required("claim", &NormalizerRecord::claim,
                 "Id of the claim about its constant; empty where there is none."));
  }
};

struct CatalogueClaim {
  std::string id{}, title{};
  Status status{};
  bool on_rows{};

  static constexpr std::string_view kName = "catalogue_claim";
  static constexpr std::string_view kMeaning = "A claim that a report must have.";
  static constexpr auto fields() {
    return field_table(
        required("id", &CatalogueClaim::id, "Its id.", {.pattern = "."}),
        required("title", &CatalogueClaim::title, "The claim in a few words."),
        required("status", &CatalogueClaim::status, "What mathematics says of the claim."),
        required("on_rows", &CatalogueClaim::on_rows,
                 "Whether it speaks of rows of attention alone: then a stage of real input must "
                 "have it too."));
  }
};

struct CatalogueRecord {
  std::string name{};
  std::string eval{};
  std::vector<CatalogueClaim> claims{};

  static constexpr std::string_view kName = "catalogue";
  static constexpr std::string_view kMeaning =
      "The claims that a report is about, in their order, where they are not those of the paper.";
  static constexpr auto fields() {
    return field_table(required("name", &CatalogueRecord::name, "What the claims are called."),
                       required("eval", &CatalogueRecord::eval,
                                "The command that decides cases of these claims, before the name "
                                "of a file of them.",
                                {.pattern = "."}),
                       required("claims", &CatalogueRecord::claims, "Each claim."));
  }
};

struct PartRecord {
  std::string unit{}, result{};

  static constexpr std::string_view kName = "part";
  static constexpr std::string_view kMeaning = "A unit of work of a shard.";
  static constexpr auto fields() {
    return field_table(
        required("unit", &PartRecord::unit, "Which one. Once in all shards.", {.pattern = "."}),
        required("result", &PartRecord::result, "What it came to: JSON, which the joining reads."));
  }
};

struct Report {
  RunInfo provenance{};
  std::optional<CatalogueRecord> catalogue{};
  std::vector<ClaimRecord> claims{};
  std::vector<ComparisonRecord> comparisons{};
  std::vector<NormalizerRecord> normalizers{};
  std::optional<Measurements> gpt2{};
  std::vector<Measurements> further_inputs{};
  std::vector<PartRecord> parts{};
  KeptWindows windows{};

  static constexpr std::string_view kName = "report";
  static constexpr std::string_view kMeaning =
      "What the programs properties and gpt2_check write and the program report reads. Further "
      "fields are welcome. Counts are integers below 2^64; numbers that must not lose digits are "
      "strings.";
  static constexpr auto fields() {
    return field_table(
        required("provenance", &Report::provenance, "What was run, on what, with what."),
        sparse("catalogue", &Report::catalogue,
               "The catalogue of the claims; absent where it is the paper's own."),
        required(
            "claims", &Report::claims,
            "One record for each claim, stage and input: claims in the order of the catalogue, "
            "then stages, then inputs."),
        defaulted("comparisons", &Report::comparisons,
                  "Sharp or repaired bounds beside the printed ones, decided on the same cases: of "
                  "the search and of each real input."),
        defaulted("normalizers", &Report::normalizers, "How logits may become weights."),
        sparse("gpt2", &Report::gpt2,
               "What was measured on real attention: plain double arithmetic, not certified. "
               "Absent or null without such a stage."),
        sparse("further_inputs", &Report::further_inputs,
               "The same of each further input, where the report has several."),
        sparse("parts", &Report::parts,
               "Of a shard: the units of work that fell to it, which `report merge` makes records "
               "of."),
        sparse("windows", &Report::windows,
               "Of a shard of a run over windows: what each of its windows showed, in place of "
               "claims and of what was measured."));
  }
};

}  // namespace attn::report
