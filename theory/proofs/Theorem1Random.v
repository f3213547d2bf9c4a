(** Theorem 1, random sets: the mean distance over all sets of N tokens. *)
From Coq Require Import Reals Lra Lia Psatz Arith Bool.
From Limits Require Import Basics Vectors Weights Subsets Claim Theorem1.
Open Scope R_scope.

Record random_set := RandomSet { L : nat; d : nat; N : nat; a : vector; x : nat -> vector }.
(** Nothing is asked of the weights. *)
Definition is_random_set (c : random_set) : Prop := (2 <= L c)%nat /\ (1 <= N c < L c)%nat.

Section Terms.
Variable c : random_set.
Definition y_ (i : nat) : vector := fun k => a c i * x c i k.
Definition p_ : R := (INR (L c) - INR (N c)) / INR (L c).
Definition others (i : nat) (f : vector) : R := \sum_(j < L c) (if (j =? i)%nat then 0 else f j).
Definition m_ (i : nat) : vector := fun k =>
  y_ i k - INR (N c) / (INR (L c) - 1) * others i (fun j => y_ j k).
(** E is the mean of the distance D of [Theorem1]. *)
Definition E_ : R := mean (L c) (N c) (fun I => D_ (TokenSet (L c) (d c) (a c) (x c) I)).
(** The total variance of s given that i is not selected; 0 where L = 2 or N = L - 1. *)
Definition V_ (i : nat) : R :=
  INR (N c) * (INR (L c) - 1 - INR (N c)) / ((INR (L c) - 1) * (INR (L c) - 2)) *
  (others i (fun j => (norm (d c) (y_ j))^2)
   - (norm (d c) (fun k => others i (fun j => y_ j k)))^2 / (INR (L c) - 1)).
End Terms.

Definition theorem1_random_lower : claim := {|
  case := random_set;
  hypotheses := is_random_set;
  lhs c := p_ c * \sum_(i < L c) norm (d c) (m_ c i);
  rhs := E_
|}.

Definition theorem1_random_upper : claim := {|
  case := random_set;
  hypotheses := is_random_set;
  lhs := E_;
  rhs c := p_ c * \sum_(i < L c) (norm (d c) (m_ c i) + sqrt (V_ c i))
|}.

Definition theorem1_random_sharp : claim := {|
  case := random_set;
  hypotheses := is_random_set;
  lhs := E_;
  rhs c := p_ c * \sum_(i < L c) sqrt ((norm (d c) (m_ c i))^2 + V_ c i)
|}.

Theorem theorem1_random_lower_proved : holds theorem1_random_lower.
Proof.
  intros c [HL HN]. cbn. unfold E_, D_, distance_, sum_out. cbn. rewrite mean_sum, <- sum_scal.
  apply sum_le; intros i Hi. unfold s_; cbn.
  apply Rle_trans with (mean (L c) (N c) (fun I => norm (d c) (fun k => (1 - member I i) *
    (y_ c i k - sum_in (L c) I (fun j => y_ c j k))))).
  2: { right. apply mean_ext; intros I _. rewrite norm_scal. unfold member.
       destruct (I i).
       - replace (1 - 1) with 0 by ring. rewrite Rabs_R0. ring.
       - rewrite Rminus_0_r, Rabs_R1. apply Rmult_1_l. }
  eapply Rle_trans; [|apply norm_mean; lia].
  assert (Hp : 0 <= p_ c).
  { apply Rmult_le_pos; [|apply Rlt_le, Rinv_0_lt_compat, lt_0_INR; lia].
    pose proof (le_INR (N c) (L c) ltac:(lia)). lra. }
  rewrite <- (Rabs_pos_eq (p_ c)) by easy. rewrite <- norm_scal. right.
  apply norm_ext; intros k _.
  rewrite (mean_ext _ _ _ (fun I => (1 - member I i) * y_ c i k
    + \sum_(j < L c) (if (j =? i)%nat then 0 else (1 - member I i) * member I j * - y_ c j k))).
  - rewrite mean_plus, mean_scal_r, mean_missing, mean_sum by lia.
    rewrite (sum_ext _ _ (fun j => (p_ c * (INR (N c) / (INR (L c) - 1))) * -
      (if (j =? i)%nat then 0 else y_ c j k))).
    + rewrite sum_scal. unfold m_, others.
      rewrite (sum_ext _ (fun j => - _) (fun j => -1 * (if (j =? i)%nat then 0 else y_ c j k)))
        by (intros; ring).
      rewrite sum_scal. fold (p_ c). ring.
    + intros j Hj. destruct (Nat.eqb_spec j i) as [->|Hn].
      * rewrite (mean_ext _ _ _ (fun _ => 0 * 0)) by (intros; ring). rewrite mean_scal_r. ring.
      * rewrite mean_scal_r, mean_missing_having by lia. fold (p_ c). ring.
  - intros I _. unfold sum_in. unfold Rminus at 2. rewrite Rmult_plus_distr_l. f_equal.
    rewrite <- Ropp_mult_distr_r, Ropp_mult_distr_l, <- sum_scal. apply sum_ext; intros j _.
    destruct (Nat.eqb_spec j i) as [->|]; unfold member;
      [destruct (I i)|destruct (I i), (I j)]; ring.
