(** Corollary 3: the gradient of softmax. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Coquelicot Require Import Coquelicot.
From Limits Require Import Basics Exponential Vectors Weights Variation Row Claim.
Open Scope R_scope.

(** ** Claims *)

Definition corollary3 : claim := {|
  case := softmax_row;
  hypotheses := is_softmax_row;
  lhs x := spectral_norm (L x) (L x) (J_ x);
  rhs x := Rmin (1 / (4 * T x)) (sqrt 2)
|}.

Definition corollary3_sharp : claim := {|
  case := softmax_row;
  hypotheses := is_softmax_row;
  lhs x := spectral_norm (L x) (L x) (J_ x);
  rhs x := 1 / (2 * T x)
|}.

Definition corollary3_frobenius : claim := {|
  case := softmax_row;
  hypotheses := is_softmax_row;
  lhs x := frobenius_norm (L x) (L x) (J_ x);
  rhs x := 1 / (2 * T x)
|}.

Definition corollary3_entrywise : claim := {|
  case := softmax_row;
  hypotheses := is_softmax_row;
  lhs x := Max (L x) (fun i => Max (L x) (fun j => Rabs (J_ x i j)));
  rhs x := 1 / (4 * T x)
|}.

Definition corollary3_local_upper : claim := {|
  case := ranked_row;
  hypotheses := is_ranked_row;
  lhs x := spectral_norm (L x) (L x) (J_ x);
  rhs x := a_ x (first x) * (1 - a_ x (first x) + a_ x (second x)) / T x
|}.

Definition corollary3_local_lower : claim := {|
  case := ranked_row;
  hypotheses x := (2 <= L x)%nat /\ is_ranked_row x;
  lhs x := Rmax (a_ x (second x))
    (INR (L x) / (INR (L x) - 1) * Max (L x) (fun i => a_ x i * (1 - a_ x i))) / T x;
  rhs x := spectral_norm (L x) (L x) (J_ x)
|}.

Definition corollary3_cold : claim := {|
  case := colder_row;
  hypotheses := is_colder_row;
  lhs x := spectral_norm (L x) (L x) (J_ x);
  rhs x := spectral_norm (L x) (L x) (J_ (SoftmaxRow (L x) (l x) (colder x)))
|}.

Definition corollary3_cold_repaired : claim := {|
  case := ranked_row;
  hypotheses := is_ranked_row;
  lhs x := spectral_norm (L x) (L x) (J_ x);
  rhs x := INR (L x) * exp (- ((l x (first x) - l x (second x)) / T x)) / T x
|}.

Definition corollary3_cold_sharp : claim := {|
  case := ranked_row;
  hypotheses := is_ranked_row;
  lhs x := spectral_norm (L x) (L x) (J_ x);
  rhs x := INR (L x) / (4 * T x * (cosh ((l x (first x) - l x (second x)) / (2 * T x)))^2)
|}.

Definition softmax_row_sums : claim := {|
  case := softmax_row;
  hypotheses := is_softmax_row;
  lhs x := Max (L x) (fun i => \sum_(j < L x) Rabs (J_ x i j));
  rhs x := 1 / (2 * T x)
|}.

(** ** Proofs *)

Lemma spectral_norm_J x : is_softmax_row x ->
  spectral_norm (L x) (L x) (J_ x) = spectral_norm (L x) (L x) (spread (a_ x)) / T x.
Proof.
  intros [HL HT]. rewrite <- spectral_norm_div by easy.
  apply spectral_norm_ext; intros. unfold J_. now rewrite softmax_gradient.
Qed.

(** Weights have the order of their logits. *)
Lemma softmax_ratio x i j : is_softmax_row x -> a_ x i = exp ((l x i - l x j) / T x) * a_ x j.
Proof.
  intros [HL HT]. unfold a_, softmax, weights. set (S := \sum_(k < L x) _).
  assert (0 < S) by (apply sum_pos; [easy|intros; apply exp_pos]).
  replace (l x i / T x) with ((l x i - l x j) / T x + l x j / T x) by (field; lra).
  rewrite exp_plus. field. lra.
Qed.

Lemma softmax_le x i j : is_softmax_row x -> (j < L x)%nat -> l x i <= l x j -> a_ x i <= a_ x j.
Proof.
  intros H Hj Hl. rewrite (softmax_ratio x i j H). apply Rle_trans with (1 * a_ x j); [|lra].
  pose proof (softmax_pos (L x) (T x) (l x) (proj1 H) j Hj). fold (a_ x) in *.
  apply Rmult_le_compat_r; [lra|]. rewrite <- exp_0. apply exp_le.
  pose proof (Rinv_0_lt_compat _ (proj2 H)). unfold Rdiv. nra.
Qed.

Lemma ranked_weights x : is_ranked_row x -> two_largest (L x) (a_ x) (first x) (second x).
Proof.
  intros (H & H1 & H2 & H12 & O & A). repeat split; try easy.
  - now apply softmax_le.
  - intros i Hi Hn. apply softmax_le; auto.
Qed.

(** The variance is at most half the sum of squares: over pairs (u - v)^2 <= 2 u^2 + 2 v^2. *)
Lemma spread_half L a v : are_weights L a -> form L (spread a) v v <= / 2 * (norm L v)^2.
Proof.
  intros H. rewrite form_spread_pairs, norm_sqr by easy.
  apply Rmult_le_compat_l; [lra|].
  apply Rle_trans with (\sum_(i < L) (4 * (a i * (1 - a i) * (v i)^2))).
  - apply Rle_trans with (\sum_(i < L) (2 * (a i * (v i)^2)
      + a i * (2 * \sum_(j < L) (a j * (v j)^2)) - 4 * (a i)^2 * (v i)^2)).
    + apply sum_le; intros i Hi.
      rewrite <- (sum_one L i (4 * (a i)^2 * (v i)^2)) by easy.
      rewrite <- (Rmult_1_r (2 * _)), <- (proj2 H), <- !sum_scal, <- sum_plus, <- sum_minus.
      apply sum_le; intros j Hj. pose proof (proj1 H i Hi). pose proof (proj1 H j Hj).
      assert (0 <= a i * a j) by now apply Rmult_le_pos.
      pose proof (pow2_ge_0 (v i + v j)).
      destruct (Nat.eqb_spec j i) as [->|]; nra.
    + rewrite sum_minus, sum_plus, sum_scal, sum_scal_r, (proj2 H).
      rewrite sum_scal. rewrite (sum_ext _ (fun i => a i * (1 - a i) * v i ^ 2)
        (fun i => a i * v i ^ 2 - (a i) ^ 2 * v i ^ 2)) by (intros; ring).
      rewrite sum_minus.
      rewrite (sum_ext L (fun i => 4 * a i ^ 2 * v i ^ 2) (fun i => 4 * (a i ^ 2 * v i ^ 2)))
        by (intros; ring).
      rewrite sum_scal. lra.
  - apply sum_le; intros i Hi. pose proof (pow2_ge_0 (a i - / 2)). pose proof (pow2_ge_0 (v i)).
    nra.
Qed.

Theorem corollary3_sharp_proved : holds corollary3_sharp.
Proof.
  intros x H. cbn. rewrite spectral_norm_J by easy. destruct H as [HL HT].
  pose proof (softmax_are_weights (L x) (T x) (l x) HL) as W.
  replace (1 / (2 * T x)) with (/ 2 / T x) by (field; lra).
  apply Rmult_le_compat_r; [now apply Rlt_le, Rinv_0_lt_compat|].
  apply spectral_norm_form; [apply spread_sym| |lra].
  intros v. split; [now apply form_spread_nonneg|now apply spread_half].
Qed.

Lemma frobenius_spread L a : are_weights L a -> frobenius_norm L L (spread a) <= / 2.
Proof.
  intros W. unfold frobenius_norm. rewrite <- (sqrt_pow2 (/ 2)) by lra. apply sqrt_le_1_alt.
  set (p2 := \sum_(i < L) (a i)^2). set (p3 := \sum_(i < L) (a i)^3).
  assert (E : \sum_(i < L) \sum_(j < L) (spread a i j)^2 = p2 - 2 * p3 + p2^2).
  { replace (p2 ^ 2) with (p2 * p2) by ring. unfold p2 at 2 3. rewrite sum_mul.
    unfold p2, p3. rewrite <- sum_scal, <- sum_minus, <- sum_plus. apply sum_ext; intros i Hi.
    rewrite <- (sum_one L i (a i ^ 2 - 2 * a i ^ 3)), <- sum_plus by easy.
    apply sum_ext; intros j _. unfold spread. rewrite Nat.eqb_sym.
    destruct (Nat.eqb_spec j i) as [->|]; ring. }
  assert (C : p2^2 <= p3).
  { pose proof (cauchy_schwarz_weighted L a (fun _ => 1) a (proj1 W)) as C.
    rewrite (sum_ext _ _ (fun i => (a i)^2)) in C by (intros; ring). fold p2 in C.
    rewrite (sum_ext _ _ a) in C by (intros; ring). rewrite (proj2 W) in C.
    rewrite (sum_ext _ _ (fun i => (a i)^3)) in C by (intros; ring). fold p3 in C. lra. }
  rewrite E. pose proof (pow2_ge_0 (p2 - / 2)). lra.
Qed.

Lemma frobenius_J x : is_softmax_row x ->
  frobenius_norm (L x) (L x) (J_ x) = frobenius_norm (L x) (L x) (spread (a_ x)) / T x.
Proof.
  intros [HL HT]. assert (0 < / T x) by now apply Rinv_0_lt_compat.
  unfold frobenius_norm, Rdiv. rewrite <- (sqrt_pow2 (/ T x)) by lra.
  rewrite <- sqrt_mult_alt.
  - f_equal. rewrite <- sum_scal_r. apply sum_ext; intros i Hi.
    rewrite <- sum_scal_r. apply sum_ext; intros j Hj.
    unfold J_. rewrite softmax_gradient by easy. unfold a_. field. lra.
  - apply sum_nonneg; intros; apply sum_nonneg; intros; apply pow2_ge_0.
Qed.

Theorem corollary3_frobenius_proved : holds corollary3_frobenius.
Proof.
  intros x H. cbn. rewrite frobenius_J by easy. destruct H as [HL HT].
  pose proof (frobenius_spread _ _ (softmax_are_weights (L x) (T x) (l x) HL)).
  replace (1 / (2 * T x)) with (/ 2 / T x) by (field; lra).
  apply Rmult_le_compat_r; [now apply Rlt_le, Rinv_0_lt_compat|easy].
Qed.

Theorem corollary3_entrywise_proved : holds corollary3_entrywise.
Proof.
  intros x [HL HT]. cbn. pose proof (softmax_are_weights (L x) (T x) (l x) HL) as W.
  apply Max_le; [easy|]; intros i Hi. apply Max_le; [easy|]; intros j Hj.
  unfold J_. rewrite softmax_gradient by easy. fold (a_ x) in *.
  unfold Rdiv. rewrite Rabs_mult, (Rabs_pos_eq (/ T x)) by now apply Rlt_le, Rinv_0_lt_compat.
  replace (1 * / (4 * T x)) with (/ 4 * / T x) by (field; lra).
  apply Rmult_le_compat_r; [now apply Rlt_le, Rinv_0_lt_compat|].
  unfold spread. pose proof (proj1 W i Hi). pose proof (proj1 W j Hj).
  pose proof (weight_le_1 _ _ W i Hi).
  destruct (Nat.eqb_spec i j) as [->|Hij].
  - rewrite Rabs_pos_eq by nra. pose proof (pow2_ge_0 (a_ x j - / 2)). lra.
  - pose proof (two_weights_le_1 _ _ W i j Hi Hj Hij).
    rewrite <- Rabs_Ropp, Rabs_pos_eq by nra. pose proof (pow2_ge_0 (a_ x i - a_ x j)). nra.
Qed.

(** The largest eigenvalue of diag a - a a^T by the two largest weights, without determinants:
    what the form takes off, (x + y)^2 of x = a_1 v_1 and y from the others, is enough. *)
Lemma spread_local L a v k1 k2 : are_weights L a -> two_largest L a k1 k2 ->
  form L (spread a) v v <= a k1 * (1 - a k1 + a k2) * (norm L v)^2.
Proof.
  intros W (H1 & H2 & H12 & Ha & Hk). rewrite form_spread, norm_sqr by easy.
  pose proof (proj1 W k2 H2). pose proof (weight_le_1 L a W k1 H1).
  set (t := a k1 * (1 - a k1 + a k2)).
  (* sums over the others *)
  set (rest := fun f : vector => \sum_(i < L) (if (i =? k1)%nat then 0 else f i)).
  assert (S : forall f, sum L f = f k1 + rest f) by (intros; now apply sum_split).
  assert (rest_le : forall f g, (forall i, (i < L)%nat -> i <> k1 -> f i <= g i) -> rest f <= rest g).
  { intros f g K. apply sum_le; intros i Hi. destruct (Nat.eqb_spec i k1); [lra|auto]. }
  set (x := a k1 * v k1). set (y := rest (fun i => a i * v i)).
  set (Q := rest (fun i => (t - a i) * (v i)^2)).
  assert (EQ : t * sum L (fun i => (v i)^2) - sum L (fun i => a i * (v i)^2)
               = Q - (a k1 - t) * (v k1)^2).
  { rewrite <- sum_scal, <- sum_minus.
    rewrite (sum_ext _ _ (fun i => (t - a i) * (v i)^2)) by (intros; ring). rewrite S. fold Q. ring. }
  assert (ED : dot L a v = x + y) by (unfold dot; now rewrite S).
  assert (Q0 : 0 <= Q).
  { apply sum_nonneg; intros i Hi. destruct (Nat.eqb_spec i k1) as [|Hn]; [lra|].
    pose proof (Hk i Hi Hn). apply Rmult_le_pos; [|apply pow2_ge_0]. unfold t. nra. }
  (* Cauchy-Schwarz over the others, whose weights have sum 1 - a_1 *)
  assert (C : (a k1 - a k2) * y^2 <= a k2 * Q).
  { pose proof (cauchy_schwarz_weighted L (fun i => if (i =? k1)%nat then 0 else a i)
      (fun _ => 1) v) as C. cbv beta in C.
    rewrite (sum_ext L _ (fun i => if (i =? k1)%nat then 0 else a i * v i)) in C
      by (intros i _; destruct (i =? k1)%nat; ring).
    rewrite (sum_ext L (fun i => (if (i =? k1)%nat then 0 else a i) * 1^2)
      (fun i => if (i =? k1)%nat then 0 else a i)) in C
      by (intros i _; destruct (i =? k1)%nat; ring).
    rewrite (sum_ext L (fun i => (if (i =? k1)%nat then 0 else a i) * v i ^ 2)
      (fun i => if (i =? k1)%nat then 0 else a i * v i ^ 2)) in C
      by (intros i _; destruct (i =? k1)%nat; ring).
    fold (rest a) (rest (fun i => a i * v i)) (rest (fun i => a i * v i ^ 2)) in C. fold y in C.
    replace (rest a) with (1 - a k1) in C by (rewrite <- (proj2 W), S; ring).
    apply Rle_trans with ((a k1 - a k2) * ((1 - a k1) * rest (fun i => a i * v i ^ 2))).
    - apply Rmult_le_compat_l; [lra|]. apply C. intros i Hi.
      destruct (i =? k1)%nat; [lra|now apply W].
    - unfold Q, rest. rewrite <- Rmult_assoc, <- !sum_scal. apply sum_le; intros i Hi.
      destruct (Nat.eqb_spec i k1) as [|Hn]; [lra|].
      pose proof (Hk i Hi Hn). pose proof (proj1 W i Hi). pose proof (pow2_ge_0 (v i)).
      rewrite <- !Rmult_assoc. apply Rmult_le_compat_r; [easy|]. unfold t.
      assert (0 <= (a k2 - a i) * (a k2 + (a k1 - a k2) * (1 - a k1)))
        by (apply Rmult_le_pos; [lra|nra]). lra. }
  rewrite ED. enough ((a k1 - t) * (v k1)^2 <= (x + y)^2 + Q) by lra.
  destruct (Req_dec (a k1) 0) as [E0|E0].
  { unfold t. rewrite E0. pose proof (pow2_ge_0 (x + y)). lra. }
  apply Rmult_le_reg_l with (a k1); [lra|].
  replace (a k1 * ((a k1 - t) * v k1 ^ 2)) with ((a k1 - a k2) * x^2) by (unfold t, x; ring).
  destruct (Req_dec (a k2) 0) as [E2|E2].
  - assert (y^2 <= 0) by (rewrite E2 in C; apply Rmult_le_reg_l with (a k1); lra).
    assert (y = 0) by nra. rewrite E2. nra.
  - apply Rmult_le_reg_l with (a k2); [lra|]. pose proof (pow2_ge_0 (a k2 * (x + y) + (a k1 - a k2) * y)).
    assert (a k1 * ((a k1 - a k2) * y ^ 2) <= a k1 * (a k2 * Q)) by (apply Rmult_le_compat_l; lra).
    nra.
Qed.

Theorem corollary3_local_upper_proved : holds corollary3_local_upper.
Proof.
  intros x H. cbn. rewrite spectral_norm_J by apply H. pose proof (ranked_weights x H) as R.
  destruct H as [[HL HT] _].
  pose proof (softmax_are_weights (L x) (T x) (l x) HL) as W. fold (a_ x) in W.
  apply Rmult_le_compat_r; [now apply Rlt_le, Rinv_0_lt_compat|].
  apply spectral_norm_form; [apply spread_sym| |].
  - intros v. split; [now apply form_spread_nonneg|now apply spread_local].
  - destruct R as (H1 & H2 & _). pose proof (weight_le_1 _ _ W _ H1).
    pose proof (proj1 W _ H1). pose proof (proj1 W _ H2). apply Rmult_le_pos; lra.
Qed.

(** Two equal logits: J = [[1, -1], [-1, 1]]/4, which doubles (1, -1)/4 and so has norm 1/2. *)
Theorem corollary3_refuted : ~ holds corollary3.
Proof.
  set (x := SoftmaxRow 2 (fun _ => 0) 1).
  assert (H : is_softmax_row x) by (split; [repeat constructor|cbn; lra]).
  apply (refute corollary3 x H). cbn [rhs lhs corollary3].
  apply Rle_lt_trans with (1 / (4 * T x)); [apply Rmin_l|].
  apply Rlt_le_trans with (/ 2); [cbn; lra|].
  rewrite spectral_norm_J by easy. change (T x) with 1. change (L x) with 2%nat. rewrite Rdiv_1.
  assert (A : forall i, a_ x i = / 2).
  { intros i. unfold a_, softmax, weights; cbn. rewrite Rdiv_1, exp_0. lra. }
  assert (E : norm 2 (fun i => if (i =? 0)%nat then 1 else -1) = sqrt 2)
    by (unfold norm; cbn; f_equal; ring).
  apply spectral_norm_ge with (fun i => if (i =? 0)%nat then 1 else -1); rewrite E.
  - apply sqrt_lt_R0; lra.
  - right. rewrite <- E, <- (Rabs_pos_eq (/ 2)) by lra. rewrite <- norm_scal.
    apply norm_ext; intros i Hi. rewrite (apply_spread 2) by easy. unfold dot; cbn.
    rewrite !A. lra.
Qed.

(** The variance of the unit vector of the second largest weight over the two largest, and that of
    one token against the others. *)
Lemma spectral_norm_ge_form n A v : (0 < norm n v) -> forall t, t * (norm n v)^2 <= form n A v v ->
  t <= spectral_norm n n A.
Proof.
  intros Hv t H. apply spectral_norm_ge with v; [easy|].
  apply Rmult_le_reg_l with (norm n v); [easy|].
  eapply Rle_trans; [|apply dot_le]. unfold form in H. lra.
Qed.

Lemma two_terms n i j (f : nat -> R) : (i < n)%nat -> (j < n)%nat -> i <> j ->
  (forall k, (k < n)%nat -> k <> i -> k <> j -> f k = 0) -> sum n f = f i + f j.
Proof.
  intros Hi Hj Hij H. rewrite (sum_split n i) by easy. f_equal.
  rewrite (sum_split n j) by easy. rewrite (proj2 (Nat.eqb_neq j i)) by auto.
  rewrite sum_zero; [ring|]. intros k Hk.
  destruct (Nat.eqb_spec k j); [easy|]. destruct (Nat.eqb_spec k i); [easy|]. auto.
Qed.

(** v = a_2 e_1 - a_1 e_2 has mean 0, so that the form is a_1 v_1^2 + a_2 v_2^2 >= a_2 ||v||^2. *)
Lemma spread_second L a k1 k2 : are_weights L a -> two_largest L a k1 k2 ->
  a k2 <= spectral_norm L L (spread a).
Proof.
  intros W (H1 & H2 & H12 & Ha & _). pose proof (proj1 W k2 H2) as P2.
  destruct (Req_dec (a k2) 0) as [->|Hn]; [apply spectral_norm_nonneg|].
  set (v := fun i => if (i =? k1)%nat then a k2 else if (i =? k2)%nat then - a k1 else 0).
  assert (v1 : v k1 = a k2) by (unfold v; now rewrite Nat.eqb_refl).
  assert (v2 : v k2 = - a k1).
  { unfold v. now rewrite (proj2 (Nat.eqb_neq k2 k1)), Nat.eqb_refl by auto. }
  assert (v0 : forall k, k <> k1 -> k <> k2 -> v k = 0).
  { intros k N1 N2. unfold v. now rewrite (proj2 (Nat.eqb_neq k k1)), (proj2 (Nat.eqb_neq k k2)). }
  assert (N : (norm L v)^2 = (a k2)^2 + (a k1)^2).
  { rewrite norm_sqr, (two_terms L k1 k2) by (try easy; intros; rewrite v0 by easy; ring).
    rewrite v1, v2. ring. }
  apply (spectral_norm_ge_form L (spread a) v).
  - pose proof (norm_nonneg L v). destruct (Req_dec (norm L v) 0) as [E|]; [rewrite E in N; nra|lra].
  - rewrite form_spread by easy. unfold dot.
    rewrite (two_terms L k1 k2), (two_terms L k1 k2 (fun i => a i * v i))
      by (try easy; intros; rewrite v0 by easy; ring).
    rewrite N, v1, v2. nra.
Qed.

(** v = e_i - (1/(L-1)) sum_{j != i} e_j. *)
Lemma spread_one L a i : (2 <= L)%nat -> are_weights L a -> (i < L)%nat ->
  INR L / (INR L - 1) * (a i * (1 - a i)) <= spectral_norm L L (spread a).
Proof.
  intros HL W Hi. pose proof (le_INR 2 L HL) as Hn. cbn in Hn.
  set (c := / (INR L - 1)). assert (Hc : 0 < c) by (apply Rinv_0_lt_compat; lra).
  assert (Ec : (INR L - 1) * c = 1) by (unfold c; field; lra).
  set (v := fun j => if (j =? i)%nat then 1 else - c).
  assert (v1 : v i = 1) by (unfold v; now rewrite Nat.eqb_refl).
  assert (S : forall f g, (forall j, j <> i -> f j = g j) -> sum L f = f i + (sum L g - g i)).
  { intros f g E. rewrite (sum_split L i f), (sum_split L i g) by easy.
    rewrite (sum_ext L _ (fun j => if (j =? i)%nat then 0 else g j)); [ring|].
    intros j _. destruct (Nat.eqb_spec j i); auto. }
  assert (vo : forall j, j <> i -> v j = - c).
  { intros j Hj. unfold v. now rewrite (proj2 (Nat.eqb_neq j i)). }
  assert (N : (norm L v)^2 = INR L / (INR L - 1)).
  { rewrite norm_sqr, (S _ (fun _ => c^2)) by (intros j Hj; rewrite vo by easy; ring).
    rewrite sum_const, v1. unfold c. field. lra. }
  assert (Hr : 0 < INR L / (INR L - 1)) by (apply Rdiv_lt_0_compat; lra).
  apply (spectral_norm_ge_form L (spread a) v).
  - pose proof (norm_nonneg L v). destruct (Req_dec (norm L v) 0) as [E|]; [rewrite E in N; lra|lra].
  - rewrite form_spread by easy. unfold dot.
    rewrite (S (fun j => a j * v j ^ 2) (fun j => a j * c^2)),
      (S (fun j => a j * v j) (fun j => a j * - c)) by (intros j Hj; rewrite vo by easy; ring).
    rewrite !sum_scal_r, (proj2 W), N, v1. right. unfold c. field. lra.
Qed.

Theorem corollary3_local_lower_proved : holds corollary3_local_lower.
Proof.
  intros x [HL H]. cbn. rewrite spectral_norm_J by apply H. pose proof (ranked_weights x H) as R.
  destruct H as [[HL0 HT] _]. pose proof (softmax_are_weights (L x) (T x) (l x) HL0) as W.
  fold (a_ x) in W. apply Rmult_le_compat_r; [now apply Rlt_le, Rinv_0_lt_compat|].
  apply Rmax_lub; [now apply spread_second with (first x)|].
  destruct (Max_attained (L x) (fun i => a_ x i * (1 - a_ x i)) HL0) as (i & Hi & ->).
  now apply spread_one.
Qed.

(** Row i of T |J| adds up to 2 a_i (1 - a_i). *)
Theorem softmax_row_sums_proved : holds softmax_row_sums.
Proof.
  intros x [HL HT]. cbn. pose proof (softmax_are_weights (L x) (T x) (l x) HL) as W. fold (a_ x) in W.
  apply Max_le; [easy|]; intros i Hi.
  rewrite (sum_ext _ _ (fun j => Rabs (spread (a_ x) i j) / T x)).
  2: { intros j Hj. unfold J_. rewrite softmax_gradient by easy. fold (a_ x). unfold Rdiv.
       rewrite Rabs_mult, (Rabs_pos_eq (/ T x)); [easy|]. now apply Rlt_le, Rinv_0_lt_compat. }
  rewrite sum_div. replace (1 / (2 * T x)) with (/ 2 / T x) by (field; lra).
  apply Rmult_le_compat_r; [now apply Rlt_le, Rinv_0_lt_compat|].
  pose proof (proj1 W i Hi) as P. pose proof (weight_le_1 _ _ W i Hi).
  rewrite (sum_ext _ _ (fun j => a_ x i * a_ x j
    + (if (j =? i)%nat then a_ x i * (1 - 2 * a_ x i) else 0))).
  - rewrite sum_plus, sum_scal, sum_one, (proj2 W) by easy.
    pose proof (pow2_ge_0 (2 * a_ x i - 1)). nra.
  - intros j Hj. pose proof (proj1 W j Hj). unfold spread. rewrite Nat.eqb_sym.
    destruct (Nat.eqb_spec j i) as [->|].
    + rewrite Rabs_pos_eq by nra. ring.
    + rewrite Rabs_left1 by nra. ring.
Qed.

(** ** Temperature *)

(** a_1 (1 - a_1 + a_2) <= L a_1 a_2, as none of the others is larger than a_2. *)
Lemma local_le_product L a k1 k2 : are_weights L a -> two_largest L a k1 k2 ->
  a k1 * (1 - a k1 + a k2) <= INR L * (a k1 * a k2).
Proof.
  intros W (H1 & H2 & H12 & Ha & Hk). pose proof (proj1 W k1 H1).
  assert (1 - a k1 <= (INR L - 1) * a k2).
  { pose proof (proj2 W) as E. rewrite (sum_split L k1) in E by easy.
    rewrite <- (sum_others_const L k1 (a k2)) by easy.
    assert (\sum_(i < L) (if (i =? k1)%nat then 0 else a i)
      <= \sum_(i < L) (if (i =? k1)%nat then 0 else a k2)); [|lra].
    apply sum_le; intros i Hi. destruct (Nat.eqb_spec i k1); [lra|auto]. }
  nra.
Qed.

Theorem corollary3_cold_sharp_proved : holds corollary3_cold_sharp.
Proof.
  intros x H. eapply Rle_trans; [now apply corollary3_local_upper_proved|].
  cbn [lhs rhs corollary3_local_upper corollary3_cold_sharp].
  pose proof (ranked_weights x H) as R. destruct H as [H0 _]. pose proof H0 as [HL HT].
  pose proof (softmax_are_weights (L x) (T x) (l x) HL) as W. fold (a_ x) in W.
  pose proof (local_le_product _ _ _ _ W R) as B.
  destruct R as (H1 & H2 & H12 & _). set (g := (l x (first x) - l x (second x)) / T x).
  replace ((l x (first x) - l x (second x)) / (2 * T x)) with (g / 2) by (unfold g; field; lra).
  (* a_1 = e^g a_2 and a_1 + a_2 <= 1 *)
  pose proof (softmax_ratio x (first x) (second x) H0) as E. fold g in E.
  pose proof (two_weights_le_1 _ _ W _ _ H1 H2 H12) as S.
  pose proof (softmax_pos (L x) (T x) (l x) HL _ H2) as P2. fold (a_ x) in P2.
  set (a1 := a_ x (first x)) in *. set (a2 := a_ x (second x)) in *.
  set (u := exp (g / 2)). assert (Hu : 0 < u) by apply exp_pos.
  assert (Eu : exp g = u^2) by (unfold u; rewrite <- Rsqr_pow2; unfold Rsqr; rewrite <- exp_plus; f_equal; field).
  rewrite Eu in E.
  assert (C : 4 * (cosh (g / 2))^2 = (u^2 + 1)^2 / u^2).
  { unfold cosh. rewrite exp_Ropp. fold u. field. lra. }
  replace (INR (L x) / (4 * T x * (cosh (g / 2))^2))
    with (INR (L x) * (u^2 / (u^2 + 1)^2) / T x).
  2: { replace (4 * T x * (cosh (g / 2))^2) with (T x * (4 * (cosh (g / 2))^2)) by ring.
       rewrite C. field. repeat split; nra. }
  apply Rmult_le_compat_r; [now apply Rlt_le, Rinv_0_lt_compat|].
  eapply Rle_trans; [exact B|]. apply Rmult_le_compat_l; [apply pos_INR|].
  assert (a2 <= / (u^2 + 1)).
  { apply Rmult_le_reg_r with (u^2 + 1); [nra|]. rewrite Rinv_l by nra. nra. }
  assert (0 < / (u^2 + 1)) by (apply Rinv_0_lt_compat; nra).
  rewrite E. replace (u^2 / (u^2 + 1)^2) with (u^2 * (/ (u^2 + 1) * / (u^2 + 1))) by (field; nra).
  rewrite Rmult_assoc. apply Rmult_le_compat_l; [nra|]. apply Rmult_le_compat; lra.
Qed.

(** 4 cosh^2(g/2) >= e^g. *)
Theorem corollary3_cold_repaired_proved : holds corollary3_cold_repaired.
Proof.
  intros x H. eapply Rle_trans; [now apply corollary3_cold_sharp_proved|].
  cbn [lhs rhs corollary3_cold_sharp corollary3_cold_repaired].
  destruct H as [[HL HT] _]. set (g := (l x (first x) - l x (second x)) / T x).
  replace ((l x (first x) - l x (second x)) / (2 * T x)) with (g / 2) by (unfold g; field; lra).
  pose proof (exp_pos (g / 2)) as Hu. set (u := exp (g / 2)) in *.
  assert (Eu : exp g = u^2) by (unfold u; rewrite <- Rsqr_pow2; unfold Rsqr; rewrite <- exp_plus; f_equal; field).
  rewrite exp_Ropp, Eu.
  assert (C : (cosh (g / 2))^2 = (u^2 + 1)^2 / (4 * u^2)).
  { unfold cosh. rewrite exp_Ropp. fold u. field. lra. }
  replace (INR (L x) / (4 * T x * (cosh (g / 2))^2)) with (INR (L x) * (u^2 / (u^2 + 1)^2) / T x).
  2: { rewrite C. field. repeat split; nra. }
  apply Rmult_le_compat_r; [now apply Rlt_le, Rinv_0_lt_compat|].
  apply Rmult_le_compat_l; [apply pos_INR|].
  assert (0 < u^2) by nra.
  apply Rmult_le_reg_r with (u^2 * (u^2 + 1)^2); [nra|]. field_simplify; [nra|nra..].
Qed.

(** Logits (1, 0): the weights (0.73, 0.27) at T = 1 and (0.99995, 0.00005) at 1/10. *)
Theorem corollary3_cold_refuted : ~ holds corollary3_cold.
Proof.
  set (l := fun i => if (i =? 0)%nat then 1 else 0).
  set (x := SoftmaxRow 2 l 1). set (y := SoftmaxRow 2 l (1 / 10)).
  assert (Hx : is_softmax_row x) by (split; cbn; [lia|lra]).
  assert (Hy : is_softmax_row y) by (split; cbn; [lia|lra]).
  assert (R : two_largest 2 l 0 1).
  { unfold two_largest, l; cbn. repeat split; try lia; try lra. intros i Hi Hn.
    replace i with 1%nat by lia. cbn. lra. }
  apply (refute corollary3_cold (ColderRow x (1 / 10))); [split; [easy|cbn; lra]|].
  cbn [lhs rhs corollary3_cold]. change (SoftmaxRow _ _ _) with y.
  pose proof (corollary3_cold_repaired_proved (RankedRow y 0 1) (conj Hy R)) as U.
  pose proof (corollary3_local_lower_proved (RankedRow x 0 1) (conj (Nat.le_refl 2) (conj Hx R))) as B.
  cbn [lhs rhs corollary3_cold_repaired corollary3_local_lower row first second] in U, B.
  change (L y) with 2%nat in *. change (L x) with 2%nat in *. change (T x) with 1 in *.
  change (L (warmer (ColderRow x (1 / 10)))) with 2%nat. change (warmer (ColderRow x (1 / 10))) with x.
  eapply Rle_lt_trans; [exact U|]. eapply Rlt_le_trans; [|exact B]. clear U B.
  rewrite Rdiv_1. eapply Rlt_le_trans; [|apply Rmax_l].
  cbn. change (l 0%nat) with 1. change (l 1%nat) with 0.
  replace (- ((1 - 0) / (1 / 10))) with (- (10)) by field.
  assert (E : exp 10 = (exp (5 / 2))^4).
  { replace 10 with (5/2 + (5/2 + (5/2 + 5/2))) by lra. rewrite !exp_plus. ring. }
  assert (E10 : 150 < exp 10).
  { pose proof (exp_ineq1 (5/2) ltac:(lra)). rewrite E.
    apply Rlt_le_trans with ((7/2)^4); [lra|]. apply pow_incr. lra. }
  assert (E1 : exp 1 <= 3) by apply exp_le_3. pose proof (exp_pos 1).
  assert (A : a_ x 1 = 1 / (exp 1 + 1)).
  { unfold a_, softmax, weights; cbn. unfold l; cbn. replace (1 / 1) with 1 by field.
    replace (0 / 1) with 0 by field. rewrite exp_0, Rplus_0_l. easy. }
  rewrite A, exp_Ropp.
  assert (/ exp 10 < / 150) by (apply Rinv_lt_contravar; lra).
  assert (/ 4 <= 1 / (exp 1 + 1)).
  { unfold Rdiv. rewrite Rmult_1_l. apply Rinv_le_contravar; lra. }
  unfold Rdiv at 1. replace (/ (1 / 10)) with 10 by field. lra.
Qed.
