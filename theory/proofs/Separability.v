(** What Figure 4 is said to show: the share of the selected tokens in the ball about s that reaches
    to the nearest token outside. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Limits Require Import Basics Vectors Weights Claim Theorem1.
Open Scope R_scope.

(** A set of tokens, with the distance from s of the nearest one outside. *)
Record ball_set := BallSet { tokens :> token_set; r : R }.

Section Terms.
Variable c : ball_set.
Definition is_nearest : Prop :=
  (exists j, (j < L c)%nat /\ I c j = false /\ distance_ c j = r c) /\
  forall j, (j < L c)%nat -> I c j = false -> r c <= distance_ c j.
Definition N_s_ : R := sum_in (L c) (I c) (fun i => if Rle_dec (distance_ c i) (r c) then 1 else 0).
Definition is_ball_set : Prop := is_top_set c /\ is_nearest /\ 16 < N_ c.
End Terms.

Definition separability_share_upper : claim := {|
  case := ball_set;
  hypotheses := is_ball_set;
  lhs c := N_s_ c / N_ c;
  rhs _ := 17 / 20
|}.

Definition separability_share_lower : claim := {|
  case := ball_set;
  hypotheses := is_ball_set;
  lhs _ := 7 / 10;
  rhs c := N_s_ c / N_ c
|}.

(** Eighteen tokens on a line: the first outside, of weight u at y, the others of weight v at 1. *)
Section Witness.
Variables (u v y : R).
Let c := TokenSet 18 1 (fun i => if (i =? 0)%nat then u else v)
  (fun i _ => if (i =? 0)%nat then y else 1) (fun i => negb (i =? 0)%nat).
Let ball := BallSet c (Rabs (u * y - 17 * v)).
Hypothesis weights_sum : u + 17 * v = 1.
Hypothesis u_v : 0 <= u < v.

Lemma witness_N : N_ c = 17.
Proof. unfold N_, sum_in; cbn. ring. Qed.

Lemma witness_s k : s_ c k = 17 * v.
Proof. unfold s_, sum_in; cbn. ring. Qed.

Lemma witness_distance i : distance_ ball i = if (i =? 0)%nat then Rabs (u * y - 17 * v) else Rabs (v - 17 * v).
Proof.
  unfold distance_. change (d ball) with 1%nat. rewrite norm_line. change (tokens ball) with c.
  rewrite witness_s. cbn. destruct (i =? 0)%nat; f_equal; ring.
Qed.

Lemma witness_meets : is_ball_set ball.
Proof.
  assert (Z : forall j, negb (j =? 0)%nat = false -> j = 0%nat).
  { intros j. destruct (Nat.eqb_spec j 0); easy. }
  repeat split.
  - intros i _. cbn. destruct (i =? 0)%nat; lra.
  - cbn. lra.
  - exists 1%nat. cbn. split; [lia|easy].
  - exists 0%nat. cbn. split; [lia|easy].
  - intros i j _ _ Ei Ej. left. cbn in *. apply Z in Ej. subst j. cbn. destruct (i =? 0)%nat; [easy|lra].
  - exists 0%nat. rewrite witness_distance. cbn. repeat split; lia.
  - intros j _ Ej. apply Z in Ej. subst j. rewrite witness_distance. cbn. lra.
  - change (16 < N_ c). rewrite witness_N. lra.
Qed.

(** All of the selected are in the ball, or none. *)
Lemma witness_share : N_s_ ball / N_ ball = if Rle_dec (Rabs (v - 17 * v)) (Rabs (u * y - 17 * v)) then 1 else 0.
Proof.
  change (N_ ball) with (N_ c). rewrite witness_N. unfold N_s_, sum_in.
  rewrite (sum_ext _ _ (fun i => if (i =? 0)%nat then 0 else
    if Rle_dec (Rabs (v - 17 * v)) (Rabs (u * y - 17 * v)) then 1 else 0)).
  - change (L ball) with 18%nat. rewrite sum_others_const by lia.
    replace (INR 18) with 18 by (cbn; ring). destruct Rle_dec; field.
  - intros i _. change (I ball i) with (negb (i =? 0)%nat). rewrite witness_distance.
    change (r ball) with (Rabs (u * y - 17 * v)). now destruct (i =? 0)%nat.
Qed.
End Witness.

(** Weight 0 outside: s = 1, the token outside is 1 from it and each selected one 16/17. *)
Theorem separability_share_upper_refuted : ~ holds separability_share_upper.
Proof.
  eapply refute; [apply (witness_meets 0 (1 / 17) 1); lra|].
  cbn [lhs rhs separability_share_upper]. rewrite witness_share by lra.
  destruct Rle_dec as [|N]; [lra|]. exfalso. apply N. rewrite !Rabs_left1 by lra. lra.
Qed.

(** Weight 1/35 at 33: s = 34/35, the token outside is 1/35 from it and each selected one 32/35. *)
Theorem separability_share_lower_refuted : ~ holds separability_share_lower.
Proof.
  eapply refute; [apply (witness_meets (1 / 35) (2 / 35) 33); lra|].
  cbn [lhs rhs separability_share_lower]. rewrite witness_share by lra.
  destruct Rle_dec as [N|]; [|lra]. exfalso. rewrite !Rabs_left1 in N by lra. lra.
Qed.
