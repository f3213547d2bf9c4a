(** Corollary 2: the mean distance over all sets of N tokens, and what becomes of it. *)
From Coq Require Import Reals Lra Lia Psatz Arith Bool.
From Limits Require Import Basics Vectors Weights Subsets Claim Theorem1 Theorem1Random.
Open Scope R_scope.

Definition contributions_ (c : random_set) : R := \sum_(i < L c) norm (d c) (y_ c i).

(** L tokens at the same x, N of them selected; epsilon is how close to the limit is asked for. *)
Record equal_tokens := EqualTokens { length : nat; top : nat; dim : nat; same_x : vector; epsilon : R }.
Definition is_equal_tokens (c : equal_tokens) : Prop :=
  (1 <= top c < length c)%nat /\ 0 < epsilon c.

(** One token has all the weight, and all have the same: at random, and for the first N. *)
Definition one_token (c : equal_tokens) : random_set :=
  RandomSet (length c) (dim c) (top c) (fun i => if (i =? 0)%nat then 1 else 0) (fun _ => same_x c).
Definition flat (c : equal_tokens) : token_set :=
  TokenSet (length c) (dim c) (fun _ => / INR (length c)) (fun _ => same_x c)
    (fun i => (i <? top c)%nat).

(** ** Claims *)

Definition corollary2_full_set : claim := {|
  case := random_set;
  hypotheses c := (2 <= L c)%nat /\ (1 <= N c <= L c)%nat /\
    (forall i, (i < L c)%nat -> 0 <= a c i) /\ sum (L c) (a c) <= 1;
  lhs := E_;
  rhs c := (INR (L c) - INR (N c)) * Max (L c) (fun i => norm (d c) (x c i))
|}.

Definition corollary2_full_set_sharp : claim := {|
  case := random_set;
  hypotheses c := is_random_set c /\ forall i, (i < L c)%nat -> 0 <= a c i;
  lhs := E_;
  rhs c := (INR (N c) + 1) * (INR (L c) - INR (N c)) / INR (L c) *
    \sum_(i < L c) (a c i * norm (d c) (x c i))
|}.

Definition corollary2_long_context : claim := {|
  case := equal_tokens;
  hypotheses c := is_equal_tokens c /\ 1000 * INR (top c) <= epsilon c * INR (length c);
  lhs c := Rabs (E_ (one_token c) - contributions_ (one_token c));
  rhs c := epsilon c * contributions_ (one_token c)
|}.

Definition corollary2_long_context_repaired : claim := {|
  case := random_set;
  hypotheses := is_random_set;
  lhs c := Rabs (E_ c - p_ c * contributions_ c);
  rhs c := p_ c * INR (N c) * contributions_ c
|}.

Definition collapse_proportional : claim := {|
  case := equal_tokens;
  hypotheses c := is_equal_tokens c /\ (1000 <= length c)%nat;
  lhs c := D_ (flat c);
  rhs c := epsilon c * norm (dim c) (same_x c)
|}.

(** ** Proofs *)

(** ||y_i - s|| is within sum_{j in I} ||y_j|| of ||y_i||. *)
Lemma distance_bounds c I i : let e := norm (d c) (fun k => y_ c i k - sum_in (L c) I (fun j => y_ c j k)) in
  let s := \sum_(j < L c) (member I j * norm (d c) (y_ c j)) in
  norm (d c) (y_ c i) - s <= e <= norm (d c) (y_ c i) + s.
Proof.
  intros e s. assert (S : norm (d c) (fun k => sum_in (L c) I (fun j => y_ c j k)) <= s).
  { eapply Rle_trans; [apply (norm_sum (d c) (L c) (fun j k => if I j then y_ c j k else 0))|].
    apply sum_le; intros j _. unfold member. destruct (I j); [rewrite Rmult_1_l; apply Rle_refl|rewrite norm_zero; lra]. }
  split.
  - pose proof (norm_triangle (d c) (fun k => y_ c i k - sum_in (L c) I (fun j => y_ c j k))
      (fun k => sum_in (L c) I (fun j => y_ c j k))) as T. fold e in T.
    rewrite (norm_ext _ _ (y_ c i)) in T by (intros; ring). lra.
  - assert (T : e <= norm (d c) (y_ c i) + norm (d c) (fun k => sum_in (L c) I (fun j => y_ c j k)))
      by apply norm_minus. lra.
