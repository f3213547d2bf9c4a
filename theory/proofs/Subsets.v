(** Sums and means over all sets of N of L tokens. *)
From Coq Require Import Reals Lra Lia Psatz Arith Bool.
From Limits Require Import Basics Vectors.
Open Scope R_scope.

Notation set := (nat -> bool).
Definition add (k : nat) (I : set) : set := fun i => (i =? k)%nat || I i.

(** A set of N of L+1 tokens is one of N of the first L, or one of N-1 of them and the last. *)
Fixpoint sum_sets (L N : nat) (g : set -> R) : R :=
  match L, N with
  | O, O => g (fun _ => false)
  | O, S _ => 0
  | S M, O => sum_sets M O g
  | S M, S K => sum_sets M (S K) g + sum_sets M K (fun I => g (add M I))
  end.
Definition count (L N : nat) : R := sum_sets L N (fun _ => 1).
Definition mean (L N : nat) (g : set -> R) : R := sum_sets L N g / count L N.

Definition member (I : set) (i : nat) : R := if I i then 1 else 0.
Definition size (L : nat) (I : set) : R := \sum_(i < L) member I i.

(** What every set in the sum has: its members are below L. *)
Definition below (L : nat) (I : set) : Prop := forall i, (L <= i)%nat -> I i = false.

Lemma below_add L I : below L I -> below (S L) (add L I).
Proof.
  intros H i Hi. unfold add. rewrite H by lia. destruct (Nat.eqb_spec i L); [lia|easy].
Qed.

Lemma below_S L I : below L I -> below (S L) I.
Proof. intros H i Hi. apply H. lia. Qed.

Lemma sum_sets_le L N g h : (forall I, below L I -> g I <= h I) -> sum_sets L N g <= sum_sets L N h.
Proof.
  revert N g h. induction L as [|L IH]; intros [|N] g h H; cbn; auto using below_S, Rle_refl.
  - now apply H.
  - apply Rplus_le_compat; apply IH; auto using below_S, below_add.
Qed.

Lemma sum_sets_ext L N g h : (forall I, below L I -> g I = h I) -> sum_sets L N g = sum_sets L N h.
Proof. intros H. apply Rle_antisym; apply sum_sets_le; intros I HI; rewrite H by easy; lra. Qed.

Lemma sum_sets_plus L N g h : sum_sets L N (fun I => g I + h I) = sum_sets L N g + sum_sets L N h.
Proof.
  revert N g h. induction L as [|L IH]; intros [|N] g h; cbn; rewrite ?IH; lra.
Qed.

Lemma sum_sets_scal L N c g : sum_sets L N (fun I => c * g I) = c * sum_sets L N g.
Proof. revert N g. induction L as [|L IH]; intros [|N] g; cbn; rewrite ?IH; lra. Qed.

Lemma sum_sets_scal_r L N c g : sum_sets L N (fun I => g I * c) = sum_sets L N g * c.
Proof. rewrite Rmult_comm, <- sum_sets_scal. apply sum_sets_ext; intros; ring. Qed.

Lemma sum_sets_sum L N n (g : set -> vector) :
  sum_sets L N (fun I => sum n (g I)) = \sum_(i < n) sum_sets L N (fun I => g I i).
Proof.
  induction n as [|n IH]; cbn [sum].
  - rewrite (sum_sets_ext _ _ _ (fun _ => 0 * 0)) by (intros; ring). rewrite sum_sets_scal. ring.
  - now rewrite sum_sets_plus, IH.
Qed.

(** The triangle inequality over all sets. *)
Lemma norm_sum_sets d L N (g : set -> vector) :
  norm d (fun k => sum_sets L N (fun I => g I k)) <= sum_sets L N (fun I => norm d (g I)).
Proof.
  revert N g. induction L as [|L IH]; intros [|N] g; cbn.
  - apply Rle_refl.
  - rewrite norm_zero; lra.
  - apply IH.
  - eapply Rle_trans; [apply norm_triangle|].
    apply Rplus_le_compat; [apply IH|apply (IH N (fun I => g (add L I)))].
