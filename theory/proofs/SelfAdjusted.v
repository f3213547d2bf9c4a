(** Self-Adjusted Softmax where it is differentiable. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Coquelicot Require Import Coquelicot.
From Limits Require Import Basics Calculus Vectors Weights Row Claim Normalizers.
From Limits Require Lemma2.
Open Scope R_scope.

(** The least of some numbers and 0, and the largest. *)
Definition low (n : nat) (z : vector) : R := Rmin 0 (Min n z).
Definition high (n : nat) (z : vector) : R := Rmax 0 (Max n z).

(** The least number is not 0; where it is negative, there is no other as small. *)
Definition is_least (n : nat) (z : vector) (m : nat) : Prop := (m < n)%nat /\
  ((0 < z m /\ forall i, (i < n)%nat -> z m <= z i) \/
   (z m < 0 /\ forall i, (i < n)%nat -> i <> m -> z m < z i)).

(** With the places of the least and the largest logit. *)
Record reaching_row := ReachingRow { row :> softmax_row; least : nat; most : nat }.

Section Terms.
Variable x : reaching_row.
Definition z_ : vector := fun i => l x i / T x.
Definition rho_ : R := high (L x) z_ - low (L x) z_.
Definition is_reaching_row : Prop := is_softmax_row x /\
  is_least (L x) z_ (least x) /\ is_least (L x) (fun i => - z_ i) (most x).
(** Of the tokens between the ends, 0 < v < 1: sum p_i^2. *)
Definition inner_ : R := \sum_(i < L x)
  (if Rlt_dec (low (L x) z_) (z_ i) then if Rlt_dec (z_ i) (high (L x) z_) then (a_ x i)^2 else 0 else 0).
End Terms.

Definition lipschitz_self_adjusted_repaired : claim := {|
  case := reaching_row;
  hypotheses := is_reaching_row;
  lhs x := spectral_norm (L x) (L x) (gradient (self_adjusted (L x) (T x)) (l x));
  rhs x := (1 / 2 + sqrt 2 / rho_ x) / T x
|}.

(** And the places of the two largest weights of softmax. *)
Record ranked_reaching_row := RankedReachingRow { reaching :> reaching_row; first : nat; second : nat }.

Definition lipschitz_self_adjusted_sharp : claim := {|
  case := ranked_reaching_row;
  hypotheses x := is_reaching_row x /\ two_largest (L x) (a_ x) (first x) (second x);
  lhs x := spectral_norm (L x) (L x) (gradient (self_adjusted (L x) (T x)) (l x));
  rhs x := (a_ x (first x) * (1 - a_ x (first x) + a_ x (second x)) + sqrt (2 * inner_ x) / rho_ x) / T x
|}.

(** ** Proofs *)

Lemma low_ext n f g : (forall i, f i = g i) -> low n f = low n g.
Proof.
  intros E. unfold low, Min. rewrite (Max_ext n (fun i => - f i) (fun i => - g i)); [easy|].
  intros i _. now rewrite E.
Qed.

Lemma high_low n z : high n z = - low n (fun i => - z i).
Proof.
  unfold high, low, Min. rewrite (Max_ext n (fun i => - - z i) z) by (intros; ring).
  unfold Rmax, Rmin. repeat destruct Rle_dec; lra.
Qed.

(** What the low end follows: the least number where it is negative. *)
Definition follow (z : vector) (m : nat) : R := if Rlt_dec (z m) 0 then 1 else 0.

Lemma follow_01 z m : follow z m = 0 \/ follow z m = 1.
Proof. unfold follow. destruct Rlt_dec; auto. Qed.

(** While one number moves by less than some gap, the low end stays where it is, or moves along. *)
Lemma low_near n z m : is_least n z m -> exists g, 0 < g /\ forall z' j,
  (forall k, k <> j -> z' k = z k) -> Rabs (z' j - z j) < g -> low n z' = follow z m * z' m.
Proof.
  intros (Hm & [(P & Q)|(P & Q)]).
  - exists (z m). split; [easy|]. intros z' j E D. apply Rabs_def2 in D.
    unfold follow, low. destruct Rlt_dec; [lra|]. rewrite Rmin_left; [ring|].
    apply Min_ge; [lia|]. intros i Hi. specialize (Q i Hi).
    destruct (Nat.eq_dec i j) as [->|N]; [lra|rewrite E by easy; lra].
  - set (f := fun i => if (i =? m)%nat then - z m else z i - z m). exists (Min n f).
    assert (G : forall i, (i < n)%nat -> i <> m -> Min n f <= z i - z m).
    { intros i Hi N. pose proof (Min_le n f i Hi) as B. unfold f at 2 in B.
      now rewrite (proj2 (Nat.eqb_neq i m) N) in B. }
    assert (G0 : Min n f <= - z m).
    { pose proof (Min_le n f m Hm) as B. unfold f at 2 in B. now rewrite Nat.eqb_refl in B. }
    split.
    + destruct (Min_attained n f) as (i & Hi & ->); [lia|]. unfold f.
      destruct (Nat.eqb_spec i m) as [|N]; [lra|]. specialize (Q i Hi N). lra.
    + intros z' j E D. apply Rabs_def2 in D.
      unfold follow, low. destruct Rlt_dec; [|lra]. rewrite Rmult_1_l.
      assert (A : z' m < 0) by (destruct (Nat.eq_dec m j) as [->|N]; [lra|rewrite E by easy; lra]).
      assert (B : forall i, (i < n)%nat -> z' m <= z' i).
      { intros i Hi. destruct (Nat.eq_dec i m) as [->|N]; [lra|]. specialize (G i Hi N). specialize (Q i Hi N).
        destruct (Nat.eq_dec m j) as [->|M]; [rewrite (E i) by easy; lra|]. rewrite (E m) by easy.
        destruct (Nat.eq_dec i j) as [->|K]; [lra|rewrite (E i) by easy; lra]. }
      assert (C : Min n z' <= z' m) by now apply Min_le.
      rewrite Rmin_right by lra. apply Rle_antisym; [easy|apply Min_ge; [lia|easy]].
Qed.

Lemma low_derive n l c m j : c <> 0 -> is_least n (fun i => l i * c) m ->
  is_derive (fun y => low n (fun k => set_at l j y k * c)) (l j)
    ((if (j =? m)%nat then follow (fun i => l i * c) m else 0) * c).
Proof.
  intros Hc H. destruct (low_near _ _ _ H) as (g & Hg & G). set (f := follow (fun i => l i * c) m) in *.
  apply (is_derive_ext_loc (fun y => f * (set_at l j y m * c))).
  - pose proof (Rabs_pos_lt c Hc) as Hc'.
    exists (mkposreal (g / Rabs c) (Rdiv_lt_0_compat _ _ Hg Hc')). intros y Hy. symmetry.
    apply (G (fun k => set_at l j y k * c) j).
    + intros k Hk. unfold set_at. now rewrite (proj2 (Nat.eqb_neq k j) Hk).
    + unfold set_at. rewrite Nat.eqb_refl. replace (y * c - l j * c) with ((y - l j) * c) by ring.
      rewrite Rabs_mult. change (Rabs (y - l j) < g / Rabs c) in Hy.
      apply Rmult_lt_compat_r with (r := Rabs c) in Hy; [|easy].
      replace (g / Rabs c * Rabs c) with g in Hy by (field; lra). easy.
  - unfold set_at. rewrite (Nat.eqb_sym m j). destruct (Nat.eqb_spec j m).
    + derive. ring.
    + rewrite Rmult_0_l. apply (is_derive_const (f * (l m * c))).
Qed.

(** a = P (Z - A)/(B - A). *)
Lemma adjusted_derive (P Z A B : R -> R) (P' Z' A' B' t : R) : B t - A t <> 0 ->
  is_derive P t P' -> is_derive Z t Z' -> is_derive A t A' -> is_derive B t B' ->
  is_derive (fun t => P t * ((Z t - A t) / (B t - A t))) t
    (P' * ((Z t - A t) / (B t - A t)) +
     P t / (B t - A t) * (Z' - A' - (Z t - A t) / (B t - A t) * (B' - A'))).
Proof.
  intros H DP DZ DA DB. derive; [easy|]. field. easy.
Qed.

Section Gradient.
Variable x : reaching_row.
Hypothesis H : is_reaching_row x.
Let n := L x.
Let z := z_ x.
Let p := a_ x.
Let lo := low n z.
Let hi := high n z.
Let rho := rho_ x.
Let v i := (z i - lo) / rho.
Let m := least x.
Let M := most x.
Let sm := follow z m.
Let sM := follow (fun i => - z i) M.

Lemma ends i : (i < n)%nat -> lo <= z i <= hi.
Proof.
  intros Hi. unfold lo, hi, low, high. pose proof (Min_le n z i Hi). pose proof (Max_ge n z i Hi).
  pose proof (Rmin_r 0 (Min n z)). pose proof (Rmax_r 0 (Max n z)). lra.
Qed.

Lemma rho_pos : 0 < rho.
Proof.
  destruct H as (_ & (Hm & R) & _). fold n z m in Hm, R. pose proof (ends m Hm).
  pose proof (Rmin_l 0 (Min n z)). pose proof (Rmax_l 0 (Max n z)).
  change (0 < hi - lo). unfold hi, lo, low, high in *. destruct R as [[R _]|[R _]]; lra.
Qed.

Lemma v_bounds i : (i < n)%nat -> 0 <= v i <= 1.
Proof.
  intros Hi. pose proof rho_pos. pose proof (ends i Hi). unfold v. split.
  - apply Rmult_le_pos; [lra|now apply Rlt_le, Rinv_0_lt_compat].
  - apply Rmult_le_reg_r with rho; [easy|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
    change rho with (hi - lo). lra.
Qed.

(** T J = diag(v) (diag p - p p^T) + diag(p) V/rho, row i of V being e_i - (1 - v_i) e_m - v_i e_M. *)
Lemma adjusted_gradient i j : (i < n)%nat -> (j < n)%nat ->
  gradient (self_adjusted n (T x)) (l x) i j = (v i * spread p i j + p i / rho *
    ((if (j =? i)%nat then 1 else 0) - (1 - v i) * (if (j =? m)%nat then sm else 0)
     - v i * (if (j =? M)%nat then sM else 0))) / T x.
Proof.
  intros Hi Hj. pose proof H as ((HL & HT) & Hm & HM). pose proof (Rinv_0_lt_compat _ HT) as Hc.
  pose proof rho_pos as Hr. unfold gradient. apply is_derive_unique.
  assert (DA := low_derive n (l x) (/ T x) m j ltac:(lra) Hm).
  assert (HM' : is_least n (fun i => l x i * - / T x) M).
  { assert (E : forall i, l x i * - / T x = - z i) by (intros; unfold z, z_; field; lra).
    destruct HM as (KM & R). split; [easy|]. rewrite E. destruct R as [[R Q]|[R Q]]; [left|right]; split; try easy.
    - intros k Hk. rewrite E. now apply Q.
    - intros k Hk Hn. rewrite E. now apply Q. }
  assert (DB0 := low_derive n (l x) (- / T x) M j ltac:(lra) HM').
  assert (EM : follow (fun i => l x i * - / T x) M = sM).
  { unfold sM, follow. replace (l x M * - / T x) with (- z M) by (unfold z, z_; field; lra). easy. }
  rewrite EM in DB0. apply is_derive_opp in DB0.
  assert (DB : is_derive (fun y => high n (fun k => set_at (l x) j y k * / T x)) (l x j)
    ((if (j =? M)%nat then sM else 0) * / T x)).
  { replace ((if (j =? M)%nat then sM else 0) * / T x) with (opp ((if (j =? M)%nat then sM else 0) * - / T x))
      by (unfold opp; cbn; ring).
    eapply is_derive_ext; [|exact DB0]. intros y. cbn. rewrite high_low. unfold opp; cbn. f_equal.
    apply low_ext; intros k. ring. }
  assert (DZ : is_derive (fun y => set_at (l x) j y i / T x) (l x j) ((if (j =? i)%nat then 1 else 0) * / T x)).
  { unfold set_at. rewrite (Nat.eqb_sym i j). destruct (Nat.eqb_spec j i).
    - derive. easy.
    - rewrite Rmult_0_l. apply (is_derive_const (l x i / T x)). }
  assert (DP := softmax_derive n (T x) (l x) HL HT i j Hi Hj).
  assert (back : forall k, set_at (l x) j (l x j) k = l x k).
  { intros k. unfold set_at. destruct (Nat.eqb_spec k j) as [->|]; easy. }
  assert (EA : low n (fun k => set_at (l x) j (l x j) k * / T x) = lo)
    by (apply low_ext; intros k; now rewrite back).
  assert (EB : high n (fun k => set_at (l x) j (l x j) k * / T x) = hi).
  { unfold hi. rewrite !high_low. f_equal. apply low_ext; intros k. now rewrite back. }
  assert (EZ : set_at (l x) j (l x j) i / T x = z i) by now rewrite back.
  assert (EP : softmax n (T x) (set_at (l x) j (l x j)) i = p i) by (apply softmax_ext; [easy..|apply back]).
  pose proof (fun N => adjusted_derive _ _ _ _ _ _ _ _ (l x j) N DP DZ DA DB) as D.
  cbv beta in D. rewrite EA, EB, EZ, EP in D. specialize (D ltac:(change (rho <> 0); lra)).
  change (hi - lo) with rho in D. fold (v i) in D. fold sm in D.
  replace ((v i * spread p i j + _) / T x) with (spread p i j / T x * v i + p i / rho *
    ((if (j =? i)%nat then 1 else 0) * / T x - (if (j =? m)%nat then sm else 0) * / T x
     - v i * ((if (j =? M)%nat then sM else 0) * / T x - (if (j =? m)%nat then sm else 0) * / T x)))
    by (field; lra).
  exact D.
Qed.

Lemma part_le s w k : s = 0 \/ s = 1 -> (k < n)%nat -> forall i, (i < n)%nat -> (i = k -> s = 0) ->
  (w i - s * w k)^2 <= 2 * (norm n w)^2.
Proof.
  intros Hs Hk i Hi N. rewrite norm_sqr.
  assert (S : (w i)^2 + s * (w k)^2 <= \sum_(j < n) (w j)^2).
  { rewrite (sum_split n i) by easy. apply Rplus_le_compat_l.
    destruct Hs as [->| ->].
    - rewrite Rmult_0_l. apply sum_nonneg; intros j _. destruct (j =? i)%nat; [lra|apply pow2_ge_0].
    - pose proof (term_le_sum n k (fun j => if (j =? i)%nat then 0 else (w j)^2)) as B. cbv beta in B.
      destruct (Nat.eqb_spec k i) as [->|]; [specialize (N eq_refl); lra|]. rewrite Rmult_1_l. apply B; [|easy].
      intros j _. destruct (j =? i)%nat; [lra|apply pow2_ge_0]. }
  pose proof (pow2_ge_0 (w i)). pose proof (pow2_ge_0 (w k)). pose proof (pow2_ge_0 (w i + w k)).
  destruct Hs as [->| ->]; nra.
Qed.

Let q i := if Rlt_dec lo (z i) then if Rlt_dec (z i) hi then (p i)^2 else 0 else 0.

(** Row i of V reaches at most sqrt 2, and nothing at the ends. *)
Lemma row_le w i : (i < n)%nat ->
  (p i * (w i - (1 - v i) * (sm * w m) - v i * (sM * w M)))^2 <= q i * (2 * (norm n w)^2).
Proof.
  intros Hi. pose proof rho_pos as Hr. pose proof (v_bounds i Hi) as Hv. pose proof (ends i Hi) as He.
  destruct H as (_ & (Hm & R) & (HM & R')). fold n z m in Hm, R. fold n z M in HM, R'.
  assert (El : lo = sm * z m).
  { destruct (low_near n z m) as (g & Hg & G); [apply H|]. apply (G z 0%nat); [easy|].
    rewrite Rminus_diag_eq, Rabs_R0 by easy. easy. }
  assert (Eh : hi = sM * z M).
  { unfold hi. rewrite high_low. destruct (low_near n (fun i => - z i) M) as (g & Hg & G); [apply H|].
    rewrite (G (fun i => - z i) 0%nat); [fold sM; ring|easy|].
    rewrite Rminus_diag_eq, Rabs_R0 by easy. easy. }
  assert (Hsm : sm = 0 \/ sm = 1) by apply follow_01. assert (HsM : sM = 0 \/ sM = 1) by apply follow_01.
  assert (low_end : z i = lo -> i = m /\ sm = 1).
  { intros E. rewrite El in E. destruct R as [[R Q]|[R Q]].
    - exfalso. assert (S0 : sm = 0) by (unfold sm, follow; destruct Rlt_dec; lra). rewrite S0 in E.
      specialize (Q i Hi). lra.
    - assert (S1 : sm = 1) by (unfold sm, follow; destruct Rlt_dec; lra). split; [|easy]. rewrite S1 in E.
      destruct (Nat.eq_dec i m) as [|N]; [easy|]. specialize (Q i Hi N). lra. }
  assert (high_end : z i = hi -> i = M /\ sM = 1).
  { intros E. rewrite Eh in E. cbn in R'. destruct R' as [[R' Q]|[R' Q]].
    - exfalso. assert (S0 : sM = 0) by (unfold sM, follow; destruct Rlt_dec; lra). rewrite S0 in E.
      specialize (Q i Hi). lra.
    - assert (S1 : sM = 1) by (unfold sM, follow; destruct Rlt_dec; lra). split; [|easy]. rewrite S1 in E.
      destruct (Nat.eq_dec i M) as [|N]; [easy|]. specialize (Q i Hi N). lra. }
  unfold q. destruct (Rlt_dec lo (z i)) as [Gl|Gl].
  - destruct (Rlt_dec (z i) hi) as [Gh|Gh].
    + rewrite Rpow_mult_distr. apply Rmult_le_compat_l; [apply pow2_ge_0|].
      replace (w i - (1 - v i) * (sm * w m) - v i * (sM * w M))
        with ((1 - v i) * (w i - sm * w m) + v i * (w i - sM * w M)) by ring.
      assert (A : (w i - sm * w m)^2 <= 2 * (norm n w)^2).
      { apply part_le; try easy. intros ->. destruct Hsm as [S|S]; [easy|]. rewrite El, S in Gl. lra. }
      assert (B : (w i - sM * w M)^2 <= 2 * (norm n w)^2).
      { apply part_le; try easy. intros ->. destruct HsM as [S|S]; [easy|]. rewrite Eh, S in Gh. lra. }
      set (a := w i - sm * w m) in *. set (b := w i - sM * w M) in *. set (k := 2 * (norm n w)^2) in *.
      apply Rle_trans with ((1 - v i) * a^2 + v i * b^2); [|nra].
      assert (0 <= v i * (1 - v i) * (a - b)^2)
        by (apply Rmult_le_pos; [apply Rmult_le_pos; lra|apply pow2_ge_0]). nra.
    + assert (E : z i = hi) by lra. destruct (high_end E) as [Ei S].
      assert (V1 : v i = 1) by (unfold v; rewrite E; change (hi - lo) with rho; field; lra).
      rewrite V1, S, <- Ei. right; ring.
  - assert (E : z i = lo) by lra. destruct (low_end E) as [Ei S].
    assert (V0 : v i = 0) by (unfold v; rewrite E; field; lra).
    rewrite V0, S, <- Ei. right; ring.
Qed.

Lemma inner_nonneg : 0 <= inner_ x.
Proof. apply sum_nonneg; intros i _. repeat destruct Rlt_dec; try lra. apply pow2_ge_0. Qed.

Lemma adjusted_norm t : 0 <= t -> spectral_norm n n (spread p) <= t ->
  spectral_norm n n (gradient (self_adjusted n (T x)) (l x)) <= (t + sqrt (2 * inner_ x) / rho) / T x.
Proof.
  intros Ht B. pose proof rho_pos as Hr. pose proof H as ((HL & HT) & (Hm & _) & (HM & _)).
  fold n m in Hm. fold n M in HM. pose proof (Rinv_0_lt_compat _ HT). pose proof (Rinv_0_lt_compat _ Hr).
  rewrite (spectral_norm_ext n n _ (fun i j => (v i * spread p i j + p i / rho *
    ((if (j =? i)%nat then 1 else 0) - (1 - v i) * (if (j =? m)%nat then sm else 0)
     - v i * (if (j =? M)%nat then sM else 0))) / T x)) by (intros; now apply adjusted_gradient).
  rewrite spectral_norm_div by easy. apply Rmult_le_compat_r; [lra|].
  assert (Hs : 0 <= sqrt (2 * inner_ x)) by apply sqrt_pos.
  apply spectral_norm_le; [|apply Rplus_le_le_0_compat; [easy|apply Rmult_le_pos; lra]]. intros w.
  set (V := fun i => p i * (w i - (1 - v i) * (sm * w m) - v i * (sM * w M))).
  rewrite (norm_ext n _ (fun i => v i * apply n (spread p) w i + / rho * V i)).
  - eapply Rle_trans; [apply norm_triangle|]. rewrite norm_scal, (Rabs_pos_eq (/ rho)) by lra.
    pose proof (norm_nonneg n w) as Hw. rewrite Rmult_plus_distr_r. apply Rplus_le_compat.
    + apply Rle_trans with (norm n (apply n (spread p) w)).
      * apply norm_le; [apply norm_nonneg|]. rewrite norm_sqr. apply sum_le; intros i Hi.
        pose proof (v_bounds i Hi) as [V0 V1]. rewrite Rpow_mult_distr.
        pose proof (pow_incr (v i) 1 2 (conj V0 V1)) as V2. rewrite pow1 in V2.
        rewrite <- (Rmult_1_l (apply n (spread p) w i ^ 2)) at 2.
        apply Rmult_le_compat_r; [apply pow2_ge_0|exact V2].
      * eapply Rle_trans; [apply spectral_norm_bound|]. now apply Rmult_le_compat_r.
    + unfold Rdiv. rewrite (Rmult_comm _ (/ rho)), Rmult_assoc. apply Rmult_le_compat_l; [lra|].
      apply norm_le; [now apply Rmult_le_pos|]. pose proof inner_nonneg.
      rewrite Rpow_mult_distr, pow2_sqrt by lra.
      replace (2 * inner_ x * (norm n w)^2) with (inner_ x * (2 * (norm n w)^2)) by ring.
      unfold inner_. rewrite <- sum_scal_r. apply sum_le; intros i Hi. now apply row_le.
  - intros i Hi. unfold apply.
    rewrite (sum_ext n _ (fun j => v i * (spread p i j * w j) + p i / rho * ((if (j =? i)%nat then w i else 0)
      - (1 - v i) * (if (j =? m)%nat then sm * w m else 0) - v i * (if (j =? M)%nat then sM * w M else 0)))).
    + rewrite sum_plus, !sum_scal, !sum_minus, !sum_scal, !sum_one by easy. unfold V, Rdiv. ring.
    + intros j _. destruct (Nat.eqb_spec j i) as [E1|], (Nat.eqb_spec j m) as [E2|], (Nat.eqb_spec j M) as [E3|];
        try rewrite <- E1; try rewrite <- E2; try rewrite <- E3; ring.
Qed.
End Gradient.

Theorem lipschitz_self_adjusted_sharp_proved : holds lipschitz_self_adjusted_sharp.
Proof.
  intros x [H R]. pose proof H as ((HL & HT) & _). cbn [lhs rhs lipschitz_self_adjusted_sharp].
  pose proof (softmax_are_weights (L x) (T x) (l x) HL) as W.
  apply adjusted_norm; [easy| |now apply Lemma2.spread_norm_local].
  destruct R as (H1 & H2 & _). pose proof (weight_le_1 _ _ W _ H1). pose proof (proj1 W _ H1).
  pose proof (proj1 W _ H2). unfold a_ in *. apply Rmult_le_pos; lra.
Qed.

(** sum p_i^2 <= 1. *)
Theorem lipschitz_self_adjusted_repaired_proved : holds lipschitz_self_adjusted_repaired.
Proof.
  intros x H. pose proof H as ((HL & HT) & _). cbn [lhs rhs lipschitz_self_adjusted_repaired].
  pose proof (softmax_are_weights (L x) (T x) (l x) HL) as W. pose proof (rho_pos x H) as Hr.
  eapply Rle_trans; [apply (adjusted_norm x H (/ 2)); [lra|now apply Lemma2.spread_norm_half]|].
  apply Rmult_le_compat_r; [now apply Rlt_le, Rinv_0_lt_compat|].
  replace (1 / 2) with (/ 2) by field. apply Rplus_le_compat_l.
  apply Rmult_le_compat_r; [now apply Rlt_le, Rinv_0_lt_compat|]. apply sqrt_le_1_alt.
  enough (inner_ x <= 1) by lra. rewrite <- (proj2 W). apply sum_le; intros i Hi.
  pose proof (proj1 W i Hi). pose proof (weight_le_1 _ _ W i Hi). unfold a_ in *.
  repeat destruct Rlt_dec; nra.
Qed.
