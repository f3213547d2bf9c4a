(** The entropy of softmax weights. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Coquelicot Require Import Coquelicot.
From Limits Require Import Basics Calculus Exponential Vectors Weights Row Claim.
Open Scope R_scope.

Definition entropy (L : nat) (a : vector) : R := - (\sum_(i < L) (a i * log (a i))).

Definition lemma1_entropy : claim := {|
  case := softmax_row;
  hypotheses := is_softmax_row;
  lhs x := log (INR (L x)) - entropy (L x) (a_ x);
  rhs x := (Max (L x) (l x) - Min (L x) (l x))^2 / (8 * (T x)^2)
|}.

Definition softmax_entropy : claim := {|
  case := colder_row;
  hypotheses := is_colder_row;
  lhs x := entropy (L x) (softmax (L x) (colder x) (l x));
  rhs x := entropy (L x) (a_ x)
|}.

(** ** softmax.entropy, by Gibbs' inequality *)

(** sum_i b_i log a_i <= sum_i b_i log b_i. *)
Lemma gibbs L a b : sum L a = 1 -> sum L b = 1 ->
  (forall i, (i < L)%nat -> 0 < a i) -> (forall i, (i < L)%nat -> 0 < b i) ->
  \sum_(i < L) (b i * log (a i)) <= \sum_(i < L) (b i * log (b i)).
Proof.
  intros Ha Hb Pa Pb. apply Rle_trans with (\sum_(i < L) (b i * log (b i) + (a i - b i))).
  - apply sum_le; intros i Hi. pose proof (Pa i Hi). pose proof (Pb i Hi).
    pose proof (log_le_minus_1 (a i / b i) ltac:(now apply Rdiv_lt_0_compat)) as E.
    rewrite log_div in E by easy.
    apply Rmult_le_compat_l with (r := b i) in E; [|lra].
    replace (b i * (a i / b i - 1)) with (a i - b i) in E by (field; lra). lra.
  - rewrite sum_plus, sum_minus, Ha, Hb. lra.
Qed.

Section Gibbs.
Variables (L : nat) (l : vector).
Hypothesis HL : (0 < L)%nat.
Let Z T := \sum_(i < L) exp (l i / T).
Let m T := \sum_(i < L) (softmax L T l i * l i).

Lemma log_softmax T i : log (softmax L T l i) = l i / T - log (Z T).
Proof.
  assert (0 < Z T) by (apply sum_pos; [easy|intros; apply exp_pos]).
  unfold softmax, weights. fold (Z T). now rewrite log_div, log_exp by (try apply exp_pos; easy).
Qed.

(** The cross entropy of two temperatures. *)
Lemma cross T T' : \sum_(i < L) (softmax L T l i * log (softmax L T' l i)) = m T / T' - log (Z T').
Proof.
  rewrite (sum_ext _ _ (fun i => softmax L T l i * l i * / T' - softmax L T l i * log (Z T'))).
  - rewrite sum_minus, !sum_scal_r, (proj2 (softmax_are_weights L T l HL)). unfold m, Rdiv. ring.
  - intros i _. rewrite log_softmax. unfold Rdiv. ring.
Qed.

