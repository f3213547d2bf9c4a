(** When the bounds of Theorem 1 by d1 and X are attained. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Limits Require Import Basics Vectors Weights Claim Equality Theorem1.
Open Scope R_scope.

Section Equal.
Variable c : token_set.

(** The tokens of weight in I are at v. Each token outside with some weight is as far from v as any token
    outside is from any in I; v is as long as any vector in I but where A = a_i; and where both, x_i - v
    points away from v if A > a_i, and as v does if A < a_i. *)
Definition is_met_by (v : vector) : Prop :=
  (forall j, (j < L c)%nat -> I c j = true -> 0 < a c j -> forall k, (k < d c)%nat -> x c j k = v k) /\
  forall i, (i < L c)%nat -> I c i = false ->
    (a c i = 0 \/ forall n j, (n < L c)%nat -> (j < L c)%nat -> I c n = false -> I c j = true ->
      \sum_(k < d c) (x c n k - x c j k)^2 <= \sum_(k < d c) (x c i k - v k)^2) /\
    (A_ c = a c i \/ forall j, (j < L c)%nat -> I c j = true ->
      \sum_(k < d c) (x c j k)^2 <= \sum_(k < d c) (v k)^2) /\
    (a c i = 0 \/ A_ c = a c i \/ collinear (d c) (fun k => x c i k - v k) v /\
      (A_ c - a c i) * dot (d c) (fun k => x c i k - v k) v <= 0).

Hypothesis H : is_token_set c.
Let W : are_weights (L c) (a c) := proj1 H.
Let w j := if I c j then a c j else 0.

Lemma w_nonneg j : (j < L c)%nat -> 0 <= w j.
Proof. intros Hj. unfold w. destruct (I c j); [now apply W|lra]. Qed.

Lemma weighted_in : 0 < A_ c -> exists j, (j < L c)%nat /\ I c j = true /\ 0 < a c j.
Proof.
  intros HA. destruct (Max_attained (L c) w) as (j & Hj & E).
  - destruct (proj1 (proj2 H)) as (j & Hj & _). lia.
  - exists j. split; [easy|]. unfold w in E at 2. pose proof (fun i => Max_ge (L c) w i) as G.
    destruct (I c j); [split; [easy|]|exfalso].
    + destruct (proj1 W j Hj) as [P|P]; [easy|exfalso]. rewrite <- P in E.
      enough (A_ c = 0) by lra. apply sum_zero; intros i Hi. pose proof (G i Hi). pose proof (w_nonneg i Hi).
      fold (w i). lra.
    + enough (A_ c = 0) by lra. apply sum_zero; intros i Hi. pose proof (G i Hi). pose proof (w_nonneg i Hi).
      fold (w i). lra.
Qed.

Lemma max_in_le f r : (forall j, (j < L c)%nat -> I c j = true -> f j <= r) -> 0 <= r -> max_in (L c) (I c) f <= r.
Proof.
  intros B Hr. apply Max_le; [destruct (proj1 (proj2 H)) as (j & Hj & _); lia|]. intros j Hj.
  destruct (I c j) eqn:Ej; [now apply B|easy].
Qed.

Lemma max_out_le f r : (forall i, (i < L c)%nat -> I c i = false -> f i <= r) -> 0 <= r -> max_out (L c) (I c) f <= r.
Proof.
  intros B Hr. apply Max_le; [destruct (proj1 (proj2 H)) as (j & Hj & _); lia|]. intros j Hj.
  destruct (I c j) eqn:Ej; [easy|now apply B].
Qed.

Section About.
Variable v : vector.
Hypothesis at_v : forall j, (j < L c)%nat -> I c j = true -> 0 < a c j -> forall k, (k < d c)%nat -> x c j k = v k.
Hypothesis HA : 0 < A_ c.

Lemma sum_at_v k : (k < d c)%nat -> s_ c k = A_ c * v k.
Proof.
  intros Hk. unfold s_, A_, sum_in. rewrite <- sum_scal_r. apply sum_ext; intros j Hj.
  destruct (I c j) eqn:Ej; [|ring]. destruct (proj1 W j Hj) as [P|<-]; [|ring].
  now rewrite (at_v j Hj Ej P k Hk).
Qed.

Lemma distance_about i : distance_ c i
  = norm (d c) (fun k => a c i * (x c i k - v k) - (A_ c - a c i) * v k).
Proof. apply norm_ext; intros k Hk. rewrite sum_at_v by easy. ring. Qed.

Lemma far_iff i : (i < L c)%nat -> I c i = false ->
  (norm (d c) (fun k => x c i k - v k) = d1_ c <->
   forall n j, (n < L c)%nat -> (j < L c)%nat -> I c n = false -> I c j = true ->
     \sum_(k < d c) (x c n k - x c j k)^2 <= \sum_(k < d c) (x c i k - v k)^2).
Proof.
  intros Hi Ei. destruct (weighted_in HA) as (m & Hm & Em & Pm). split.
  - intros E n j Hn Hj En Ej. rewrite <- !norm_sqr. apply pow_incr. split; [apply norm_nonneg|].
    rewrite E. now apply d1_ge.
  - intros F. apply Rle_antisym.
    + rewrite (norm_ext _ _ (fun k => x c i k - x c m k)); [now apply d1_ge|].
      intros k Hk. now rewrite (at_v m Hm Em Pm k Hk).
    + apply max_out_le; [|apply norm_nonneg]. intros n Hn En.
      apply max_in_le; [|apply norm_nonneg]. intros j Hj Ej. apply sqrt_le_1_alt. now apply F.
Qed.

Lemma long_iff : norm (d c) v = X_ c <->
  forall j, (j < L c)%nat -> I c j = true -> \sum_(k < d c) (x c j k)^2 <= \sum_(k < d c) (v k)^2.
Proof.
  destruct (weighted_in HA) as (m & Hm & Em & Pm). split.
  - intros E j Hj Ej. rewrite <- !norm_sqr. apply pow_incr. split; [apply norm_nonneg|].
    rewrite E. now apply X_ge.
  - intros F. apply Rle_antisym.
    + rewrite (norm_ext _ _ (x c m)); [now apply X_ge|]. intros k Hk. now rewrite (at_v m Hm Em Pm k Hk).
    + apply max_in_le; [|apply norm_nonneg]. intros j Hj Ej. apply sqrt_le_1_alt. now apply F.
Qed.
End About.

(** One token outside takes all that the bound gives it. *)
Lemma one_equal i : 0 < A_ c -> (i < L c)%nat -> I c i = false ->
  distance_ c i = a c i * d1_ c + Rabs (A_ c - a c i) * X_ c ->
  a c i * norm (d c) (fun k => x c i k - c_ c k) = a c i * d1_ c /\
  Rabs (A_ c - a c i) * norm (d c) (c_ c) = Rabs (A_ c - a c i) * X_ c /\
  norm (d c) (fun k => a c i * (x c i k - c_ c k) - (A_ c - a c i) * c_ c k)
    = a c i * norm (d c) (fun k => x c i k - c_ c k) + Rabs (A_ c - a c i) * norm (d c) (c_ c).
Proof.
  intros HA Hi Ei E. rewrite centred in E by easy.
  pose proof (proj1 W i Hi) as Ha. pose proof (Rabs_pos (A_ c - a c i)) as Hb.
  pose proof (norm_minus (d c) (fun k => a c i * (x c i k - c_ c k)) (fun k => (A_ c - a c i) * c_ c k)) as T.
  rewrite !norm_scal, (Rabs_pos_eq (a c i)) in T by easy.
  assert (M : forall k, (k < d c)%nat -> A_ c * c_ c k = \sum_(j < L c) (w j * x c j k)).
  { intros k _. unfold c_. transitivity (s_ c k); [field; lra|]. apply sum_ext; intros j _.
    unfold w. destruct (I c j); ring. }
  assert (F : norm (d c) (fun k => x c i k - c_ c k) <= d1_ c).
  { rewrite <- norm_opp, (norm_ext _ _ (fun k => c_ c k - x c i k)) by (intros; ring).
    apply (mean_within (L c) (d c) w (x c) (c_ c) (x c i) (A_ c)); try easy; [apply w_nonneg| |].
    - destruct (proj1 (proj2 H)) as (j & Hj & Ej).
      eapply Rle_trans; [apply norm_nonneg|apply (d1_ge c i j Hi Hj Ei Ej)].
    - intros j Hj P. unfold w in P. destruct (I c j) eqn:Ej; [|lra].
      rewrite <- norm_opp, (norm_ext _ _ (fun k => x c i k - x c j k)) by (intros; ring). now apply d1_ge. }
  assert (R : norm (d c) (c_ c) <= X_ c).
  { rewrite (norm_ext _ _ (fun k => c_ c k - 0)) by (intros; ring).
    apply (mean_within (L c) (d c) w (x c) (c_ c) (fun _ => 0) (A_ c)); try easy; [apply w_nonneg| |].
    - destruct (proj1 (proj2 H)) as (j & Hj & Ej). eapply Rle_trans; [apply norm_nonneg|now apply (X_ge c j)].
    - intros j Hj P. unfold w in P. destruct (I c j) eqn:Ej; [|lra].
      rewrite (norm_ext _ _ (x c j)) by (intros; ring). now apply X_ge. }
  pose proof (Rmult_le_compat_l _ _ _ Ha F). pose proof (Rmult_le_compat_l _ _ _ Hb R). lra.
Qed.

(** The selected tokens of weight are one vector: a mean of them is as far from some x_i, or from 0, as any
    of them. *)
Lemma one_vector i : 0 < A_ c -> (i < L c)%nat -> I c i = false ->
  distance_ c i = a c i * d1_ c + Rabs (A_ c - a c i) * X_ c ->
  forall j, (j < L c)%nat -> I c j = true -> 0 < a c j -> forall k, (k < d c)%nat -> x c j k = c_ c k.
Proof.
  intros HA Hi Ei E j Hj Ej Pj k Hk. destruct (one_equal i HA Hi Ei E) as (F & R & _).
  assert (M : forall k, (k < d c)%nat -> A_ c * c_ c k = \sum_(j < L c) (w j * x c j k)).
  { intros m _. unfold c_. transitivity (s_ c m); [field; lra|]. apply sum_ext; intros n _.
    unfold w. destruct (I c n); ring. }
  assert (Pw : 0 < w j) by (unfold w; now rewrite Ej).
  destruct (Req_dec (a c i) 0) as [Z|Z].
  - rewrite Z, Rminus_0_r in R. apply Rmult_eq_reg_l in R; [|apply Rabs_no_R0; lra].
    apply (mean_extreme (L c) (d c) w (x c) (c_ c) (fun _ => 0) (A_ c) (X_ c)); try easy; [apply w_nonneg| |].
    + intros n Hn P. unfold w in P. destruct (I c n) eqn:En; [|lra].
      rewrite (norm_ext _ _ (x c n)) by (intros; ring). now apply X_ge.
    + rewrite (norm_ext _ _ (c_ c)) by (intros; ring). easy.
  - apply Rmult_eq_reg_l in F; [|easy].
    apply (mean_extreme (L c) (d c) w (x c) (c_ c) (x c i) (A_ c) (d1_ c)); try easy; [apply w_nonneg| |].
    + intros n Hn P. unfold w in P. destruct (I c n) eqn:En; [|lra].
      rewrite <- norm_opp, (norm_ext _ _ (fun k => x c i k - x c n k)) by (intros; ring). now apply d1_ge.
    + rewrite <- norm_opp, (norm_ext _ _ (fun k => x c i k - c_ c k)) by (intros; ring). easy.
Qed.

Lemma token_equal v i : 0 < A_ c ->
  (forall j, (j < L c)%nat -> I c j = true -> 0 < a c j -> forall k, (k < d c)%nat -> x c j k = v k) ->
  (i < L c)%nat -> I c i = false ->
  (distance_ c i = a c i * d1_ c + Rabs (A_ c - a c i) * X_ c <->
    (a c i = 0 \/ norm (d c) (fun k => x c i k - v k) = d1_ c) /\
    (A_ c = a c i \/ norm (d c) v = X_ c) /\
    (a c i = 0 \/ A_ c = a c i \/ collinear (d c) (fun k => x c i k - v k) v /\
      (A_ c - a c i) * dot (d c) (fun k => x c i k - v k) v <= 0)).
Proof.
  intros HA at_v Hi Ei. pose proof (proj1 W i Hi) as Ha.
  assert (C : forall k, (k < d c)%nat -> c_ c k = v k).
  { intros k Hk. unfold c_. rewrite (sum_at_v v at_v k Hk). field. lra. }
  assert (Cx : norm (d c) (fun k => x c i k - c_ c k) = norm (d c) (fun k => x c i k - v k))
    by (apply norm_ext; intros k Hk; now rewrite C).
  assert (Cn : norm (d c) (c_ c) = norm (d c) v) by now apply norm_ext.
  rewrite (distance_about v at_v i). split.
  - intros E. rewrite <- (distance_about v at_v i) in E.
    destruct (one_equal i HA Hi Ei E) as (F & R & T). rewrite Cx in F, T. rewrite Cn in R, T.
    split; [|split].
    + destruct (Req_dec (a c i) 0); [now left|right]. now apply Rmult_eq_reg_l in F.
    + destruct (Req_dec (A_ c) (a c i)); [now left|right].
      apply Rmult_eq_reg_l in R; [easy|apply Rabs_no_R0; lra].
    + destruct (Req_dec (a c i) 0); [now left|right]. destruct (Req_dec (A_ c) (a c i)); [now left|right].
      apply (triangle_equal (d c) _ v (a c i)); [lra|lra|]. rewrite <- T. apply norm_ext; intros k Hk.
      now rewrite C.
  - intros (F & R & T).
    assert (F' : a c i * norm (d c) (fun k => x c i k - v k) = a c i * d1_ c)
      by (destruct F as [-> | ->]; ring).
    assert (R' : Rabs (A_ c - a c i) * norm (d c) v = Rabs (A_ c - a c i) * X_ c).
    { destruct R as [R| ->]; [|ring]. rewrite R, Rminus_diag_eq, Rabs_R0 by easy. ring. }
    rewrite <- F', <- R'. destruct T as [T|[T|T]].
    + rewrite T, Rmult_0_l, Rplus_0_l, <- norm_scal, <- norm_opp. apply norm_ext; intros; ring.
    + assert (Z : A_ c - a c i = 0) by lra. rewrite Z, Rabs_R0, Rmult_0_l, Rplus_0_r.
      transitivity (Rabs (a c i) * norm (d c) (fun k => x c i k - v k)); [|now rewrite Rabs_pos_eq].
      rewrite <- norm_scal. apply norm_ext; intros; ring.
    + destruct (Req_dec (a c i) 0) as [Z|Z].
      * rewrite Z, Rmult_0_l, Rplus_0_l, <- norm_scal, <- norm_opp. apply norm_ext; intros; ring.
      * destruct (Req_dec (A_ c) (a c i)) as [Y|Y].
        -- assert (Q : A_ c - a c i = 0) by lra. rewrite Q, Rabs_R0, Rmult_0_l, Rplus_0_r.
           transitivity (Rabs (a c i) * norm (d c) (fun k => x c i k - v k)); [|now rewrite Rabs_pos_eq].
           rewrite <- norm_scal. apply norm_ext; intros; ring.
        -- apply triangle_equal; [lra|lra|easy].
Qed.

Lemma bound_by_tokens : rhs theorem1_fixed_any_set_repaired c =
  \sum_(i < L c) (if I c i then 0 else a c i * d1_ c + Rabs (A_ c - a c i) * X_ c).
Proof.
  cbn. rewrite <- (outside_weight c H), (Rmult_comm (X_ c)). unfold sum_out.
  rewrite <- !sum_scal_r, <- sum_plus. apply sum_ext; intros i _. destruct (I c i); ring.
Qed.

(** All tokens outside take all that the bound gives them. *)
Lemma all_equal : lhs theorem1_fixed_any_set_repaired c = rhs theorem1_fixed_any_set_repaired c <->
  forall i, (i < L c)%nat -> I c i = false -> distance_ c i = a c i * d1_ c + Rabs (A_ c - a c i) * X_ c.
Proof.
  rewrite bound_by_tokens. cbn. unfold D_, sum_out. split.
  - intros E i Hi Ei. apply (sum_equal_terms (L c)) with (i := i) in E; [now rewrite Ei in E| |easy].
    intros j Hj. destruct (I c j) eqn:Ej; [lra|now apply one_distance].
  - intros E. apply sum_ext; intros i Hi. destruct (I c i) eqn:Ei; auto.
Qed.

Lemma met_iff : 0 < A_ c -> (lhs theorem1_fixed_any_set_repaired c = rhs theorem1_fixed_any_set_repaired c
  <-> exists v, is_met_by v).
Proof.
  intros HA. rewrite all_equal. split.
  - intros E. destruct (proj2 (proj2 H)) as (o & Ho & Eo).
    pose proof (one_vector o HA Ho Eo (E o Ho Eo)) as V. exists (c_ c). split; [easy|]. intros i Hi Ei.
    destruct (proj1 (token_equal (c_ c) i HA V Hi Ei) (E i Hi Ei)) as (F & R & T).
    rewrite (far_iff (c_ c) V HA i Hi Ei) in F. rewrite (long_iff (c_ c) V HA) in R. easy.
  - intros (v & V & E) i Hi Ei. destruct (E i Hi Ei) as (F & R & T).
    apply (token_equal v i HA V Hi Ei). split; [|split; [|easy]].
    + destruct F as [F|F]; [now left|right]. now apply (far_iff v V HA i Hi Ei).
    + destruct R as [R|R]; [now left|right]. now apply (long_iff v V HA).
Qed.

(** Without any weight in I, D is the sum of the lengths outside. *)
Lemma no_mass_iff : A_ c = 0 -> (lhs theorem1_fixed_any_set_repaired c = rhs theorem1_fixed_any_set_repaired c
  <-> forall i, (i < L c)%nat -> I c i = false -> a c i = 0 \/ norm (d c) (x c i) = d1_ c + X_ c).
Proof.
  intros HA. rewrite all_equal.
  assert (S : forall k, s_ c k = 0).
  { intros k. apply sum_zero; intros j Hj. destruct (I c j) eqn:Ej; [|easy].
    enough (a c j = 0) as -> by ring. pose proof (sum_zero_terms (L c) w w_nonneg HA j Hj) as Z.
    unfold w in Z. now rewrite Ej in Z. }
  assert (D : forall i, (i < L c)%nat -> distance_ c i = a c i * norm (d c) (x c i)).
  { intros i Hi. rewrite <- (Rabs_pos_eq (a c i)), <- norm_scal by now apply W.
    apply norm_ext; intros k _. rewrite S. ring. }
  split; intros E i Hi Ei; specialize (E i Hi Ei).
  - rewrite D, HA, Rminus_0_l, Rabs_Ropp, Rabs_pos_eq in E by (easy || now apply W).
    destruct (Req_dec (a c i) 0) as [Z|Z]; [now left|right]. apply Rmult_eq_reg_l with (a c i); [lra|easy].
  - rewrite D, HA, Rminus_0_l, Rabs_Ropp, Rabs_pos_eq by (easy || now apply W).
    destruct E as [-> | ->]; ring.
Qed.
End Equal.

Theorem theorem1_fixed_any_set_repaired_equal c : hypotheses theorem1_fixed_any_set_repaired c ->
  (lhs theorem1_fixed_any_set_repaired c = rhs theorem1_fixed_any_set_repaired c <->
    (0 < A_ c /\ exists v, is_met_by c v) \/
    (A_ c = 0 /\ forall i, (i < L c)%nat -> I c i = false -> a c i = 0 \/ norm (d c) (x c i) = d1_ c + X_ c)).
Proof.
  intros H. destruct (A_nonneg c H) as [P|P].
  - rewrite (met_iff c H P). split; [now left|]. intros [[_ E]|[E _]]; [easy|lra].
  - rewrite (no_mass_iff c H (eq_sym P)). split; [now right|]. intros [[E _]|[_ E]]; [lra|easy].
Qed.

Theorem theorem1_fixed_equal c : hypotheses theorem1_fixed c ->
  (lhs theorem1_fixed c = rhs theorem1_fixed c <-> exists v, is_met_by c v).
Proof.
  intros T. rewrite <- (met_iff c (proj1 T) (top_mass c T)).
  replace (rhs theorem1_fixed c) with (rhs theorem1_fixed_any_set_repaired c); [easy|].
  cbn. now rewrite top_excess.
Qed.

(** The refuted bound for any set is the other one where no token outside has more weight than I. *)
Lemma theorem1_any_set_equal c v : is_token_set c -> 0 < A_ c ->
  (forall i, (i < L c)%nat -> I c i = false -> a c i <= A_ c) -> is_met_by c v ->
  lhs theorem1_fixed_any_set c = rhs theorem1_fixed_any_set c.
Proof.
  intros H HA B E. transitivity (rhs theorem1_fixed_any_set_repaired c).
  - apply (met_iff c H HA). now exists v.
  - cbn. do 2 f_equal. pose proof (outside_weight c H) as O. rewrite <- O at 1.
    pose proof (sum_in_out (L c) (I c) (fun _ => 1)) as EL. rewrite sum_const in EL. fold (N_ c) in EL.
    replace (INR (L c) - N_ c) with (sum_out (L c) (I c) (fun _ => 1)) by lra.
    unfold sum_out. rewrite <- sum_scal, <- sum_minus. apply sum_ext; intros i Hi.
    destruct (I c i) eqn:Ei; [ring|]. rewrite Rabs_pos_eq; [ring|]. specialize (B i Hi Ei). lra.
Qed.
