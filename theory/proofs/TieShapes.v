(** Bounds that are attained by a shape of the case, whatever its numbers are. *)
From Coq Require Import Reals Lra Lia Psatz Arith List QArith Qreduction.
From Coquelicot Require Import Coquelicot.
From Interval Require Import Tactic.
From Limits Require Import Basics Exponential Vectors Weights Claim Tie TieEqual.
From Limits Require Row Variation Corollary3 Normalizers Beyond Sinkhorn Theorem1 Retrieval Entropy Lemma1 Entmax.
Open Scope R_scope.

(** ** Sums of exponentials, and places *)

Lemma lse_attained c M : (0 < Beyond.size c)%nat ->
  (forall k, (k < Beyond.size c)%nat -> Beyond.q c k + Beyond.key c k = M) ->
  lhs Beyond.lse_upper c = rhs Beyond.lse_upper c.
Proof.
  intros H E. cbn. pose proof (INR_pos _ H).
  rewrite (sum_ext _ _ (fun _ => exp M)) by (intros k Hk; now rewrite E). rewrite sum_const.
  destruct (Max_attained (Beyond.size c) (fun k => Beyond.q c k + Beyond.key c k) H) as (k & Hk & ->).
  rewrite E, log_mult, log_exp by (easy || lra || apply exp_pos). ring.
Qed.

Lemma diameter_of_two n e f r (b : nat -> bool) : 0 <= r ->
  (exists i, (i < n)%nat /\ b i = true) -> (exists j, (j < n)%nat /\ b j = false) ->
  (forall i j, (i < n)%nat -> (j < n)%nat ->
    norm e (fun k => f i k - f j k) = if Bool.eqb (b i) (b j) then 0 else r) ->
  Beyond.diameter n e f = r.
Proof.
  intros Hr (i & Hi & Bi) (j & Hj & Bj) F. apply Rle_antisym.
  - apply Max_le; [lia|]. intros p Hp. apply Max_le; [lia|]. intros q Hq. rewrite F by easy.
    destruct (Bool.eqb (b p) (b q)); lra.
  - pose proof (Beyond.diameter_ge n e f i j Hi Hj) as G. rewrite F, Bi, Bj in G by easy. exact G.
Qed.

Section Places.
Variables (c : Beyond.attending) (u v : vector) (b : nat -> bool).
Let n := Beyond.count c.
Let d := Beyond.width c.
Let T := Beyond.temp c.
Hypothesis T_pos : 0 < T.
Hypothesis at_two : forall i, (i < n)%nat -> forall k, (k < d)%nat ->
  Beyond.y c i k = if b i then u k else v k.
Hypothesis some : (exists i, (i < n)%nat /\ b i = true) /\ exists j, (j < n)%nat /\ b j = false.
Hypothesis as_often : \sum_(i < n) (if b i then 1 else 0) = \sum_(i < n) (if b i then 0 else 1).
Hypothesis as_long : \sum_(k < d) (u k)^2 = \sum_(k < d) (v k)^2.
Let E1 := exp (dot d u u / T).
Let E2 := exp (dot d u v / T).
Let A := \sum_(i < n) (if b i then 1 else 0).

Lemma score i j : (i < n)%nat -> (j < n)%nat -> exp (dot d (Beyond.y c i) (Beyond.y c j) / T)
  = if Bool.eqb (b i) (b j) then E1 else E2.
Proof.
  intros Hi Hj. assert (S : dot d v v = dot d u u) by (rewrite !dot_self; now symmetry).
  unfold dot at 1. rewrite (sum_ext d _ (fun k => (if b i then u k else v k) * (if b j then u k else v k)))
    by (intros; now rewrite !at_two).
  destruct (b i), (b j); unfold E1, E2; cbn; fold (dot d u u) (dot d u v) (dot d v u) (dot d v v); try easy.
  - f_equal. f_equal. apply sum_ext; intros; ring.
  - now rewrite S.
Qed.

