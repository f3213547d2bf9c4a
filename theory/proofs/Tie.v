(** What the ties to the formulas of the program need: both sides of a claim, of a case, within numbers. *)
From Coq Require Import Reals Lra Lia Psatz Arith List.
From Coquelicot Require Import Coquelicot.
From Interval Require Import Tactic.
From Limits Require Import Basics Exponential Vectors Weights Claim.
From Limits Require Row Variation Corollary3 Lemma1 Lemma2 Normalizers Pooling Theorem2 Signs Sinkhorn Lp.
Open Scope R_scope.

(** A vector and a matrix by their entries. *)
Definition entries (l : list R) : vector := fun i => nth i l 0.
Definition table (l : list (list R)) : matrix := fun i => entries (nth i l nil).

(** The case meets the hypotheses, and each side lies between two numbers. *)
Definition tied (c : claim) (x : case c) (lo hi lo' hi' : R) : Prop :=
  hypotheses c x /\ lo <= lhs c x <= hi /\ lo' <= rhs c x <= hi'.

(** Positive pivots: the quadratic form of the matrix is not negative. *)
Fixpoint positive (n : nat) (B : matrix) : Prop :=
  match n with
  | O => True
  | S m => 0 < B 0%nat 0%nat /\
      positive m (fun i j => B (S i) (S j) - B (S i) 0%nat * B 0%nat (S j) / B 0%nat 0%nat)
  end.

Lemma sum_head n f : sum (S n) f = f 0%nat + \sum_(i < n) f (S i).
Proof. rewrite (sum_app 1 n). simpl. lra. Qed.

Lemma positive_form n B v : (forall i j, B i j = B j i) -> positive n B ->
  0 <= \sum_(i < n) \sum_(j < n) (v i * B i j * v j).
Proof.
  revert B v. induction n as [|n IH]; intros B v S P; [simpl; lra|]. destruct P as [P0 P].
  set (b := B 0%nat 0%nat) in *. set (z := \sum_(j < n) (B 0%nat (Datatypes.S j) * v (Datatypes.S j))).
  apply IH with (v := fun i => v (Datatypes.S i)) in P; [|intros i j; rewrite (S (Datatypes.S i)); rewrite (S (Datatypes.S i) 0%nat), (S 0%nat (Datatypes.S j)); unfold Rdiv; ring].
  rewrite sum_head, sum_head.
  rewrite (sum_ext n (fun i => \sum_(j < Datatypes.S n) _) (fun i =>
    v 0%nat * (B 0%nat (Datatypes.S i) * v (Datatypes.S i)) +
    \sum_(j < n) (v (Datatypes.S i) * B (Datatypes.S i) (Datatypes.S j) * v (Datatypes.S j)))).
  2: { intros i _. rewrite sum_head, (S (Datatypes.S i) 0%nat). ring. }
  rewrite sum_plus, sum_scal. fold z.
  rewrite (sum_ext n (fun j => v 0%nat * B 0%nat (Datatypes.S j) * v (Datatypes.S j))
    (fun j => v 0%nat * (B 0%nat (Datatypes.S j) * v (Datatypes.S j)))) by (intros; ring).
  rewrite sum_scal. fold z.
  rewrite (sum_ext n _ (fun i => \sum_(j < n) (v (Datatypes.S i) * B (Datatypes.S i) (Datatypes.S j) * v (Datatypes.S j))
    - (B 0%nat (Datatypes.S i) * v (Datatypes.S i)) * (z / b))) in P.
  - rewrite sum_minus, sum_scal_r in P. fold z in P.
    set (q := \sum_(i < n) \sum_(j < n) _) in *.
    replace (v 0%nat * B 0%nat 0%nat * v 0%nat + v 0%nat * z + (v 0%nat * z + q))
      with (b * (v 0%nat + z / b)^2 + (q - z * (z / b))) by (unfold b; field; unfold b in P0; lra).
    pose proof (Rmult_le_pos b _ (Rlt_le _ _ P0) (pow2_ge_0 (v 0%nat + z / b))). lra.
  - intros i _. unfold z. unfold Rdiv. rewrite <- sum_scal_r, <- sum_scal, <- sum_minus.
    apply sum_ext; intros j _. rewrite (S (Datatypes.S i) 0%nat). ring.
