(** Finite sums of reals, and the few facts about them that every proof here uses. *)
From Coq Require Import Reals Lra Lia Psatz Arith Bool.
Open Scope R_scope.

(** [\sum_(i < n) f i] is f 0 + ... + f (n-1). *)
Fixpoint sum (n : nat) (f : nat -> R) : R :=
  match n with O => 0 | S m => sum m f + f m end.
Notation "\sum_ ( i < n ) f" := (sum n (fun i => f))
  (at level 41, f at level 41, i at level 50, format "\sum_ ( i < n )  f").

Section Sums.
Implicit Types (n i j k : nat) (f g : nat -> R).

Lemma sum_ext n f g : (forall i, (i < n)%nat -> f i = g i) -> sum n f = sum n g.
Proof. induction n as [|n IH]; simpl; intros H; [easy|]. rewrite IH, H; auto with arith. Qed.

Lemma sum_le n f g : (forall i, (i < n)%nat -> f i <= g i) -> sum n f <= sum n g.
Proof.
  induction n as [|n IH]; simpl; intros H; [lra|].
  apply Rplus_le_compat; auto with arith.
Qed.

Lemma sum_plus n f g : \sum_(i < n) (f i + g i) = sum n f + sum n g.
Proof. induction n as [|n IH]; simpl; [lra|]. rewrite IH; lra. Qed.

Lemma sum_minus n f g : \sum_(i < n) (f i - g i) = sum n f - sum n g.
Proof. induction n as [|n IH]; simpl; [lra|]. rewrite IH; lra. Qed.

Lemma sum_scal n c f : \sum_(i < n) (c * f i) = c * sum n f.
Proof. induction n as [|n IH]; simpl; [lra|]. rewrite IH; lra. Qed.

Lemma sum_scal_r n c f : \sum_(i < n) (f i * c) = sum n f * c.
Proof. induction n as [|n IH]; simpl; [lra|]. rewrite IH; lra. Qed.

Lemma sum_div n c f : \sum_(i < n) (f i / c) = sum n f / c.
Proof. apply (sum_scal_r n (/ c)). Qed.

Lemma sum_const n c : \sum_(_ < n) c = INR n * c.
Proof. induction n as [|n IH]; [simpl; lra|]. cbn [sum]. rewrite IH, S_INR; lra. Qed.

Lemma sum_zero n f : (forall i, (i < n)%nat -> f i = 0) -> sum n f = 0.
Proof. intros H. rewrite (sum_ext _ _ _ H), sum_const; lra. Qed.

Lemma sum_nonneg n f : (forall i, (i < n)%nat -> 0 <= f i) -> 0 <= sum n f.
Proof. intros H. rewrite <- (sum_zero n (fun _ => 0)) by easy. now apply sum_le. Qed.

Lemma sum_swap n m (f : nat -> nat -> R) :
  \sum_(i < n) \sum_(j < m) f i j = \sum_(j < m) \sum_(i < n) f i j.
Proof.
  induction n as [|n IH]; cbn [sum].
  - symmetry; now apply sum_zero.
  - now rewrite IH, <- sum_plus.
Qed.

(** One term taken out of a sum. *)
Lemma sum_split n k f : (k < n)%nat ->
  sum n f = f k + \sum_(i < n) (if (i =? k)%nat then 0 else f i).
Proof.
  induction n as [|n IH]; intros H; [lia|]. cbn [sum].
  destruct (Nat.eqb_spec n k) as [->|Hk].
  - rewrite (sum_ext k (fun i => if (i =? k)%nat then 0 else f i) f); [lra|].
    intros i Hi. destruct (Nat.eqb_spec i k); [lia|easy].
  - rewrite IH by lia. lra.
Qed.

(** A sum in two parts. *)
Lemma sum_app n m f : sum (n + m) f = sum n f + \sum_(i < m) f (n + i)%nat.
Proof.
  induction m as [|m IH]; [rewrite Nat.add_0_r; simpl; lra|].
  rewrite Nat.add_succ_r. cbn [sum]. rewrite IH. lra.
Qed.

Lemma sum_one n k c : (k < n)%nat -> \sum_(i < n) (if (i =? k)%nat then c else 0) = c.
Proof.
  intros H. rewrite (sum_split _ k) by easy. rewrite Nat.eqb_refl, sum_zero; [lra|].
  intros i _. now destruct (i =? k)%nat.