Lemma A_pos : 0 < A.
Proof.
  destruct some as [(i & Hi & Bi) _].
  apply Rlt_le_trans with (if b i then 1 else 0); [rewrite Bi; lra|].
  apply (term_le_sum n i (fun i => if b i then 1 else 0)); [|easy]. intros j _. destruct (b j); lra.
Qed.

Lemma weight i j : (i < n)%nat -> (j < n)%nat ->
  Beyond.attention_ c i j = (if Bool.eqb (b i) (b j) then E1 else E2) / (A * (E1 + E2)).
Proof.
  intros Hi Hj. unfold Beyond.attention_, softmax, weights. fold n d T. rewrite score by easy. f_equal.
  rewrite (sum_ext n _ (fun j => (if b i then E1 else E2) * (if b j then 1 else 0)
    + (if b i then E2 else E1) * (if b j then 0 else 1))).
  - rewrite sum_plus, !sum_scal, <- as_often. fold A. destruct (b i); ring.
  - intros m Hm. rewrite score by easy. destruct (b i), (b m); cbn; ring.
Qed.

Lemma output i k : (i < n)%nat -> (k < d)%nat -> Beyond.output_ c i k =
  if b i then (E1 * u k + E2 * v k) / (E1 + E2) else (E2 * u k + E1 * v k) / (E1 + E2).
Proof.
  intros Hi Hk. pose proof A_pos. pose proof (exp_pos (dot d u u / T)) as P1.
  pose proof (exp_pos (dot d u v / T)) as P2. fold E1 in P1. fold E2 in P2. unfold Beyond.output_. fold n.
  rewrite (sum_ext n _ (fun j => (if b i then E1 else E2) * u k / (A * (E1 + E2)) * (if b j then 1 else 0)
    + (if b i then E2 else E1) * v k / (A * (E1 + E2)) * (if b j then 0 else 1))).
  - rewrite sum_plus, !sum_scal, <- as_often. fold A. destruct (b i); field; lra.
  - intros j Hj. rewrite weight, at_two by easy. destruct (b i), (b j); cbn; field; lra.
Qed.

Lemma two_places_attained :
  lhs Beyond.rank_collapse_diameter c = rhs Beyond.rank_collapse_diameter c.
Proof.
  cbn [lhs rhs Beyond.rank_collapse_diameter]. fold n d T. set (D := norm d (fun k => u k - v k)).
  pose proof (norm_nonneg d (fun k => u k - v k)) as HD. fold D in HD.
  assert (D2 : D^2 = 2 * (dot d u u - dot d u v)).
  { unfold D. rewrite norm_sqr. rewrite (sum_ext d _ (fun k => (u k)^2 + (v k)^2 - 2 * (u k * v k))) by (intros; ring).
    rewrite sum_minus, sum_plus, sum_scal, <- as_long, <- dot_self. fold (dot d u v). ring. }
  assert (swap : norm d (fun k => v k - u k) = D) by (unfold D; rewrite <- norm_opp; apply norm_ext; intros; ring).
  assert (same_place : forall w : vector, norm d (fun k => w k - w k) = 0)
    by (intros; rewrite <- (norm_zero d); apply norm_ext; intros; ring).
  rewrite (diameter_of_two n d (Beyond.y c) D b HD (proj1 some) (proj2 some)).
  2: { intros i j Hi Hj. rewrite (norm_ext d _ (fun k => (if b i then u k else v k) - (if b j then u k else v k)))
         by (intros; now rewrite !at_two). destruct (b i), (b j); cbn; auto. }
  pose proof (exp_pos (dot d u u / T)) as P1. pose proof (exp_pos (dot d u v / T)) as P2. fold E1 in P1. fold E2 in P2.
  assert (G : tanh (D^2 / (4 * T)) = (E1 - E2) / (E1 + E2)).
  { rewrite Variation.tanh_exp, D2.
    replace (2 * (2 * (dot d u u - dot d u v) / (4 * T))) with (dot d u u / T + - (dot d u v / T)) by (field; lra).
    rewrite exp_plus, exp_Ropp. fold E1 E2. field. lra. }
  assert (Le : 0 <= (E1 - E2) / (E1 + E2)).
  { rewrite <- G. replace 0 with (tanh 0) by (rewrite Variation.tanh_exp, Rmult_0_r, exp_0; field).
    apply Variation.tanh_le. apply Rmult_le_pos; [nra|]. apply Rlt_le, Rinv_0_lt_compat. lra. }
  rewrite G. apply (diameter_of_two n d _ _ b); [now apply Rmult_le_pos|apply some|apply some|].
  intros i j Hi Hj.
  rewrite (norm_ext d _ (fun k => (if Bool.eqb (b i) (b j) then 0 else if b i then 1 else -1)
    * ((E1 - E2) / (E1 + E2) * (u k - v k)))).
  - rewrite norm_scal, norm_scal, (Rabs_pos_eq _ Le). fold D. destruct (b i), (b j); cbn;
      [rewrite Rabs_R0|rewrite Rabs_R1|rewrite Rabs_left by lra|rewrite Rabs_R0]; ring.
  - intros k Hk. rewrite !output by easy. destruct (b i), (b j); cbn; field; lra.
