(** Corollary 1: the weights of a query among keys. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Limits Require Import Basics Exponential Vectors Weights Variation Claim.
Open Scope R_scope.

Record query_keys := QueryKeys { L : nat; d : nat; q : vector; k : nat -> vector; T : R }.
Definition is_query_keys (x : query_keys) : Prop := (0 < L x)%nat /\ 0 < T x.

Section Terms.
Variable x : query_keys.
Definition l_ : vector := fun i => dot (d x) (q x) (k x i).
Definition a_ : vector := softmax (L x) (T x) l_.
Definition Delta_ : R := norm (d x) (q x) * Max (L x) (fun j => norm (d x) (k x j)).
Definition own_Delta_ (i : nat) : R := norm (d x) (q x) * norm (d x) (k x i).
Definition D_ : R := Max (L x) l_ - Min (L x) l_.
End Terms.

(** ** Claims *)

Definition corollary1_lower : claim := {|
  case := query_keys;
  hypotheses := is_query_keys;
  lhs x := exp (- (2 * Delta_ x / T x)) / INR (L x);
  rhs x := Min (L x) (a_ x)
|}.

Definition corollary1_upper : claim := {|
  case := query_keys;
  hypotheses := is_query_keys;
  lhs x := Max (L x) (a_ x);
  rhs x := exp (2 * Delta_ x / T x) / INR (L x)
|}.

Definition corollary1_lower_sharp : claim := {|
  case := query_keys;
  hypotheses := is_query_keys;
  lhs x := 1 / (1 + (INR (L x) - 1) * exp (D_ x / T x));
  rhs x := Min (L x) (a_ x)
|}.

Definition corollary1_upper_sharp : claim := {|
  case := query_keys;
  hypotheses := is_query_keys;
  lhs x := Max (L x) (a_ x);
  rhs x := 1 / (1 + (INR (L x) - 1) * exp (- (D_ x / T x)))
|}.

Definition corollary1_own_key_lower : claim := {|
  case := query_keys;
  hypotheses := is_query_keys;
  lhs x := Max (L x) (fun i => exp (- (2 * own_Delta_ x i / T x)) / (INR (L x) * a_ x i));
  rhs x := 1
|}.

Definition corollary1_own_key_upper : claim := {|
  case := query_keys;
  hypotheses := is_query_keys;
  lhs x := Max (L x) (fun i => INR (L x) * a_ x i * exp (- (2 * own_Delta_ x i / T x)));
  rhs x := 1
|}.

(** ** Proofs *)

(** |q . k_i| <= Delta, by Cauchy-Schwarz. *)
Lemma exp_bounds x : is_query_keys x -> forall i, (i < L x)%nat ->
  exp (- (Delta_ x / T x)) <= exp (l_ x i / T x) <= exp (Delta_ x / T x).
Proof.
  intros [HL HT] i Hi. pose proof (Rinv_0_lt_compat _ HT).
  assert (B : Rabs (l_ x i) <= Delta_ x).
  { eapply Rle_trans; [apply abs_dot_le|]. apply Rmult_le_compat_l; [apply norm_nonneg|].
    now apply (Max_ge (L x) (fun j => norm (d x) (k x j))). }
  pose proof (Rle_abs (l_ x i)). pose proof (Rle_abs (- l_ x i)) as N. rewrite Rabs_Ropp in N.
  unfold Rdiv. rewrite Ropp_mult_distr_l. split; apply exp_le; apply Rmult_le_compat_r; lra.
Qed.

Lemma exp_range x : is_query_keys x -> forall i, (i < L x)%nat ->
  exp (Min (L x) (l_ x) / T x) <= exp (l_ x i / T x) <= exp (Max (L x) (l_ x) / T x).
Proof.
  intros [HL HT] i Hi. pose proof (Rinv_0_lt_compat _ HT).
  pose proof (Min_le (L x) (l_ x) i Hi). pose proof (Max_ge (L x) (l_ x) i Hi).
  split; apply exp_le; apply Rmult_le_compat_r; lra.
Qed.

(** exp(2y) is what exp(y) is to exp(-y). *)
Lemma exp_twice y : exp (2 * y) = exp y / exp (- y).
Proof.
  replace (2 * y) with (y + y) by ring. rewrite exp_plus, exp_Ropp. pose proof (exp_pos y). field. lra.
Qed.

Theorem corollary1_lower_proved : holds corollary1_lower.
Proof.
  intros x H. pose proof (INR_pos _ (proj1 H)). apply Min_ge; [apply H|]. intros i Hi. cbn.
  eapply Rle_trans; [|apply (share_ge_crude (L x) (fun j => exp (l_ x j / T x)) _ _ i (exp_pos _)
    (exp_bounds x H) Hi)].
  replace (- (2 * Delta_ x / T x)) with (2 * (- (Delta_ x / T x))) by (unfold Rdiv; ring).
  rewrite exp_twice, Ropp_involutive. pose proof (exp_pos (Delta_ x / T x)). right. field. lra.
Qed.

Theorem corollary1_upper_proved : holds corollary1_upper.
Proof.
  intros x H. pose proof (INR_pos _ (proj1 H)). apply Max_le; [apply H|]. intros i Hi. cbn.
  eapply Rle_trans; [apply (share_le_crude (L x) (fun j => exp (l_ x j / T x)) _ _ i (exp_pos _)
    (exp_bounds x H) Hi)|].
  replace (2 * Delta_ x / T x) with (2 * (Delta_ x / T x)) by (unfold Rdiv; ring).
  rewrite exp_twice. pose proof (exp_pos (- (Delta_ x / T x))). right. field. lra.
Qed.

Lemma exp_of_range x : 0 < T x ->
  exp (Max (L x) (l_ x) / T x) = exp (D_ x / T x) * exp (Min (L x) (l_ x) / T x).
Proof. intros H. rewrite <- exp_plus. f_equal. unfold D_. field. lra. Qed.

Theorem corollary1_lower_sharp_proved : holds corollary1_lower_sharp.
Proof.
  intros x H. apply Min_ge; [apply H|]. intros i Hi. cbn.
  eapply Rle_trans; [|apply (share_ge (L x) (fun j => exp (l_ x j / T x)) _ _ i (exp_pos _)
    (exp_range x H) Hi)].
  rewrite exp_of_range by apply H. pose proof (INR_pos _ (proj1 H)).
  pose proof (exp_pos (D_ x / T x)). pose proof (exp_pos (Min (L x) (l_ x) / T x)).
  assert (0 <= (INR (L x) - 1) * exp (D_ x / T x)) by (apply Rmult_le_pos; lra).
  right. field. split; nra.
Qed.

Theorem corollary1_upper_sharp_proved : holds corollary1_upper_sharp.
Proof.
  intros x H. apply Max_le; [apply H|]. intros i Hi. cbn.
  eapply Rle_trans; [apply (share_le (L x) (fun j => exp (l_ x j / T x)) _ _ i (exp_pos _)
    (exp_range x H) Hi)|].
  rewrite exp_of_range by apply H. rewrite exp_Ropp. pose proof (INR_pos _ (proj1 H)).
  pose proof (exp_pos (D_ x / T x)). pose proof (exp_pos (Min (L x) (l_ x) / T x)).
  right. field. repeat split; nra.
Qed.

(** exp(10) > 1 + 10, for the refutations. *)
Lemma exp_10 : 11 < exp 10.
Proof. pose proof (exp_ineq1 10 ltac:(lra)). lra. Qed.

Section Witness.
(** q = 1, T = 1, and two keys, the first of which is 0. *)
Variable y : R.
Let x := QueryKeys 2 1 (fun _ => 1) (fun i _ => if (i =? 0)%nat then 0 else y) 1.

Lemma witness_weight : a_ x 0 = 1 / (1 + exp y) /\ own_Delta_ x 0 = 0.
Proof.
  split.
  - unfold a_, softmax, weights, l_, dot; cbn.
    replace ((0 + 1 * 0) / 1) with 0 by field. replace ((0 + 1 * y) / 1) with y by field.
    rewrite exp_0. pose proof (exp_pos y). field. lra.
  - unfold own_Delta_, norm; cbn. replace (0 + 0 * (0 * 1)) with 0 by ring. rewrite sqrt_0. ring.
Qed.
End Witness.

(** A key of 0 beside a key of 10 has the weight 1/(1 + e^10), not 1/2. *)
Theorem corollary1_own_key_lower_refuted : ~ holds corollary1_own_key_lower.
Proof.
  apply (refute corollary1_own_key_lower
    (QueryKeys 2 1 (fun _ => 1) (fun i _ => if (i =? 0)%nat then 0 else 10) 1)).
  - split; cbn; [lia|lra].
  - destruct (witness_weight 10) as [A D]. cbn [lhs rhs corollary1_own_key_lower].
    eapply Rlt_le_trans; [|apply (Max_ge 2 _ 0); lia]. cbv beta. rewrite A, D. cbn.
    replace (- (2 * 0 / 1)) with 0 by field. rewrite exp_0. pose proof exp_10.
    replace (1 / ((1 + 1) * (1 / (1 + exp 10)))) with ((1 + exp 10) / 2) by (field; lra). lra.
Qed.

(** A key of 0 beside a key of -10 has the weight 1/(1 + e^-10), not 1/2. *)
Theorem corollary1_own_key_upper_refuted : ~ holds corollary1_own_key_upper.
Proof.
  apply (refute corollary1_own_key_upper
    (QueryKeys 2 1 (fun _ => 1) (fun i _ => if (i =? 0)%nat then 0 else -10) 1)).
  - split; cbn; [lia|lra].
  - destruct (witness_weight (-10)) as [A D]. cbn [lhs rhs corollary1_own_key_upper].
    eapply Rlt_le_trans; [|apply (Max_ge 2 _ 0); lia]. cbv beta. rewrite A, D. cbn.
    replace (- (2 * 0 / 1)) with 0 by field. rewrite exp_0.
    change (-10) with (- (10)). rewrite exp_Ropp. pose proof exp_10.
    pose proof (Rinv_0_lt_compat (exp 10) ltac:(lra)).
    assert (/ exp 10 < 1) by (rewrite <- Rinv_1; apply Rinv_lt_contravar; lra).
    replace ((1 + 1) * (1 / (1 + / exp 10)) * 1) with (2 / (1 + / exp 10)) by (field; lra).
    apply Rmult_lt_reg_r with (1 + / exp 10); [lra|]. unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; lra.
Qed.
