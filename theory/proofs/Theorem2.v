(** Theorem 2: how many of the selected tokens stay within r of their sum. *)
From Coq Require Import Reals Lra Lia Psatz Arith Bool FunctionalExtensionality.
From Limits Require Import Basics Vectors Weights Claim Law.
Open Scope R_scope.

(** Weights, selected tokens I, and embeddings that are random: x w i is that of token i. *)
Record sphere := Sphere { L : nat; d : nat; a : vector; I : nat -> bool; R_ : R; r : R; delta : R;
  Omega : Type; law_ : law Omega; x : Omega -> nat -> vector }.

Section Terms.
Variable c : sphere.
Definition sum_in (f : vector) : R := \sum_(i < L c) (if I c i then f i else 0).
Definition N_ : R := sum_in (fun _ => 1).
Definition s_ (w : Omega c) : vector := fun k => sum_in (fun i => a c i * x c w i k).
Definition X_ (i : nat) (w : Omega c) : R := norm (d c) (fun k => a c i * x c w i k - s_ w k).
Definition indicator (i : nat) (w : Omega c) : R := if Rle_dec (X_ i w) (r c) then 1 else 0.
Definition N_s (w : Omega c) : R := sum_in (fun i => indicator i w).

(** The weights of the selected tokens but i. *)
Definition others (i : nat) : vector := fun j => if I c j then if (j =? i)%nat then 0 else a c j else 0.
Definition xi_ (i : nat) : R := sqrt (
  (R_ c)^2 * (sum (L c) (others i))^2 - (delta c)^2 / 2 *
    \sum_(j < L c) \sum_(k < L c) (if (j =? k)%nat then 0 else others i j * others i k)).

(** Of Assumption 1 only this is used: all embeddings lie on the sphere, no two closer than delta.
    Whether they are independent or uniform, or conditioned on keeping their distance, is open. *)
Definition is_sphere : Prop := are_weights (L c) (a c) /\ 0 < r c /\ 0 < N_ /\
  (forall i w, (i < L c)%nat -> norm (d c) (x c w i) = R_ c) /\
  (forall i j w, (i < L c)%nat -> (j < L c)%nat -> i <> j ->
    delta c <= norm (d c) (fun k => x c w i k - x c w j k)) /\
  0 <= delta c /\ integrable (law_ c) N_s.
End Terms.

Definition theorem2_lower : claim := {|
  case := sphere;
  hypotheses := is_sphere;
  lhs c := 1 - 1 / (r c * N_ c) * sum_in c (xi_ c);
  rhs c := E (law_ c) (N_s c) / N_ c
|}.

(** Of Assumption 1 alone (delta = 0): the embeddings are on the sphere, and their inner products
    have the first two moments that independent uniform ones have; of two different pairs they are
    not correlated. [Signs.v] shows that independent signs, d = 1, are an instance. *)
Definition inner (c : sphere) (j k : nat) (w : Omega c) : R := dot (d c) (x c w j) (x c w k).
Definition same_pair (j k p q : nat) : bool :=
  ((j =? p) && (k =? q) || (j =? q) && (k =? p))%nat%bool.
Definition is_independent (c : sphere) : Prop := are_weights (L c) (a c) /\ 0 < r c /\ 0 < N_ c /\
  (0 < d c)%nat /\ 0 < R_ c /\ delta c = 0 /\
  (forall i w, (i < L c)%nat -> norm (d c) (x c w i) = R_ c) /\
  (forall i, (i < L c)%nat -> integrable (law_ c) (indicator c i)) /\
  (forall j k, (j < L c)%nat -> (k < L c)%nat -> integrable (law_ c) (inner c j k)) /\
  (forall j k p q, (j < L c)%nat -> (k < L c)%nat -> (p < L c)%nat -> (q < L c)%nat ->
    integrable (law_ c) (fun w => inner c j k w * inner c p q w)) /\
  (forall j k, (j < L c)%nat -> (k < L c)%nat -> j <> k -> E (law_ c) (inner c j k) = 0) /\
  (forall j k p q, (j < L c)%nat -> (k < L c)%nat -> (p < L c)%nat -> (q < L c)%nat ->
    j <> k -> p <> q -> E (law_ c) (fun w => inner c j k w * inner c p q w) =
    if same_pair j k p q then (R_ c)^4 / INR (d c) else 0).