Qed.
End Places.

(** All at one place: both diameters are 0. *)
Lemma one_place_attained c u : (0 < Beyond.count c)%nat -> 0 < Beyond.temp c ->
  (forall i, (i < Beyond.count c)%nat -> forall k, (k < Beyond.width c)%nat -> Beyond.y c i k = u k) ->
  lhs Beyond.rank_collapse_diameter c = rhs Beyond.rank_collapse_diameter c.
Proof.
  intros Hn HT E. apply Rle_antisym; [now apply Beyond.rank_collapse_diameter_proved|].
  cbn [lhs rhs Beyond.rank_collapse_diameter].
  assert (Z : Beyond.diameter (Beyond.count c) (Beyond.width c) (Beyond.y c) = 0).
  { assert (S : forall i j, (i < Beyond.count c)%nat -> (j < Beyond.count c)%nat ->
      norm (Beyond.width c) (fun k => Beyond.y c i k - Beyond.y c j k) = 0).
    { intros i j Hi Hj. rewrite <- (norm_zero (Beyond.width c)). apply norm_ext; intros k Hk.
      rewrite !E by easy. ring. }
    apply Rle_antisym.
    - apply Max_le; [easy|]. intros i Hi. apply Max_le; [easy|]. intros j Hj.
      rewrite (S i j Hi Hj). apply Rle_refl.
    - pose proof (Beyond.diameter_ge _ (Beyond.width c) (Beyond.y c) 0 0 Hn Hn) as G.
      rewrite (S 0%nat 0%nat Hn Hn) in G. exact G. }
  rewrite Z, Rmult_0_l. eapply Rle_trans; [apply norm_nonneg|]. now apply (Beyond.diameter_ge _ _ _ 0 0).
Qed.

(** ** Sinkhorn: a change c of the scores that the gradient makes k times as long *)
Lemma change_attained x (c : matrix) k : Sinkhorn.is_transport_plan x ->
  0 < k -> 0 < \sum_(i < Sinkhorn.n x) \sum_(j < Sinkhorn.n x) (c i j)^2 ->
  Sinkhorn.changes x c (fun i j => k * c i j) -> k <= Sinkhorn.gradient_norm x.
Proof.
  intros H Hk Hc (u & v & E & Rs & Cs). set (n := Sinkhorn.n x) in *.
  set (s := frobenius_norm n n c). assert (Hs : 0 < s) by (now apply sqrt_lt_R0).
  assert (scaled : forall t f, 0 <= t -> frobenius_norm n n (fun i j => t * f i j) = t * frobenius_norm n n f).
  { intros t f Ht. unfold frobenius_norm. transitivity (sqrt (t^2) * frobenius_norm n n f); [|now rewrite sqrt_pow2].
    unfold frobenius_norm. rewrite <- sqrt_mult_alt by apply pow2_ge_0. f_equal. rewrite <- sum_scal. apply sum_ext; intros i _.
    rewrite <- sum_scal. apply sum_ext; intros; ring. }
  assert (Hi : 0 < / s) by now apply Rinv_0_lt_compat.
  apply (gradient_norm_ge x k H).
  exists (fun i j => / s * c i j), (fun i j => / s * (k * c i j)). split; [|split].
  - exists (fun i => / s * u i), (fun j => / s * v j). split; [|split].
    + intros i j Pi Pj. rewrite (E i j Pi Pj). unfold Rdiv. ring.
    + intros i Pi. rewrite sum_scal, Rs by easy. ring.
    + intros j Pj. rewrite sum_scal, Cs by easy. ring.
  - fold n. rewrite scaled by lra. fold s. rewrite Rinv_l; lra.
  - fold n. rewrite scaled, scaled by lra. fold s. field. lra.
