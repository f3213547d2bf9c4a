#pragma once

#include "properties/generators/draw.hpp"
#include "properties/generators/family.hpp"

/// A case of each kind. `size` is RapidCheck's: 0 .. 100.
namespace attn::properties {

NormalizedRow draw_case(Draw& draw, const NormalizedRow&, const Family& family, int size);
SoftmaxRow draw_case(Draw& draw, const SoftmaxRow&, const Family& family, int size);
BoundedRow draw_case(Draw& draw, const BoundedRow&, const Family& family, int size);
RowOf draw_case(Draw& draw, const RowOf& kind, const Family& family, int size);
PoolingRow draw_case(Draw& draw, const PoolingRow&, const Family& family, int size);
PolynomialRow draw_case(Draw& draw, const PolynomialRow&, const Family& family, int size);
SoftmaxDirection draw_case(Draw& draw, const SoftmaxDirection&, const Family& family, int size);
StepOf draw_case(Draw& draw, const StepOf& kind, const Family& family, int size);
StepWithin draw_case(Draw& draw, const StepWithin& kind, const Family& family, int size);
QueryKeys draw_case(Draw& draw, const QueryKeys&, const Family& family, int size);
TopNEmbeddings draw_case(Draw& draw, const TopNEmbeddings&, const Family& family, int size);
SetEmbeddings draw_case(Draw& draw, const SetEmbeddings&, const Family& family, int size);

/// N is such that the sets of N tokens can be enumerated, or, in the family `sampled`, that they
/// can't.
RandomSetEmbeddings draw_case(Draw& draw, const RandomSetEmbeddings&, const Family& family,
                              int size);

/// Up to 10^6 tokens.
EqualTokens draw_case(Draw& draw, const EqualTokens&, const Family& family, int size);

/// `radius`: what r is drawn from.
SphereEmbeddings draw_case(Draw& draw, const SphereEmbeddings&, Radius radius, const Family& family,
                           int size);

TransportPlan draw_case(Draw& draw, const TransportPlan&, const Family& family, int size);

}  // namespace attn::properties
