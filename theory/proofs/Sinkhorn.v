(** Sinkhorn: the doubly stochastic P that exp(C/T) is scaled to. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Coquelicot Require Import Rbar Lub.
From Limits Require Import Basics Vectors Weights Claim.
From Limits Require Lemma2.
Open Scope R_scope.

Record transport_plan := TransportPlan { n : nat; P : matrix; T : R }.
Definition is_transport_plan (x : transport_plan) : Prop := (0 < n x)%nat /\ 0 < T x /\
  (forall i j, (i < n x)%nat -> (j < n x)%nat -> 0 < P x i j) /\
  (forall i, (i < n x)%nat -> \sum_(j < n x) P x i j = 1) /\
  (forall j, (j < n x)%nat -> \sum_(i < n x) P x i j = 1).

(** What a change c of the scores makes of P to first order: log P = C/T + u 1^T + 1 v^T is
    differentiated, and rows and columns keep their sums. *)
Definition changes (x : transport_plan) (c p : matrix) : Prop := exists u v : vector,
  (forall i j, (i < n x)%nat -> (j < n x)%nat -> p i j = P x i j * (c i j / T x + u i + v j)) /\
  (forall i, (i < n x)%nat -> \sum_(j < n x) p i j = 0) /\
  (forall j, (j < n x)%nat -> \sum_(i < n x) p i j = 0).

(** The norm of the gradient: the longest change of P over changes of the scores of length 1. *)
Definition gradient_stretches (x : transport_plan) (y : R) : Prop := exists c p,
  changes x c p /\ frobenius_norm (n x) (n x) c <= 1 /\ y = frobenius_norm (n x) (n x) p.
Definition gradient_norm (x : transport_plan) : R := real (Lub_Rbar (gradient_stretches x)).

(** ** Claims *)

Definition lipschitz_sinkhorn : claim := {|
  case := transport_plan;
  hypotheses := is_transport_plan;
  lhs := gradient_norm;
  rhs x := 1 / T x
|}.

Definition lipschitz_sinkhorn_sharp : claim := {|
  case := transport_plan;
  hypotheses := is_transport_plan;
  lhs := gradient_norm;
  rhs x := 1 / (2 * T x)
|}.

(** With the places of the two largest entries of each row and of each column. *)
Record ranked_plan := RankedPlan { plan :> transport_plan;
  row_first : nat -> nat; row_second : nat -> nat; col_first : nat -> nat; col_second : nat -> nat }.
Definition local_bound (a : vector) (k1 k2 : nat) : R := a k1 * (1 - a k1 + a k2).
Definition rows_ (x : ranked_plan) : R :=
  Max (n x) (fun i => local_bound (P x i) (row_first x i) (row_second x i)).
Definition columns_ (x : ranked_plan) : R :=
  Max (n x) (fun j => local_bound (fun i => P x i j) (col_first x j) (col_second x j)).

Definition lipschitz_sinkhorn_local : claim := {|
  case := ranked_plan;
  hypotheses x := is_transport_plan x /\
    (forall i, (i < n x)%nat -> two_largest (n x) (P x i) (row_first x i) (row_second x i)) /\
    (forall j, (j < n x)%nat ->
      two_largest (n x) (fun i => P x i j) (col_first x j) (col_second x j));
  lhs x := gradient_norm x;
  rhs x := Rmin (rows_ x) (columns_ x) / T x
|}.

(** ** Proofs *)

(** Of w = (diag a - a a^T) v, that is of sum 0 with v = w/a: ||w||^2 <= K sum w^2/a, where K is at
    least the norm of the matrix. *)
Lemma row_stretch m a w K : are_weights m a -> (forall i, (i < m)%nat -> 0 < a i) -> sum m w = 0 ->
  spectral_norm m m (spread a) <= K -> 0 < K ->
  \sum_(j < m) (w j)^2 <= K * \sum_(j < m) ((w j)^2 / a j).
Proof.
  intros W Pa S HK K0. set (v := fun j => w j / a j).
  assert (E0 : dot m a v = 0).
  { unfold dot. rewrite <- S. apply sum_ext; intros j Hj. unfold v. pose proof (Pa j Hj). field. lra. }
  assert (Ew : forall i, (i < m)%nat -> apply m (spread a) v i = w i).
  { intros i Hi. rewrite apply_spread, E0 by easy. unfold v. pose proof (Pa i Hi). field. lra. }
  set (y := fun i => v i - / K * w i).
  pose proof (form_spread_nonneg m a W y) as N.
  assert (F : form m (spread a) y y = form m (spread a) v v - 2 * / K * form m (spread a) w v
    + (/ K)^2 * form m (spread a) w w).
  { rewrite !form_covariance. unfold dot, y.
    rewrite (sum_ext m (fun i => a i * ((v i - / K * w i) * (v i - / K * w i)))
      (fun i => a i * (v i * v i) - 2 * / K * (a i * (w i * v i)) + (/ K)^2 * (a i * (w i * w i))))
      by (intros; ring).
    rewrite (sum_ext m (fun i => a i * (v i - / K * w i)) (fun i => a i * v i - / K * (a i * w i)))
      by (intros; ring).
    rewrite sum_plus, !sum_minus, !sum_scal. ring. }
  rewrite F in N. clear F.
  assert (Fv : form m (spread a) v v = \sum_(j < m) ((w j)^2 / a j)).
  { unfold form, dot. apply sum_ext; intros j Hj. rewrite Ew by easy. unfold v. pose proof (Pa j Hj).
    field. lra. }
  assert (Fw : form m (spread a) w v = \sum_(j < m) (w j)^2).
  { unfold form, dot. apply sum_ext; intros j Hj. rewrite Ew by easy. ring. }
  assert (Fww : form m (spread a) w w <= K * \sum_(j < m) (w j)^2).
  { unfold form. eapply Rle_trans; [apply dot_le|]. rewrite <- norm_sqr.
    pose proof (spectral_norm_bound m m (spread a) w). pose proof (norm_nonneg m w).
    apply Rle_trans with (norm m w * (K * norm m w)); [|right; ring].
    apply Rmult_le_compat_l; [easy|]. nra. }
  rewrite Fv, Fw in N. set (A := \sum_(j < m) ((w j)^2 / a j)) in *. set (B := \sum_(j < m) (w j)^2) in *.
  assert (HiK : 0 < / K) by now apply Rinv_0_lt_compat.
  apply Rmult_le_compat_l with (r := (/ K)^2) in Fww; [|nra].
  replace ((/ K)^2 * (K * B)) with (/ K * B) in Fww by (field; lra).
  assert (Q : / K * B <= A) by lra. apply Rmult_le_compat_l with (r := K) in Q; [|lra].
  replace (K * (/ K * B)) with B in Q by (field; lra). exact Q.
Qed.

Lemma frobenius_sqr m A : (frobenius_norm m m A)^2 = \sum_(i < m) \sum_(j < m) (A i j)^2.
Proof. apply pow2_sqrt. apply sum_nonneg; intros; apply sum_nonneg; intros; apply pow2_ge_0. Qed.

(** The inner product of matrices. *)
Lemma matrix_dot_le m A B :
  \sum_(i < m) \sum_(j < m) (A i j * B i j) <= frobenius_norm m m A * frobenius_norm m m B.
Proof.
  set (f := fun (M : matrix) i => norm m (M i)).
  assert (E : forall M, frobenius_norm m m M = norm m (f M)).
  { intros M. unfold frobenius_norm, norm at 1. f_equal. apply sum_ext; intros i _.
    unfold f. now rewrite norm_sqr. }
  rewrite !E. eapply Rle_trans; [|apply dot_le]. apply sum_le; intros i _. apply (dot_le m (A i) (B i)).
Qed.

(** sum p^2/P = sum p (c/T + u + v) = <p, c>/T, as u and v meet the sums of p, which are 0. *)
Lemma change_le x c p K : is_transport_plan x -> changes x c p -> 0 < K ->
  (forall i, (i < n x)%nat -> spectral_norm (n x) (n x) (spread (P x i)) <= K) ->
  frobenius_norm (n x) (n x) p <= K / T x * frobenius_norm (n x) (n x) c.
Proof.
  intros (Hn & HT & HP & HR & HC) (u & v & Ep & Rp & Cp) HK B. set (m := n x) in *.
  set (X := frobenius_norm m m p). set (Y := frobenius_norm m m c).
  assert (HX : 0 <= X) by apply sqrt_pos. assert (HY : 0 <= Y) by apply sqrt_pos.
  assert (S : X^2 <= K * \sum_(i < m) \sum_(j < m) ((p i j)^2 / P x i j)).
  { unfold X. rewrite frobenius_sqr, <- sum_scal. apply sum_le; intros i Hi.
    apply (row_stretch m (P x i) (p i) K); auto. split; [intros; apply Rlt_le; auto|auto]. }
  assert (D : \sum_(i < m) \sum_(j < m) ((p i j)^2 / P x i j) = (\sum_(i < m) \sum_(j < m) (p i j * c i j)) / T x).
  { rewrite (sum_ext m _ (fun i => \sum_(j < m) (p i j * c i j / T x) + \sum_(j < m) (p i j * u i)
      + \sum_(j < m) (p i j * v j))).
    - rewrite !sum_plus.
      rewrite (sum_ext m (fun i => \sum_(j < m) (p i j * u i)) (fun _ => 0)).
      2: { intros i Hi. rewrite sum_scal_r, Rp by easy. ring. }
      rewrite (sum_swap m m (fun i j => p i j * v j)).
      rewrite (sum_ext m (fun j => \sum_(i < m) (p i j * v j)) (fun _ => 0)).
      2: { intros j Hj. rewrite sum_scal_r, Cp by easy. ring. }
      rewrite sum_const, <- sum_div.
      rewrite (sum_ext m (fun i => \sum_(j < m) (p i j * c i j / T x))
        (fun i => (\sum_(j < m) (p i j * c i j)) / T x)) by (intros; apply sum_div). ring.
    - intros i Hi. rewrite <- !sum_plus. apply sum_ext; intros j Hj. pose proof (HP i j Hi Hj).
      replace ((p i j)^2 / P x i j) with (p i j * (p i j / P x i j)) by (field; lra).
      replace (p i j / P x i j) with (c i j / T x + u i + v j) by (rewrite (Ep i j Hi Hj) at 1; field; lra).
      unfold Rdiv. ring. }
  rewrite D in S. pose proof (matrix_dot_le m p c) as C. fold X Y in C.
  assert (HiT : 0 < / T x) by now apply Rinv_0_lt_compat.
  assert (S2 : X^2 <= K / T x * Y * X).
  { eapply Rle_trans; [exact S|]. unfold Rdiv. apply Rle_trans with (K * (X * Y * / T x)); [|right; ring].
    apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_r; lra. }
  destruct HX as [HX|<-].
  - apply Rmult_le_reg_r with X; [easy|]. simpl in S2. lra.
  - apply Rmult_le_pos; [|easy]. apply Rmult_le_pos; lra.
Qed.

(** Rows and columns exchanged. *)
Definition transposed (x : transport_plan) : transport_plan :=
  TransportPlan (n x) (fun i j => P x j i) (T x).
Lemma frobenius_transposed m A : frobenius_norm m m (fun i j => A j i) = frobenius_norm m m A.
Proof. unfold frobenius_norm. f_equal. apply sum_swap. Qed.

Lemma change_le_columns x c p K : is_transport_plan x -> changes x c p -> 0 < K ->
  (forall j, (j < n x)%nat -> spectral_norm (n x) (n x) (spread (fun i => P x i j)) <= K) ->
  frobenius_norm (n x) (n x) p <= K / T x * frobenius_norm (n x) (n x) c.
Proof.
  intros (Hn & HT & HP & HR & HC) (u & v & Ep & Rp & Cp) HK B.
  rewrite <- (frobenius_transposed _ p), <- (frobenius_transposed _ c).
  apply (change_le (transposed x) (fun i j => c j i) (fun i j => p j i) K); try easy.
  - repeat split; try easy. intros i j Hi Hj. now apply HP.
  - exists v, u. repeat split; try easy. intros i j Hi Hj. cbn. rewrite Ep by easy. ring.
Qed.

(** The least upper bound is at most what each change allows. *)
Lemma gradient_norm_le x k : 0 <= k ->
  (forall c p, changes x c p -> frobenius_norm (n x) (n x) p <= k * frobenius_norm (n x) (n x) c) ->
  gradient_norm x <= k.
Proof.
  intros Hk H. pose proof (Lub_Rbar_correct (gradient_stretches x)) as [_ Q]. unfold gradient_norm.
  assert (Hub : Rbar_le (Lub_Rbar (gradient_stretches x)) k).
  { apply Q. intros y (c & p & Hc & Hl & ->). cbn. pose proof (H c p Hc).
    assert (0 <= frobenius_norm (n x) (n x) c) by apply sqrt_pos. nra. }
  destruct (Lub_Rbar (gradient_stretches x)); cbn in *; easy.
Qed.

Lemma rows_are_weights x i : is_transport_plan x -> (i < n x)%nat -> are_weights (n x) (P x i).
Proof. intros (_ & _ & HP & HR & _) Hi. split; [intros; apply Rlt_le; auto|auto]. Qed.

Theorem lipschitz_sinkhorn_sharp_proved : holds lipschitz_sinkhorn_sharp.
Proof.
  intros x H. cbn. pose proof H as (_ & HT & _).
  replace (1 / (2 * T x)) with (/ 2 / T x) by (field; lra).
  apply gradient_norm_le.
  - apply Rlt_le, Rdiv_lt_0_compat; lra.
  - intros c p Hc. apply change_le; [easy|easy|lra|]. intros i Hi.
    now apply Lemma2.spread_norm_half, rows_are_weights.
Qed.

Theorem lipschitz_sinkhorn_proved : holds lipschitz_sinkhorn.
Proof.
  intros x H. eapply Rle_trans; [now apply lipschitz_sinkhorn_sharp_proved|]. cbn.
  destruct H as (_ & HT & _). apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; lra.
Qed.

Theorem lipschitz_sinkhorn_local_proved : holds lipschitz_sinkhorn_local.
Proof.
  intros x (H & R1 & R2). cbn. pose proof H as (Hn & HT & HP & HR & HC).
  assert (pos : forall a k1 k2, are_weights (n x) a -> (forall i, (i < n x)%nat -> 0 < a i) ->
    two_largest (n x) a k1 k2 -> 0 < local_bound a k1 k2).
  { intros a k1 k2 W A (H1 & H2 & _). pose proof (weight_le_1 _ _ W k1 H1).
    pose proof (A k1 H1). pose proof (A k2 H2). apply Rmult_lt_0_compat; lra. }
  assert (Wc : forall j, (j < n x)%nat -> are_weights (n x) (fun i => P x i j)).
  { intros j Hj. split; [intros; apply Rlt_le; auto|auto]. }
  assert (rows : forall i, (i < n x)%nat -> local_bound (P x i) (row_first x i) (row_second x i) <= rows_ x)
    by (intros i Hi; now apply (Max_ge (n x) (fun i => local_bound (P x i) (row_first x i) (row_second x i)))).
  assert (cols : forall j, (j < n x)%nat ->
    local_bound (fun i => P x i j) (col_first x j) (col_second x j) <= columns_ x)
    by (intros j Hj; now apply (Max_ge (n x)
      (fun j => local_bound (fun i => P x i j) (col_first x j) (col_second x j)))).
  assert (Hr : 0 < rows_ x).
  { eapply Rlt_le_trans; [|apply (rows 0%nat Hn)]. apply pos; auto using rows_are_weights. }
  assert (Hc : 0 < columns_ x).
  { eapply Rlt_le_trans; [|apply (cols 0%nat Hn)]. apply pos; auto. }
  unfold Rmin. destruct Rle_dec; apply gradient_norm_le; try (apply Rlt_le, Rdiv_lt_0_compat; easy);
    intros c p Hcp.
  - apply change_le; [easy..|]. intros i Hi. eapply Rle_trans; [|now apply (rows i)].
    apply Lemma2.spread_norm_local; auto using rows_are_weights.
  - apply change_le_columns; [easy..|]. intros j Hj. eapply Rle_trans; [|now apply (cols j)].
    apply (Lemma2.spread_norm_local (n x) (fun i => P x i j)); auto.
Qed.
