(** Expectations, for any probability space: what is used of E is that it is linear and monotone on
    some space of random variables, and that E 1 = 1. Integration against any probability measure
    is one, of the integrable functions. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Coq Require Import Bool FunctionalExtensionality.
From Limits Require Import Basics.
Open Scope R_scope.

Record law (Omega : Type) := Law {
  integrable : (Omega -> R) -> Prop;
  E : (Omega -> R) -> R;
  integrable_const : forall c, integrable (fun _ => c);
  integrable_plus : forall X Y, integrable X -> integrable Y -> integrable (fun w => X w + Y w);
  integrable_scal : forall c X, integrable X -> integrable (fun w => c * X w);
  E_const : forall c, E (fun _ => c) = c;
  E_plus : forall X Y, integrable X -> integrable Y -> E (fun w => X w + Y w) = E X + E Y;
  E_scal : forall c X, integrable X -> E (fun w => c * X w) = c * E X;
  E_le : forall X Y, integrable X -> integrable Y -> (forall w, X w <= Y w) -> E X <= E Y
}.
Arguments integrable {Omega}. Arguments E {Omega}.

(** For one: finitely many outcomes 0, ..., n-1 of probabilities p. *)
Definition finite_law (n : nat) (p : nat -> R) (p_pos : forall i, (i < n)%nat -> 0 <= p i)
  (p_sum : sum n p = 1) : law nat.
Proof.
  refine (Law nat (fun _ => True) (fun X => \sum_(i < n) (p i * X i)) _ _ _ _ _ _ _); try easy.
  - intros c. rewrite sum_scal_r, p_sum. ring.
  - intros X Y _ _. rewrite <- sum_plus. apply sum_ext; intros; ring.
  - intros c X _. rewrite <- sum_scal. apply sum_ext; intros; ring.
  - intros X Y _ _ H. apply sum_le; intros i Hi. apply Rmult_le_compat_l; auto.
Defined.

(** Sums of random variables. *)
Section Sums.
Context {Omega : Type} (P : law Omega).

Lemma integrable_sum n (X : nat -> Omega -> R) : (forall i, (i < n)%nat -> integrable P (X i)) ->
  integrable P (fun w => \sum_(i < n) X i w).
Proof.
  induction n as [|n IH]; intros H; cbn [sum]; [apply integrable_const|].
  apply (integrable_plus _ P (fun w => \sum_(i < n) X i w)); auto.
Qed.

Lemma E_sum n (X : nat -> Omega -> R) : (forall i, (i < n)%nat -> integrable P (X i)) ->
  E P (fun w => \sum_(i < n) X i w) = \sum_(i < n) E P (X i).
Proof.
  induction n as [|n IH]; intros H; cbn [sum]; [apply E_const|].
  rewrite (E_plus _ P (fun w => \sum_(i < n) X i w)), IH; auto using integrable_sum.
Qed.
End Sums.

(** For another: n independent signs, each of both values with probability 1/2. *)
Definition put (m : nat) (s : bool) (w : nat -> bool) : nat -> bool :=
  fun i => if (i =? m)%nat then s else w i.
Fixpoint mean_sign (n : nat) (X : (nat -> bool) -> R) : R :=
  match n with
  | O => X (fun _ => true)
  | S m => (mean_sign m (fun w => X (put m true w)) + mean_sign m (fun w => X (put m false w))) / 2
  end.

Definition signs (n : nat) : law (nat -> bool).
Proof.
  refine (Law _ (fun _ => True) (mean_sign n) _ _ _ _ _ _ _); try easy.
  - induction n as [|n IH]; intros c; cbn; [easy|]. rewrite !IH. field.
  - induction n as [|n IH]; intros X Y _ _; cbn; [easy|].
    rewrite !(IH (fun w => X (put n _ w)) (fun w => Y (put n _ w))) by easy. field.
  - induction n as [|n IH]; intros c X _; cbn; [easy|].
    rewrite !(IH c (fun w => X (put n _ w))) by easy. field.
  - induction n as [|n IH]; intros X Y _ _ H; cbn; [easy|].
    apply Rmult_le_compat_r; [lra|]. apply Rplus_le_compat; apply IH; easy.
Defined.

Lemma mean_sign_ext n X Y : (forall w, X w = Y w) -> mean_sign n X = mean_sign n Y.
Proof.
  revert X Y; induction n as [|n IH]; intros X Y H; cbn; [easy|].
  rewrite (IH _ (fun w => Y (put n true w))), (IH (fun w => X (put n false w))
    (fun w => Y (put n false w))) by (intros; apply H). easy.
Qed.

(** Nothing changes where one of the signs is turned. *)
Definition turn (j : nat) (w : nat -> bool) : nat -> bool :=
  fun i => if (i =? j)%nat then negb (w i) else w i.

Lemma mean_sign_turn n j X : (j < n)%nat -> mean_sign n (fun w => X (turn j w)) = mean_sign n X.
Proof.
  revert X; induction n as [|n IH]; intros X Hj; [lia|]. cbn.
  destruct (Nat.eq_dec j n) as [->|Hn].
  - rewrite Rplus_comm. f_equal. f_equal; apply mean_sign_ext; intros w; f_equal;
      apply functional_extensionality; intros i; unfold turn, put; now destruct (i =? n)%nat.
  - rewrite <- (IH (fun w => X (put n true w))), <- (IH (fun w => X (put n false w))) by lia.
    f_equal. f_equal; apply mean_sign_ext; intros w; f_equal;
      apply functional_extensionality; intros i; unfold turn, put;
      destruct (Nat.eqb_spec i j), (Nat.eqb_spec i n); congruence.
Qed.

(** What changes its sign with one of them has mean 0. *)
Lemma mean_sign_odd n j X : (j < n)%nat -> (forall w, X (turn j w) = - X w) -> mean_sign n X = 0.
Proof.
  intros Hj H. assert (N : mean_sign n X = -1 * mean_sign n X); [|lra].
  rewrite <- (mean_sign_turn n j X Hj) at 1.
  transitivity (mean_sign n (fun w => -1 * X w)); [|apply (E_scal _ (signs n) (-1) X I)].
  apply mean_sign_ext. intros w. rewrite H. ring.
Qed.

Fixpoint product (n : nat) (f : nat -> R) : R :=
  match n with O => 1 | S m => product m f * f m end.

Lemma product_ext n f g : (forall i, (i < n)%nat -> f i = g i) -> product n f = product n g.
Proof. induction n as [|n IH]; cbn; intros H; [easy|]. rewrite IH, H; auto with arith. Qed.

(** Independence: the mean of a product is the product of the means. *)
Lemma mean_sign_product n (g : nat -> bool -> R) :
  mean_sign n (fun w => product n (fun i => g i (w i))) = product n (fun i => (g i true + g i false) / 2).
Proof.
  induction n as [|n IH]; cbn; [easy|]. rewrite <- IH.
  assert (C : forall s, mean_sign n (fun w => product n (fun i => g i (put n s w i)) * g n (put n s w n))
    = g n s * mean_sign n (fun w => product n (fun i => g i (w i)))).
  { intros s. transitivity (mean_sign n (fun w => g n s * product n (fun i => g i (w i))));
      [|apply (E_scal _ (signs n) (g n s) _ I)].
    apply mean_sign_ext. intros w. rewrite Rmult_comm. unfold put at 1. rewrite Nat.eqb_refl. f_equal. apply product_ext.
    intros i Hi. unfold put. now rewrite (proj2 (Nat.eqb_neq i n)) by lia. }
  rewrite !C. field.
Qed.

(** A product of zeros and ones. *)
Lemma product_01 n f : (forall i, f i = 0 \/ f i = 1) ->
  (product n f = 1) \/ (product n f = 0 /\ exists i, (i < n)%nat /\ f i = 0).
Proof.
  intros H. induction n as [|n IH]; cbn; [now left|].
  destruct IH as [->|(-> & i & Hi & E)].
  - destruct (H n) as [E|E]; rewrite E.
    + right. split; [ring|]. exists n. split; [lia|easy].
    + left. ring.
  - right. split; [ring|]. exists i. split; [lia|easy].
Qed.
