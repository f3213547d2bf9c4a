(** When the crude bounds of Lemma 1 are attained: where F has one value. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Coquelicot Require Import Coquelicot.
From Limits Require Import Basics Exponential Vectors Weights Variation Row Claim Lemma1.
Open Scope R_scope.

(** Both bounds take all F(l_j) at one end, and that of the token at the other. *)
Lemma lemma1_equal_terms x i : is_bounded_row x -> (i < L x)%nat -> m x = M x ->
  weights (L x) (F x) (l x) i = / INR (L x).
Proof.
  intros H Hi E. destruct (bounded_shares x H) as [Hm B]. pose proof (INR_pos (L x) ltac:(lia)).
  assert (C : forall j, (j < L x)%nat -> F x (l x j) = m x) by (intros j Hj; pose proof (B j Hj); lra).
  unfold weights. rewrite (sum_ext _ _ _ C), sum_const, C by easy. field. lra.
Qed.

Theorem lemma1_lower_equal x : hypotheses lemma1_lower x ->
  (lhs lemma1_lower x = rhs lemma1_lower x <-> m x = M x).
Proof.
  intros H. destruct (bounded_shares x H) as [Hm B]. pose proof H as (HL & _). cbn in *.
  pose proof (INR_pos (L x) HL) as Hn.
  destruct (Min_attained (L x) (weights (L x) (F x) (l x)) HL) as (i & Hi & ->). split; intros E.
  - set (S := \sum_(j < L x) F x (l x j)).
    assert (HS : S <= F x (l x i) + (INR (L x) - 1) * M x).
    { unfold S. rewrite (sum_split _ i) by easy. apply Rplus_le_compat_l.
      rewrite <- (sum_others_const (L x) i) by easy. apply sum_le; intros j Hj.
      destruct (j =? i)%nat; [lra|]. now apply B. }
    assert (P : 0 < S) by (apply sum_pos; [easy|intros; apply H]).
    unfold weights in E. fold S in E. pose proof (B i Hi).
    assert (m x * S = F x (l x i) * (M x * INR (L x))).
    { apply Rmult_eq_reg_r with (/ (M x * INR (L x)) * / S).
      - transitivity (m x / (M x * INR (L x))); [|rewrite E]; field; lra.
      - apply Rmult_integral_contrapositive_currified; apply Rinv_neq_0_compat; nra. }
    assert (0 <= (INR (L x) - 1) * (M x * (F x (l x i) - m x))) by (repeat apply Rmult_le_pos; lra).
    nra.
  - rewrite (lemma1_equal_terms x i H Hi E). rewrite E in *. field. lra.
Qed.

Theorem lemma1_upper_equal x : hypotheses lemma1_upper x ->
  (lhs lemma1_upper x = rhs lemma1_upper x <-> m x = M x).
Proof.
  intros H. destruct (bounded_shares x H) as [Hm B]. pose proof H as (HL & _). cbn in *.
  pose proof (INR_pos (L x) HL) as Hn.
  destruct (Max_attained (L x) (weights (L x) (F x) (l x)) HL) as (i & Hi & ->). split; intros E.
  - set (S := \sum_(j < L x) F x (l x j)).
    assert (HS : F x (l x i) + (INR (L x) - 1) * m x <= S).
    { unfold S. rewrite (sum_split _ i) by easy. apply Rplus_le_compat_l.
      rewrite <- (sum_others_const (L x) i) by easy. apply sum_le; intros j Hj.
      destruct (j =? i)%nat; [lra|]. now apply B. }
    assert (P : 0 < S) by (apply sum_pos; [easy|intros; apply H]).
    unfold weights in E. fold S in E. pose proof (B i Hi).
    assert (F x (l x i) * (m x * INR (L x)) = M x * S).
    { apply Rmult_eq_reg_r with (/ (m x * INR (L x)) * / S).
      - transitivity (F x (l x i) / S); [|rewrite E]; field; lra.
      - apply Rmult_integral_contrapositive_currified; apply Rinv_neq_0_compat; nra. }
    assert (0 <= (INR (L x) - 1) * (m x * (M x - F x (l x i)))) by (repeat apply Rmult_le_pos; lra).
    nra.
  - rewrite (lemma1_equal_terms x i H Hi E). rewrite E in *. field. lra.
Qed.