Qed.

Lemma term_le_sum n k f : (forall i, (i < n)%nat -> 0 <= f i) -> (k < n)%nat -> f k <= sum n f.
Proof.
  intros H Hk. rewrite (sum_split n k f Hk).
  enough (0 <= \sum_(i < n) (if (i =? k)%nat then 0 else f i)) by lra.
  apply sum_nonneg. intros i Hi. destruct (i =? k)%nat; [lra|auto].
Qed.

Lemma sum_pos n f : (0 < n)%nat -> (forall i, (i < n)%nat -> 0 < f i) -> 0 < sum n f.
Proof.
  intros Hn H. apply Rlt_le_trans with (f O); [now apply H|].
  apply term_le_sum; [|easy]. intros i Hi. now apply Rlt_le, H.
Qed.

Lemma abs_sum_le n f : Rabs (sum n f) <= \sum_(i < n) Rabs (f i).
Proof.
  induction n as [|n IH]; simpl; [rewrite Rabs_R0; lra|].
  eapply Rle_trans; [apply Rabs_triang|]. lra.
Qed.

Lemma sum_others_const n k c : (k < n)%nat ->
  \sum_(i < n) (if (i =? k)%nat then 0 else c) = (INR n - 1) * c.
Proof. intros H. pose proof (sum_split n k (fun _ => c) H) as E. rewrite sum_const in E. lra. Qed.

Lemma sum_mul n m f g : sum n f * sum m g = \sum_(i < n) \sum_(j < m) (f i * g j).
Proof.
  rewrite <- sum_scal_r. apply sum_ext; intros. now rewrite sum_scal.
Qed.

(** Cauchy-Schwarz with weights. *)
Lemma cauchy_schwarz_weighted n (w f g : nat -> R) : (forall i, (i < n)%nat -> 0 <= w i) ->
  (\sum_(i < n) (w i * (f i * g i)))^2 <=
  (\sum_(i < n) (w i * (f i)^2)) * (\sum_(i < n) (w i * (g i)^2)).
