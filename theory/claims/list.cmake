# The claims, in the paper's order, one line each: theory/claims/<statement>/<id>.cpp.
#
# Each file defines attn::claims::<id>::claim(), the dots of the id underscores there. Its second
# implementation is a row of the theory/recheck/*.cpp of its statement.
set(attn_claims
  lemma1/lemma1.lower
  lemma1/lemma1.upper
  lemma1/lemma1.lower.sharp
  lemma1/lemma1.upper.sharp
  lemma1/lemma1.uniform
  lemma1/lemma1.uniform.repaired
  lemma1/lemma1.entropy
  corollary1/corollary1.lower
  corollary1/corollary1.upper
  corollary1/corollary1.lower.sharp
  corollary1/corollary1.upper.sharp
  corollary1/corollary1.own_key.lower
  corollary1/corollary1.own_key.upper
  theorem1/theorem1.fixed
  theorem1/theorem1.fixed.sharp.upper
  theorem1/theorem1.fixed.sharp.lower
  theorem1/theorem1.fixed.any_set
  theorem1/theorem1.fixed.any_set.repaired
  theorem1/theorem1.fixed.any_set.sharp
  theorem1/distance.linear
  theorem1/distance.net
  theorem1/theorem1.random.lower
  theorem1/theorem1.random.upper
  theorem1/theorem1.random.sharp
  theorem1/theorem1.random.linear
  theorem1/theorem1.random.gap
  corollary2/corollary2.full_set
  corollary2/corollary2.full_set.sharp
  corollary2/corollary2.long_context
  corollary2/corollary2.long_context.repaired
  corollary2/collapse.proportional
  theorem2/theorem2.lower
  theorem2/theorem2.lower.exclusive
  theorem2/theorem2.upper
  theorem2/theorem2.lower.sharp
  theorem2/theorem2.upper.repaired
  separability/separability.share.upper
  separability/separability.share.lower
  lemma2/lemma2
  lemma2/lemma2.sharp
  lemma2/lemma2.oblique
  lemma2/lemma2.local
  lemma2/lemma2.vanishing
  corollary3/corollary3
  corollary3/corollary3.entrywise
  corollary3/corollary3.sharp
  corollary3/corollary3.frobenius
  corollary3/corollary3.local.lower
  corollary3/corollary3.local.upper
  corollary3/corollary3.step.printed
  corollary3/corollary3.step
  corollary3/corollary3.step.order
  corollary3/corollary3.cold
  corollary3/corollary3.cold.repaired
  corollary3/corollary3.cold.sharp
  section4/dilution.peak
  section4/dilution.peak.repaired
  section4/scalable_softmax.peak
  section4/entropy.sparsemax
  section4/entropy.entmax
  section4/entropy.sparsemax.sharp
  normalizers/lipschitz.sigmoid
  normalizers/lipschitz.softplus
  normalizers/lipschitz.taylor
  normalizers/lipschitz.scalable_softmax
  normalizers/lipschitz.sparsemax
  normalizers/lipschitz.entmax.any_length
  normalizers/lipschitz.entmax
  normalizers/lipschitz.self_adjusted
  normalizers/lipschitz.self_adjusted.repaired
  normalizers/lipschitz.self_adjusted.sharp
  normalizers/lipschitz.softmax1
  normalizers/lipschitz.sigmoid_attention
  normalizers/lipschitz.relu_attention
  normalizers/lipschitz.pooling
  normalizers/lipschitz.sinkhorn
  normalizers/lipschitz.sinkhorn.sharp
  normalizers/lipschitz.sinkhorn.local
  normalizers/lipschitz.polynomial
  beyond/softmax.row_sums
  beyond/softmax.lp
  beyond/softmax.entropy
  beyond/softmax.cocoercive
  beyond/rank_collapse.diameter
  beyond/cage.norm
  beyond/cage.pooling
  beyond/norm_based.largest
  beyond/sink.no_op
  beyond/lse.upper
  retrieval/retrieval.deletion
  retrieval/retrieval.deletion.mass
  retrieval/retrieval.renormalised
  retrieval/retrieval.renormalised.better
  retrieval/retrieval.renormalised.variance
  retrieval/retrieval.monotone
  retrieval/retrieval.by_weight
  retrieval/retrieval.coherent
  retrieval/distance.radius
  retrieval/distance.spread
  retrieval/retrieval.precision
  retrieval/retrieval.recall
  retrieval/retrieval.recovery
  retrieval/retrieval.competition
  retrieval/mass.participation
  retrieval/mass.gap
  retrieval/mass.fano
  retrieval/entropy.lower
  retrieval/output.step)

# The files, in one unit for each kind of statement (the lemmas, the corollaries): a target with
# UNITY_BUILD then reads the numbers' headers once a kind.
foreach(claim IN LISTS attn_claims)
  get_filename_component(statement ${claim} DIRECTORY)
  string(REPLACE "${statement}/" "" id ${claim})
  string(REPLACE "." "_" name ${id})
  string(REGEX REPLACE "[0-9]+$" "" kind ${statement})
  attn_unity_group(${kind} ${CMAKE_CURRENT_LIST_DIR}/${claim}.cpp)
  target_sources(attn_theory PRIVATE ${CMAKE_CURRENT_LIST_DIR}/${claim}.cpp)
  string(APPEND attn_claim_declarations "namespace ${name} {\nClaim claim();\n}\n")
  string(APPEND attn_claim_calls "      claims::${name}::claim(),\n")
  list(APPEND attn_claim_names ${name})
endforeach()

# The theorems of theory/proofs that are of a claim and its status, by their names.
set(proofs ${PROJECT_SOURCE_DIR}/theory/proofs)
file(STRINGS ${proofs}/_CoqProject files REGEX "[.]v$")
foreach(file IN LISTS files)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${proofs}/${file})
  file(STRINGS ${proofs}/${file} theorems REGEX "^Theorem [a-z0-9_]+_(proved|refuted) ")
  foreach(line IN LISTS theorems)
    string(REGEX REPLACE "^Theorem ([a-z0-9_]+)_(proved|refuted) .*" "\\1;\\2" theorem "${line}")
    list(POP_FRONT theorem name)
    if(NOT name IN_LIST attn_claim_names)
      message(FATAL_ERROR "theory/proofs/${file}: ${name}_${theorem} is of no claim of list.cmake")
    endif()
    string(APPEND attn_coq_theorems
      "      {\"theory/proofs/${file}\", \"${name}_${theorem}\"},\n")
  endforeach()
endforeach()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${proofs}/_CoqProject)
attn_unity(attn_theory)
configure_file(${CMAKE_CURRENT_LIST_DIR}/list.cpp.in ${CMAKE_CURRENT_BINARY_DIR}/claims.cpp @ONLY)
target_sources(attn_theory PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/claims.cpp)
