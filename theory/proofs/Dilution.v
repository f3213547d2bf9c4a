(** How the largest weight of a row changes as the context grows. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Limits Require Import Basics Exponential Vectors Weights Row Claim.
Open Scope R_scope.

(** Logits, and those of more tokens that come after them. *)
Record longer_row := LongerRow { before_row :> softmax_row; more : nat; appended : vector }.
Definition together (x : longer_row) : vector :=
  fun i => if (i <? L x)%nat then l x i else appended x (i - L x)%nat.
(** The weights when all are read. *)
Definition after_ (x : longer_row) : vector := softmax (L x + more x) (T x) (together x).

(** One of n logits is [gain], the others are 0; n and a larger number of them. *)
Record lone_logit := LoneLogit { short : nat; long : nat; gain : R; heat : R }.
(** n^(g/T)/(n^(g/T) + n - 1), n^p = exp(p log n). *)
Definition lone_peak (g t : R) (n : nat) : R :=
  exp (g / t * log (INR n)) / (exp (g / t * log (INR n)) + INR n - 1).

(** ** Claims *)

Definition dilution_peak : claim := {|
  case := longer_row;
  hypotheses x := is_softmax_row x /\ (0 < more x)%nat;
  lhs x := Max (L x + more x) (after_ x);
  rhs x := Max (L x) (a_ x)
|}.

Definition mean_appended (x : longer_row) : R := (\sum_(j < more x) appended x j) / INR (more x).
Definition dilution_peak_repaired : claim := {|
  case := longer_row;
  hypotheses x := is_softmax_row x /\ (0 < more x)%nat;
  lhs x := Max (L x) (after_ x);
  rhs x := Max (L x) (a_ x) / (1 + INR (more x) * Max (L x) (a_ x)
    * exp ((mean_appended x - Max (L x) (l x)) / T x))
|}.

Definition scalable_softmax_peak : claim := {|
  case := lone_logit;
  hypotheses x := (2 <= short x < long x)%nat /\ 0 < gain x /\ 0 < heat x;
  lhs x := lone_peak (gain x) (heat x) (short x);
  rhs x := 2 * lone_peak (gain x) (heat x) (long x)
|}.

(** ** Proofs *)

(** Two logits of 0, and 1 appended: e/(e + 2) is above 1/2, as e > 2. *)
Theorem dilution_peak_refuted : ~ holds dilution_peak.
Proof.
  set (x := LongerRow (SoftmaxRow 2 (fun _ => 0) 1) 1 (fun _ => 1)).
  apply (refute dilution_peak x); [split; [split; cbn; [lia|lra]|cbn; lia]|].
  cbn [lhs rhs dilution_peak]. assert (E : 2 < exp 1) by (pose proof (exp_ineq1 1 ltac:(lra)); lra).
  apply Rle_lt_trans with (1 / 2).
  - apply Max_le; [cbn; lia|]. intros i _. unfold a_, softmax, weights; cbn.
    replace (0 / 1) with 0 by field. rewrite exp_0. lra.
  - eapply Rlt_le_trans; [|apply (Max_ge _ (after_ x) 2); cbn; lia].
    unfold after_, softmax, weights, together; cbn. replace (0 / 1) with 0 by field.
    replace (1 / 1) with 1 by field. rewrite exp_0.
    apply Rmult_lt_reg_r with (0 + 1 + 1 + exp 1); [lra|]. unfold Rdiv at 2. rewrite Rmult_assoc, Rinv_l; lra.
Qed.

(** exp(t_j/T) >= exp(m/T) (1 + (t_j - m)/T), and the t_j - m have the sum 0. *)
Lemma appended_mass (x : longer_row) : is_softmax_row x -> (0 < more x)%nat ->
  INR (more x) * exp (mean_appended x / T x) <= \sum_(j < more x) exp (appended x j / T x).
Proof.
  intros [HL HT] Hn. pose proof (INR_pos (more x) Hn). set (m := mean_appended x).
  apply Rle_trans with (\sum_(j < more x) (exp (m / T x) * (1 + (appended x j - m) / T x))).
  - assert (E : \sum_(j < more x) appended x j = INR (more x) * m) by (unfold m, mean_appended; field; lra).
    right. rewrite sum_scal, sum_plus, sum_const, sum_div, sum_minus, sum_const.
    cbv beta. match goal with |- context [sum (more x) ?f] => change (sum (more x) f) with (\sum_(j < more x) appended x j) end.
    rewrite E. field. lra.
  - apply sum_le; intros j _.
    replace (appended x j / T x) with (m / T x + (appended x j - m) / T x) by (field; lra).
    rewrite exp_plus. apply Rmult_le_compat_l; [apply Rlt_le, exp_pos|]. apply exp_ineq1_le.
Qed.

(** Each old weight is a_i/(1 + B/S), S and B the sums before and appended. *)
Theorem dilution_peak_repaired_proved : holds dilution_peak_repaired.
Proof.
  intros x [H Hn]. pose proof H as [HL HT]. cbn [lhs rhs dilution_peak_repaired].
  set (S := \sum_(j < L x) exp (l x j / T x)). set (B := \sum_(j < more x) exp (appended x j / T x)).
  assert (PS : 0 < S) by (apply sum_pos; [easy|intros; apply exp_pos]).
  assert (PB : 0 < B) by (apply sum_pos; [easy|intros; apply exp_pos]).
  assert (old : forall i, (i < L x)%nat -> after_ x i = a_ x i / (1 + B / S)).
  { intros i Hi. unfold after_, a_, softmax, weights. rewrite sum_app.
    rewrite (sum_ext (L x) _ (fun j => exp (l x j / T x))).
    2: { intros j Hj. unfold together. now rewrite (proj2 (Nat.ltb_lt j (L x)) Hj). }
    rewrite (sum_ext (more x) _ (fun j => exp (appended x j / T x))).
    2: { intros j _. unfold together. rewrite (proj2 (Nat.ltb_ge (L x + j) (L x))) by lia.
         now replace (L x + j - L x)%nat with j by lia. }
    fold S B. unfold together. rewrite (proj2 (Nat.ltb_lt i (L x)) Hi). field. lra. }
  destruct (Max_attained (L x) (l x) HL) as (m & Hm & Em). set (M := Max (L x) (l x)) in *.
  assert (Ea : Max (L x) (a_ x) = exp (M / T x) / S).
  { apply Rle_antisym.
    - apply Max_le; [easy|]. intros i Hi. unfold a_, softmax, weights. fold S.
      apply Rmult_le_compat_r; [now apply Rlt_le, Rinv_0_lt_compat|]. apply exp_le.
      apply Rmult_le_compat_r; [now apply Rlt_le, Rinv_0_lt_compat|]. now apply Max_ge.
    - rewrite Em. change (exp (l x m / T x) / S) with (a_ x m). now apply Max_ge. }
  set (p := Max (L x) (a_ x)) in *.
  assert (Pp : 0 < p) by (rewrite Ea; apply Rdiv_lt_0_compat; [apply exp_pos|easy]).
  assert (Q : INR (more x) * p * exp ((mean_appended x - M) / T x) <= B / S).
  { rewrite Ea. replace (INR (more x) * (exp (M / T x) / S) * exp ((mean_appended x - M) / T x))
      with (INR (more x) * (exp (M / T x) * exp ((mean_appended x - M) / T x)) / S) by (field; lra).
    rewrite <- exp_plus. replace (M / T x + (mean_appended x - M) / T x) with (mean_appended x / T x) by (field; lra).
    apply Rmult_le_compat_r; [now apply Rlt_le, Rinv_0_lt_compat|]. now apply appended_mass. }
  assert (Q0 : 0 <= INR (more x) * p * exp ((mean_appended x - M) / T x)).
  { repeat apply Rmult_le_pos; [apply pos_INR|lra|apply Rlt_le, exp_pos]. }
  apply Max_le; [easy|]. intros i Hi. rewrite old by easy. unfold Rdiv.
  apply Rmult_le_compat.
  - unfold a_, softmax, weights. apply Rlt_le, Rdiv_lt_0_compat; [apply exp_pos|easy].
  - apply Rlt_le, Rinv_0_lt_compat. assert (0 < B / S) by now apply Rdiv_lt_0_compat. lra.
  - now apply Max_ge.
  - apply Rinv_le_contravar; lra.
Qed.

(** g/T = 1/2: n^(1/2) is 2 at 4 tokens and 8 at 64; 2/5 is above 16/71. *)
Theorem scalable_softmax_peak_refuted : ~ holds scalable_softmax_peak.
Proof.
  set (x := LoneLogit 4 64 (1 / 2) 1).
  apply (refute scalable_softmax_peak x); [split; [cbn; lia|split; cbn; lra]|].
  cbn [lhs rhs scalable_softmax_peak]. unfold lone_peak, x. cbn [gain heat short long].
  assert (root : forall n r, 0 < r -> INR n = r * r -> exp (1 / 2 / 1 * log (INR n)) = r).
  { intros n r Hr ->. rewrite log_mult by easy. replace (1 / 2 / 1 * (log r + log r)) with (log r) by field.
    now apply exp_log. }
  rewrite (root 4%nat 2), (root 64%nat 8) by (try lra; cbn; lra).
  replace (INR 4) with 4 by (cbn; lra). replace (INR 64) with 64 by (cbn; lra). lra.
Qed.