Lemma entropy_monotone T T' : 0 < T' < T -> entropy L (softmax L T' l) <= entropy L (softmax L T l).
Proof.
  intros HT. assert (G : forall T T', _) by (intros T1 T2; exact (gibbs L (softmax L T1 l)
    (softmax L T2 l) (proj2 (softmax_are_weights L T1 l HL)) (proj2 (softmax_are_weights L T2 l HL))
    (softmax_pos L T1 l HL) (softmax_pos L T2 l HL))).
  pose proof (G T T') as G1. pose proof (G T' T) as G2. unfold entropy.
  rewrite !cross in *. unfold Rdiv in *.
  assert (0 < / T < / T') by (split; [apply Rinv_0_lt_compat|apply Rinv_lt_contravar]; nra).
  assert (m T <= m T') by nra. nra.
Qed.
End Gibbs.

Theorem softmax_entropy_proved : holds softmax_entropy.
Proof. intros x [[HL HT] H]. now apply entropy_monotone. Qed.

(** ** lemma1.entropy, by calculus *)

Section Hoeffding.
Variables (L : nat) (z : vector) (lo hi : R).
Hypothesis HL : (0 < L)%nat.
Hypothesis Hz : forall i, (i < L)%nat -> lo <= z i <= hi.

(** Sums of z^k e^(t z). *)
Let S (k : nat) (t : R) := \sum_(i < L) ((z i)^k * exp (t * z i)).

Lemma S_derive k t : is_derive (S k) t (S (k + 1) t).
Proof.
  apply (is_derive_sum L (fun i t => (z i)^k * exp (t * z i))
    (fun i => (z i)^(k + 1) * exp (t * z i))).
  intros i _. derive. rewrite pow_add. ring.
Qed.

Lemma S0_pos t : 0 < S 0 t.
Proof. apply sum_pos; [easy|]. intros i _. pose proof (exp_pos (t * z i)). cbn; lra. Qed.

(** Popoviciu: E (hi - z)(z - lo) >= 0. *)
Lemma variance_le t : S 2 t / S 0 t - (S 1 t / S 0 t)^2 <= (hi - lo)^2 / 4.
Proof.
  pose proof (S0_pos t) as H0. set (q := S 1 t / S 0 t).
  assert (E : S 2 t <= (hi + lo) * S 1 t - hi * lo * S 0 t).
  { unfold S. rewrite <- !sum_scal, <- sum_minus. apply sum_le; intros i Hi.
    pose proof (Hz i Hi). pose proof (exp_pos (t * z i)).
    assert (0 <= (hi - z i) * (z i - lo) * exp (t * z i)) by (repeat apply Rmult_le_pos; lra). lra. }
  apply Rmult_le_compat_r with (r := / S 0 t) in E; [|now apply Rlt_le, Rinv_0_lt_compat].
  replace (((hi + lo) * S 1 t - hi * lo * S 0 t) * / S 0 t) with ((hi + lo) * q - hi * lo) in E
    by (unfold q; field; lra).
  pose proof (pow2_ge_0 (2 * q - hi - lo)). unfold Rdiv in *. lra.
Qed.

(** K(t) - t K'(t) + t^2 (hi - lo)^2/8 with K = log S_0 grows, and is log L at t = 0. *)
Lemma excess_derive (s0 s1 s2 : R -> R) c t :
  0 < s0 t -> is_derive s0 t (s1 t) -> is_derive s1 t (s2 t) ->
  is_derive (fun t => t^2 / 2 * c + log (s0 t) - t * (s1 t / s0 t)) t
    (t * (c - (s2 t / s0 t - (s1 t / s0 t)^2))).
Proof.
  intros H D0 D1. pose proof (derive_log s0 t _ D0 H). derive; [lra|]. cbn. field. lra.
Qed.

Lemma hoeffding :
  (\sum_(i < L) (z i * exp (z i))) / (\sum_(i < L) exp (z i)) - log (\sum_(i < L) exp (z i))
  + log (INR L) <= (hi - lo)^2 / 8.
Proof.
  set (c := (hi - lo)^2 / 4).
  set (g := fun t => t^2 / 2 * c + log (S 0 t) - t * (S 1 t / S 0 t)).
  set (g' := fun t => t * (c - (S 2 t / S 0 t - (S 1 t / S 0 t)^2))).
  assert (D : forall t, is_derive g t (g' t)).
  { intros t. apply excess_derive; [apply S0_pos|apply S_derive..]. }
  enough (G : g 0 <= g 1).
  - assert (E : S 0 0 = INR L).
    { unfold S. rewrite (sum_ext _ _ (fun _ => 1)), sum_const; [ring|].
      intros i _. rewrite Rmult_0_l, exp_0. cbn; ring. }
    assert (E0 : S 0 1 = \sum_(i < L) exp (z i)).
    { apply sum_ext; intros i _. replace (1 * z i) with (z i) by ring. cbn; ring. }
    assert (E1 : S 1 1 = \sum_(i < L) (z i * exp (z i))).
    { apply sum_ext; intros i _. replace (1 * z i) with (z i) by ring. cbn; ring. }
    unfold g in G. rewrite E, E0, E1 in G. unfold c in *. lra.
  - apply (grows g g'); [lra|easy|].
    intros t Ht. pose proof (variance_le t) as V. fold c in V. unfold g'. nra.
Qed.
End Hoeffding.

Theorem lemma1_entropy_proved : holds lemma1_entropy.
Proof.
  intros x [HL HT]. cbn. unfold entropy, a_.
  rewrite (cross (L x) (l x) HL (T x) (T x)).
  assert (B : forall i, (i < L x)%nat ->
    Min (L x) (l x) / T x <= l x i / T x <= Max (L x) (l x) / T x).
  { intros i Hi. split; (apply Rmult_le_compat_r; [now apply Rlt_le, Rinv_0_lt_compat|]).
    - now apply Min_le.
    - now apply Max_ge. }
  pose proof (hoeffding _ (fun i => l x i / T x) _ _ HL B) as H.
  replace ((_ - _)^2 / 8) with ((Max (L x) (l x) - Min (L x) (l x))^2 / (8 * (T x)^2)) in H
    by (field; lra).
  eapply Rle_trans; [|exact H]. right. unfold softmax, weights.
  set (Z := \sum_(i < L x) exp (l x i / T x)). unfold Rdiv. rewrite <- !sum_scal_r.
  rewrite (sum_ext _ _ (fun i => l x i * / T x * exp (l x i / T x) * / Z))
    by (intros; unfold Rdiv; ring). unfold Rdiv. ring.
Qed.
