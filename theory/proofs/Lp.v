(** The gradient of softmax in every norm of vectors with a whole exponent. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Limits Require Import Basics Exponential Vectors Weights Row Claim Corollary3.
Open Scope R_scope.

(** (sum_i |v_i|^p)^(1/p), by the exponential of log/p. *)
Definition power_sum (p n : nat) (v : vector) : R := \sum_(i < n) (Rabs (v i))^p.
Definition lp_norm (p n : nat) (v : vector) : R :=
  if Req_EM_T (power_sum p n v) 0 then 0 else exp (log (power_sum p n v) / INR p).

(** With a vector, an exponent, and the place of the largest weight. *)
Record lp_row := LpRow { of_row :> softmax_row; v : vector; exponent : nat; largest : nat }.

Definition softmax_lp : claim := {|
  case := lp_row;
  hypotheses x := is_softmax_row x /\ (1 <= exponent x)%nat /\ (largest x < L x)%nat /\
    forall i, (i < L x)%nat -> a_ x i <= a_ x (largest x);
  lhs x := lp_norm (exponent x) (L x) (apply (L x) (J_ x) (v x));
  rhs x := 2 * a_ x (largest x) * (1 - a_ x (largest x)) * lp_norm (exponent x) (L x) (v x) / T x
|}.

Lemma power_sum_nonneg p n u : 0 <= power_sum p n u.
Proof. apply sum_nonneg; intros; apply pow_le, Rabs_pos. Qed.

(** The norm, to the power p, is the sum. *)
Lemma lp_power p n u : (1 <= p)%nat -> (lp_norm p n u)^p = power_sum p n u.
Proof.
  intros Hp. pose proof (power_sum_nonneg p n u) as P. unfold lp_norm. destruct Req_EM_T as [E|E].
  - rewrite E. apply pow_i. lia.
  - assert (0 < power_sum p n u) by lra.
    assert (K : forall q t, exp t ^ q = exp (INR q * t)).
    { induction q as [|q IH]; intros t; [cbn; now rewrite Rmult_0_l, exp_0|].
      rewrite S_INR, Rmult_plus_distr_r, exp_plus, <- IH, Rmult_1_l. cbn. ring. }
    rewrite K. pose proof (INR_pos p ltac:(lia)).
    replace (INR p * (log (power_sum p n u) / INR p)) with (log (power_sum p n u)) by (field; lra).
    now apply exp_log.
Qed.

Lemma lp_nonneg p n u : 0 <= lp_norm p n u.
Proof. unfold lp_norm. destruct Req_EM_T; [lra|apply Rlt_le, exp_pos]. Qed.

Lemma pow_le_inv p x y : (1 <= p)%nat -> 0 <= x -> 0 <= y -> x^p <= y^p -> x <= y.
Proof.
  intros Hp Hx Hy H. destruct (Rle_lt_dec x y) as [|G]; [easy|exfalso].
  enough (y^p < x^p) by lra. destruct p as [|p]; [lia|]. clear Hp H.
  induction p as [|p IH]; [cbn; lra|]. change (y * y ^ S p < x * x ^ S p).
  pose proof (pow_le y (S p) Hy). apply Rle_lt_trans with (y * x ^ S p).
  - apply Rmult_le_compat_l; lra.
  - apply Rmult_lt_compat_r; [|easy]. lra.
Qed.

(** t^p lies above its tangent at m. *)
Lemma tangent p t m : 0 <= t -> 0 <= m -> m^p + INR p * m^(p - 1) * (t - m) <= t^p.
Proof.
  intros Ht Hm. induction p as [|p IH]; [cbn; lra|].
  replace (S p - 1)%nat with p by lia. destruct p as [|p]; [cbn; lra|].
  replace (S p - 1)%nat with p in IH by lia.
  apply Rle_trans with (t * (m ^ S p + INR (S p) * m ^ p * (t - m))).
  - rewrite (S_INR (S p)). pose proof (pos_INR (S p)). pose proof (pow_le m p Hm).
    replace (t * (m ^ S p + INR (S p) * m ^ p * (t - m)))
      with (m ^ S (S p) + (INR (S p) + 1) * m ^ S p * (t - m) + INR (S p) * m ^ p * (t - m)^2) by (cbn; ring).
    assert (0 <= INR (S p) * m ^ p * (t - m)^2); [|lra].
    apply Rmult_le_pos; [now apply Rmult_le_pos|apply pow2_ge_0].
  - change (t ^ S (S p)) with (t * t ^ S p). now apply Rmult_le_compat_l.
Qed.

(** Jensen: a mean of weights w >= 0 of sum r. *)
Lemma jensen_power p n (w t : vector) r : (1 <= p)%nat -> (forall j, (j < n)%nat -> 0 <= w j) ->
  (forall j, (j < n)%nat -> 0 <= t j) -> sum n w = r ->
  (\sum_(j < n) (w j * t j))^p <= r^(p - 1) * \sum_(j < n) (w j * (t j)^p).
Proof.
  intros Hp Hw Ht E. set (s := \sum_(j < n) (w j * t j)).
  assert (Hs : 0 <= s) by (apply sum_nonneg; intros; apply Rmult_le_pos; auto).
  assert (Hr : 0 <= r) by (rewrite <- E; now apply sum_nonneg).
  destruct Hr as [Hr|<-].
  - set (m := s / r). assert (Hm : 0 <= m) by (apply Rmult_le_pos; [easy|now apply Rlt_le, Rinv_0_lt_compat]).
    assert (B : r * m^p <= \sum_(j < n) (w j * (t j)^p)).
    { apply Rle_trans with (\sum_(j < n) (w j * (m^p + INR p * m^(p - 1) * (t j - m)))).
      - right. rewrite (sum_ext n _ (fun j => m^p * w j + INR p * m^(p-1) * (w j * t j) - INR p * m^(p-1) * m * w j)) by (intros; ring).
        rewrite sum_minus, sum_plus, !sum_scal, E. fold s. unfold m at 3. replace s with (m * r) by (unfold m; field; lra).
        replace (m * r / r) with m by (field; lra). ring.
      - apply sum_le; intros j Hj. apply Rmult_le_compat_l; [auto|]. apply tangent; auto. }
    replace (s^p) with (r^(p - 1) * (r * m^p)).
    + apply Rmult_le_compat_l; [apply pow_le; lra|exact B].
    + replace (r ^ (p - 1) * (r * m ^ p)) with (r ^ S (p - 1) * m^p) by (cbn; ring).
      replace (S (p - 1)) with p by lia. rewrite <- Rpow_mult_distr. f_equal. unfold m. field. lra.
  - assert (Z : forall j, (j < n)%nat -> w j = 0).
    { intros j Hj. pose proof (term_le_sum n j w Hw Hj). pose proof (Hw j Hj). lra. }
    assert (Es : s = 0) by (apply sum_zero; intros j Hj; rewrite (Z j Hj); ring).
    rewrite Es, pow_i by lia. apply Rmult_le_pos; [apply pow_le; lra|].
    apply sum_nonneg; intros j Hj. apply Rmult_le_pos; [auto|apply pow_le; auto].
Qed.

(** The rows of |J| have sums of at most R = 2 a_(1) (1 - a_(1))/T, and J is symmetric. *)
Theorem softmax_lp_proved : holds softmax_lp.
Proof.
  intros x (H & Hp & Hk & Hmax). cbn [lhs rhs softmax_lp].
  pose proof H as [HL HT]. set (n := L x) in *. set (p := exponent x) in *. set (a := a_ x) in *.
  assert (W : are_weights n a) by (apply softmax_are_weights; easy).
  set (q := a (largest x)) in *. set (R := 2 * q * (1 - q) / T x).
  assert (HiT : 0 < / T x) by now apply Rinv_0_lt_compat.
  assert (Hq : 0 <= q <= 1) by (split; [now apply W|now apply (weight_le_1 n a W)]).
  assert (HR : 0 <= R) by (apply Rmult_le_pos; [apply Rmult_le_pos|]; lra).
  set (w := fun i j => Rabs (spread a i j / T x)).
  assert (Wsym : forall i j, w i j = w j i) by (intros; unfold w; now rewrite spread_sym).
  assert (Wrow : forall i, (i < n)%nat -> sum n (w i) <= R).
  { intros i Hi. pose proof (proj1 W i Hi) as Pi. pose proof (weight_le_1 n a W i Hi) as Qi.
    rewrite (sum_ext n _ (fun j => / T x * (if (j =? i)%nat then a i * (1 - a i) else a i * a j))).
    2: { intros j Hj. unfold w, spread, Rdiv. rewrite Rabs_mult, (Rabs_pos_eq (/ T x)), Rmult_comm by lra. f_equal.
         pose proof (proj1 W j Hj). rewrite Nat.eqb_sym. destruct (Nat.eqb_spec j i) as [->|].
         - rewrite Rabs_pos_eq; [ring|]. nra.
         - rewrite Rabs_left1; [ring|]. assert (0 <= a i * a j) by now apply Rmult_le_pos. lra. }
    rewrite sum_scal, (sum_split n i) by easy. rewrite Nat.eqb_refl.
    rewrite (sum_ext n (fun j => if (j =? i)%nat then 0 else if (j =? i)%nat then a i * (1 - a i) else a i * a j)
      (fun j => a i * (if (j =? i)%nat then 0 else a j))) by (intros j _; destruct (j =? i)%nat; ring).
    pose proof (sum_split n i a Hi) as S. rewrite (proj2 W) in S. rewrite sum_scal.
    replace (\sum_(j < n) (if (j =? i)%nat then 0 else a j)) with (1 - a i) by lra.
    unfold R, Rdiv. replace (2 * q * (1 - q) * / T x) with (/ T x * (2 * q * (1 - q))) by ring.
    apply Rmult_le_compat_l; [lra|]. pose proof (Hmax i Hi) as M. fold q in M.
    destruct (Nat.eq_dec i (largest x)) as [->|N]; [fold q; lra|].
    pose proof (two_weights_le_1 n a W i (largest x) Hi Hk N) as T2. fold q in T2. nra. }
  assert (B : power_sum p n (apply n (J_ x) (v x)) <= R^p * power_sum p n (v x)).
  { unfold power_sum. apply Rle_trans with (\sum_(i < n) (R^(p - 1) * \sum_(j < n) (w i j * (Rabs (v x j))^p))).
    - apply sum_le; intros i Hi.
      apply Rle_trans with ((\sum_(j < n) (w i j * Rabs (v x j)))^p).
      + apply pow_incr. split; [apply Rabs_pos|]. unfold apply.
        eapply Rle_trans; [apply abs_sum_le|]. right. apply sum_ext; intros j Hj.
        unfold J_. rewrite softmax_gradient by easy. apply Rabs_mult.
      + eapply Rle_trans; [apply (jensen_power p n (w i) (fun j => Rabs (v x j)) (sum n (w i)) Hp)|].
        * intros; apply Rabs_pos.
        * intros; apply Rabs_pos.
        * easy.
        * apply Rmult_le_compat_r.
          -- apply sum_nonneg; intros. apply Rmult_le_pos; [apply Rabs_pos|apply pow_le, Rabs_pos].
          -- apply pow_incr. split; [apply sum_nonneg; intros; apply Rabs_pos|now apply Wrow].
    - rewrite sum_scal, sum_swap.
      apply Rle_trans with (R^(p - 1) * \sum_(j < n) (R * (Rabs (v x j))^p)).
      + apply Rmult_le_compat_l; [now apply pow_le|]. apply sum_le; intros j Hj.
        rewrite (sum_ext n _ (fun i => w j i * Rabs (v x j)^p)) by (intros; now rewrite Wsym).
        rewrite sum_scal_r. apply Rmult_le_compat_r; [apply pow_le, Rabs_pos|now apply Wrow].
      + rewrite sum_scal, <- Rmult_assoc. right. f_equal.
        replace (R ^ (p - 1) * R) with (R ^ S (p - 1)) by (cbn; ring). now replace (S (p - 1)) with p by lia. }
  replace (2 * q * (1 - q) * lp_norm p n (v x) / T x) with (R * lp_norm p n (v x)) by (unfold R; field; lra).
  apply (pow_le_inv p); [easy|apply lp_nonneg|apply Rmult_le_pos; [easy|apply lp_nonneg]|].
  rewrite Rpow_mult_distr, !lp_power by easy. exact B.
Qed.
