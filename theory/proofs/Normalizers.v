(** Section 4 of the paper: constants of other normalisers, by the gradient. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Coquelicot Require Import Coquelicot.
From Limits Require Import Basics Calculus Exponential Vectors Weights Row Claim Corollary3.
From Limits Require Lemma2.
Open Scope R_scope.

(** Weights F(l_i/T) / sum_j F(l_j/T). *)
Definition normalized_by (F : R -> R) (x : softmax_row) : vector -> vector :=
  weights (L x) (fun y => F (y / T x)).
Definition is_long_row (x : softmax_row) : Prop := (2 <= L x)%nat /\ 0 < T x.

Definition sigmoid (z : R) : R := 1 / (1 + exp (- z)).
Definition softplus (z : R) : R := log (1 + exp z).
Definition taylor (z : R) : R := 1 + z + z^2 / 2.
Definition power (b z : R) : R := exp (z * log b).

(** ** Claims *)

Definition lipschitz_sigmoid : claim := {|
  case := softmax_row;
  hypotheses := is_long_row;
  lhs x := spectral_norm (L x) (L x) (gradient (normalized_by sigmoid x) (l x));
  rhs x := 1 / (2 * T x)
|}.

Definition lipschitz_softplus : claim := {|
  case := softmax_row;
  hypotheses := is_long_row;
  lhs x := spectral_norm (L x) (L x) (gradient (normalized_by softplus x) (l x));
  rhs x := 1 / (2 * T x)
|}.

Definition lipschitz_taylor : claim := {|
  case := softmax_row;
  hypotheses := is_long_row;
  lhs x := spectral_norm (L x) (L x) (gradient (normalized_by taylor x) (l x));
  rhs x := 1 / (2 * T x)
|}.

(** F(z) = L^z. *)
Definition lipschitz_scalable_softmax : claim := {|
  case := softmax_row;
  hypotheses := is_long_row;
  lhs x := spectral_norm (L x) (L x)
    (gradient (normalized_by (power (INR (L x))) x) (l x));
  rhs x := log (INR (L x)) / (2 * T x)
|}.

(** a_i = exp(z_i)/(1 + sum_j exp(z_j)). *)
Definition softmax1 (L : nat) (T : R) (l : vector) : vector :=
  fun i => exp (l i / T) / (1 + \sum_(j < L) exp (l j / T)).

Definition lipschitz_softmax1 : claim := {|
  case := softmax_row;
  hypotheses := is_softmax_row;
  lhs x := spectral_norm (L x) (L x) (gradient (softmax1 (L x) (T x)) (l x));
  rhs x := 1 / (2 * T x)
|}.

(** a_i = sigmoid(z_i - log L). *)
Definition sigmoid_attention (L : nat) (T : R) (l : vector) : vector :=
  fun i => sigmoid (l i / T - log (INR L)).

Definition lipschitz_sigmoid_attention : claim := {|
  case := softmax_row;
  hypotheses := is_softmax_row;
  lhs x := spectral_norm (L x) (L x) (gradient (sigmoid_attention (L x) (T x)) (l x));
  rhs x := 1 / (4 * T x)
|}.

(** a_i = z_i^p/sqrt(L), |z_i| <= b. *)
Record polynomial_row := PolynomialRow { row :> softmax_row; degree : nat; bound : R }.
Definition polynomial (L : nat) (T : R) (p : nat) (l : vector) : vector :=
  fun i => (l i / T)^p / sqrt (INR L).

Definition lipschitz_polynomial : claim := {|
  case := polynomial_row;
  hypotheses x := is_softmax_row x /\ (1 <= degree x)%nat /\
    forall i, (i < L x)%nat -> Rabs (l x i) <= bound x;
  lhs x := spectral_norm (L x) (L x) (gradient (polynomial (L x) (T x) (degree x)) (l x));
  rhs x := INR (degree x) * (bound x / T x)^(degree x - 1) / (sqrt (INR (L x)) * T x)
|}.

(** A step [h] of the logits. *)
Record stepped_row := SteppedRow { start :> softmax_row; h : vector }.
Definition relu_attention (L : nat) (T : R) (l : vector) : vector := fun i => Rmax (l i / T) 0 / INR L.

Definition lipschitz_relu_attention : claim := {|
  case := stepped_row;
  hypotheses := is_softmax_row;
  lhs x := norm (L x) (fun i => relu_attention (L x) (T x) (fun j => l x j + h x j) i
    - relu_attention (L x) (T x) (l x) i);
  rhs x := norm (L x) (h x) / (INR (L x) * T x)
|}.

(** Sparsemax: of the points of the simplex, the one nearest to l/T. Here it is any such point, so
    that nothing is assumed of how it is found. *)
Definition is_sparsemax (L : nat) (T : R) (l a : vector) : Prop :=
  are_weights L a /\ forall b, are_weights L b ->
    norm L (fun i => a i - l i / T) <= norm L (fun i => b i - l i / T).
Record sparse_step := SparseStep { from :> stepped_row; before : vector; after : vector }.

Definition lipschitz_sparsemax : claim := {|
  case := sparse_step;
  hypotheses x := is_softmax_row x /\ is_sparsemax (L x) (T x) (l x) (before x) /\
    is_sparsemax (L x) (T x) (fun i => l x i + h x i) (after x);
  lhs x := norm (L x) (fun i => after x i - before x i);
  rhs x := norm (L x) (h x) / T x
|}.

(** Self-Adjusted Softmax: softmax times (z_i - min(0, z_min))/(max(0, z_max) - min(0, z_min)). *)
Record steep_row := SteepRow { below :> stepped_row; K : R }.
Definition self_adjusted (L : nat) (T : R) (l : vector) : vector :=
  fun i => softmax L T l i * ((l i / T - Rmin 0 (Min L (fun j => l j / T)))
    / (Rmax 0 (Max L (fun j => l j / T)) - Rmin 0 (Min L (fun j => l j / T)))).

Definition lipschitz_self_adjusted : claim := {|
  case := steep_row;
  hypotheses x := is_softmax_row x /\ 0 < K x /\
    (exists i, (i < L x)%nat /\ l x i <> 0) /\ (exists i, (i < L x)%nat /\ l x i + h x i <> 0);
  lhs x := norm (L x) (fun i => self_adjusted (L x) (T x) (fun j => l x j + h x j) i
    - self_adjusted (L x) (T x) (l x) i);
  rhs x := K x * norm (L x) (h x) / T x
|}.

(** ** Proofs *)

(** F(z/T) as a normaliser of lemma2. *)
Lemma scaled_row L F F' T l : (2 <= L)%nat -> 0 < T -> (forall z, 0 < F z) ->
  (forall z, is_derive F z (F' z)) ->
  Lemma2.is_normalized_row (Lemma2.NormalizedRow L (fun y => F (y / T)) (fun y => F' (y / T) / T) l).
Proof.
  intros HL HT P D. split; [easy|]. split; [intros z; apply P|]. intros i _. cbn.
  apply (is_derive_ext (fun z => F (z * / T))); [easy|].
  replace (F' (l i / T) / T) with (/ T * F' (l i / T)) by (unfold Rdiv; ring).
  apply (is_derive_comp F (fun z => z * / T)); [apply D|]. derive. unfold Rdiv. ring.
Qed.

(** lemma2.sharp for F(z/T) with |F'/F| <= 1. *)
Lemma gradient_half (F F' : R -> R) x : is_long_row x -> (forall z, 0 < F z) ->
  (forall z, is_derive F z (F' z)) -> (forall z, Rabs (F' z) <= F z) ->
  spectral_norm (L x) (L x) (gradient (normalized_by F x) (l x)) <= 1 / (2 * T x).
Proof.
  intros [HL HT] P D B. pose proof (Rinv_0_lt_compat _ HT) as Hi.
  pose proof (scaled_row (L x) F F' (T x) (l x) HL HT P D) as H.
  set (y := Lemma2.NormalizedRow _ _ _ _) in H.
  eapply Rle_trans; [exact (Lemma2.lemma2_sharp_proved y H)|]. cbn.
  replace (1 / (2 * T x)) with (/ 2 * / T x) by (field; lra).
  apply Rmult_le_compat_l; [lra|]. apply Max_le; [cbn; lia|]. intros i _. cbn.
  set (z := l x i / T x). pose proof (P z) as Pz. pose proof (B z) as Bz.
  unfold Rdiv. rewrite !Rabs_mult, (Rabs_pos_eq (/ T x)), (Rabs_pos_eq (/ F z))
    by (apply Rlt_le; try apply Rinv_0_lt_compat; easy).
  apply Rmult_le_reg_r with (F z); [easy|].
  rewrite !Rmult_assoc, Rinv_l by lra. rewrite Rmult_1_r, (Rmult_comm (/ T x)).
  apply Rmult_le_compat_r; lra.
Qed.

Lemma sigmoid_pos z : 0 < sigmoid z.
Proof. pose proof (exp_pos (- z)). apply Rdiv_lt_0_compat; lra. Qed.

Lemma sigmoid_below_1 z : sigmoid z < 1.
Proof.
  pose proof (exp_pos (- z)). unfold sigmoid. apply Rmult_lt_reg_r with (1 + exp (- z)); [lra|].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.

Lemma sigmoid_derive z : is_derive sigmoid z (sigmoid z * (1 - sigmoid z)).
Proof.
  pose proof (exp_pos (- z)). unfold sigmoid. derive; [lra|]. field. lra.
Qed.

Theorem lipschitz_sigmoid_proved : holds lipschitz_sigmoid.
Proof.
  intros x H. apply (gradient_half sigmoid (fun z => sigmoid z * (1 - sigmoid z))); auto using sigmoid_pos, sigmoid_derive.
  intros z. pose proof (sigmoid_pos z). pose proof (sigmoid_below_1 z). rewrite Rabs_pos_eq; nra.
Qed.

(** log(1 + w) >= w/(1 + w). *)
Lemma softplus_bound z : exp z / (1 + exp z) <= softplus z.
Proof.
  pose proof (exp_pos z). unfold softplus.
  replace (1 + exp z) with (/ (1 - exp z / (1 + exp z))) at 2 by (field; lra).
  assert (0 < 1 - exp z / (1 + exp z)).
  { replace (1 - exp z / (1 + exp z)) with (/ (1 + exp z)) by (field; lra). apply Rinv_0_lt_compat; lra. }
  rewrite log_Rinv by easy. pose proof (exp_ineq1_le (log (1 - exp z / (1 + exp z)))) as E.
  rewrite exp_log in E by easy. lra.
Qed.

Lemma softplus_slope_pos z : 0 < exp z / (1 + exp z).
Proof. pose proof (exp_pos z). apply Rdiv_lt_0_compat; lra. Qed.

Lemma softplus_pos z : 0 < softplus z.
Proof. eapply Rlt_le_trans; [apply softplus_slope_pos|apply softplus_bound]. Qed.

Lemma softplus_derive z : is_derive softplus z (exp z / (1 + exp z)).
Proof.
  pose proof (exp_pos z). apply (derive_log (fun z => 1 + exp z)); [|lra]. derive. ring.
Qed.

Theorem lipschitz_softplus_proved : holds lipschitz_softplus.
Proof.
  intros x H. apply (gradient_half softplus (fun z => exp z / (1 + exp z)));
    auto using softplus_pos, softplus_derive.
  intros z. rewrite Rabs_pos_eq by apply Rlt_le, softplus_slope_pos. apply softplus_bound.
Qed.

(** 1 + z + z^2/2 = (1 + (1 + z)^2)/2 >= |1 + z|. *)
Lemma taylor_pos z : 0 < taylor z.
Proof. unfold taylor. pose proof (pow2_ge_0 (1 + z)). nra. Qed.

Lemma taylor_derive z : is_derive taylor z (1 + z).
Proof. unfold taylor. derive. cbn. field. Qed.

Theorem lipschitz_taylor_proved : holds lipschitz_taylor.
Proof.
  intros x H. apply (gradient_half taylor (fun z => 1 + z)); auto using taylor_pos, taylor_derive.
  intros z. unfold taylor. apply Rabs_le. pose proof (pow2_ge_0 (1 + z - 1)).
  pose proof (pow2_ge_0 (1 + z + 1)). split; nra.
Qed.

(** L^(l/T) = exp(l/(T/log L)). *)
Theorem lipschitz_scalable_softmax_proved : holds lipschitz_scalable_softmax.
Proof.
  intros x [HL HT]. cbn.
  assert (Hn : 0 < log (INR (L x))).
  { rewrite <- log_1. apply log_increasing; [lra|]. apply (lt_INR 1). lia. }
  set (y := SoftmaxRow (L x) (l x) (T x / log (INR (L x)))).
  assert (H : is_softmax_row y) by (split; [cbn; lia|now apply Rdiv_lt_0_compat]).
  pose proof (corollary3_sharp_proved y H) as C. cbn in C.
  replace (log (INR (L x)) / (2 * T x)) with (1 / (2 * (T x / log (INR (L x))))) by (field; lra).
  eapply Rle_trans; [|exact C]. right. apply spectral_norm_ext; intros i j Hi Hj.
  unfold J_, gradient; cbn. apply Derive_ext; intros t. unfold normalized_by, softmax, weights.
  assert (E : forall z, power (INR (L x)) (z / T x) = exp (z / (T x / log (INR (L x)))))
    by (intros; unfold power; f_equal; field; lra).
  rewrite E. f_equal. apply sum_ext; intros; apply E.
Qed.

(** A token at logit 0 beside the others: a block of the gradient of softmax, as the logits shift
    along. *)
Lemma spread_subweights L a v : (forall i, (i < L)%nat -> 0 <= a i) -> sum L a <= 1 ->
  0 <= form L (spread a) v v <= / 2 * (norm L v)^2.
Proof.
  intros Ha Hs. set (b := fun i => if (i =? L)%nat then 1 - sum L a else a i).
  set (w := fun i => if (i =? L)%nat then 0 else v i).
  assert (bo : forall i, (i < L)%nat -> b i = a i).
  { intros i Hi. unfold b. now rewrite (proj2 (Nat.eqb_neq i L)) by lia. }
  assert (wo : forall i, (i < L)%nat -> w i = v i).
  { intros i Hi. unfold w. now rewrite (proj2 (Nat.eqb_neq i L)) by lia. }
  assert (bL : b L = 1 - sum L a) by (unfold b; now rewrite Nat.eqb_refl).
  assert (wL : w L = 0) by (unfold w; now rewrite Nat.eqb_refl).
  assert (W : are_weights (S L) b).
  { split.
    - intros i Hi. destruct (Nat.eq_dec i L) as [->|]; [rewrite bL; lra|]. rewrite bo by lia. apply Ha. lia.
    - cbn [sum]. rewrite bL, (sum_ext L b a) by auto. ring. }
  assert (E : form (S L) (spread b) w w = form L (spread a) v v).
  { rewrite !form_spread. unfold dot. cbn [sum]. rewrite wL.
    rewrite (sum_ext L (fun i => b i * w i ^ 2) (fun i => a i * v i ^ 2)),
      (sum_ext L (fun i => b i * w i) (fun i => a i * v i))
      by (intros; rewrite bo, wo by easy; ring). ring. }
  assert (N : (norm (S L) w)^2 = (norm L v)^2).
  { rewrite !norm_sqr. cbn [sum]. rewrite wL, (sum_ext L (fun i => w i ^ 2) (fun i => v i ^ 2))
      by (intros; rewrite wo by easy; ring). ring. }
  rewrite <- E, <- N. split; [now apply form_spread_nonneg|now apply spread_half].
Qed.

Lemma softmax1_gradient n t l i j : 0 < t -> (i < n)%nat -> (j < n)%nat ->
  gradient (softmax1 n t) l i j = spread (softmax1 n t l) i j / t.
Proof.
  intros HT Hin Hjn. set (a := softmax1 n t l). set (S := \sum_(j < n) exp (l j / t)).
  assert (HS : 0 < S) by (apply sum_pos; [lia|intros; apply exp_pos]).
  unfold gradient. apply is_derive_unique.
  set (c := 1 + \sum_(k < n) (if (k =? j)%nat then 0 else exp (l k / t))).
  assert (ES : 1 + S = exp (l j / t) + c) by (unfold S, c; rewrite (sum_split n j) by easy; ring).
  assert (Hc : 0 < c).
  { unfold c. enough (0 <= \sum_(k < n) (if (k =? j)%nat then 0 else exp (l k / t))) by lra.
    apply sum_nonneg; intros k _. pose proof (exp_pos (l k / t)). destruct (k =? j)%nat; lra. }
  assert (E : forall y, 1 + \sum_(k < n) exp (set_at l j y k / t) = exp (y / t) + c).
  { intros y. unfold c. rewrite (sum_split n j) by easy. unfold set_at at 1. rewrite Nat.eqb_refl.
    rewrite (sum_ext n _ (fun k => if (k =? j)%nat then 0 else exp (l k / t))); [ring|].
    intros k _. unfold set_at. now destruct (k =? j)%nat. }
  destruct (Nat.eqb_spec i j) as [->|Hij].
  - apply is_derive_ext with (fun y => exp (y / t) / (exp (y / t) + c)).
    { intros y. unfold softmax1. now rewrite E; unfold set_at; rewrite Nat.eqb_refl. }
    unfold spread, a, softmax1. fold S. rewrite ES, Nat.eqb_refl.
    pose proof (exp_pos (l j / t)). derive; [lra|]. field. lra.
  - apply is_derive_ext with (fun y => exp (l i / t) / (exp (y / t) + c)).
    { intros y. unfold softmax1. rewrite E. unfold set_at. now rewrite (proj2 (Nat.eqb_neq i j) Hij). }
    unfold spread, a, softmax1. fold S. rewrite ES, (proj2 (Nat.eqb_neq i j) Hij).
    pose proof (exp_pos (l j / t)). derive; [lra|]. field. lra.
Qed.

Theorem lipschitz_softmax1_proved : holds lipschitz_softmax1.
Proof.
  intros x [HL HT]. cbn. set (n := L x) in *. set (t := T x) in *. pose proof (Rinv_0_lt_compat t HT) as Hi.
  set (a := softmax1 n t (l x)). set (S := \sum_(j < n) exp (l x j / t)).
  assert (HS : 0 < S) by (apply sum_pos; [easy|intros; apply exp_pos]).
  rewrite (spectral_norm_ext n n _ (fun i j => spread a i j / t)) by (intros; now apply softmax1_gradient).
  rewrite spectral_norm_div by easy. replace (1 / (2 * t)) with (/ 2 / t) by (field; lra).
  apply Rmult_le_compat_r; [lra|]. apply spectral_norm_form; [apply spread_sym| |lra].
  intros v. apply spread_subweights.
  - intros i _. unfold a, softmax1. fold S. pose proof (exp_pos (l x i / t)).
    apply Rlt_le, Rdiv_lt_0_compat; lra.
  - unfold a, softmax1. fold S. rewrite sum_div. fold S.
    apply Rmult_le_reg_r with (1 + S); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.

(** The gradient where a_i is f of its own logit alone: it is diagonal. *)
Lemma gradient_own (f : R -> R) (f' : vector) l i j : is_derive f (l j) (f' j) ->
  gradient (fun l i => f (l i)) l i j = (if (i =? j)%nat then 1 else 0) * f' j.
Proof.
  intros D. unfold gradient. apply is_derive_unique. unfold set_at.
  destruct (Nat.eqb_spec i j) as [->|].
  - now rewrite Rmult_1_l.
  - rewrite Rmult_0_l. apply (is_derive_const (f (l i))).
Qed.

Lemma gradient_diagonal n (f : R -> R) (f' : vector) l r : 0 <= r ->
  (forall i, (i < n)%nat -> is_derive f (l i) (f' i)) -> (forall i, (i < n)%nat -> Rabs (f' i) <= r) ->
  spectral_norm n n (gradient (fun l i => f (l i)) l) <= r.
Proof.
  intros Hr D B.
  rewrite (spectral_norm_ext n n _ (fun i j => (if (i =? j)%nat then 1 else 0) * f' j))
    by (intros; now apply gradient_own, D).
  rewrite <- (Rmult_1_r r). apply Lemma2.spectral_norm_diagonal; [lra|easy| |easy].
  apply spectral_norm_le; [|lra]. intros v. rewrite Rmult_1_l. right. apply norm_ext; intros i Hi.
  unfold apply. rewrite (sum_ext n _ (fun j => if (j =? i)%nat then v i else 0)); [now apply sum_one|].
  intros j _. rewrite Nat.eqb_sym. destruct (Nat.eqb_spec j i) as [->|]; ring.
Qed.

Lemma sigmoid_attention_derive T b y : is_derive (fun y => sigmoid (y / T - b)) y
  (/ T * (sigmoid (y / T - b) * (1 - sigmoid (y / T - b)))).
Proof.
  apply (is_derive_comp sigmoid (fun y => y / T - b)); [apply sigmoid_derive|].
  derive. unfold Rdiv. ring.
Qed.

Theorem lipschitz_sigmoid_attention_proved : holds lipschitz_sigmoid_attention.
Proof.
  intros x [HL HT]. cbn. set (f := fun y => sigmoid (y / T x - log (INR (L x)))).
  assert (Hi : 0 < / T x) by now apply Rinv_0_lt_compat.
  apply (gradient_diagonal (L x) f (fun i => / T x * (f (l x i) * (1 - f (l x i)))) (l x)).
  - apply Rlt_le, Rdiv_lt_0_compat; lra.
  - intros i _. apply sigmoid_attention_derive.
  - intros i _. pose proof (sigmoid_pos (l x i / T x - log (INR (L x)))) as A.
    pose proof (sigmoid_below_1 (l x i / T x - log (INR (L x)))) as B. fold (f (l x i)) in A, B.
    replace (1 / (4 * T x)) with (/ T x * / 4) by (field; lra).
    rewrite Rabs_pos_eq by (apply Rmult_le_pos; [lra|nra]). apply Rmult_le_compat_l; [lra|].
    pose proof (pow2_ge_0 (f (l x i) - / 2)). lra.
Qed.

Lemma polynomial_derive T k p y : 0 < T -> 0 < k ->
  is_derive (fun y => (y / T)^(S p) / k) y (INR (S p) * (y / T)^p / (k * T)).
Proof.
  intros HT Hk. derive. cbn [pred]. set (e := (y / T)^p). field. lra.
Qed.

Theorem lipschitz_polynomial_proved : holds lipschitz_polynomial.
Proof.
  intros x ([HL HT] & Hp & B). cbn. destruct (degree x) as [|p]; [lia|].
  replace (S p - 1)%nat with p by lia.
  assert (Hr : 0 < sqrt (INR (L x))) by now apply sqrt_lt_R0, lt_0_INR.
  assert (Hi : 0 < / T x) by now apply Rinv_0_lt_compat.
  assert (HS : 0 <= INR (S p)) by apply pos_INR.
  assert (Hb : 0 <= bound x) by (eapply Rle_trans; [apply Rabs_pos|now apply (B 0%nat)]).
  assert (Hk : 0 < / (sqrt (INR (L x)) * T x)) by (apply Rinv_0_lt_compat, Rmult_lt_0_compat; easy).
  apply (gradient_diagonal (L x) (fun y => (y / T x)^(S p) / sqrt (INR (L x)))
    (fun i => INR (S p) * (l x i / T x)^p / (sqrt (INR (L x)) * T x)) (l x)).
  - unfold Rdiv at 1. apply Rmult_le_pos; [|lra]. apply Rmult_le_pos; [easy|].
    apply pow_le. apply Rmult_le_pos; lra.
  - intros i _. now apply polynomial_derive.
  - intros i Hin. unfold Rdiv at 1 3. rewrite !Rabs_mult, (Rabs_pos_eq (INR _)), (Rabs_pos_eq (/ (_ * _))) by lra.
    apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat_l; [easy|].
    rewrite <- RPow_abs. apply pow_incr. split; [apply Rabs_pos|].
    unfold Rdiv. rewrite Rabs_mult, (Rabs_pos_eq (/ T x)) by lra. apply Rmult_le_compat_r; [lra|auto].
Qed.

(** |max(u, 0) - max(v, 0)| <= |u - v|. *)
Theorem lipschitz_relu_attention_proved : holds lipschitz_relu_attention.
Proof.
  intros x [HL HT]. cbn. pose proof (lt_0_INR _ HL) as Hn.
  assert (Hk : 0 < / (INR (L x) * T x)) by (apply Rinv_0_lt_compat, Rmult_lt_0_compat; easy).
  unfold Rdiv at 1. rewrite Rmult_comm, <- (Rabs_pos_eq (/ (INR (L x) * T x))) by lra.
  rewrite <- norm_scal. apply norm_le; [apply norm_nonneg|]. rewrite norm_sqr.
  apply sum_le; intros i _. rewrite <- !Rsqr_pow2. apply Rsqr_le_abs_1. unfold relu_attention.
  replace (Rmax ((l x i + h x i) / T x) 0 / INR (L x) - Rmax (l x i / T x) 0 / INR (L x))
    with (/ INR (L x) * (Rmax ((l x i + h x i) / T x) 0 - Rmax (l x i / T x) 0)) by (field; lra).
  replace (/ (INR (L x) * T x) * h x i) with (/ INR (L x) * ((l x i + h x i) / T x - l x i / T x))
    by (field; lra).
  rewrite !Rabs_mult. apply Rmult_le_compat_l; [apply Rabs_pos|].
  unfold Rmax, Rabs. repeat destruct Rle_dec; repeat destruct Rcase_abs; lra.
Qed.

(** The nearest point a of a convex set: (z - a) . (b - a) <= 0 for all its b. *)
Lemma projection_angle n z a b : are_weights n a -> are_weights n b ->
  (forall c, are_weights n c -> norm n (fun i => a i - z i) <= norm n (fun i => c i - z i)) ->
  dot n (fun i => z i - a i) (fun i => b i - a i) <= 0.
Proof.
  intros Wa Wb H. set (p := dot n (fun i => z i - a i) (fun i => b i - a i)).
  set (q := (norm n (fun i => b i - a i))^2). assert (Hq : 0 <= q) by apply pow2_ge_0.
  assert (Q : forall t, 0 <= t <= 1 -> 2 * t * p <= t^2 * q).
  { intros t Ht. set (c := fun i => a i + t * (b i - a i)).
    assert (Wc : are_weights n c).
    { split.
      - intros i Hi. pose proof (proj1 Wa i Hi). pose proof (proj1 Wb i Hi). unfold c. nra.
      - unfold c. rewrite sum_plus, sum_scal, sum_minus, (proj2 Wa), (proj2 Wb). ring. }
    pose proof (pow_incr _ _ 2 (conj (norm_nonneg _ _) (H c Wc))) as N.
    rewrite !norm_sqr in N. unfold c in N.
    rewrite (sum_ext n (fun k => (a k + t * (b k - a k) - z k)^2) (fun k => (a k - z k)^2
      + (-2 * t) * ((z k - a k) * (b k - a k)) + t^2 * (b k - a k)^2)) in N by (intros; ring).
    rewrite !sum_plus, !sum_scal in N. fold (dot n (fun i => z i - a i) (fun i => b i - a i)) in N.
    fold p in N. unfold q. rewrite norm_sqr. lra. }
  destruct (Rle_dec p 0) as [|Hp]; [easy|]. exfalso.
  assert (Hs : 0 < p / (p + q) <= 1).
  { split; [apply Rdiv_lt_0_compat; lra|]. apply Rmult_le_reg_r with (p + q); [lra|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
  pose proof (Q (p / (p + q)) ltac:(lra)) as N. set (t := p / (p + q)) in *.
  assert (t * q <= p). { unfold t. apply Rmult_le_reg_r with (p + q); [lra|]. field_simplify; [nra|lra]. }
  nra.
Qed.

Theorem lipschitz_sparsemax_proved : holds lipschitz_sparsemax.
Proof.
  intros x ([HL HT] & [Wa Pa] & [Wb Pb]). cbn. set (n := L x) in *. set (a := before x) in *. set (b := after x) in *.
  assert (Hi : 0 < / T x) by now apply Rinv_0_lt_compat.
  pose proof (projection_angle n (fun i => l x i / T x) a b Wa Wb Pa) as A.
  pose proof (projection_angle n (fun i => (l x i + h x i) / T x) b a Wb Wa Pb) as B.
  set (u := fun i => b i - a i) in *. set (k := fun i => / T x * h x i).
  assert (E : (norm n u)^2 <= dot n k u).
  { rewrite norm_sqr. unfold dot in *.
    assert (X : \sum_(i < n) ((l x i / T x - a i) * u i) + \sum_(i < n) (((l x i + h x i) / T x - b i) * (a i - b i))
      = \sum_(i < n) ((u i)^2 - k i * u i)).
    { rewrite <- sum_plus. apply sum_ext; intros i _. unfold u, k. field. lra. }
    rewrite sum_minus in X. lra. }
  replace (norm n (h x) / T x) with (norm n k).
  - pose proof (dot_le n k u). pose proof (norm_nonneg n u) as [P|P].
    + apply Rmult_le_reg_r with (norm n u); [easy|]. lra.
    + rewrite <- P. apply norm_nonneg.
  - unfold k. rewrite norm_scal, Rabs_pos_eq by lra. unfold Rdiv. ring.
Qed.

(** From (t, 0) to (-t, 0) the weights go from (c, 0) to (0, c), c > 1/2. *)
Theorem lipschitz_self_adjusted_refuted : ~ holds lipschitz_self_adjusted.
Proof.
  set (t := 1 / 4000). set (e := fun (s : R) i => if (i =? 0)%nat then s else 0).
  set (x := SteepRow (SteppedRow (SoftmaxRow 2 (e t) 1) (e (- (2 * t)))) 1000).
  assert (Ht : 0 < t) by (unfold t; lra).
  set (g := fun j => e t j + e (- (2 * t)) j).
  assert (G0 : g 0%nat = - t) by (unfold g, e; cbn; ring).
  assert (G1 : g 1%nat = 0) by (unfold g, e; cbn; ring).
  assert (MaxA : Max 2 (fun j => e t j / 1) = t).
  { cbn. unfold e; cbn. rewrite !Rdiv_1. apply Rmax_left. lra. }
  assert (MinA : Min 2 (fun j => e t j / 1) = 0).
  { unfold Min; cbn. unfold e; cbn. rewrite !Rdiv_1, Rmax_right; lra. }
  assert (MaxB : Max 2 (fun j => g j / 1) = 0).
  { cbn. rewrite G0, G1, !Rdiv_1. apply Rmax_right. lra. }
  assert (MinB : Min 2 (fun j => g j / 1) = - t).
  { unfold Min; cbn. rewrite G0, G1, !Rdiv_1, Rmax_left; lra. }
  assert (A : self_adjusted 2 1 (e t) 0 = exp t / (exp t + 1)).
  { unfold self_adjusted. rewrite MaxA, MinA, (Rmin_left 0 0), (Rmax_right 0 t) by lra.
    unfold softmax, weights; cbn. unfold e; cbn. rewrite !Rdiv_1, exp_0. pose proof (exp_pos t). field. lra. }
  assert (B : self_adjusted 2 1 g 0 = 0).
  { unfold self_adjusted. rewrite MaxB, MinB, (Rmin_right 0 (- t)), (Rmax_left 0 0), G0 by lra.
    field. lra. }
  apply (refute lipschitz_self_adjusted x).
  - split; [split; cbn; [lia|lra]|]. split; [cbn; lra|]. split; exists 0%nat; (split; [cbn; lia|]).
    + change (e t 0%nat <> 0). unfold e; cbn. lra.
    + change (g 0%nat <> 0). rewrite G0. lra.
  - cbn [lhs rhs lipschitz_self_adjusted L T l h below start K x].
    assert (N : norm 2 (e (- (2 * t))) = 2 * t).
    { unfold norm, e; cbn. replace (_ + _) with ((2 * t)^2) by ring. apply sqrt_pow2. unfold t. lra. }
    rewrite N. replace (1000 * (2 * t) / 1) with (1 / 2) by (unfold t; field).
    eapply Rlt_le_trans; [|apply (abs_entry_le 2 _ 0); lia]. cbv beta.
    change (1 / 2 < Rabs (self_adjusted 2 1 g 0 - self_adjusted 2 1 (e t) 0)).
    rewrite A, B. pose proof (exp_ineq1 t ltac:(lra)).
    rewrite Rminus_0_l, Rabs_Ropp, Rabs_pos_eq.
    + apply Rmult_lt_reg_r with (exp t + 1); [lra|].
      replace (exp t / (exp t + 1) * (exp t + 1)) with (exp t) by (field; lra). lra.
    + apply Rlt_le, Rdiv_lt_0_compat; lra.
Qed.