Qed.

(** The mean of the share of ||s|| that the tokens outside see: each ||y_j|| comes N times p. *)
Lemma seen_mean c i : is_random_set c -> (i < L c)%nat ->
  mean (L c) (N c) (fun I => (1 - member I i) * \sum_(j < L c) (member I j * norm (d c) (y_ c j)))
  = p_ c * (INR (N c) / (INR (L c) - 1)) * (contributions_ c - norm (d c) (y_ c i)).
Proof.
  intros [HL HN] Hi.
  rewrite (mean_ext _ _ _ (fun I => \sum_(j < L c)
    ((1 - member I i) * member I j * norm (d c) (y_ c j)))).
  - rewrite mean_sum. unfold contributions_. rewrite (sum_split (L c) i (fun j => norm _ _)) by easy.
    replace (_ + _ - norm _ _) with (\sum_(j < L c) (if (j =? i)%nat then 0 else norm (d c) (y_ c j))) by ring.
    rewrite <- sum_scal. apply sum_ext; intros j Hj. rewrite mean_scal_r.
    destruct (Nat.eqb_spec j i) as [->|Hn].
    + rewrite (mean_ext _ _ _ (fun _ => 1 * 0)), mean_scal_r; [ring|].
      intros I _. unfold member. destruct (I i); ring.
    + rewrite mean_missing_having by lia. fold (p_ c). ring.
  - intros I _. rewrite <- sum_scal. apply sum_ext; intros; ring.
Qed.

Lemma seen_total c : is_random_set c ->
  \sum_(i < L c) (p_ c * (INR (N c) / (INR (L c) - 1)) * (contributions_ c - norm (d c) (y_ c i)))
  = p_ c * INR (N c) * contributions_ c.
Proof.
  intros [HL HN]. rewrite sum_scal, sum_minus, sum_const. fold (contributions_ c).
  pose proof (le_INR 2 (L c) HL) as H. cbn in H. field. lra.
Qed.

(** Each term of E, with p ||y_i|| taken off. *)
Lemma E_term c i : is_random_set c -> (i < L c)%nat ->
  let e := mean (L c) (N c) (fun I => (1 - member I i) *
    norm (d c) (fun k => y_ c i k - sum_in (L c) I (fun j => y_ c j k))) in
  let s := p_ c * (INR (N c) / (INR (L c) - 1)) * (contributions_ c - norm (d c) (y_ c i)) in
  p_ c * norm (d c) (y_ c i) - s <= e <= p_ c * norm (d c) (y_ c i) + s.
Proof.
  intros H Hi e s. pose proof H as [HL HN]. unfold s, e. rewrite <- seen_mean by easy.
  unfold p_. rewrite <- (mean_missing (L c) (N c) i), <- mean_scal_r by lia.
  split.
  - apply Rplus_le_reg_r with (mean (L c) (N c) (fun I => (1 - member I i) *
      \sum_(j < L c) (member I j * norm (d c) (y_ c j)))).
    rewrite <- mean_plus. replace (_ - _ + _) with (mean (L c) (N c) (fun I =>
      (1 - member I i) * norm (d c) (y_ c i))) by ring.
    apply mean_le; [lia|]. intros I _ _. pose proof (distance_bounds c I i) as B. cbv zeta in B.
    unfold member at 1 2 3. destruct (I i); lra.
  - rewrite <- mean_plus. apply mean_le; [lia|]. intros I _ _.
    pose proof (distance_bounds c I i) as B. cbv zeta in B.
    unfold member at 1 2 3. destruct (I i); lra.
Qed.