Qed.

(** ** Entropies *)

Lemma equal_softmax L T l z : (0 < L)%nat -> (forall i, (i < L)%nat -> l i = z) ->
  forall i, (i < L)%nat -> softmax L T l i = / INR L.
Proof.
  intros HL E i Hi. pose proof (INR_pos L HL). pose proof (exp_pos (z / T)). unfold softmax, weights.
  rewrite (sum_ext L _ (fun _ => exp (z / T))) by (intros j Hj; now rewrite E). rewrite sum_const, E by easy.
  field. lra.
Qed.

Lemma equal_entropy L T l z : (0 < L)%nat -> (forall i, (i < L)%nat -> l i = z) ->
  Entropy.entropy L (softmax L T l) = log (INR L).
Proof.
  intros HL E. pose proof (INR_pos L HL). unfold Entropy.entropy.
  rewrite (sum_ext L _ (fun _ => / INR L * log (/ INR L))).
  - rewrite sum_const, log_ln, ln_Rinv, <- log_ln by lra. field. lra.
  - intros i Hi. now rewrite (equal_softmax L T l z HL E i Hi).
Qed.

Lemma equal_ends L l z : (0 < L)%nat -> (forall i, (i < L)%nat -> l i = z) -> Max L l - Min L l = 0.
Proof.
  intros HL E. destruct (Max_attained L l HL) as (i & Hi & ->). destruct (Min_attained L l HL) as (j & Hj & ->).
  rewrite !E by easy. ring.
Qed.

Lemma entropy_attained x z : (0 < Row.L x)%nat -> (forall i, (i < Row.L x)%nat -> Row.l x i = z) ->
  lhs Entropy.lemma1_entropy x = rhs Entropy.lemma1_entropy x.
Proof.
  intros HL E. cbn. unfold Row.a_. rewrite (equal_entropy _ _ _ z HL E), (equal_ends _ _ z HL E).
  unfold Rdiv. ring.
Qed.

Lemma uniform_attained x z : (0 < Row.L x)%nat -> (forall i, (i < Row.L x)%nat -> Row.l x i = z) ->
  lhs Lemma1.lemma1_uniform_repaired x = rhs Lemma1.lemma1_uniform_repaired x.
Proof.
  intros HL E. cbn [lhs rhs Lemma1.lemma1_uniform_repaired]. rewrite (equal_ends _ _ z HL E).
  unfold Variation.variation, Rdiv. rewrite Rmult_0_l, Variation.tanh_exp, Rmult_0_r, exp_0, sum_zero; [field|].
  intros i Hi. unfold Row.a_. rewrite (equal_softmax _ _ _ z HL E i Hi), Rminus_diag_eq by easy. apply Rabs_R0.
Qed.

Lemma colder_attained x z : (0 < Row.L (Row.warmer x))%nat ->
  (forall i, (i < Row.L (Row.warmer x))%nat -> Row.l (Row.warmer x) i = z) ->
  lhs Entropy.softmax_entropy x = rhs Entropy.softmax_entropy x.
Proof. intros HL E. cbn. unfold Row.a_. now rewrite !(equal_entropy _ _ _ z HL E). Qed.

