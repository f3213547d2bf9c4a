# The claims, in the paper's order, one line each: theory/claims/<statement>/<id>.cpp.
#
# Each file holds both implementations. attn_theory compiles the claim itself, which defines
# attn::claims::<id>::claim(), and attn_recheck, with ATTN_RECHECK defined, the second implementation,
# attn::recheck::<id>::check(); the dots of the id are underscores there.
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
  beyond/softmax.entropy
  beyond/softmax.cocoercive
  beyond/rank_collapse.diameter
  beyond/cage.norm
  beyond/cage.pooling
  beyond/norm_based.largest
  beyond/sink.no_op
  beyond/lse.upper)

# The files, in one unit for each kind of statement (the lemmas, the corollaries): a target with
# UNITY_BUILD then reads the numbers' headers once a kind.
set(attn_claim_files)
foreach(claim IN LISTS attn_claims)
  get_filename_component(statement ${claim} DIRECTORY)
  string(REPLACE "${statement}/" "" id ${claim})
  string(REPLACE "." "_" name ${id})
  string(REGEX REPLACE "[0-9]+$" "" kind ${statement})
  set(file ${CMAKE_CURRENT_LIST_DIR}/${claim}.cpp)
  list(APPEND attn_claim_files ${file})
  set_source_files_properties(${file} TARGET_DIRECTORY attn_theory attn_recheck
    PROPERTIES UNITY_GROUP ${kind})
  string(APPEND attn_claim_declarations "namespace ${name} {\nClaim claim();\n}\n")
  string(APPEND attn_claim_calls "      claims::${name}::claim(),\n")
  string(APPEND attn_check_declarations "namespace ${name} {\nCheck check();\n}\n")
  string(APPEND attn_check_calls "      {\"${id}\", ${name}::check()},\n")
endforeach()

foreach(target attn_theory attn_recheck)
  target_sources(${target} PRIVATE ${attn_claim_files})
  attn_unity(${target})
endforeach()
configure_file(${CMAKE_CURRENT_LIST_DIR}/list.cpp.in ${CMAKE_CURRENT_BINARY_DIR}/claims.cpp @ONLY)
configure_file(${CMAKE_CURRENT_LIST_DIR}/../recheck/list.cpp.in
  ${CMAKE_CURRENT_BINARY_DIR}/checks.cpp @ONLY)
target_sources(attn_theory PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/claims.cpp)
target_sources(attn_recheck PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/checks.cpp)