Qed.

(** E = sum_i of the mean of (1 - member i) ||y_i - s||. *)
Lemma E_by_token c : E_ c = \sum_(i < L c) mean (L c) (N c) (fun I => (1 - member I i) *
  norm (d c) (fun k => y_ c i k - sum_in (L c) I (fun j => y_ c j k))).
Proof.
  unfold E_, D_, distance_, sum_out. cbn. rewrite mean_sum. apply sum_ext; intros i _.
  apply mean_ext; intros I _. unfold member. destruct (I i); [ring|].
  rewrite Rminus_0_r, Rmult_1_l. reflexivity.
Qed.

Lemma p_nonneg c : is_random_set c -> 0 <= p_ c.
Proof.
  intros [HL HN]. apply Rmult_le_pos; [|apply Rlt_le, Rinv_0_lt_compat, lt_0_INR; lia].
  pose proof (le_INR (N c) (L c) ltac:(lia)). lra.
Qed.

(** ** Sampling without replacement: the second moment of one coordinate of y_i - s *)
Section Coordinate.
Variables (L N i : nat) (z : vector).
Hypothesis HL : (2 <= L)%nat.
Hypothesis HN : (1 <= N < L)%nat.
Hypothesis Hi : (i < L)%nat.
Let p := (INR L - INR N) / INR L.
Let q := INR N / (INR L - 1).
Let r := (INR N - 1) / (INR L - 2).
Let z' : vector := fun j => if (j =? i)%nat then 0 else z j.
Let Z := sum L z'.
Let Z2 := \sum_(j < L) (z' j)^2.

Lemma second_moment :
  mean L N (fun I => (1 - member I i) * (z i - sum_in L I z)^2) =
  p * ((z i - q * Z)^2 + (q * (1 - r) * Z2 - q * (q - r) * Z^2)).
Proof.
  rewrite (mean_ext _ _ _ (fun I => (1 - member I i) * (z i)^2
    + \sum_(j < L) ((1 - member I i) * member I j * (-2 * z i * z' j))
    + \sum_(j < L) \sum_(k < L) ((1 - member I i) * (member I j * member I k) * (z' j * z' k)))).
  - rewrite !mean_plus, mean_scal_r, mean_missing, !mean_sum by lia. fold p.
    rewrite (sum_ext L _ (fun j => p * q * -2 * z i * z' j)).
    2: { intros j Hj. rewrite mean_scal_r. unfold z'. destruct (Nat.eqb_spec j i) as [->|Hn]; [ring|].
         rewrite mean_missing_having by lia. fold p q. ring. }
    rewrite (sum_ext L (fun j => mean L N _) (fun j => p * q * r * z' j * Z
      + p * q * (1 - r) * (z' j)^2)).
    + rewrite sum_plus, sum_scal_r, !sum_scal. fold Z Z2. ring.
    + intros j Hj. rewrite mean_sum.
      rewrite (sum_ext L _ (fun k => p * q * r * z' j * z' k
        + (if (k =? j)%nat then p * q * (1 - r) * (z' j)^2 else 0))).
      * rewrite sum_plus, sum_scal, sum_one by easy. fold Z. ring.
      * intros k Hk. rewrite mean_scal_r.
        destruct (Nat.eqb_spec k j) as [->|Hkj].
        -- rewrite (mean_ext _ _ _ (fun I => (1 - member I i) * member I j)).
           ++ unfold z'. destruct (Nat.eqb_spec j i) as [->|Hn]; [ring|].
              rewrite mean_missing_having by lia. fold p q. ring.
           ++ intros I _. unfold member. destruct (I j); ring.
        -- unfold z'. destruct (Nat.eqb_spec j i) as [->|Hn]; [ring|].
           destruct (Nat.eqb_spec k i) as [->|Hn']; [ring|].
           rewrite mean_missing_having_two by lia. fold p q r. ring.
  - intros I _. destruct (I i) eqn:Ei;
      [assert (Em : member I i = 1)|assert (Em : member I i = 0)]; try (unfold member; now rewrite Ei);
      rewrite Em.
    + rewrite (sum_zero L (fun j => (1 - 1) * _ * _)), (sum_zero L); [ring| |].
      * intros j _. apply sum_zero; intros; ring.
      * intros j _. ring.
    + set (s := \sum_(j < L) (member I j * z' j)).
      assert (Es : sum_in L I z = s).
      { unfold sum_in, s. apply sum_ext; intros j _. unfold member, z'.
        destruct (Nat.eqb_spec j i) as [->|]; [rewrite Ei; ring|]. destruct (I j); ring. }
      assert (E1 : \sum_(j < L) ((1 - 0) * member I j * (-2 * z i * z' j)) = -2 * z i * s).
      { unfold s. rewrite <- sum_scal. apply sum_ext; intros j _. ring. }
      assert (E2 : \sum_(j < L) \sum_(k < L)
        ((1 - 0) * (member I j * member I k) * (z' j * z' k)) = s * s).
      { unfold s. rewrite sum_mul. apply sum_ext; intros j _. apply sum_ext; intros k _.
        ring. }
      rewrite E1, E2, Es. ring.
Qed.

(** In the form of V_i. *)
Lemma coordinate_variance : q * (1 - r) * Z2 - q * (q - r) * Z^2 =
  INR N * (INR L - 1 - INR N) / ((INR L - 1) * (INR L - 2)) * (Z2 - Z^2 / (INR L - 1)).
Proof.
  destruct (Nat.eq_dec L 2) as [E|E].
  - assert (E1 : N = 1%nat) by lia. assert (EZ : Z2 = Z^2).
    { unfold Z2, Z, z'. rewrite E in *. cbn [sum].
      assert (H : (i = 0 \/ i = 1)%nat) by lia. destruct H as [->| ->]; cbn; ring. }
    unfold q, r. rewrite EZ, E, E1. cbn [INR]. unfold Rdiv.
    replace (1 + 1 - 1) with 1 by ring. rewrite Rinv_1. ring.
  - pose proof (le_INR 3 L ltac:(lia)) as H. cbn in H. unfold q, r. field. lra.
Qed.
End Coordinate.

(** Given i outside, y_i - s has mean m_i and variance V_i. *)
Lemma token_second_moment c i : is_random_set c -> (i < L c)%nat ->
  mean (L c) (N c) (fun I => (1 - member I i) *
    (norm (d c) (fun k => y_ c i k - sum_in (L c) I (fun j => y_ c j k)))^2) =
  p_ c * ((norm (d c) (m_ c i))^2 + V_ c i).
Proof.
  intros [HL HN] Hi.
  rewrite (mean_ext _ _ _ (fun I => \sum_(k < d c) ((1 - member I i) *
    (y_ c i k - sum_in (L c) I (fun j => y_ c j k))^2)))
    by (intros I _; now rewrite norm_sqr, sum_scal).
  rewrite mean_sum.
  rewrite (sum_ext (d c) _ (fun k => p_ c * ((m_ c i k)^2 + (INR (N c) * (INR (L c) - 1 - INR (N c))
    / ((INR (L c) - 1) * (INR (L c) - 2))) * (others c i (fun j => (y_ c j k)^2)
    - (others c i (fun j => y_ c j k))^2 / (INR (L c) - 1))))).
  - rewrite sum_scal. f_equal. rewrite sum_plus, sum_scal, sum_minus, sum_div, norm_sqr.
    unfold V_. do 2 f_equal. rewrite norm_sqr. f_equal. unfold others. rewrite sum_swap.
    apply sum_ext; intros j _. destruct (j =? i)%nat; [now apply sum_zero|now rewrite norm_sqr].
  - intros k _. rewrite (second_moment (L c) (N c) i (fun j => y_ c j k) HL HN Hi).
    rewrite coordinate_variance by easy. fold (p_ c). f_equal. f_equal. unfold m_, others.
    rewrite (sum_ext (L c) (fun j => (if (j =? i)%nat then 0 else y_ c j k)^2)
      (fun j => if (j =? i)%nat then 0 else (y_ c j k)^2)); [reflexivity|].
    intros j _. destruct (j =? i)%nat; ring.
Qed.

(** Jensen for the square. *)
Theorem theorem1_random_sharp_proved : holds theorem1_random_sharp.
Proof.
  intros c H. cbn. pose proof (p_nonneg c H) as Hp. rewrite E_by_token, <- sum_scal.
  apply sum_le; intros i Hi. pose proof H as [HL HN].
  set (f := fun I => norm (d c) (fun k => y_ c i k - sum_in (L c) I (fun j => y_ c j k))).
  pose proof (mean_cauchy_schwarz (L c) (N c) (fun I => 1 - member I i)
    (fun I => (1 - member I i) * f I) ltac:(lia)) as C.
  rewrite (mean_ext _ _ _ (fun I => (1 - member I i) * f I)) in C
    by (intros I _; unfold member; destruct (I i); ring).
  rewrite (mean_ext _ _ (fun I => (1 - member I i)^2) (fun I => 1 - member I i)) in C
    by (intros I _; unfold member; destruct (I i); ring).
  rewrite (mean_ext _ _ (fun I => ((1 - member I i) * f I)^2) (fun I => (1 - member I i) * (f I)^2)) in C
    by (intros I _; unfold member; destruct (I i); ring).
  unfold f in C at 2. rewrite token_second_moment, mean_missing in C by (easy || lia). fold (p_ c) in C.
  set (X := (norm (d c) (m_ c i))^2 + V_ c i) in *.
  set (x := mean (L c) (N c) (fun I => (1 - member I i) * f I)) in *.
  change (x <= p_ c * sqrt X).
  apply Rle_trans with (sqrt (x^2)).
  - rewrite <- Rsqr_pow2, sqrt_Rsqr_abs. apply RRle_abs.
  - rewrite <- (sqrt_pow2 (p_ c)) by easy. rewrite <- sqrt_mult_alt by apply pow2_ge_0.
    apply sqrt_le_1_alt. lra.
Qed.

(** sqrt(u^2 + v) <= u + sqrt v. *)
Theorem theorem1_random_upper_proved : holds theorem1_random_upper.
Proof.
  intros c H. eapply Rle_trans; [now apply theorem1_random_sharp_proved|]. cbn.
  apply Rmult_le_compat_l; [now apply p_nonneg|]. apply sum_le; intros i Hi.
  pose proof (norm_nonneg (d c) (m_ c i)) as Hu. set (u := norm (d c) (m_ c i)) in *.
  set (v := V_ c i). pose proof (sqrt_pos v).
  apply Rle_trans with (sqrt ((u + sqrt v)^2)); [|rewrite sqrt_pow2; lra].
  apply sqrt_le_1_alt. destruct (Rle_dec 0 v) as [Hv|Hv].
  - pose proof (pow2_sqrt v Hv). nra.
  - nra.
Qed.
