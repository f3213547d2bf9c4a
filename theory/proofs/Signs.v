(** Theorem 2 on the line: independent signs. They have what Assumption 1 gives, and refute the upper
    bound and the exclusive reading of the lower one. *)
From Coq Require Import Reals Lra Lia Psatz Arith Bool.
From Limits Require Import Basics Exponential Vectors Weights Claim Law Theorem2.
Open Scope R_scope.

Definition sign (s : bool) : R := if s then 1 else -1.
(** L tokens, each R or -R with probability 1/2. *)
Definition on_line (L : nat) (a : vector) (I : nat -> bool) (R r : R) : sphere :=
  Sphere L 1 a I R r 0 (nat -> bool) (signs L) (fun w i _ => R * sign (w i)).

Lemma sign_turn j w i : sign (turn j w i) = if (i =? j)%nat then - sign (w i) else sign (w i).
Proof. unfold turn. destruct (i =? j)%nat; [|easy]. destruct (w i); cbn; lra. Qed.

Lemma sign_square s : sign s * sign s = 1.
Proof. destruct s; cbn; ring. Qed.

(** Independent signs meet what is assumed of Assumption 1. *)
Lemma signs_are_independent L a I R r : are_weights L a -> 0 < r -> 0 < R ->
  0 < N_ (on_line L a I R r) -> is_independent (on_line L a I R r).
Proof.
  intros W Hr HR HN. set (c := on_line L a I R r).
  assert (G : forall j k w, inner c j k w = R^2 * (sign (w j) * sign (w k))).
  { intros j k w. unfold inner, dot, c; cbn. ring. }
  repeat split; try easy; try (cbn; lra).
  - apply W.
  - apply W.
  - cbn. lia.
  - intros i w Hi. cbn. rewrite norm_line. destruct (w i); cbn.
    + rewrite Rabs_pos_eq; lra.
    + rewrite Rabs_left1; lra.
  - intros j k Hj Hk Hjk. cbn [law_ on_line c E signs].
    apply (mean_sign_odd L j); [easy|]. intros w. rewrite !G, !sign_turn, Nat.eqb_refl.
    rewrite (proj2 (Nat.eqb_neq k j)) by auto. ring.
  - intros j k p q Hj Hk Hp Hq Hjk Hpq. cbn [law_ on_line c E signs R_ d].
    destruct (same_pair j k p q) eqn:S.
    + rewrite (mean_sign_ext L _ (fun _ => R^4)).
      * transitivity (R^4); [apply (E_const _ (signs L))|]. cbn. field.
      * intros w. rewrite !G. unfold same_pair in S.
        pose proof (sign_square (w j)) as Sj. pose proof (sign_square (w k)) as Sk.
        destruct (Nat.eqb_spec j p), (Nat.eqb_spec k q), (Nat.eqb_spec j q), (Nat.eqb_spec k p);
          try discriminate; subst; try congruence;
          (transitivity (R^4 * ((sign (w p) * sign (w p)) * (sign (w q) * sign (w q))));
            [ring|rewrite !sign_square; ring]).
    + (* one of the four is in one pair only *)
      assert (D : forall m, (m < L)%nat ->
        ((m =? j) || (m =? k))%bool <> ((m =? p) || (m =? q))%bool ->
        mean_sign L (fun w => inner c j k w * inner c p q w) = 0).
      { intros m Hm D. apply (mean_sign_odd L m); [easy|]. intros w. rewrite !G, !sign_turn.
        destruct (Nat.eqb_spec j m), (Nat.eqb_spec k m), (Nat.eqb_spec p m), (Nat.eqb_spec q m);
          subst; try congruence; try ring; exfalso; apply D;
          repeat match goal with |- context [(?u =? ?v)%nat] => destruct (Nat.eqb_spec u v) end;
          subst; cbn; congruence. }
      unfold same_pair in S.
      destruct (Nat.eq_dec j p) as [->|Hjp].
      * apply (D k Hk). rewrite Nat.eqb_refl, orb_true_r. rewrite (proj2 (Nat.eqb_neq k p)) by auto.
        destruct (Nat.eqb_spec k q) as [->|]; [|easy]. rewrite !Nat.eqb_refl in S. discriminate.
      * destruct (Nat.eq_dec j q) as [->|Hjq].
        -- apply (D k Hk). rewrite Nat.eqb_refl, orb_true_r. rewrite (proj2 (Nat.eqb_neq k q)) by auto.
           destruct (Nat.eqb_spec k p) as [->|]; [|easy]. rewrite !Nat.eqb_refl, orb_true_r in S. discriminate.
        -- apply (D j Hj). rewrite Nat.eqb_refl.
           rewrite (proj2 (Nat.eqb_neq j p)), (proj2 (Nat.eqb_neq j q)) by auto. easy.
