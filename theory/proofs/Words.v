(** What the paper says in words of its formulas: growth that is linear in L, and a vanishing minimum. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Limits Require Import Basics Exponential Vectors Weights Claim Row Corollary3 Theorem1Random Corollary2.
Open Scope R_scope.

(** ** Claims *)

(** The one token has all the weight: the family that makes E as large as it gets. *)
Definition theorem1_random_linear : claim := {|
  case := equal_tokens;
  hypotheses c := is_equal_tokens c /\ (1000 * top c <= length c)%nat;
  lhs c := epsilon c * INR (length c) * norm (dim c) (same_x c);
  rhs c := E_ (one_token c)
|}.

(** exp(-7) < 1/1000: the least value of exp over the row is less than a thousandth of the largest. *)
Definition lemma2_vanishing : claim := {|
  case := softmax_row;
  hypotheses x := is_softmax_row x /\
    7 <= (Max (Row.L x) (Row.l x) - Min (Row.L x) (Row.l x)) / Row.T x;
  lhs x := 1 / (4 * Row.T x);
  rhs x := spectral_norm (Row.L x) (Row.L x) (J_ x)
|}.

(** ** Proofs *)

(** A thousand tokens, one of them selected, at x = 1: E is below 2, and 1/100 of the length is 10. *)
Theorem theorem1_random_linear_refuted : ~ holds theorem1_random_linear.
Proof.
  set (c := EqualTokens 1000 1 1 (fun _ => 1) (1 / 100)).
  assert (En : INR 1000 = 1000) by (rewrite INR_IZR_INZ; reflexivity).
  apply (refute theorem1_random_linear c).
  - split; [split; [cbn [top length c]; lia|cbn; lra]|cbn [top length c]; lia].
  - cbn [lhs rhs theorem1_random_linear]. rewrite one_token_E by (cbn [top length c]; lia).
    cbn [length top dim same_x epsilon c]. rewrite norm_line, En, Rabs_R1. cbn [INR]. lra.
Qed.

(** Logits 0 and -7: ||J|| is at most 2 a_1 a_2 < 2 exp(-7) < 1/4, as exp 7 >= 1 + 7. *)
Theorem lemma2_vanishing_refuted : ~ holds lemma2_vanishing.
Proof.
  set (l := fun i : nat => if (i =? 0)%nat then 0 else -7). set (x := SoftmaxRow 2 l 1).
  apply (refute lemma2_vanishing x).
  - split; [split; cbn; [lia|lra]|]. unfold Min, x, l; cbn. rewrite Rmax_left, Rmax_right; lra.
  - cbn [lhs rhs lemma2_vanishing].
    set (e := exp (-7)). assert (He : 0 < e) by apply exp_pos.
    assert (H7 : e < 1 / 8).
    { pose proof (exp_ineq1 7 ltac:(lra)) as P. unfold e. replace (-7) with (- (7)) by lra. rewrite exp_Ropp. unfold Rdiv. rewrite Rmult_1_l.
      apply Rinv_lt_contravar; [|lra]. apply Rmult_lt_0_compat; [lra|apply exp_pos]. }
    assert (A0 : a_ x 0%nat = 1 / (1 + e)).
    { unfold a_, softmax, weights, x, l; cbn. replace (0 / 1) with 0 by field. replace (-7 / 1) with (-7) by field.
      rewrite exp_0. fold e. now rewrite Rplus_0_l. }
    assert (A1 : a_ x 1%nat = e / (1 + e)).
    { unfold a_, softmax, weights, x, l; cbn. replace (0 / 1) with 0 by field. replace (-7 / 1) with (-7) by field.
      rewrite exp_0. fold e. now rewrite Rplus_0_l. }
    set (y := RankedRow x 0 1).
    assert (B : spectral_norm 2 2 (J_ x) <= a_ x 0%nat * (1 - a_ x 0%nat + a_ x 1%nat) / 1).
    { apply (corollary3_local_upper_proved y). split; [split; cbn; [lia|lra]|].
      repeat split; cbn; try lia; try (unfold l; cbn; lra). intros i Hi Hn.
      assert (i = 1)%nat as -> by (cbn in Hi; lia). apply Rle_refl. }
    rewrite A0, A1 in B. eapply Rle_lt_trans; [exact B|].
    assert (1 / (1 + e) * (1 - 1 / (1 + e) + e / (1 + e)) / 1 = 2 * e / (1 + e)^2) as -> by (field; lra).
    assert (1 <= (1 + e)^2) by (pose proof (pow2_ge_0 e); lra).
    apply Rle_lt_trans with (2 * e); [|cbn [Row.T x]; lra].
    apply Rmult_le_reg_r with ((1 + e)^2); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
    rewrite Rmult_1_r. rewrite <- (Rmult_1_r (2 * e)) at 1. apply Rmult_le_compat_l; lra.
Qed.