Lemma E_bounds c : is_random_set c ->
  p_ c * contributions_ c - p_ c * INR (N c) * contributions_ c <= E_ c <=
  p_ c * contributions_ c + p_ c * INR (N c) * contributions_ c.
Proof.
  intros H. rewrite E_by_token, <- seen_total by easy.
  assert (E : p_ c * contributions_ c = \sum_(i < L c) (p_ c * norm (d c) (y_ c i)))
    by (unfold contributions_; now rewrite sum_scal).
  rewrite E, <- sum_minus, <- sum_plus.
  split; apply sum_le; intros i Hi; apply (E_term c i H Hi).
Qed.

Theorem corollary2_long_context_repaired_proved : holds corollary2_long_context_repaired.
Proof. intros c H. cbn. pose proof (E_bounds c H). apply Rabs_le. lra. Qed.

Lemma norm_y c i : 0 <= a c i -> norm (d c) (y_ c i) = a c i * norm (d c) (x c i).
Proof. intros H. unfold y_. now rewrite norm_scal, Rabs_pos_eq. Qed.

Theorem corollary2_full_set_sharp_proved : holds corollary2_full_set_sharp.
Proof.
  intros c [H Ha]. cbn. destruct (E_bounds c H) as [_ B]. eapply Rle_trans; [exact B|].
  rewrite (sum_ext (L c) _ (fun i => norm (d c) (y_ c i))) by (intros; symmetry; apply norm_y; auto).
  fold (contributions_ c). right. unfold p_. pose proof (lt_0_INR (L c) ltac:(destruct H; lia)). field. lra.
Qed.

(** Each of the L-N distances is at most sum_i a_i max ||x||. *)
Theorem corollary2_full_set_proved : holds corollary2_full_set.
Proof.
  intros c (HL & HN & Ha & Hs). cbn. set (X := Max (L c) (fun i => norm (d c) (x c i))).
  assert (HX : forall i, (i < L c)%nat -> norm (d c) (x c i) <= X).
  { intros i Hi. now apply (Max_ge (L c) (fun i => norm (d c) (x c i))). }
  assert (X0 : 0 <= X) by (eapply Rle_trans; [apply norm_nonneg|apply (HX 0%nat); lia]).
  unfold E_. rewrite <- (mean_const (L c) (N c) (_ * X)) by lia. apply mean_le; [lia|].
  intros I _ HS. unfold D_, distance_, sum_out; cbn.
  apply Rle_trans with (\sum_(i < L c) ((1 - member I i) * X)).
  - apply sum_le; intros i Hi. unfold member. destruct (I i) eqn:Ei; [lra|].
    pose proof (distance_bounds c I i) as [_ B]. unfold y_ at 1 in B. unfold s_; cbn.
    eapply Rle_trans; [exact B|]. rewrite norm_y by auto.
    apply Rle_trans with (\sum_(j < L c) (a c j * X)); [|rewrite sum_scal_r; nra].
    rewrite (sum_split (L c) i (fun j => a c j * X)) by easy. apply Rplus_le_compat.
    + apply Rmult_le_compat_l; auto.
    + apply sum_le; intros j Hj. unfold member. destruct (Nat.eqb_spec j i) as [->|].
      * rewrite Ei. lra.
      * rewrite norm_y by auto. pose proof (norm_nonneg (d c) (x c j)).
        pose proof (Ha j Hj). pose proof (HX j Hj). destruct (I j); nra.
  - assert (E : \sum_(i < L c) (1 - member I i) = INR (L c) - INR (N c)).
    { rewrite sum_minus, sum_const, Rmult_1_r. f_equal. exact HS. }
    rewrite sum_scal_r, E. apply Rle_refl.
Qed.

(** One token has all the weight: E = (N+1)(L-N)||x||/L, and sum_i ||y_i|| = ||x||. *)
Lemma one_token_contributions c : (0 < length c)%nat ->
  contributions_ (one_token c) = norm (dim c) (same_x c).
