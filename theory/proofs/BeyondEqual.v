(** When the bound on a sink is attained. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Limits Require Import Basics Exponential Vectors Weights Variation Claim Equality Beyond.
Open Scope R_scope.

(** Every step of the proof is an equality: of the weighted sum token by token, and of Cauchy-Schwarz. *)
Lemma along_output (c : sink) : dot (d c) (u c) (o_ c) = \sum_(i < L c) (a c i * dot (d c) (u c) (x c i)).
Proof.
  unfold dot, o_. rewrite (sum_ext (d c) _ (fun k => \sum_(i < L c) (a c i * (u c k * x c i k)))).
  - rewrite sum_swap. apply sum_ext; intros i _. now rewrite sum_scal.
  - intros k _. rewrite <- sum_scal. apply sum_ext; intros; ring.
Qed.

Theorem sink_no_op_equal c : hypotheses sink_no_op c ->
  (lhs sink_no_op c = rhs sink_no_op c <->
    (forall i, (0 < i < L c)%nat -> 0 < a c i ->
      (dot (d c) (u c) (x c i))^2 = (reach c)^2 * \sum_(k < d c) (u c k)^2) /\
    (0 < a c 0%nat -> dot (d c) (u c) (x c 0%nat) = 0) /\
    forall k, (k < d c)%nat -> (\sum_(k < d c) (u c k)^2) * o_ c k = dot (d c) (u c) (o_ c) * u c k).
Proof.
  intros (W & HL & Hu & Hc & H0 & H). cbn [lhs rhs sink_no_op]. rewrite <- norm_sqr.
  set (v := u c) in *. set (o := o_ c). set (nu := norm (d c) v) in *.
  set (g := fun i => if (i =? 0)%nat then 0 else reach c * nu).
  assert (G : \sum_(i < L c) (a c i * g i) = (1 - a c 0%nat) * (reach c * nu)).
  { rewrite <- (proj2 W), (sum_split (L c) 0 (a c)), (sum_split (L c) 0 (fun i => a c i * g i)) by easy.
    unfold g at 1. cbn [Nat.eqb]. rewrite Rmult_0_r, Rplus_0_l.
    replace (a c 0%nat + _ - a c 0%nat) with (\sum_(i < L c) (if (i =? 0)%nat then 0 else a c i)) by ring.
    rewrite <- sum_scal_r. apply sum_ext; intros i _. unfold g. destruct (i =? 0)%nat; ring. }
  assert (T : forall i, (i < L c)%nat -> a c i * g i <= a c i * dot (d c) v (x c i)).
  { intros i Hi. apply Rmult_le_compat_l; [now apply W|]. unfold g.
    destruct (Nat.eqb_spec i 0) as [->|]; [easy|]. apply H. lia. }
  pose proof (along_output c) as E. fold v o in E.
  pose proof (dot_le (d c) v o) as C. fold nu in C.
  pose proof (sum_le _ _ _ T) as P. rewrite G, <- E in P.
  pose proof (norm_nonneg (d c) o) as Ho.
  assert (I : 1 - norm (d c) o / reach c = a c 0%nat <-> norm (d c) o = (1 - a c 0%nat) * reach c).
  { split; intros F.
    - rewrite <- F. field. lra.
    - rewrite F. field. lra. }
  rewrite I. split.
  - intros F. assert (M : nu * norm (d c) o = (1 - a c 0%nat) * (reach c * nu)) by (rewrite F; ring).
    assert (D : dot (d c) v o = nu * norm (d c) o) by (apply Rle_antisym; [exact C|rewrite M; exact P]).
    assert (S : sum (L c) (fun i => a c i * g i) = \sum_(i < L c) (a c i * dot (d c) v (x c i))) by (rewrite G, <- E, D; now symmetry).
    pose proof (sum_equal_terms _ _ _ T S) as Q. cbv beta in Q. split; [|split].
    + intros i Hi Ha. specialize (Q i ltac:(lia)). unfold g in Q.
      rewrite (proj2 (Nat.eqb_neq i 0)) in Q by lia. apply Rmult_eq_reg_l in Q; [|lra].
      rewrite <- Q. ring.
    + intros Ha. specialize (Q 0%nat HL). unfold g in Q. cbn [Nat.eqb] in Q. nra.
    + intros k Hk. assert (K : collinear (d c) o v).
      { apply collinear_iff. unfold nu in D. replace (dot (d c) o v) with (dot (d c) v o)
          by (apply sum_ext; intros; ring). rewrite D. fold nu. ring. }
      unfold nu. rewrite norm_sqr. unfold dot. rewrite <- !sum_scal_r. apply sum_ext; intros m Hm.
      replace (v m ^ 2 * o k) with (v m * (o k * v m)) by ring. rewrite (K k m Hk Hm). ring.
  - intros (F1' & F2 & F3).
    assert (F1 : forall i, (0 < i < L c)%nat -> 0 < a c i -> dot (d c) v (x c i) = reach c * nu).
    { intros i Hi Ha. pose proof (H i Hi). assert (0 <= reach c * nu) by (apply Rmult_le_pos; lra).
      apply Rsqr_inj; [lra|easy|]. rewrite !Rsqr_pow2, (F1' i Hi Ha). ring. }
    assert (S : dot (d c) v o = (1 - a c 0%nat) * (reach c * nu)).
    { rewrite E, <- G. apply sum_ext; intros i Hi. unfold g.
      destruct (proj1 W i Hi) as [Ha|<-]; [|ring].
      destruct (Nat.eqb_spec i 0) as [->|]; [now rewrite (F2 Ha)|now rewrite (F1 i ltac:(lia) Ha)]. }
    assert (N : nu^2 * norm (d c) o = dot (d c) v o * nu).
    { assert (0 <= 1 - a c 0%nat) by (pose proof (weight_le_1 _ _ W 0%nat HL); lra).
      assert (0 <= dot (d c) v o) by (rewrite S; repeat apply Rmult_le_pos; lra).
      rewrite <- (Rabs_pos_eq (nu^2)), <- norm_scal by apply pow2_ge_0.
      unfold nu at 2. rewrite <- (Rabs_pos_eq (dot (d c) v o)), <- norm_scal by easy.
      now apply norm_ext. }
    rewrite S in N. apply Rmult_eq_reg_l with (nu^2); [rewrite N; ring|]. apply pow_nonzero. lra.
Qed.
