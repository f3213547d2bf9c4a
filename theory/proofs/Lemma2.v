(** Lemma 2: the gradient of normalised weights. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Coquelicot Require Import Coquelicot.
From Limits Require Import Basics Vectors Weights Row Claim Corollary3.
Open Scope R_scope.

(** Logits and a normaliser F > 0 that has a derivative at each of them, F'. *)
Record normalized_row := NormalizedRow { L : nat; F : R -> R; F' : R -> R; l : vector }.
Definition is_normalized_row (x : normalized_row) : Prop :=
  (2 <= L x)%nat /\ (forall y, 0 < F x y) /\
  forall i, (i < L x)%nat -> is_derive (F x) (l x i) (F' x (l x i)).

Section Terms.
Variable x : normalized_row.
Definition a_ : vector := weights (L x) (F x) (l x).
Definition J_ : matrix := gradient (weights (L x) (F x)) (l x).
Definition S_ : R := \sum_(i < L x) F x (l x i).
Definition max_F : R := Max (L x) (fun i => F x (l x i)).
Definition min_F : R := Min (L x) (fun i => F x (l x i)).
Definition max_F' : R := Max (L x) (fun i => Rabs (F' x (l x i))).
Definition max_ratio : R := Max (L x) (fun i => Rabs (F' x (l x i) / F x (l x i))).
End Terms.

(** ** Claims *)

Definition lemma2 : claim := {|
  case := normalized_row;
  hypotheses := is_normalized_row;
  lhs x := spectral_norm (L x) (L x) (J_ x);
  rhs x := max_F' x * (1 / (INR (L x) * min_F x) + max_F x / (INR (L x) * (min_F x)^2))
|}.

Definition lemma2_sharp : claim := {|
  case := normalized_row;
  hypotheses := is_normalized_row;
  lhs x := spectral_norm (L x) (L x) (J_ x);
  rhs x := / 2 * max_ratio x
|}.

Definition lemma2_oblique : claim := {|
  case := normalized_row;
  hypotheses := is_normalized_row;
  lhs x := spectral_norm (L x) (L x) (J_ x);
  rhs x := sqrt (INR (L x)) * norm (L x) (a_ x) * max_F' x / S_ x
|}.

(** With the places of the two largest weights. *)
Record ranked_normalized_row :=
  RankedNormalizedRow { row :> normalized_row; first : nat; second : nat }.

Definition lemma2_local : claim := {|
  case := ranked_normalized_row;
  hypotheses x := is_normalized_row x /\ two_largest (L x) (a_ x) (first x) (second x);
  lhs x := spectral_norm (L x) (L x) (J_ x);
  rhs x := max_ratio x * (a_ x (first x) * (1 - a_ x (first x) + a_ x (second x)))
|}.

(** ** Proofs *)

(** A product with a diagonal matrix. *)
Lemma spectral_norm_diagonal n (A : matrix) (g : vector) t r : 0 <= t -> 0 <= r ->
  spectral_norm n n A <= t -> (forall j, (j < n)%nat -> Rabs (g j) <= r) ->
  spectral_norm n n (fun i j => A i j * g j) <= r * t.
Proof.
  intros Ht Hr HA Hg. apply spectral_norm_le; [|now apply Rmult_le_pos]. intros v.
  rewrite (norm_ext n _ (apply n A (fun j => g j * v j))).
  2: { intros i _. apply sum_ext; intros; ring. }
  eapply Rle_trans; [apply spectral_norm_bound|].
  assert (norm n (fun j => g j * v j) <= r * norm n v).
  { pose proof (norm_nonneg n v). apply norm_le; [now apply Rmult_le_pos|].
    rewrite Rpow_mult_distr, norm_sqr, <- sum_scal. apply sum_le; intros j Hj.
    rewrite Rpow_mult_distr. apply Rmult_le_compat_r; [apply pow2_ge_0|].
    rewrite <- !Rsqr_pow2. apply Rsqr_le_abs_1. rewrite (Rabs_pos_eq r) by easy. auto. }
  pose proof (norm_nonneg n (fun j => g j * v j)). pose proof (spectral_norm_nonneg n n A). nra.
Qed.

Section Proofs.
Variable x : normalized_row.
Hypothesis H : is_normalized_row x.

Lemma L_pos : (0 < L x)%nat.
Proof. destruct H. lia. Qed.

Lemma a_weights : are_weights (L x) (a_ x).
Proof. apply weights_are_weights; [apply L_pos|intros; apply H]. Qed.

Lemma S_pos : 0 < S_ x.
Proof. apply sum_pos; [apply L_pos|intros; apply H]. Qed.

(** J = (diag a - a a^T) diag(F'/F). *)
Lemma norm_J : spectral_norm (L x) (L x) (J_ x) =
  spectral_norm (L x) (L x) (fun i j => spread (a_ x) i j * (F' x (l x j) / F x (l x j))).
Proof.
  apply spectral_norm_ext; intros i j Hi Hj. unfold J_.
  rewrite (weights_gradient (L x) (F x) (l x) L_pos (fun k _ => proj1 (proj2 H) (l x k))
    (fun k => F' x (l x k)) i j Hi Hj); [easy|]. apply H.
Qed.

Lemma ratio_le j : (j < L x)%nat -> Rabs (F' x (l x j) / F x (l x j)) <= max_ratio x.
Proof. apply (Max_ge (L x) (fun i => Rabs (F' x (l x i) / F x (l x i)))). Qed.

Lemma max_ratio_nonneg : 0 <= max_ratio x.
Proof. eapply Rle_trans; [apply Rabs_pos|apply (ratio_le 0), L_pos]. Qed.

Lemma norm_J_le t : 0 <= t -> spectral_norm (L x) (L x) (spread (a_ x)) <= t ->
  spectral_norm (L x) (L x) (J_ x) <= max_ratio x * t.
Proof.
  intros Ht A. rewrite norm_J.
  apply (spectral_norm_diagonal (L x) (spread (a_ x)) (fun j => F' x (l x j) / F x (l x j)));
    auto using max_ratio_nonneg, ratio_le.
Qed.
End Proofs.

Lemma spread_norm_half L a : are_weights L a -> spectral_norm L L (spread a) <= / 2.
Proof.
  intros W. apply spectral_norm_form; [apply spread_sym| |lra].
  intros v. split; [now apply form_spread_nonneg|now apply spread_half].
Qed.

Lemma spread_norm_local L a k1 k2 : are_weights L a -> two_largest L a k1 k2 ->
  spectral_norm L L (spread a) <= a k1 * (1 - a k1 + a k2).
Proof.
  intros W R. apply spectral_norm_form; [apply spread_sym| |].
  - intros v. split; [now apply form_spread_nonneg|now apply spread_local].
  - destruct R as (H1 & H2 & _). pose proof (weight_le_1 _ _ W _ H1).
    pose proof (proj1 W _ H1). pose proof (proj1 W _ H2). apply Rmult_le_pos; lra.
Qed.

Theorem lemma2_sharp_proved : holds lemma2_sharp.
Proof.
  intros x H. cbn. rewrite Rmult_comm. apply norm_J_le; [easy|lra|].
  now apply spread_norm_half, a_weights.
Qed.

Theorem lemma2_local_proved : holds lemma2_local.
Proof.
  intros x [H R]. cbn. pose proof (a_weights _ H) as W. apply norm_J_le; [easy| |now apply spread_norm_local].
  destruct R as (H1 & H2 & _). pose proof (weight_le_1 _ _ W _ H1).
  pose proof (proj1 W _ H1). pose proof (proj1 W _ H2). apply Rmult_le_pos; lra.
Qed.

(** I - a 1^T is no longer than a 1^T: with u = (sum v) and a.1 = 1, ||v - u a||^2 <= L ||a||^2 ||v||^2. *)
Lemma oblique n a v : (0 < n)%nat -> sum n a = 1 ->
  norm n (fun i => v i - sum n v * a i) <= sqrt (INR n) * norm n a * norm n v.
Proof.
  intros Hn Ha. pose proof (INR_pos n Hn) as HL.
  pose proof (norm_nonneg n a) as Pa. pose proof (norm_nonneg n v) as Pv.
  apply norm_le; [repeat apply Rmult_le_pos; auto using sqrt_pos|].
  rewrite !Rpow_mult_distr, pow2_sqrt, !norm_sqr by lra.
  set (A := \sum_(i < n) (a i)^2). set (V := \sum_(i < n) (v i)^2). set (u := sum n v).
  rewrite (sum_ext n _ (fun i => (v i)^2 + (-2 * u) * (v i * a i) + u^2 * (a i)^2)) by (intros; ring).
  rewrite !sum_plus, !sum_scal. fold A V. set (b := \sum_(i < n) (v i * a i)).
  (* the parts of v and a across 1: v - u/n and a - 1/n *)
  pose proof (cauchy_schwarz n (fun i => v i - u / INR n) (fun i => a i - 1 / INR n)) as C.
  cbv beta in C.
  rewrite (sum_ext n (fun i => (v i - u / INR n) * (a i - 1 / INR n))
    (fun i => v i * a i - / INR n * v i - u / INR n * a i + u / INR n * / INR n)) in C
    by (intros; field; lra).
  rewrite (sum_ext n (fun i => (v i - u / INR n)^2)
    (fun i => (v i)^2 + (-2 * (u / INR n)) * v i + (u / INR n)^2)) in C by (intros; ring).
  rewrite (sum_ext n (fun i => (a i - 1 / INR n)^2)
    (fun i => (a i)^2 + (-2 * (1 / INR n)) * a i + (1 / INR n)^2)) in C by (intros; ring).
  rewrite !sum_plus, !sum_minus, !sum_scal, !sum_const, Ha in C. fold u A V b in C.
  replace (b - / INR n * u - u / INR n * 1 + INR n * (u / INR n * / INR n)) with (b - u / INR n) in C
    by (field; lra).
  replace (V + -2 * (u / INR n) * u + INR n * (u / INR n) ^ 2) with (V - u^2 / INR n) in C by (field; lra).
  replace (A + -2 * (1 / INR n) * 1 + INR n * (1 / INR n) ^ 2) with (A - 1 / INR n) in C by (field; lra).
  (* L A V - V + 2 u b - u^2 A >= 0 *)
  set (x := b - u / INR n) in *. set (y := V - u^2 / INR n) in *. set (z := A - 1 / INR n) in *.
  replace b with (x + u / INR n) by (unfold x; ring).
  replace V with (y + u^2 / INR n) by (unfold y; ring).
  replace A with (z + 1 / INR n) by (unfold z; ring).
  assert (Hy : 0 <= y).
  { unfold y, V. pose proof (cauchy_schwarz n (fun _ => 1) v) as S. cbv beta in S.
    rewrite (sum_ext n (fun i => 1 * v i) v), (sum_ext n (fun i => 1^2) (fun _ => 1)), sum_const in S
      by (intros; ring). fold u in S.
    apply Rmult_le_reg_l with (INR n); [lra|]. field_simplify; [|lra]. lra. }
  assert (Hz : 0 <= z).
  { unfold z, A. pose proof (cauchy_schwarz n (fun _ => 1) a) as S. cbv beta in S.
    rewrite (sum_ext n (fun i => 1 * a i) a), (sum_ext n (fun i => 1^2) (fun _ => 1)), sum_const, Ha in S
      by (intros; ring).
    apply Rmult_le_reg_l with (INR n); [lra|]. field_simplify; [|lra]. lra. }
  assert (G : INR n * (z + 1 / INR n) * (y + u^2 / INR n)
    - (y + u^2 / INR n + -2 * u * (x + u / INR n) + u^2 * (z + 1 / INR n))
    = INR n * z * y + 2 * u * x + u^2 / INR n) by (field; lra).
  enough (0 <= INR n * z * y + 2 * u * x + u^2 / INR n) by lra.
  (* a square, as x^2 <= y z *)
  apply Rle_trans with (INR n * x^2 + 2 * u * x + u^2 / INR n).
  - replace (INR n * x^2 + 2 * u * x + u^2 / INR n) with ((INR n * x + u)^2 / INR n) by (field; lra).
    apply Rmult_le_pos; [apply pow2_ge_0|apply Rlt_le, Rinv_0_lt_compat; lra].
  - apply Rplus_le_compat_r, Rplus_le_compat_r. rewrite Rmult_assoc.
    apply Rmult_le_compat_l; [lra|]. rewrite (Rmult_comm z).
    replace (b - / INR n * u - u / INR n * 1 + u / INR n * (INR n * / INR n)) with x in C
      by (unfold x; field; lra). exact C.
Qed.

Theorem lemma2_oblique_proved : holds lemma2_oblique.
Proof.
  intros x H. cbn. pose proof (S_pos x H) as HS. pose proof (a_weights x H) as W.
  set (t := sqrt (INR (L x)) * norm (L x) (a_ x)).
  assert (Ht : 0 <= t) by (apply Rmult_le_pos; [apply sqrt_pos|apply norm_nonneg]).
  rewrite norm_J by easy.
  rewrite (spectral_norm_ext _ _ _ (fun i j =>
    ((if (i =? j)%nat then 1 else 0) - a_ x i) * (F' x (l x j) / S_ x))).
  2: { intros i j Hi Hj. pose proof (proj1 (proj2 H) (l x j)). unfold spread, a_, weights. fold (S_ x).
       destruct (Nat.eqb_spec i j) as [->|]; field; lra. }
  replace (t * max_F' x / S_ x) with (max_F' x / S_ x * t) by (field; lra).
  apply (spectral_norm_diagonal (L x) (fun i j => (if (i =? j)%nat then 1 else 0) - a_ x i)
    (fun j => F' x (l x j) / S_ x)); [easy| | |].
  - apply Rmult_le_pos; [|now apply Rlt_le, Rinv_0_lt_compat].
    eapply Rle_trans; [apply Rabs_pos|apply (Max_ge (L x) (fun i => Rabs (F' x (l x i))) 0), L_pos, H].
  - apply spectral_norm_le; [|easy]. intros v. unfold t. 
    rewrite (norm_ext (L x) _ (fun i => v i - sum (L x) v * a_ x i)); [apply oblique; [now apply L_pos|apply W]|].
    intros i Hi. unfold apply.
    rewrite (sum_ext (L x) _ (fun j => (if (j =? i)%nat then v i else 0) - a_ x i * v j)).
    + rewrite sum_minus, sum_one, sum_scal by easy. ring.
    + intros j _. rewrite Nat.eqb_sym. destruct (Nat.eqb_spec j i) as [->|]; ring.
  - intros j Hj. unfold Rdiv. rewrite Rabs_mult, (Rabs_pos_eq (/ S_ x)) by now apply Rlt_le, Rinv_0_lt_compat.
    apply Rmult_le_compat_r; [now apply Rlt_le, Rinv_0_lt_compat|].
    now apply (Max_ge (L x) (fun i => Rabs (F' x (l x i)))).
Qed.

(** sqrt(L) ||a|| <= L max F/S <= max F/min F, with S >= L min F. *)
Theorem lemma2_proved : holds lemma2.
Proof.
  intros x H. eapply Rle_trans; [now apply lemma2_oblique_proved|].
  cbn [lhs rhs lemma2_oblique lemma2].
  pose proof (S_pos x H) as HS. pose proof (L_pos x H) as HL. pose proof (INR_pos _ HL) as Hn.
  assert (Hlo : forall i, (i < L x)%nat -> min_F x <= F x (l x i)).
  { intros i Hi. now apply (Min_le (L x) (fun i => F x (l x i))). }
  assert (Hhi : forall i, (i < L x)%nat -> F x (l x i) <= max_F x).
  { intros i Hi. now apply (Max_ge (L x) (fun i => F x (l x i))). }
  assert (Hm : 0 < min_F x).
  { destruct (Min_attained (L x) (fun i => F x (l x i)) HL) as (i & _ & E).
    unfold min_F. rewrite E. apply H. }
  assert (HM : 0 < max_F x) by (pose proof (Hlo 0%nat HL); pose proof (Hhi 0%nat HL); lra).
  assert (HF' : 0 <= max_F' x).
  { eapply Rle_trans; [apply Rabs_pos|apply (Max_ge (L x) (fun i => Rabs (F' x (l x i))) 0), HL]. }
  assert (S_ge : INR (L x) * min_F x <= S_ x) by (rewrite <- sum_const; now apply sum_le).
  assert (Na : norm (L x) (a_ x) <= sqrt (INR (L x)) * (max_F x / S_ x)).
  { assert (0 < max_F x / S_ x) by now apply Rdiv_lt_0_compat.
    apply norm_le; [apply Rmult_le_pos; [apply sqrt_pos|lra]|].
    rewrite Rpow_mult_distr, pow2_sqrt, <- sum_const by lra. apply sum_le; intros i Hi.
    pose proof (proj1 (a_weights x H) i Hi). apply pow_incr. split; [easy|].
    apply Rmult_le_compat_r; [now apply Rlt_le, Rinv_0_lt_compat|auto]. }
  set (iS := / (INR (L x) * min_F x)).
  assert (HiS : / S_ x <= iS) by (apply Rinv_le_contravar; [apply Rmult_lt_0_compat; lra|easy]).
  assert (0 < / S_ x) by now apply Rinv_0_lt_compat.
  assert (P : sqrt (INR (L x)) * norm (L x) (a_ x) <= INR (L x) * (max_F x * iS)).
  { apply Rle_trans with (sqrt (INR (L x)) * (sqrt (INR (L x)) * (max_F x / S_ x))).
    - apply Rmult_le_compat_l; [apply sqrt_pos|easy].
    - rewrite <- Rmult_assoc, sqrt_def by lra. apply Rmult_le_compat_l; [lra|].
      apply Rmult_le_compat_l; lra. }
  apply Rle_trans with (INR (L x) * (max_F x * iS) * max_F' x * iS).
  - unfold Rdiv. apply Rmult_le_compat; try lra.
    + repeat apply Rmult_le_pos; auto using sqrt_pos, norm_nonneg.
    + apply Rmult_le_compat_r; lra.
  - replace (INR (L x) * (max_F x * iS) * max_F' x * iS)
      with (max_F' x * (max_F x / (INR (L x) * (min_F x)^2))) by (unfold iS; field; lra).
    apply Rmult_le_compat_l; [easy|].
    assert (0 < 1 / (INR (L x) * min_F x)) by (apply Rdiv_lt_0_compat; [lra|apply Rmult_lt_0_compat; lra]).
    lra.
Qed.