Qed.

(** Two tokens of weight 1/2 selected, and one of weight 0, which is at the origin: it is in the ball
    of radius 1 about s whatever the signs are. *)
Theorem theorem2_lower_exclusive_refuted : ~ holds theorem2_lower_exclusive.
Proof.
  set (a := fun i => if (i <? 2)%nat then 1/2 else 0). set (I := fun i => (i <? 2)%nat).
  set (c := on_line 3 a I 1 1).
  assert (HN : N_ c = 2) by (unfold N_, sum_in; cbn; ring).
  apply (refute theorem2_lower_exclusive c).
  - split; [|easy]. apply signs_are_independent; try lra.
    + split; [|cbn; lra]. intros i _. unfold a. destruct (i <? 2)%nat; lra.
    + fold c. rewrite HN. lra.
  - cbn [lhs rhs theorem2_lower_exclusive].
    assert (Nx : forall w, N_x c w = 0).
    { intros w. unfold N_x. destruct Rlt_dec as [|G]; [easy|]. exfalso. apply G.
      unfold outside_in_ball. change (L c) with 3%nat. cbn [sum]. change (Theorem2.I c 0%nat) with true.
      change (Theorem2.I c 1%nat) with true. change (Theorem2.I c 2%nat) with false. cbv iota.
      unfold indicator. destruct Rle_dec as [|B]; [lra|]. exfalso. apply B.
      unfold X_. change (d c) with 1%nat. rewrite norm_line. unfold s_, sum_in; cbn.
      destruct (w 0%nat), (w 1%nat), (w 2%nat); cbn; unfold a; cbn; unfold Rabs; destruct Rcase_abs; lra. }
    replace (E (law_ c) (N_x c)) with 0.
    2: { transitivity (E (law_ c) (fun _ => 0)); [now rewrite E_const|]. apply mean_sign_ext. intros w. now rewrite Nx. }
    assert (Hxi : forall i, (i < 2)%nat -> xi_ c i = 1/2).
    { intros i Hi. unfold xi_. rewrite <- (sqrt_pow2 (1/2)) by lra. f_equal.
      assert (Ei : (i = 0 \/ i = 1)%nat) by lia. destruct Ei as [->| ->]; unfold others; cbn; unfold a; cbn; field. }
    rewrite HN. change (r c) with 1. unfold sum_in. change (L c) with 3%nat. cbn [sum].
    change (Theorem2.I c 0%nat) with true. change (Theorem2.I c 1%nat) with true.
    change (Theorem2.I c 2%nat) with false. cbv iota. rewrite !Hxi by lia. lra.
Qed.

(** Seven tokens of weight 1/7 and one of weight 0, r = 4/7: unless all six others agree, which has
    the probability 1/32, X_i <= 4/7. So E[N_s]/N >= 31/32, and exp(-2/49) < 49/51 is claimed. *)
Section Upper.
Let a : vector := fun i => if (i <? 7)%nat then 1/7 else 0.
Let I : nat -> bool := fun i => (i <? 7)%nat.
Let c := on_line 8 a I 1 (4/7).
(** Whether the sign of j is s, for those of the others. *)
Let agrees (s : bool) (i j : nat) (t : bool) : R :=
  if (I j && negb (j =? i)%nat)%bool then if eqb t s then 1 else 0 else 1.
Let all_agree (s : bool) (i : nat) (w : nat -> bool) : R := product 8 (fun j => agrees s i j (w j)).

Lemma agrees_01 s i j t : agrees s i j t = 0 \/ agrees s i j t = 1.
Proof. unfold agrees. destruct (_ && _)%bool, (eqb t s); auto. Qed.

Lemma agrees_0 s i j t : agrees s i j t = 0 -> (j < 7)%nat /\ j <> i /\ t = negb s.
Proof.
  unfold agrees, I. destruct (Nat.ltb_spec j 7), (Nat.eqb_spec j i); cbn; try lra.
  destruct t, s; cbn; try lra; easy.
Qed.

