(** The total variation of weights whose ratios are bounded, and what a difference of weights does to
    lengths and to mean vectors. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Limits Require Import Basics Exponential Vectors Weights.
Open Scope R_scope.

Definition variation (L : nat) (a b : vector) : R := / 2 * \sum_(i < L) Rabs (a i - b i).

Lemma tanh_exp x : tanh x = (exp (2 * x) - 1) / (exp (2 * x) + 1).
Proof.
  unfold tanh, sinh, cosh. rewrite exp_Ropp. replace (2 * x) with (x + x) by ring. rewrite exp_plus.
  pose proof (exp_pos x). field. split; nra.
Qed.

Lemma tanh_le x y : x <= y -> tanh x <= tanh y.
Proof.
  intros H. rewrite !tanh_exp. pose proof (exp_le (2 * x) (2 * y) ltac:(lra)).
  pose proof (exp_pos (2 * x)). pose proof (exp_pos (2 * y)).
  replace ((exp (2 * x) - 1) / (exp (2 * x) + 1)) with (1 - 2 * / (exp (2 * x) + 1)) by (field; lra).
  replace ((exp (2 * y) - 1) / (exp (2 * y) + 1)) with (1 - 2 * / (exp (2 * y) + 1)) by (field; lra).
  pose proof (Rinv_le_contravar (exp (2 * x) + 1) (exp (2 * y) + 1) ltac:(lra) ltac:(lra)). lra.
Qed.

(** Ratios q of mean 1 under the weights p, within [m, e^w m]: their mean distance from 1 is at most
    twice tanh(w/4). The chord of |q - 1| over [m, M] gives 2 (M - 1)(1 - m)/(M - m), and with
    M = v^2 m that is at most 2 (v - 1)/(v + 1), as (v m - 1)^2 >= 0. *)
Lemma variation_le L p q m w : are_weights L p -> 0 < m -> 0 <= w ->
  (forall i, (i < L)%nat -> m <= q i <= exp w * m) -> \sum_(i < L) (p i * q i) = 1 ->
  / 2 * (\sum_(i < L) (p i * Rabs (q i - 1))) <= tanh (w / 4).
Proof.
  intros W Hm Hw B E. rewrite tanh_exp. replace (2 * (w / 4)) with (w / 2) by field.
  set (v := exp (w / 2)).
  assert (Ev : exp w = v^2) by (unfold v; rewrite <- Rsqr_pow2; unfold Rsqr; rewrite <- exp_plus; f_equal; field).
  assert (Hv : 1 <= v) by (unfold v; rewrite <- exp_0; apply exp_le; lra).
  rewrite Ev in B. set (M := v^2 * m) in *.
  assert (m1 : m <= 1).
  { rewrite <- E, <- (Rmult_1_r m), <- (proj2 W), <- sum_scal. apply sum_le; intros i Hi.
    pose proof (proj1 W i Hi). pose proof (B i Hi). nra. }
  assert (M1 : 1 <= M).
  { rewrite <- E, <- (Rmult_1_r M), <- (proj2 W), <- sum_scal. apply sum_le; intros i Hi.
    pose proof (proj1 W i Hi). pose proof (B i Hi). nra. }
  set (t := \sum_(i < L) (p i * Rabs (q i - 1))).
  assert (C : (M - m) * t <= 2 * ((M - 1) * (1 - m))).
  { unfold t. rewrite <- sum_scal.
    apply Rle_trans with (\sum_(i < L) (p i * ((M + m - 2) * q i + (M + m - 2 * (M * m))))).
    - apply sum_le; intros i Hi. pose proof (proj1 W i Hi). pose proof (B i Hi).
      assert ((M - m) * Rabs (q i - 1) <= (M + m - 2) * q i + (M + m - 2 * (M * m))).
      { unfold Rabs. destruct Rcase_abs; nra. }
      nra.
    - rewrite (sum_ext L _ (fun i => (M + m - 2) * (p i * q i) + p i * (M + m - 2 * (M * m))))
        by (intros; ring).
      rewrite sum_plus, sum_scal, sum_scal_r, E, (proj2 W). right; ring. }
  apply Rmult_le_reg_r with (v + 1); [lra|].
  replace ((v - 1) / (v + 1) * (v + 1)) with (v - 1) by (field; lra).
  destruct (Rle_lt_or_eq_dec _ _ Hv) as [Hv'| <-].
  - apply Rmult_le_reg_l with (m * (v - 1)); [apply Rmult_lt_0_compat; lra|].
    unfold M in C. pose proof (pow2_ge_0 (v * m - 1)). nra.
  - (* all ratios are 1 *)
    assert (M = m) by (unfold M; ring).
    enough (t = 0) by nra. apply sum_zero; intros i Hi. pose proof (B i Hi).
    replace (q i - 1) with 0 by lra. rewrite Rabs_R0. ring.
Qed.

(** The same for the weights b and a: b_i/a_i within [m, e^w m]. *)
Lemma variation_of_ratios L a b q m w : are_weights L a -> are_weights L b -> 0 < m -> 0 <= w ->
  (forall i, (i < L)%nat -> b i = a i * q i) -> (forall i, (i < L)%nat -> m <= q i <= exp w * m) ->
  variation L b a <= tanh (w / 4).
Proof.
  intros A B Hm Hw E Hq. unfold variation.
  rewrite (sum_ext L _ (fun i => a i * Rabs (q i - 1))).
  - apply variation_le with m; try easy. rewrite (sum_ext L _ b); [apply B|].
    intros i Hi. now rewrite E.
  - intros i Hi. rewrite E by easy. rewrite <- (Rabs_pos_eq (a i)) at 3 by now apply A.
    rewrite <- Rabs_mult. f_equal. ring.
Qed.

Lemma variation_nonneg L a b : 0 <= variation L a b.
Proof. apply Rmult_le_pos; [lra|]. apply sum_nonneg; intros; apply Rabs_pos. Qed.

(** Vectors of sum 0 are at most sqrt 2 times half their absolute sum long. *)
Lemma norm_difference L a b : sum L a = sum L b ->
  norm L (fun i => a i - b i) <= sqrt 2 * variation L a b.
Proof.
  intros E. apply norm_le.
  - apply Rmult_le_pos; [apply sqrt_pos|apply variation_nonneg].
  - rewrite Rpow_mult_distr, pow2_sqrt by lra.
    pose proof (squares_le_half L (fun i => a i - b i)) as H. rewrite sum_minus in H.
    unfold variation. specialize (H ltac:(lra)). cbv beta in H. lra.
Qed.

(** Two means of the same vectors are at most [t] times as far apart as the vectors. *)
Lemma norm_mean_difference L d a b (x : nat -> vector) D : sum L a = sum L b ->
  (forall i j, (i < L)%nat -> (j < L)%nat -> norm d (fun k => x i k - x j k) <= D) ->
  norm d (fun k => \sum_(i < L) (a i * x i k) - \sum_(i < L) (b i * x i k)) <= variation L a b * D.
Proof.
  intros E HD. set (t := variation L a b).
  set (p := fun i => Rmax (a i - b i) 0). set (n := fun i => Rmax (b i - a i) 0).
  assert (Hpn : forall i, a i - b i = p i - n i /\ Rabs (a i - b i) = p i + n i /\ 0 <= p i /\ 0 <= n i).
  { intros i. unfold p, n, Rabs, Rmax. destruct Rcase_abs, (Rle_dec (a i - b i) 0), (Rle_dec (b i - a i) 0); lra. }
  assert (Ed : sum L p - sum L n = 0).
  { rewrite <- sum_minus, (sum_ext L _ (fun i => a i - b i)) by (intros i _; symmetry; apply Hpn).
    rewrite sum_minus. lra. }
  assert (Es : sum L p + sum L n = 2 * t).
  { unfold t, variation. rewrite <- sum_plus, (sum_ext L _ (fun i => Rabs (a i - b i)))
      by (intros i _; symmetry; apply Hpn). lra. }
  pose proof (variation_nonneg L a b) as Ht. fold t in Ht.
  rewrite (norm_ext d _ (fun k => \sum_(i < L) ((p i - n i) * x i k))).
  2: { intros k _. rewrite <- sum_minus. apply sum_ext; intros i _. destruct (Hpn i) as [<- _]. ring. }
  destruct (Req_dec t 0) as [E0|Ht0].
  - rewrite (norm_ext d _ (fun _ => 0)).
    + rewrite norm_zero. rewrite E0. lra.
    + intros k _. apply sum_zero; intros i Hi.
      assert (p i <= sum L p) by (apply term_le_sum; [intros; apply Hpn|easy]).
      assert (n i <= sum L n) by (apply term_le_sum; [intros; apply Hpn|easy]).
      destruct (Hpn i) as (_ & _ & ? & ?).
      replace (p i - n i) with 0 by lra. ring.
  - apply Rmult_le_reg_l with t; [lra|]. rewrite <- (Rabs_pos_eq t) at 1 by easy.
    rewrite <- norm_scal.
    rewrite (norm_ext d _ (fun k => \sum_(i < L) \sum_(j < L) (p i * n j * (x i k - x j k)))).
    + eapply Rle_trans; [apply (norm_sum d L (fun i k => \sum_(j < L) (p i * n j * (x i k - x j k))))|].
      apply Rle_trans with (\sum_(i < L) \sum_(j < L) (p i * n j * D)).
      * apply sum_le; intros i Hi.
        eapply Rle_trans; [apply (norm_sum d L (fun j k => p i * n j * (x i k - x j k)))|].
        apply sum_le; intros j Hj. destruct (Hpn i) as (_ & _ & ? & _). destruct (Hpn j) as (_ & _ & _ & ?).
        assert (0 <= p i * n j) by now apply Rmult_le_pos.
        rewrite norm_scal, Rabs_pos_eq by easy. apply Rmult_le_compat_l; auto.
      * rewrite (sum_ext L _ (fun i => p i * (sum L n * D))).
        -- rewrite sum_scal_r. replace (sum L n) with t by lra. replace (sum L p) with t by lra. right; ring.
        -- intros i _. rewrite sum_scal_r, sum_scal. ring.
    + intros k _. symmetry.
      rewrite (sum_ext L _ (fun i => p i * x i k * sum L n - p i * \sum_(j < L) (n j * x j k))).
      * rewrite sum_minus, !sum_scal_r.
        rewrite (sum_ext L (fun i => (p i - n i) * x i k) (fun i => p i * x i k - n i * x i k)) by (intros; ring).
        rewrite sum_minus. replace (sum L n) with t by lra. replace (sum L p) with t by lra. ring.
      * intros i _. rewrite <- sum_scal, <- sum_scal, <- sum_minus.
        apply sum_ext; intros; ring.
Qed.