Proof.
  intros H. unfold contributions_, one_token, y_; cbn.
  rewrite (sum_ext (length c) _ (fun i => if (i =? 0)%nat then norm (dim c) (same_x c) else 0)).
  - now rewrite sum_one.
  - intros i _. destruct (i =? 0)%nat; rewrite norm_scal; [rewrite Rabs_R1|rewrite Rabs_R0]; ring.
Qed.

(** Outside by itself it is ||x|| from s = 0; selected it leaves each other ||x|| from s = x. *)
Lemma one_token_E c : (2 <= length c)%nat -> (1 <= top c < length c)%nat ->
  E_ (one_token c) = (INR (top c) + 1) * (INR (length c) - INR (top c)) / INR (length c)
    * norm (dim c) (same_x c).
Proof.
  intros HL HN. rewrite E_by_token. cbn [L N d one_token]. set (X := norm (dim c) (same_x c)).
  pose proof (le_INR 2 (length c) HL) as Hn. cbn in Hn.
  rewrite (sum_ext (length c) _ (fun i => if (i =? 0)%nat
    then (INR (length c) - INR (top c)) / INR (length c) * X
    else (INR (length c) - INR (top c)) / INR (length c) * (INR (top c) / (INR (length c) - 1)) * X)).
  - rewrite (sum_split (length c) 0) by lia. cbn [Nat.eqb].
    rewrite (sum_ext (length c) _ (fun i => if (i =? 0)%nat then 0 else
      (INR (length c) - INR (top c)) / INR (length c) * (INR (top c) / (INR (length c) - 1)) * X))
      by (intros i _; now destruct (i =? 0)%nat).
    rewrite sum_others_const by lia. field. lra.
  - intros i Hi.
    assert (S : forall I k, sum_in (length c) I (fun j => y_ (one_token c) j k)
      = member I 0 * same_x c k).
    { intros I k. unfold sum_in, y_; cbn. rewrite <- (sum_one (length c) 0 (member I 0 * same_x c k)) by lia.
      apply sum_ext; intros j _. destruct (Nat.eqb_spec j 0) as [->|]; unfold member.
      - destruct (I 0%nat); ring.
      - destruct (I j); ring. }
    destruct (Nat.eqb_spec i 0) as [->|Hn0].
    + rewrite (mean_ext _ _ _ (fun I => (1 - member I 0) * X)).
      * rewrite mean_scal_r, mean_missing by lia. easy.
      * intros I _. unfold member at 1 2. destruct (I 0%nat) eqn:E0; [ring|]. f_equal.
        apply norm_ext; intros k _. rewrite S. unfold member, y_; cbn. rewrite E0. ring.
    + rewrite (mean_ext _ _ _ (fun I => (1 - member I i) * member I 0 * X)).
      * rewrite mean_scal_r, mean_missing_having by lia. easy.
      * intros I _. rewrite Rmult_assoc. f_equal.
        rewrite (norm_ext _ _ (fun k => - member I 0 * same_x c k)).
        -- rewrite norm_scal, Rabs_Ropp, Rabs_pos_eq; [easy|]. unfold member. destruct (I 0%nat); lra.
        -- intros k _. rewrite S. unfold y_; cbn.
           rewrite (proj2 (Nat.eqb_neq i 0) Hn0). ring.
Qed.

Lemma norm_one : norm 1 (fun _ => 1) = 1.
Proof. unfold norm; cbn. replace (0 + 1 * (1 * 1)) with 1 by ring. apply sqrt_1. Qed.