(** Two levels: the weights of I are that of its token i, the others that of j. *)
Lemma fano_attained c i j : hypotheses Retrieval.mass_fano c -> (i < Theorem1.L c)%nat -> (j < Theorem1.L c)%nat ->
  Theorem1.I c i = true -> Theorem1.I c j = false ->
  (forall k, (k < Theorem1.L c)%nat -> Theorem1.I c k = true -> Theorem1.a c k = Theorem1.a c i) ->
  (forall k, (k < Theorem1.L c)%nat -> Theorem1.I c k = false -> Theorem1.a c k = Theorem1.a c j) ->
  lhs Retrieval.mass_fano c = rhs Retrieval.mass_fano c.
Proof.
  intros [H P] Hi Hj Ii Ij Eq_in Eq_out. cbn [lhs rhs Retrieval.mass_fano].
  set (p := Theorem1.a c i) in *. set (q := Theorem1.a c j) in *. set (n := Theorem1.L c) in *.
  assert (Pp : 0 < p) by now apply P. assert (Pq : 0 < q) by now apply P.
  set (N := Theorem1.N_ c). set (O := Retrieval.O_ c).
  assert (in_const : forall f : nat -> R, (forall k, (k < n)%nat -> Theorem1.I c k = true -> f k = f i) ->
    Theorem1.sum_in n (Theorem1.I c) f = N * f i).
  { intros f F. unfold N, Theorem1.N_, Theorem1.sum_in. rewrite <- sum_scal_r. apply sum_ext; intros k Hk.
    destruct (Theorem1.I c k) eqn:Ik; [rewrite (F k Hk Ik)|]; ring. }
  assert (out_const : forall f : nat -> R, (forall k, (k < n)%nat -> Theorem1.I c k = false -> f k = f j) ->
    Theorem1.sum_out n (Theorem1.I c) f = O * f j).
  { intros f F. unfold O, Retrieval.O_, Theorem1.sum_out. rewrite <- sum_scal_r. apply sum_ext; intros k Hk.
    destruct (Theorem1.I c k) eqn:Ik; [|rewrite (F k Hk Ik)]; ring. }
  assert (PN : 0 < N).
  { apply Rlt_le_trans with 1; [lra|]. pose proof (term_le_sum n i (fun k => if Theorem1.I c k then 1 else 0)) as T.
    cbv beta in T. rewrite Ii in T. apply T; [|easy]. intros k _. destruct (Theorem1.I c k); lra. }
  assert (PO : 0 < O).
  { apply Rlt_le_trans with 1; [lra|]. pose proof (term_le_sum n j (fun k => if Theorem1.I c k then 0 else 1)) as T.
    cbv beta in T. rewrite Ij in T. apply T; [|easy]. intros k _. destruct (Theorem1.I c k); lra. }
  assert (EA : Theorem1.A_ c = N * p) by (apply (in_const (Theorem1.a c)); intros; now apply Eq_in).
  assert (EO : 1 - Theorem1.A_ c = O * q).
  { rewrite <- (Theorem1.outside_weight c H). apply (out_const (Theorem1.a c)); intros; now apply Eq_out. }
  unfold Entropy.entropy. fold n. rewrite (Theorem1.sum_in_out n (Theorem1.I c)).
  rewrite (in_const (fun k => Theorem1.a c k * log (Theorem1.a c k))) by (intros k Hk Ik; now rewrite (Eq_in k Hk Ik)).
  rewrite (out_const (fun k => Theorem1.a c k * log (Theorem1.a c k))) by (intros k Hk Ik; now rewrite (Eq_out k Hk Ik)).
  fold p q. rewrite EO, EA, !log_mult by easy. ring.
Qed.

Lemma softmax_positive L T l : (0 < L)%nat -> forall i, (i < L)%nat -> 0 < weights L (fun y => exp (y / T)) l i.
Proof. intros HL i _. apply Rdiv_lt_0_compat; [apply exp_pos|]. apply sum_pos; [easy|intros; apply exp_pos]. Qed.
Ltac positive_weights := meets.

(** ** Rows of bounded logits *)

