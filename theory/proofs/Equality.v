(** When the inequalities that the proofs rest on are equalities: of sums term by term, and of lengths. *)
From Coq Require Import Reals Lra Lia Psatz Arith.
From Limits Require Import Basics Vectors.
Open Scope R_scope.

Lemma sum_zero_terms n f : (forall i, (i < n)%nat -> 0 <= f i) -> sum n f = 0 ->
  forall i, (i < n)%nat -> f i = 0.
Proof. intros H E i Hi. pose proof (H i Hi). pose proof (term_le_sum n i f H Hi). lra. Qed.

Lemma sum_equal_terms n f g : (forall i, (i < n)%nat -> f i <= g i) -> sum n f = sum n g ->
  forall i, (i < n)%nat -> f i = g i.
Proof.
  intros H E i Hi. enough (g i - f i = 0) by lra.
  apply (sum_zero_terms n (fun i => g i - f i)); [|rewrite sum_minus; lra|easy].
  intros j Hj. pose proof (H j Hj). lra.
Qed.

Lemma sum_squares_zero n f : \sum_(i < n) (f i)^2 = 0 -> forall i, (i < n)%nat -> f i = 0.
Proof.
  intros E i Hi. apply (sum_zero_terms n (fun i => f i ^ 2)) in Hi; [|intros; apply pow2_ge_0|easy].
  cbv beta in Hi. nra.
Qed.

(** u and v lie on one line through 0. *)
Definition collinear (d : nat) (u v : vector) : Prop :=
  forall k m, (k < d)%nat -> (m < d)%nat -> u k * v m = u m * v k.

Lemma lagrange d u v :
  \sum_(k < d) \sum_(m < d) (u k * v m - u m * v k)^2 = 2 * ((norm d u)^2 * (norm d v)^2 - (dot d u v)^2).
Proof.
  rewrite !norm_sqr.
  rewrite (sum_ext d _ (fun k => (u k)^2 * (\sum_(m < d) (v m)^2) + (v k)^2 * (\sum_(m < d) (u m)^2)
    - 2 * (u k * v k * dot d u v))).
  - rewrite sum_minus, sum_plus, !sum_scal_r, sum_scal.
    rewrite (sum_scal_r d (dot d u v) (fun k => u k * v k)). fold (dot d u v). ring.
  - intros k _. unfold dot. rewrite <- !sum_scal, <- sum_plus, <- sum_minus. apply sum_ext; intros; ring.
Qed.

(** Cauchy-Schwarz is met by vectors on one line. *)
Lemma collinear_iff d u v : (dot d u v)^2 = (norm d u)^2 * (norm d v)^2 <-> collinear d u v.
Proof.
  pose proof (lagrange d u v) as G. split.
  - intros E k m Hk Hm. rewrite E in G. replace (2 * _) with 0 in G by ring.
    assert (P : forall k, (k < d)%nat -> 0 <= \sum_(m < d) (u k * v m - u m * v k)^2)
      by (intros; apply sum_nonneg; intros; apply pow2_ge_0).
    pose proof (sum_zero_terms d _ P G k Hk) as Q. cbv beta in Q.
    pose proof (sum_squares_zero d (fun m => u k * v m - u m * v k) Q m Hm) as Z. cbv beta in Z. lra.
  - intros C. assert (Z : \sum_(k < d) \sum_(m < d) (u k * v m - u m * v k)^2 = 0); [|lra].
    apply sum_zero; intros k Hk. apply sum_zero; intros m Hm. rewrite (C k m Hk Hm). ring.
Qed.

(** The triangle inequality is met where a u and b v point opposite ways. *)
Lemma triangle_equal d u v a b : 0 < a -> b <> 0 ->
  norm d (fun k => a * u k - b * v k) = a * norm d u + Rabs b * norm d v <->
  collinear d u v /\ b * dot d u v <= 0.
Proof.
  intros Ha Hb. set (n := norm d (fun k => a * u k - b * v k)).
  assert (E : n^2 = a^2 * (norm d u)^2 - 2 * a * (b * dot d u v) + b^2 * (norm d v)^2).
  { unfold n. rewrite !norm_sqr. unfold dot.
    rewrite <- !sum_scal, <- sum_minus, <- sum_plus. apply sum_ext; intros; ring. }
  pose proof (norm_nonneg d (fun k => a * u k - b * v k)) as Hn. fold n in Hn.
  pose proof (norm_nonneg d u) as Hu. pose proof (norm_nonneg d v) as Hv.
  pose proof (Rabs_pos_lt b Hb) as Hab. pose proof (pow2_abs b) as Sb.
  set (p := norm d u * norm d v) in *. assert (Hp : 0 <= p) by now apply Rmult_le_pos.
  assert (Q : n = a * norm d u + Rabs b * norm d v <-> - (b * dot d u v) = Rabs b * p).
  { split; intros F.
    - assert (n^2 = (a * norm d u + Rabs b * norm d v)^2) by now rewrite F.
      apply Rmult_eq_reg_l with (2 * a); [|lra]. unfold p. nra.
    - apply Rsqr_inj; [easy| |].
      + apply Rplus_le_le_0_compat; apply Rmult_le_pos; lra.
      + rewrite !Rsqr_pow2, E. unfold p in F.
        replace ((a * norm d u + Rabs b * norm d v)^2) with
          (a^2 * norm d u ^ 2 + 2 * a * (Rabs b * (norm d u * norm d v)) + Rabs b ^ 2 * norm d v ^ 2) by ring.
        rewrite <- F, Sb. ring. }
  rewrite Q, <- collinear_iff. split.
  - intros F. split; [|pose proof (Rmult_le_pos _ _ (Rlt_le _ _ Hab) Hp); lra].
    assert (G : b^2 * (dot d u v)^2 = b^2 * p^2).
    { rewrite <- Sb. replace (Rabs b ^ 2 * p ^ 2) with ((Rabs b * p)^2) by ring. rewrite <- F, Sb. ring. }
    apply Rmult_eq_reg_l in G; [|now apply pow_nonzero]. unfold p in G. rewrite G. ring.
  - intros [F G]. apply Rsqr_inj; [lra|apply Rmult_le_pos; lra|].
    rewrite !Rsqr_pow2. replace ((- (b * dot d u v))^2) with (b^2 * (dot d u v)^2) by ring.
    rewrite F. unfold p. replace ((Rabs b * (norm d u * norm d v))^2) with
      (Rabs b ^ 2 * (norm d u ^ 2 * norm d v ^ 2)) by ring. now rewrite Sb.