Section Moments.
Variable c : sphere.
Definition s2_ (i : nat) : R := (R_ c)^2 * \sum_(j < L c) (others c i j)^2.
Definition s4_ (i : nat) : R := (R_ c)^4 * \sum_(j < L c) (others c i j)^4.
Definition v_ (i : nat) : R := 2 / INR (d c) * ((s2_ i)^2 - s4_ i).
Definition beyond_ (i : nat) : R := if Rlt_dec (s2_ i) ((r c)^2) then
  Rmin 1 (Rmin (s2_ i / (r c)^2) (v_ i / (v_ i + ((r c)^2 - s2_ i)^2))) else 1.
Definition within_ (i : nat) : R := if Rle_dec (s2_ i) ((r c)^2) then 1
  else v_ i / (v_ i + (s2_ i - (r c)^2)^2).
End Moments.

Definition theorem2_lower_sharp : claim := {|
  case := sphere;
  hypotheses := is_independent;
  lhs c := 1 - 1 / N_ c * sum_in c (beyond_ c);
  rhs c := E (law_ c) (N_s c) / N_ c
|}.

Definition theorem2_upper_repaired : claim := {|
  case := sphere;
  hypotheses := is_independent;
  lhs c := E (law_ c) (N_s c) / N_ c;
  rhs c := 1 / N_ c * sum_in c (within_ c)
|}.

Definition theorem2_upper : claim := {|
  case := sphere;
  hypotheses := is_independent;
  lhs c := E (law_ c) (N_s c) / N_ c;
  rhs c := 1 / N_ c * sum_in c (fun i => exp (- ((xi_ c i - r c)^2 / (2 * (R_ c)^2))))
|}.

(** N_x = N_s where no token outside is in the ball, and 0 else. *)
Definition outside_in_ball (c : sphere) (w : Omega c) : R :=
  \sum_(j < L c) (if I c j then 0 else indicator c j w).
Definition N_x (c : sphere) (w : Omega c) : R :=
  if Rlt_dec 0 (outside_in_ball c w) then 0 else N_s c w.

Definition theorem2_lower_exclusive : claim := {|
  case := sphere;
  hypotheses c := is_independent c /\ d c = 1%nat;
  lhs c := 1 - 1 / (r c * N_ c) * sum_in c (xi_ c);
  rhs c := E (law_ c) (N_x c) / N_ c
|}.