Lemma all_agree_mean s i : (i < 7)%nat -> mean_sign 8 (all_agree s i) = / 64.
Proof.
  intros Hi. unfold all_agree. rewrite (mean_sign_product 8 (agrees s i)).
  assert (Ei : (i = 0 \/ i = 1 \/ i = 2 \/ i = 3 \/ i = 4 \/ i = 5 \/ i = 6)%nat) by lia.
  unfold agrees, I. repeat destruct Ei as [->|Ei]; try subst i; destruct s; cbn; field.
Qed.

(** Two tokens of opposite signs cancel, and four others are left. *)
Lemma within w i : (i < 7)%nat -> 1 - all_agree true i w - all_agree false i w <= indicator c i w.
Proof.
  intros Hi. unfold all_agree.
  destruct (product_01 8 (fun j => agrees true i j (w j))) as [E1|(E1 & j & Hj & A1)];
    [intros; apply agrees_01| |];
    destruct (product_01 8 (fun j => agrees false i j (w j))) as [E2|(E2 & k & Hk & A2)];
    try (intros; apply agrees_01); rewrite E1, E2;
    try (unfold indicator; destruct Rle_dec; lra).
  apply agrees_0 in A1. apply agrees_0 in A2. destruct A1 as (Hj7 & Hji & Wj). destruct A2 as (Hk7 & Hki & Wk).
  cbn in Wj, Wk. assert (Hjk : j <> k) by (intros ->; congruence).
  unfold indicator. destruct Rle_dec as [|B]; [lra|]. exfalso. apply B. clear B.
  set (b := fun m => if I m then if (m =? i)%nat then 0 else 1/7 else 0).
  assert (EX : X_ c i w = Rabs (\sum_(m < 8) (b m * sign (w m)))).
  { unfold X_. change (d c) with 1%nat. rewrite norm_line, <- Rabs_Ropp. f_equal.
    unfold s_, sum_in. change (L c) with 8%nat. rewrite (sum_split 8 i) by lia.
    change (Theorem2.I c) with I. unfold I at 1. rewrite (proj2 (Nat.ltb_lt i 7)) by easy.
    rewrite (sum_ext 8 _ (fun m => b m * sign (w m))); [cbn; ring|].
    intros m _. unfold b. destruct (m =? i)%nat eqn:Em; destruct (I m) eqn:Im; try ring.
    cbn. unfold a. unfold I in Im. rewrite Im. ring. }
  assert (Bb : forall m, 0 <= b m) by (intros m; unfold b; destruct (I m), (m =? i)%nat; lra).
  assert (Bj : b j = 1/7).
  { unfold b, I. rewrite (proj2 (Nat.ltb_lt j 7)) by easy. now rewrite (proj2 (Nat.eqb_neq j i)). }
  assert (Bk : b k = 1/7).
  { unfold b, I. rewrite (proj2 (Nat.ltb_lt k 7)) by easy. now rewrite (proj2 (Nat.eqb_neq k i)). }
  assert (Sb : sum 8 b = 6/7).
  { assert (Ei : (i = 0 \/ i = 1 \/ i = 2 \/ i = 3 \/ i = 4 \/ i = 5 \/ i = 6)%nat) by lia.
    unfold b, I. repeat destruct Ei as [->|Ei]; try subst i; cbn; field. }
  assert (two : forall f, sum 8 f = f j + (f k + \sum_(m < 8) (if (m =? k)%nat then 0 else
    if (m =? j)%nat then 0 else f m))).
  { intros f. rewrite (sum_split 8 j) by lia. f_equal. rewrite (sum_split 8 k) by lia.
    now rewrite (proj2 (Nat.eqb_neq k j)) by auto. }
  rewrite EX, two, Wj, Wk, Bj, Bk. rewrite two, Bj, Bk in Sb. cbn [sign]. change (r c) with (4/7).
  set (rest := fun f : vector => \sum_(m < 8) (if (m =? k)%nat then 0 else
    if (m =? j)%nat then 0 else f m)).
  change (Rabs (1/7 * -1 + (1/7 * 1 + rest (fun m => b m * sign (w m)))) <= 4/7).
  change (1/7 + (1/7 + rest b) = 6/7) in Sb.
  replace (1/7 * -1 + (1/7 * 1 + rest (fun m => b m * sign (w m)))) with (rest (fun m => b m * sign (w m))) by ring.
  apply Rle_trans with (rest b); [|lra]. unfold rest.
  eapply Rle_trans; [apply abs_sum_le|]. apply sum_le; intros m _.
  destruct (m =? k)%nat; [rewrite Rabs_R0; lra|]. destruct (m =? j)%nat; [rewrite Rabs_R0; lra|].
  rewrite Rabs_mult, (Rabs_pos_eq (b m)) by apply Bb.
  destruct (w m); cbn [sign]; [rewrite Rabs_R1|rewrite Rabs_left1 by lra]; lra.
