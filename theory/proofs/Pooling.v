(** Normalised attention pooling: a_i = gain (z_i - mean)/std. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Coquelicot Require Import Coquelicot.
From Limits Require Import Basics Calculus Vectors Weights Row Claim.
Open Scope R_scope.

Definition mean (L : nat) (z : vector) : R := sum L z / INR L.
Definition variance (L : nat) (z : vector) : R := (\sum_(i < L) (z i - mean L z)^2) / INR L.
Definition pooling (L : nat) (T gain : R) (l : vector) : vector := fun i =>
  gain * (l i / T - mean L (fun k => l k / T)) / sqrt (variance L (fun k => l k / T)).

Record pooling_row := PoolingRow { row :> softmax_row; gain : R }.
Definition variance_ (x : pooling_row) : R := variance (L x) (fun k => l x k / T x).

Definition lipschitz_pooling : claim := {|
  case := pooling_row;
  hypotheses x := is_softmax_row x /\ 0 < gain x /\ 0 < variance_ x;
  lhs x := spectral_norm (L x) (L x) (gradient (pooling (L x) (T x) (gain x)) (l x));
  rhs x := gain x / (T x * sqrt (variance_ x))
|}.

Lemma variance_squares n z : (0 < n)%nat ->
  variance n z = (\sum_(i < n) (z i)^2) / INR n - (mean n z)^2.
Proof.
  intros Hn. pose proof (lt_0_INR n Hn). unfold variance.
  rewrite (sum_ext n _ (fun i => (z i)^2 + (-2 * mean n z) * z i + (mean n z)^2)) by (intros; ring).
  rewrite !sum_plus, sum_scal, sum_const. unfold mean. field. lra.
Qed.

Lemma standardised_derive (N V : R -> R) (N' V' : R) t : 0 < V t -> is_derive N t N' -> is_derive V t V' ->
  is_derive (fun t => N t / sqrt (V t)) t (N' / sqrt (V t) - N t * V' / (2 * sqrt (V t)^3)).
Proof.
  intros HV DN DV. pose proof (sqrt_lt_R0 _ HV). derive; [easy|lra|]. field. lra.
Qed.

(** J = gain/(T std) (I - 1 1^T/L - e e^T/(L std^2)), e = z - mean. *)
Lemma pooling_gradient x i j : hypotheses lipschitz_pooling x -> (i < L x)%nat -> (j < L x)%nat ->
  let z := fun k => l x k / T x in let m := mean (L x) z in let s := sqrt (variance_ x) in
  gradient (pooling (L x) (T x) (gain x)) (l x) i j = gain x / (T x * s) *
    ((if (i =? j)%nat then 1 else 0) - / INR (L x) - (z i - m) * (z j - m) / (INR (L x) * s^2)).
Proof.
  intros ([HL HT] & Hg & HV) Hi Hj z m s. set (n := L x) in *. set (t := T x) in *.
  pose proof (lt_0_INR n HL) as Hn. assert (Hs : 0 < s) by now apply sqrt_lt_R0.
  set (A := \sum_(k < n) (if (k =? j)%nat then 0 else z k)).
  set (Q := \sum_(k < n) (if (k =? j)%nat then 0 else (z k)^2)).
  set (mu := fun y => (y / t + A) / INR n).
  set (V := fun y => ((y / t)^2 + Q) / INR n - (mu y)^2).
  assert (at_j : forall y, set_at (l x) j y j = y) by (intros; unfold set_at; now rewrite Nat.eqb_refl).
  assert (off_j : forall y k, k <> j -> set_at (l x) j y k = l x k)
    by (intros y k Hk; unfold set_at; now rewrite (proj2 (Nat.eqb_neq k j) Hk)).
  assert (Em : forall y, mean n (fun k => set_at (l x) j y k / t) = mu y).
  { intros y. unfold mean, mu, A. rewrite (sum_split n j) by easy. rewrite at_j. f_equal. f_equal.
    apply sum_ext; intros k _. destruct (Nat.eqb_spec k j); [easy|]. now rewrite off_j. }
  assert (EV : forall y, variance n (fun k => set_at (l x) j y k / t) = V y).
  { intros y. rewrite variance_squares, Em by easy. unfold V, Q. f_equal. f_equal.
    rewrite (sum_split n j) by easy. rewrite at_j. f_equal.
    apply sum_ext; intros k _. destruct (Nat.eqb_spec k j); [easy|]. now rewrite off_j. }
  assert (Em0 : mu (l x j) = m).
  { unfold mu, m, mean, A. rewrite (sum_split n j z) by easy. easy. }
  assert (EV0 : V (l x j) = variance_ x).
  { unfold variance_. fold n t z. rewrite variance_squares by easy. unfold V. rewrite Em0.
    rewrite (sum_split n j (fun k => (z k)^2)) by easy. easy. }
  set (V' := 2 * (z j - m) / (INR n * t)).
  assert (DV : is_derive V (l x j) V').
  { unfold V'. rewrite <- Em0. unfold V, mu, z. derive. fold t. cbn. field. lra. }
  unfold gradient. apply is_derive_unique.
  assert (HV0 : 0 < V (l x j)) by now rewrite EV0.
  assert (Es : sqrt (V (l x j)) = s) by now rewrite EV0.
  destruct (Nat.eqb_spec i j) as [->|Hij].
  - apply (is_derive_ext (fun y => gain x * (y / t - mu y) / sqrt (V y))).
    { intros y. unfold pooling. now rewrite Em, EV, at_j. }
    replace (gain x / (t * s) * (1 - / INR n - (z j - m) * (z j - m) / (INR n * s^2)))
      with (gain x * (/ t - / (INR n * t)) / sqrt (V (l x j))
        - gain x * (l x j / t - mu (l x j)) * V' / (2 * sqrt (V (l x j))^3)).
    + apply (standardised_derive (fun y => gain x * (y / t - mu y)) V); try easy.
      unfold mu. derive. field. lra.
    + rewrite Es, Em0. unfold V'. fold (z j). field. lra.
  - apply (is_derive_ext (fun y => gain x * (z i - mu y) / sqrt (V y))).
    { intros y. unfold pooling. now rewrite Em, EV, off_j. }
    replace (gain x / (t * s) * (0 - / INR n - (z i - m) * (z j - m) / (INR n * s^2)))
      with (gain x * (0 - / (INR n * t)) / sqrt (V (l x j))
        - gain x * (z i - mu (l x j)) * V' / (2 * sqrt (V (l x j))^3)).
    + apply (standardised_derive (fun y => gain x * (z i - mu y)) V); try easy.
      unfold mu. derive. field. lra.
    + rewrite Es, Em0. unfold V'. field. lra.
Qed.

(** The matrix is a projection: what is taken off 1 and e is taken off the length. *)
Theorem lipschitz_pooling_proved : holds lipschitz_pooling.
Proof.
  intros x H. pose proof H as ([HL HT] & Hg & HV). cbn [lhs rhs lipschitz_pooling].
  set (n := L x) in *. set (z := fun k => l x k / T x). set (m := mean n z). set (s := sqrt (variance_ x)).
  pose proof (lt_0_INR n HL) as Hn. assert (Hs : 0 < s) by now apply sqrt_lt_R0.
  assert (Es : s^2 = variance_ x) by (apply pow2_sqrt; lra).
  set (k := gain x / (T x * s)).
  assert (Hk : 0 < k) by (apply Rdiv_lt_0_compat; [easy|now apply Rmult_lt_0_compat]).
  apply spectral_norm_le; [|lra]. intros v.
  set (e := fun i => z i - m). set (a := sum n v / INR n). set (b := dot n e v / (INR n * s^2)).
  assert (S0 : sum n e = 0).
  { unfold e. rewrite sum_minus, sum_const. unfold m, mean. field. lra. }
  assert (S2 : \sum_(i < n) (e i)^2 = INR n * s^2).
  { rewrite Es. change (variance_ x) with ((\sum_(i < n) (e i)^2) / INR n). field. lra. }
  rewrite (norm_ext n _ (fun i => k * (v i - a - b * e i))).
  - rewrite norm_scal, Rabs_pos_eq by lra. apply Rmult_le_compat_l; [lra|].
    apply norm_le; [apply norm_nonneg|]. rewrite norm_sqr.
    rewrite (sum_ext n _ (fun i => (v i)^2 + (-2 * a) * v i + (-2 * b) * (e i * v i)
      + b^2 * (e i)^2 + (2 * a * b) * e i + a^2)) by (intros; ring).
    rewrite !sum_plus, !sum_scal, sum_const, S0, S2. fold (dot n e v).
    assert (Ea : sum n v = INR n * a) by (unfold a; field; lra).
    assert (Eb : dot n e v = INR n * s^2 * b) by (unfold b; field; split; nra).
    rewrite Ea, Eb. pose proof (Rmult_le_pos _ _ (Rlt_le _ _ Hn) (pow2_ge_0 a)).
    pose proof (Rmult_le_pos _ _ (Rlt_le _ _ Hn) (pow2_ge_0 (s * b))). lra.
  - intros i Hi. unfold apply.
    rewrite (sum_ext n _ (fun j => (if (j =? i)%nat then k * v i else 0) - k / INR n * v j
      - k * e i / (INR n * s^2) * (e j * v j))).
    + rewrite !sum_minus, sum_one, !sum_scal by easy. fold (dot n e v). unfold a, b. field. split; nra.
    + intros j Hj. pose proof (pooling_gradient x i j H Hi Hj) as G.
      change (gradient (pooling n (T x) (gain x)) (l x) i j = k * ((if (i =? j)%nat then 1 else 0)
        - / INR n - e i * e j / (INR n * s^2))) in G.
      rewrite G, Nat.eqb_sym. destruct (Nat.eqb_spec j i) as [->|]; field; split; nra.
Qed.