Proof.
  intros Hw.
  set (a := \sum_(i < n) (w i * (f i)^2)). set (b := \sum_(i < n) (w i * (f i * g i))).
  set (c := \sum_(i < n) (w i * (g i)^2)).
  assert (H : forall x y, 0 <= x^2 * a + 2 * x * y * b + y^2 * c).
  { intros x y. unfold a, b, c. rewrite <- !sum_scal, <- !sum_plus.
    apply sum_nonneg. intros i Hi. specialize (Hw i Hi).
    replace (_ + _) with (w i * (x * f i + y * g i)^2) by ring.
    apply Rmult_le_pos; [easy|apply pow2_ge_0]. }
  assert (Hc : 0 <= c) by (specialize (H 0 1); lra).
  assert (Ha : 0 <= a) by (specialize (H 1 0); lra).
  destruct (Req_dec c 0) as [E|Hc'].
  - destruct (Req_dec b 0) as [Eb|Eb]; [rewrite Eb, E; lra|].
    pose proof (H 1 (- (a + 1) / (2 * b))) as H1. rewrite E in H1.
    replace (_ + _) with (- 1) in H1 by (field; easy). lra.
  - pose proof (H c (- b)) as H1. replace (_ + _) with (c * (a * c - b^2)) in H1 by ring.
    apply Rmult_le_reg_l with c; [lra|]. lra.
Qed.

Lemma cauchy_schwarz n f g :
  (\sum_(i < n) (f i * g i))^2 <= (\sum_(i < n) (f i)^2) * (\sum_(i < n) (g i)^2).
Proof.
  pose proof (cauchy_schwarz_weighted n (fun _ => 1) f g) as H.
  rewrite !(sum_scal n 1), !Rmult_1_l in H. apply H. intros; lra.
Qed.
End Sums.

Lemma INR_pos n : (0 < n)%nat -> 1 <= INR n.
Proof. intros H. apply (le_INR 1) in H. exact H. Qed.

(** Numbers of sum 0: no square is more than half of the absolute sum allows. *)
Lemma abs_le_half n f k : sum n f = 0 -> (k < n)%nat -> Rabs (f k) <= / 2 * \sum_(i < n) Rabs (f i).
Proof.
  intros E Hk. rewrite (sum_split n k) in E by easy.
  rewrite (sum_split n k (fun i => Rabs (f i))) by easy.
  assert (H : Rabs (f k) <= \sum_(i < n) (if (i =? k)%nat then 0 else Rabs (f i))).
  { replace (f k) with (- \sum_(i < n) (if (i =? k)%nat then 0 else f i)) by lra.
    rewrite Rabs_Ropp. eapply Rle_trans; [apply abs_sum_le|]. apply sum_le; intros i _.
    destruct (i =? k)%nat; [rewrite Rabs_R0|]; lra. }
  lra.
Qed.

Lemma squares_le_half n f : sum n f = 0 ->
  \sum_(i < n) (f i)^2 <= / 2 * (\sum_(i < n) Rabs (f i))^2.
Proof.
  intros E. set (s := \sum_(i < n) Rabs (f i)).
  apply Rle_trans with (\sum_(i < n) (Rabs (f i) * (/ 2 * s))).
  - apply sum_le; intros i Hi. rewrite <- Rsqr_pow2, Rsqr_abs. unfold Rsqr.
    apply Rmult_le_compat_l; [apply Rabs_pos|]. now apply abs_le_half.
  - rewrite sum_scal_r. fold s. lra.
Qed.

(** Extreme values of f 0, ..., f (n-1); 0 where n = 0. *)
Fixpoint Max (n : nat) (f : nat -> R) : R :=
  match n with O => 0 | S O => f O | S m => Rmax (Max m f) (f m) end.
Definition Min (n : nat) (f : nat -> R) : R := - Max n (fun i => - f i).

Lemma Max_ge n f i : (i < n)%nat -> f i <= Max n f.
Proof.
  induction n as [|[|n] IH]; intros H; [lia| |].
  - replace i with O by lia. simpl; lra.
  - change (Max (S (S n)) f) with (Rmax (Max (S n) f) (f (S n))).
    destruct (Nat.eq_dec i (S n)) as [->|]; [apply Rmax_r|].
    eapply Rle_trans; [apply IH; lia|apply Rmax_l].
Qed.

Lemma Max_attained n f : (0 < n)%nat -> exists i, (i < n)%nat /\ Max n f = f i.
Proof.
  induction n as [|[|n] IH]; intros H; [lia|now exists O; split; [lia|]|].
  change (Max (S (S n)) f) with (Rmax (Max (S n) f) (f (S n))).
  unfold Rmax; destruct Rle_dec.
  - exists (S n); split; [lia|easy].
  - destruct IH as (i & Hi & E); [lia|]. exists i; split; [lia|easy].
Qed.

Lemma Max_le n f c : (0 < n)%nat -> (forall i, (i < n)%nat -> f i <= c) -> Max n f <= c.
Proof. intros Hn H. destruct (Max_attained n f Hn) as (i & Hi & ->). auto. Qed.

Lemma Max_mono n f g : (forall i, (i < n)%nat -> f i <= g i) -> Max n f <= Max n g.
Proof.
  intros H. destruct n as [|n]; [apply Rle_refl|]. apply Max_le; [lia|]. intros i Hi.
  eapply Rle_trans; [now apply H|now apply Max_ge].
Qed.

Lemma Max_ext n f g : (forall i, (i < n)%nat -> f i = g i) -> Max n f = Max n g.
Proof.
  induction n as [|[|n] IH]; intros H; [easy|apply H; lia|].
  change (Rmax (Max (S n) f) (f (S n)) = Rmax (Max (S n) g) (g (S n))).
  rewrite IH, H; auto with arith.
Qed.

Lemma Min_le n f i : (i < n)%nat -> Min n f <= f i.
Proof. intros H. unfold Min. pose proof (Max_ge n (fun i => - f i) i H). simpl in *; lra. Qed.

Lemma Min_ge n f c : (0 < n)%nat -> (forall i, (i < n)%nat -> c <= f i) -> c <= Min n f.
Proof.
  intros Hn H. unfold Min. enough (Max n (fun i => - f i) <= - c) by lra.
  apply Max_le; [easy|]. intros i Hi. specialize (H i Hi). lra.
Qed.

Lemma Min_attained n f : (0 < n)%nat -> exists i, (i < n)%nat /\ Min n f = f i.
Proof.
  intros Hn. destruct (Max_attained n (fun i => - f i) Hn) as (i & Hi & E).
  exists i; split; [easy|]. unfold Min. rewrite E. lra.
Qed.
