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

(** ** Sparsemax against 1.5-entmax *)

(** With what either takes off. *)
Record twice_cut_row := TwiceCutRow { cut_once :> cut_row; sigma : R }.
Definition entmax_of (x : twice_cut_row) : cut_row := CutRow (full (cut_once x)) (sigma x).

Definition entropy_sparsemax_sharp : claim := {|
  case := twice_cut_row;
  hypotheses x := is_softmax_row x /\ sum (L x) (sparsemax_ x) = 1 /\ sum (L x) (entmax_ (entmax_of x)) = 1;
  lhs x := entropy (L x) (sparsemax_ x);
  rhs x := entropy (L x) (entmax_ (entmax_of x))
|}.

Section Sharp.
Variables (n : nat) (z : vector) (s t : R).
Let p i := Rmax (z i - s) 0.
Let v i := Rmax (z i / 2 - t) 0.
Let w i := (v i)^2.
Hypothesis n_pos : (0 < n)%nat.
Hypothesis sum_p : sum n p = 1.
Hypothesis sum_w : sum n w = 1.

Lemma w_weights : are_weights n w.
Proof. split; [intros; apply pow2_ge_0|exact sum_w]. Qed.

Lemma v_range i : (i < n)%nat -> 0 <= v i <= 1.
Proof.
  intros Hi. assert (P : 0 <= v i) by apply Rmax_r. split; [easy|].
  pose proof (weight_le_1 _ _ w_weights i Hi) as B. unfold w in B. nra.
Qed.

Lemma v_mono i j : z i <= z j -> v i <= v j.
Proof. intros H. unfold v. apply Rle_max_compat_r. lra. Qed.

Lemma w_mono i j : z i <= z j -> w i <= w j.
Proof. intros H. unfold w. apply pow_incr. split; [apply Rmax_r|now apply v_mono]. Qed.

(** What sparsemax has more of, it has more of at every larger logit. *)
Lemma more_above i j : (i < n)%nat -> (j < n)%nat -> z j <= z i -> w j < p j -> w i < p i.
Proof.
  intros Hi Hj H P. pose proof (v_range i Hi). pose proof (v_range j Hj). pose proof (v_mono j i H).
  assert (Pj : p j = z j - s).
  { unfold p in *. destruct (Rle_lt_dec (z j - s) 0); [|rewrite Rmax_left; lra].
    rewrite Rmax_right in P by easy. pose proof (pow2_ge_0 (v j)). unfold w in P. lra. }
  assert (0 < p j) by (pose proof (pow2_ge_0 (v j)); unfold w in P; lra).
  assert (Pi : p i = z i - s) by (unfold p; rewrite Rmax_left; lra).
  assert (D : 2 * v i - 2 * v j <= z i - z j).
  { unfold v. destruct (Rle_lt_dec (z j / 2 - t) 0), (Rle_lt_dec (z i / 2 - t) 0);
      repeat first [rewrite (Rmax_right (z j / 2 - t)) by lra|rewrite (Rmax_left (z j / 2 - t)) by lra
        |rewrite (Rmax_right (z i / 2 - t)) by lra|rewrite (Rmax_left (z i / 2 - t)) by lra]; lra. }
  unfold w in *. assert (0 <= (v i - v j) * (2 - v i - v j)) by (apply Rmult_le_pos; lra). nra.
Qed.

Lemma p_nonneg i : 0 <= p i.
Proof. apply Rmax_r. Qed.

(** Where 1.5-entmax has a zero, sparsemax has one. *)
Lemma zero_below i : (i < n)%nat -> w i = 0 -> p i = 0.
Proof.
  intros Hi E. pose proof (p_nonneg i) as [P|P]; [exfalso|now symmetry].
  assert (B : forall j, (j < n)%nat -> w j <= p j).
  { intros j Hj. destruct (Rle_lt_dec (z i) (z j)) as [G|G].
    - apply Rlt_le, (more_above j i Hj Hi G). lra.
    - pose proof (w_mono j i ltac:(lra)). pose proof (p_nonneg j). lra. }
  assert (K : 0 < \sum_(j < n) (p j - w j)).
  { apply Rlt_le_trans with (p i - w i); [lra|].
    apply (term_le_sum n i (fun j => p j - w j)); [|easy]. intros j Hj. pose proof (B j Hj). lra. }
  rewrite sum_minus in K. change (sum n (fun j => p j)) with (sum n p) in K.
  change (sum n (fun j => w j)) with (sum n w) in K. lra.
Qed.

(** If sparsemax has more somewhere, there is such a place of the least logit. *)
Lemma least_more : (exists j, (j < n)%nat /\ w j < p j) ->
  exists k, (k < n)%nat /\ w k < p k /\ forall i, (i < n)%nat -> z i < z k -> p i <= w i.
Proof.
  intros (b & Hb & Pb). set (f := fun i => if Rlt_dec (w i) (p i) then z i else Max n z + 1).
  destruct (Min_attained n f n_pos) as (k & Hk & Ek). exists k. split; [easy|].
  pose proof (Min_le n f b Hb) as Mb. rewrite Ek in Mb. unfold f in Mb. pose proof (Max_ge n z b Hb).
  destruct (Rlt_dec (w b) (p b)); [|lra]. destruct (Rlt_dec (w k) (p k)) as [D|D]; [|lra].
  split; [easy|]. intros i Hi Hz. destruct (Rle_lt_dec (p i) (w i)) as [|G]; [easy|exfalso].
  pose proof (Min_le n f i Hi) as Mi. rewrite Ek in Mi. unfold f in Mi.
  destruct (Rlt_dec (w i) (p i)); [|lra]. destruct (Rlt_dec (w k) (p k)); lra.