Qed.

(** ** Counting *)

Lemma count_S L N : count (S L) (S N) = count L (S N) + count L N.
Proof. easy. Qed.

Lemma sum_sets_0 L g : sum_sets L 0 g = g (fun _ => false).
Proof. induction L; easy. Qed.

Lemma count_0 L : count L 0 = 1.
Proof. apply sum_sets_0. Qed.

Lemma count_above L N : (L < N)%nat -> count L N = 0.
Proof.
  revert N; induction L as [|L IH]; intros [|N] H; try lia; [easy|].
  rewrite count_S, !IH by lia. lra.
Qed.

Lemma count_pos L N : (N <= L)%nat -> 0 < count L N.
Proof.
  revert N; induction L as [|L IH]; intros [|N] H; try lia.
  - cbn; lra.
  - rewrite count_0; lra.
  - rewrite count_S. pose proof (IH N ltac:(lia)). destruct (Nat.eq_dec N L) as [->|].
    + rewrite count_above by lia. lra.
    + pose proof (IH (S N) ltac:(lia)). lra.
Qed.

(** (N+1) C(L+1, N+1) = (L+1) C(L, N). *)
Lemma absorption L N : INR (S N) * count (S L) (S N) = INR (S L) * count L N.
Proof.
  revert N; induction L as [|L IH]; intros [|N].
  - cbn; lra.
  - rewrite count_S, !count_above by lia. lra.
  - rewrite count_S, (count_0 (S L)). pose proof (IH O) as E. rewrite count_0 in E.
    rewrite S_INR in *. cbn [INR] in *. lra.
  - rewrite count_S, (count_S L N). pose proof (IH N) as E1. pose proof (IH (S N)) as E2.
    rewrite (count_S L N), !S_INR in *. rewrite (count_S L (S N)) in E2. rewrite (count_S L (S N)). nra.
Qed.

Lemma absorption' L N : (N <= L)%nat -> INR (S L) * count L N = (INR (S L) - INR N) * count (S L) N.
Proof.
  intros H. destruct N as [|N]; [rewrite !count_0; cbn [INR]; lra|].
  pose proof (absorption L N) as E. rewrite count_S in *. nra.
Qed.

(** How many sets miss i. *)
Lemma count_missing L N i : (i < S L)%nat ->
  sum_sets (S L) N (fun I => 1 - member I i) = count L N.
Proof.
  revert N; induction L as [|L IH]; intros N Hi.
  - replace i with O by lia. destruct N as [|[|N]]; cbn; unfold member, add; cbn; lra.
  - destruct (Nat.eq_dec i (S L)) as [->|Hn].
    + assert (E : sum_sets (S L) N (fun I => 1 - member I (S L)) = count (S L) N).
      { apply sum_sets_ext; intros I HI. unfold member. rewrite HI by lia. ring. }
      destruct N as [|N]; [exact E|].
      change (sum_sets (S L) (S N) (fun I => 1 - member I (S L))
        + sum_sets (S L) N (fun I => 1 - member (add (S L) I) (S L)) = count (S L) (S N)).
      rewrite E, (sum_sets_ext _ _ _ (fun _ => 0 * 0)), sum_sets_scal; [ring|].
      intros I _. unfold member, add. rewrite Nat.eqb_refl. cbn. ring.
    + destruct N as [|N]; [apply (IH O); lia|].
      change (sum_sets (S L) (S N) (fun I => 1 - member I i)
        + sum_sets (S L) N (fun I => 1 - member (add (S L) I) i) = count (S L) (S N)).
      rewrite (sum_sets_ext (S L) N _ (fun I => 1 - member I i)), !IH by lia || (intros I _;
        unfold member, add; now rewrite (proj2 (Nat.eqb_neq i (S L)) Hn)).
      easy.
Qed.

(** How many miss i and have j. *)
Lemma count_missing_having L N i j : (i < S (S L))%nat -> (j < S (S L))%nat -> i <> j ->
  sum_sets (S (S L)) (S N) (fun I => (1 - member I i) * member I j) = count L N.