Lemma X_le_xi c i w : is_sphere c -> (i < L c)%nat -> I c i = true -> X_ c i w <= xi_ c i.
Proof.
  intros (W & Hr & HN & S & far & Hd & _) Hi Ei.
  set (b := others c i).
  assert (b_pos : forall j, (j < L c)%nat -> 0 <= b j).
  { intros j Hj. unfold b, others. destruct (I c j), (j =? i)%nat; try lra. now apply W. }
  (* X is the length of a sum over the others *)
  assert (EX : X_ c i w = norm (d c) (fun k => \sum_(j < L c) (b j * x c w j k))).
  { unfold X_. rewrite <- norm_opp. apply norm_ext; intros k _. unfold s_, sum_in.
    rewrite (sum_split (L c) i) by easy. rewrite Ei.
    rewrite (sum_ext _ (fun j => if (j =? i)%nat then 0 else _) (fun j => b j * x c w j k)); [ring|].
    intros j _. unfold b, others. destruct (j =? i)%nat, (I c j); ring. }
  (* its square, by the inner products *)
  assert (E2 : (X_ c i w)^2 = sum (L c) (fun j => sum (L c) (fun k =>
    b j * b k * dot (d c) (x c w j) (x c w k)))).
  { rewrite EX, norm_sqr.
    rewrite (sum_ext (d c) _ (fun e => sum (L c) (fun j => sum (L c) (fun k =>
      b j * b k * (x c w j e * x c w k e))))).
    - rewrite sum_swap. apply sum_ext; intros j _. rewrite sum_swap. apply sum_ext; intros k _.
      unfold dot. now rewrite sum_scal.
    - intros e _. replace (_ ^ 2) with (sum (L c) (fun j => b j * x c w j e) *
        sum (L c) (fun j => b j * x c w j e)) by ring.
      rewrite sum_mul. apply sum_ext; intros j _. apply sum_ext; intros k _. ring. }
  unfold xi_. fold b. rewrite <- (sqrt_pow2 (X_ c i w)) by apply norm_nonneg.
  apply sqrt_le_1_alt. rewrite E2.
  replace ((sum (L c) b)^2) with (sum (L c) b * sum (L c) b) by ring. rewrite sum_mul.
  rewrite <- !sum_scal, <- sum_minus. apply sum_le; intros j Hj.
  rewrite <- !sum_scal, <- sum_minus. apply sum_le; intros k Hk.
  pose proof (b_pos j Hj). pose proof (b_pos k Hk).
  assert (Sj := norm_sqr (d c) (x c w j)). assert (Sk := norm_sqr (d c) (x c w k)).
  rewrite S in Sj, Sk by easy. rewrite <- dot_self in Sj, Sk.
  destruct (Nat.eqb_spec j k) as [<-|Hn]; [rewrite <- Sj; lra|].
  (* x_j . x_k = R^2 - ||x_j - x_k||^2/2 *)
  assert (F := norm_sqr (d c) (fun e => x c w j e - x c w k e)).
  rewrite (sum_ext _ _ (fun e => x c w j e * x c w j e + x c w k e * x c w k e
    + -2 * (x c w j e * x c w k e))) in F by (intros; ring).
  rewrite !sum_plus, sum_scal in F. fold (dot (d c) (x c w j) (x c w j)) in F.
  fold (dot (d c) (x c w k) (x c w k)) (dot (d c) (x c w j) (x c w k)) in F.
  pose proof (far j k w Hj Hk Hn) as G. pose proof (pow_incr _ _ 2 (conj Hd G)).
  assert (dot (d c) (x c w j) (x c w k) <= (R_ c)^2 - (delta c)^2 / 2) by lra.
  assert (0 <= b j * b k) by now apply Rmult_le_pos. nra.
Qed.