Qed.

(** The spectral norm between what a vector reaches and the square root of what the Gram matrix stays
    below. *)
Definition gap (m : nat) (A : matrix) (t : R) : matrix :=
  fun i j => (if (i =? j)%nat then t^2 else 0) - \sum_(k < m) (A k i * A k j).

Lemma norm_between m n A v lo hi : 0 < norm n v -> lo * norm n v <= norm m (apply n A v) ->
  0 <= hi -> positive n (gap m A hi) -> lo <= spectral_norm m n A <= hi.
Proof.
  intros Hv Hl Hh P. split; [now apply spectral_norm_ge with v|].
  apply spectral_norm_le; [|easy]. intros w.
  apply norm_le; [apply Rmult_le_pos; [easy|apply norm_nonneg]|].
  apply positive_form with (v := w) in P.
  2: { intros i j. unfold gap. rewrite Nat.eqb_sym. f_equal. apply sum_ext; intros; ring. }
  rewrite Rpow_mult_distr, norm_sqr.
  rewrite (sum_ext n _ (fun i => hi^2 * (w i)^2 - \sum_(k < m) (A k i * w i * apply n A w k))) in P.
  - rewrite sum_minus, sum_scal, sum_swap in P.
    rewrite (sum_ext m _ (fun k => (apply n A w k)^2)) in P; [lra|].
    intros k _. rewrite sum_scal_r. unfold apply. ring.
  - intros i Hi. unfold gap.
    rewrite (sum_ext n _ (fun j => (if (j =? i)%nat then hi^2 * (w i)^2 else 0)
      - \sum_(k < m) (A k i * w i * (A k j * w j)))).
    + rewrite sum_minus, sum_one, sum_swap by easy. f_equal. apply sum_ext; intros k _.
      unfold apply. rewrite <- sum_scal. easy.
    + intros j _. rewrite Nat.eqb_sym. rewrite Rmult_minus_distr_l, Rmult_minus_distr_r.
      f_equal.
      * destruct (Nat.eqb_spec j i) as [->|]; ring.
      * rewrite <- sum_scal, <- sum_scal_r. apply sum_ext; intros; ring.
Qed.

(** ** Gradients by their entries *)

Lemma softmax_entry x i j : Row.is_softmax_row x -> (i < Row.L x)%nat -> (j < Row.L x)%nat ->
  Row.J_ x i j = spread (Row.a_ x) i j / Row.T x.
Proof. intros [H1 H2] Hi Hj. unfold Row.J_. now rewrite softmax_gradient. Qed.

Lemma softmax_norm x : Row.is_softmax_row x ->
  spectral_norm (Row.L x) (Row.L x) (Row.J_ x) =
  spectral_norm (Row.L x) (Row.L x) (fun i j => spread (Row.a_ x) i j / Row.T x).
Proof. intros H. apply spectral_norm_ext; intros; now apply softmax_entry. Qed.

Lemma softmax_largest_entry x : Row.is_softmax_row x ->
  lhs Corollary3.corollary3_entrywise x =
  Max (Row.L x) (fun i => Max (Row.L x) (fun j => Rabs (spread (Row.a_ x) i j / Row.T x))).
Proof.
  intros H. apply Max_ext; intros i Hi. apply Max_ext; intros j Hj. now rewrite softmax_entry.
Qed.

Lemma softmax_largest_row x : Row.is_softmax_row x ->
  lhs Corollary3.softmax_row_sums x =
  Max (Row.L x) (fun i => \sum_(j < Row.L x) Rabs (spread (Row.a_ x) i j / Row.T x)).
Proof.
  intros H. apply Max_ext; intros i Hi. apply sum_ext; intros j Hj. now rewrite softmax_entry.
Qed.