(** 2 (L - 1)/L - 1 is nearly 1 at L = 10^6, and 1/2 is claimed. *)
Theorem corollary2_long_context_refuted : ~ holds corollary2_long_context.
Proof.
  set (n := Nat.pow 10 6).
  assert (En : INR n = 1000000) by (unfold n; rewrite pow_INR; cbn [INR]; ring).
  assert (Hn : (2 <= n)%nat) by (unfold n; apply (Nat.le_trans _ (10^1)); [cbn; lia|apply Nat.pow_le_mono_r; lia]).
  clearbody n.
  set (c := EqualTokens n 1 1 (fun _ => 1) (1 / 2)).
  apply (refute corollary2_long_context c).
  - split; [split; cbn; [lia|lra]|]. change (1000 * INR 1 <= 1 / 2 * INR n). rewrite En. cbn [INR]. lra.
  - cbn [lhs rhs corollary2_long_context]. rewrite one_token_contributions, one_token_E by (cbn; lia).
    cbn [length top dim same_x epsilon c]. rewrite norm_one, En. cbn [INR].
    rewrite Rabs_pos_eq; lra.
Qed.

(** Equal weights: s = (N/L) x, and each of the L-N others is (N-1)/L ||x|| from it. *)
Lemma flat_distance c : (1 <= top c < length c)%nat ->
  D_ (flat c) = (INR (length c) - INR (top c)) * (INR (top c) - 1) / INR (length c)
    * norm (dim c) (same_x c).
Proof.
  intros HN. set (n := length c) in *. set (t := top c) in *.
  assert (Hn : 0 < INR n) by (apply lt_0_INR; lia).
  assert (Ht : 1 <= INR t) by (apply INR_pos; lia).
  assert (split : forall u v, \sum_(i < n) (if (i <? t)%nat then u else v)
    = INR t * u + (INR n - INR t) * v).
  { intros u v. replace n with (t + (n - t))%nat at 1 by lia. rewrite sum_app.
    rewrite (sum_ext t _ (fun _ => u)), (sum_ext (n - t) _ (fun _ => v)).
    - rewrite !sum_const, minus_INR by lia. easy.
    - intros i Hi. now rewrite (proj2 (Nat.ltb_ge (t + i) t)) by lia.
    - intros i Hi. now rewrite (proj2 (Nat.ltb_lt i t)). }
  unfold D_, distance_, sum_out, s_, sum_in, flat; cbn [L d a x I]. fold n t.
  rewrite (sum_ext n _ (fun i => if (i <? t)%nat then 0 else (INR t - 1) / INR n * norm (dim c) (same_x c))).
  - rewrite split. field. lra.
  - intros i Hi. destruct (i <? t)%nat; [easy|].
    rewrite (norm_ext _ _ (fun k => - ((INR t - 1) / INR n) * same_x c k)).
    + rewrite norm_scal, Rabs_Ropp, Rabs_pos_eq; [easy|].
      apply Rmult_le_pos; [lra|now apply Rlt_le, Rinv_0_lt_compat].
    + intros k _. pose proof (split (/ INR n * same_x c k) 0) as S.
      change (/ INR n * same_x c k - \sum_(i < n) (if (i <? t)%nat then / INR n * same_x c k else 0)
        = - ((INR t - 1) / INR n) * same_x c k). rewrite S. field. lra.
Qed.

(** (1/2)(N - 1) ||x|| at N = L/2 = 500000. *)
Theorem collapse_proportional_refuted : ~ holds collapse_proportional.
Proof.
  set (h := (5 * Nat.pow 10 5)%nat).
  assert (Eh : INR h = 500000) by (unfold h; rewrite mult_INR, pow_INR; cbn [INR]; ring).
  assert (Hh : (500 <= h)%nat).
  { unfold h. apply (Nat.le_trans _ (5 * 10^2)); [cbn; lia|].
    apply Nat.mul_le_mono_l, Nat.pow_le_mono_r; lia. }
  clearbody h. set (c := EqualTokens (2 * h) h 1 (fun _ => 1) (1 / 2)).
  apply (refute collapse_proportional c).
  - split; [split; cbn [top length epsilon c]; [lia|lra]|]. cbn [length c]. lia.
  - cbn [lhs rhs collapse_proportional]. rewrite flat_distance by (cbn [top length c]; lia).
    cbn [length top dim same_x epsilon c]. rewrite norm_one, mult_INR, Eh. cbn [INR]. lra.
Qed.
