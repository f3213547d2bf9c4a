(** 1.5-entmax. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Coquelicot Require Import Coquelicot.
From Limits Require Import Basics Vectors Weights Row Claim Corollary3.
From Limits Require Lemma2.
Open Scope R_scope.

(** u_i = max(z_i/2 - tau, 0), with tau such that the weights u_i^2 have sum 1. The gradient is that
    of the implicit function, (diag u - u u^T/sum u)/T: here it is a definition. *)
Record entmax_row := EntmaxRow { row :> softmax_row; tau : R }.
Definition u_ (x : entmax_row) : vector := fun i => Rmax (l x i / T x / 2 - tau x) 0.
Definition is_entmax_row (x : entmax_row) : Prop :=
  (2 <= L x)%nat /\ 0 < T x /\ \sum_(i < L x) (u_ x i)^2 = 1.
Definition entmax_gradient (x : entmax_row) : matrix := fun i j =>
  ((if (i =? j)%nat then u_ x i else 0) - u_ x i * u_ x j / \sum_(k < L x) u_ x k) / T x.

Definition lipschitz_entmax_any_length : claim := {|
  case := entmax_row;
  hypotheses := is_entmax_row;
  lhs x := spectral_norm (L x) (L x) (entmax_gradient x);
  rhs x := 1 / (sqrt 2 * T x)
|}.

Record ranked_entmax_row := RankedEntmaxRow { ranked :> entmax_row; first : nat; second : nat }.

Definition lipschitz_entmax : claim := {|
  case := ranked_entmax_row;
  hypotheses x := is_entmax_row x /\ two_largest (L x) (u_ x) (first x) (second x);
  lhs x := spectral_norm (L x) (L x) (entmax_gradient x);
  rhs x := u_ x (first x) * (1 - (u_ x (first x) - u_ x (second x)) / \sum_(k < L x) u_ x k) / T x
|}.

Section Shares.
Variable x : entmax_row.
Hypothesis H : is_entmax_row x.
Let U := \sum_(k < L x) u_ x k.
Definition p_ : vector := fun i => u_ x i / \sum_(k < L x) u_ x k.

Lemma u_nonneg i : 0 <= u_ x i.
Proof. apply Rmax_r. Qed.

Lemma U_pos : 0 < U.
Proof.
  assert (P : 0 <= U) by (apply sum_nonneg; intros; apply u_nonneg). destruct P as [|E]; [easy|].
  exfalso. destruct H as (_ & _ & S).
  rewrite (sum_zero (L x)) in S; [lra|]. intros i Hi.
  pose proof (term_le_sum (L x) i (u_ x) (fun j _ => u_nonneg j) Hi) as Q. change (u_ x i <= U) in Q.
  pose proof (u_nonneg i). replace (u_ x i) with 0 by lra. ring.
Qed.

Lemma shares_are_weights : are_weights (L x) p_.
Proof.
  pose proof U_pos as P. split.
  - intros i _. apply Rmult_le_pos; [apply u_nonneg|now apply Rlt_le, Rinv_0_lt_compat].
  - unfold p_. rewrite sum_div. change (U / U = 1). field. lra.
Qed.

(** J = (sum u)(diag p - p p^T)/T. *)
Lemma entmax_norm : spectral_norm (L x) (L x) (entmax_gradient x) =
  spectral_norm (L x) (L x) (spread p_) / (T x / U).
Proof.
  pose proof U_pos as P. destruct H as (_ & HT & _).
  rewrite <- spectral_norm_div by now apply Rdiv_lt_0_compat.
  apply spectral_norm_ext; intros i j _ _. unfold entmax_gradient, spread, p_. fold U.
  destruct (i =? j)%nat; field; lra.
Qed.
End Shares.

Theorem lipschitz_entmax_proved : holds lipschitz_entmax.
Proof.
  intros x [H R]. cbn [lhs rhs lipschitz_entmax]. rewrite entmax_norm by easy.
  pose proof (U_pos x H) as P. pose proof H as (_ & HT & _). set (U := \sum_(k < L x) u_ x k) in *.
  pose proof (Lemma2.spread_norm_local (L x) (p_ x) (first x) (second x) (shares_are_weights x H)) as B.
  assert (HP : 0 < / U) by now apply Rinv_0_lt_compat.
  assert (R' : two_largest (L x) (p_ x) (first x) (second x)).
  { destruct R as (H1 & H2 & H12 & O & A). unfold p_. fold U. repeat split; try easy.
    - apply Rmult_le_compat_r; lra.
    - intros i Hi Hn. apply Rmult_le_compat_r; [lra|auto]. }
  specialize (B R').
  apply Rmult_le_compat_r with (r := / (T x / U)) in B; [|apply Rlt_le, Rinv_0_lt_compat, Rdiv_lt_0_compat; easy].
  eapply Rle_trans; [exact B|]. right. unfold p_. fold U. field. lra.
Qed.

Lemma sqrt2_lower : 14142 / 10000 < sqrt 2.
Proof. pose proof (sqrt_def 2 ltac:(lra)). pose proof (sqrt_pos 2). nra. Qed.

(** One logit 13/8 and 47 of 0: u = (c, b, ..., b) with c - b = 13/16 and c^2 + 47 b^2 = 1. The norm
    is at least 48 c b/(c + 47 b) = 0.70757..., above 1/sqrt 2. *)
Theorem lipschitz_entmax_any_length_refuted : ~ holds lipschitz_entmax_any_length.
Proof.
  set (s := sqrt 4345). assert (Hs : s * s = 4345) by (apply sqrt_def; lra).
  assert (P : 659/10 < s < 66) by (pose proof (sqrt_pos 4345); fold s in H; split; nra).
  set (b := (s - 13) / 768).
  assert (Hb : 48 * (b * b) + 13/8 * b = 87/256).
  { unfold b. replace (48 * ((s - 13) / 768 * ((s - 13) / 768)) + 13 / 8 * ((s - 13) / 768))
      with ((s * s - 169) * 48 / (768 * 768)) by field. rewrite Hs. field. }
  assert (Pb : 688/10000 < b < 70/1000) by (unfold b; lra).
  set (x := EntmaxRow (SoftmaxRow 48 (fun i => if (i =? 0)%nat then 13/8 else 0) 1) (- b)).
  assert (u0 : u_ x 0 = 13/16 + b) by (unfold u_; cbn; rewrite Rmax_left; lra).
  assert (u1 : forall i, i <> 0%nat -> u_ x i = b).
  { intros i Hi. unfold u_; cbn. rewrite (proj2 (Nat.eqb_neq i 0) Hi), Rmax_left; lra. }
  assert (K : forall f c, (forall i, i <> 0%nat -> f i = c) -> sum 48 f = f 0%nat + 47 * c).
  { intros f c E. rewrite (sum_split 48 0) by lia. f_equal.
    rewrite (sum_ext 48 _ (fun i => if (i =? 0)%nat then 0 else c)).
    - rewrite sum_others_const by lia. replace (INR 48) with 48 by (cbn; ring). ring.
    - intros i _. destruct (Nat.eqb_spec i 0); auto. }
  assert (H : is_entmax_row x).
  { split; [cbn; lia|]. split; [cbn; lra|]. change (L x) with 48%nat.
    rewrite (K _ (b^2)) by (intros i Hi; now rewrite u1). rewrite u0. nra. }
  apply (refute lipschitz_entmax_any_length x H). cbn [lhs rhs lipschitz_entmax_any_length].
  rewrite entmax_norm by easy. pose proof (shares_are_weights x H) as W.
  assert (EU : \sum_(k < L x) u_ x k = 13/16 + 48 * b).
  { change (L x) with 48%nat. rewrite (K _ b) by easy. rewrite u0. ring. }
  assert (p0 : p_ x 0 = (13/16 + b) / (13/16 + 48 * b)) by (unfold p_; now rewrite EU, u0).
  pose proof (spread_one (L x) (p_ x) 0 ltac:(cbn; lia) W ltac:(cbn; lia)) as B.
  rewrite EU. change (T x) with 1. change (L x) with 48%nat in *.
  replace (INR 48) with 48 in B by (cbn; ring). rewrite p0 in B.
  set (N := spectral_norm 48 48 (spread (p_ x))) in *.
  replace (N / (1 / (13/16 + 48 * b))) with (N * (13/16 + 48 * b)) by (field; lra).
  replace (48 / (48 - 1) * ((13/16 + b) / (13/16 + 48 * b) * (1 - (13/16 + b) / (13/16 + 48 * b))))
    with ((48 * (b * b) + 39 * b) / (13/16 + 48 * b) / (13/16 + 48 * b)) in B by (field; lra).
  apply Rmult_le_compat_r with (r := 13/16 + 48 * b) in B; [|lra].
  replace ((48 * (b * b) + 39 * b) / (13/16 + 48 * b) / (13/16 + 48 * b) * (13/16 + 48 * b))
    with ((48 * (b * b) + 39 * b) / (13/16 + 48 * b)) in B by (field; lra).
  eapply Rlt_le_trans; [|exact B]. pose proof sqrt2_lower as S2.
  apply Rmult_lt_reg_r with (sqrt 2 * (13/16 + 48 * b)); [apply Rmult_lt_0_compat; lra|].
  replace (1 / (sqrt 2 * 1) * (sqrt 2 * (13/16 + 48 * b))) with (13/16 + 48 * b) by (field; lra).
  replace ((48 * (b * b) + 39 * b) / (13/16 + 48 * b) * (sqrt 2 * (13/16 + 48 * b)))
    with (sqrt 2 * (48 * (b * b) + 39 * b)) by (field; lra).
  replace (48 * (b * b) + 39 * b) with (87/256 + 299/8 * b) by lra.
  apply Rlt_le_trans with (14142/10000 * (87/256 + 299/8 * b)); [lra|].
  apply Rmult_le_compat_r; lra.
Qed.
