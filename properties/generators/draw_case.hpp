#pragma once

#include "properties/generators/draw.hpp"
#include "properties/generators/family.hpp"

/// A case of each kind. `size` is RapidCheck's: 0 .. 100.
namespace attn::properties {

NormalizedRow draw_case(Draw& draw, const NormalizedRow&, const Family& family, int size);
SoftmaxRow draw_case(Draw& draw, const SoftmaxRow&, const Family& family, int size);
TwoTemperatureLogits draw_case(Draw& draw, const TwoTemperatureLogits&, const Family& family,
                               int size);
BoundedRow draw_case(Draw& draw, const BoundedRow&, const Family& family, int size);
FixedNormalizerLogits draw_case(Draw& draw, const FixedNormalizerLogits& kind, const Family& family,
                                int size);
PoolingRow draw_case(Draw& draw, const PoolingRow&, const Family& family, int size);
PolynomialRow draw_case(Draw& draw, const PolynomialRow&, const Family& family, int size);
SoftmaxDirection draw_case(Draw& draw, const SoftmaxDirection&, const Family& family, int size);

/// epsilon < epsilon'.
SoftmaxSteps draw_case(Draw& draw, const SoftmaxSteps&, const Family& family, int size);

FixedNormalizerStep draw_case(Draw& draw, const FixedNormalizerStep& kind, const Family& family,
                              int size);
StepWithin draw_case(Draw& draw, const StepWithin& kind, const Family& family, int size);
QueryKeys draw_case(Draw& draw, const QueryKeys&, const Family& family, int size);

/// The family's scores are the sums q_k + k_k.
QueryKey draw_case(Draw& draw, const QueryKey&, const Family& family, int size);

SelfAttention draw_case(Draw& draw, const SelfAttention&, const Family& family, int size);
WeightedEmbeddings draw_case(Draw& draw, const WeightedEmbeddings&, const Family& family, int size);
PoolingEmbeddings draw_case(Draw& draw, const PoolingEmbeddings&, const Family& family, int size);

/// u . x_0 >= 0, and u . x_i >= c ||u|| of the others.
SinkEmbeddings draw_case(Draw& draw, const SinkEmbeddings&, const Family& family, int size);

TopNEmbeddings draw_case(Draw& draw, const TopNEmbeddings&, const Family& family, int size);
SetEmbeddings draw_case(Draw& draw, const SetEmbeddings&, const Family& family, int size);

/// N is such that the sets of N tokens can be enumerated, or, in the family `sampled`, that they
/// can't.
RandomSetEmbeddings draw_case(Draw& draw, const RandomSetEmbeddings&, const Family& family,
                              int size);

/// Up to 10^6 tokens.
EqualTokens draw_case(Draw& draw, const EqualTokens&, const Family& family, int size);

/// Up to 10^6 tokens.
TwoLevelTokens draw_case(Draw& draw, const TwoLevelTokens&, const Family& family, int size);

/// `radius`: what r is drawn from.
SphereEmbeddings draw_case(Draw& draw, const SphereEmbeddings&, Radius radius, const Family& family,
                           int size);

TransportPlan draw_case(Draw& draw, const TransportPlan&, const Family& family, int size);

}  // namespace attn::properties
