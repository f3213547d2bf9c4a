(** What the paper says in words of its formulas: growth that is linear in L, what the main sum lacks, and a
    vanishing minimum. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Limits Require Import Basics Exponential Vectors Weights Subsets Claim Row Corollary3 Theorem1 Theorem1Random
  Corollary2.
Open Scope R_scope.

(** ** Claims *)

(** The one token has all the weight: the family that makes E as large as it gets. *)
Definition theorem1_random_linear : claim := {|
  case := equal_tokens;
  hypotheses c := is_equal_tokens c /\ (1000 * top c <= length c)%nat;
  lhs c := epsilon c * INR (length c) * norm (dim c) (same_x c);
  rhs c := E_ (one_token c)
|}.

(** Half of the tokens at x and the others at -x, of equal weights. *)
Definition halves (c : equal_tokens) : random_set :=
  RandomSet (length c) (dim c) (top c) (fun _ => / INR (length c))
    (fun i k => (if (2 * i <? length c)%nat then 1 else -1) * same_x c k).
Definition main_ (c : random_set) : R := p_ c * \sum_(i < Theorem1Random.L c) norm (Theorem1Random.d c) (m_ c i).

Definition theorem1_random_gap : claim := {|
  case := equal_tokens;
  hypotheses c := is_equal_tokens c /\ (1000 <= length c)%nat /\ exists h, length c = (h + h)%nat;
  lhs c := E_ (halves c) - main_ (halves c);
  rhs c := epsilon c * norm (dim c) (same_x c)
|}.

(** exp(-7) < 1/1000: the least value of exp over the row is less than a thousandth of the largest. *)
Definition lemma2_vanishing : claim := {|
  case := softmax_row;
  hypotheses x := is_softmax_row x /\
    7 <= (Max (Row.L x) (Row.l x) - Min (Row.L x) (Row.l x)) / Row.T x;
  lhs x := 1 / (4 * Row.T x);
  rhs x := spectral_norm (Row.L x) (Row.L x) (J_ x)
|}.

(** ** Proofs *)

(** A thousand tokens, one of them selected, at x = 1: E is below 2, and 1/100 of the length is 10. *)
Theorem theorem1_random_linear_refuted : ~ holds theorem1_random_linear.
Proof.
  set (c := EqualTokens 1000 1 1 (fun _ => 1) (1 / 100)).
  assert (En : INR 1000 = 1000) by (rewrite INR_IZR_INZ; reflexivity).
  apply (refute theorem1_random_linear c).
  - split; [split; [cbn [top length c]; lia|cbn; lra]|cbn [top length c]; lia].
  - cbn [lhs rhs theorem1_random_linear]. rewrite one_token_E by (cbn [top length c]; lia).
    cbn [length top dim same_x epsilon c]. rewrite norm_line, En, Rabs_R1. cbn [INR]. lra.
Qed.

Lemma sum_01 n f : (forall i, f i = 0 \/ f i = 1) -> exists k, sum n f = INR k.
Proof.
  intros H. induction n as [|n [k E]]; [now exists 0%nat|]. cbn [sum]. rewrite E.
  destruct (H n) as [->| ->]; [exists k; ring|exists (S k); rewrite S_INR; ring].
Qed.

(** Of 2h signs, h of either sort, two are selected. *)
Section Two.
Variable h : nat.
Hypothesis Hh : (2 <= h)%nat.
Let n := (h + h)%nat.
Let sg : vector := fun i => if (2 * i <? n)%nat then 1 else -1.

Lemma sg_square i : (sg i)^2 = 1.
Proof. unfold sg. destruct (_ <? _)%nat; ring. Qed.

Lemma sg_sum f : \sum_(i < n) (f i * sg i) = sum h f - \sum_(i < h) f (h + i)%nat.
Proof.
  unfold n. rewrite sum_app. rewrite (sum_ext h (fun i => f i * sg i) f).
  - rewrite (sum_ext h (fun i => f (h + i)%nat * sg (h + i)%nat) (fun i => -1 * f (h + i)%nat)).
    + rewrite (sum_scal h (-1) (fun i => f (h + i)%nat)). ring.
    + intros i _. unfold sg, n. rewrite (proj2 (Nat.ltb_ge _ _)) by lia. ring.
  - intros i Hi. unfold sg, n. rewrite (proj2 (Nat.ltb_lt _ _)) by lia. ring.
Qed.

(** Their sum is 2, 0 or -2, so that each sign is 1 or 3 from it. *)
Lemma away I i : size n I = INR 2 -> Rabs (sg i - sum_in n I sg) = ((sg i - sum_in n I sg)^2 + 3) / 4.
Proof.
  intros H.
  assert (M : forall j, member I j = 0 \/ member I j = 1) by (intros j; unfold member; destruct (I j); auto).
  destruct (sum_01 h (member I) M) as [k Ek].
  destruct (sum_01 h (fun j => member I (h + j)%nat) (fun j => M _)) as [l El].
  assert (E : sum_in n I sg = INR k - INR l).
  { rewrite <- Ek, <- El, <- sg_sum. apply sum_ext; intros j _. unfold member. destruct (I j); ring. }
  assert (T : (k + l = 2)%nat).
  { apply INR_eq. rewrite plus_INR, <- Ek, <- El, <- H. unfold size, n. now rewrite sum_app. }
  rewrite E. unfold sg.
  assert (C : ((k = 0 /\ l = 2) \/ (k = 1 /\ l = 1) \/ (k = 2 /\ l = 0))%nat) by lia.
  destruct C as [[-> ->]|[[-> ->]|[-> ->]]]; cbn [INR]; destruct (_ <? _)%nat;
    unfold Rabs; destruct Rcase_abs; lra.
Qed.

Let p := (INR n - INR 2) / INR n.
Let q := INR 2 / (INR n - 1).
Let r := (INR 2 - 1) / (INR n - 2).

Lemma n_large : 4 <= INR n.
Proof. pose proof (le_INR 4 n ltac:(unfold n; lia)) as P. cbn [INR] in P. lra. Qed.

Lemma sg_others i : (i < n)%nat -> \sum_(j < n) (if (j =? i)%nat then 0 else sg j) = - sg i.
Proof.
  intros Hi. pose proof (sum_split n i sg Hi) as P.
  assert (Z : sum n sg = 0).
  { rewrite (sum_ext n sg (fun i => 1 * sg i)), sg_sum, !sum_const by (intros; ring). ring. }
  lra.
Qed.

Lemma mean_away i : (i < n)%nat -> mean n 2 (fun I => (1 - member I i) * Rabs (sg i - sum_in n I sg)) =
  p * ((1 + q)^2 + (q * (1 - r) * (INR n - 1) - q * (q - r)) + 3) / 4.
Proof.
  intros Hi. pose proof n_large as Hn.
  assert (Hn2 : (2 < n)%nat) by (unfold n; lia).
  transitivity (mean n 2 (fun I => (1 - member I i) * (sg i - sum_in n I sg)^2 * / 4 + (1 - member I i) * (3 / 4))).
  { unfold mean. f_equal. apply sum_sets_size; intros I _ HI. rewrite (away I i HI). field. }
  rewrite mean_plus, !mean_scal_r, mean_missing, second_moment by lia.
  assert (E1 : \sum_(j < n) (if (j =? i)%nat then 0 else sg j) = - sg i) by now apply sg_others.
  assert (E2 : \sum_(j < n) (if (j =? i)%nat then 0 else sg j)^2 = INR n - 1).
  { rewrite (sum_ext n _ (fun j => if (j =? i)%nat then 0 else 1)).
    - rewrite sum_others_const by easy. ring.
    - intros j _. destruct (j =? i)%nat; [ring|apply sg_square]. }
  rewrite E1, E2. fold p q r.
  replace ((sg i - q * - sg i)^2) with ((sg i)^2 * (1 + q)^2) by ring.
  replace ((- sg i)^2) with ((sg i)^2) by ring. rewrite sg_square. field.
Qed.

Variables (d : nat) (x : vector) (e : R).
Let c := EqualTokens n 2 d x e.
Let X := norm d x.

Lemma halves_E : E_ (halves c) = p * ((1 + q)^2 + (q * (1 - r) * (INR n - 1) - q * (q - r)) + 3) / 4 * X.
Proof.
  pose proof n_large as Hn. rewrite E_by_token.
  change (Theorem1Random.L (halves c)) with n. change (Theorem1Random.N (halves c)) with 2%nat.
  change (Theorem1Random.d (halves c)) with d.
  rewrite (sum_ext n _ (fun _ => p * ((1 + q)^2 + (q * (1 - r) * (INR n - 1) - q * (q - r)) + 3) / 4 * (/ INR n * X))).
  - rewrite sum_const. field. lra.
  - intros i Hi. rewrite <- (mean_away i Hi), <- mean_scal_r. apply mean_ext; intros I _.
    rewrite Rmult_assoc. f_equal.
    rewrite (norm_ext _ _ (fun k => (sg i - sum_in n I sg) * / INR n * x k)).
    + rewrite norm_scal, Rabs_mult, (Rabs_pos_eq (/ INR n)); [unfold X; ring|]. apply Rlt_le, Rinv_0_lt_compat. lra.
    + intros k _. rewrite Rmult_assoc, Rmult_minus_distr_r. f_equal; [unfold y_, halves, sg; cbn; fold n; ring|].
      unfold sum_in. rewrite <- sum_scal_r. apply sum_ext; intros j _.
      destruct (I j); [unfold y_, halves, sg; cbn; fold n; ring|ring].
Qed.

Lemma halves_main : main_ (halves c) = p * (1 + q) * X.
Proof.
  pose proof n_large as Hn. unfold main_.
  change (Theorem1Random.L (halves c)) with n. change (Theorem1Random.d (halves c)) with d.
  change (p_ (halves c)) with p.
  assert (Hq : 0 <= q).
  { unfold q. apply Rmult_le_pos; [cbn [INR]; lra|]. apply Rlt_le, Rinv_0_lt_compat. lra. }
  rewrite (sum_ext n _ (fun _ => (1 + q) * / INR n * X)); [rewrite sum_const; field; lra|].
  intros i Hi. rewrite (norm_ext _ _ (fun k => sg i * ((1 + q) * / INR n) * x k)).
  - rewrite norm_scal, Rabs_mult. replace (Rabs (sg i)) with 1.
    + rewrite Rmult_1_l, Rabs_pos_eq; [easy|]. apply Rmult_le_pos; [lra|]. apply Rlt_le, Rinv_0_lt_compat. lra.
    + unfold sg. destruct (_ <? _)%nat; [now rewrite Rabs_R1|rewrite Rabs_left; lra].
  - intros k _.
    assert (O : others (halves c) i (fun j => y_ (halves c) j k) = - sg i * (/ INR n * x k)).
    { unfold others. change (Theorem1Random.L (halves c)) with n.
      rewrite <- (sg_others i Hi), <- sum_scal_r. apply sum_ext; intros j _.
      destruct (j =? i)%nat; [ring|unfold y_, halves, sg; cbn; fold n; ring]. }
    unfold m_. rewrite O. change (Theorem1Random.L (halves c)) with n. change (Theorem1Random.N (halves c)) with 2%nat.
    fold q. unfold y_, halves, sg; cbn; fold n. ring.
Qed.

Lemma halves_gap : E_ (halves c) - main_ (halves c) =
  (INR n - 2) * (INR n - 4) / (2 * INR n * (INR n - 1)) * norm d x.
Proof.
  pose proof n_large as Hn. rewrite halves_E, halves_main. unfold p, q, r, X. cbn [INR]. field. lra.
Qed.
End Two.

(** A thousand tokens, two of them selected: 41417/83250, and 1/4 is claimed. *)
Theorem theorem1_random_gap_refuted : ~ holds theorem1_random_gap.
Proof.
  set (c := EqualTokens (500 + 500) 2 1 (fun _ => 1) (1 / 4)).
  assert (En : INR (500 + 500) = 1000) by (rewrite INR_IZR_INZ; reflexivity).
  apply (refute theorem1_random_gap c).
  - split; [split; [cbn [top length c]; lia|cbn; lra]|]. split; [cbn [length c]; lia|now exists 500%nat].
  - cbn [lhs rhs theorem1_random_gap]. unfold c. rewrite (halves_gap 500 ltac:(lia)), En.
    cbn [dim same_x epsilon]. rewrite norm_line, Rabs_R1. lra.
Qed.

(** Logits 0 and -7: ||J|| is at most 2 a_1 a_2 < 2 exp(-7) < 1/4, as exp 7 >= 1 + 7. *)
Theorem lemma2_vanishing_refuted : ~ holds lemma2_vanishing.
Proof.
  set (l := fun i : nat => if (i =? 0)%nat then 0 else -7). set (x := SoftmaxRow 2 l 1).
  apply (refute lemma2_vanishing x).
  - split; [split; cbn; [lia|lra]|]. unfold Min, x, l; cbn. rewrite Rmax_left, Rmax_right; lra.
  - cbn [lhs rhs lemma2_vanishing].
    set (e := exp (-7)). assert (He : 0 < e) by apply exp_pos.
    assert (H7 : e < 1 / 8).
    { pose proof (exp_ineq1 7 ltac:(lra)) as P. unfold e. replace (-7) with (- (7)) by lra. rewrite exp_Ropp. unfold Rdiv. rewrite Rmult_1_l.
      apply Rinv_lt_contravar; [|lra]. apply Rmult_lt_0_compat; [lra|apply exp_pos]. }
    assert (A0 : a_ x 0%nat = 1 / (1 + e)).
    { unfold a_, softmax, weights, x, l; cbn. replace (0 / 1) with 0 by field. replace (-7 / 1) with (-7) by field.
      rewrite exp_0. fold e. now rewrite Rplus_0_l. }
    assert (A1 : a_ x 1%nat = e / (1 + e)).
    { unfold a_, softmax, weights, x, l; cbn. replace (0 / 1) with 0 by field. replace (-7 / 1) with (-7) by field.
      rewrite exp_0. fold e. now rewrite Rplus_0_l. }
    set (y := RankedRow x 0 1).
    assert (B : spectral_norm 2 2 (J_ x) <= a_ x 0%nat * (1 - a_ x 0%nat + a_ x 1%nat) / 1).
    { apply (corollary3_local_upper_proved y). split; [split; cbn; [lia|lra]|].
      repeat split; cbn; try lia; try (unfold l; cbn; lra). intros i Hi Hn.
      assert (i = 1)%nat as -> by (cbn in Hi; lia). apply Rle_refl. }
    rewrite A0, A1 in B. eapply Rle_lt_trans; [exact B|].
    assert (1 / (1 + e) * (1 - 1 / (1 + e) + e / (1 + e)) / 1 = 2 * e / (1 + e)^2) as -> by (field; lra).
    assert (1 <= (1 + e)^2) by (pose proof (pow2_ge_0 e); lra).
    apply Rle_lt_trans with (2 * e); [|cbn [Row.T x]; lra].
    apply Rmult_le_reg_r with ((1 + e)^2); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
    rewrite Rmult_1_r. rewrite <- (Rmult_1_r (2 * e)) at 1. apply Rmult_le_compat_l; lra.
Qed.
