// When bounds are attained: each condition on both sides.
#include "theory/attention/attained.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "theory/claims/catalogue.hpp"

namespace attn {
namespace {

bool attains(const char* id, const std::string& json) {
  const Claim& claim = find_claim(id);
  const Case input = read_case(claim, nlohmann::json::parse(json));
  const CaseContext context(input);
  return claim.attained(context);
}

struct Sample {
  const char* id;
  std::vector<std::string> attained;
  std::vector<std::string> missed;  ///< a conjunct of the condition each
};

std::string tokens(const char* scores, const char* embeddings, const char* selected) {
  return fmt::format(R"({{{},"embeddings":{},{}}})", scores, embeddings, selected);
}

constexpr const char* kThree = R"("logits":[2,0,1])";
constexpr const char* kTop = R"("N":1)";
constexpr const char* kFirst = R"("set":[0])";
constexpr const char* kEqualFour = R"("weights":["1/4","1/4","1/4","1/4"])";
constexpr const char* kTwo = R"("N":2)";

const Sample kSamples[] = {
    {"theorem1.fixed",
     {tokens(kThree, "[[1,2],[1,2],[1,2]]", kTop),
      // x_i - c = -2 c for both: behind c, as A > a_i asks.
      tokens(kThree, "[[3,4],[-3,-4],[-3,-4]]", kTop),
      // X = 0: all point away from c = 0, equally far.
      tokens(kThree, "[[0,0],[3,4],[-5,0]]", kTop),
      // A = a_1: nothing is asked of the direction of the second.
      tokens(R"("logits":[1,1])", "[[3,4],[0,8]]", kTop),
      // A weightless token counts for d1 and X, and need not be as far.
      tokens(R"("weights":["1/2","1/2",0])", "[[1],[-1],[0]]", kTop),
      // Two selected, at one vector.
      tokens(R"("logits":[5,4,1])", "[[1,2],[1,2],[-1,-2]]", R"("N":2)")},
     {// Not equally far from c.
      tokens(kThree, "[[3,4],[-3,-4],[-3,-3]]", kTop),
      // In front of c.
      tokens(kThree, "[[3,4],[6,8],[6,8]]", kTop),
      // Off the line.
      tokens(kThree, "[[3,4],[-4,3],[-4,3]]", kTop),
      // Two selected vectors.
      tokens(R"("logits":[5,4,1])", R"([[1,2],[1,"2.0000001"],[-1,-2]])", R"("N":2)"),
      // ||c|| < X, which a weightless token in I has.
      tokens(R"("weights":[1,0,0])", "[[1],[2],[0]]", R"("N":2)"),
      tokens(R"("logits":[1,"0.9999999"])", "[[3,4],[0,8]]", kTop)}},
    {"theorem1.fixed.any_set",
     {tokens(kThree, "[[3,4],[-3,-4],[-3,-4]]", kFirst),
      tokens(R"("logits":[0,5])", "[[0],[3]]", kFirst)},
     {tokens(R"("logits":[0,5])", "[[1],[1]]", kFirst),
      tokens(R"("weights":["1/4","3/4"])", "[[1],[3]]", kFirst)}},
    {"theorem1.fixed.any_set.repaired",
     {tokens(R"("logits":[0,1,2])", "[[1,2],[1,2],[1,2]]", kFirst),
      // A < a_i: x_i lies in front of c.
      tokens(R"("logits":[0,5])", "[[1,2],[3,6]]", kFirst),
      // A = 0: ||x_2|| = d1 + X, and x_1 has no weight.
      tokens(R"("weights":[0,0,1])", "[[3,4],[0,0],[6,8]]", kFirst),
      tokens(R"("weights":[0,0,1])", "[[0,0],[0,2],[0,-2]]", kFirst)},
     {tokens(R"("logits":[0,5])", "[[1,2],[-1,-2]]", kFirst),
      // One token is farther than another.
      tokens(R"("logits":[0,1,2])", R"([[1,2],[1,2],[1,"2.0000001"]])", kFirst),
      // A = 0, off the line, too near, and a weightless token that is farther.
      tokens(R"("weights":[0,0,1])", "[[3,4],[0,0],[-6,8]]", kFirst),
      tokens(R"("weights":[0,0,1])", "[[3,4],[0,0],[3,4]]", kFirst),
      tokens(R"("weights":[0,0,1])", "[[3,4],[-7,-8],[6,8]]", kFirst),
      // The rest of a near tie: a_0 = 3e-270 of the sum.
      tokens(R"("logits":[-662,786,-203],"temperature":"7/3")", "[[1],[1],[0]]", R"("set":[1])")}},
    {"theorem2.upper.repaired",
     {R"({"weights":["6/11","2/11","2/11","1/11"],"N":3,"M":1,"r":"4/11","delta":0,"dimension":1})",
      R"({"weights":["1/2","1/2"],"N":1,"M":1,"r":"1/9","delta":0,"dimension":3})"},
     {R"({"weights":["6/11","2/11","2/11","1/11"],"N":3,"M":1,"r":"5/11","delta":0,"dimension":1})",
      R"({"weights":["6/11","2/11","2/11","1/11"],"N":3,"M":1,"r":"4/11","delta":0,"dimension":3})",
      // Sampled.
      R"({"weights":["6/11","2/11","2/11","1/11"],"N":3,"M":1,"r":"4/11","delta":0,"dimension":2})"}},
    {"theorem2.lower.sharp",
     {R"({"weights":["1/2","1/4","1/4"],"N":2,"M":1,"r":"1/3","delta":0,"dimension":3})"},
     {R"({"weights":["1/2","1/4","1/4"],"N":2,"M":1,"r":"1/2","delta":0,"dimension":3})"}},
    {"theorem2.lower",
     {R"({"weights":["1/2","1/4","1/4"],"N":1,"M":1,"r":"1/4","delta":0,"dimension":1})"},
     {R"({"weights":["1/2","1/4","1/4"],"N":2,"M":1,"r":"1/3","delta":0,"dimension":1})",
      R"({"weights":["1/2","1/4","1/4"],"N":2,"M":1,"r":"1/4","delta":"1/9","dimension":3})"}},
    {"theorem2.lower.exclusive",
     {R"({"weights":["3/4","1/4"],"N":1,"M":1,"r":"1/8","delta":0,"dimension":1})"},
     {R"({"weights":["1/2","1/2"],"N":1,"M":1,"r":"1/8","delta":0,"dimension":1})"}},
    {"lipschitz.taylor",
     {R"({"logits":[0,"-6/7"],"temperature":"3/7","normalizer":"taylor"})",
      R"({"logits":[-2,-2],"normalizer":"taylor"})", R"({"logits":[0,0],"normalizer":"taylor"})"},
     {R"({"logits":[0,0,-2],"normalizer":"taylor"})",
      R"({"logits":[0,"-6/7"],"temperature":"3/8","normalizer":"taylor"})",
      R"({"logits":[-1,-1],"normalizer":"taylor"})"}},
    {"lipschitz.sinkhorn.local",
     {R"({"plan":[["3/10","7/10"],["7/10","3/10"]]})",
      R"({"plan":[["1/2","1/4","1/4"],["1/4","1/2","1/4"],["1/4","1/4","1/2"]]})",
      R"({"plan":[["1/3","1/3","1/3"],["1/3","1/3","1/3"],["1/3","1/3","1/3"]],"temperature":5})"},
     {R"({"plan":[["3/5","1/5","1/5"],["1/5","1/2","3/10"],["1/5","3/10","1/2"]],"temperature":2})",
      R"({"plan":[["1/2","1/3","1/6"],["1/6","1/2","1/3"],["1/3","1/6","1/2"]]})"}},
    {"rank_collapse.diameter",
     {R"({"embeddings":[[7,1],[7,1],[7,1]]})",
      R"({"embeddings":[["1/3",0],[0,"1/3"],[0,"1/3"],["1/3",0]],"temperature":7})"},
     {R"({"embeddings":[["1/3",0],[0,"1/3"],[0,"1/3"],["1/3",0],["1/3",0]]})",
      R"({"embeddings":[["1/3",0],[0,"1/3"],[0,"1/3"],["1/3","1e-9"]]})",
      R"({"embeddings":[[1,0],[0,1],[-1,0]]})", R"({"embeddings":[[1,0],[0,2]]})",
      R"({"embeddings":[[1,0],[0,1],[-1,0],[0,-1]]})"}},
    {"sink.no_op",
     {R"({"logits":[-900,"1/10","1/5"],"embeddings":[[0,0],[3,4],[3,4]],
          "direction":[3,4],"constant":5})",
      // Across u, tokens of one logit cancel.
      R"({"logits":[1,2,2],"embeddings":[[0,0],[1,7],[1,-7]],"direction":[3,0],"constant":1})",
      R"({"weights":[0,"1/3","2/3"],"embeddings":[[9,9],[1,4],[1,-2]],
          "direction":[1,0],"constant":1})",
      R"({"weights":[1,0,0],"embeddings":[[0,0],[5,6],[7,8]],"direction":[1,1],"constant":1})"},
     {R"({"logits":[1,2,"2.0000001"],"embeddings":[[0,0],[1,7],[1,-7]],
          "direction":[3,0],"constant":1})",
      // The sink has a part along u, or across it; a token reaches too far.
      R"({"logits":[1,2,2],"embeddings":[["1e-90",0],[1,7],[1,-7]],"direction":[3,0],"constant":1})",
      R"({"logits":[1,2,2],"embeddings":[[0,"1e-90"],[1,7],[1,-7]],"direction":[3,0],"constant":1})",
      R"({"logits":[1,2,2],"embeddings":[[0,0],[1,7],["1.1",-7]],"direction":[3,0],"constant":1})",
      R"({"weights":[1,0,0],"embeddings":[[0,1],[5,6],[7,8]],"direction":[1,1],"constant":1})"}},
    {"lemma2.sharp",
     {R"({"logits":[-3,-3,-3],"temperature":3,"normalizer":"taylor"})",
      R"({"logits":[1,-7],"temperature":3,"normalizer":"taylor"})",
      R"({"logits":[5,5],"normalizer":"sigmoid"})"},
     {R"({"logits":[-3,-3,-2],"temperature":3,"normalizer":"taylor"})",
      R"({"logits":[1,-7],"temperature":2,"normalizer":"taylor"})",
      R"({"logits":[1,-3],"normalizer":"sigmoid"})",
      R"({"logits":[5,5,5],"normalizer":"sigmoid"})"}},
    {"lemma2",
     {R"({"logits":[-3,-3,-3],"temperature":3,"normalizer":"taylor"})"},
     {R"({"logits":[-3,-3],"temperature":2,"normalizer":"taylor"})",
      R"({"logits":[-1,-1],"normalizer":"sigmoid"})"}},
    {"lemma1.lower",
     {R"({"logits":[0,0],"normalizer":"softplus","temperature":"37/8"})"},
     {R"({"logits":[0,0],"normalizer":"softplus","a":"1e-90"})", R"({"logits":[1,1]})"}},
    {"lemma1.upper", {R"({"logits":[0,0,0]})"}, {R"({"logits":[0,"1e-90"]})"}},
    {"corollary2.full_set.sharp",
     {// One y_i that is not 0: the others have no weight, or are at 0.
      tokens(R"("weights":[0,1,0])", "[[1,7],[3,4],[-2,5]]", R"("N":2)"),
      tokens(kThree, "[[0,0],[3,4],[0,0]]", kTop), tokens(kThree, "[[0],[0],[0]]", R"("N":2)"),
      // Two that point opposite ways, of one token selected.
      tokens(kThree, "[[3,4],[0,0],[-6,-8]]", kTop)},
     {tokens(kThree, "[[3,4],[0,0],[6,8]]", kTop),
      tokens(kThree, "[[3,4],[0,0],[-6,-8]]", R"("N":2)"),
      tokens(kThree, "[[3,4],[-3,-4],[-6,-8]]", kTop),
      tokens(R"("logits":[0,0,0])", "[[1,2],[1,2],[1,2]]", kTop)}},
    {"corollary2.long_context.repaired",
     {// As the bound before it.
      tokens(R"("weights":[0,1,0])", "[[1,7],[3,4],[-2,5]]", R"("N":2)"),
      tokens(kThree, "[[3,4],[0,0],[-6,-8]]", kTop),
      // All y_i are equal, of one token selected.
      tokens(R"("logits":[5,5,5])", "[[1,2],[1,2],[1,2]]", kTop),
      tokens(R"("weights":["1/2","1/3","1/6"])", "[[2,4],[3,6],[6,12]]", kTop)},
     {tokens(R"("logits":[5,5,5])", "[[1,2],[1,2],[1,2]]", R"("N":2)"),
      tokens(R"("logits":[5,5,4])", "[[1,2],[1,2],[1,2]]", kTop),
      tokens(R"("weights":["1/2","1/3","1/6"])", "[[2,4],[3,6],[6,11]]", kTop),
      tokens(kThree, "[[3,4],[0,0],[6,8]]", kTop)}},
    {"theorem1.random.sharp",
     {tokens(kThree, "[[1,2],[5,7],[-3,0]]", R"("N":2)"),
      tokens(R"("logits":[5,5,5])", "[[1,2],[1,2],[1,2]]", kTop),
      tokens(R"("weights":["1/2","1/3","1/6"])", "[[2,4],[3,6],[6,12]]", kTop)},
     {tokens(kThree, "[[1,2],[5,7],[-3,0]]", kTop),
      tokens(R"("weights":[0,1,0])", "[[1,7],[3,4],[-2,5]]", kTop)}},
    {"theorem1.random.lower",
     {tokens(kThree, "[[1,2],[5,7],[-3,0]]", R"("N":2)"),
      tokens(R"("logits":[5,5,5])", "[[1,2],[1,2],[1,2]]", kTop),
      // One y_i that is not 0.
      tokens(R"("weights":[0,1,0])", "[[1,7],[3,4],[-2,5]]", kTop),
      // On a line, y_1 is at least any two of the others, and each of those at most any two.
      tokens(kEqualFour, "[[10],[1],[1],[1]]", kTwo), tokens(kEqualFour, "[[2],[1],[1],[1]]", kTwo),
      tokens(kEqualFour, "[[-1],[-10],[-1],[-2]]", kTwo),
      tokens(kEqualFour, "[[10,20],[1,2],[1,2],[1,2]]", kTwo),
      tokens(R"("logits":[9,0,"1/10",0])", "[[1],[1],[1],[1]]", kTwo)},
     {tokens(kThree, "[[1,2],[5,7],[-3,0]]", kTop),
      tokens(kEqualFour, R"([["19/10"],[1],[1],["1/2"]])", kTwo),
      tokens(kEqualFour, R"([[10],["21/10"],[1],[1]])", kTwo),
      tokens(kEqualFour, "[[-10],[-3],[-1],[-1]]", kTwo),
      tokens(kEqualFour, "[[10,20],[1,2],[1,2],[1,3]]", kTwo),
      tokens(R"("logits":[9,0,1,0])", "[[1],[1],[1],[1]]", kTwo),
      tokens(R"("weights":[0,"1/2","1/2"])", "[[1,7],[3,4],[-2,5]]", kTop)}},
    {"retrieval.monotone",
     {// The next stands where the selected do; it has no weight; it stands where their mean does.
      tokens(kThree, "[[3,4],[7,1],[3,4]]", kTop),
      tokens(R"("weights":["1/2","1/2",0])", "[[3,4],[7,1],[1,4]]", kTwo),
      tokens(R"("weights":["1/4","1/4","1/4","1/4"])", "[[1,0],[3,4],[2,2],[9,9]]", kTwo),
      tokens(R"("logits":[5,5,3,1])", "[[1,0],[3,4],[2,2],[9,9]]", kTwo),
      tokens(R"("logits":[5,5,3])", "[[1,0],[3,4],[2,2]]", kTwo)},
     {tokens(kThree, R"([[3,4],[7,1],[3,"4.0000001"]])", kTop),
      tokens(R"("logits":[5,4,3,1])", "[[1,0],[3,4],[2,2],[9,9]]", kTwo)}},
    {"distance.linear",
     {// s = 0.
      tokens(kThree, "[[0,0],[3,1],[-2,5]]", kFirst),
      // Each outside is behind 0, or adds nothing.
      tokens(kThree, "[[3,4],[-3,-4],[0,0]]", kFirst),
      // Each is ahead of it, and adds no more than s.
      tokens(kThree, "[[3,4],[3,4],[6,8]]", kFirst)},
     {tokens(kThree, "[[3,4],[-3,-4],[3,4]]", kFirst),
      tokens(kThree, "[[3,4],[4,3],[0,0]]", kFirst),
      tokens(R"("logits":[0,2,0])", "[[3,4],[3,4],[3,4]]", kFirst)}},
    {"distance.net",
     {tokens(R"("logits":[2,0])", "[[3,4],[1,7]]", kFirst),
      // Nothing is outside.
      tokens(kThree, "[[3,4],[0,0],[0,0]]", kFirst),
      // All a_i x_i - s point one way on the line through 0.
      tokens(kThree, "[[3,4],[-3,-4],[-6,-8]]", kFirst),
      tokens(R"("logits":[-5,0,0])", "[[3,4],[3,4],[6,8]]", kFirst)},
     {tokens(kThree, "[[3,4],[1,0],[0,1]]", kFirst),
      tokens(R"("logits":[0,0,5])", "[[1],[-1],[3]]", kFirst)}},
    {"distance.radius",
     {tokens(kThree, "[[0,0],[3,1],[-2,5]]", kFirst),
      // The longest y_i points away from s, or as s does and is no longer.
      tokens(R"("logits":[5,0,0])", "[[3,4],[-6,-8],[0,1]]", kFirst),
      tokens(R"("logits":[5,0,0])", "[[3,4],[6,8],[0,1]]", kFirst)},
     {tokens(R"("logits":[5,0,0])", "[[3,4],[6,7],[0,1]]", kFirst),
      tokens(R"("logits":[0,5,0])", "[[3,4],[6,8],[0,1]]", kFirst),
      tokens(R"("logits":[5,0,0])", "[[3,4],[-6,-8],[0,11]]", kFirst)}},
    {"distance.spread",
     {// One on either side of s.
      tokens(R"("logits":[0,5,0])", "[[1],[3],[-1]]", kFirst),
      tokens(kThree, "[[0,0],[3,4],[-3,-4]]", kFirst)},
     {tokens(kThree, "[[0,0],[3,4],[6,8]]", kFirst),
      tokens(kThree, "[[0,0],[3,4],[-3,-3]]", kFirst),
      tokens(R"("logits":[0,0,5,6])", "[[0],[-1],[3],[4]]", kFirst)}},
    {"retrieval.deletion",
     {tokens(kThree, "[[1,7],[3,4],[6,8]]", kFirst), tokens(kThree, "[[1,7],[0,0],[6,8]]", kFirst),
      tokens(kThree, "[[1,7],[0,0],[0,0]]", kFirst)},
     {tokens(kThree, "[[1,7],[3,4],[-6,-8]]", kFirst),
      tokens(kThree, "[[1,7],[3,4],[4,3]]", kFirst)}},
    {"retrieval.deletion.mass",
     {tokens(kThree, "[[1,7],[3,4],[3,4]]", kFirst),
      // Nothing outside has weight, or is off 0.
      tokens(R"("weights":[1,0,0])", "[[1,7],[3,4],[0,1]]", kFirst),
      // What has none is no longer.
      tokens(R"("weights":["1/2","1/2",0])", "[[1,7],[3,4],[0,5]]", kFirst)},
     {tokens(kThree, "[[1,7],[3,4],[6,8]]", kFirst),
      tokens(R"("weights":["1/2","1/2",0])", "[[1,7],[3,4],[0,6]]", kFirst)}},
    {"retrieval.renormalised",
     {tokens(kThree, "[[1,7],[3,4],[3,4]]", kFirst),
      tokens(R"("weights":[1,0,0])", "[[1,7],[3,4],[0,1]]", kFirst),
      tokens(R"("weights":["1/2","1/2",0])", "[[0,0],[3,4],[0,5]]", kFirst)},
     {tokens(kThree, "[[1,7],[3,4],[4,3]]", kFirst),
      tokens(R"("weights":["1/2","1/2",0])", "[[0,0],[3,4],[0,6]]", kFirst),
      tokens(R"("logits":[2,1,0])", "[[0,0],[1,0],[3,4]]", R"("set":[0,1])")}},
    {"theorem1.fixed.sharp.upper",
     {tokens(kThree, "[[1,2],[1,2],[1,2]]", kTop), tokens(kThree, "[[3,4],[-3,-4],[-3,-4]]", kTop)},
     {tokens(kThree, "[[3,4],[6,8],[6,8]]", kTop), tokens(kThree, "[[3,4],[4,3],[3,4]]", kTop)}},
    {"theorem1.fixed.sharp.lower",
     {tokens(kThree, "[[3,4],[3,4],[3,4]]", kTop)},
     {tokens(kThree, "[[3,4],[-3,-4],[-3,-4]]", kTop)}},
};

TEST(Attained, OnBothSidesOfEveryCondition) {
  for (const Sample& sample : kSamples) {
    for (const std::string& json : sample.attained) {
      EXPECT_TRUE(attains(sample.id, json)) << sample.id << " of " << json;
    }
    for (const std::string& json : sample.missed) {
      EXPECT_FALSE(attains(sample.id, json)) << sample.id << " of " << json;
    }
  }
}

}  // namespace
}  // namespace attn
