(** How many competitors beat the weakest useful token: Bernstein's inequality for a binomial number. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Coquelicot Require Import Coquelicot.
From Limits Require Import Basics Calculus Exponential Claim.
Open Scope R_scope.

(** Competitors, the probability with which each wins, and delta. *)
Record race := Race { rivals : nat; p : R; delta : R }.
Definition threshold_ (c : race) : R := let x := log (/ delta c) in let v := INR (rivals c) * p c in
  v + sqrt (2 * v * x) + 2 / 3 * x.
Definition chance_ (c : race) (k : nat) : R := Binomial.C (rivals c) k * (p c)^k * (1 - p c)^(rivals c - k).

Definition retrieval_competition : claim := {|
  case := race;
  hypotheses c := (0 < rivals c)%nat /\ 0 < p c <= 1 /\ 0 < delta c < 1;
  lhs c := \sum_(k < S (rivals c)) (if Rlt_dec (threshold_ c) (INR k) then chance_ c k else 0);
  rhs := delta
|}.

Lemma sum_to_last f n : sum_f_R0 f n = sum (S n) f.
Proof. induction n as [|n IH]; [cbn; ring|]. cbn [sum_f_R0]. rewrite IH. easy. Qed.

(** e^x - 1 - x <= x^2/(2 (1 - x/3)), as (1 - x) e^x <= 1. *)
Lemma exp_excess x : 0 <= x -> (2 - 2 / 3 * x) * (exp x - 1 - x) <= x^2.
Proof.
  intros Hx.
  set (f := fun t => t^2 - (2 - 2 / 3 * t) * (exp t - 1 - t)).
  set (f' := fun t => 2 * t + 2 / 3 * (exp t - 1 - t) - (2 - 2 / 3 * t) * (exp t - 1)).
  set (f'' := fun t => 2 / 3 * (1 + (t - 1) * exp t)).
  assert (D : forall t, is_derive f t (f' t)).
  { intros t. unfold f, f'. derive. cbn. field. }
  assert (D' : forall t, is_derive f' t (f'' t)).
  { intros t. unfold f', f''. derive. field. }
  assert (P : forall t, 0 <= f'' t).
  { intros t. unfold f''. pose proof (exp_ineq1_le (- t)) as E. rewrite exp_Ropp in E.
    pose proof (exp_pos t) as X. apply Rmult_le_compat_r with (r := exp t) in E; [|lra].
    rewrite Rinv_l in E by lra. lra. }
  assert (P' : forall t, 0 <= t -> 0 <= f' t).
  { intros t Ht. replace 0 with (f' 0) at 1 by (unfold f'; rewrite exp_0; ring).
    now apply (grows f' f''). }
  pose proof (grows f f' 0 x Hx (fun t _ => D t) (fun t Ht => P' t (proj1 Ht))) as G.
  replace (f 0) with 0 in G by (unfold f; rewrite exp_0; ring). unfold f in G. lra.
Qed.

(** Bernstein: P[B > t] <= e^(-s t) E[e^(s B)], and E[e^(s B)] = (1 - p + p e^s)^n <= e^(n p (e^s - 1)). *)
Lemma tail_le c s t : 0 <= p c <= 1 -> 0 <= s ->
  \sum_(k < S (rivals c)) (if Rlt_dec t (INR k) then chance_ c k else 0)
  <= exp (INR (rivals c) * p c * (exp s - 1) - s * t).
Proof.
  intros Hp Hs. set (n := rivals c).
  assert (W : forall k, 0 <= chance_ c k).
  { intros k. assert (0 <= Binomial.C n k).
    { apply Rmult_le_pos; [apply pos_INR|].
      apply Rlt_le, Rinv_0_lt_compat, Rmult_lt_0_compat; apply INR_fact_lt_0. }
    apply Rmult_le_pos; [apply Rmult_le_pos; [easy|]|]; apply pow_le; lra. }
  apply Rle_trans with (\sum_(k < S n) (exp (- (s * t)) * (Binomial.C n k * (p c * exp s)^k * (1 - p c)^(n - k)))).
  - apply sum_le; intros k _.
    replace (exp (- (s * t)) * (Binomial.C n k * (p c * exp s)^k * (1 - p c)^(n - k)))
      with (exp (s * (INR k - t)) * chance_ c k).
    + pose proof (W k). pose proof (exp_pos (s * (INR k - t))).
      destruct Rlt_dec; [|apply Rmult_le_pos; lra].
      assert (1 <= exp (s * (INR k - t))).
      { rewrite <- exp_0. apply exp_le. apply Rmult_le_pos; lra. }
      nra.
    + unfold chance_. fold n. rewrite Rpow_mult_distr.
      replace ((exp s)^k) with (exp (s * INR k)).
      * replace (s * (INR k - t)) with (- (s * t) + s * INR k) by ring. rewrite exp_plus. ring.
      * clear. induction k as [|k IH]; [now rewrite Rmult_0_r, exp_0|].
        rewrite S_INR. cbn [pow]. rewrite <- IH, <- exp_plus. f_equal. ring.
  - rewrite sum_scal, <- sum_to_last, <- binomial.
    replace (INR n * p c * (exp s - 1) - s * t) with (- (s * t) + INR n * p c * (exp s - 1)) by ring.
    rewrite exp_plus. apply Rmult_le_compat_l; [apply Rlt_le, exp_pos|].
    replace (exp (INR n * p c * (exp s - 1))) with ((exp (p c * (exp s - 1)))^n).
    + apply pow_incr. pose proof (exp_pos s). split.
      * apply Rplus_le_le_0_compat; [apply Rmult_le_pos; lra|lra].
      * pose proof (exp_ineq1_le (p c * (exp s - 1))). lra.
    + clear. induction n as [|n IH]; [cbn; now rewrite !Rmult_0_l, exp_0|].
      cbn [pow]. rewrite IH, <- exp_plus, S_INR. f_equal. ring.
Qed.

(** With s = u/(v + u/3), u = t - v and v = n p: s u - v s^2/(2 (1 - s/3)) = u^2/(2 (v + u/3)) >= x. *)
Theorem retrieval_competition_proved : holds retrieval_competition.
Proof.
  intros c (Hn & Hp & Hd). cbn [lhs rhs retrieval_competition].
  set (v := INR (rivals c) * p c). set (x := log (/ delta c)).
  set (r := sqrt (2 * v * x)). set (u := r + 2 / 3 * x).
  assert (Hv : 0 < v) by (apply Rmult_lt_0_compat; [pose proof (INR_pos _ Hn)|]; lra).
  assert (Hx : 0 < x).
  { unfold x. rewrite <- log_1. apply log_increasing; [lra|].
    rewrite <- Rinv_1. apply Rinv_lt_contravar; lra. }
  assert (Hr : 0 <= r) by apply sqrt_pos.
  assert (Er : r^2 = 2 * v * x) by (apply pow2_sqrt; nra).
  assert (Hu : 0 < u) by (unfold u; lra).
  set (s := u / (v + u / 3)).
  assert (Hs : 0 < s) by (apply Rdiv_lt_0_compat; lra).
  assert (Ed : delta c = exp (- x)).
  { unfold x. rewrite log_Rinv, Ropp_involutive, exp_log by lra. easy. }
  change (threshold_ c) with (v + r + 2 / 3 * x).
  eapply Rle_trans; [apply (tail_le c s); lra|]. fold v. rewrite Ed. apply exp_le.
  pose proof (exp_excess s ltac:(lra)) as E.
  assert (E3 : (2 - 2 / 3 * s) * (v + u / 3) = 2 * v) by (unfold s; field; lra).
  assert (Es : s * (v + u / 3) = u) by (unfold s; field; lra).
  assert (V : 2 * v * (exp s - 1 - s) <= s * u).
  { rewrite <- E3. replace (s * u) with (s^2 * (v + u / 3)) by (rewrite <- Es at 2; ring).
    rewrite Rmult_assoc, (Rmult_comm (v + u / 3)), <- Rmult_assoc.
    apply Rmult_le_compat_r; lra. }
  assert (U : 2 * x * (v + u / 3) <= u^2).
  { unfold u. replace ((r + 2 / 3 * x)^2) with (r^2 + 4 / 3 * x * r + 4 / 9 * x^2) by field.
    rewrite Er. assert (0 <= x * r) by (apply Rmult_le_pos; lra). nra. }
  assert (X : 2 * x <= s * u).
  { apply Rmult_le_reg_r with (v + u / 3); [lra|].
    replace (s * u * (v + u / 3)) with (s * (v + u / 3) * u) by ring. rewrite Es.
    replace (u * u) with (u^2) by ring. lra. }
  replace (v + r + 2 / 3 * x) with (v + u) by (unfold u; ring). lra.
Qed.
