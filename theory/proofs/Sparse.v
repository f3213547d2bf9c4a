(** Sparsemax and 1.5-entmax have less entropy than softmax. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Limits Require Import Basics Exponential Vectors Weights Row Claim Entropy.
Open Scope R_scope.

(** With what is taken off each entry that is left. *)
Record cut_row := CutRow { full :> softmax_row; tau : R }.
Definition sparsemax_ (x : cut_row) : vector := fun i => Rmax (l x i / T x - tau x) 0.
Definition entmax_ (x : cut_row) : vector := fun i => (Rmax (l x i / T x / 2 - tau x) 0)^2.

(** ** Claims *)

Definition entropy_sparsemax : claim := {|
  case := cut_row;
  hypotheses x := is_softmax_row x /\ sum (L x) (sparsemax_ x) = 1;
  lhs x := entropy (L x) (sparsemax_ x);
  rhs x := entropy (L x) (a_ x)
|}.

Definition entropy_entmax : claim := {|
  case := cut_row;
  hypotheses x := is_softmax_row x /\ sum (L x) (entmax_ x) = 1;
  lhs x := entropy (L x) (entmax_ x);
  rhs x := entropy (L x) (a_ x)
|}.

(** ** Proofs *)

Lemma log_le_line x y : 0 < x -> 0 < y -> x - y <= x * (log x - log y).
Proof.
  intros Hx Hy. pose proof (exp_ineq1_le (log y - log x)) as P. unfold Rminus in P.
  rewrite exp_plus, exp_Ropp, !exp_log in P by easy.
  apply Rmult_le_compat_l with (r := x) in P; [|lra].
  replace (x * (y * / x)) with y in P by (field; lra). lra.
Qed.

(** H(q) - H(p) is sum p log(p/q) + sum (p - q) z, q = softmax(z): the first is at least sum_{p > 0} (p - q),
    and the second is half of sum_ij (p_i q_j - p_j q_i) (z_i - z_j). *)
Lemma entropy_le_softmax L T l p : (0 < L)%nat -> are_weights L p ->
  (forall i j, (i < L)%nat -> (j < L)%nat -> l i / T <= l j / T ->
    p i * exp (l j / T) <= p j * exp (l i / T)) ->
  entropy L p <= entropy L (softmax L T l).
Proof.
  intros HL W M. set (z := fun i => l i / T). set (Z := \sum_(i < L) exp (z i)).
  assert (PZ : 0 < Z) by (apply sum_pos; [easy|intros; apply exp_pos]).
  set (q := softmax L T l). assert (Eq : forall i, q i = exp (z i) / Z) by easy.
  assert (Pq : forall i, 0 < q i) by (intros; rewrite Eq; apply Rdiv_lt_0_compat; [apply exp_pos|easy]).
  assert (Sq : sum L q = 1).
  { rewrite (sum_ext L q (fun i => exp (z i) / Z)) by easy. rewrite sum_div. fold Z. field. lra. }
  assert (Lq : forall i, log (q i) = z i - log Z).
  { intros i. rewrite Eq. unfold Rdiv. rewrite log_mult by (apply exp_pos || now apply Rinv_0_lt_compat).
    rewrite log_exp. replace (log (/ Z)) with (- log Z); [ring|].
    pose proof (log_mult Z (/ Z) PZ (Rinv_0_lt_compat _ PZ)) as E. rewrite Rinv_r in E by lra.
    rewrite <- exp_0, log_exp in E. lra. }
  assert (first : 0 <= \sum_(i < L) (p i * (log (p i) - log (q i)))).
  { apply Rle_trans with (\sum_(i < L) (if Req_EM_T (p i) 0 then 0 else p i - q i)).
    - apply Rle_trans with (\sum_(i < L) (p i - q i)); [rewrite sum_minus, (proj2 W), Sq; lra|].
      apply sum_le; intros i Hi. pose proof (Pq i). destruct Req_EM_T; lra.
    - apply sum_le; intros i Hi. pose proof (proj1 W i Hi). destruct Req_EM_T as [->|N]; [lra|].
      apply log_le_line; [lra|apply Pq]. }
  assert (second : 0 <= \sum_(i < L) ((p i - q i) * z i)).
  { assert (D : \sum_(i < L) \sum_(j < L) ((p i * q j - p j * q i) * (z i - z j)) = 2 * \sum_(i < L) ((p i - q i) * z i)).
    { rewrite (sum_ext L _ (fun i => (p i * z i * sum L q - p i * \sum_(j < L) (q j * z j))
        - (q i * z i * sum L p - q i * \sum_(j < L) (p j * z j)))).
      - rewrite !sum_minus, !sum_scal_r, Sq, (proj2 W).
        rewrite (sum_ext L (fun i => (p i - q i) * z i) (fun i => p i * z i - q i * z i)) by (intros; ring).
        rewrite sum_minus. ring.
      - intros i _. rewrite <- !sum_scal, <- !sum_minus. apply sum_ext; intros; ring. }
    assert (0 <= \sum_(i < L) \sum_(j < L) ((p i * q j - p j * q i) * (z i - z j))); [|lra].
    assert (K : forall i j, (i < L)%nat -> (j < L)%nat -> z i <= z j -> p i * q j <= p j * q i).
    { intros i j Hi Hj Hz. rewrite !Eq. unfold Rdiv. rewrite <- !Rmult_assoc.
      apply Rmult_le_compat_r; [now apply Rlt_le, Rinv_0_lt_compat|]. now apply M. }
    apply sum_nonneg; intros i Hi. apply sum_nonneg; intros j Hj.
    destruct (Rle_lt_dec (z i) (z j)) as [O|O].
    - pose proof (K i j Hi Hj O). nra.
    - pose proof (K j i Hj Hi (Rlt_le _ _ O)). nra. }
  unfold entropy.
  assert (E : \sum_(i < L) (p i * log (p i)) - \sum_(i < L) (q i * log (q i)) =
    \sum_(i < L) (p i * (log (p i) - log (q i))) + \sum_(i < L) ((p i - q i) * z i)).
  { rewrite <- sum_minus, <- sum_plus.
    rewrite (sum_ext L (fun i => p i * (log (p i) - log (q i)) + (p i - q i) * z i)
      (fun i => (p i * log (p i) - q i * log (q i)) + log Z * (p i - q i))) by (intros; rewrite Lq; ring).
    rewrite sum_plus, sum_scal, !sum_minus, (proj2 W), Sq. ring. }
  lra.
Qed.

(** t exp(-t) rises on [0, 1]. *)
Lemma rising s t : 0 <= s -> s <= t -> t <= 1 -> s * exp t <= t * exp s.
Proof.
  intros H0 H H1. pose proof (exp_ineq1_le (s - t)) as P. unfold Rminus in P.
  rewrite exp_plus, exp_Ropp in P. pose proof (exp_pos t) as Et.
  apply Rmult_le_compat_r with (r := t * exp t) in P; [|apply Rmult_le_pos; lra].
  replace (exp s * / exp t * (t * exp t)) with (t * exp s) in P by (field; lra).
  assert (s * exp t <= (1 + (s + - t)) * (t * exp t)); [|lra].
  replace ((1 + (s + - t)) * (t * exp t)) with ((t + s * t - t * t) * exp t) by ring.
  apply Rmult_le_compat_r; nra.
Qed.

Theorem entropy_sparsemax_proved : holds entropy_sparsemax.
Proof.
  intros x [[HL HT] S]. cbn [lhs rhs entropy_sparsemax].
  assert (W : are_weights (L x) (sparsemax_ x)) by (split; [intros; apply Rmax_r|easy]).
  apply entropy_le_softmax; [easy|easy|]. intros i j Hi Hj Hz.
  pose proof (weight_le_1 _ _ W j Hj) as B. unfold sparsemax_ in *.
  set (zi := l x i / T x) in *. set (zj := l x j / T x) in *.
  destruct (Rle_lt_dec (zi - tau x) 0) as [N|N].
  - rewrite Rmax_right, Rmult_0_l by easy. apply Rmult_le_pos; [apply Rmax_r|apply Rlt_le, exp_pos].
  - rewrite !Rmax_left in * by lra. pose proof (rising (zi - tau x) (zj - tau x) ltac:(lra) ltac:(lra) ltac:(lra)) as R.
    replace (exp zj) with (exp (zj - tau x) * exp (tau x)) by (rewrite <- exp_plus; f_equal; ring).
    replace (exp zi) with (exp (zi - tau x) * exp (tau x)) by (rewrite <- exp_plus; f_equal; ring).
    rewrite <- !Rmult_assoc. apply Rmult_le_compat_r; [apply Rlt_le, exp_pos|exact R].
Qed.

Theorem entropy_entmax_proved : holds entropy_entmax.
Proof.
  intros x [[HL HT] S]. cbn [lhs rhs entropy_entmax].
  assert (W : are_weights (L x) (entmax_ x)) by (split; [intros; apply pow2_ge_0|easy]).
  apply entropy_le_softmax; [easy|easy|]. intros i j Hi Hj Hz.
  pose proof (weight_le_1 _ _ W j Hj) as B. unfold entmax_ in *.
  set (zi := l x i / T x) in *. set (zj := l x j / T x) in *.
  destruct (Rle_lt_dec (zi / 2 - tau x) 0) as [N|N].
  - rewrite (Rmax_right (zi / 2 - tau x)) by easy. replace (0 ^ 2 * exp zj) with 0 by ring.
    apply Rmult_le_pos; [apply pow2_ge_0|apply Rlt_le, exp_pos].
  - rewrite !Rmax_left in * by lra. set (u := zi / 2 - tau x) in *. set (v := zj / 2 - tau x) in *.
    assert (v <= 1) by nra. pose proof (rising u v ltac:(lra) ltac:(unfold u, v; lra) ltac:(lra)) as R.
    replace (exp zj) with (exp v * exp v * exp (2 * tau x)) by (rewrite <- !exp_plus; f_equal; unfold v; field).
    replace (exp zi) with (exp u * exp u * exp (2 * tau x)) by (rewrite <- !exp_plus; f_equal; unfold u; field).
    pose proof (exp_pos u). pose proof (exp_pos v). pose proof (exp_pos (2 * tau x)).
    replace (u ^ 2 * (exp v * exp v * exp (2 * tau x))) with ((u * exp v)^2 * exp (2 * tau x)) by ring.
    replace (v ^ 2 * (exp u * exp u * exp (2 * tau x))) with ((v * exp u)^2 * exp (2 * tau x)) by ring.
    apply Rmult_le_compat_r; [lra|]. apply pow_incr. split; [|exact R]. apply Rmult_le_pos; lra.
Qed.