Lemma normalized_norm F F' x : Normalizers.is_long_row x -> (forall z, 0 < F z) ->
  (forall z, is_derive F z (F' z)) ->
  spectral_norm (Row.L x) (Row.L x) (gradient (Normalizers.normalized_by F x) (Row.l x)) =
  spectral_norm (Row.L x) (Row.L x) (fun i j =>
    spread (weights (Row.L x) (fun y => F (y / Row.T x)) (Row.l x)) i j *
    (F' (Row.l x j / Row.T x) / Row.T x / F (Row.l x j / Row.T x))).
Proof. intros [HL HT] P D. exact (Lemma2.norm_J _ (Normalizers.scaled_row _ F F' _ (Row.l x) HL HT P D)). Qed.

Lemma power_pos b z : 0 < Normalizers.power b z.
Proof. apply exp_pos. Qed.

Lemma power_derive b z : is_derive (Normalizers.power b) z (Normalizers.power b z * log b).
Proof. unfold Normalizers.power. auto_derive; [easy|ring]. Qed.

Lemma softmax1_norm x : Row.is_softmax_row x ->
  lhs Normalizers.lipschitz_softmax1 x = spectral_norm (Row.L x) (Row.L x)
    (fun i j => spread (Normalizers.softmax1 (Row.L x) (Row.T x) (Row.l x)) i j / Row.T x).
Proof. intros [H1 H2]. apply spectral_norm_ext; intros; now apply Normalizers.softmax1_gradient. Qed.

Lemma sigmoid_attention_norm x : lhs Normalizers.lipschitz_sigmoid_attention x =
  spectral_norm (Row.L x) (Row.L x) (fun i j => (if (i =? j)%nat then 1 else 0) *
    (/ Row.T x * (Normalizers.sigmoid (Row.l x j / Row.T x - log (INR (Row.L x))) *
      (1 - Normalizers.sigmoid (Row.l x j / Row.T x - log (INR (Row.L x))))))).
Proof.
  apply spectral_norm_ext; intros i j _ _.
  apply (Normalizers.gradient_own (fun y => Normalizers.sigmoid (y / Row.T x - log (INR (Row.L x))))
    (fun j => / Row.T x * (Normalizers.sigmoid (Row.l x j / Row.T x - log (INR (Row.L x))) *
      (1 - Normalizers.sigmoid (Row.l x j / Row.T x - log (INR (Row.L x))))))).
  apply Normalizers.sigmoid_attention_derive.
Qed.

Lemma polynomial_norm y p (x := Normalizers.row y) : Row.is_softmax_row x -> Normalizers.degree y = S p ->
  lhs Normalizers.lipschitz_polynomial y =
  spectral_norm (Row.L x) (Row.L x) (fun i j => (if (i =? j)%nat then 1 else 0) *
    (INR (S p) * (Row.l x j / Row.T x)^p / (sqrt (INR (Row.L x)) * Row.T x))).
Proof.
  intros [HL HT] E. cbn [lhs Normalizers.lipschitz_polynomial]. rewrite E. fold x.
  apply spectral_norm_ext; intros i j _ _.
  apply (Normalizers.gradient_own (fun y => (y / Row.T x)^(S p) / sqrt (INR (Row.L x)))
    (fun j => INR (S p) * (Row.l x j / Row.T x)^p / (sqrt (INR (Row.L x)) * Row.T x))).
  apply Normalizers.polynomial_derive; [easy|]. now apply sqrt_lt_R0, lt_0_INR.
Qed.

Lemma pooling_norm y (x := Pooling.row y) : hypotheses Pooling.lipschitz_pooling y ->
  let z k := Row.l x k / Row.T x in let m := Pooling.mean (Row.L x) z in
  let s := sqrt (Pooling.variance_ y) in
  lhs Pooling.lipschitz_pooling y = spectral_norm (Row.L x) (Row.L x) (fun i j =>
    Pooling.gain y / (Row.T x * s) *
    ((if (i =? j)%nat then 1 else 0) - / INR (Row.L x) - (z i - m) * (z j - m) / (INR (Row.L x) * s^2))).
Proof. intros H z m s. apply spectral_norm_ext; intros; now apply Pooling.pooling_gradient. Qed.

Lemma lp_norm_power p n u : 0 < Lp.power_sum p n u -> Lp.lp_norm p n u = exp (log (Lp.power_sum p n u) / INR p).
Proof. intros H. unfold Lp.lp_norm. destruct Req_EM_T; [lra|easy]. Qed.

Lemma lp_moved x (n := Row.L (Lp.of_row x))
  (u := fun i => \sum_(j < n) (spread (Row.a_ (Lp.of_row x)) i j / Row.T (Lp.of_row x) * Lp.v x j)) :
  Row.is_softmax_row (Lp.of_row x) -> 0 < Lp.power_sum (Lp.exponent x) n u ->
  lhs Lp.softmax_lp x = exp (log (Lp.power_sum (Lp.exponent x) n u) / INR (Lp.exponent x)).
Proof.
  intros H P. rewrite <- lp_norm_power by exact P.
  assert (E : Lp.power_sum (Lp.exponent x) n (apply n (Row.J_ (Lp.of_row x)) (Lp.v x)) = Lp.power_sum (Lp.exponent x) n u).
  { apply sum_ext; intros i Hi. f_equal. f_equal. apply sum_ext; intros j Hj. now rewrite softmax_entry. }
  cbn [lhs Lp.softmax_lp]. unfold Lp.lp_norm. fold n. now rewrite E.
Qed.

(** ** What some cases meet *)

(** A growing normaliser has its extremes over [-a, a] at the ends. *)
Lemma growing_row L F l a : (0 < L)%nat -> 0 <= a -> (forall y, 0 < F y) -> (forall y, continuous F y) ->
  (forall x y, x <= y -> F x <= F y) -> (forall i, (i < L)%nat -> Rabs (l i) <= a) ->
  Lemma1.is_bounded_row (Lemma1.BoundedRow L F l a (F (- a)) (F a)).
Proof.
  intros HL Ha P C G B. split; [exact HL|]. split; [exact P|]. split; [exact C|]. split; [exact B|].
  split; (split; [eexists; split; [|reflexivity]|intros y Hy; apply G, (Rabs_le_between y a), Hy]).
  - cbn. rewrite Rabs_Ropp, Rabs_pos_eq; lra.
  - cbn. rewrite Rabs_pos_eq; lra.
Qed.

Lemma softmax_grows T x y : 0 < T -> x <= y -> exp (x / T) <= exp (y / T).
Proof.
  intros HT H. apply exp_le. pose proof (Rinv_0_lt_compat _ HT).
  apply Rmult_le_compat_r; lra.
Qed.

Lemma sigmoid_grows T x y : 0 < T -> x <= y -> Normalizers.sigmoid (x / T) <= Normalizers.sigmoid (y / T).
Proof.
  intros HT H. unfold Normalizers.sigmoid. pose proof (exp_pos (- (y / T))). unfold Rdiv at 1 3.
  rewrite !Rmult_1_l. apply Rinv_le_contravar; [lra|]. apply Rplus_le_compat_l, exp_le.
  pose proof (Rinv_0_lt_compat _ HT). apply Ropp_le_contravar, Rmult_le_compat_r; lra.
Qed.

Lemma softmax_continuous T y : continuous (fun y => exp (y / T)) y.
Proof. apply (ex_derive_continuous (fun y => exp (y / T))). auto_derive. easy. Qed.

Lemma sigmoid_continuous T y : continuous (fun y => Normalizers.sigmoid (y / T)) y.
Proof.
  apply (ex_derive_continuous (fun y => Normalizers.sigmoid (y / T))). unfold Normalizers.sigmoid.
  pose proof (exp_pos (- (y / T))). auto_derive. unfold Rdiv in *. lra.
Qed.

Lemma exp_derive z : is_derive exp z (exp z).
Proof. auto_derive; [easy|ring]. Qed.

(** The nearest point of the simplex takes the same off each entry that it leaves. *)
Lemma nearest n T l a tau : are_weights n a ->
  (forall i, (i < n)%nat -> a i = Rmax (l i / T - tau) 0) -> Normalizers.is_sparsemax n T l a.
Proof.
  intros W E. split; [easy|]. intros b Wb. unfold norm. apply sqrt_le_1_alt.
  assert (P : 0 <= \sum_(i < n) ((b i - a i) * (a i - l i / T + tau))).
  { apply sum_nonneg; intros i Hi. rewrite (E i Hi) at 2. pose proof (proj1 Wb i Hi).
    pose proof (E i Hi) as Ei. unfold Rmax in *. destruct Rle_dec; [|right; ring].
    rewrite Ei. apply Rmult_le_pos; lra. }
  rewrite (sum_ext n _ (fun i => (b i - a i) * (a i - l i / T) + tau * (b i - a i))) in P
    by (intros; ring).
  rewrite sum_plus, sum_scal, sum_minus, (proj2 W), (proj2 Wb) in P.
  rewrite (sum_ext n (fun i => (b i - l i / T)^2) (fun i => (a i - l i / T)^2 +
    (2 * ((b i - a i) * (a i - l i / T)) + (b i - a i)^2))) by (intros; ring).
  rewrite !sum_plus, sum_scal.
  assert (0 <= \sum_(i < n) (b i - a i)^2) by (apply sum_nonneg; intros; apply pow2_ge_0). lra.
Qed.

(** Independent signs are on the sphere, and so far apart as delta = 0 asks for. *)
Lemma signs_on_sphere L a I R r : are_weights L a -> 0 < r -> 0 < R ->
  0 < Theorem2.N_ (Signs.on_line L a I R r) -> Theorem2.is_sphere (Signs.on_line L a I R r).
Proof.
  intros W Hr HR HN. split; [exact W|]. split; [exact Hr|]. split; [exact HN|].
  split; [|split; [|split; [apply Rle_refl|exact Logic.I]]]; cbn.
  - intros i w _. rewrite norm_line.
    destruct (w i); cbn; [rewrite Rabs_pos_eq|rewrite Rabs_left1]; lra.
  - intros; apply norm_nonneg.
Qed.

(** Sinkhorn's norm, a least upper bound, is at least what a change reaches: it is finite. *)
Lemma gradient_norm_ge x k : Sinkhorn.is_transport_plan x -> Sinkhorn.gradient_stretches x k ->
  k <= Sinkhorn.gradient_norm x.
Proof.
  intros H S. pose proof H as (_ & HT & _).
  pose proof (Lub_Rbar_correct (Sinkhorn.gradient_stretches x)) as [Q M].
  unfold Sinkhorn.gradient_norm. apply Q in S.
  destruct (Lub_Rbar (Sinkhorn.gradient_stretches x)) eqn:E; cbn in *; try easy.
  exfalso. apply (M (/ 2 / Sinkhorn.T x)). intros y (c & d & Hc & Hl & ->). cbn.
  assert (B : frobenius_norm (Sinkhorn.n x) (Sinkhorn.n x) d
    <= / 2 / Sinkhorn.T x * frobenius_norm (Sinkhorn.n x) (Sinkhorn.n x) c).
  { apply (Sinkhorn.change_le x c d (/ 2) H Hc ltac:(lra)). intros i Hi.
    now apply Lemma2.spread_norm_half, Sinkhorn.rows_are_weights. }
  assert (0 < / 2 / Sinkhorn.T x) by (apply Rdiv_lt_0_compat; lra). nra.
Qed.

(** Sinkhorn on two by two: both ends of the bound meet. *)
Lemma sinkhorn_two p T : 1 / 2 <= p < 1 -> 0 < T ->
  Sinkhorn.gradient_norm (Sinkhorn.TransportPlan 2 (table ((p :: (1 - p) :: nil) :: ((1 - p) :: p :: nil) :: nil)) T)
  = 2 * p * (1 - p) / T.
Proof.
  intros Hp HT. set (x := Sinkhorn.TransportPlan 2 _ T). set (k := 2 * p * (1 - p) / T).
  assert (Hk : 0 < k) by (unfold k; apply Rdiv_lt_0_compat; nra).
  assert (two : forall i, (i < 2)%nat -> (i = 0 \/ i = 1)%nat) by (intros; lia).
  assert (H : Sinkhorn.is_transport_plan x).
  { split; [cbn; lia|]. split; [easy|]. split; [|split].
    - intros i j Hi Hj. destruct (two i Hi) as [->| ->], (two j Hj) as [->| ->]; cbn; lra.
    - intros i Hi. destruct (two i Hi) as [->| ->]; cbn; lra.
    - intros i Hi. destruct (two i Hi) as [->| ->]; cbn; lra. }
  assert (U : Sinkhorn.gradient_norm x <= k).
  { set (other := fun i => (1 - i)%nat).
    pose proof (Sinkhorn.lipschitz_sinkhorn_local_proved
      (Sinkhorn.RankedPlan x (fun i => i) other (fun i => i) other)) as B.
    cbn [lhs rhs Sinkhorn.lipschitz_sinkhorn_local] in B. eapply Rle_trans; [apply B|].
    - split; [exact H|]. split; intros i Hi; destruct (two i Hi) as [->| ->]; repeat split; cbn;
        try lia; try lra; intros j Hj Hn; destruct (two j Hj) as [->| ->]; cbn; lra || lia.
    - unfold k, Rdiv. apply Rmult_le_compat_r; [now apply Rlt_le, Rinv_0_lt_compat|].
      eapply Rle_trans; [apply Rmin_l|]. apply Max_le; [cbn; lia|]. intros i Hi.
      assert (Ei : (i = 0 \/ i = 1)%nat) by (cbn in Hi; lia).
      destruct Ei as [->| ->]; unfold Sinkhorn.local_bound; cbn; right; ring. }
  apply Rle_antisym; [easy|]. apply gradient_norm_ge; [easy|].
  set (s := fun i j : nat => if (i =? j)%nat then 1 else -1).
    exists (fun i j => s i j / 2), (fun i j => p * (1 - p) / T * s i j). split; [|split].
    - exists (fun _ => (1 - 2 * p) / (2 * T)), (fun _ => 0).
      split; [|split].
      + intros i j Hi Hj. destruct (two i Hi) as [->| ->], (two j Hj) as [->| ->]; cbn; field; lra.
      + intros i Hi. destruct (two i Hi) as [->| ->]; cbn; field; lra.
      + intros i Hi. destruct (two i Hi) as [->| ->]; cbn; field; lra.
    - right. unfold frobenius_norm, s. cbn. transitivity (sqrt 1); [f_equal; field|apply sqrt_1].
    - unfold frobenius_norm, s, k. cbn.
      transitivity (sqrt ((2 * p * (1 - p) / T)^2)); [symmetry; apply sqrt_pow2; unfold k in Hk; lra|].
      f_equal. field. lra.
Qed.

(** ** Tactics *)

(** Everything unfolded but the functions of numbers; of logarithms, the library's is the one enclosed. *)
Ltac numbers := lazy -[Rplus Rminus Rmult Rdiv Ropp Rinv IZR pow Rabs sqrt exp log ln Rmax Rmin Rle
  Rlt Rle_dec Rlt_dec lt spectral_norm gradient]; rewrite ?log_ln.

Lemma below i n : (i < S n)%nat -> i = n \/ (i < n)%nat.
Proof. lia. Qed.

Ltac larger := unfold Rmax; repeat destruct Rle_dec; lra.
(** Hypotheses of a case: every index below a number in its turn, and inequalities of numbers. *)
Ltac meets := numbers; lazymatch goal with
  | |- _ /\ _ => split; meets
  | |- True => exact I
  | |- (?i < 0)%nat -> _ => let H := fresh in intros H; exfalso; lia
  | |- (?i < S ?n)%nat -> _ => tryif is_var i
      then let H := fresh in intros H; apply below in H; destruct H as [->|H]; [meets|revert H; meets]
      else intros _; meets
  | |- forall _ : nat, _ => intro; meets
  | |- _ /\ _ -> _ => let A := fresh in let B := fresh in intros [A B]; revert B A; meets
  | |- _ -> _ => let H := fresh in intros H; first [discriminate H|exfalso; apply H; reflexivity
      |exfalso; lia|exfalso; lra|clear H; meets]
  | |- exists _, _ => first [exists 0%nat; solve [meets]|exists 1%nat; solve [meets]
      |exists 2%nat; solve [meets]|exists 3%nat; solve [meets]|exists 4%nat; solve [meets]
      |exists 5%nat; solve [meets]]
  | |- _ \/ _ => first [left; solve [meets]|right; solve [meets]]
  | |- (_ < _)%R => first [lra|interval with (i_prec 120)|larger]
  | |- (_ <= _)%R => first [lra|interval with (i_prec 120)|larger]
  | |- @eq R _ _ => first [lra|field|larger]
  | |- @eq _ _ _ => reflexivity
  | |- _ => lia
  end.

Lemma Rmax_abs x y : Rmax x y = (x + y + Rabs (x - y)) / 2.
Proof. unfold Rmax, Rabs. destruct Rle_dec, Rcase_abs; lra. Qed.
Lemma Rmin_abs x y : Rmin x y = (x + y - Rabs (x - y)) / 2.
Proof. unfold Rmin, Rabs. destruct Rle_dec, Rcase_abs; lra. Qed.

(** From within: exponentials and roots are enclosed once, and then variables; of two numbers the larger
    is told; branches on an order are taken. *)
Ltac plain t := lazymatch t with
  | context [exp _] => fail | context [sqrt _] => fail | context [Rmax _ _] => fail
  | context [Rmin _ _] => fail | context [Rle_dec _ _] => fail | context [Rlt_dec _ _] => fail | _ => idtac end.
Ltac settled t := lazymatch t with
  | context [Rmax _ _] => fail | context [Rmin _ _] => fail
  | context [Rle_dec _ _] => fail | context [Rlt_dec _ _] => fail | _ => idtac end.
Ltac variable t := let H := fresh in let e := fresh "e" in
  interval_intro t with (i_prec 170) as H; set (e := t) in *; clearbody e.
Lemma difference x y : 0 <= y - x -> x <= y.
Proof. lra. Qed.
Lemma difference_lt x y : 0 < y - x -> x < y.
Proof. lra. Qed.
Ltac ordered := first [lra|(apply difference||apply difference_lt); interval with (i_prec 120)].
Ltac prepare := numbers; repeat match goal with
  | |- context [Rle_dec ?a ?b] => settled a; settled b; let D := fresh in destruct (Rle_dec a b) as [D|D];
      [first [exfalso; apply (Rle_not_lt _ _ D); ordered|clear D]
      |first [exfalso; apply D; ordered|clear D]]
  | |- context [Rlt_dec ?a ?b] => settled a; settled b; let D := fresh in destruct (Rlt_dec a b) as [D|D];
      [first [exfalso; apply (Rlt_not_le _ _ D); ordered|clear D]
      |first [exfalso; apply D; ordered|clear D]]
  | |- context [exp ?t] => plain t; variable (exp t)
  | |- context [sqrt ?t] => plain t; variable (sqrt t)
  | |- context [Rmax ?a ?b] => plain a; plain b; first [rewrite (Rmax_left a b) by ordered
      |rewrite (Rmax_right a b) by ordered|rewrite (Rmax_abs a b)]
  | |- context [Rmin ?a ?b] => plain a; plain b; first [rewrite (Rmin_left a b) by ordered
      |rewrite (Rmin_right a b) by ordered|rewrite (Rmin_abs a b)]
  end.
Ltac enclosed := prepare; try split; apply difference; interval with (i_prec 150).
(** What is enclosed in the place of what equals it. *)
Ltac instead E := let H := fresh in pose proof E as H; cbv zeta in H;
  lazymatch goal with |- ?lo <= _ <= ?hi =>
    refine (eq_ind_r (fun r => lo <= r <= hi) _ H); cbv beta; clear H end.
(** A spectral norm: what a vector reaches, and positive pivots. *)
Ltac norm_enclosed n v := apply (norm_between n n) with v;
  [numbers; interval with (i_prec 60)|enclosed|lra|prepare; repeat split; interval with (i_prec 160)].
