(** Normalised weights a_i = F(l_i) / sum_j F(l_j), softmax, and their gradient. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Coquelicot Require Import Coquelicot.
From Limits Require Import Basics Calculus Vectors.
Open Scope R_scope.

Definition weights (L : nat) (F : R -> R) (l : vector) : vector :=
  fun i => F (l i) / \sum_(j < L) F (l j).
Definition softmax (L : nat) (T : R) : vector -> vector := weights L (fun x => exp (x / T)).

(** Not negative and of sum 1; what most claims ask of weights. *)
Definition are_weights (L : nat) (a : vector) : Prop :=
  (forall i, (i < L)%nat -> 0 <= a i) /\ sum L a = 1.

(** The order of the weights: the larger first, of equal ones the lower index. *)
Definition before (a : vector) (i j : nat) : Prop := a j < a i \/ (a j = a i /\ (i < j)%nat).

(** [k1] and [k2] are places of the two largest of the weights. *)
Definition two_largest (L : nat) (a : vector) (k1 k2 : nat) : Prop :=
  (k1 < L)%nat /\ (k2 < L)%nat /\ k1 <> k2 /\ a k2 <= a k1 /\
  (forall i, (i < L)%nat -> i <> k1 -> a i <= a k2).

(** The gradient: the matrix of the partial derivatives. *)
Definition set_at (l : vector) (j : nat) (x : R) : vector := fun k => if (k =? j)%nat then x else l k.
Definition gradient (f : vector -> vector) (l : vector) : matrix :=
  fun i j => Derive (fun x => f (set_at l j x) i) (l j).

(** diag a - a a^T. *)
Definition spread (a : vector) : matrix := fun i j => (if (i =? j)%nat then a i else 0) - a i * a j.

Lemma is_derive_sum n (f : nat -> R -> R) (f' : vector) t :
  (forall i, (i < n)%nat -> is_derive (f i) t (f' i)) ->
  is_derive (fun t => \sum_(i < n) f i t) t (sum n f').
Proof.
  induction n as [|n IH]; intros H; cbn [sum].
  - apply (is_derive_const 0).
  - apply (is_derive_plus (fun t => \sum_(i < n) f i t)); auto.
Qed.

Section Weights.
Variables (L : nat) (F : R -> R) (l : vector).
Hypothesis L_pos : (0 < L)%nat.
Hypothesis F_pos : forall i, (i < L)%nat -> 0 < F (l i).

Lemma total_pos : 0 < \sum_(j < L) F (l j).
Proof. now apply sum_pos. Qed.

Lemma weights_pos i : (i < L)%nat -> 0 < weights L F l i.
Proof. intros Hi. apply Rdiv_lt_0_compat; [auto|apply total_pos]. Qed.

Lemma weights_are_weights : are_weights L (weights L F l).
Proof.
  split; [intros; now apply Rlt_le, weights_pos|].
  unfold weights. rewrite sum_div. pose proof total_pos. field. lra.
Qed.

(** J = (diag a - a a^T) diag(F'/F). *)
Lemma weights_derive (F' : vector) i j : (i < L)%nat -> (j < L)%nat ->
  (forall k, (k < L)%nat -> is_derive F (l k) (F' k)) ->
  is_derive (fun x => weights L F (set_at l j x) i) (l j) (spread (weights L F l) i j * (F' j / F (l j))).
Proof.
  intros Hi Hj D.
  pose proof total_pos as HS. pose proof (F_pos j Hj) as HF.
  set (c := \sum_(k < L) (if (k =? j)%nat then 0 else F (l k))).
  assert (ES : \sum_(k < L) F (l k) = F (l j) + c) by now rewrite (sum_split L j).
  rewrite ES in HS.
  assert (E : forall x, \sum_(k < L) F (set_at l j x k) = F x + c).
  { intros x. rewrite (sum_split L j) by easy. unfold set_at at 1. rewrite Nat.eqb_refl.
    f_equal. apply sum_ext; intros k _. unfold set_at. now destruct (k =? j)%nat. }
  pose proof (D j Hj) as Dj.
  destruct (Nat.eqb_spec i j) as [->|Hij].
  - apply is_derive_ext with (fun x => F x / (F x + c)).
    { intros x. unfold weights. now rewrite E; unfold set_at; rewrite Nat.eqb_refl. }
    unfold spread, weights. rewrite ES, Nat.eqb_refl.
    derive; [lra|field; lra].
  - apply is_derive_ext with (fun x => F (l i) / (F x + c)).
    { intros x. unfold weights. rewrite E. unfold set_at.
      now rewrite (proj2 (Nat.eqb_neq i j) Hij). }
    unfold spread, weights. rewrite ES, (proj2 (Nat.eqb_neq i j) Hij).
    derive; [lra|field; lra].
Qed.

Lemma weights_gradient (F' : vector) i j : (i < L)%nat -> (j < L)%nat ->
  (forall k, (k < L)%nat -> is_derive F (l k) (F' k)) ->
  gradient (weights L F) l i j = spread (weights L F l) i j * (F' j / F (l j)).
Proof. intros. now apply is_derive_unique, weights_derive. Qed.
End Weights.

(** Shares f_i / sum_j f_j of numbers between m and M. *)
Section Shares.
Variables (L : nat) (f : vector) (m M : R) (i : nat).
Hypothesis m_pos : 0 < m.
Hypothesis f_bounds : forall j, (j < L)%nat -> m <= f j <= M.
Hypothesis i_below : (i < L)%nat.

(** What the others add up to. *)
Lemma others_bounds : (INR L - 1) * m <= sum L f - f i <= (INR L - 1) * M.
Proof.
  rewrite (sum_split L i) by easy. rewrite <- (sum_others_const L i m), <- (sum_others_const L i M) by easy.
  set (s := \sum_(j < L) (if (j =? i)%nat then 0 else f j)).
  replace (f i + s - f i) with s by ring.
  split; apply sum_le; intros j Hj; pose proof (f_bounds j Hj); destruct (j =? i)%nat; lra.
Qed.

(** f_i / (f_i + others) grows with f_i and falls with the others. *)
Lemma share_ge : m / (m + (INR L - 1) * M) <= f i / sum L f.
Proof.
  pose proof others_bounds as O. pose proof (f_bounds i i_below) as B.
  pose proof (INR_pos L ltac:(lia)). set (s := sum L f) in *.
  assert (0 <= (INR L - 1) * m) by (apply Rmult_le_pos; lra).
  assert (0 <= (INR L - 1) * M) by (apply Rmult_le_pos; lra).
  apply Rmult_le_reg_r with (m + (INR L - 1) * M); [lra|].
  apply Rmult_le_reg_r with s; [lra|]. field_simplify; [|lra..]. nra.
Qed.

Lemma share_le : f i / sum L f <= M / (M + (INR L - 1) * m).
Proof.
  pose proof others_bounds as O. pose proof (f_bounds i i_below) as B.
  pose proof (INR_pos L ltac:(lia)). set (s := sum L f) in *.
  assert (0 <= (INR L - 1) * m) by (apply Rmult_le_pos; lra).
  apply Rmult_le_reg_r with (M + (INR L - 1) * m); [lra|].
  apply Rmult_le_reg_r with s; [lra|]. field_simplify; [|lra..]. nra.
Qed.

Lemma share_ge_crude : m / (M * INR L) <= f i / sum L f.
Proof.
  eapply Rle_trans; [|apply share_ge]. pose proof (f_bounds i i_below).
  pose proof (INR_pos L ltac:(lia)). apply Rmult_le_compat_l; [lra|].
  assert (0 <= (INR L - 1) * M) by (apply Rmult_le_pos; lra). apply Rinv_le_contravar; nra.
Qed.

Lemma share_le_crude : f i / sum L f <= M / (m * INR L).
Proof.
  eapply Rle_trans; [apply share_le|]. pose proof (f_bounds i i_below).
  pose proof (INR_pos L ltac:(lia)). apply Rmult_le_compat_l; [lra|].
  assert (0 <= (INR L - 1) * m) by (apply Rmult_le_pos; lra). apply Rinv_le_contravar; nra.
Qed.
End Shares.

Section Softmax.
Variables (L : nat) (T : R) (l : vector).
Hypothesis L_pos : (0 < L)%nat.
Hypothesis T_pos : 0 < T.

Lemma softmax_pos i : (i < L)%nat -> 0 < softmax L T l i.
Proof. apply weights_pos; [easy|intros; apply exp_pos]. Qed.

Lemma softmax_are_weights : are_weights L (softmax L T l).
Proof. apply weights_are_weights; [easy|intros; apply exp_pos]. Qed.

Lemma softmax_ext l' i : (forall j, l' j = l j) -> softmax L T l' i = softmax L T l i.
Proof.
  intros E. unfold softmax, weights. rewrite E. f_equal. apply sum_ext; intros. now rewrite E.
Qed.

(** J = (diag a - a a^T)/T. *)
Lemma softmax_derive i j : (i < L)%nat -> (j < L)%nat ->
  is_derive (fun x => softmax L T (set_at l j x) i) (l j) (spread (softmax L T l) i j / T).
Proof.
  intros Hi Hj.
  assert (D : forall k, (k < L)%nat ->
    is_derive (fun x => exp (x / T)) (l k) (exp (l k / T) / T)).
  { intros k _. derive. unfold Rdiv; ring. }
  replace (spread (softmax L T l) i j / T)
    with (spread (softmax L T l) i j * (exp (l j / T) / T / exp (l j / T))).
  - exact (weights_derive L (fun x => exp (x / T)) l L_pos (fun i _ => exp_pos _)
      (fun k => exp (l k / T) / T) i j Hi Hj D).
  - pose proof (exp_pos (l j / T)). field; lra.
Qed.

Lemma softmax_gradient i j : (i < L)%nat -> (j < L)%nat ->
  gradient (softmax L T) l i j = spread (softmax L T l) i j / T.
Proof. intros. now apply is_derive_unique, softmax_derive. Qed.
End Softmax.

(** Facts about diag a - a a^T of any weights a. *)
Section Spread.
Variables (L : nat) (a : vector).
Hypothesis H : are_weights L a.

Lemma weight_le_1 i : (i < L)%nat -> a i <= 1.
Proof. intros Hi. rewrite <- (proj2 H). now apply term_le_sum; [apply H|]. Qed.

Lemma two_weights_le_1 i j : (i < L)%nat -> (j < L)%nat -> i <> j -> a i + a j <= 1.
Proof.
  intros Hi Hj Hij. rewrite <- (proj2 H), (sum_split L i) by easy.
  apply Rplus_le_compat_l.
  pose proof (term_le_sum L j (fun k => if (k =? i)%nat then 0 else a k)) as P. simpl in P.
  destruct (Nat.eqb_spec j i); [now subst|]. apply P; [|easy].
  intros k Hk. destruct (k =? i)%nat; [lra|now apply H].
Qed.

Lemma spread_sym i j : spread a i j = spread a j i.
Proof. unfold spread. rewrite Nat.eqb_sym. destruct (Nat.eqb_spec j i) as [->|]; ring. Qed.

Lemma apply_spread v i : (i < L)%nat -> apply L (spread a) v i = a i * (v i - dot L a v).
Proof.
  intros Hi. unfold apply, spread, dot.
  rewrite (sum_ext _ _ (fun j => (if (j =? i)%nat then a i * v i else 0) - a i * (a j * v j))).
  - rewrite sum_minus, sum_one, sum_scal by easy. ring.
  - intros j _. rewrite Nat.eqb_sym. destruct (Nat.eqb_spec j i) as [->|]; ring.
Qed.

(** The quadratic form is the variance of v_i where i is drawn with probability a_i. *)
Lemma form_spread v : form L (spread a) v v = \sum_(i < L) (a i * (v i)^2) - (dot L a v)^2.
Proof.
  unfold form. unfold dot at 1.
  rewrite (sum_ext _ _ (fun i => a i * v i ^ 2 - (a i * v i) * dot L a v)).
  - rewrite sum_minus, sum_scal_r. unfold dot. ring.
  - intros i Hi. rewrite apply_spread by easy. ring.
Qed.

(** Between two vectors it is their covariance. *)
Lemma form_covariance u v :
  form L (spread a) u v = \sum_(i < L) (a i * (u i * v i)) - dot L a u * dot L a v.
Proof.
  unfold form. unfold dot at 1.
  rewrite (sum_ext _ _ (fun i => a i * (u i * v i) - (a i * u i) * dot L a v)).
  - rewrite sum_minus, sum_scal_r. easy.
  - intros i Hi. rewrite apply_spread by easy. ring.
Qed.

Lemma form_spread_nonneg v : 0 <= form L (spread a) v v.
Proof.
  rewrite form_spread. pose proof (cauchy_schwarz_weighted L a (fun _ => 1) v (proj1 H)) as C.
  rewrite (sum_ext _ (fun i => a i * 1 ^ 2) a) in C by (intros; ring).
  rewrite (sum_ext _ (fun i => a i * (1 * v i)) (fun i => a i * v i)) in C by (intros; ring).
  rewrite (proj2 H) in C. unfold dot. lra.
Qed.

(** The variance as a sum over pairs, each counted twice. *)
Lemma form_spread_pairs v :
  form L (spread a) v v = / 2 * \sum_(i < L) \sum_(j < L) (a i * a j * (v i - v j)^2).
Proof.
  rewrite form_spread.
  rewrite (sum_ext L (fun i => \sum_(j < L) (a i * a j * (v i - v j) ^ 2))
    (fun i => a i * v i ^ 2 * sum L a + (-2 * (a i * v i)) * dot L a v
              + a i * \sum_(j < L) (a j * v j ^ 2))).
  - rewrite !sum_plus, !sum_scal_r, sum_scal, (proj2 H). fold (dot L a v). lra.
  - intros i _. unfold dot. rewrite <- !sum_scal, <- !sum_plus. apply sum_ext; intros; ring.
Qed.
End Spread.