(** Markov's inequality under the expectation: 1 - X/r is at most the indicator of X <= r. *)
Theorem theorem2_lower_proved : holds theorem2_lower.
Proof.
  intros c H. pose proof H as (_ & Hr & HN & _ & _ & _ & HI). cbn.
  apply Rmult_le_reg_r with (N_ c); [easy|].
  replace (E (law_ c) (N_s c) / N_ c * N_ c) with (E (law_ c) (N_s c)) by (field; lra).
  rewrite <- (E_const _ (law_ c) ((1 - _ * _) * _)).
  apply E_le; [apply integrable_const|easy|]. intros w.
  replace ((1 - 1 / (r c * N_ c) * sum_in c (xi_ c)) * N_ c)
    with (N_ c - / r c * sum_in c (xi_ c)) by (field; lra).
  unfold N_, N_s, sum_in. rewrite <- sum_scal, <- sum_minus. apply sum_le; intros i Hi.
  destruct (I c i) eqn:Ei; [|lra].
  pose proof (X_le_xi c i w H Hi Ei). assert (0 <= xi_ c i) by apply sqrt_pos.
  unfold indicator. pose proof (Rinv_0_lt_compat _ Hr). destruct Rle_dec as [|G].
  - assert (0 <= / r c * xi_ c i) by (apply Rmult_le_pos; lra). lra.
  - enough (1 <= / r c * xi_ c i) by lra. apply Rmult_le_reg_l with (r c); [easy|].
    rewrite <- Rmult_assoc, Rinv_r by lra. lra.
Qed.

(** ** The first two moments of X_i^2 *)
Section Square.
Variables (c : sphere) (i : nat).
Hypothesis H : is_independent c.
Hypothesis Hi : (i < L c)%nat.
Hypothesis Ei : I c i = true.
Let b := others c i.
Let P := law_ c.
Let n := L c.
Let pair j k := if (j =? k)%nat then 0 else b j * b k.
(** X_i^2 less its mean. *)
Let Y (w : Omega c) := \sum_(j < n) \sum_(k < n) (pair j k * inner c j k w).

Lemma X_square w : (X_ c i w)^2 = s2_ c i + Y w.
Proof.
  destruct H as (_ & _ & _ & _ & _ & _ & S & _).
  assert (EX : X_ c i w = norm (d c) (fun k => \sum_(j < L c) (b j * x c w j k))).
  { unfold X_. rewrite <- norm_opp. apply norm_ext; intros k _. unfold s_, sum_in.
    rewrite (sum_split (L c) i) by easy. rewrite Ei.
    rewrite (sum_ext _ (fun j => if (j =? i)%nat then 0 else _) (fun j => b j * x c w j k)); [ring|].
    intros j _. unfold b, others. destruct (j =? i)%nat, (I c j); ring. }
  rewrite EX, norm_sqr.
  rewrite (sum_ext (d c) _ (fun e => sum (L c) (fun j => sum (L c) (fun k =>
    b j * b k * (x c w j e * x c w k e))))).
  - rewrite sum_swap. unfold s2_, Y. rewrite <- sum_scal, <- sum_plus. apply sum_ext; intros j Hj.
    rewrite sum_swap. fold b n.
    rewrite <- (sum_one (L c) j ((R_ c)^2 * (b j)^2)), <- sum_plus by easy.
    apply sum_ext; intros k _. rewrite sum_scal.
    change (\sum_(e < d c) (x c w j e * x c w k e)) with (inner c j k w).
    unfold pair. rewrite (Nat.eqb_sym j k). destruct (Nat.eqb_spec k j) as [->|]; [|ring].
    assert (Ej : inner c j j w = (R_ c)^2)
      by (unfold inner; rewrite dot_self, <- norm_sqr, S by easy; easy).
    rewrite Ej. ring.
  - intros e _. replace (_ ^ 2) with (sum (L c) (fun j => b j * x c w j e) *
      sum (L c) (fun j => b j * x c w j e)) by ring.
    rewrite sum_mul. apply sum_ext; intros j _. apply sum_ext; intros k _. ring.
Qed.

Lemma Y_integrable : integrable P Y.
Proof.
  destruct H as (_ & _ & _ & _ & _ & _ & _ & _ & I1 & _).
  apply integrable_sum; intros j Hj. apply integrable_sum; intros k Hk. now apply integrable_scal, I1.
Qed.

Lemma Y_mean : E P Y = 0.
Proof.
  destruct H as (_ & _ & _ & _ & _ & _ & _ & _ & I1 & _ & E1 & _). unfold Y.
  rewrite (E_sum P n (fun j w => \sum_(k < n) (pair j k * inner c j k w))).
  - apply sum_zero; intros j Hj. rewrite (E_sum P n (fun k w => pair j k * inner c j k w)).
    + apply sum_zero; intros k Hk. rewrite E_scal by now apply I1. unfold pair.
      destruct (Nat.eqb_spec j k); [ring|]. unfold P. rewrite E1 by easy. ring.
    + intros k Hk. now apply integrable_scal, I1.
  - intros j Hj. apply integrable_sum; intros k Hk. now apply integrable_scal, I1.
Qed.

(** Y^2 as a sum over two pairs. *)
Let Y2 j k p q (w : Omega c) := pair j k * pair p q * (inner c j k w * inner c p q w).

Lemma Y_square w : (Y w)^2 = \sum_(j < n) \sum_(k < n) \sum_(p < n) \sum_(q < n) Y2 j k p q w.
Proof.
  replace ((Y w)^2) with (Y w * Y w) by ring. unfold Y at 1. rewrite <- sum_scal_r.
  apply sum_ext; intros j _. rewrite <- sum_scal_r. apply sum_ext; intros k _.
  unfold Y. rewrite <- sum_scal. apply sum_ext; intros p _. rewrite <- sum_scal.
  apply sum_ext; intros q _. unfold Y2. ring.
Qed.

Lemma Y2_integrable j k p q : (j < n)%nat -> (k < n)%nat -> (p < n)%nat -> (q < n)%nat ->
  integrable P (Y2 j k p q).
Proof.
  intros. destruct H as (_ & _ & _ & _ & _ & _ & _ & _ & _ & I2 & _).
  apply (integrable_scal _ P (pair j k * pair p q) (fun w => inner c j k w * inner c p q w)). now apply I2.
Qed.

Lemma Y_square_integrable : integrable P (fun w => (Y w)^2).
Proof.
  replace (fun w => (Y w)^2) with
    (fun w => \sum_(j < n) \sum_(k < n) \sum_(p < n) \sum_(q < n) Y2 j k p q w)
    by (apply functional_extensionality; intros w; symmetry; apply Y_square).
  repeat (apply integrable_sum; intros). now apply Y2_integrable.
Qed.

Lemma Y_variance : E P (fun w => (Y w)^2) = v_ c i.
Proof.
  replace (fun w => (Y w)^2) with
    (fun w => \sum_(j < n) \sum_(k < n) \sum_(p < n) \sum_(q < n) Y2 j k p q w)
    by (apply functional_extensionality; intros w; symmetry; apply Y_square).
  set (m := (R_ c)^4 / INR (d c)).
  rewrite (E_sum P n (fun j w => \sum_(k < n) \sum_(p < n) \sum_(q < n) Y2 j k p q w)).
  2: { intros. repeat (apply integrable_sum; intros). now apply Y2_integrable. }
  rewrite (sum_ext n _ (fun j => \sum_(k < n) (2 * m * (pair j k)^2))).
  - unfold v_, s2_, s4_. fold b n. set (B := \sum_(j < n) (b j)^2).
    rewrite (sum_ext n _ (fun j => 2 * m * ((b j)^2 * B - (b j)^4))).
    + rewrite sum_scal, sum_minus, sum_scal_r. fold B. unfold m, Rdiv. ring.
    + intros j Hj. rewrite sum_scal. f_equal. unfold B. rewrite <- sum_scal.
      rewrite <- (sum_one n j ((b j)^4)), <- sum_minus by easy. apply sum_ext; intros k _.
      unfold pair. rewrite Nat.eqb_sym. destruct (Nat.eqb_spec k j) as [->|]; ring.
  - intros j Hj. rewrite (E_sum P n (fun k w => \sum_(p < n) \sum_(q < n) Y2 j k p q w)).
    2: { intros. repeat (apply integrable_sum; intros). now apply Y2_integrable. }
    apply sum_ext; intros k Hk. rewrite (E_sum P n (fun p w => \sum_(q < n) Y2 j k p q w)).
    2: { intros. repeat (apply integrable_sum; intros). now apply Y2_integrable. }
    rewrite (sum_ext n _ (fun p => \sum_(q < n) (
      (if (p =? j)%nat then if (q =? k)%nat then m * (pair j k)^2 else 0 else 0) +
      (if (p =? k)%nat then if (q =? j)%nat then m * (pair j k)^2 else 0 else 0)))).
    + rewrite (sum_ext n _ (fun p => (if (p =? j)%nat then m * (pair j k)^2 else 0) +
        (if (p =? k)%nat then m * (pair j k)^2 else 0))).
      * rewrite sum_plus, !sum_one by easy. ring.
      * intros p _. rewrite sum_plus. f_equal.
        -- destruct (p =? j)%nat; [now apply sum_one|now apply sum_zero].
        -- destruct (p =? k)%nat; [now apply sum_one|now apply sum_zero].
    + intros p Hp. rewrite (E_sum P n (fun q w => Y2 j k p q w)) by (intros; now apply Y2_integrable).
      apply sum_ext; intros q Hq. destruct H as (_ & _ & _ & _ & _ & _ & _ & _ & _ & I2 & _ & E2).
      unfold Y2. rewrite (E_scal _ P (pair j k * pair p q) (fun w => inner c j k w * inner c p q w))
        by now apply I2.
      destruct (Nat.eq_dec j k) as [->|Hjk].
      { unfold pair. rewrite Nat.eqb_refl. destruct (p =? k)%nat, (q =? k)%nat; ring. }
      destruct (Nat.eq_dec p q) as [->|Hpq].
      { unfold pair at 2. rewrite Nat.eqb_refl.
        destruct (Nat.eqb_spec q j), (Nat.eqb_spec q k); try (exfalso; congruence); ring. }
      unfold P. rewrite E2 by easy. fold m. unfold same_pair.
      rewrite (Nat.eqb_sym j p), (Nat.eqb_sym k q), (Nat.eqb_sym j q), (Nat.eqb_sym k p).
      destruct (Nat.eqb_spec p j) as [->|], (Nat.eqb_spec q k) as [->|]; cbn [andb orb].
      * rewrite (proj2 (Nat.eqb_neq j k) Hjk). ring.
      * rewrite (proj2 (Nat.eqb_neq j k) Hjk). destruct (q =? j)%nat; cbn; ring.
      * rewrite (proj2 (Nat.eqb_neq k j)) by auto. cbn. destruct (p =? k)%nat; ring.
      * destruct (Nat.eqb_spec p k) as [->|], (Nat.eqb_spec q j) as [->|]; cbn [andb orb]; try ring.
        unfold pair. rewrite (Nat.eqb_sym k j). destruct (j =? k)%nat; ring.
Qed.

Lemma v_nonneg : 0 <= v_ c i.
Proof.
  rewrite <- Y_variance, <- (E_const _ P 0). apply E_le; auto using integrable_const, Y_square_integrable.
  intros w. apply pow2_ge_0.
Qed.

(** Cantelli's inequality, for what is at most the square ((Y + e u)/(t + u))^2, u = v/t. *)
Lemma cantelli (Z : Omega c -> R) e t : 0 < t -> e^2 = 1 -> integrable P Z ->
  (forall w, Z w <= ((Y w + e * (v_ c i / t)) / (t + v_ c i / t))^2) ->
  E P Z <= v_ c i / (v_ c i + t^2).
Proof.
  intros Ht He IZ HZ. pose proof v_nonneg as Hv. set (v := v_ c i) in *. set (u := v / t) in *.
  assert (Hu : 0 <= u) by (apply Rmult_le_pos; [easy|now apply Rlt_le, Rinv_0_lt_compat]).
  set (k := / (t + u)^2).
  assert (F : E P (fun w => k * (Y w)^2 + (2 * e * u * k * Y w + k * u^2)) = k * (v + u^2)).
  { assert (A1 := integrable_scal _ P k _ Y_square_integrable).
    assert (A2 := integrable_scal _ P (2 * e * u * k) _ Y_integrable).
    rewrite (E_plus _ P (fun w => k * (Y w)^2) (fun w => 2 * e * u * k * Y w + k * u^2)).
    - rewrite (E_plus _ P (fun w => 2 * e * u * k * Y w) (fun _ => k * u^2)) by (auto using integrable_const).
      rewrite E_const, (E_scal _ P k (fun w => (Y w)^2)), (E_scal _ P _ Y), Y_mean, Y_variance
        by (apply Y_square_integrable || apply Y_integrable). fold v. ring.
    - easy.
    - apply (integrable_plus _ P (fun w => 2 * e * u * k * Y w)); auto using integrable_const. }
  apply Rle_trans with (k * (v + u^2)).
  - rewrite <- F. apply E_le; [easy| |].
    + assert (A1 := integrable_scal _ P k _ Y_square_integrable).
      assert (A2 := integrable_scal _ P (2 * e * u * k) _ Y_integrable).
      apply (integrable_plus _ P (fun w => k * (Y w)^2)); [easy|].
      apply (integrable_plus _ P (fun w => 2 * e * u * k * Y w)); auto using integrable_const.
    + intros w. eapply Rle_trans; [apply HZ|]. right.
      replace (k * (Y w)^2 + (2 * e * u * k * Y w + k * u^2))
        with (k * ((Y w)^2 + 2 * e * u * Y w + e^2 * u^2)) by (rewrite He; ring).
      unfold k. field. lra.
  - right. unfold k, u. field. split; nra.
Qed.

Lemma square_ge_1 y u : 0 < u -> u <= y -> 1 <= (y / u)^2.
Proof.
  intros Hu H1. assert (1 <= y / u); [|nra]. apply Rmult_le_reg_r with u; [easy|].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.

Lemma X_nonneg w : 0 <= X_ c i w.
Proof. apply norm_nonneg. Qed.

(** P(X_i <= r), by Cantelli. *)
Lemma chance_within : E P (indicator c i) <= within_ c i.
Proof.
  pose proof H as (_ & Hr & _ & _ & _ & _ & _ & I0 & _). unfold within_. destruct Rle_dec as [|G].
  - rewrite <- (E_const _ P 1). apply E_le; [now apply I0|apply integrable_const|].
    intros w. unfold indicator. destruct Rle_dec; lra.
  - set (t := s2_ c i - (r c)^2). assert (Ht : 0 < t) by (unfold t; lra).
    apply (cantelli _ (-1)); [easy|ring|now apply I0|]. intros w. pose proof v_nonneg.
    assert (Hu : 0 <= v_ c i / t) by (apply Rmult_le_pos; [easy|now apply Rlt_le, Rinv_0_lt_compat]).
    unfold indicator. destruct Rle_dec as [B|]; [|apply pow2_ge_0].
    pose proof (pow_incr _ _ 2 (conj (X_nonneg w) B)) as B2. rewrite X_square in B2.
    set (u := v_ c i / t) in *.
    replace (((Y w + -1 * u) / (t + u))^2) with (((u - Y w) / (t + u))^2) by (field; lra).
    apply square_ge_1; [lra|]. unfold t. lra.
Qed.

(** P(X_i > r), by Markov and by Cantelli. *)
Lemma chance_beyond : E P (fun w => 1 + -1 * indicator c i w) <= beyond_ c i.
Proof.
  pose proof H as (_ & Hr & _ & _ & _ & _ & _ & I0 & _).
  assert (IZ : integrable P (fun w => 1 + -1 * indicator c i w)).
  { apply (integrable_plus _ P (fun _ => 1)); [apply integrable_const|]. now apply integrable_scal, I0. }
  assert (One : E P (fun w => 1 + -1 * indicator c i w) <= 1).
  { apply Rle_trans with (E P (fun _ => 1)); [|rewrite E_const; lra].
    apply E_le; [easy|apply integrable_const|].
    intros w. unfold indicator. destruct Rle_dec; lra. }
  unfold beyond_. destruct Rlt_dec as [G|]; [|easy]. repeat apply Rmin_glb; [easy| |].
  - replace (s2_ c i / (r c)^2) with (E P (fun w => s2_ c i / (r c)^2 + / (r c)^2 * Y w)).
    + apply E_le; [easy| |].
      * apply (integrable_plus _ P (fun _ => _)); [apply integrable_const|].
        apply integrable_scal, Y_integrable.
      * intros w. assert (Hr2 : 0 < (r c)^2) by nra.
        replace (s2_ c i / (r c)^2 + / (r c)^2 * Y w) with ((X_ c i w)^2 / (r c)^2)
          by (rewrite X_square; field; lra).
        unfold indicator. destruct Rle_dec as [|B].
        -- replace (1 + -1 * 1) with 0 by ring. apply Rmult_le_pos; [apply pow2_ge_0|].
           now apply Rlt_le, Rinv_0_lt_compat.
        -- apply Rmult_le_reg_r with ((r c)^2); [easy|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. nra.
    + rewrite (E_plus _ P (fun _ => s2_ c i / (r c)^2) (fun w => / (r c)^2 * Y w)), E_const,
        (E_scal _ P _ Y), Y_mean; [ring|apply Y_integrable|apply integrable_const|].
      apply integrable_scal, Y_integrable.
  - set (t := (r c)^2 - s2_ c i). assert (Ht : 0 < t) by (unfold t; lra).
    apply (cantelli _ 1); [easy|ring|easy|]. intros w. pose proof v_nonneg.
    assert (Hu : 0 <= v_ c i / t) by (apply Rmult_le_pos; [easy|now apply Rlt_le, Rinv_0_lt_compat]).
    unfold indicator. destruct Rle_dec as [|B].
    { replace (1 + -1 * 1) with 0 by ring. apply pow2_ge_0. }
    assert (B2 : (r c)^2 <= (X_ c i w)^2) by (apply pow_incr; lra). rewrite X_square in B2.
    replace (1 + -1 * 0) with 1 by ring.
    set (u := v_ c i / t) in *. apply square_ge_1; [lra|]. unfold t. lra.
Qed.
End Square.

Lemma E_N_s c : is_independent c -> E (law_ c) (N_s c) = sum_in c (fun i => E (law_ c) (indicator c i)).
Proof.
  intros H. pose proof H as (_ & _ & _ & _ & _ & _ & _ & I0 & _). unfold N_s, sum_in.
  rewrite (E_sum (law_ c) (L c) (fun i w => if I c i then indicator c i w else 0)).
  - apply sum_ext; intros i Hi. destruct (I c i); [easy|apply E_const].
  - intros i Hi. destruct (I c i); [|apply integrable_const].
    exact (I0 i Hi).
Qed.

Theorem theorem2_upper_repaired_proved : holds theorem2_upper_repaired.
Proof.
  intros c H. pose proof H as (_ & _ & HN & _). cbn. rewrite E_N_s by easy.
  unfold Rdiv. rewrite Rmult_1_l, Rmult_comm. apply Rmult_le_compat_l; [now apply Rlt_le, Rinv_0_lt_compat|].
  apply sum_le; intros i Hi. destruct (I c i) eqn:Ei; [now apply chance_within|lra].
Qed.

Theorem theorem2_lower_sharp_proved : holds theorem2_lower_sharp.
Proof.
  intros c H. pose proof H as (_ & _ & HN & _ & _ & _ & _ & I0 & _). cbn. rewrite E_N_s by easy.
  apply Rmult_le_reg_r with (N_ c); [easy|].
  replace ((1 - 1 / N_ c * sum_in c (beyond_ c)) * N_ c) with (N_ c - sum_in c (beyond_ c)) by (field; lra).
  replace (sum_in c (fun i => E (law_ c) (indicator c i)) / N_ c * N_ c)
    with (sum_in c (fun i => E (law_ c) (indicator c i))) by (field; lra).
  unfold N_, sum_in. rewrite <- sum_minus. apply sum_le; intros i Hi.
  destruct (I c i) eqn:Ei; [|lra]. pose proof (chance_beyond c i H Hi Ei) as B.
  rewrite (E_plus _ _ (fun _ => 1) (fun w => -1 * indicator c i w)), E_const, E_scal in B; [lra|..].
  - now apply I0.
  - apply integrable_const.
  - now apply integrable_scal, I0.
Qed.