Lemma scaled_continuous (F F' : R -> R) T : (forall z, is_derive F z (F' z)) -> forall y, continuous (fun y => F (y / T)) y.
Proof.
  intros D y. apply (ex_derive_continuous (fun y => F (y / T))). exists (scal (/ T) (F' (y / T))).
  apply (is_derive_comp F (fun y => y / T)); [apply D|]. auto_derive; [easy|]. unfold Rdiv. ring.
Qed.

Lemma softplus_grows T x y : 0 < T -> x <= y -> Normalizers.softplus (x / T) <= Normalizers.softplus (y / T).
Proof.
  intros HT [H|<-]; [|lra]. pose proof (exp_pos (x / T)). pose proof (Rinv_0_lt_compat _ HT).
  apply Rlt_le, log_increasing; [lra|]. apply Rplus_lt_compat_l, exp_increasing. apply Rmult_lt_compat_r; lra.
Qed.

(** All logits at 0. *)
Lemma still_row L (F : R -> R) l : (0 < L)%nat -> (forall y, 0 < F y) -> (forall y, continuous F y) ->
  (forall i, (i < L)%nat -> l i = 0) -> Lemma1.is_bounded_row (Lemma1.BoundedRow L F l 0 (F (- 0)) (F 0)).
Proof.
  intros HL P C E. assert (Z : forall x, Rabs x <= 0 -> x = 0).
  { intros x H. pose proof (Rabs_pos x). destruct (Req_dec x 0) as [|N]; [easy|]. pose proof (Rabs_no_R0 x N). lra. }
  split; [easy|]. split; [easy|]. split; [easy|]. split; [|split]; cbn.
  - intros i Hi. rewrite E, Rabs_R0 by easy. lra.
  - split; [exists 0; rewrite Rabs_R0, Ropp_0; split; [lra|easy]|]. intros x H. rewrite (Z x H), Ropp_0. lra.
  - split; [exists 0; rewrite Rabs_R0; split; [lra|easy]|]. intros x H. rewrite (Z x H). lra.
Qed.

(** The Taylor polynomial is least at -T, or at -a where that is beyond; and largest at a. *)
Lemma taylor_row L T l a x : (0 < L)%nat -> 0 < T -> 0 <= a -> - a <= x -> (x = - T \/ x = - a /\ a <= T) ->
  (forall i, (i < L)%nat -> Rabs (l i) <= a) ->
  Lemma1.is_bounded_row (Lemma1.BoundedRow L (fun y => Normalizers.taylor (y / T)) l a
    (Normalizers.taylor (x / T)) (Normalizers.taylor (a / T))).
Proof.
  intros HL HT Ha Hx Hm B. pose proof (Rinv_0_lt_compat _ HT) as Hi.
  assert (F : forall y, Normalizers.taylor (y / T) = / 2 + (/ T)^2 * (T + y)^2 / 2).
  { intros y. unfold Normalizers.taylor. field. lra. }
  assert (K : 0 <= (/ T)^2) by apply pow2_ge_0.
  split; [easy|]. split; [intros; apply Normalizers.taylor_pos|].
  split; [apply (scaled_continuous _ _ T Normalizers.taylor_derive)|]. split; [easy|]. cbn. split.
  - split; [exists x; split; [apply Rabs_le; destruct Hm as [->|[-> _]]; lra|easy]|].
    intros y Hy. apply Rabs_le_between in Hy. rewrite !F.
    enough ((T + x)^2 <= (T + y)^2) by nra. destruct Hm as [->|[-> Hl]]; [rewrite Rplus_opp_r; pose proof (pow2_ge_0 (T + y)); lra|nra].
  - split; [exists a; split; [rewrite Rabs_pos_eq; lra|easy]|].
    intros y Hy. apply Rabs_le_between in Hy. rewrite !F. enough ((T + y)^2 <= (T + a)^2) by nra. nra.
Qed.

Lemma cage_meets c : (0 < Beyond.L c)%nat -> are_weights (Beyond.L c) (Beyond.a c) -> hypotheses Beyond.cage_norm c.
Proof. intros H [W S]. split; [easy|]. split; [easy|]. rewrite S. lra. Qed.
