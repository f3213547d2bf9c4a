(** When the sharp gradient bounds of a normaliser are attained. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Coquelicot Require Import Coquelicot.
From Limits Require Import Basics Vectors Weights Row Claim Corollary3 Lemma2 Normalizers.
Open Scope R_scope.

Lemma two_largest_exist L a : (2 <= L)%nat -> exists k1 k2, two_largest L a k1 k2.
Proof.
  intros HL. destruct (Max_attained L a ltac:(lia)) as (k1 & H1 & E1).
  set (b := fun i => if (i =? k1)%nat then (if (k1 =? 0)%nat then a 1%nat else a 0%nat) else a i).
  destruct (Max_attained L b ltac:(lia)) as (m & Hm & Em).
  assert (K : exists k2, (k2 < L)%nat /\ k2 <> k1 /\ a k2 = Max L b).
  { unfold b in Em at 2. destruct (Nat.eqb_spec m k1) as [->|]; [|now exists m].
    destruct (Nat.eqb_spec k1 0); [exists 1%nat|exists 0%nat]; repeat split; try easy; lia. }
  destruct K as (k2 & H2 & Hn & E2). exists k1, k2. repeat split; try easy; [lia| |].
  - rewrite <- E1. now apply Max_ge.
  - intros i Hi Ni. rewrite E2. pose proof (Max_ge L b i Hi) as G. unfold b in G at 1.
    now rewrite (proj2 (Nat.eqb_neq i k1) Ni) in G.
Qed.

(** ||diag a - a a^T|| = 1/2 takes two weights of 1/2 and no other. *)
Lemma spread_norm_equal L a : (2 <= L)%nat -> are_weights L a -> (forall i, (i < L)%nat -> 0 < a i) ->
  / 2 <= spectral_norm L L (spread a) -> L = 2%nat /\ a 0%nat = a 1%nat.
Proof.
  intros HL W P E. destruct (two_largest_exist L a HL) as (k1 & k2 & T).
  pose proof (spread_norm_local L a k1 k2 W T) as B. destruct T as (H1 & H2 & Hn & Hle & _).
  pose proof (two_weights_le_1 L a W k1 k2 H1 H2 ltac:(lia)) as S. pose proof (P k1 H1). pose proof (P k2 H2).
  assert (A1 : a k1 = / 2) by (pose proof (pow2_ge_0 (a k1 - / 2)); nra).
  assert (A2 : a k2 = / 2) by (rewrite A1 in *; nra).
  assert (L2 : L = 2%nat).
  { destruct (Nat.eq_dec L 2) as [|N]; [easy|exfalso].
    assert (K : exists k, (k < L)%nat /\ k <> k1 /\ k <> k2).
    { destruct (Nat.eq_dec k1 0), (Nat.eq_dec k2 0), (Nat.eq_dec k1 1), (Nat.eq_dec k2 1); subst; try lia;
        first [exists 0%nat; lia|exists 1%nat; lia|exists 2%nat; lia]. }
    destruct K as (k & Hk & N1 & N2). pose proof (P k Hk) as Pk. pose proof (proj2 W) as T.
    rewrite (sum_split L k1), A1 in T by easy.
    rewrite (sum_split L k2) in T by easy. rewrite (sum_split L k) in T by easy.
    rewrite (proj2 (Nat.eqb_neq k2 k1)), (proj2 (Nat.eqb_neq k k2)), (proj2 (Nat.eqb_neq k k1)) in T by lia.
    assert (0 <= \sum_(i < L) (if (i =? k)%nat then 0 else if (i =? k2)%nat then 0
      else if (i =? k1)%nat then 0 else a i)); [|lra].
    apply sum_nonneg; intros i Hi. destruct (i =? k)%nat, (i =? k2)%nat, (i =? k1)%nat; try lra.
    now apply Rlt_le, P. }
  split; [easy|]. subst L. destruct k1 as [|[|]], k2 as [|[|]]; try lia; lra.
Qed.

(** Of two weights of 1/2: ||J||^2 = (g_0^2 + g_1^2)/8. *)
Lemma halves_norm a g : a 0%nat = / 2 -> a 1%nat = / 2 ->
  (spectral_norm 2 2 (fun i j => spread a i j * g j))^2 = (g 0%nat ^ 2 + g 1%nat ^ 2) / 8.
Proof.
  intros A0 A1. set (A := fun i j => spread a i j * g j). set (q := (g 0%nat ^ 2 + g 1%nat ^ 2) / 8).
  assert (Hq : 0 <= q) by (unfold q; pose proof (pow2_ge_0 (g 0%nat)); pose proof (pow2_ge_0 (g 1%nat)); lra).
  assert (F : frobenius_norm 2 2 A = sqrt q).
  { unfold frobenius_norm. f_equal. unfold A, spread, q; cbn. rewrite A0, A1. field. }
  pose proof (spectral_norm_le_frobenius 2 2 A) as U. rewrite F in U.
  pose proof (spectral_norm_nonneg 2 2 A) as N. apply Rle_antisym.
  - rewrite <- (pow2_sqrt q Hq). now apply pow_incr.
  - set (v := fun i : nat => if (i =? 0)%nat then g 0%nat else - g 1%nat).
    pose proof (spectral_norm_bound 2 2 A v) as B.
    assert (V : norm 2 v ^ 2 = 8 * q) by (rewrite norm_sqr; unfold v, q; cbn; field).
    assert (Z : norm 2 (apply 2 A v) ^ 2 = 8 * q^2).
    { rewrite norm_sqr. unfold apply, A, v, spread, q; cbn. rewrite A0, A1. field. }
    assert (B2 : norm 2 (apply 2 A v) ^ 2 <= (spectral_norm 2 2 A * norm 2 v)^2).
    { apply pow_incr. split; [apply norm_nonneg|easy]. }
    rewrite Rpow_mult_distr, V, Z in B2. destruct Hq as [Hq|<-]; [|apply pow2_ge_0].
    apply Rmult_le_reg_r with (8 * q); [lra|]. lra.
Qed.

Theorem lemma2_sharp_equal x : hypotheses lemma2_sharp x ->
  (lhs lemma2_sharp x = rhs lemma2_sharp x <-> (forall i, (i < L x)%nat -> F' x (l x i) = 0) \/
    L x = 2%nat /\ F x (l x 0%nat) = F x (l x 1%nat) /\ Rabs (F' x (l x 0%nat)) = Rabs (F' x (l x 1%nat))).
Proof.
  intros H. cbn [lhs rhs lemma2_sharp]. rewrite (norm_J x H).
  set (g := fun j => F' x (l x j) / F x (l x j)).
  change (spectral_norm (L x) (L x) (fun i j => spread (a_ x) i j * (F' x (l x j) / F x (l x j))))
    with (spectral_norm (L x) (L x) (fun i j => spread (a_ x) i j * g j)).
  assert (P : forall y, 0 < F x y) by apply H. pose proof (a_weights x H) as W.
  assert (HL : (2 <= L x)%nat) by apply H.
  assert (Pa : forall i, (i < L x)%nat -> 0 < a_ x i).
  { intros i Hi. apply Rdiv_lt_0_compat; [apply P|]. apply sum_pos; [lia|intros; apply P]. }
  set (r := max_ratio x). pose proof (max_ratio_nonneg x H) as Hr. fold r in Hr.
  set (G := spectral_norm (L x) (L x) (spread (a_ x))).
  assert (HG : 0 <= G) by apply spectral_norm_nonneg.
  assert (B : spectral_norm (L x) (L x) (fun i j => spread (a_ x) i j * g j) <= r * G).
  { apply spectral_norm_diagonal; try easy; [apply Rle_refl|]. intros j Hj. now apply ratio_le. }
  assert (R0 : r = 0 -> forall i, (i < L x)%nat -> F' x (l x i) = 0).
  { intros Z i Hi. pose proof (ratio_le x i Hi) as Q. fold r in Q. rewrite Z in Q.
    pose proof (Rabs_pos (F' x (l x i) / F x (l x i))). pose proof (P (l x i)).
    destruct (Req_dec (F' x (l x i)) 0) as [|N]; [easy|exfalso].
    apply (Rabs_no_R0 (F' x (l x i) / F x (l x i))); [|lra].
    apply Rmult_integral_contrapositive_currified; [easy|]. apply Rinv_neq_0_compat. lra. }
  assert (Rg : forall i, (i < L x)%nat -> Rabs (g i) <= r) by (intros; now apply ratio_le).
  assert (halves : L x = 2%nat -> F x (l x 0%nat) = F x (l x 1%nat) -> a_ x 0%nat = / 2 /\ a_ x 1%nat = / 2).
  { intros E2 EF. pose proof (P (l x 1%nat)). unfold a_, weights. rewrite E2; cbn. rewrite EF. split; field; lra. }
  split.
  - intros E. destruct Hr as [Hr|Hr]; [right|left; now apply R0].
    assert (G2 : / 2 <= G) by (apply Rmult_le_reg_l with r; lra).
    destruct (spread_norm_equal (L x) (a_ x) HL W Pa G2) as [E2 EA]. split; [easy|].
    assert (EF : F x (l x 0%nat) = F x (l x 1%nat)).
    { unfold a_, weights in EA. apply Rmult_eq_reg_r in EA; [easy|].
      apply Rinv_neq_0_compat, Rgt_not_eq, sum_pos; [lia|intros; apply P]. }
    split; [easy|]. destruct (halves E2 EF) as [A0 A1].
    pose proof (halves_norm (a_ x) g A0 A1) as N. rewrite E2 in E. rewrite E in N.
    pose proof (Rg 0%nat ltac:(lia)) as G0. pose proof (Rg 1%nat ltac:(lia)) as G1.
    pose proof (Rabs_pos (g 0%nat)). pose proof (Rabs_pos (g 1%nat)).
    rewrite <- (pow2_abs (g 0%nat)), <- (pow2_abs (g 1%nat)) in N.
    assert (Rabs (g 0%nat) = r /\ Rabs (g 1%nat) = r) as [Q0 Q1] by (split; nra).
    pose proof (P (l x 0%nat)). pose proof (P (l x 1%nat)). unfold g, Rdiv in Q0, Q1.
    rewrite Rabs_mult, (Rabs_pos_eq (/ F x (l x 0%nat))) in Q0 by (apply Rlt_le, Rinv_0_lt_compat; easy).
    rewrite Rabs_mult, (Rabs_pos_eq (/ F x (l x 1%nat))) in Q1 by (apply Rlt_le, Rinv_0_lt_compat; easy).
    rewrite EF in Q0. apply Rmult_eq_reg_r with (/ F x (l x 1%nat)); [lra|].
    apply Rinv_neq_0_compat. lra.
  - intros [Z|(E2 & EF & ES)].
    + assert (Zr : r = 0).
      { apply Rle_antisym; [|easy]. apply Max_le; [lia|]. intros i Hi. rewrite Z by easy.
        unfold Rdiv. rewrite Rmult_0_l, Rabs_R0. lra. }
      rewrite Zr in *. rewrite Rmult_0_l in B. rewrite Rmult_0_r. apply Rle_antisym; [easy|].
      apply spectral_norm_nonneg.
    + destruct (halves E2 EF) as [A0 A1]. pose proof (halves_norm (a_ x) g A0 A1) as N. rewrite E2.
      assert (S : Rabs (g 0%nat) = Rabs (g 1%nat)).
      { unfold g. rewrite EF. unfold Rdiv. rewrite !Rabs_mult, ES. easy. }
      assert (Er : r = Rabs (g 0%nat)).
      { apply Rle_antisym; [|apply Rg; lia]. apply Max_le; [lia|]. intros i Hi. fold (g i).
        assert (i = 0 \/ i = 1)%nat as [-> | ->] by lia; lra. }
      apply Rsqr_inj; [apply spectral_norm_nonneg|lra|]. rewrite !Rsqr_pow2, N, Er.
      rewrite <- (pow2_abs (g 0%nat)), <- (pow2_abs (g 1%nat)), <- S. field.
Qed.

(** |F'/F| = 2 |u|/(1 + u^2), u = 1 + z, is 1 at u = 1 and -1 alone. *)
Theorem lipschitz_taylor_equal x : hypotheses lipschitz_taylor x ->
  (lhs lipschitz_taylor x = rhs lipschitz_taylor x <->
    Row.L x = 2%nat /\ forall i, (i < 2)%nat -> Row.l x i = 0 \/ Row.l x i = -2 * Row.T x).
Proof.
  intros [HL HT].
  set (F := fun y => taylor (y / Row.T x)). set (F' := fun y => (1 + y / Row.T x) / Row.T x).
  set (y := NormalizedRow (Row.L x) F F' (Row.l x)).
  pose proof (scaled_row (Row.L x) taylor (fun z => 1 + z) (Row.T x) (Row.l x) HL HT taylor_pos taylor_derive) as H.
  fold F F' y in H.
  assert (ratio : forall z, Rabs (F' z / F z) = / Row.T x * (2 * Rabs (1 + z / Row.T x) / (1 + (1 + z / Row.T x)^2))).
  { intros z. unfold F', F, taylor. set (u := z / Row.T x). pose proof (pow2_ge_0 (1 + u)).
    assert (0 < 1 + (1 + u)^2) by lra.
    replace ((1 + u) / Row.T x / (1 + u + u ^ 2 / 2)) with (/ Row.T x * (2 / (1 + (1 + u)^2)) * (1 + u)).
    - rewrite Rabs_mult, Rabs_pos_eq; [field; lra|].
      apply Rmult_le_pos; [|apply Rmult_le_pos; [lra|]]; now apply Rlt_le, Rinv_0_lt_compat.
    - field. repeat split; nra. }
  assert (steep : forall u, 2 * Rabs u / (1 + u^2) <= 1 /\ (2 * Rabs u / (1 + u^2) = 1 <-> u = 1 \/ u = -1)).
  { intros u. pose proof (Rabs_pos u). rewrite <- (pow2_abs u). pose proof (pow2_ge_0 (Rabs u - 1)).
    assert (0 < 1 + Rabs u ^ 2) by nra. split; [|split].
    - apply Rmult_le_reg_r with (1 + Rabs u ^ 2); [easy|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; nra.
    - intros E. assert (Rabs u = 1).
      { assert (K : 2 * Rabs u = 2 * Rabs u / (1 + Rabs u ^ 2) * (1 + Rabs u ^ 2)) by (field; lra).
        rewrite E in K. nra. }
      unfold Rabs in *. destruct Rcase_abs; [right|left]; lra.
    - intros [-> | ->]; [rewrite Rabs_R1|rewrite Rabs_left by lra]; field. }
  pose proof (lemma2_sharp_equal y H) as Q. cbn [lhs rhs lemma2_sharp lipschitz_taylor] in *.
  change (spectral_norm (Row.L x) (Row.L x) (gradient (normalized_by taylor x) (Row.l x)))
    with (spectral_norm (L y) (L y) (J_ y)).
  pose proof (lemma2_sharp_proved y H) as B. cbn [lhs rhs lemma2_sharp] in B.
  assert (HiT : 0 < / Row.T x) by now apply Rinv_0_lt_compat.
  assert (half : 1 / (2 * Row.T x) = / 2 * / Row.T x) by (field; lra). rewrite half.
  assert (M : max_ratio y <= / Row.T x).
  { apply Max_le; [cbn; lia|]. intros i Hi. change (Rabs (F' (Row.l x i) / F (Row.l x i)) <= / Row.T x). rewrite ratio.
    rewrite <- (Rmult_1_r (/ Row.T x)) at 2. apply Rmult_le_compat_l; [lra|]. apply steep. }
  assert (at_end : forall z, 1 + z / Row.T x = 1 \/ 1 + z / Row.T x = -1 <-> z = 0 \/ z = -2 * Row.T x).
  { intros z. assert (D : z = (z / Row.T x) * Row.T x) by (field; lra). split; (intros [E|E]; [left|right]).
    - rewrite D. replace (z / Row.T x) with 0 by lra. ring.
    - rewrite D. replace (z / Row.T x) with (-2) by lra. ring.
    - rewrite E. field. lra.
    - rewrite E. field. lra. }
  split.
  - intros E. assert (Mr : max_ratio y = / Row.T x) by lra.
    assert (Eq : spectral_norm (L y) (L y) (J_ y) = / 2 * max_ratio y) by lra.
    destruct (Max_attained (L y) (fun i => Rabs (F' (l y i) / F (l y i))) ltac:(cbn; lia)) as (m & Hm & Em).
    change (max_ratio y = Rabs (F' (l y m) / F (l y m))) in Em. rewrite ratio, Mr in Em.
    assert (U : 1 + l y m / Row.T x = 1 \/ 1 + l y m / Row.T x = -1).
    { apply steep. apply Rmult_eq_reg_l with (/ Row.T x); lra. }
    apply Q in Eq. destruct Eq as [Z|(E2 & EF & ES)].
    { exfalso. specialize (Z m Hm). cbn in Z. unfold F' in Z. apply Rmult_integral in Z. cbn in U. lra. }
    cbn in E2, EF, ES, Hm. split; [easy|]. rewrite E2 in Hm.
    assert (squares : (1 + Row.l x 0%nat / Row.T x)^2 = (1 + Row.l x 1%nat / Row.T x)^2).
    { unfold F, taylor in EF. nra. }
    assert (ones : (1 + l y m / Row.T x)^2 = 1) by (destruct U as [-> | ->]; ring).
    intros i Hi. apply at_end. assert (S : (1 + Row.l x i / Row.T x)^2 = 1).
    { cbn in ones. assert (i = 0 \/ i = 1)%nat as [-> | ->] by lia; assert (m = 0 \/ m = 1)%nat as [-> | ->] by lia; lra. }
    assert (K : (1 + Row.l x i / Row.T x - 1) * (1 + Row.l x i / Row.T x + 1) = 0) by lra.
    apply Rmult_integral in K. lra.
  - intros [E2 Z].
    assert (U : forall i, (i < 2)%nat -> (1 + Row.l x i / Row.T x)^2 = 1 /\ Rabs (F' (Row.l x i) / F (Row.l x i)) = / Row.T x).
    { intros i Hi. pose proof (proj2 (at_end (Row.l x i)) (Z i Hi)) as K. split; [destruct K as [-> | ->]; ring|].
      rewrite ratio. rewrite (proj2 (proj2 (steep _)) K). ring. }
    destruct (U 0%nat ltac:(lia)) as [U0 R0]. destruct (U 1%nat ltac:(lia)) as [U1 R1].
    assert (Eq : spectral_norm (L y) (L y) (J_ y) = / 2 * max_ratio y).
    { apply Q. right. cbn. split; [easy|]. split; [unfold F, taylor; nra|].
      unfold F'. unfold Rdiv at 1 3. rewrite !Rabs_mult. f_equal.
      apply Rsqr_eq_abs_0. rewrite !Rsqr_pow2. lra. }
    rewrite Eq. f_equal. apply Rle_antisym; [easy|]. rewrite <- R0. now apply (ratio_le y 0%nat); cbn; lia.
Qed.
