(** How many tokens a head needs: what is lost when it keeps a set of tokens alone, and how well the
    distances from their sum tell them from the others. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Limits Require Import Basics Exponential Vectors Weights Variation Claim Theorem1 Separability.
From Limits Require Beyond Entropy Step.
Import Entropy(entropy, gibbs). Import Step(softmax_variation).
Open Scope R_scope.

Section Terms.
Variable c : token_set.
(** What the tokens outside contribute; the output s + e. *)
Definition e_ : vector := fun k => sum_out (L c) (I c) (fun i => a c i * x c i k).
Definition o_ : vector := fun k => \sum_(i < L c) (a c i * x c i k).
Definition has_mass : Prop := is_token_set c /\ 0 < A_ c.

(** The tokens outside; their pairs' distances; the pairs of a selected token and one outside that is
    no farther from s. *)
Definition O_ : R := sum_out (L c) (I c) (fun _ => 1).
Definition pairs_ : R := \sum_(i < L c) \sum_(k < i) (if (I c i || I c k)%bool then 0 else
  norm (d c) (fun m => a c i * x c i m - a c k * x c k m)).
Definition inverted_ (i j : nat) : R := if Rle_dec (distance_ c j) (distance_ c i) then 1 else 0.
Definition GInv_ : R := sum_in (L c) (I c) (fun i => sum_out (L c) (I c) (inverted_ i)).
Definition intruders_ : R := sum_out (L c) (I c)
  (fun j => if Rle_dec (distance_ c j) (max_in (L c) (I c) (distance_ c)) then 1 else 0).
End Terms.

(** The selected tokens nearer to s than the nearest one outside, which is at r. *)
Definition nearer_ (c : ball_set) : R :=
  sum_in (L c) (I c) (fun i => if Rlt_dec (distance_ c i) (r c) then 1 else 0).

(** With a direction, and how far the tokens outside reach along it. *)
Record coherent_set := CoherentSet { kept_set :> token_set; u : vector; reach : R }.

(** Logits, a step, and embeddings. *)
Record moved_row := MovedRow { length : nat; width : nat; l : vector; h : vector; T : R;
  y : nat -> vector }.

(** Scores, which tokens are useful, and which are kept: those of the largest scores. *)
Record recovery := Recovery { count : nat; score : vector; useful : nat -> bool; kept : nat -> bool }.
Definition INR_of_ (n : nat) (f : nat -> bool) : R := \sum_(i < n) (if f i then 1 else 0).
Definition useful_ (c : recovery) : R := INR_of_ (count c) (useful c).
Definition kept_ (c : recovery) : R := INR_of_ (count c) (kept c).
Definition missed_ (c : recovery) : R := INR_of_ (count c) (fun i => useful c i && negb (kept c i))%bool.
Definition inversions_ (c : recovery) : R := \sum_(i < count c) \sum_(j < count c)
  (if (useful c i && negb (useful c j))%bool then
    if Rle_dec (score c i) (score c j) then 1 else 0 else 0).

(** ** Claims *)

Definition retrieval_deletion : claim := {|
  case := token_set;
  hypotheses := has_weights;
  lhs c := norm (d c) (e_ c);
  rhs c := sum_out (L c) (I c) (fun i => a c i * norm (d c) (x c i))
|}.

Definition retrieval_deletion_mass : claim := {|
  case := token_set;
  hypotheses := is_token_set;
  lhs c := norm (d c) (e_ c);
  rhs c := (1 - A_ c) * max_out (L c) (I c) (fun i => norm (d c) (x c i))
|}.

Definition retrieval_renormalised : claim := {|
  case := token_set;
  hypotheses := has_mass;
  lhs c := norm (d c) (fun k => o_ c k - c_ c k);
  rhs c := (1 - A_ c) * d1_ c
|}.

Definition retrieval_renormalised_better : claim := {|
  case := token_set;
  hypotheses := has_mass;
  lhs c := norm (d c) (fun k => o_ c k - c_ c k);
  rhs c := norm (d c) (fun k => o_ c k - s_ c k)
|}.

Definition distance_radius : claim := {|
  case := token_set;
  hypotheses := has_weights;
  lhs c := max_out (L c) (I c) (fun i => Rabs (distance_ c i - norm (d c) (s_ c)));
  rhs c := max_out (L c) (I c) (fun i => a c i * norm (d c) (x c i))
|}.

Definition distance_spread : claim := {|
  case := token_set;
  hypotheses c := 2 <= O_ c;
  lhs c := pairs_ c / (O_ c - 1);
  rhs := D_
|}.

Definition retrieval_precision : claim := {|
  case := token_set;
  hypotheses c := exists i, (i < L c)%nat /\ I c i = true;
  lhs c := N_ c / (N_ c + GInv_ c);
  rhs c := N_ c / (N_ c + intruders_ c)
|}.

Definition retrieval_recall : claim := {|
  case := ball_set;
  hypotheses c := (exists i, (i < L c)%nat /\ I c i = true) /\ is_nearest c;
  lhs c := Rmax 0 (1 - GInv_ c / N_ c);
  rhs c := nearer_ c / N_ c
|}.

Definition mass_participation : claim := {|
  case := token_set;
  hypotheses _ := True;
  lhs c := (A_ c)^2;
  rhs c := N_ c * \sum_(i < L c) (a c i)^2
|}.

Definition mass_fano : claim := {|
  case := token_set;
  hypotheses c := is_token_set c /\ forall i, (i < L c)%nat -> 0 < a c i;
  lhs c := entropy (L c) (a c);
  rhs c := - A_ c * log (A_ c) - (1 - A_ c) * log (1 - A_ c)
    + A_ c * log (N_ c) + (1 - A_ c) * log (O_ c)
|}.

Definition retrieval_coherent : claim := {|
  case := coherent_set;
  hypotheses c := is_token_set c /\ 0 < norm (d c) (u c) /\
    forall i, (i < L c)%nat -> I c i = false -> reach c * norm (d c) (u c) <= dot (d c) (u c) (x c i);
  lhs c := reach c * (1 - A_ c);
  rhs c := norm (d c) (e_ c)
|}.

Definition output_step : claim := {|
  case := moved_row;
  hypotheses c := (0 < length c)%nat /\ 0 < T c;
  lhs c := norm (width c) (fun k => \sum_(i < length c) ((softmax (length c) (T c)
    (fun i => l c i + h c i) i - softmax (length c) (T c) (l c) i) * y c i k));
  rhs c := Beyond.diameter (length c) (width c) (y c)
    * tanh ((Max (length c) (h c) - Min (length c) (h c)) / (4 * T c))
|}.

Definition retrieval_recovery : claim := {|
  case := recovery;
  hypotheses c := (forall i j, (i < count c)%nat -> (j < count c)%nat -> kept c i = true ->
    kept c j = false -> before (score c) i j) /\ useful_ c <= kept_ c;
  lhs := missed_;
  rhs c := (sqrt ((kept_ c - useful_ c)^2 + 4 * inversions_ c) - (kept_ c - useful_ c)) / 2
|}.

(** ** What is lost *)

Theorem retrieval_deletion_proved : holds retrieval_deletion.
Proof.
  intros c H. cbn. unfold e_, sum_out.
  eapply Rle_trans; [apply (norm_sum (d c) (L c) (fun i k => if I c i then 0 else a c i * x c i k))|].
  apply sum_le; intros i Hi. destruct (I c i); [rewrite norm_zero; lra|].
  rewrite norm_scal, Rabs_pos_eq by auto. lra.
Qed.

Theorem retrieval_deletion_mass_proved : holds retrieval_deletion_mass.
Proof.
  intros c H. eapply Rle_trans.
  - exact (retrieval_deletion_proved c (proj1 (proj1 H))).
  - cbn. rewrite <- (outside_weight c H). unfold sum_out. rewrite <- sum_scal_r.
    apply sum_le; intros i Hi. destruct (I c i) eqn:Ei; [lra|].
    apply Rmult_le_compat_l; [now apply H|].
    now apply (max_out_ge _ _ (fun i => norm (d c) (x c i))).
Qed.

(** A (x_i - c) = sum_{j in I} a_j (x_i - x_j). *)
Lemma centre_near c i : has_mass c -> (i < L c)%nat -> I c i = false ->
  norm (d c) (fun k => x c i k - c_ c k) <= d1_ c.
Proof.
  intros [H HA] Hi Ei. apply Rmult_le_reg_l with (A_ c); [easy|].
  rewrite <- (Rabs_pos_eq (A_ c)) at 1 by lra. rewrite <- norm_scal.
  rewrite (norm_ext _ _ (fun k => \sum_(j < L c) (if I c j then a c j * (x c i k - x c j k) else 0))).
  - eapply Rle_trans; [apply (norm_sum (d c) (L c)
      (fun j k => if I c j then a c j * (x c i k - x c j k) else 0))|].
    unfold A_, sum_in. rewrite <- sum_scal_r. apply sum_le; intros j Hj.
    destruct (I c j) eqn:Ej; [|rewrite norm_zero; lra].
    assert (0 <= a c j) by now apply H.
    rewrite norm_scal, Rabs_pos_eq by easy. apply Rmult_le_compat_l; [easy|]. now apply d1_ge.
  - intros k _.
    transitivity (\sum_(j < L c) ((if I c j then a c j else 0) * x c i k
      - (if I c j then a c j * x c j k else 0))).
    + rewrite sum_minus, sum_scal_r.
      change (A_ c * (x c i k - s_ c k / A_ c) = A_ c * x c i k - s_ c k). field. lra.
    + apply sum_ext; intros j _. destruct (I c j); ring.
Qed.

(** o - c = sum_{i in O} a_i (x_i - c), as s = A c and the weights outside sum to 1 - A. *)
Theorem retrieval_renormalised_proved : holds retrieval_renormalised.
Proof.
  intros c HM. pose proof HM as [H HA]. cbn.
  rewrite (norm_ext _ _ (fun k => \sum_(i < L c) (if I c i then 0 else a c i * (x c i k - c_ c k)))).
  - eapply Rle_trans; [apply (norm_sum (d c) (L c)
      (fun i k => if I c i then 0 else a c i * (x c i k - c_ c k)))|].
    rewrite <- (outside_weight c H). unfold sum_out. rewrite <- sum_scal_r.
    apply sum_le; intros i Hi. destruct (I c i) eqn:Ei; [rewrite norm_zero; lra|].
    assert (0 <= a c i) by now apply H.
    rewrite norm_scal, Rabs_pos_eq by easy. apply Rmult_le_compat_l; [easy|now apply centre_near].
  - intros k _.
    transitivity (e_ c k - sum_out (L c) (I c) (a c) * c_ c k).
    + rewrite (outside_weight c H). unfold o_. rewrite (sum_in_out (L c) (I c)).
      change (s_ c k + e_ c k - s_ c k / A_ c = e_ c k - (1 - A_ c) * (s_ c k / A_ c)). field. lra.
    + unfold e_, sum_out. rewrite <- sum_scal_r, <- sum_minus.
      apply sum_ext; intros i _. destruct (I c i); ring.
Qed.

(** Two tokens of weight 1/2 at 1 and -1, one of them kept: 1 and 1/2. *)
Theorem retrieval_renormalised_better_refuted : ~ holds retrieval_renormalised_better.
Proof.
  set (c := TokenSet 2 1 (fun _ => 1/2) (fun i _ => if (i =? 0)%nat then 1 else -1)
    (fun i => (i =? 0)%nat)).
  apply (refute retrieval_renormalised_better c).
  - repeat split.
    + intros i _. cbn. lra.
    + cbn. lra.
    + now exists 0%nat; repeat constructor.
    + now exists 1%nat; repeat constructor.
    + unfold A_, sum_in; cbn. lra.
  - cbn [lhs rhs retrieval_renormalised_better]. change (d c) with 1%nat.
    rewrite !norm_line. unfold o_, c_, s_, A_, sum_in; cbn.
    replace ((0 + 1 / 2 * 1 + 0) / (0 + 1 / 2 + 0)) with 1 by field.
    rewrite !Rabs_left by lra. lra.
Qed.

(** ** Distances *)

Theorem distance_radius_proved : holds distance_radius.
Proof.
  intros c H. apply Max_mono. intros i Hi. destruct (I c i); [lra|now apply distance_near, H].
Qed.

(** Of a sum over pairs, with 0 or 1 for each number. *)
Lemma pair_sum m (w u : nat -> R) :
  \sum_(i < m) \sum_(k < i) (w k * u i + w i * u k) = sum m w * sum m u - \sum_(i < m) (w i * u i).
Proof.
  induction m as [|m IH]; cbn [sum]; [ring|].
  rewrite IH, sum_plus, sum_scal_r, sum_scal. ring.
Qed.

(** ||y_i - y_k|| <= D_i + D_k. *)
Theorem distance_spread_proved : holds distance_spread.
Proof.
  intros c H. cbn in *. set (w := fun i => if I c i then 0 else 1).
  set (u := fun i => if I c i then 0 else distance_ c i).
  assert (EO : O_ c = sum (L c) w) by easy. assert (ED : D_ c = sum (L c) u) by easy.
  apply Rmult_le_reg_r with (O_ c - 1); [lra|].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  apply Rle_trans with (\sum_(i < L c) \sum_(k < i) (w k * u i + w i * u k)).
  - apply sum_le; intros i Hi. apply sum_le; intros k Hk. unfold w, u.
    destruct (I c i), (I c k); cbn [orb]; try lra.
    pose proof (norm_minus (d c) (fun m => a c i * x c i m - s_ c m)
      (fun m => a c k * x c k m - s_ c m)) as N.
    rewrite (norm_ext _ _ (fun m => a c i * x c i m - a c k * x c k m)) in N by (intros; ring).
    unfold distance_. lra.
  - rewrite pair_sum, (sum_ext (L c) (fun i => w i * u i) u).
    + rewrite EO, ED. lra.
    + intros i _. unfold w, u. destruct (I c i); ring.
Qed.

(** ** Counts *)

Lemma selected_positive c : (exists i, (i < L c)%nat /\ I c i = true) -> 0 < N_ c.
Proof.
  intros (i & Hi & Ei). pose proof (term_le_sum (L c) i (fun i => if I c i then 1 else 0)) as P.
  cbv beta in P. rewrite Ei in P. enough (1 <= N_ c) by lra. apply P; [|easy].
  intros k _. destruct (I c k); lra.
Qed.

Lemma inverted_bounds c i j : 0 <= inverted_ c i j <= 1.
Proof. unfold inverted_. destruct Rle_dec; lra. Qed.

Lemma farthest_selected c : (exists i, (i < L c)%nat /\ I c i = true) ->
  exists i, (i < L c)%nat /\ I c i = true /\ max_in (L c) (I c) (distance_ c) <= distance_ c i.
Proof.
  intros (j & Hj & Ej).
  destruct (Max_attained (L c) (fun i => if I c i then distance_ c i else 0)) as (i & Hi & E); [lia|].
  change (max_in (L c) (I c) (distance_ c) = (if I c i then distance_ c i else 0)) in E.
  destruct (I c i) eqn:Ei; [exists i; repeat split; auto; lra|].
  exists j. repeat split; auto. rewrite E. apply norm_nonneg.
Qed.

(** A token outside that is no farther than the farthest selected one makes a pair with it. *)
Theorem retrieval_precision_proved : holds retrieval_precision.
Proof.
  intros c H. cbn in *. pose proof (selected_positive c H) as HN.
  destruct (farthest_selected c H) as (i & Hi & Ei & far).
  assert (F0 : 0 <= intruders_ c).
  { apply sum_nonneg; intros j _. destruct (I c j); [lra|]. destruct Rle_dec; lra. }
  enough (F : intruders_ c <= GInv_ c).
  { apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; lra. }
  apply Rle_trans with (sum_out (L c) (I c) (inverted_ c i)).
  - apply sum_le; intros j Hj. destruct (I c j); [lra|]. unfold inverted_.
    do 2 destruct Rle_dec; lra.
  - unfold GInv_, sum_in.
    pose proof (term_le_sum (L c) i
      (fun i => if I c i then sum_out (L c) (I c) (inverted_ c i) else 0)) as P.
    cbv beta in P. rewrite Ei in P. apply P; [|easy]. intros k _. destruct (I c k); [|lra].
    apply sum_nonneg; intros j _. destruct (I c j); [lra|apply inverted_bounds].
Qed.

(** A selected token that is no nearer than the nearest one outside makes a pair with it. *)
Theorem retrieval_recall_proved : holds retrieval_recall.
Proof.
  intros c [H ((j & Hj & Ej & Er) & _)]. cbn in *. pose proof (selected_positive c H) as HN.
  assert (R0 : 0 <= nearer_ c).
  { apply sum_nonneg; intros i _. destruct (I c i); [|lra]. destruct Rlt_dec; lra. }
  enough (F : N_ c - nearer_ c <= GInv_ c).
  { apply Rmax_lub.
    - apply Rmult_le_pos; [easy|]. now apply Rlt_le, Rinv_0_lt_compat.
    - apply Rmult_le_reg_r with (N_ c); [easy|].
      replace ((1 - GInv_ c / N_ c) * N_ c) with (N_ c - GInv_ c) by (field; lra).
      replace (nearer_ c / N_ c * N_ c) with (nearer_ c) by (field; lra). lra. }
  unfold N_, nearer_, GInv_, sum_in. rewrite <- sum_minus. apply sum_le; intros i Hi.
  destruct (I c i) eqn:Ei; [|lra].
  pose proof (term_le_sum (L c) j (fun j => if I c j then 0 else inverted_ c i j)) as P.
  cbv beta in P. rewrite Ej in P.
  assert (0 <= sum_out (L c) (I c) (inverted_ c i)).
  { apply sum_nonneg; intros k _. destruct (I c k); [lra|apply inverted_bounds]. }
  destruct Rlt_dec as [|far]; [lra|].
  assert (inverted_ c i j = 1) as E1.
  { unfold inverted_. destruct Rle_dec as [|N]; [easy|]. exfalso. apply N.
    lra. }
  rewrite E1 in P. unfold sum_out. enough (1 <= \sum_(j < L c) (if I c j then 0 else inverted_ c i j)) by lra.
  apply P; [|easy]. intros k _. destruct (I c k); [lra|apply inverted_bounds].
Qed.

(** ** The shape of the weights *)

Theorem mass_participation_proved : holds mass_participation.
Proof.
  intros c _. cbn. set (w := fun i => if I c i then 1 else 0).
  assert (EA : A_ c = \sum_(i < L c) (w i * a c i)).
  { apply sum_ext; intros i _. unfold w. destruct (I c i); ring. }
  assert (EN : N_ c = \sum_(i < L c) (w i)^2).
  { apply sum_ext; intros i _. unfold w. destruct (I c i); ring. }
  rewrite EA, EN. apply cauchy_schwarz.
Qed.

(** Gibbs' inequality with the weights A/N inside and (1-A)/(L-N) outside. *)
Theorem mass_fano_proved : holds mass_fano.
Proof.
  intros c [[W [Hin Hout]] Ha]. cbn.
  assert (HN : 0 < N_ c) by now apply selected_positive.
  assert (HO : 0 < O_ c).
  { destruct Hout as (i & Hi & Ei). pose proof (term_le_sum (L c) i (fun i => if I c i then 0 else 1)) as P.
    cbv beta in P. rewrite Ei in P. enough (1 <= O_ c) by lra. apply P; [|easy].
    intros k _. destruct (I c k); lra. }
  assert (HA : 0 < A_ c).
  { destruct Hin as (i & Hi & Ei). pose proof (term_le_sum (L c) i (fun i => if I c i then a c i else 0)) as P.
    cbv beta in P. rewrite Ei in P. apply Rlt_le_trans with (a c i); [auto|]. apply P; [|easy].
    intros k Hk. destruct (I c k); [apply Rlt_le; auto|lra]. }
  set (B := sum_out (L c) (I c) (a c)).
  assert (HB : 0 < B).
  { destruct Hout as (i & Hi & Ei). pose proof (term_le_sum (L c) i (fun i => if I c i then 0 else a c i)) as P.
    cbv beta in P. rewrite Ei in P. apply Rlt_le_trans with (a c i); [auto|]. apply P; [|easy].
    intros k Hk. destruct (I c k); [lra|apply Rlt_le; auto]. }
  assert (EB : 1 - A_ c = B).
  { rewrite <- (proj2 W), (sum_in_out _ (I c)). unfold A_, B. ring. }
  rewrite EB. set (p := A_ c / N_ c). set (q := B / O_ c). set (b := fun i => if I c i then p else q).
  assert (Hb : forall i, (i < L c)%nat -> 0 < b i).
  { intros i _. unfold b, p, q. destruct (I c i); now apply Rdiv_lt_0_compat. }
  assert (Sb : sum (L c) b = 1).
  { rewrite (sum_in_out (L c) (I c)), <- (proj2 W), (sum_in_out (L c) (I c) (a c)).
    fold B. change (sum_in (L c) (I c) (a c)) with (A_ c). f_equal.
    - transitivity (p * N_ c); [|unfold p; field; lra]. unfold N_, sum_in. rewrite <- sum_scal.
      apply sum_ext; intros i _. unfold b. destruct (I c i); ring.
    - transitivity (q * O_ c); [|unfold q; field; lra]. unfold O_, sum_out. rewrite <- sum_scal.
      apply sum_ext; intros i _. unfold b. destruct (I c i); ring. }
  pose proof (gibbs (L c) b (a c) Sb (proj2 W) Hb Ha) as G. unfold entropy.
  enough (\sum_(i < L c) (a c i * log (b i)) =
    A_ c * (log (A_ c) - log (N_ c)) + B * (log B - log (O_ c))) by lra.
  rewrite (sum_in_out (L c) (I c)).
  f_equal.
  - unfold A_ at 1, sum_in. rewrite <- sum_scal_r. apply sum_ext; intros i _.
    unfold b, p. destruct (I c i); [now rewrite log_div|ring].
  - unfold B at 1, sum_out. rewrite <- sum_scal_r. apply sum_ext; intros i _.
    unfold b, q. destruct (I c i); [ring|now rewrite log_div].
Qed.

(** ||e|| ||u|| >= u . e = sum_{i in O} a_i (u . x_i) >= (1-A) c ||u||. *)
Theorem retrieval_coherent_proved : holds retrieval_coherent.
Proof.
  intros c (H & Hu & Hx). cbn. apply Rmult_le_reg_r with (norm (d c) (u c)); [easy|].
  rewrite (Rmult_comm (norm (d c) (e_ c))). eapply Rle_trans; [|apply dot_le].
  assert (E : dot (d c) (u c) (e_ c) = sum_out (L c) (I c) (fun i => a c i * dot (d c) (u c) (x c i))).
  { unfold dot, e_, sum_out.
    rewrite (sum_ext (d c) _ (fun k => \sum_(i < L c) (if I c i then 0 else a c i * (u c k * x c i k)))).
    - rewrite sum_swap. apply sum_ext; intros i _. destruct (I c i).
      + now apply sum_zero.
      + now rewrite sum_scal.
    - intros k _. rewrite <- sum_scal. apply sum_ext; intros i _. destruct (I c i); ring. }
  rewrite E, <- (outside_weight c H). unfold sum_out.
  rewrite Rmult_assoc, (Rmult_comm (reach c)), Rmult_assoc, <- sum_scal_r.
  apply sum_le; intros i Hi. destruct (I c i) eqn:Ei; [lra|].
  apply Rmult_le_compat_l; [now apply H|]. rewrite Rmult_comm. now apply Hx.
Qed.

Theorem output_step_proved : holds output_step.
Proof.
  intros c [HL HT]. cbn. set (n := length c). set (D := Beyond.diameter n (width c) (y c)).
  assert (HD : forall i j, (i < n)%nat -> (j < n)%nat ->
    norm (width c) (fun k => y c i k - y c j k) <= D) by (intros; now apply Beyond.diameter_ge).
  set (b := softmax n (T c) (fun i => l c i + h c i)). set (p := softmax n (T c) (l c)).
  rewrite (norm_ext _ _ (fun k => \sum_(i < n) (b i * y c i k) - \sum_(i < n) (p i * y c i k))).
  - eapply Rle_trans; [apply (norm_mean_difference n (width c) b p (y c) D); [|easy]|].
    + unfold b, p. now rewrite !(proj2 (softmax_are_weights _ _ _ HL)).
    + rewrite Rmult_comm. apply Rmult_le_compat_l.
      * eapply Rle_trans; [apply norm_nonneg|now apply (HD 0%nat 0%nat)].
      * replace ((Max n (h c) - Min n (h c)) / (4 * T c)) with ((Max n (h c) - Min n (h c)) / T c / 4)
          by (field; lra).
        now apply softmax_variation.
  - intros k _. rewrite <- sum_minus. apply sum_ext; intros; ring.
Qed.

(** ** Recovery *)

(** Each missed token scores no more than each kept one that is not useful: m (N - K + m) <= Inv. *)
Theorem retrieval_recovery_proved : holds retrieval_recovery.
Proof.
  intros c [Hk HK]. cbn [lhs rhs retrieval_recovery]. set (n := count c).
  set (m := missed_ c). set (s := INR_of_ n (fun j => kept c j && negb (useful c j))%bool).
  assert (Es : s = kept_ c - useful_ c + m).
  { unfold s, m, kept_, useful_, missed_, INR_of_. fold n. rewrite <- sum_minus, <- sum_plus.
    apply sum_ext; intros i _. destruct (kept c i), (useful c i); cbn; ring. }
  assert (Inv : m * s <= inversions_ c).
  { unfold m, s, missed_, INR_of_, inversions_. fold n. rewrite sum_mul.
    apply sum_le; intros i Hi. apply sum_le; intros j Hj.
    destruct (useful c i) eqn:Ui, (kept c i) eqn:Ki, (kept c j) eqn:Kj, (useful c j) eqn:Uj; cbn;
      try lra; try (destruct Rle_dec; lra).
    destruct Rle_dec as [|N]; [lra|]. exfalso. apply N.
    destruct (Hk j i Hj Hi Kj Ki) as [|[]]; lra. }
  assert (m0 : 0 <= m).
  { apply sum_nonneg; intros i _. destruct (useful c i), (kept c i); cbn; lra. }
  rewrite Es in Inv. set (t := kept_ c - useful_ c) in *.
  assert (0 <= t) by (unfold t; lra).
  enough (t + 2 * m <= sqrt (t^2 + 4 * inversions_ c)) by lra.
  rewrite <- (sqrt_pow2 (t + 2 * m)) by lra. apply sqrt_le_1_alt.
  replace ((t + 2 * m)^2) with (t^2 + 4 * (m * (t + m))) by ring. lra.
Qed.