Qed.

Lemma upper_N : N_ c = 7.
Proof. unfold N_, sum_in; cbn. ring. Qed.

Lemma upper_independent : is_independent c.
Proof.
  apply signs_are_independent; try lra.
  - split; [|unfold a; cbn; field]. intros i _. unfold a. destruct (i <? 7)%nat; lra.
  - change (0 < N_ c). rewrite upper_N. lra.
Qed.

Lemma upper_xi i : (i < 7)%nat -> xi_ c i = 6/7.
Proof.
  intros Hi. unfold xi_. rewrite <- (sqrt_pow2 (6/7)) by lra. f_equal.
  change (R_ c) with 1. change (delta c) with 0. change (L c) with 8%nat.
  assert (S : sum 8 (others c i) = 6/7).
  { assert (Ei : (i = 0 \/ i = 1 \/ i = 2 \/ i = 3 \/ i = 4 \/ i = 5 \/ i = 6)%nat) by lia.
    unfold others, c, on_line, a, I. repeat destruct Ei as [->|Ei]; try subst i; cbn; field. }
  rewrite S. field.
Qed.

Lemma upper_share i : (i < 7)%nat -> 31/32 <= E (law_ c) (indicator c i).
Proof.
  intros Hi. replace (31/32) with (E (law_ c) (fun w => 1 + -1 * (all_agree true i w + all_agree false i w))).
  - apply E_le; try easy. intros w. pose proof (within w i Hi). lra.
  - rewrite (E_plus _ (law_ c) (fun _ => 1) (fun w => -1 * (all_agree true i w + all_agree false i w))),
      E_const, (E_scal _ (law_ c) (-1) (fun w => all_agree true i w + all_agree false i w)),
      (E_plus _ (law_ c) (all_agree true i)) by easy.
    change (E (law_ c)) with (mean_sign 8). rewrite !all_agree_mean by easy. field.
Qed.

(** The bound fails though r is at most every xi_i. *)
Lemma upper_below_every_xi :
  is_independent c /\ (forall i, (i < 8)%nat -> I i = true -> r c <= xi_ c i) /\
  rhs theorem2_upper c < lhs theorem2_upper c.
Proof.
  split; [apply upper_independent|]. split.
  - intros i _ Ei. rewrite upper_xi; [change (r c) with (4/7); lra|]. now apply Nat.ltb_lt.
  - cbn [lhs rhs theorem2_upper]. rewrite E_N_s, upper_N by apply upper_independent.
    change (r c) with (4/7). change (R_ c) with 1.
    set (e := exp (- (2/49))).
    assert (He : e < 31/32).
    { unfold e. rewrite exp_Ropp. pose proof (exp_ineq1 (2/49) ltac:(lra)).
      apply Rlt_le_trans with (/ (51/49)); [apply Rinv_lt_contravar; lra|lra]. }
    assert (R1 : sum_in c (fun i => exp (- ((xi_ c i - 4/7)^2 / (2 * 1^2)))) = sum_in c (fun _ => e)).
    { apply sum_ext; intros i _. change (Theorem2.I c i) with (i <? 7)%nat.
      destruct (Nat.ltb_spec i 7); [|easy]. rewrite upper_xi by easy. unfold e. f_equal. field. }
    assert (L1 : sum_in c (fun _ => 31/32) <= sum_in c (fun i => E (law_ c) (indicator c i))).
    { apply sum_le; intros i _. change (Theorem2.I c i) with (i <? 7)%nat.
      destruct (Nat.ltb_spec i 7); [now apply upper_share|lra]. }
    assert (K : forall k, sum_in c (fun _ => k) = 7 * k) by (intros k; unfold sum_in; cbn; ring).
    rewrite R1, K. rewrite K in L1. lra.
Qed.

Theorem theorem2_upper_refuted : ~ holds theorem2_upper.
Proof.
  destruct upper_below_every_xi as (H & _ & E). exact (refute theorem2_upper c H E).
Qed.
End Upper.
