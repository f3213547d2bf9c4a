(** Corollary 3, over a step of the logits. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Coquelicot Require Import Coquelicot.
From Limits Require Import Basics Calculus Exponential Vectors Weights Variation Row Claim Corollary3.
Open Scope R_scope.

(** A step of length [epsilon] in the direction of [direction], which is normalised first. *)
Record directed_row := DirectedRow { from :> softmax_row; epsilon : R; direction : vector }.
Definition is_directed_row (x : directed_row) : Prop :=
  is_softmax_row x /\ 0 < epsilon x /\ 0 < norm (L x) (direction x).
Definition step_ (x : directed_row) (length : R) : vector :=
  fun i => length * (direction x i / norm (L x) (direction x)).
(** g(T, length) *)
Definition g_ (x : directed_row) (length : R) : R :=
  norm (L x) (fun i => softmax (L x) (T x) (fun j => l x j + step_ x length j) i - a_ x i) / length.

Definition corollary3_step_printed : claim := {|
  case := directed_row;
  hypotheses := is_directed_row;
  lhs x := g_ x (epsilon x);
  rhs x := Rmin (1 / (4 * T x)) (sqrt 2)
|}.

Definition corollary3_step : claim := {|
  case := directed_row;
  hypotheses := is_directed_row;
  lhs x := g_ x (epsilon x);
  rhs x := sqrt 2 / epsilon x * tanh (epsilon x / (2 * sqrt 2 * T x))
|}.

Record two_steps := TwoSteps { step :> directed_row; larger_epsilon : R }.

Definition corollary3_step_order : claim := {|
  case := two_steps;
  hypotheses x := is_directed_row x /\ epsilon x < larger_epsilon x;
  lhs x := g_ x (larger_epsilon x);
  rhs x := g_ x (epsilon x)
|}.

(** A step [h] of any length and direction. *)
Record stepped_row := SteppedRow { start :> softmax_row; h : vector }.
Definition b_ (x : stepped_row) : vector := softmax (L x) (T x) (fun i => l x i + h x i).

Definition softmax_cocoercive : claim := {|
  case := stepped_row;
  hypotheses := is_softmax_row;
  lhs x := 2 * T x * (norm (L x) (fun i => b_ x i - a_ x i))^2;
  rhs x := dot (L x) (fun i => b_ x i - a_ x i) (h x)
|}.

(** ** Proofs *)

(** u - v <= sqrt 2 sqrt (u^2 + v^2). *)
Lemma range_le n h : (0 < n)%nat -> Max n h - Min n h <= sqrt 2 * norm n h.
Proof.
  intros Hn. destruct (Max_attained n h Hn) as (i & Hi & ->).
  destruct (Min_attained n h Hn) as (j & Hj & ->).
  pose proof (norm_nonneg n h) as P. pose proof (sqrt_pos 2) as P2.
  destruct (Nat.eq_dec i j) as [->|Hij].
  { replace (h j - h j) with 0 by ring. now apply Rmult_le_pos. }
  destruct (Rle_dec (h i - h j) 0); [pose proof (Rmult_le_pos _ _ P2 P); lra|].
  apply Rsqr_incr_0_var; [|now apply Rmult_le_pos].
  rewrite !Rsqr_pow2, Rpow_mult_distr, pow2_sqrt, norm_sqr by lra.
  assert ((h i)^2 + (h j)^2 <= \sum_(k < n) (h k)^2).
  { rewrite (sum_split n i) by easy. apply Rplus_le_compat_l.
    pose proof (term_le_sum n j (fun k => if (k =? i)%nat then 0 else (h k)^2)) as Q. cbv beta in Q.
    rewrite (proj2 (Nat.eqb_neq j i)) in Q by auto. apply Q; [|easy].
    intros k _. destruct (k =? i)%nat; [lra|apply pow2_ge_0]. }
  pose proof (pow2_ge_0 (h i + h j)). lra.
Qed.

(** softmax moves by at most tanh of a quarter of the range of the step, in total variation. *)
Lemma softmax_variation n T l h : (0 < n)%nat -> 0 < T ->
  variation n (softmax n T (fun i => l i + h i)) (softmax n T l)
  <= tanh ((Max n h - Min n h) / T / 4).
Proof.
  intros Hn HT. set (S := \sum_(j < n) exp (l j / T)). set (S' := \sum_(j < n) exp ((l j + h j) / T)).
  assert (HS : 0 < S) by (apply sum_pos; [easy|intros; apply exp_pos]).
  assert (HS' : 0 < S') by (apply sum_pos; [easy|intros; apply exp_pos]).
  assert (HR : 0 < S / S') by now apply Rdiv_lt_0_compat.
  assert (HiT : 0 < / T) by now apply Rinv_0_lt_compat.
  apply variation_of_ratios with (fun i => exp (h i / T) * (S / S')) (exp (Min n h / T) * (S / S')).
  - now apply softmax_are_weights.
  - now apply softmax_are_weights.
  - apply Rmult_lt_0_compat; [apply exp_pos|easy].
  - pose proof (Min_le n h 0 Hn). pose proof (Max_ge n h 0 Hn). apply Rmult_le_pos; lra.
  - intros i _. unfold softmax, weights. fold S S'.
    replace ((l i + h i) / T) with (l i / T + h i / T) by (field; lra). rewrite exp_plus. field. lra.
  - intros i Hi. rewrite <- Rmult_assoc, <- exp_plus.
    replace ((Max n h - Min n h) / T + Min n h / T) with (Max n h / T) by (field; lra).
    pose proof (Min_le n h i Hi). pose proof (Max_ge n h i Hi).
    split; (apply Rmult_le_compat_r; [lra|]; apply exp_le; apply Rmult_le_compat_r; lra).
Qed.

Lemma step_norm x length : is_directed_row x -> 0 < length -> norm (L x) (step_ x length) = length.
Proof.
  intros (_ & _ & Hd) Hl. unfold step_.
  rewrite (norm_ext _ _ (fun k => length / norm (L x) (direction x) * direction x k))
    by (intros; field; lra).
  rewrite norm_scal, Rabs_pos_eq; [field; lra|]. apply Rlt_le, Rdiv_lt_0_compat; easy.
Qed.

Theorem corollary3_step_proved : holds corollary3_step.
Proof.
  intros x H. pose proof H as ([HL HT] & He & Hd). cbn. unfold g_.
  assert (H2 : 0 < sqrt 2) by (apply sqrt_lt_R0; lra).
  replace (sqrt 2 / epsilon x * tanh (epsilon x / (2 * sqrt 2 * T x)))
    with (sqrt 2 * tanh (epsilon x / (2 * sqrt 2 * T x)) / epsilon x) by (field; lra).
  apply Rmult_le_compat_r; [now apply Rlt_le, Rinv_0_lt_compat|].
  eapply Rle_trans; [apply norm_difference|].
  { unfold a_. rewrite (proj2 (softmax_are_weights (L x) (T x) _ HL)).
    symmetry. apply softmax_are_weights; easy. }
  apply Rmult_le_compat_l; [lra|]. eapply Rle_trans; [now apply softmax_variation|].
  apply tanh_le. pose proof (range_le (L x) (step_ x (epsilon x)) HL) as R.
  rewrite step_norm in R by easy.
  replace (epsilon x / (2 * sqrt 2 * T x)) with (sqrt 2 * epsilon x / T x / 4).
  - apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat_r; [now apply Rlt_le, Rinv_0_lt_compat|easy].
  - pose proof (sqrt_def 2 ltac:(lra)) as E.
    replace (epsilon x / (2 * sqrt 2 * T x)) with (sqrt 2 * epsilon x / (2 * (sqrt 2 * sqrt 2) * T x))
      by (field; lra).
    rewrite E. field. lra.
Qed.

(** Two tokens: what one weight gains the other loses. *)
Lemma norm_two u : u 1%nat = - u 0%nat -> norm 2 u = sqrt 2 * Rabs (u 0%nat).
Proof.
  intros E. unfold norm. cbn. rewrite E, <- sqrt_Rsqr_abs, <- sqrt_mult_alt by lra.
  f_equal. unfold Rsqr. ring.
Qed.

Lemma softmax_two (l : vector) : softmax 2 1 l 0%nat = / (1 + exp (l 1%nat - l 0%nat)) /\
  softmax 2 1 l 1%nat = 1 - / (1 + exp (l 1%nat - l 0%nat)).
Proof.
  unfold softmax, weights; cbn. rewrite !Rdiv_1, Rplus_0_l.
  replace (exp (l 1%nat)) with (exp (l 1%nat - l 0%nat) * exp (l 0%nat))
    by (rewrite <- exp_plus; f_equal; ring).
  pose proof (exp_pos (l 0%nat)). pose proof (exp_pos (l 1%nat - l 0%nat)). split; field; nra.
Qed.

Lemma g_two l v e r : norm 2 v = sqrt 2 -> v 1%nat = - v 0%nat ->
  g_ (DirectedRow (SoftmaxRow 2 l 1) e v) r =
  sqrt 2 * Rabs (/ (1 + exp (l 1%nat - l 0%nat - sqrt 2 * r * v 0%nat))
    - / (1 + exp (l 1%nat - l 0%nat))) / r.
Proof.
  intros N E.
  change (norm 2 (fun i => softmax 2 1 (fun j => l j + r * (v j / norm 2 v)) i - softmax 2 1 l i) / r
    = sqrt 2 * Rabs (/ (1 + exp (l 1%nat - l 0%nat - sqrt 2 * r * v 0%nat))
    - / (1 + exp (l 1%nat - l 0%nat))) / r).
  f_equal. rewrite N.
  set (b := softmax 2 1 (fun j => l j + r * (v j / sqrt 2))).
  destruct (softmax_two l) as [A0 A1].
  destruct (softmax_two (fun j => l j + r * (v j / sqrt 2))) as [B0 B1]. fold b in B0, B1.
  rewrite norm_two by (rewrite A0, A1, B0, B1; ring).
  rewrite A0, B0. do 6 f_equal. rewrite E.
  assert (H2 : 0 < sqrt 2) by (apply sqrt_lt_R0; lra). pose proof (sqrt_def 2 ltac:(lra)) as D.
  replace (sqrt 2 * r * v 0%nat) with (sqrt 2 * sqrt 2 * (r * (v 0%nat / sqrt 2))) by (field; lra).
  rewrite D. field. lra.
Qed.

Lemma sqrt2_bounds : 141 / 100 < sqrt 2 < 142 / 100.
Proof.
  pose proof (sqrt_def 2 ltac:(lra)). pose proof (sqrt_pos 2). split; nra.
Qed.

(** From equal logits: the weights move from 1/2 by more than 0.2 each, over a step of 1. *)
Theorem corollary3_step_printed_refuted : ~ holds corollary3_step_printed.
Proof.
  set (v := fun i => if (i =? 0)%nat then 1 else -1).
  assert (N : norm 2 v = sqrt 2) by (unfold norm; cbn; f_equal; ring).
  pose proof sqrt2_bounds as B.
  apply (refute corollary3_step_printed (DirectedRow (SoftmaxRow 2 (fun _ => 0) 1) 1 v)).
  - split; [split; cbn; [lia|lra]|]. split; [cbn; lra|]. change (0 < norm 2 v). rewrite N. lra.
  - cbn [lhs rhs corollary3_step_printed epsilon T from].
    eapply Rle_lt_trans; [apply Rmin_l|]. rewrite g_two by (easy || (unfold v; cbn; lra)).
    unfold v; cbn. replace (0 - 0 - sqrt 2 * 1 * 1) with (- sqrt 2) by ring.
    replace (0 - 0) with 0 by ring. rewrite exp_0, exp_Ropp.
    pose proof (exp_ineq1 (sqrt 2) ltac:(lra)).
    assert (/ exp (sqrt 2) < / 2) by (apply Rinv_lt_contravar; lra).
    assert (0 < / exp (sqrt 2)) by (apply Rinv_0_lt_compat; lra).
    assert (/ (3 / 2) <= / (1 + / exp (sqrt 2))) by (apply Rinv_le_contravar; lra).
    assert (/ (2412 / 1000) > 0) by lra.
    assert (E : / (1 + / exp (sqrt 2)) = 1 - / (1 + exp (sqrt 2))) by (field; lra).
    assert (/ (1 + exp (sqrt 2)) < / (341 / 100)) by (apply Rinv_lt_contravar; nra).
    rewrite E, Rabs_pos_eq by lra. nra.
Qed.

(** (e^s - 1)/(e^s + u) is what a weight 1/(1 + u) gains, but for a factor, where the gap of the
    logits closes by s: over 100 t it is more than 100 times what it is over t. *)
Theorem corollary3_step_order_refuted : ~ holds corollary3_step_order.
Proof.
  set (v := fun i => if (i =? 0)%nat then -1 else 1). set (l := fun i => if (i =? 0)%nat then 10 else 0).
  assert (N : norm 2 v = sqrt 2) by (unfold norm; cbn; f_equal; ring).
  pose proof sqrt2_bounds as B.
  apply (refute corollary3_step_order (TwoSteps (DirectedRow (SoftmaxRow 2 l 1) (1 / 1000) v) (1 / 10))).
  - split; [|cbn; lra]. split; [split; cbn; [lia|lra]|]. split; [cbn; lra|].
    change (0 < norm 2 v). rewrite N. lra.
  - cbn [lhs rhs corollary3_step_order epsilon larger_epsilon step].
    rewrite !g_two by (easy || (unfold v; cbn; lra)). unfold v, l; cbn.
    set (t := sqrt 2 / 1000).
    replace (0 - 10 - sqrt 2 * (1 / 1000) * -1) with (t - 10) by (unfold t; field).
    replace (0 - 10 - sqrt 2 * (1 / 10) * -1) with (100 * t - 10) by (unfold t; field).
    replace (0 - 10) with (- (10)) by ring.
    assert (Ht : 141 / 100000 < t < 142 / 100000) by (unfold t; lra).
    set (u := exp 10). assert (Hu : 11 < u) by (unfold u; pose proof (exp_ineq1 10 ltac:(lra)); lra).
    assert (X : forall s, exp (s - 10) = exp s / u).
    { intros s. unfold Rminus. rewrite exp_plus, exp_Ropp. easy. }
    assert (G : forall s, 0 < s -> Rabs (/ (1 + exp (s - 10)) - / (1 + exp (- (10))))
      = u / (1 + u) * ((exp s - 1) / (exp s + u))).
    { intros s Hs. pose proof (exp_ineq1 s ltac:(lra)). rewrite X, exp_Ropp. fold u.
      rewrite <- Rabs_Ropp, Rabs_pos_eq.
      - field. repeat split; lra.
      - replace (- (_ - _)) with (u / (1 + u) * ((exp s - 1) / (exp s + u))) by (field; repeat split; lra).
        apply Rmult_le_pos; apply Rlt_le, Rdiv_lt_0_compat; lra. }
    rewrite !G by lra.
    replace (sqrt 2 * (u / (1 + u) * ((exp t - 1) / (exp t + u))) / (1 / 1000))
      with (sqrt 2 * (u / (1 + u)) * 10 * (100 * ((exp t - 1) / (exp t + u))))
      by (pose proof (exp_pos t); field; lra).
    replace (sqrt 2 * (u / (1 + u) * ((exp (100 * t) - 1) / (exp (100 * t) + u))) / (1 / 10))
      with (sqrt 2 * (u / (1 + u)) * 10 * ((exp (100 * t) - 1) / (exp (100 * t) + u)))
      by (pose proof (exp_pos (100 * t)); field; lra).
    apply Rmult_lt_compat_l.
    { apply Rmult_lt_0_compat; [|lra]. apply Rmult_lt_0_compat; [lra|]. apply Rdiv_lt_0_compat; lra. }
    assert (up : forall s, 0 < s < 1 -> exp s <= 1 + s / (1 - s)).
    { intros s Hs. pose proof (exp_ineq1_le (- s)) as E. rewrite exp_Ropp in E. pose proof (exp_pos s).
      replace (1 + s / (1 - s)) with (/ (1 - s)) by (field; lra).
      rewrite <- (Rinv_inv (exp s)). apply Rinv_le_contravar; lra. }
    assert (Es : 1 + 100 * t + 2500 * t^2 <= exp (100 * t)).
    { replace (100 * t) with (50 * t + 50 * t) at 2 by ring. rewrite exp_plus.
      pose proof (exp_ineq1_le (50 * t)). nra. }
    pose proof (up (100 * t) ltac:(lra)) as Us. pose proof (up t ltac:(lra)) as Ut.
    assert (S1 : 100 * t / (1 - 100 * t) <= 17 / 100).
    { apply Rmult_le_reg_r with (1 - 100 * t); [lra|]. field_simplify; lra. }
    assert (T1 : t / (1 - t) <= t * (1002 / 1000)).
    { apply Rmult_le_reg_r with (1 - t); [lra|]. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l by lra. nra. }
    pose proof (exp_ineq1 t ltac:(lra)) as Lt. pose proof (exp_pos (100 * t)).
    apply Rle_lt_trans with (100 * (t * (1002 / 1000)) / (1 + u)).
    + unfold Rdiv at 1. rewrite <- Rmult_assoc. apply Rmult_le_compat; try lra.
      * apply Rlt_le, Rinv_0_lt_compat; lra.
      * apply Rinv_le_contravar; lra.
    + apply Rlt_le_trans with ((100 * t + 2500 * t^2) / (117 / 100 + u)).
      * apply Rmult_lt_reg_r with ((1 + u) * (117 / 100 + u)); [nra|].
        replace (100 * (t * (1002 / 1000)) / (1 + u) * ((1 + u) * (117 / 100 + u)))
          with (t * (1002 / 10 * (117 / 100 + u))) by (field; lra).
        replace ((100 * t + 2500 * t^2) / (117 / 100 + u) * ((1 + u) * (117 / 100 + u)))
          with (t * ((100 + 2500 * t) * (1 + u))) by (field; lra).
        apply Rmult_lt_compat_l; [lra|nra].
      * apply Rmult_le_compat; try nra.
        -- apply Rlt_le, Rinv_0_lt_compat; lra.
        -- apply Rinv_le_contravar; lra.
Qed.

(** ** softmax.cocoercive *)

(** Means of c under the weights of l + t h, and their derivative, the covariance with h/T. *)
Section Line.
Variables (n : nat) (T : R) (l h : vector).
Hypothesis Hn : (0 < n)%nat.
Hypothesis HT : 0 < T.
Let s t := softmax n T (fun i => l i + t * h i).

Lemma quotient_derive (N S N' S' : R -> R) t : 0 < S t ->
  is_derive N t (N' t) -> is_derive S t (S' t) ->
  is_derive (fun t => N t / S t) t (N' t / S t - N t / S t * (S' t / S t)).
Proof.
  intros HS DN DS. derive; [lra|]. field. lra.
Qed.

Lemma exp_sum_derive c t :
  is_derive (fun t => \sum_(i < n) (c i * exp ((l i + t * h i) / T))) t
    (\sum_(i < n) (c i * (h i / T) * exp ((l i + t * h i) / T))).
Proof.
  apply (is_derive_sum n (fun i t => c i * exp ((l i + t * h i) / T))
    (fun i => c i * (h i / T) * exp ((l i + t * h i) / T))).
  intros i _. derive. unfold Rdiv. ring.
Qed.

Lemma mean_derive c t : is_derive (fun t => dot n c (s t)) t (form n (spread (s t)) c h / T).
Proof.
  set (N := fun t => \sum_(i < n) (c i * exp ((l i + t * h i) / T))).
  set (S := fun t => \sum_(i < n) (1 * exp ((l i + t * h i) / T))).
  assert (HS : forall t, 0 < S t).
  { intros r. apply sum_pos; [easy|]. intros i _. rewrite Rmult_1_l. apply exp_pos. }
  assert (ES : forall t, \sum_(i < n) exp ((l i + t * h i) / T) = S t).
  { intros r. apply sum_ext; intros; ring. }
  assert (M : forall c t, dot n c (s t) = (\sum_(i < n) (c i * exp ((l i + t * h i) / T))) / S t).
  { intros e r. unfold dot, s, softmax, weights. rewrite ES, <- sum_div. apply sum_ext; intros i _.
    unfold Rdiv. ring. }
  apply is_derive_ext with (fun t => N t / S t); [intros r; symmetry; apply M|].
  assert (EF : form n (spread (s t)) c h / T =
    (\sum_(i < n) (c i * (h i / T) * exp ((l i + t * h i) / T))) / S t
     - N t / S t * ((\sum_(i < n) (1 * (h i / T) * exp ((l i + t * h i) / T))) / S t)).
  { transitivity (dot n (fun i => c i * (h i / T)) (s t)
      - dot n c (s t) * dot n (fun i => 1 * (h i / T)) (s t)).
    2: { rewrite !M. reflexivity. }
    rewrite form_covariance. unfold dot.
    assert (E1 : \sum_(i < n) (c i * (h i / T) * s t i) = (\sum_(i < n) (s t i * (c i * h i))) / T).
    { rewrite <- sum_div. apply sum_ext; intros; unfold Rdiv; ring. }
    assert (E2 : \sum_(i < n) (1 * (h i / T) * s t i) = (\sum_(i < n) (s t i * h i)) / T).
    { rewrite <- sum_div. apply sum_ext; intros; unfold Rdiv; ring. }
    assert (E3 : \sum_(i < n) (c i * s t i) = \sum_(i < n) (s t i * c i)) by (apply sum_ext; intros; ring).
    rewrite E1, E2, E3. unfold Rdiv. ring. }
  rewrite EF. apply (quotient_derive N S
    (fun t => \sum_(i < n) (c i * (h i / T) * exp ((l i + t * h i) / T)))
    (fun t => \sum_(i < n) (1 * (h i / T) * exp ((l i + t * h i) / T)))).
  - apply HS.
  - apply (exp_sum_derive c t).
  - apply (exp_sum_derive (fun _ => 1) t).
Qed.
End Line.

(** With u = b - a, u . J h <= ||u||^2/2 + h . J h/(4T) at every point between, by 2 x y <= x^2 + y^2
    in the form J and ||J|| <= 1/(2T); integrate. *)
Theorem softmax_cocoercive_proved : holds softmax_cocoercive.
Proof.
  intros x [HL HT]. cbn [lhs rhs softmax_cocoercive]. set (u := fun i => b_ x i - a_ x i). set (k := / (4 * T x)).
  assert (Hk : 0 < k) by (apply Rinv_0_lt_compat; lra).
  set (s := fun t => softmax (L x) (T x) (fun i => l x i + t * h x i)).
  set (c := fun i => u i - k * h x i).
  set (f := fun t => t * ((norm (L x) u)^2 / 2) - dot (L x) c (s t)).
  set (f' := fun t => (norm (L x) u)^2 / 2 - form (L x) (spread (s t)) c (h x) / T x).
  assert (D : forall t, is_derive f t (f' t)).
  { intros t. pose proof (mean_derive (L x) (T x) (l x) (h x) HL c t).
    unfold f, f'. derive. fold (s t). ring. }
  assert (lin : forall t v w r, form (L x) (spread (s t)) (fun i => v i - r * w i) (h x)
    = form (L x) (spread (s t)) v (h x) - r * form (L x) (spread (s t)) w (h x)).
  { intros t v w r. unfold form, dot. rewrite <- sum_scal, <- sum_minus. apply sum_ext; intros; ring. }
  assert (N : forall t, 0 <= f' t).
  { intros t. unfold f', c. rewrite lin.
    assert (W : are_weights (L x) (s t)) by now apply softmax_are_weights.
    (* the form of u - h/(2T) is not negative *)
    pose proof (form_spread_nonneg (L x) (s t) W (fun i => u i - / (2 * T x) * h x i)) as P.
    pose proof (spread_half (L x) (s t) u W) as H2.
    assert (exp : form (L x) (spread (s t)) (fun i => u i - / (2 * T x) * h x i)
        (fun i => u i - / (2 * T x) * h x i) = form (L x) (spread (s t)) u u
        - 2 * / (2 * T x) * form (L x) (spread (s t)) u (h x)
        + (/ (2 * T x))^2 * form (L x) (spread (s t)) (h x) (h x)).
    { rewrite !form_covariance by easy. unfold dot.
      rewrite (sum_ext (L x) (fun i => s t i * ((u i - / (2 * T x) * h x i) * (u i - / (2 * T x) * h x i)))
        (fun i => s t i * (u i * u i) - 2 * / (2 * T x) * (s t i * (u i * h x i))
          + (/ (2 * T x))^2 * (s t i * (h x i * h x i)))) by (intros; ring).
      rewrite (sum_ext (L x) (fun i => s t i * (u i - / (2 * T x) * h x i))
        (fun i => s t i * u i - / (2 * T x) * (s t i * h x i))) by (intros; ring).
      rewrite sum_plus, !sum_minus, !sum_scal. ring. }
    rewrite exp in P. clear exp.
    set (Fuu := form (L x) (spread (s t)) u u) in *. set (Fuh := form (L x) (spread (s t)) u (h x)) in *.
    set (Fhh := form (L x) (spread (s t)) (h x) (h x)) in *.
    replace ((Fuh - k * Fhh) / T x) with (2 * / (2 * T x) * Fuh - (/ (2 * T x))^2 * Fhh)
      by (unfold k; field; lra). lra. }
  pose proof (grows f f' 0 1 Rle_0_1 (fun t _ => D t) (fun t _ => N t)) as E1. unfold f in E1.
  assert (Es : dot (L x) c (s 1) - dot (L x) c (s 0) = dot (L x) u u - k * dot (L x) u (h x)).
  { unfold dot. rewrite <- sum_minus, <- sum_scal, <- sum_minus. apply sum_ext; intros i _.
    assert (S1 : s 1 i = b_ x i) by (apply softmax_ext; intros; ring).
    assert (S0 : s 0 i = a_ x i) by (apply softmax_ext; intros; ring).
    rewrite S1, S0. unfold c, u. ring. }
  rewrite dot_self, <- norm_sqr in Es.
  assert (K : k * (4 * T x) = 1) by (unfold k; field; lra).
  assert ((norm (L x) u)^2 / 2 <= k * dot (L x) u (h x)) by lra.
  apply Rmult_le_compat_r with (r := 4 * T x) in H; [|lra].
  replace (k * dot (L x) u (h x) * (4 * T x)) with (k * (4 * T x) * dot (L x) u (h x)) in H by ring.
  rewrite K in H. lra.
Qed.
