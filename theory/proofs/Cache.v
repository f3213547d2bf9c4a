(** What is kept of a row: the mass of a set by the gap of its weights, and how far the renormalised output
    of a set is from the whole one. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Limits Require Import Basics Vectors Weights Claim Equality Theorem1 Retrieval.
Open Scope R_scope.

(** min_{i in I} a_i, of weights that are at most 1. *)
Definition least_in_ (c : token_set) : R := Min (L c) (fun i => if I c i then a c i else 1).
Definition most_out_ (c : token_set) : R := max_out (L c) (I c) (a c).
Definition whole_ (c : token_set) : vector := fun k => \sum_(i < L c) (a c i * x c i k).
(** ||o - s/A|| *)
Definition off_ (c : token_set) : R := norm (d c) (fun k => whole_ c k - c_ c k).

(** Two sets of the same tokens. *)
Record two_sets := TwoSets { given :> token_set; other : nat -> bool }.
Definition other_set (c : two_sets) : token_set := TokenSet (L c) (d c) (a c) (x c) (other c).

(** ** Claims *)

Definition mass_gap : claim := {|
  case := token_set;
  hypotheses c := is_token_set c /\ 0 < least_in_ c + most_out_ c;
  lhs c := 1 - A_ c;
  rhs c := O_ c * most_out_ c / (O_ c * most_out_ c + N_ c * least_in_ c)
|}.

Definition retrieval_renormalised_variance : claim := {|
  case := token_set;
  hypotheses c := is_token_set c /\ 0 < A_ c;
  lhs c := (off_ c)^2;
  rhs c := (1 - A_ c) / A_ c * \sum_(i < L c) (a c i * (norm (d c) (fun k => x c i k - whole_ c k))^2)
|}.

(** With one token more, the next of the largest. *)
Definition retrieval_monotone : claim := {|
  case := two_sets;
  hypotheses c := is_top_set c /\ (forall i, (i < L c)%nat -> I c i = true -> other c i = true) /\
    N_ (other_set c) = N_ c + 1 /\
    forall i j, (i < L c)%nat -> (j < L c)%nat -> other c i = true -> other c j = false -> before (a c) i j;
  lhs c := off_ (other_set c);
  rhs c := off_ c
|}.

(** The given set has the largest weights, the other as many tokens. *)
Definition retrieval_by_weight : claim := {|
  case := two_sets;
  hypotheses c := is_top_set c /\ N_ (other_set c) = N_ c /\ 0 < A_ (other_set c);
  lhs c := off_ c;
  rhs c := off_ (other_set c)
|}.

(** ** Proofs *)

Lemma least_in_le c i : (i < L c)%nat -> I c i = true -> least_in_ c <= a c i.
Proof.
  intros Hi Ei. pose proof (Min_le (L c) (fun i => if I c i then a c i else 1) i Hi) as P.
  cbv beta in P. now rewrite Ei in P.
Qed.

Theorem mass_gap_proved : holds mass_gap.
Proof.
  intros c [H P]. pose proof (outside_weight c H) as EO. pose proof (A_nonneg c H) as HA.
  destruct H as (W & (p & Hp & Ep) & (q & Hq & Eq)). cbn [lhs rhs mass_gap].
  set (v := least_in_ c) in *. set (w := most_out_ c) in *. set (N := N_ c). set (O := O_ c).
  assert (Hv : 0 <= v).
  { apply Min_ge; [lia|]. intros i Hi. destruct (I c i); [now apply W|lra]. }
  assert (Hw : 0 <= w).
  { eapply Rle_trans; [now apply (proj1 W q)|]. now apply (max_out_ge (L c) (I c) (a c)). }
  assert (B1 : 1 - A_ c <= O * w).
  { rewrite <- EO. unfold O, O_, sum_out. rewrite <- sum_scal_r. apply sum_le; intros i Hi.
    destruct (I c i) eqn:Ei; [lra|]. rewrite Rmult_1_l. now apply (max_out_ge (L c) (I c) (a c)). }
  assert (B2 : N * v <= A_ c).
  { unfold N, N_, A_, sum_in. rewrite <- sum_scal_r. apply sum_le; intros i Hi.
    destruct (I c i) eqn:Ei; [rewrite Rmult_1_l; now apply least_in_le|lra]. }
  assert (HN : 1 <= N).
  { pose proof (term_le_sum (L c) p (fun i => if I c i then 1 else 0)) as T. cbv beta in T. rewrite Ep in T.
    apply T; [|easy]. intros i _. destruct (I c i); lra. }
  assert (HO : 1 <= O).
  { pose proof (term_le_sum (L c) q (fun i => if I c i then 0 else 1)) as T. cbv beta in T. rewrite Eq in T.
    apply T; [|easy]. intros i _. destruct (I c i); lra. }
  assert (Ow : 0 <= O * w) by (apply Rmult_le_pos; lra). assert (Nv : 0 <= N * v) by (apply Rmult_le_pos; lra).
  assert (S : 0 < O * w + N * v) by nra.
  apply Rmult_le_reg_r with (O * w + N * v); [easy|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
  assert (0 <= 1 - A_ c).
  { rewrite <- EO. apply sum_nonneg; intros i Hi. destruct (I c i); [lra|now apply W]. }
  assert (M : (1 - A_ c) * (N * v) <= (O * w) * A_ c) by (apply Rmult_le_compat; lra). nra.
Qed.

(** n = sum_{i in I} a_i (x_i - o) = - sum_{i not in I} a_i (x_i - o) is A (s/A - o); ||n||^2 <= A V_I and
    <= (1-A) V_O by Cauchy-Schwarz, V_I and V_O the two parts of the sum. *)
Lemma square_of_sum L d (w : vector) (y : nat -> vector) : (forall i, (i < L)%nat -> 0 <= w i) ->
  \sum_(k < d) (\sum_(i < L) (w i * y i k))^2 <= sum L w * \sum_(i < L) (w i * (norm d (y i))^2).
Proof.
  intros Hw. rewrite (sum_ext L (fun i => w i * _) (fun i => \sum_(k < d) (w i * (y i k)^2))).
  - rewrite sum_swap, <- sum_scal. apply sum_le; intros k _.
    pose proof (cauchy_schwarz_weighted L w (fun _ => 1) (fun i => y i k) Hw) as C.
    cbv beta in C.
    rewrite (sum_ext L (fun i => w i * (1 * y i k)) (fun i => w i * y i k)) in C by (intros; ring).
    now rewrite (sum_ext L (fun i => w i * 1 ^ 2) w) in C by (intros; ring).
  - intros i _. now rewrite norm_sqr, sum_scal.
Qed.

Theorem retrieval_renormalised_variance_proved : holds retrieval_renormalised_variance.
Proof.
  intros c [H HA]. pose proof (outside_weight c H) as EO. pose proof (proj1 H) as W.
  cbn [lhs rhs retrieval_renormalised_variance]. set (A := A_ c) in *. set (o := whole_ c).
  set (y := fun i k => x c i k - o k). set (wi := fun i => if I c i then a c i else 0).
  set (wo := fun i => if I c i then 0 else a c i).
  set (Vi := \sum_(i < L c) (wi i * (norm (d c) (y i))^2)). set (Vo := \sum_(i < L c) (wo i * (norm (d c) (y i))^2)).
  assert (V : \sum_(i < L c) (a c i * (norm (d c) (fun k => x c i k - o k))^2) = Vi + Vo).
  { unfold Vi, Vo. rewrite <- sum_plus. apply sum_ext; intros i _. unfold wi, wo, y. destruct (I c i); ring. }
  rewrite V. unfold off_. fold o.
  assert (n_in : forall k, \sum_(i < L c) (wi i * y i k) = - A * (o k - c_ c k)).
  { intros k. unfold y. rewrite (sum_ext (L c) _ (fun i => wi i * x c i k - wi i * o k)) by (intros; ring).
    rewrite sum_minus, sum_scal_r. fold (sum_in (L c) (I c) (a c)). change (sum (L c) wi) with A.
    replace (\sum_(i < L c) (wi i * x c i k)) with (s_ c k).
    - unfold c_. fold A. field. lra.
    - apply sum_ext; intros i _. unfold wi. destruct (I c i); ring. }
  assert (n_out : forall k, \sum_(i < L c) (wo i * y i k) = A * (o k - c_ c k)).
  { intros k. enough (\sum_(i < L c) (wi i * y i k) + \sum_(i < L c) (wo i * y i k) = 0) by (pose proof (n_in k); lra).
    rewrite <- sum_plus. rewrite (sum_ext (L c) _ (fun i => a c i * x c i k - a c i * o k)).
    - rewrite sum_minus, sum_scal_r, (proj2 W). unfold o, whole_. ring.
    - intros i _. unfold wi, wo, y. destruct (I c i); ring. }
  assert (wi0 : forall i, (i < L c)%nat -> 0 <= wi i) by (intros i Hi; unfold wi; destruct (I c i); [now apply W|lra]).
  assert (wo0 : forall i, (i < L c)%nat -> 0 <= wo i) by (intros i Hi; unfold wo; destruct (I c i); [lra|now apply W]).
  pose proof (square_of_sum (L c) (d c) wi y wi0) as Ci. pose proof (square_of_sum (L c) (d c) wo y wo0) as Co.
  fold Vi in Ci. fold Vo in Co. change (sum (L c) wi) with A in Ci. change (sum (L c) wo) with (sum_out (L c) (I c) (a c)) in Co.
  rewrite EO in Co. set (e2 := (norm (d c) (fun k => o k - c_ c k))^2).
  rewrite (sum_ext (d c) _ (fun k => A^2 * (o k - c_ c k)^2)) in Ci by (intros k _; rewrite n_in; ring).
  rewrite (sum_ext (d c) _ (fun k => A^2 * (o k - c_ c k)^2)) in Co by (intros k _; rewrite n_out; ring).
  rewrite sum_scal, <- (norm_sqr (d c) (fun k => o k - c_ c k)) in Ci, Co. fold e2 in Ci, Co.
  assert (He : 0 <= e2) by apply pow2_ge_0.
  assert (A1 : 0 <= 1 - A) by (rewrite <- EO; apply sum_nonneg; exact wo0).
  assert (Hi : A * e2 <= Vi) by (apply Rmult_le_reg_l with A; nra).
  apply Rmult_le_reg_l with A; [easy|].
  replace (A * ((1 - A) / A * (Vi + Vo))) with ((1 - A) * (Vi + Vo)) by (field; lra).
  nra.
Qed.

Definition three (p q r : R) : vector := fun i => if (i =? 0)%nat then p else if (i =? 1)%nat then q else r.
Lemma below_three i : (i < 3)%nat -> (i = 0 \/ i = 1 \/ i = 2)%nat.
Proof. lia. Qed.
Ltac each := repeat match goal with H : (_ < 3)%nat |- _ => apply below_three in H; destruct H as [->|[->| ->]] end.

Lemma thirds_weights : are_weights 3 (three (1/2) (1/4) (1/4)).
Proof. split; [intros i Hi; each; cbn; lra|cbn; lra]. Qed.

(** Weights 1/2, 1/4, 1/4 of 0, 1 and -1: the first token alone is exact, the first two are 1/3 off. *)
Theorem retrieval_monotone_refuted : ~ holds retrieval_monotone.
Proof.
  set (c := TwoSets (TokenSet 3 1 (three (1/2) (1/4) (1/4)) (fun i _ => three 0 1 (-1) i) (fun i => (i =? 0)%nat))
    (fun i => (i <? 2)%nat)).
  apply (refute retrieval_monotone c).
  - split; [split; [split; [exact thirds_weights|]|]|split; [|split]].
    + split; [exists 0%nat|exists 1%nat]; cbn; split; (lia || easy).
    + intros i j Hi Hj Ei Ej. cbn in *. each; try discriminate; left; unfold three; cbn; lra.
    + intros i Hi Ei. cbn in *. each; easy.
    + cbn. unfold N_, sum_in; cbn. lra.
    + intros i j Hi Hj Ei Ej. cbn in *. unfold before. each; try discriminate; unfold three; cbn; (left; lra) || (right; split; [lra|lia]).
  - cbn [lhs rhs retrieval_monotone]. unfold off_. cbn [d other_set given c]. rewrite !norm_line.
    unfold whole_, c_, s_, A_, sum_in, three; cbn. rewrite !Rabs_left1 by lra. lra.
Qed.

(** Weights 1/2, 1/4, 1/4 of 1, 0 and -2: o = 0, which the second token has. *)
Theorem retrieval_by_weight_refuted : ~ holds retrieval_by_weight.
Proof.
  set (c := TwoSets (TokenSet 3 1 (three (1/2) (1/4) (1/4)) (fun i _ => three 1 0 (-2) i) (fun i => (i =? 0)%nat))
    (fun i => (i =? 1)%nat)).
  apply (refute retrieval_by_weight c).
  - split; [split; [split; [exact thirds_weights|]|]|split].
    + split; [exists 0%nat|exists 1%nat]; cbn; split; (lia || easy).
    + intros i j Hi Hj Ei Ej. cbn in *. each; try discriminate; left; unfold three; cbn; lra.
    + cbn. unfold N_, sum_in; cbn. lra.
    + cbn. unfold A_, sum_in, three; cbn. lra.
  - cbn [lhs rhs retrieval_by_weight]. unfold off_. cbn [d other_set given c]. rewrite !norm_line.
    unfold whole_, c_, s_, A_, sum_in, three; cbn.
    match goal with |- Rabs ?p < Rabs ?q => replace p with 0 by lra; replace q with (-1) by lra end.
    rewrite Rabs_R0, Rabs_left; lra.
Qed.