Proof.
  revert N i j; induction L as [|L IH]; intros N i j Hi Hj Hij.
  - assert (H : (i = 0 /\ j = 1 \/ i = 1 /\ j = 0)%nat) by lia.
    destruct H as [[-> ->]|[-> ->]]; destruct N as [|[|N]]; cbn; unfold member, add; cbn; lra.
  - set (M := S (S L)) in *.
    change (sum_sets M (S N) (fun I => (1 - member I i) * member I j)
      + sum_sets M N (fun I => (1 - member (add M I) i) * member (add M I) j) = count (S L) N).
    assert (last : forall I, member (add M I) M = 1)
      by (intros; unfold member, add; now rewrite Nat.eqb_refl).
    assert (other : forall I k, k <> M -> member (add M I) k = member I k)
      by (intros I k Hk; unfold member, add; now rewrite (proj2 (Nat.eqb_neq k M) Hk)).
    assert (none : forall I, below M I -> member I M = 0)
      by (intros I HI; unfold member; now rewrite HI).
    destruct (Nat.eq_dec i M) as [->|Hi'].
    + rewrite (sum_sets_ext M (S N) _ (fun I => 1 + -1 * (1 - member I j)))
        by (intros I HI; rewrite none by easy; ring).
      rewrite (sum_sets_ext M N _ (fun I => 0 * 0)) by (intros I HI; rewrite last; ring).
      rewrite sum_sets_plus, !sum_sets_scal, (count_missing (S L)) by lia.
      fold (count M (S N)). unfold M. rewrite count_S. ring.
    + destruct (Nat.eq_dec j M) as [->|Hj'].
      * rewrite (sum_sets_ext M (S N) _ (fun I => 0 * 0))
          by (intros I HI; rewrite none by easy; ring).
        rewrite (sum_sets_ext M N _ (fun I => 1 - member I i))
          by (intros I HI; rewrite last, other by easy; ring).
        rewrite sum_sets_scal, (count_missing (S L)) by lia. ring.
      * rewrite (sum_sets_ext M N _ (fun I => (1 - member I i) * member I j))
          by (intros I HI; now rewrite !other).
        unfold M at 1. rewrite IH by lia. destruct N as [|N].
        -- rewrite sum_sets_0, !count_0. cbn. ring.
        -- unfold M. rewrite IH, count_S by lia. ring.
Qed.

(** No set of one token has two of them. *)
Lemma sum_sets_single L i j k : j <> k ->
  sum_sets L 1 (fun I => (1 - member I i) * (member I j * member I k)) = 0.
Proof.
  intros Hjk. induction L as [|L IH]; [easy|].
  change (sum_sets L 1 (fun I => (1 - member I i) * (member I j * member I k))
    + sum_sets L 0 (fun I => (1 - member (add L I) i) * (member (add L I) j * member (add L I) k)) = 0).
  rewrite IH, sum_sets_0. unfold member, add. rewrite !orb_false_r.
  destruct (Nat.eqb_spec j L), (Nat.eqb_spec k L); try ring. exfalso; congruence.
Qed.

(** How many miss i and have both j and k. *)
Lemma count_missing_having_two L N i j k :
  (i < S (S (S L)))%nat -> (j < S (S (S L)))%nat -> (k < S (S (S L)))%nat ->
  i <> j -> i <> k -> j <> k ->
  sum_sets (S (S (S L))) (S (S N)) (fun I => (1 - member I i) * (member I j * member I k)) = count L N.
Proof.
  revert N i j k; induction L as [|L IH]; intros N i j k Hi Hj Hk Hij Hik Hjk.
  - assert (H : (i = 0 /\ j = 1 /\ k = 2 \/ i = 0 /\ j = 2 /\ k = 1 \/ i = 1 /\ j = 0 /\ k = 2 \/
      i = 1 /\ j = 2 /\ k = 0 \/ i = 2 /\ j = 0 /\ k = 1 \/ i = 2 /\ j = 1 /\ k = 0)%nat) by lia.
    destruct N as [|[|N]];
      repeat destruct H as [H|H]; destruct H as (-> & -> & ->); cbn; unfold member, add; cbn; lra.
  - set (M := S (S (S L))) in *.
    change (sum_sets M (S (S N)) (fun I => (1 - member I i) * (member I j * member I k))
      + sum_sets M (S N) (fun I => (1 - member (add M I) i) * (member (add M I) j * member (add M I) k))
      = count (S L) N).
    assert (last : forall I, member (add M I) M = 1)
      by (intros; unfold member, add; now rewrite Nat.eqb_refl).
    assert (other : forall I k, k <> M -> member (add M I) k = member I k)
      by (intros I n Hn; unfold member, add; now rewrite (proj2 (Nat.eqb_neq n M) Hn)).
    assert (none : forall I, below M I -> member I M = 0)
      by (intros I HI; unfold member; now rewrite HI).
    assert (zero : forall K g, (forall I, below M I -> g I = 0) -> sum_sets M K g = 0).
    { intros K g G. rewrite (sum_sets_ext M K g (fun _ => 0 * 0)), sum_sets_scal; [ring|].
      intros I HI. rewrite G by easy. ring. }
    destruct (Nat.eq_dec i M) as [->|Hi'].
    { rewrite (zero (S N)) by (intros I HI; rewrite last; ring).
      rewrite (sum_sets_ext M (S (S N)) _ (fun I => member I j * member I k))
        by (intros I HI; rewrite none by easy; ring).
      (* both of two: all, less those that miss the one or have it and miss the other *)
      rewrite (sum_sets_ext M (S (S N)) _
        (fun I => 1 + -1 * (1 - member I j) + -1 * ((1 - member I k) * member I j)))
        by (intros; ring).
      rewrite !sum_sets_plus, !sum_sets_scal, (count_missing (S (S L))) by lia.
      fold (count M (S (S N))). unfold M. rewrite (count_missing_having (S L)) by lia.
      rewrite !count_S. ring. }
    destruct (Nat.eq_dec j M) as [->|Hj'].
    { rewrite (zero (S (S N))) by (intros I HI; rewrite none by easy; ring).
      rewrite (sum_sets_ext M (S N) _ (fun I => (1 - member I i) * member I k))
        by (intros I HI; rewrite last, !other by auto; ring).
      unfold M. rewrite (count_missing_having (S L)) by lia. ring. }
    destruct (Nat.eq_dec k M) as [->|Hk'].
    { rewrite (zero (S (S N))) by (intros I HI; rewrite none by easy; ring).
      rewrite (sum_sets_ext M (S N) _ (fun I => (1 - member I i) * member I j))
        by (intros I HI; rewrite last, !other by auto; ring).
      unfold M. rewrite (count_missing_having (S L)) by lia. ring. }
    rewrite (sum_sets_ext M (S N) _ (fun I => (1 - member I i) * (member I j * member I k)))
      by (intros I HI; now rewrite !other).
    unfold M at 1. rewrite IH by lia. destruct N as [|N].
    + enough (sum_sets M 1 (fun I => (1 - member I i) * (member I j * member I k)) = 0) as ->
        by (rewrite !count_0; ring).
      now apply sum_sets_single.
    + unfold M. rewrite IH, count_S by lia. ring.
Qed.

(** Of sets of N of L tokens a share (L-N)/L misses i, and a share (L-N)/L N/(L-1) misses i and
    has j. *)
Lemma mean_missing L N i : (0 < L)%nat -> (N < L)%nat -> (i < L)%nat ->
  mean L N (fun I => 1 - member I i) = (INR L - INR N) / INR L.
Proof.
  intros HL HN Hi. destruct L as [|L]; [lia|]. unfold mean. rewrite count_missing by easy.
  pose proof (absorption' L N ltac:(lia)). pose proof (count_pos (S L) N ltac:(lia)).
  pose proof (lt_0_INR (S L) ltac:(lia)).
  apply Rmult_eq_reg_r with (INR (S L) * count (S L) N); [field_simplify; lra|nra].
Qed.

Lemma mean_missing_having L N i j : (1 < L)%nat -> (N < L)%nat -> (i < L)%nat -> (j < L)%nat ->
  i <> j ->
  mean L N (fun I => (1 - member I i) * member I j) =
  (INR L - INR N) / INR L * (INR N / (INR L - 1)).
Proof.
  intros HL HN Hi Hj Hij. destruct L as [|[|L]]; [lia..|].
  assert (E : INR (S (S L)) - 1 = INR (S L)) by (rewrite (S_INR (S L)); ring). rewrite E.
  pose proof (lt_0_INR (S L) ltac:(lia)). pose proof (lt_0_INR (S (S L)) ltac:(lia)).
  destruct N as [|N].
  - unfold mean. rewrite sum_sets_0. unfold member. cbn [INR]. unfold Rdiv. ring.
  - unfold mean. rewrite count_missing_having by easy.
    pose proof (absorption' (S L) (S N) ltac:(lia)) as E1. pose proof (absorption L N) as E2.
    pose proof (count_pos (S (S L)) (S N) ltac:(lia)).
    assert (E3 : count L N = INR (S N) * count (S L) (S N) / INR (S L)) by (rewrite E2; field; lra).
    assert (E4 : count (S L) (S N) =
      (INR (S (S L)) - INR (S N)) * count (S (S L)) (S N) / INR (S (S L))) by (rewrite <- E1; field; lra).
    rewrite E3, E4. field. lra.
Qed.

(** A share (L-N)/L N/(L-1) (N-1)/(L-2) misses i and has both j and k. *)
Lemma mean_missing_having_two L N i j k : (2 < L)%nat -> (N < L)%nat ->
  (i < L)%nat -> (j < L)%nat -> (k < L)%nat -> i <> j -> i <> k -> j <> k ->
  mean L N (fun I => (1 - member I i) * (member I j * member I k)) =
  (INR L - INR N) / INR L * (INR N / (INR L - 1)) * ((INR N - 1) / (INR L - 2)).
Proof.
  intros HL HN Hi Hj Hk Hij Hik Hjk. destruct L as [|[|[|L]]]; [lia..|].
  pose proof (lt_0_INR (S L) ltac:(lia)). pose proof (lt_0_INR (S (S L)) ltac:(lia)).
  pose proof (lt_0_INR (S (S (S L))) ltac:(lia)).
  assert (E2 : INR (S (S (S L))) - 2 = INR (S L)) by (rewrite (S_INR (S (S L))), (S_INR (S L)); ring).
  assert (E1 : INR (S (S (S L))) - 1 = INR (S (S L))) by (rewrite (S_INR (S (S L))); ring).
  rewrite E1, E2. destruct N as [|[|N]].
  - unfold mean. rewrite sum_sets_0. unfold member. cbn [INR]. unfold Rdiv. ring.
  - unfold mean. rewrite sum_sets_single by easy. cbn [INR]. unfold Rdiv. ring.
  - unfold mean. rewrite count_missing_having_two by easy.
    pose proof (absorption' (S (S L)) (S (S N)) ltac:(lia)) as A1.
    pose proof (absorption (S L) (S N)) as A2. pose proof (absorption L N) as A3.
    pose proof (count_pos (S (S (S L))) (S (S N)) ltac:(lia)).
    assert (B3 : count L N = INR (S N) * count (S L) (S N) / INR (S L)) by (rewrite A3; field; lra).
    assert (B2 : count (S L) (S N) = INR (S (S N)) * count (S (S L)) (S (S N)) / INR (S (S L)))
      by (rewrite A2; field; lra).
    assert (B1 : count (S (S L)) (S (S N)) = (INR (S (S (S L))) - INR (S (S N)))
      * count (S (S (S L))) (S (S N)) / INR (S (S (S L)))) by (rewrite <- A1; field; lra).
    rewrite B3, B2, B1. replace (INR (S (S N)) - 1) with (INR (S N)) by (rewrite (S_INR (S N)); ring).
    field. lra.
Qed.

Lemma mean_sum L N n (g : set -> vector) :
  mean L N (fun I => sum n (g I)) = \sum_(i < n) mean L N (fun I => g I i).
Proof. unfold mean. now rewrite sum_sets_sum, sum_div. Qed.

Lemma mean_plus L N g h : mean L N (fun I => g I + h I) = mean L N g + mean L N h.
Proof. unfold mean. rewrite sum_sets_plus. apply Rmult_plus_distr_r. Qed.

Lemma mean_scal_r L N c g : mean L N (fun I => g I * c) = mean L N g * c.
Proof. unfold mean. rewrite sum_sets_scal_r. unfold Rdiv. ring. Qed.

Lemma mean_ext L N g h : (forall I, below L I -> g I = h I) -> mean L N g = mean L N h.
Proof. intros H. unfold mean. now rewrite (sum_sets_ext _ _ _ _ H). Qed.

(** Jensen: the length of a mean vector is at most the mean length. *)
Lemma norm_mean d L N (g : set -> vector) : (N <= L)%nat ->
  norm d (fun k => mean L N (fun I => g I k)) <= mean L N (fun I => norm d (g I)).
Proof.
  intros H. pose proof (Rinv_0_lt_compat _ (count_pos L N H)). unfold mean.
  rewrite (norm_ext d _ (fun k => / count L N * sum_sets L N (fun I => g I k)))
    by (intros; apply Rmult_comm).
  rewrite norm_scal, Rabs_pos_eq, Rmult_comm by lra.
  apply Rmult_le_compat_r; [lra|apply norm_sum_sets].
Qed.

(** The definition lists what it should: every set in it has N members, and every set of N tokens
    comes once. *)
Fixpoint same (L : nat) (I J : set) : bool :=
  match L with O => true | S M => eqb (I M) (J M) && same M I J end.

Lemma same_ext L I I' J : (forall i, (i < L)%nat -> I i = I' i) -> same L I J = same L I' J.
Proof. induction L as [|L IH]; cbn; intros H; [easy|]. rewrite H, IH; auto with arith. Qed.

Theorem sum_sets_once L N J : size L J = INR N ->
  sum_sets L N (fun I => if same L I J then 1 else 0) = 1.
Proof.
  revert N. induction L as [|L IH]; intros N H.
  - destruct N; [easy|]. rewrite S_INR in H. cbn in H. pose proof (pos_INR N). lra.
  - unfold size in H. cbn [sum] in H. fold (size L J) in H. unfold member in H.
    assert (out : forall K, sum_sets L K (fun I => if same (S L) I J then 1 else 0)
      = if J L then 0 else sum_sets L K (fun I => if same L I J then 1 else 0)).
    { intros K. destruct (J L) eqn:E.
      - rewrite (sum_sets_ext _ _ _ (fun _ => 0 * 0)), sum_sets_scal; [ring|].
        intros I HI. cbn. rewrite (HI L (Nat.le_refl L)), E. cbn. ring.
      - apply sum_sets_ext. intros I HI. cbn. now rewrite (HI L (Nat.le_refl L)), E. }
    assert (inn : forall K, sum_sets L K (fun I => if same (S L) (add L I) J then 1 else 0)
      = if J L then sum_sets L K (fun I => if same L I J then 1 else 0) else 0).
    { intros K. destruct (J L) eqn:E.
      - apply sum_sets_ext. intros I HI. cbn [same]. unfold add at 1. rewrite Nat.eqb_refl, E. cbn.
        rewrite (same_ext L (add L I) I); [easy|]. intros i Hi. unfold add.
        now rewrite (proj2 (Nat.eqb_neq i L)) by lia.
      - rewrite (sum_sets_ext _ _ _ (fun _ => 0 * 0)), sum_sets_scal; [ring|].
        intros I HI. cbn [same]. unfold add at 1. rewrite Nat.eqb_refl, E. cbn. ring. }
    destruct N as [|N]; cbn [sum_sets].
    + rewrite out. destruct (J L); [|apply (IH O); lra].
      assert (0 <= size L J) by (apply sum_nonneg; intros i _; unfold member; destruct (J i); lra).
      cbn in H. lra.
    + rewrite out, inn. destruct (J L).
      * rewrite (IH N); [ring|]. rewrite S_INR in H. lra.
      * rewrite (IH (S N)); [ring|lra].
Qed.

Theorem sum_sets_size L N g h : (forall I, below L I -> size L I = INR N -> g I = h I) ->
  sum_sets L N g = sum_sets L N h.
Proof.
  revert N g h. induction L as [|L IH]; intros N g h H.
  - destruct N; [|easy]. apply H; easy.
  - assert (E : forall I, below L I -> size (S L) I = size L I).
    { intros I HI. unfold size. cbn [sum]. unfold member at 2. rewrite (HI L (Nat.le_refl L)). ring. }
    assert (E' : forall I, below L I -> size (S L) (add L I) = size L I + 1).
    { intros I HI. unfold size. cbn [sum]. unfold member at 2, add at 2. rewrite Nat.eqb_refl. cbn.
      f_equal. apply sum_ext; intros i Hi. unfold member, add.
      now rewrite (proj2 (Nat.eqb_neq i L)) by lia. }
    assert (A : sum_sets L N g = sum_sets L N h).
    { apply IH; intros I HI HN. apply H; [now apply below_S|]. now rewrite E. }
    destruct N as [|N]; [exact A|]. cbn. rewrite A. f_equal. apply IH; intros I HI HN.
    apply H; [now apply below_add|]. rewrite E', HN, S_INR by easy. ring.
Qed.

Lemma mean_le L N g h : (N <= L)%nat -> (forall I, below L I -> size L I = INR N -> g I <= h I) ->
  mean L N g <= mean L N h.
Proof.
  intros HN H. apply Rmult_le_compat_r; [now apply Rlt_le, Rinv_0_lt_compat, count_pos|].
  rewrite (sum_sets_size L N g (fun I => Rmin (g I) (h I))).
  - apply sum_sets_le; intros; apply Rmin_r.
  - intros I HI HS. now rewrite Rmin_left by auto.
Qed.

Lemma mean_const L N c : (N <= L)%nat -> mean L N (fun _ => c) = c.
Proof.
  intros H. pose proof (count_pos L N H). unfold mean.
  rewrite (sum_sets_ext L N _ (fun _ => 1 * c)), sum_sets_scal_r by (intros; ring).
  fold (count L N). field. lra.
Qed.

(** Cauchy-Schwarz for means. *)
Lemma mean_cauchy_schwarz L N g h : (N <= L)%nat ->
  (mean L N (fun I => g I * h I))^2 <= mean L N (fun I => (g I)^2) * mean L N (fun I => (h I)^2).
Proof.
  intros HN. set (a := mean L N (fun I => (g I)^2)). set (b := mean L N (fun I => g I * h I)).
  set (c := mean L N (fun I => (h I)^2)).
  assert (H : forall x y, 0 <= a * x^2 + b * (2 * x * y) + c * y^2).
  { intros x y. unfold a, b, c. rewrite <- !mean_scal_r, <- !mean_plus.
    rewrite <- (mean_const L N 0 HN). apply mean_le; [easy|]. intros I _ _.
    pose proof (pow2_ge_0 (x * g I + y * h I)). lra. }
  assert (Hc : 0 <= c) by (specialize (H 0 1); lra).
  destruct (Req_dec c 0) as [E|Hc'].
  - destruct (Req_dec b 0) as [Eb|Eb]; [rewrite Eb, E; lra|].
    assert (Ha : 0 <= a) by (specialize (H 1 0); lra).
    pose proof (H 1 (- (a + 1) / (2 * b))) as H1. rewrite E in H1.
    replace (_ + _) with (- 1) in H1 by (field; easy). lra.
  - pose proof (H c (- b)) as H1. replace (_ + _) with (c * (a * c - b^2)) in H1 by ring.
    apply Rmult_le_reg_l with c; [lra|]. lra.
Qed.
