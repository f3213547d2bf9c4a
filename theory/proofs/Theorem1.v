(** Theorem 1, fixed sets: the distance between the selected tokens and the rest. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Limits Require Import Basics Vectors Weights Claim.
Open Scope R_scope.

(** L tokens of weights a and embeddings x in R^d; I tells which of them are selected. *)
Record token_set := TokenSet { L : nat; d : nat; a : vector; x : nat -> vector; I : nat -> bool }.

Definition sum_in (L : nat) (I : nat -> bool) (f : vector) : R := \sum_(i < L) (if I i then f i else 0).
Definition sum_out (L : nat) (I : nat -> bool) (f : vector) : R := \sum_(i < L) (if I i then 0 else f i).
Definition max_in (L : nat) (I : nat -> bool) (f : vector) : R := Max L (fun i => if I i then f i else 0).
Definition max_out (L : nat) (I : nat -> bool) (f : vector) : R := Max L (fun i => if I i then 0 else f i).

Section Terms.
Variable c : token_set.
Definition N_ := sum_in (L c) (I c) (fun _ => 1).
Definition A_ := sum_in (L c) (I c) (a c).
Definition s_ : vector := fun k => sum_in (L c) (I c) (fun i => a c i * x c i k).
(** How far a token is from s, and those outside together. *)
Definition distance_ (i : nat) : R := norm (d c) (fun k => a c i * x c i k - s_ k).
Definition D_ := sum_out (L c) (I c) distance_.
Definition d1_ := max_out (L c) (I c) (fun i => max_in (L c) (I c) (fun j =>
  norm (d c) (fun k => x c i k - x c j k))).
Definition X_ := max_in (L c) (I c) (fun j => norm (d c) (x c j)).

(** Weights of any sum. *)
Definition has_weights : Prop := forall i, (i < L c)%nat -> 0 <= a c i.
(** Weights, and at least one token selected and one not. *)
Definition is_token_set : Prop := are_weights (L c) (a c) /\
  (exists i, (i < L c)%nat /\ I c i = true) /\ (exists i, (i < L c)%nat /\ I c i = false).
(** The selected tokens are those of the largest weights, of tied ones those of lower index. *)
Definition is_top_set : Prop := is_token_set /\
  forall i j, (i < L c)%nat -> (j < L c)%nat -> I c i = true -> I c j = false -> before (a c) i j.

(** The centre of the selected tokens, and how far the others are from it. *)
Definition c_ : vector := fun k => s_ k / A_.
Definition around_ := sum_out (L c) (I c) (fun i => a c i * norm (d c) (fun k => x c i k - c_ k)).
End Terms.

(** ** Claims *)

Definition theorem1_fixed : claim := {|
  case := token_set;
  hypotheses := is_top_set;
  lhs := D_;
  rhs c := (1 - A_ c) * d1_ c + X_ c * (A_ c * (INR (L c) - N_ c) - (1 - A_ c))
|}.

Definition theorem1_fixed_any_set : claim := {|
  case := token_set;
  hypotheses := is_token_set;
  lhs := D_;
  rhs c := (1 - A_ c) * d1_ c + X_ c * (A_ c * (INR (L c) - N_ c) - (1 - A_ c))
|}.

Definition theorem1_fixed_any_set_repaired : claim := {|
  case := token_set;
  hypotheses := is_token_set;
  lhs := D_;
  rhs c := (1 - A_ c) * d1_ c + X_ c * sum_out (L c) (I c) (fun i => Rabs (A_ c - a c i))
|}.

Definition theorem1_fixed_any_set_sharp : claim := {|
  case := token_set;
  hypotheses c := is_token_set c /\ 0 < A_ c;
  lhs := D_;
  rhs c := norm (d c) (c_ c) * sum_out (L c) (I c) (fun i => Rabs (A_ c - a c i)) + around_ c
|}.

Definition theorem1_fixed_sharp_upper : claim := {|
  case := token_set;
  hypotheses := is_top_set;
  lhs := D_;
  rhs c := norm (d c) (c_ c) * (A_ c * (INR (L c) - N_ c) - (1 - A_ c)) + around_ c
|}.

Definition theorem1_fixed_sharp_lower : claim := {|
  case := token_set;
  hypotheses := is_top_set;
  lhs c := norm (d c) (c_ c) * (A_ c * (INR (L c) - N_ c) - (1 - A_ c)) - around_ c;
  rhs := D_
|}.

Definition distance_linear : claim := {|
  case := token_set;
  hypotheses := has_weights;
  lhs c := Rabs (D_ c - (INR (L c) - N_ c) * norm (d c) (s_ c));
  rhs c := sum_out (L c) (I c) (fun i => a c i * norm (d c) (x c i))
|}.

Definition distance_net : claim := {|
  case := token_set;
  hypotheses _ := True;
  lhs c := norm (d c) (fun k => sum_out (L c) (I c) (fun i => a c i * x c i k - s_ c k));
  rhs := D_
|}.

(** ** Proofs *)

Lemma sum_in_out L I f : sum L f = sum_in L I f + sum_out L I f.
Proof. unfold sum_in, sum_out. rewrite <- sum_plus. apply sum_ext; intros i _. destruct (I i); ring. Qed.

Lemma max_in_ge L I f i : (i < L)%nat -> I i = true -> f i <= max_in L I f.
Proof.
  intros H E. pose proof (Max_ge L (fun i => if I i then f i else 0) i H) as P.
  cbv beta in P. now rewrite E in P.
Qed.

Lemma max_out_ge L I f i : (i < L)%nat -> I i = false -> f i <= max_out L I f.
Proof.
  intros H E. pose proof (Max_ge L (fun i => if I i then 0 else f i) i H) as P.
  cbv beta in P. now rewrite E in P.
Qed.

Section Proofs.
Variable c : token_set.
Hypothesis H : is_token_set c.
Let W : are_weights (L c) (a c) := proj1 H.

Lemma A_nonneg : 0 <= A_ c.
Proof. apply sum_nonneg; intros i Hi. destruct (I c i); [now apply W|lra]. Qed.

Lemma d1_ge i j : (i < L c)%nat -> (j < L c)%nat -> I c i = false -> I c j = true ->
  norm (d c) (fun k => x c i k - x c j k) <= d1_ c.
Proof.
  intros Hi Hj Ei Ej. eapply Rle_trans; [|apply (max_out_ge _ _ _ i Hi Ei)].
  now apply (max_in_ge _ _ (fun j => norm (d c) (fun k => x c i k - x c j k))).
Qed.

Lemma X_ge j : (j < L c)%nat -> I c j = true -> norm (d c) (x c j) <= X_ c.
Proof. apply (max_in_ge _ _ (fun j => norm (d c) (x c j))). Qed.

(** A (a_i x_i - s) = sum_{j in I} a_j [a_i (x_i - x_j) - (A - a_i) x_j]. *)
Lemma one_distance i : (i < L c)%nat -> I c i = false ->
  distance_ c i <= a c i * d1_ c + Rabs (A_ c - a c i) * X_ c.
Proof.
  intros Hi Ei. unfold distance_. pose proof (proj1 W i Hi) as Hai. pose proof A_nonneg as HA.
  destruct (Req_dec (A_ c) 0) as [EA|EA].
  - (* no weight is selected: s = 0 *)
    destruct (proj1 (proj2 H)) as (j & Hj & Ej).
    rewrite (norm_ext _ _ (fun k => a c i * (x c i k - x c j k) + a c i * x c j k)).
    + eapply Rle_trans; [apply norm_triangle|]. rewrite !norm_scal, (Rabs_pos_eq (a c i)) by easy.
      rewrite EA, Rminus_0_l, Rabs_Ropp, Rabs_pos_eq by easy.
      apply Rplus_le_compat; apply Rmult_le_compat_l; auto using d1_ge, X_ge.
    + intros k _. enough (s_ c k = 0) by lra. apply sum_zero; intros n Hn.
      destruct (I c n) eqn:En; [|easy]. enough (a c n = 0) as -> by ring.
      pose proof (proj1 W n Hn).
      pose proof (term_le_sum (L c) n (fun i => if I c i then a c i else 0)) as P. cbv beta in P.
      rewrite En in P. fold (sum_in (L c) (I c) (a c)) (A_ c) in P.
      enough (a c n <= A_ c) by lra. apply P; [|easy].
      intros m Hm. destruct (I c m); [now apply W|lra].
  - apply Rmult_le_reg_l with (A_ c); [lra|].
    rewrite <- (Rabs_pos_eq (A_ c)) at 1 by easy. rewrite <- norm_scal.
    rewrite (norm_ext _ _ (fun k => \sum_(j < L c) (if I c j then
      a c j * (a c i * (x c i k - x c j k) + (a c i - A_ c) * x c j k) else 0))).
    + eapply Rle_trans; [apply (norm_sum (d c) (L c) (fun j k => if I c j then
        a c j * (a c i * (x c i k - x c j k) + (a c i - A_ c) * x c j k) else 0))|].
      unfold A_ at 2. unfold sum_in. rewrite <- sum_scal_r. apply sum_le; intros j Hj.
      destruct (I c j) eqn:Ej; [|rewrite norm_zero; lra].
      pose proof (proj1 W j Hj). rewrite norm_scal, Rabs_pos_eq by easy.
      apply Rmult_le_compat_l; [easy|]. eapply Rle_trans; [apply norm_triangle|].
      rewrite !norm_scal, Rabs_pos_eq, (Rabs_minus_sym (A_ c)) by easy.
      apply Rplus_le_compat; apply Rmult_le_compat_l; auto using d1_ge, X_ge, Rabs_pos.
    + intros k _.
      transitivity (sum (L c) (fun j => (if I c j then a c j else 0) * (a c i * x c i k)
        - A_ c * (if I c j then a c j * x c j k else 0))).
      * rewrite sum_minus, sum_scal_r, sum_scal. unfold s_, A_, sum_in. ring.
      * apply sum_ext; intros j _. destruct (I c j); ring.
Qed.

Lemma outside_weight : sum_out (L c) (I c) (a c) = 1 - A_ c.
Proof. rewrite <- (proj2 W), (sum_in_out _ (I c)). unfold A_. ring. Qed.
End Proofs.

Theorem theorem1_fixed_any_set_repaired_proved : holds theorem1_fixed_any_set_repaired.
Proof.
  intros c H. cbn in *. rewrite <- (outside_weight c H), (Rmult_comm (X_ c)).
  unfold D_, sum_out. rewrite <- !sum_scal_r, <- sum_plus. apply sum_le; intros i Hi.
  destruct (I c i) eqn:Ei; [lra|now apply one_distance].
Qed.

(** For the largest weights A >= a_i, so that the absolute values add up to A (L-N) - (1-A). *)
Lemma top_excess c : is_top_set c -> sum_out (L c) (I c) (fun i => Rabs (A_ c - a c i))
  = A_ c * (INR (L c) - N_ c) - (1 - A_ c).
Proof.
  intros [H top]. pose proof (outside_weight c H) as E. rewrite <- E at 1.
  transitivity (sum_out (L c) (I c) (fun i => A_ c - a c i)).
  - apply sum_ext; intros i Hi. destruct (I c i) eqn:Ei; [easy|]. apply Rabs_pos_eq.
    destruct H as (W & (j & Hj & Ej) & _).
    enough (a c j <= A_ c) by (destruct (top j i Hj Hi Ej Ei) as [|[]]; lra).
    pose proof (term_le_sum (L c) j (fun i => if I c i then a c i else 0)) as P. cbv beta in P.
    rewrite Ej in P. apply P; [|easy]. intros m Hm. destruct (I c m); [now apply W|lra].
  - pose proof (sum_in_out (L c) (I c) (fun _ => 1)) as EL. rewrite sum_const in EL. fold (N_ c) in EL.
    replace (INR (L c) - N_ c) with (sum_out (L c) (I c) (fun _ => 1)) by lra.
    unfold sum_out. rewrite <- sum_scal, <- sum_minus. apply sum_ext; intros i _.
    destruct (I c i); ring.
Qed.

(** A > 0: with weight 0 for all selected tokens, all the others would have none either. *)
Lemma top_mass c : is_top_set c -> 0 < A_ c.
Proof.
  intros [H top]. pose proof (A_nonneg c H) as P. destruct P as [P|P]; [easy|exfalso].
  pose proof (outside_weight c H) as E. destruct H as (W & (j & Hj & Ej) & _).
  assert (a c j <= A_ c).
  { pose proof (term_le_sum (L c) j (fun i => if I c i then a c i else 0)) as Q. cbv beta in Q.
    rewrite Ej in Q. apply Q; [|easy]. intros m Hm. destruct (I c m); [now apply W|lra]. }
  assert (sum_out (L c) (I c) (a c) = 0); [|lra].
  apply sum_zero; intros i Hi. destruct (I c i) eqn:Ei; [easy|]. pose proof (proj1 W i Hi).
  destruct (top j i Hj Hi Ej Ei) as [|[]]; lra.
Qed.

Theorem theorem1_fixed_proved : holds theorem1_fixed.
Proof.
  intros c H. eapply Rle_trans; [apply theorem1_fixed_any_set_repaired_proved, H|].
  cbn. rewrite top_excess by easy. lra.
Qed.

(** a_i x_i - s = a_i (x_i - c) - (A - a_i) c. *)
Lemma centred c i : 0 < A_ c -> distance_ c i
  = norm (d c) (fun k => a c i * (x c i k - c_ c k) - (A_ c - a c i) * c_ c k).
Proof. intros HA. apply norm_ext; intros k _. unfold c_. field. lra. Qed.

Theorem theorem1_fixed_any_set_sharp_proved : holds theorem1_fixed_any_set_sharp.
Proof.
  intros c [H HA]. cbn. rewrite Rmult_comm. unfold D_, around_, sum_out.
  rewrite <- sum_scal_r, <- sum_plus. apply sum_le; intros i Hi.
  destruct (I c i) eqn:Ei; [lra|]. rewrite centred by easy.
  eapply Rle_trans; [apply norm_minus|]. rewrite !norm_scal, (Rabs_pos_eq (a c i)) by now apply H. lra.
Qed.

Theorem theorem1_fixed_sharp_upper_proved : holds theorem1_fixed_sharp_upper.
Proof.
  intros c H. eapply Rle_trans.
  - apply theorem1_fixed_any_set_sharp_proved. split; [apply H|now apply top_mass].
  - cbn. rewrite top_excess by easy. lra.
Qed.

Theorem theorem1_fixed_sharp_lower_proved : holds theorem1_fixed_sharp_lower.
Proof.
  intros c H. pose proof (top_mass c H) as HA. cbn. rewrite <- top_excess, Rmult_comm by easy.
  unfold D_, around_, sum_out. rewrite <- sum_scal_r, <- sum_minus. apply sum_le; intros i Hi.
  destruct (I c i) eqn:Ei; [lra|]. rewrite centred by easy.
  pose proof (norm_minus (d c) (fun k => a c i * (x c i k - c_ c k))
    (fun k => a c i * (x c i k - c_ c k) - (A_ c - a c i) * c_ c k)) as N.
  rewrite (norm_ext _ _ (fun k => (A_ c - a c i) * c_ c k)) in N by (intros; ring).
  rewrite !norm_scal, (Rabs_pos_eq (a c i)) in N by now apply H. lra.
Qed.

Lemma distance_near c i : 0 <= a c i ->
  Rabs (distance_ c i - norm (d c) (s_ c)) <= a c i * norm (d c) (x c i).
Proof.
  intros Ha. eapply Rle_trans; [apply norm_offset|]. rewrite norm_scal, Rabs_pos_eq by easy. lra.
Qed.

Theorem distance_linear_proved : holds distance_linear.
Proof.
  intros c H. cbn.
  pose proof (sum_in_out (L c) (I c) (fun _ => 1)) as EL. rewrite sum_const in EL. fold (N_ c) in EL.
  replace (INR (L c) - N_ c) with (sum_out (L c) (I c) (fun _ => 1)) by lra.
  unfold D_, sum_out. rewrite <- sum_scal_r, <- sum_minus.
  eapply Rle_trans; [apply abs_sum_le|]. apply sum_le; intros i Hi.
  destruct (I c i) eqn:Ei; [rewrite Rmult_0_l, Rminus_0_r, Rabs_R0; lra|].
  rewrite Rmult_1_l. now apply distance_near, H.
Qed.

(** The triangle inequality for the vectors whose lengths D adds up. *)
Theorem distance_net_proved : holds distance_net.
Proof.
  intros c _. cbn. unfold D_, distance_, sum_out.
  eapply Rle_trans; [apply (norm_sum (d c) (L c) (fun i k => if I c i then 0 else a c i * x c i k - s_ c k))|].
  apply sum_le; intros i Hi. destruct (I c i); [rewrite norm_zero|]; lra.
Qed.

(** All embeddings equal, and the selected token with little of the weight: 0.98 and -0.98. *)
Theorem theorem1_fixed_any_set_refuted : ~ holds theorem1_fixed_any_set.
Proof.
  set (c := TokenSet 2 2 (fun i => if (i =? 0)%nat then 1/100 else 99/100)
    (fun _ k => if (k =? 0)%nat then 1 else 0) (fun i => (i =? 0)%nat)).
  apply (refute theorem1_fixed_any_set c).
  - repeat split.
    + intros i _. cbn. destruct (i =? 0)%nat; lra.
    + cbn. lra.
    + now exists 0%nat; repeat constructor.
    + now exists 1%nat; repeat constructor.
  - cbn. unfold D_, distance_, A_, N_, X_, d1_, s_, sum_in, sum_out, max_in, max_out, norm; cbn.
    match goal with |- context [0 + 0 + sqrt ?e] => replace e with ((98/100)^2) by lra end.
    rewrite sqrt_pow2 by lra.
    match goal with |- context [Rmax (sqrt ?e) 0] => replace e with 1 by ring end.
    match goal with |- context [sqrt ?e] => replace e with 0 by ring end.
    rewrite sqrt_0, sqrt_1, !Rmax_left by (try rewrite Rmax_left; lra). lra.
Qed.
