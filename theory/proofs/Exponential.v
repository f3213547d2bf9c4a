(** That the exponential grows, and the logarithm, its inverse, without excluded middle, on which the
    library's proofs rest. What bears a name of the library states the same. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From Limits Require Import Calculus.
Open Scope R_scope.

Lemma exp_le x y : x <= y -> exp x <= exp y.
Proof.
  intros H. apply (grows exp exp); [easy| |].
  - intros t _. apply is_derive_exp.
  - intros t _. apply Rlt_le, exp_pos.
Qed.

Lemma exp_ineq1_le x : 1 + x <= exp x.
Proof.
  destruct (Rle_lt_dec 0 x) as [H|H].
  - enough (exp 0 - 0 <= exp x - x) by (rewrite exp_0 in *; lra).
    apply (grows (fun t => exp t - t) (fun t => exp t - 1)); [easy| |].
    + intros t _. derive. ring.
    + intros t [Ht _]. apply exp_le in Ht. rewrite exp_0 in Ht. lra.
  - enough (x - exp x <= 0 - exp 0) by (rewrite exp_0 in *; lra).
    apply (grows (fun t => t - exp t) (fun t => 1 - exp t)); [lra| |].
    + intros t _. derive. ring.
    + intros t [_ Ht]. apply exp_le in Ht. rewrite exp_0 in Ht. lra.
Qed.

Lemma exp_ineq1 x : x <> 0 -> 1 + x < exp x.
Proof.
  intros H. replace x with (x / 2 + x / 2) at 2 by field. rewrite exp_plus.
  pose proof (exp_ineq1_le (x / 2)). pose proof (exp_pos (x / 2)).
  destruct (Rle_lt_dec (1 + x / 2) 0); [nra|].
  assert (0 < (x / 2) * (x / 2)) by (destruct (Rdichotomy _ _ H); nra). nra.
Qed.

Lemma exp_increasing x y : x < y -> exp x < exp y.
Proof.
  intros H. replace y with (x + (y - x)) by ring. rewrite exp_plus.
  pose proof (exp_pos x). pose proof (exp_ineq1 (y - x) ltac:(lra)). nra.
Qed.

(** exp(-1/x) < x < exp(x). *)
Lemma log_exists x : 0 < x -> {y | exp y = x}.
Proof.
  intros H. pose proof (Rinv_0_lt_compat x H) as Hi.
  destruct (IVT (fun y => exp y - x) (- / x) x) as (y & _ & E).
  - apply derivable_continuous, derivable_minus; [apply derivable_exp|apply derivable_const].
  - lra.
  - rewrite exp_Ropp. enough (/ exp (/ x) < / / x) by (rewrite Rinv_inv in *; lra).
    pose proof (exp_ineq1 (/ x) ltac:(lra)). apply Rinv_lt_contravar; [apply Rmult_lt_0_compat|]; lra.
  - pose proof (exp_ineq1 x ltac:(lra)). lra.
  - exists y. lra.
Qed.

Definition log (x : R) : R := match Rlt_dec 0 x with left H => proj1_sig (log_exists x H) | right _ => 0 end.

Lemma exp_log x : 0 < x -> exp (log x) = x.
Proof. intros H. unfold log. destruct Rlt_dec; [|easy]. exact (proj2_sig (log_exists x _)). Qed.

Lemma exp_inv x y : exp x = exp y -> x = y.
Proof.
  intros E. destruct (Rtotal_order x y) as [H|[H|H]]; [|easy|]; apply exp_increasing in H; lra.
Qed.

Lemma log_exp x : log (exp x) = x.
Proof. apply exp_inv, exp_log, exp_pos. Qed.

Lemma log_1 : log 1 = 0.
Proof. rewrite <- exp_0. apply log_exp. Qed.

Lemma log_mult x y : 0 < x -> 0 < y -> log (x * y) = log x + log y.
Proof. intros Hx Hy. apply exp_inv. rewrite exp_plus, !exp_log by (try apply Rmult_lt_0_compat; easy). easy. Qed.

Lemma log_Rinv x : 0 < x -> log (/ x) = - log x.
Proof. intros H. apply exp_inv. rewrite exp_Ropp, !exp_log by (try apply Rinv_0_lt_compat; easy). easy. Qed.

Lemma log_div x y : 0 < x -> 0 < y -> log (x / y) = log x - log y.
Proof. intros Hx Hy. unfold Rdiv. rewrite log_mult, log_Rinv by (try apply Rinv_0_lt_compat; easy). easy. Qed.

Lemma log_increasing x y : 0 < x -> x < y -> log x < log y.
Proof.
  intros Hx Hy. apply Rnot_le_lt. intros H. apply exp_le in H. rewrite !exp_log in H; lra.
Qed.

Lemma log_le_minus_1 x : 0 < x -> log x <= x - 1.
Proof. intros H. pose proof (exp_ineq1_le (log x)) as E. rewrite exp_log in E by easy. lra. Qed.

(** h/(x + h) <= log (x + h) - log x <= h/x. *)
Lemma is_derive_log x : 0 < x -> is_derive log x (/ x).
Proof.
  intros Hx. apply is_derive_Reals. intros e He.
  assert (Hr : 0 < Rmin (x / 2) (e * (x * x) / 2)).
  { apply Rmin_glb_lt; [lra|]. apply Rdiv_lt_0_compat; [|lra]. repeat apply Rmult_lt_0_compat; easy. }
  exists (mkposreal _ Hr). intros h H0 H. cbn in H.
  assert (H1 : Rabs h < x / 2) by (eapply Rlt_le_trans; [exact H|apply Rmin_l]).
  assert (H2 : Rabs h < e * (x * x) / 2) by (eapply Rlt_le_trans; [exact H|apply Rmin_r]).
  pose proof (Rabs_def2 _ _ H1).
  pose proof (log_le_minus_1 ((x + h) / x) ltac:(apply Rdiv_lt_0_compat; lra)) as U.
  pose proof (log_le_minus_1 (x / (x + h)) ltac:(apply Rdiv_lt_0_compat; lra)) as V.
  rewrite log_div in U, V by lra. set (d := log (x + h) - log x) in *.
  replace ((x + h) / x - 1) with (h / x) in U by (field; lra).
  replace (x / (x + h) - 1) with (- (h / (x + h))) in V by (field; lra).
  replace (log x - log (x + h)) with (- d) in V by (unfold d; ring).
  assert (W : Rabs (d - h / x) <= h / x - h / (x + h)) by (rewrite Rabs_left1; lra).
  replace (h / x - h / (x + h)) with (Rabs h * (Rabs h / (x * (x + h)))) in W.
  2: { transitivity (h * h / (x * (x + h))); [|field; lra]. unfold Rdiv. rewrite <- Rmult_assoc.
       f_equal. rewrite <- Rabs_mult. apply Rabs_pos_eq. nra. }
  replace (d / h - / x) with ((d - h / x) / h) by (field; lra).
  pose proof (Rabs_pos_lt h H0) as Hh. unfold Rdiv at 1. rewrite Rabs_mult, Rabs_inv.
  apply Rmult_lt_reg_r with (Rabs h); [easy|]. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  eapply Rle_lt_trans; [exact W|]. rewrite (Rmult_comm e). apply Rmult_lt_compat_l; [easy|].
  apply Rmult_lt_reg_r with (x * (x + h)); [nra|]. field_simplify; [|lra]. nra.
Qed.

Lemma derive_log (f : R -> R) t f' : is_derive f t f' -> 0 < f t -> is_derive (fun t => log (f t)) t (f' / f t).
Proof. intros D H. exact (is_derive_comp log f t _ f' (is_derive_log (f t) H) D). Qed.

(** The library's logarithm is the same function; of all statements here this alone assumes [classic]. *)
Lemma log_ln x : log x = ln x.
Proof.
  destruct (Rlt_dec 0 x) as [H|H].
  - apply exp_inv. now rewrite exp_log, exp_ln.
  - unfold log, ln. now destruct Rlt_dec.
Qed.