Qed.

Lemma sharp : entropy n p <= entropy n w.
Proof.
  destruct (Rle_lt_dec (Max n (fun i => p i - w i)) 0) as [B|B].
  - (* no more anywhere: equal everywhere *)
    right. unfold entropy. f_equal. apply sum_ext; intros i Hi.
    assert (E : forall j, (j < n)%nat -> w j - p j = 0).
    { assert (Nn : forall j, (j < n)%nat -> 0 <= w j - p j).
      { intros j Hj. pose proof (Max_ge n (fun i => p i - w i) j Hj). cbv beta in *. lra. }
      intros j Hj. pose proof (term_le_sum n j (fun j => w j - p j) Nn Hj) as T. cbv beta in T.
      rewrite sum_minus in T. change (sum n (fun j => p j)) with (sum n p) in T.
      change (sum n (fun j => w j)) with (sum n w) in T. pose proof (Nn j Hj). lra. }
    pose proof (E i Hi). now replace (p i) with (w i) by lra.
  - destruct (Max_attained n (fun i => p i - w i) n_pos) as (b & Hb & Eb). rewrite Eb in B.
    assert (Pb : w b < p b) by (cbv beta in B; lra).
    destruct (least_more (ex_intro _ b (conj Hb Pb))) as (k & Hk & Pk & Lk).
    assert (Wk : 0 < w k).
    { destruct (pow2_ge_0 (v k)) as [Q|Q]; [exact Q|]. pose proof (zero_below k Hk (eq_sym Q)) as Z.
      unfold w in Pk. rewrite <- Q in Pk. lra. }
    unfold entropy.
    assert (first : 0 <= \sum_(i < n) (if Req_EM_T (p i) 0 then 0 else p i * (log (p i) - log (w i)))).
    { apply Rle_trans with (\sum_(i < n) (if Req_EM_T (p i) 0 then 0 else p i - w i)).
      - apply Rle_trans with (\sum_(i < n) (p i - w i)).
        + rewrite sum_minus. change (sum n (fun j => p j)) with (sum n p).
          change (sum n (fun j => w j)) with (sum n w). lra.
        + apply sum_le; intros i Hi. pose proof (pow2_ge_0 (v i)). destruct Req_EM_T; [unfold w; lra|lra].
      - apply sum_le; intros i Hi. destruct Req_EM_T as [|N]; [lra|]. apply log_le_line.
        + pose proof (p_nonneg i). lra.
        + destruct (pow2_ge_0 (v i)) as [Q|Q]; [exact Q|]. exfalso. apply N. now apply zero_below. }
    assert (second : 0 <= \sum_(i < n) (if Req_EM_T (w i) 0 then 0 else (p i - w i) * (log (w i) - log (w k)))).
    { apply sum_nonneg; intros i Hi. destruct Req_EM_T as [|N]; [lra|].
      assert (Wi : 0 < w i) by (destruct (pow2_ge_0 (v i)) as [Q|Q]; [exact Q|now elim N]).
      destruct (Rle_lt_dec (z k) (z i)) as [O|O].
      - pose proof (more_above i k Hi Hk O Pk). pose proof (w_mono k i O) as M.
        assert (log (w k) <= log (w i)) by (destruct M as [M| ->]; [now apply Rlt_le, log_increasing|lra]).
        apply Rmult_le_pos; lra.
      - pose proof (Lk i Hi O). pose proof (w_mono i k (Rlt_le _ _ O)) as M.
        assert (log (w i) <= log (w k)) by (destruct M as [M| ->]; [now apply Rlt_le, log_increasing|lra]).
        replace ((p i - w i) * (log (w i) - log (w k))) with ((w i - p i) * (log (w k) - log (w i))) by ring.
        apply Rmult_le_pos; lra. }
    assert (E : \sum_(i < n) (p i * log (p i)) - \sum_(i < n) (w i * log (w i)) =
      \sum_(i < n) (if Req_EM_T (p i) 0 then 0 else p i * (log (p i) - log (w i))) +
      \sum_(i < n) (if Req_EM_T (w i) 0 then 0 else (p i - w i) * (log (w i) - log (w k)))).
    { rewrite <- sum_minus, <- sum_plus.
      rewrite (sum_ext n (fun i => (if Req_EM_T (p i) 0 then _ else _) + _)
        (fun i => (p i * log (p i) - w i * log (w i)) - log (w k) * (p i - w i))).
      - rewrite !sum_minus, sum_scal, sum_minus. change (sum n (fun j => p j)) with (sum n p).
        change (sum n (fun j => w j)) with (sum n w). rewrite sum_p, sum_w. ring.
      - intros i Hi. destruct (Req_EM_T (w i) 0) as [Zw|Nw].
        + pose proof (zero_below i Hi Zw) as Zp. destruct Req_EM_T; [|easy]. rewrite Zp, Zw. ring.
        + destruct Req_EM_T as [Zp|Np]; [rewrite Zp|]; ring. }
    lra.
Qed.
End Sharp.

Theorem entropy_sparsemax_sharp_proved : holds entropy_sparsemax_sharp.
Proof.
  intros x ([HL HT] & Sp & Sw).
  exact (sharp (L x) (fun i => l x i / T x) (tau x) (sigma x) HL Sp Sw).
Qed.
