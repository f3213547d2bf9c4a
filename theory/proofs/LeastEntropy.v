(** The least entropy that the spread of the logits allows. It is shown by one of two certificates, a
    line or a parabola below a function of each logit: which fits is told by the sign of one number. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Coquelicot Require Import Coquelicot.
From Limits Require Import Basics Calculus Exponential Vectors Weights Row Claim Entropy.
From Limits Require Pooling. Import Pooling(mean).
Open Scope R_scope.

(** s, the length of the row l/T less its mean. *)
Definition z_ (x : softmax_row) : vector := fun i => l x i / T x.
Definition s_ (x : softmax_row) : R := norm (L x) (fun i => z_ x i - mean (L x) (z_ x)).
Definition b_ (x : softmax_row) : R := exp (- s_ x * sqrt (INR (L x) / (INR (L x) - 1))).

Definition entropy_lower : claim := {|
  case := softmax_row;
  hypotheses x := is_softmax_row x /\ (2 <= L x)%nat;
  lhs x := log (1 + (INR (L x) - 1) * b_ x)
    + s_ x * sqrt (INR (L x) * (INR (L x) - 1)) * b_ x / (1 + (INR (L x) - 1) * b_ x);
  rhs x := entropy (L x) (a_ x)
|}.

(** ** Of one exponential *)

(** (1 - t) e^t <= 1. *)
Lemma falling_le t : (1 - t) * exp t <= 1.
Proof.
  pose proof (exp_ineq1_le (- t)) as H. pose proof (exp_pos t).
  rewrite exp_Ropp in H. apply Rmult_le_compat_r with (r := exp t) in H; [|lra].
  rewrite Rinv_l in H by lra. lra.
Qed.

(** e^d - 1 - d. *)
Definition beyond_line (d : R) : R := exp d - 1 - d.

Lemma beyond_line_le d : 0 <= d -> (2 - d) * beyond_line d <= d^2.
Proof.
  intros Hd. unfold beyond_line. enough (2 + 0 - (2 - 0) * exp 0 <= 2 + d - (2 - d) * exp d)
    by (rewrite exp_0 in *; nra).
  apply (grows (fun t => 2 + t - (2 - t) * exp t) (fun t => 1 - (1 - t) * exp t)); [easy| |].
  - intros t _. derive. ring.
  - intros t _. pose proof (falling_le t). lra.
Qed.

Lemma beyond_line_ge d : 0 <= d -> d^2 / 2 <= beyond_line d.
Proof.
  intros Hd. unfold beyond_line.
  enough (exp 0 - 1 - 0 - 0^2 / 2 <= exp d - 1 - d - d^2 / 2) by (rewrite exp_0 in *; lra).
  apply (grows (fun t => exp t - 1 - t - t^2 / 2) (fun t => exp t - 1 - t)); [easy| |].
  - intros t _. derive. cbn. field.
  - intros t _. pose proof (exp_ineq1_le t). lra.
Qed.

(** ** The line *)

(** (K + t) e^(-t) is not below its tangent at 0 from t = -d on, where it is not at -d: times e^t. *)
Section Line.
Variables (K d : R).
Hypothesis HK : 2 <= K.
Let f t := K * (1 - (1 - t) * exp t) - t * (exp t - 1).
Let f' t := exp t * ((K - 1) * t - 1 + exp (- t)).
Hypothesis at_end : 0 <= f (- d).

Lemma line_derive t : is_derive f t (f' t).
Proof. unfold f, f'. derive. rewrite exp_Ropp. pose proof (exp_pos t). field. lra. Qed.

(** (K - 1) t - 1 + e^(-t), convex and 0 at 0, is not negative behind a point where it is not. *)
Lemma behind u t : u <= t < 0 -> 0 <= (K - 1) * t - 1 + exp (- t) -> 0 <= (K - 1) * u - 1 + exp (- u).
Proof.
  intros H Ht. set (r := u / t). assert (Er : u = r * t) by (unfold r; field; lra). clearbody r.
  assert (1 <= r) by (apply Rmult_le_reg_r with (- t); lra).
  enough (r * (exp (- t) - 1) <= exp (- u) - 1) by nra.
  pose proof (exp_pos (- t)).
  replace (exp (- u)) with (exp (- t) * exp (t - u)) by (rewrite <- exp_plus; f_equal; ring).
  pose proof (exp_ineq1_le (t - u)). pose proof (falling_le (- t)).
  assert (t - u = (1 - r) * t) by (rewrite Er; ring). nra.
Qed.

Lemma line t : - d <= t -> 0 <= f t.
Proof.
  intros Ht. assert (E0 : f 0 = 0) by (unfold f; rewrite exp_0; ring).
  destruct (Rle_lt_dec 0 t) as [P|P].
  - rewrite <- E0. apply (grows f f'); [easy|intros; apply line_derive|]. intros u Hu. unfold f'.
    apply Rmult_le_pos; [apply Rlt_le, exp_pos|]. pose proof (exp_ineq1_le (- u)). nra.
  - destruct (Rle_lt_dec 0 ((K - 1) * t - 1 + exp (- t))) as [Q|Q].
    + apply Rle_trans with (f (- d)); [easy|].
      apply (grows f f'); [easy|intros; apply line_derive|]. intros u Hu. unfold f'.
      apply Rmult_le_pos; [apply Rlt_le, exp_pos|]. apply (behind u t); lra.
    + rewrite <- E0. apply (falls f f'); [lra|intros; apply line_derive|]. intros u Hu.
      unfold f'. pose proof (exp_pos u).
      destruct (Rle_lt_dec 0 ((K - 1) * u - 1 + exp (- u))) as [Q'|]; [|nra].
      destruct (Req_dec u 0) as [->|]; [rewrite Ropp_0, exp_0; lra|].
      pose proof (behind t u ltac:(lra) Q'). lra.
Qed.
End Line.

(** ** The parabola *)

(** Slopes of chords of the exponential from 0. *)
Lemma chord_grows u t : 0 <= u <= t -> t * (exp u - 1) <= u * (exp t - 1).
Proof.
  intros H. enough (u * (exp u - 1) - u * (exp u - 1) <= u * (exp t - 1) - t * (exp u - 1)) by lra.
  apply (grows (fun t => u * (exp t - 1) - t * (exp u - 1)) (fun t => u * exp t - (exp u - 1))); [lra| |].
  - intros v _. derive. ring.
  - intros v Hv. pose proof (falling_le u). pose proof (exp_le u v ltac:(lra)). nra.
Qed.

Lemma chord_falls u t : 0 <= u <= t -> u * exp u * (exp t - 1) <= t * exp t * (exp u - 1).
Proof.
  intros H.
  assert (E : 0 <= t * (1 - exp (- u)) - u * (1 - exp (- t))).
  { replace 0 with (u * (1 - exp (- u)) - u * (1 - exp (- u))) by ring.
    apply (grows (fun t => t * (1 - exp (- u)) - u * (1 - exp (- t)))
      (fun t => 1 - exp (- u) - u * exp (- t))); [lra| |].
    - intros v _. derive. ring.
    - intros v Hv. pose proof (falling_le (- u)). pose proof (exp_le (- v) (- u) ltac:(lra)). nra. }
  rewrite !exp_Ropp in E. pose proof (exp_pos u). pose proof (exp_pos t).
  apply Rmult_le_compat_r with (r := exp u * exp t) in E; [|apply Rmult_le_pos; lra].
  rewrite Rmult_0_l in E.
  replace (_ * (exp u * exp t)) with (t * exp t * (exp u - 1) - u * exp u * (exp t - 1)) in E
    by (field; split; lra).
  lra.
Qed.

(** (c - y) e^y is not below the parabola that touches it at 0 and meets it at d, of leading coefficient
    -k/2, up to y = d. *)
Section Parabola.
Variables (c d k : R).
Hypothesis Hk : 0 <= k.
Hypothesis Hc : 2 <= c + k.
Let f y := (c - y) * exp y - c - (c - 1) * y + k / 2 * y^2.
Let f' y := (c - 1) * (exp y - 1) - y * exp y + k * y.
Hypothesis at_end : f d = 0.

Lemma parabola_derive y : is_derive f y (f' y).
Proof. unfold f, f'. derive. cbn. field. Qed.

(** f'/(e^y - 1) falls. *)
Lemma slope_falls u t : 0 <= u <= t -> f' t * (exp u - 1) <= f' u * (exp t - 1).
Proof. intros H. pose proof (chord_grows u t H). pose proof (chord_falls u t H). unfold f'. nra. Qed.

Lemma parabola y : y <= d -> 0 <= f y.
Proof.
  intros Hy. assert (E0 : f 0 = 0) by (unfold f; rewrite exp_0; field).
  destruct (Rle_lt_dec y 0) as [P|P].
  - rewrite <- E0. apply (falls f f'); [easy|intros; apply parabola_derive|]. intros u Hu.
    unfold f'. pose proof (exp_ineq1_le u). pose proof (falling_le u).
    pose proof (exp_le u 0 ltac:(lra)) as E. rewrite exp_0 in E. nra.
  - assert (Pe : 0 < exp y - 1) by (pose proof (exp_ineq1 y ltac:(lra)); lra).
    destruct (Rle_lt_dec 0 (f' y)) as [Q|Q].
    + rewrite <- E0. apply (grows f f'); [lra|intros; apply parabola_derive|]. intros u Hu.
      pose proof (slope_falls u y ltac:(lra)). pose proof (exp_ineq1_le u).
      apply Rmult_le_reg_r with (exp y - 1); [easy|]. nra.
    + rewrite <- at_end. apply (falls f f'); [easy|intros; apply parabola_derive|]. intros u Hu.
      pose proof (slope_falls y u ltac:(lra)). pose proof (exp_ineq1_le u).
      apply Rmult_le_reg_r with (exp y - 1); [easy|]. nra.
Qed.
End Parabola.

(** ** Sums *)

(** By log x >= 1 + log Z - Z/x of x = sum e^y. *)
Lemma entropy_ge L T (l y : vector) t Z h : (0 < L)%nat -> 0 < Z ->
  (forall i, (i < L)%nat -> y i = l i / T + t) ->
  Z <= \sum_(i < L) ((1 + log Z - h - y i) * exp (y i)) -> h <= entropy L (softmax L T l).
Proof.
  intros HL HZ Ey H. set (W := \sum_(i < L) exp (l i / T)).
  assert (HW : 0 < W) by (apply sum_pos; [easy|intros; apply exp_pos]). pose proof (exp_pos t) as Ht.
  set (a := softmax L T l). set (N := \sum_(i < L) (a i * (l i / T))).
  assert (Ee : forall i, (i < L)%nat -> exp (y i) = exp t * W * a i).
  { intros i Hi. rewrite Ey, exp_plus by easy. unfold a, softmax, weights. fold W. field. lra. }
  assert (E1 : \sum_(i < L) ((1 + log Z - h - y i) * exp (y i)) = exp t * W * (1 + log Z - h - t - N)).
  { rewrite (sum_ext L _ (fun i => exp t * W * (a i * (1 + log Z - h - t) - a i * (l i / T)))).
    - rewrite sum_scal, sum_minus, sum_scal_r. unfold a. rewrite (proj2 (softmax_are_weights L T l HL)).
      fold a N. ring.
    - intros i Hi. rewrite Ee, Ey by easy. ring. }
  assert (E2 : entropy L a = log W - N).
  { unfold entropy. rewrite (sum_ext L _ (fun i => a i * (l i / T) - a i * log W)).
    - rewrite sum_minus, sum_scal_r. unfold a. rewrite (proj2 (softmax_are_weights L T l HL)). fold a N. ring.
    - intros i _. unfold a at 2. rewrite log_softmax by easy. fold W. ring. }
  rewrite E1 in H. rewrite E2. set (S := exp t * W) in *.
  assert (HS : 0 < S) by now apply Rmult_lt_0_compat.
  pose proof (log_le_minus_1 (Z / S) ltac:(now apply Rdiv_lt_0_compat)) as G.
  rewrite log_div in G by easy. unfold S in G at 1. rewrite log_mult, log_exp in G by easy.
  assert (Z / S <= 1 + log Z - h - t - N).
  { apply Rmult_le_reg_r with S; [easy|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  lra.
Qed.

Section Certificates.
Variables (n : nat) (d w : R).
Hypothesis Hd : 0 <= d.
Let m := INR n - 1.

(** Of a row behind its largest logit, which is logit k. *)
Lemma line_sum (x : vector) k : (k < n)%nat -> x k = 0 -> (forall i, (i < n)%nat -> 0 <= x i) ->
  sum n x <= m * d -> 2 <= d + w -> d^2 <= w * beyond_line d ->
  w + m * (d + w) * exp (- d) <= \sum_(i < n) ((w + x i) * exp (- x i)).
Proof.
  intros Hk Ek Hx Hs HK H. set (K := d + w) in *. pose proof (exp_pos (- d)) as He.
  assert (P : forall t, - d <= t -> K - (K - 1) * t <= (K + t) * exp (- t)).
  { intros t Ht. enough (0 <= K * (1 - (1 - t) * exp t) - t * (exp t - 1)) as G.
    - rewrite exp_Ropp. pose proof (exp_pos t). apply Rmult_le_reg_r with (exp t); [easy|].
      rewrite Rmult_assoc, Rinv_l by lra. lra.
    - apply line with d; [easy| |easy]. rewrite exp_Ropp. pose proof (exp_pos d).
      apply Rmult_le_reg_r with (exp d); [easy|]. rewrite Rmult_0_l.
      replace (_ * exp d) with (w * beyond_line d - d^2)
        by (unfold K, beyond_line; field; lra).
      lra. }
  rewrite (sum_split n k) by easy. rewrite Ek, Ropp_0, exp_0, Rplus_0_r, Rmult_1_r.
  apply Rplus_le_compat_l.
  apply Rle_trans with (\sum_(i < n) ((if (i =? k)%nat then 0 else exp (- d) * (K + (K - 1) * d))
    - exp (- d) * (K - 1) * x i)).
  - rewrite sum_minus, sum_scal, sum_others_const by easy. fold m.
    assert (0 <= exp (- d) * (K - 1)) as Q by (apply Rmult_le_pos; lra).
    apply (Rmult_le_compat_l _ _ _ Q) in Hs. unfold K in *. lra.
  - apply sum_le; intros i Hi. destruct (Nat.eqb_spec i k) as [->|]; [rewrite Ek; lra|].
    pose proof (P (x i - d) ltac:(pose proof (Hx i Hi); lra)) as Q.
    apply Rmult_le_compat_l with (r := exp (- d)) in Q; [|lra].
    replace (exp (- d) * ((K + (x i - d)) * exp (- (x i - d)))) with ((w + x i) * exp (- x i)) in Q.
    + lra.
    + replace (- x i) with (- d + - (x i - d)) at 1 by ring. rewrite exp_plus. unfold K. ring.
Qed.

(** Of a row that is moved so that its sum is d; then its squares add up to d^2. *)
Lemma parabola_sum (y : vector) : sum n y = d -> \sum_(i < n) (y i)^2 = d^2 ->
  w * beyond_line d <= d^2 -> (d = 0 -> w = 1) ->
  m * (d + w) + w * exp d <= \sum_(i < n) ((d + w - y i) * exp (y i)).
Proof.
  intros E1 E2 H H0. set (c := d + w).
  assert (HE : exists k, 0 <= k /\ 2 <= c + k /\ (c - d) * exp d - c - (c - 1) * d + k / 2 * d^2 = 0).
  { destruct (Req_dec d 0) as [->|Nd].
    - exists 1. rewrite exp_0. unfold c. rewrite (H0 eq_refl). lra.
    - exists (2 * (d^2 - w * beyond_line d) / d^2).
      assert (Hd2 : 0 < d^2) by nra.
      pose proof (beyond_line_le d Hd) as B. pose proof (beyond_line_ge d Hd) as B'.
      repeat split.
      + apply Rmult_le_reg_r with (d^2); [easy|]. field_simplify; [|lra]. nra.
      + enough (w * (2 * beyond_line d - d^2) <= d^3) as G.
        { apply Rmult_le_reg_r with (d^2); [easy|]. unfold c.
          replace ((d + w + 2 * (d^2 - w * beyond_line d) / d^2) * d^2)
            with (d^3 - w * (2 * beyond_line d - d^2) + 2 * d^2) by (field; lra). lra. }
        destruct (Rle_lt_dec w 0); [nra|].
        assert (HB : 0 < beyond_line d) by lra.
        apply Rmult_le_reg_r with (beyond_line d); [easy|]. nra.
      + unfold c, beyond_line. field. lra. }
  destruct HE as (k & Hk & Hc & at_end).
  apply Rle_trans with (\sum_(i < n) (c + (c - 1) * y i - k / 2 * (y i)^2)).
  - rewrite sum_minus, sum_plus, !sum_scal, sum_const, E1, E2. fold c. unfold m. unfold c in *. lra.
  - apply sum_le; intros i Hi.
    assert ((y i)^2 <= d^2).
    { rewrite <- E2. apply (term_le_sum n i (fun i => (y i)^2)); [intros; apply pow2_ge_0|easy]. }
    pose proof (parabola c d k Hk Hc at_end (y i) ltac:(nra)). lra.
Qed.
End Certificates.

(** ** The claim *)

Section Least.
Variables (n : nat) (T d : R) (l : vector).
Let z := fun i => l i / T.
Let m := INR n - 1.
Hypothesis Hn : (2 <= n)%nat.
Hypothesis Hd : 0 <= d.
Hypothesis Ed : INR n * (\sum_(i < n) (z i)^2) - (sum n z)^2 = m * d^2.
Let Z := 1 + m * exp (- d).
Let h := log Z + m * d * exp (- d) / Z.
Let w := 1 + log Z - h.

Lemma m_ge : 1 <= m.
Proof. unfold m. pose proof (le_INR 2 n Hn) as H. cbn in H. lra. Qed.

Lemma Z_pos : 0 < Z.
Proof. unfold Z. pose proof m_ge. pose proof (exp_pos (- d)). nra. Qed.

Lemma w_total : w * Z = Z - m * d * exp (- d).
Proof. unfold w, h. pose proof Z_pos. field. lra. Qed.

(** What a row and one moved by t have in common. *)
Lemma moved t : sum n (fun i => z i + t) = sum n z + INR n * t /\
  \sum_(i < n) (z i + t)^2 = \sum_(i < n) (z i)^2 + 2 * t * sum n z + INR n * t^2.
Proof.
  split; [now rewrite sum_plus, sum_const|].
  rewrite (sum_ext n _ (fun i => (z i)^2 + 2 * t * z i + t^2)) by (intros; ring).
  now rewrite !sum_plus, sum_scal, sum_const.
Qed.

Lemma by_line : 2 <= d + w -> d^2 <= w * beyond_line d -> h <= entropy n (softmax n T l).
Proof.
  intros HK H. destruct (Max_attained n z ltac:(lia)) as (k & Hk & Ek).
  pose proof m_ge as Hm. pose proof Z_pos as HZ. pose proof (moved (- z k)) as [M1 M2].
  set (x := fun i => z k - z i).
  apply (entropy_ge n T l (fun i => z i + - z k) (- z k) Z h); [lia|easy|easy|].
  rewrite (sum_ext n _ (fun i => (w + x i) * exp (- x i)))
    by (intros; unfold w, x; f_equal; [ring|f_equal; ring]).
  assert (x1 : sum n x = - sum n (fun i => z i + - z k))
    by (rewrite M1; unfold x; rewrite sum_minus, sum_const; ring).
  assert (x2 : \sum_(i < n) (x i)^2 = \sum_(i < n) (z i + - z k)^2)
    by (apply sum_ext; intros; unfold x; ring).
  assert (x3 : INR n * (\sum_(i < n) (x i)^2) - (sum n x)^2 = m * d^2)
    by (rewrite <- Ed, x1, x2, M1, M2; ring).
  assert (C : (sum n x)^2 <= (\sum_(i < n) (x i)^2) * m).
  { pose proof (cauchy_schwarz_weighted n (fun i => if (i =? k)%nat then 0 else 1) x (fun _ => 1)) as C.
    cbv beta in C.
    rewrite (sum_ext n (fun i => (if (i =? k)%nat then 0 else 1) * 1^2)
      (fun i => if (i =? k)%nat then 0 else 1)), sum_others_const in C
      by (try easy; intros i _; destruct (i =? k)%nat; ring).
    rewrite (sum_ext n (fun i => (if (i =? k)%nat then 0 else 1) * (x i * 1)) x),
      (sum_ext n (fun i => (if (i =? k)%nat then 0 else 1) * (x i)^2) (fun i => (x i)^2)) in C
      by (intros i _; destruct (Nat.eqb_spec i k) as [->|]; unfold x; ring).
    fold m in C. rewrite Rmult_1_r in C. apply C. intros i _. destruct (i =? k)%nat; lra. }
  assert (x4 : sum n x <= m * d).
  { assert (INR n = m + 1) by (unfold m; ring). assert (0 <= m * d) by nra.
    assert ((sum n x)^2 <= (m * d)^2) by nra. nra. }
  pose proof (line_sum n d w x k Hk ltac:(unfold x; ring)
    ltac:(intros i Hi; unfold x; rewrite <- Ek; pose proof (Max_ge n z i Hi); lra) x4 HK H) as G.
  fold m in G. pose proof w_total as E. unfold Z in *. lra.
Qed.

Lemma by_parabola : w * beyond_line d <= d^2 -> h <= entropy n (softmax n T l).
Proof.
  intros H. pose proof m_ge as Hm. pose proof Z_pos as HZ. pose proof (exp_pos d) as He.
  assert (En : INR n = m + 1) by (unfold m; ring).
  set (t := (d - sum n z) / INR n). set (y := fun i => z i + t).
  pose proof (moved t) as [M1 M2]. change (fun i => z i + t) with y in M1.
  change (\sum_(i < n) (z i + t)^2) with (\sum_(i < n) (y i)^2) in M2.
  assert (Ez : exp d * Z = exp d + m).
  { unfold Z. rewrite exp_Ropp. field. lra. }
  apply (entropy_ge n T l y t (exp d * Z) h); [lia|now apply Rmult_lt_0_compat|easy|].
  rewrite log_mult, log_exp by easy.
  rewrite (sum_ext n _ (fun i => (d + w - y i) * exp (y i))) by (intros; unfold w; ring).
  assert (E1 : sum n y = d) by (rewrite M1; unfold t; field; lra).
  assert (E2 : \sum_(i < n) (y i)^2 = d^2).
  { apply Rmult_eq_reg_l with (INR n); [|lra].
    replace (INR n * (\sum_(i < n) (y i)^2))
      with (INR n * (\sum_(i < n) (z i)^2) - (sum n z)^2 + (sum n y)^2) by (rewrite M1, M2; ring).
    rewrite Ed, E1, En. ring. }
  pose proof w_total as E. unfold Z in E. rewrite exp_Ropp in E.
  apply Rmult_eq_compat_l with (r := exp d) in E.
  replace (exp d * (w * (1 + m * / exp d))) with (w * (exp d + m)) in E by (field; lra).
  replace (exp d * (1 + m * / exp d - m * d * / exp d)) with (exp d + m - m * d) in E by (field; lra).
  pose proof (parabola_sum n d w Hd y E1 E2 H) as G. fold m in G.
  eapply Rle_trans; [|apply G].
  - rewrite Ez. lra.
  - intros E0. rewrite E0, exp_0 in E. apply Rmult_eq_reg_r with (1 + m); lra.
Qed.

Lemma least_entropy : h <= entropy n (softmax n T l).
Proof.
  destruct (Rle_lt_dec (w * beyond_line d) (d^2)) as [H|H]; [now apply by_parabola|].
  apply by_line; [|lra]. pose proof (beyond_line_le d Hd). pose proof (beyond_line_ge d Hd).
  assert (0 < beyond_line d).
  { destruct (Req_dec d 0) as [E|]; [|nra]. unfold beyond_line in H. rewrite E, exp_0 in H. lra. }
  apply Rmult_le_reg_r with (beyond_line d); [easy|]. lra.
Qed.
End Least.

Theorem entropy_lower_proved : holds entropy_lower.
Proof.
  intros x [[_ HT] Hn]. cbn [lhs rhs entropy_lower]. unfold a_.
  set (n := INR (L x)). set (z := z_ x).
  assert (H2 : 2 <= n) by exact (le_INR 2 (L x) Hn).
  set (r := sqrt (n / (n - 1))). set (d := s_ x * r).
  assert (Hr : r^2 = n / (n - 1)).
  { apply pow2_sqrt. apply Rdiv_le_0_compat; lra. }
  assert (Hd : 0 <= d) by (apply Rmult_le_pos; [apply norm_nonneg|apply sqrt_pos]).
  assert (E : n * (\sum_(i < L x) (z i)^2) - (sum (L x) z)^2 = (n - 1) * d^2).
  { unfold d. rewrite Rpow_mult_distr, Hr. unfold s_. rewrite norm_sqr. fold z.
    rewrite (sum_ext (L x) (fun i => (z i - mean (L x) z)^2)
      (fun i => (z i)^2 - 2 * mean (L x) z * z i + (mean (L x) z)^2))
      by (intros; ring).
    rewrite sum_plus, sum_minus, sum_scal, sum_const. unfold mean. fold n. field. lra. }
  pose proof (least_entropy (L x) (T x) d (l x) Hn Hd E) as G. fold n in G.
  assert (Eb : b_ x = exp (- d)).
  { unfold b_, d, r, n. f_equal. ring. }
  assert (Er : s_ x * sqrt (n * (n - 1)) = (n - 1) * d).
  { unfold d, r. replace (n * (n - 1)) with ((n - 1)^2 * (n / (n - 1))) by (field; lra).
    rewrite sqrt_mult_alt, sqrt_pow2 by (try apply pow2_ge_0; lra). ring. }
  rewrite Eb, Er. exact G.
Qed.
