(** Calculus without excluded middle, on which Coquelicot's auto_derive and the library's mean value
    theorem rest: rules of differentiation, and that a function whose derivative is not negative grows. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
Open Scope R_scope.

Section Rules.
Variables (f g : R -> R) (t f' g' c : R).
Hypothesis Df : is_derive f t f'.
Hypothesis Dg : is_derive g t g'.

Lemma derive_const : is_derive (fun _ : R => c) t 0.
Proof. exact (is_derive_const c t). Qed.

Lemma derive_id : is_derive (fun t : R => t) t 1.
Proof. exact (is_derive_id t). Qed.

Lemma derive_opp : is_derive (fun t => - f t) t (- f').
Proof. exact (is_derive_opp f t f' Df). Qed.

Lemma derive_plus : is_derive (fun t => f t + g t) t (f' + g').
Proof. exact (is_derive_plus f g t f' g' Df Dg). Qed.

Lemma derive_minus : is_derive (fun t => f t - g t) t (f' - g').
Proof. exact (is_derive_minus f g t f' g' Df Dg). Qed.

Lemma derive_mult : is_derive (fun t => f t * g t) t (f' * g t + f t * g').
Proof. exact (is_derive_mult f g t f' g' Df Dg Rmult_comm). Qed.

Lemma derive_over : is_derive (fun t => f t / c) t (f' / c).
Proof. exact (is_derive_scal_l f t f' (/ c) Df). Qed.

Lemma derive_exp : is_derive (fun t => exp (f t)) t (f' * exp (f t)).
Proof. exact (is_derive_comp exp f t _ f' (is_derive_exp (f t)) Df). Qed.
End Rules.

Lemma derive_as (f : R -> R) (t a b : R) : is_derive f t a -> a = b -> is_derive f t b.
Proof. now intros D <-. Qed.

(** Differentiates by the rules, and by hypotheses on functions of the context. Leaves first what the
    rules ask for, that a divisor is not 0 for instance, last that the derivative is the one claimed. *)
Ltac differentiate := first [eassumption|simple apply derive_const|simple apply derive_id
  |simple eapply derive_over; differentiate|simple eapply is_derive_div; [differentiate..|]
  |simple eapply derive_minus; differentiate|simple eapply derive_plus; differentiate
  |simple eapply derive_opp; differentiate|simple eapply derive_mult; differentiate
  |simple eapply is_derive_pow; differentiate|simple eapply derive_exp; differentiate
  |simple eapply is_derive_sqrt; [differentiate|]].
Ltac derive := eapply derive_as; [differentiate|]; cbv beta.

(** The supremum of the points where f is not below f a is b: around every point f grows. *)
Lemma grows_strictly (f f' : R -> R) a b : a <= b ->
  (forall t, a <= t <= b -> is_derive f t (f' t)) -> (forall t, a <= t <= b -> 0 < f' t) -> f a <= f b.
Proof.
  intros Hab D P. set (above t := a <= t <= b /\ f a <= f t).
  assert (A : above a) by (split; lra).
  destruct (completeness above) as (c & up & least); [exists b; now intros t [[_ H] _]|now exists a|].
  assert (Hc : a <= c <= b) by (split; [now apply up|apply least; now intros t [[_ H] _]]).
  pose proof (proj1 (is_derive_Reals f c (f' c)) (D c Hc) (f' c) (P c Hc)) as [r N].
  assert (Q : forall h, h <> 0 -> Rabs h < r -> 0 < (f (c + h) - f c) / h).
  { intros h H0 Hr. pose proof (Rabs_def2 _ _ (N h H0 Hr)). lra. }
  assert (below : forall t, c - r < t <= c -> f t <= f c).
  { intros t [Ht [Hc'| ->]]; [|lra]. pose proof (Q (t - c) ltac:(lra) ltac:(apply Rabs_def1; lra)) as E.
    replace (c + (t - c)) with t in E by ring. apply Rmult_lt_compat_r with (r := c - t) in E; [|lra].
    replace ((f t - f c) / (t - c) * (c - t)) with (f c - f t) in E by (field; lra). lra. }
  destruct (Rle_lt_dec (f a) (f b)) as [|F]; [easy|]. exfalso.
  pose proof (cond_pos r) as Hr.
  apply (Rlt_not_le c (c - r)); [lra|]. apply least. intros t [Ht Ft].
  destruct (Rle_lt_dec t (c - r)) as [|Hr']; [easy|]. exfalso.
  pose proof (below t ltac:(split; [easy|now apply up])) as Fc.
  destruct (proj2 Hc) as [Hb| ->]; [|lra]. set (h := Rmin (b - c) (r / 2)).
  assert (Hh : 0 < h /\ h <= b - c /\ h <= r / 2)
    by (split; [apply Rmin_glb_lt; lra|split; [apply Rmin_l|apply Rmin_r]]).
  pose proof (Q h ltac:(lra) ltac:(apply Rabs_def1; lra)) as E.
  apply Rmult_lt_compat_r with (r := h) in E; [|lra].
  unfold Rdiv in E. rewrite Rmult_assoc, Rinv_l in E by lra.
  enough (c + h <= c) by lra. apply up. split; lra.
Qed.

Lemma grows (f f' : R -> R) a b : a <= b ->
  (forall t, a <= t <= b -> is_derive f t (f' t)) -> (forall t, a <= t <= b -> 0 <= f' t) -> f a <= f b.
Proof.
  intros Hab D P. apply le_epsilon. intros e He. set (k := e / (1 + (b - a))).
  assert (Hk : 0 < k) by (apply Rdiv_lt_0_compat; lra).
  assert (G : f a + k * a <= f b + k * b).
  { apply (grows_strictly (fun t => f t + k * t) (fun t => f' t + k)); [easy| |].
    - intros t Ht. pose proof (D t Ht). derive. ring.
    - intros t Ht. pose proof (P t Ht). lra. }
  assert (k * (1 + (b - a)) = e) by (unfold k; field; lra). lra.
Qed.

Lemma falls (f f' : R -> R) a b : a <= b ->
  (forall t, a <= t <= b -> is_derive f t (f' t)) -> (forall t, a <= t <= b -> f' t <= 0) -> f b <= f a.
Proof.
  intros Hab D P. enough (- f a <= - f b) by lra.
  apply (grows (fun t => - f t) (fun t => - f' t)); [easy| |].
  - intros t Ht. now apply derive_opp, D.
  - intros t Ht. pose proof (P t Ht). lra.
Qed.