Qed.

(** Weights w of sum A > 0, and the mean c of vectors x: (1/A) sum_j w_j ||x_j - p||^2 is ||c - p||^2 and
    what the x_j spread about c. So c is no farther from p than all x_j are, and as far only where these
    are one vector. *)
Section Mean.
Variables (n d : nat) (w : vector) (x : nat -> vector) (c p : vector) (A r : R).
Hypothesis w_nonneg : forall j, (j < n)%nat -> 0 <= w j.
Hypothesis total : sum n w = A.
Hypothesis A_pos : 0 < A.
Hypothesis mean : forall k, (k < d)%nat -> A * c k = \sum_(j < n) (w j * x j k).
Hypothesis r_nonneg : 0 <= r.
Hypothesis within : forall j, (j < n)%nat -> 0 < w j -> norm d (fun k => x j k - p k) <= r.

Lemma spread_about_mean : \sum_(j < n) (w j * (norm d (fun k => x j k - p k))^2) =
  A * (norm d (fun k => c k - p k))^2 + \sum_(j < n) (w j * (norm d (fun k => x j k - c k))^2).
Proof.
  rewrite (sum_ext n _ (fun j => \sum_(k < d) (w j * (x j k - p k)^2))).
  2: { intros j _. now rewrite norm_sqr, sum_scal. }
  rewrite (sum_ext n (fun j => w j * _) (fun j => \sum_(k < d) (w j * (x j k - c k)^2))).
  2: { intros j _. now rewrite norm_sqr, sum_scal. }
  rewrite norm_sqr, !(sum_swap n d), <- sum_scal, <- sum_plus. apply sum_ext; intros k Hk.
  rewrite (sum_ext n _ (fun j => w j * (x j k - c k)^2 + (2 * (c k - p k) * (w j * x j k)
    + (p k ^ 2 - c k ^ 2) * w j))) by (intros; ring).
  rewrite sum_plus, sum_plus, !sum_scal, <- (mean k Hk), total. ring.
Qed.

Lemma square_of_mean : A * (norm d (fun k => c k - p k))^2
  + \sum_(j < n) (w j * (norm d (fun k => x j k - c k))^2) <= A * r^2.
Proof.
  rewrite <- spread_about_mean, <- total, <- sum_scal_r. apply sum_le; intros j Hj.
  destruct (w_nonneg j Hj) as [P|<-]; [|lra]. apply Rmult_le_compat_l; [lra|].
  apply pow_incr. split; [apply norm_nonneg|auto].
Qed.

Lemma spread_nonneg j : (j < n)%nat -> 0 <= w j * (norm d (fun k => x j k - c k))^2.
Proof. intros Hj. apply Rmult_le_pos; [auto|apply pow2_ge_0]. Qed.

Lemma mean_within : norm d (fun k => c k - p k) <= r.
Proof.
  pose proof square_of_mean. pose proof (sum_nonneg n _ spread_nonneg).
  apply Rsqr_incr_0_var; [|easy]. rewrite !Rsqr_pow2. apply Rmult_le_reg_l with A; lra.
Qed.

Lemma mean_extreme : norm d (fun k => c k - p k) = r ->
  forall j, (j < n)%nat -> 0 < w j -> forall k, (k < d)%nat -> x j k = c k.
Proof.
  intros E j Hj Hw k Hk. pose proof square_of_mean as Q. rewrite E in Q.
  pose proof (sum_nonneg n _ spread_nonneg).
  assert (Z : \sum_(j < n) (w j * (norm d (fun k => x j k - c k))^2) = 0) by lra.
  pose proof (sum_zero_terms n _ spread_nonneg Z j Hj) as T. cbv beta in T.
  apply Rmult_integral in T. destruct T as [T|T]; [lra|]. rewrite norm_sqr in T.
  pose proof (sum_squares_zero d _ T k Hk) as G. cbv beta in G. lra.
Qed.
End Mean.
