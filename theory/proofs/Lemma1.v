(** Lemma 1: the weights of bounded logits, and how far they are from uniform. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Coquelicot Require Import Coquelicot.
From Limits Require Import Basics Exponential Vectors Weights Variation Row Claim.
Open Scope R_scope.

(** Logits of size at most [bound], a normaliser F, its least and largest value over
    [-bound, bound]. *)
Record bounded_row := BoundedRow { L : nat; F : R -> R; l : vector; bound : R; m : R; M : R }.

Definition is_minimum (f : R -> R) (a y : R) : Prop :=
  (exists x, Rabs x <= a /\ f x = y) /\ forall x, Rabs x <= a -> y <= f x.
Definition is_maximum (f : R -> R) (a y : R) : Prop :=
  (exists x, Rabs x <= a /\ f x = y) /\ forall x, Rabs x <= a -> f x <= y.

Definition is_bounded_row (x : bounded_row) : Prop :=
  (0 < L x)%nat /\ (forall y, 0 < F x y) /\ (forall y, continuous (F x) y) /\
  (forall i, (i < L x)%nat -> Rabs (l x i) <= bound x) /\
  is_minimum (F x) (bound x) (m x) /\ is_maximum (F x) (bound x) (M x).

(** Half of L tokens with the logit [spread], half with 0. *)
Record two_levels := TwoLevels { half : nat; spread : R; T : R; epsilon : R }.
Definition two_level_logits (x : two_levels) : vector :=
  fun i => if (i <? half x)%nat then spread x else 0.

(** ** Claims *)

Definition lemma1_lower : claim := {|
  case := bounded_row;
  hypotheses := is_bounded_row;
  lhs x := m x / (M x * INR (L x));
  rhs x := Min (L x) (weights (L x) (F x) (l x))
|}.

Definition lemma1_upper : claim := {|
  case := bounded_row;
  hypotheses := is_bounded_row;
  lhs x := Max (L x) (weights (L x) (F x) (l x));
  rhs x := M x / (m x * INR (L x))
|}.

Definition lemma1_lower_sharp : claim := {|
  case := bounded_row;
  hypotheses := is_bounded_row;
  lhs x := m x / (m x + (INR (L x) - 1) * M x);
  rhs x := Min (L x) (weights (L x) (F x) (l x))
|}.

Definition lemma1_upper_sharp : claim := {|
  case := bounded_row;
  hypotheses := is_bounded_row;
  lhs x := Max (L x) (weights (L x) (F x) (l x));
  rhs x := M x / (M x + (INR (L x) - 1) * m x)
|}.

Definition lemma1_uniform : claim := {|
  case := two_levels;
  hypotheses x := (1000 <= 2 * half x)%nat /\ 0 < spread x /\ 0 < T x /\ 0 < epsilon x;
  lhs x := variation (2 * half x) (softmax (2 * half x) (T x) (two_level_logits x))
    (fun _ => / INR (2 * half x));
  rhs x := epsilon x
|}.

Definition lemma1_uniform_repaired : claim := {|
  case := softmax_row;
  hypotheses := is_softmax_row;
  lhs x := variation (Row.L x) (a_ x) (fun _ => / INR (Row.L x));
  rhs x := tanh ((Max (Row.L x) (Row.l x) - Min (Row.L x) (Row.l x))
    / (4 * Row.T x))
|}.

(** ** Proofs *)

Lemma bounded_shares x : is_bounded_row x -> 0 < m x /\
  forall i, (i < L x)%nat -> m x <= F x (l x i) <= M x.
Proof.
  intros (_ & P & _ & B & ((y & _ & <-) & Hmin) & (_ & Hmax)). split; [apply P|]. auto.
Qed.

Theorem lemma1_lower_sharp_proved : holds lemma1_lower_sharp.
Proof.
  intros x H. destruct (bounded_shares x H) as [Hm B]. apply Min_ge; [apply H|].
  intros i Hi. now apply (share_ge (L x) (fun i => F x (l x i))).
Qed.

Theorem lemma1_upper_sharp_proved : holds lemma1_upper_sharp.
Proof.
  intros x H. destruct (bounded_shares x H) as [Hm B]. apply Max_le; [apply H|].
  intros i Hi. now apply (share_le (L x) (fun i => F x (l x i))).
Qed.

Theorem lemma1_lower_proved : holds lemma1_lower.
Proof.
  intros x H. destruct (bounded_shares x H) as [Hm B]. apply Min_ge; [apply H|].
  intros i Hi. now apply (share_ge_crude (L x) (fun i => F x (l x i))).
Qed.

Theorem lemma1_upper_proved : holds lemma1_upper.
Proof.
  intros x H. destruct (bounded_shares x H) as [Hm B]. apply Max_le; [apply H|].
  intros i Hi. now apply (share_le_crude (L x) (fun i => F x (l x i))).
Qed.

(** Half of the tokens have the weight p/h, half q/h, p + q = 1: TV = (p - q)/2 whatever L is. *)
Lemma two_level_variation x : (0 < half x)%nat -> 0 < spread x -> 0 < T x ->
  lhs lemma1_uniform x = / 2 - 1 / (1 + exp (spread x / T x)).
Proof.
  intros Hh Hs HT. cbn [lhs lemma1_uniform]. set (h := half x) in *. set (e := exp (spread x / T x)).
  assert (He : 1 < e).
  { unfold e. rewrite <- exp_0. apply exp_increasing, Rdiv_lt_0_compat; easy. }
  pose proof (INR_pos h Hh) as Hn. replace (2 * h)%nat with (h + h)%nat by lia.
  assert (low : forall i, (i < h)%nat -> exp (two_level_logits x i / T x) = e).
  { intros i Hi. unfold two_level_logits. fold h. now rewrite (proj2 (Nat.ltb_lt i h) Hi). }
  assert (high : forall i, exp (two_level_logits x (h + i)%nat / T x) = 1).
  { intros i. unfold two_level_logits. fold h. rewrite (proj2 (Nat.ltb_ge (h + i) h)) by lia.
    unfold Rdiv. now rewrite Rmult_0_l, exp_0. }
  unfold variation, softmax, weights. rewrite sum_app.
  assert (S : \sum_(j < h + h) exp (two_level_logits x j / T x) = INR h * (e + 1)).
  { rewrite sum_app, (sum_ext h _ _ low).
    rewrite (sum_ext h (fun i => exp (two_level_logits x (h + i)%nat / T x)) (fun _ => 1)) by auto.
    rewrite !sum_const. ring. }
  rewrite S, plus_INR.
  set (r := / (2 * INR h) * ((e - 1) / (e + 1))).
  assert (Hr : 0 <= r).
  { apply Rmult_le_pos; [apply Rlt_le, Rinv_0_lt_compat; lra|].
    apply Rlt_le, Rdiv_lt_0_compat; lra. }
  transitivity (/ 2 * (\sum_(_ < h) r + \sum_(_ < h) r)).
  - f_equal. f_equal; apply sum_ext; intros i Hi.
    + rewrite (low i Hi). replace (_ - _) with r by (unfold r; field; lra). now apply Rabs_pos_eq.
    + rewrite high. replace (_ - _) with (- r) by (unfold r; field; lra).
      now rewrite Rabs_Ropp, Rabs_pos_eq.
  - rewrite sum_const. unfold r. field. lra.
Qed.

(** 1/2 - 1/(1 + e) is 0.231..., and 1/10 is claimed. *)
Theorem lemma1_uniform_refuted : ~ holds lemma1_uniform.
Proof.
  set (x := TwoLevels 500 1 1 (1 / 10)).
  apply (refute lemma1_uniform x); [cbn; repeat split; try lra; lia|].
  rewrite two_level_variation; cbn; try lra; [|lia].
  replace (1 / 1) with 1 by field. pose proof (exp_ineq1 1 ltac:(lra)).
  assert (1 / (1 + exp 1) < 1 / 3).
  { unfold Rdiv. rewrite !Rmult_1_l. apply Rinv_lt_contravar; nra. }
  lra.
Qed.

(** L a_i, of mean 1, lies between numbers of ratio exp(range/T). *)
Theorem lemma1_uniform_repaired_proved : holds lemma1_uniform_repaired.
Proof.
  intros x [HL HT]. cbn. unfold a_. set (L := Row.L x) in *. set (l := Row.l x).
  set (T := Row.T x) in *. set (r := (Max L l - Min L l) / T).
  pose proof (INR_pos L HL) as Hn.
  replace ((Max L l - Min L l) / (4 * T)) with (r / 4) by (unfold r; field; lra).
  set (S := \sum_(i < L) exp (l i / T)).
  assert (HS : 0 < S) by (apply sum_pos; [easy|intros; apply exp_pos]).
  assert (HiT : 0 < / T) by now apply Rinv_0_lt_compat.
  unfold variation.
  rewrite (sum_ext L _ (fun i => / INR L * Rabs (INR L * softmax L T l i - 1))).
  2: { intros i _. rewrite <- (Rabs_pos_eq (/ INR L)) at 2 by (apply Rlt_le, Rinv_0_lt_compat; lra).
       rewrite <- Rabs_mult. f_equal. field. lra. }
  apply (variation_le L (fun _ => / INR L) (fun i => INR L * softmax L T l i)
    (INR L * (exp (Min L l / T) / S)) r).
  - split; [intros; apply Rlt_le, Rinv_0_lt_compat; lra|]. rewrite sum_const. field. lra.
  - apply Rmult_lt_0_compat; [lra|]. apply Rdiv_lt_0_compat; [apply exp_pos|easy].
  - unfold r. apply Rmult_le_pos; [|lra].
    pose proof (Min_le L l 0 HL). pose proof (Max_ge L l 0 HL). lra.
  - intros i Hi. unfold softmax, weights. fold S.
    pose proof (Min_le L l i Hi) as A. pose proof (Max_ge L l i Hi) as B.
    replace (exp r * (INR L * (exp (Min L l / T) / S))) with (INR L * (exp (Max L l / T) / S)).
    + split; (apply Rmult_le_compat_l; [lra|]; apply Rmult_le_compat_r;
        [now apply Rlt_le, Rinv_0_lt_compat|]; apply exp_le; apply Rmult_le_compat_r; lra).
    + replace (Max L l / T) with (r + Min L l / T) by (unfold r; field; lra).
      rewrite exp_plus. field. lra.
  - rewrite (sum_ext L _ (softmax L T l)) by (intros; field; lra).
    apply softmax_are_weights; easy.
Qed.
