(** Other works on the same subject: outputs as means of embeddings, sinks, sums of exponentials. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Limits Require Import Basics Exponential Vectors Weights Variation Claim.
Open Scope R_scope.

(** Weights and embeddings in R^d. *)
Record weighted := Weighted { L : nat; d : nat; a : vector; x : nat -> vector }.
Definition o_ (c : weighted) : vector := fun k => \sum_(i < L c) (a c i * x c i k).
Definition longest_ (c : weighted) : R := Max (L c) (fun i => norm (d c) (x c i)).

(** With the token of the largest weight, of tied ones the first. *)
Record ranked := Ranked { tokens :> weighted; largest : nat }.

(** With a direction, and how far all but the first token reach along it. *)
Record sink := Sink { sunk :> weighted; u : vector; reach : R }.

(** Logits through normalised attention pooling. *)
Record pooled := Pooled { length : nat; dim : nat; z : vector; T : R; gain : R; embeddings : nat -> vector }.
Definition mean_ (c : pooled) : R := (\sum_(i < length c) (z c i / T c)) / INR (length c).
Definition variance_ (c : pooled) : R :=
  (\sum_(i < length c) (z c i / T c - mean_ c)^2) / INR (length c).
Definition pooled_weights (c : pooled) : weighted := Weighted (length c) (dim c)
  (fun i => gain c * (z c i / T c - mean_ c) / sqrt (variance_ c)) (embeddings c).

Record query_key := QueryKey { size : nat; q : vector; key : vector }.

(** Embeddings that attend to each other. *)
Record attending := Attending { count : nat; width : nat; y : nat -> vector; temp : R }.
Definition attention_ (c : attending) (i : nat) : vector :=
  softmax (count c) (temp c) (fun j => dot (width c) (y c i) (y c j)).
Definition output_ (c : attending) (i : nat) : vector :=
  fun k => \sum_(j < count c) (attention_ c i j * y c j k).
Definition diameter (n e : nat) (f : nat -> vector) : R :=
  Max n (fun i => Max n (fun j => norm e (fun k => f i k - f j k))).

(** ** Claims *)

Definition cage_norm : claim := {|
  case := weighted;
  hypotheses c := (0 < L c)%nat /\ (forall i, (i < L c)%nat -> 0 <= a c i) /\ sum (L c) (a c) <= 1;
  lhs c := norm (d c) (o_ c);
  rhs := longest_
|}.

Definition cage_pooling : claim := {|
  case := pooled;
  hypotheses c := (0 < length c)%nat /\ 0 < T c /\ 0 < gain c /\ 0 < variance_ c;
  lhs c := norm (dim c) (o_ (pooled_weights c));
  rhs c := longest_ (pooled_weights c)
|}.

Definition norm_based_largest : claim := {|
  case := ranked;
  hypotheses c := are_weights (L c) (a c) /\ (largest c < L c)%nat /\
    forall i, (i < L c)%nat -> i <> largest c -> before (a c) (largest c) i;
  lhs c := Max (L c) (fun i => a c i * norm (d c) (x c i));
  rhs c := a c (largest c) * norm (d c) (x c (largest c))
|}.

Definition sink_no_op : claim := {|
  case := sink;
  hypotheses c := are_weights (L c) (a c) /\ (0 < L c)%nat /\ 0 < norm (d c) (u c) /\ 0 < reach c /\
    0 <= dot (d c) (u c) (x c 0%nat) /\
    forall i, (0 < i < L c)%nat -> reach c * norm (d c) (u c) <= dot (d c) (u c) (x c i);
  lhs c := 1 - norm (d c) (o_ c) / reach c;
  rhs c := a c 0%nat
|}.

Definition lse_upper : claim := {|
  case := query_key;
  hypotheses c := (0 < size c)%nat;
  lhs c := log (\sum_(k < size c) exp (q c k + key c k));
  rhs c := Max (size c) (fun k => q c k + key c k) + log (INR (size c))
|}.

Definition rank_collapse_diameter : claim := {|
  case := attending;
  hypotheses c := (0 < count c)%nat /\ 0 < temp c;
  lhs c := diameter (count c) (width c) (output_ c);
  rhs c := diameter (count c) (width c) (y c)
    * tanh ((diameter (count c) (width c) (y c))^2 / (4 * temp c))
|}.

(** ** Proofs *)

Theorem cage_norm_proved : holds cage_norm.
Proof.
  intros c (HL & Ha & Hs). cbn.
  assert (HX : forall i, (i < L c)%nat -> norm (d c) (x c i) <= longest_ c).
  { intros i Hi. now apply (Max_ge (L c) (fun i => norm (d c) (x c i))). }
  assert (0 <= longest_ c) by (eapply Rle_trans; [apply norm_nonneg|now apply (HX 0%nat)]).
  eapply Rle_trans; [apply (norm_sum (d c) (L c) (fun i k => a c i * x c i k))|].
  apply Rle_trans with (\sum_(i < L c) (a c i * longest_ c)).
  - apply sum_le; intros i Hi. rewrite norm_scal, Rabs_pos_eq by auto. apply Rmult_le_compat_l; auto.
  - rewrite sum_scal_r. nra.
Qed.

(** Weights 10 and -10 of 1 and -1. *)
Theorem cage_pooling_refuted : ~ holds cage_pooling.
Proof.
  set (v := fun i => if (i =? 0)%nat then 1 else -1).
  set (c := Pooled 2 1 v 1 10 (fun i _ => v i)).
  assert (M : mean_ c = 0) by (unfold mean_, c, v; cbn; field).
  assert (V : variance_ c = 1) by (unfold variance_; rewrite M; unfold c, v; cbn; field).
  apply (refute cage_pooling c).
  - split; [cbn; lia|]. split; [cbn; lra|]. split; [cbn; lra|]. rewrite V. lra.
  - cbn [lhs rhs cage_pooling]. unfold longest_. change (dim c) with 1%nat.
    change (L (pooled_weights c)) with 2%nat. change (d (pooled_weights c)) with 1%nat.
    apply Rle_lt_trans with 1.
    + apply Max_le; [lia|]. intros i _. rewrite norm_line. cbn. unfold v.
      destruct (i =? 0)%nat; unfold Rabs; destruct Rcase_abs; lra.
    + rewrite norm_line. unfold o_, pooled_weights; cbn [L a x length]. rewrite M, V, sqrt_1.
      unfold c, v; cbn. rewrite Rabs_pos_eq; lra.
Qed.

(** 2/5 at 2 contributes more than 3/5 at 1. *)
Theorem norm_based_largest_refuted : ~ holds norm_based_largest.
Proof.
  set (w := fun i => if (i =? 0)%nat then 3/5 else 2/5).
  set (v := fun i (_ : nat) => if (i =? 0)%nat then 1 else 2).
  apply (refute norm_based_largest (Ranked (Weighted 2 1 w v) 0)).
  - repeat split.
    + intros i _. cbn. unfold w. destruct (i =? 0)%nat; lra.
    + cbn. unfold w; cbn. lra.
    + cbn. lia.
    + intros i Hi Hn. cbn in *. left. unfold w. rewrite (proj2 (Nat.eqb_neq i 0) Hn). cbn. lra.
  - cbn [lhs rhs norm_based_largest L a d x largest tokens].
    eapply Rlt_le_trans; [|apply (Max_ge 2 _ 1); lia]. rewrite !norm_line. unfold w, v; cbn.
    rewrite !Rabs_pos_eq; lra.
Qed.

(** ||o|| ||u|| >= u . o = sum_i a_i (u . x_i) >= (1 - a_0) c ||u||. *)
Theorem sink_no_op_proved : holds sink_no_op.
Proof.
  intros c (W & HL & Hu & Hc & H0 & H). cbn.
  assert (P : (1 - a c 0%nat) * (reach c * norm (d c) (u c)) <= norm (d c) (u c) * norm (d c) (o_ c)).
  { eapply Rle_trans; [|apply dot_le].
    assert (E : dot (d c) (u c) (o_ c) = \sum_(i < L c) (a c i * dot (d c) (u c) (x c i))).
    { unfold dot, o_. rewrite (sum_ext (d c) _ (fun k => \sum_(i < L c) (a c i * (u c k * x c i k)))).
      - rewrite sum_swap. apply sum_ext; intros i _. now rewrite sum_scal.
      - intros k _. rewrite <- sum_scal. apply sum_ext; intros; ring. }
    rewrite E, <- (proj2 W), (sum_split (L c) 0 (a c)), (sum_split (L c) 0 (fun i => a c i * _)) by easy.
    replace (a c 0%nat + _ - a c 0%nat) with (\sum_(i < L c) (if (i =? 0)%nat then 0 else a c i)) by ring.
    rewrite <- sum_scal_r. pose proof (Rmult_le_pos _ _ (proj1 W 0%nat HL) H0).
    apply Rle_trans with (0 + \sum_(i < L c) (if (i =? 0)%nat then 0 else a c i * dot (d c) (u c) (x c i))); [|lra].
    rewrite Rplus_0_l. apply sum_le; intros i Hi. destruct (Nat.eqb_spec i 0); [lra|].
    apply Rmult_le_compat_l; [now apply W|]. apply H. lia. }
  assert ((1 - a c 0%nat) * reach c <= norm (d c) (o_ c)).
  { apply Rmult_le_reg_r with (norm (d c) (u c)); [easy|]. lra. }
  assert (1 - a c 0%nat <= norm (d c) (o_ c) / reach c); [|lra].
  apply Rmult_le_reg_r with (reach c); [easy|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.

Theorem lse_upper_proved : holds lse_upper.
Proof.
  intros c HL. cbn in *. set (M := Max (size c) (fun k => q c k + key c k)).
  pose proof (INR_pos _ HL) as Hn.
  rewrite <- (log_exp M) at 1. rewrite <- log_mult by (try apply exp_pos; lra).
  assert (P : 0 < \sum_(k < size c) exp (q c k + key c k)) by (apply sum_pos; [easy|intros; apply exp_pos]).
  assert (B : \sum_(k < size c) exp (q c k + key c k) <= exp M * INR (size c)).
  { rewrite Rmult_comm, <- sum_const. apply sum_le; intros k Hk. apply exp_le.
    now apply (Max_ge (size c) (fun k => q c k + key c k)). }
  destruct B as [B| ->]; [|lra]. now apply Rlt_le, log_increasing.
Qed.

Lemma diameter_ge n e f i j : (i < n)%nat -> (j < n)%nat -> norm e (fun k => f i k - f j k) <= diameter n e f.
Proof.
  intros Hi Hj. eapply Rle_trans; [|apply (Max_ge n _ i Hi)].
  now apply (Max_ge n (fun j => norm e (fun k => f i k - f j k))).
Qed.

(** The logits of two tokens differ by (x_i - x_k) . x_j, which varies by at most diam^2 over j; so
    their weights differ by at most tanh(diam^2/(4T)), and the means of x under them by that times
    diam. *)
Theorem rank_collapse_diameter_proved : holds rank_collapse_diameter.
Proof.
  intros c [HL HT]. cbn [lhs rhs rank_collapse_diameter]. set (n := count c) in *. set (e := width c). set (D := diameter n e (y c)).
  assert (HD : forall i j, (i < n)%nat -> (j < n)%nat -> norm e (fun k => y c i k - y c j k) <= D).
  { intros i j Hi Hj. now apply diameter_ge. }
  assert (D0 : 0 <= D) by (eapply Rle_trans; [apply norm_nonneg|apply (HD 0%nat 0%nat); easy]).
  apply Max_le; [easy|]. intros i Hi. apply Max_le; [easy|]. intros k Hk.
  assert (Wi : are_weights n (attention_ c i)) by now apply softmax_are_weights.
  assert (Wk : are_weights n (attention_ c k)) by now apply softmax_are_weights.
  eapply Rle_trans.
  { apply (norm_mean_difference n e (attention_ c i) (attention_ c k) (y c) D); [|easy].
    now rewrite (proj2 Wi), (proj2 Wk). }
  rewrite Rmult_comm. apply Rmult_le_compat_l; [easy|].
  set (S := fun i => \sum_(j < n) exp (dot e (y c i) (y c j) / temp c)).
  assert (HS : forall i, 0 < S i) by (intros; apply sum_pos; [easy|intros; apply exp_pos]).
  set (h := fun j => dot e (y c i) (y c j) - dot e (y c k) (y c j)).
  assert (Hosc : forall j m, (j < n)%nat -> (m < n)%nat -> h j - h m <= D^2).
  { intros j m Hj Hm.
    assert (E : h j - h m = dot e (fun p => y c i p - y c k p) (fun p => y c j p - y c m p)).
    { unfold h, dot. rewrite <- !sum_minus. apply sum_ext; intros; ring. }
    rewrite E. eapply Rle_trans; [apply dot_le|].
    pose proof (HD i k Hi Hk). pose proof (HD j m Hj Hm).
    pose proof (norm_nonneg e (fun p => y c i p - y c k p)).
    pose proof (norm_nonneg e (fun p => y c j p - y c m p)). simpl. rewrite Rmult_1_r.
    now apply Rmult_le_compat. }
  pose proof (Rinv_0_lt_compat _ HT) as HiT.
  replace (D^2 / (4 * temp c)) with (D^2 / temp c / 4) by (field; lra).
  apply variation_of_ratios with (fun j => exp (h j / temp c) * (S k / S i))
    (exp (Min n h / temp c) * (S k / S i)); try easy.
  - apply Rmult_lt_0_compat; [apply exp_pos|apply Rdiv_lt_0_compat; auto].
  - apply Rmult_le_pos; [apply pow2_ge_0|lra].
  - intros j _. unfold attention_, softmax, weights. fold n e (S i) (S k).
    replace (dot e (y c i) (y c j) / temp c) with (h j / temp c + dot e (y c k) (y c j) / temp c)
      by (unfold h; field; lra).
    rewrite exp_plus. pose proof (HS i). pose proof (HS k). field. lra.
  - intros j Hj. assert (0 < S k / S i) by (apply Rdiv_lt_0_compat; auto).
    rewrite <- Rmult_assoc, <- exp_plus.
    split; (apply Rmult_le_compat_r; [lra|]; apply exp_le).
    + apply Rmult_le_compat_r; [lra|]. now apply Min_le.
    + destruct (Min_attained n h HL) as (m & Hm & ->). pose proof (Hosc j m Hj Hm).
      replace (D^2 / temp c + h m / temp c) with ((D^2 + h m) * / temp c) by (field; lra).
      apply Rmult_le_compat_r; lra.
Qed.
