(** What the ties of attained bounds need: both sides of a claim, of a case, are one number. *)
From Coq Require Import Reals Lra Lia Psatz Arith List QArith Qreduction.
From Coquelicot Require Import Coquelicot.
From Interval Require Import Tactic.
From Limits Require Import Basics Exponential Vectors Weights Claim Tie.
From Limits Require Row Variation Corollary3 Normalizers Beyond Sinkhorn Theorem1 Retrieval Entropy Lemma1 Entmax.
Open Scope R_scope.

(** The case meets the hypotheses, and its sides are equal. *)
Definition attained (c : claim) (x : case c) : Prop := hypotheses c x /\ lhs c x = rhs c x.

(** ** Numbers that are rational *)

(** A term of rational numbers as a fraction in lowest terms. *)
Ltac fraction t := lazymatch t with
  | ?a + ?b => let x := fraction a in let y := fraction b in constr:(Qplus x y)
  | ?a - ?b => let x := fraction a in let y := fraction b in constr:(Qminus x y)
  | ?a * ?b => let x := fraction a in let y := fraction b in constr:(Qmult x y)
  | ?a / ?b => let x := fraction a in let y := fraction b in constr:(Qdiv x y)
  | - ?a => let x := fraction a in constr:(Qopp x)
  | / ?a => let x := fraction a in constr:(Qinv x)
  | ?a ^ ?n => let x := fraction a in constr:(Qpower x (Z.of_nat n))
  | IZR ?z => constr:(inject_Z z)
  | INR ?n => constr:(inject_Z (Z.of_nat n))
  end.
Ltac reduced t := let q := fraction t in eval vm_compute in (Qred q).
(** The same number as one fraction of integers. *)
Ltac plain_number q := lazymatch q with
  | (?n # 1)%Q => constr:(IZR n)
  | (?n # ?d)%Q => constr:(IZR n / IZR (Zpos d))
  end.
Ltac is_plain t := lazymatch t with IZR _ => idtac | IZR _ / IZR _ => idtac | _ => fail end.
Ltac number_in t := tryif is_plain t then fail else
  let q := reduced t in let r := plain_number q in replace t with r by (field || lra).

Lemma line_length t : sqrt (0 + t * (t * 1)) = Rabs t.
Proof. replace (0 + t * (t * 1)) with (Rsqr t) by (unfold Rsqr; ring). apply sqrt_Rsqr_abs. Qed.

Lemma plain_length t : sqrt (0 + t ^ 2) = Rabs t.
Proof. exact (line_length t). Qed.

(** The largest s up to [fuel] whose square divides n. *)
Fixpoint square_in (fuel : nat) (n : Z) : Z := match fuel with
  | O => 1%Z
  | S f => let s := Z.of_nat fuel in if Z.eqb (Z.modulo n (s * s)) 0 then s else square_in f n
  end.

Lemma root_of_square t s d m : (0 <= s)%R -> 0 < d -> t = (s / d)^2 * m -> sqrt t = s / d * sqrt m.
Proof.
  intros Hs Hd ->. rewrite sqrt_mult_alt, sqrt_pow2; [easy| |apply pow2_ge_0].
  apply Rmult_le_pos; [easy|]. now apply Rlt_le, Rinv_0_lt_compat.
Qed.

(** The root of a fraction, with what is a square before it: n/d = (s/d)^2 (n d/s^2). *)
Ltac is_integer t := lazymatch t with IZR _ => idtac | _ => fail end.
Ltac root_in t := let q := reduced t in lazymatch q with (?n # ?d)%Q =>
    let nd := eval vm_compute in (n * Zpos d)%Z in
    let fuel := eval vm_compute in (Z.to_nat (Z.min 1000 (Z.sqrt nd))) in
    let s := eval vm_compute in (square_in fuel nd) in
    let m := eval vm_compute in (nd / (s * s))%Z in
    lazymatch m with
    | 0%Z => replace (sqrt t) with 0 by (replace t with 0 by lra; now rewrite sqrt_0)
    | 1%Z => replace (sqrt t) with (IZR s / IZR (Zpos d))
        by (rewrite (root_of_square t (IZR s) (IZR (Zpos d)) 1); [rewrite sqrt_1; ring|lra|lra|lra])
    | _ => tryif is_integer t then lazymatch s with 1%Z => fail end else idtac;
        rewrite (root_of_square t (IZR s) (IZR (Zpos d)) (IZR m)) by lra
    end end.

(** ** Powers of one exponential *)

Lemma exp_power g k : exp (INR k * g) = exp g ^ k.
Proof. induction k as [|k IH]; [cbn; rewrite Rmult_0_l; apply exp_0|].
  rewrite S_INR, Rmult_plus_distr_r, exp_plus, IH, Rmult_1_l. cbn. ring. Qed.

(** exp t as a power of exp (1/den), t a whole multiple of 1/den. *)
Ltac power_in den t :=
  let q := reduced t in
  let k := eval vm_compute in (Qred (Qmult q (inject_Z (Zpos den)))) in
  lazymatch k with
  | (Z0 # 1)%Q => replace (exp t) with 1 by (symmetry; replace t with 0 by (field || lra); apply exp_0)
  | (Zpos ?p # 1)%Q => let n := eval vm_compute in (Pos.to_nat p) in
      replace (exp t) with (exp (1 / IZR (Zpos den)) ^ n)
        by (rewrite <- exp_power; f_equal; cbn [INR]; field)
  | (Zneg ?p # 1)%Q => let n := eval vm_compute in (Pos.to_nat p) in
      replace (exp t) with (/ exp (1 / IZR (Zpos den)) ^ n)
        by (rewrite <- exp_power, <- exp_Ropp; f_equal; cbn [INR]; field)
  end.
Ltac is_unit den t := lazymatch t with 1 / IZR (Zpos den) => idtac | _ => fail end.

(** ** Both sides *)

(** The order of two numbers that enclosures tell. *)
Ltac apart := first [lra|(apply difference || apply difference_lt); interval with (i_prec 120)].
Ltac nonzero := match goal with
  | |- _ /\ _ => split; nonzero
  | |- ~ _ => first [lra|apply Rgt_not_eq, Rlt_gt; interval with (i_prec 60)
      |apply Rlt_not_eq; interval with (i_prec 60)]
  | |- _ <> _ => first [lra|apply Rgt_not_eq, Rlt_gt; interval with (i_prec 60)
      |apply Rlt_not_eq; interval with (i_prec 60)]
  | |- _ => first [lra|interval with (i_prec 60)]
  end.
Lemma pow4_sqrt x : 0 <= x -> sqrt x ^ 4 = x^2.
Proof. intros H. rewrite <- (pow2_sqrt x H) at 2. ring. Qed.
Ltac nonneg := first [apart|repeat apply Rplus_le_le_0_compat; first [apply pow2_ge_0|lra]].
Ltac by_field := first [reflexivity|lra|solve [field; nonzero]
  |solve [rewrite ?pow2_sqrt by nonneg; field; nonzero]
  |match goal with |- context [sqrt ?t] => let H := fresh in
      assert (H : sqrt t ^ 2 = t) by (apply pow2_sqrt; nonneg); solve [field [H]; nonzero] end
  |field_simplify_eq; [rewrite ?pow2_sqrt, ?pow4_sqrt by nonneg; first [lra|ring]|nonzero ..]].
(** The order of two numbers, by enclosures or where they are equal. *)
Ltac at_most := first [apart|right; by_field].
Ltac told a b below above := let H := fresh in
  first [assert (H : a <= b) by apart; below H|assert (H : b < a) by apart; above H
    |assert (H : a <= b) by (right; by_field); below H]; clear H.

Lemma if_le {A : Type} a b (x y : A) : a <= b -> (if Rle_dec a b then x else y) = x.
Proof. destruct Rle_dec; [easy|lra]. Qed.
Lemma if_not_le {A : Type} a b (x y : A) : b < a -> (if Rle_dec a b then x else y) = y.
Proof. destruct Rle_dec; [lra|easy]. Qed.
Lemma if_lt {A : Type} a b (x y : A) : a < b -> (if Rlt_dec a b then x else y) = x.
Proof. destruct Rlt_dec; [easy|lra]. Qed.
Lemma if_not_lt {A : Type} a b (x y : A) : b <= a -> (if Rlt_dec a b then x else y) = y.
Proof. destruct Rlt_dec; [lra|easy]. Qed.

(** |t| <= r, of the length that t has on a line. *)
Lemma line_within t r : - r <= t <= r -> sqrt (0 + t * (t * 1)) <= r.
Proof. intros H. rewrite line_length. now apply Rabs_le. Qed.
Lemma line_beyond t r : t < - r \/ r < t -> r < sqrt (0 + t * (t * 1)).
Proof. intros H. rewrite line_length. unfold Rabs. destruct Rcase_abs; lra. Qed.

Ltac no_order t := lazymatch t with
  | context [Rmax _ _] => fail | context [Rmin _ _] => fail | context [Rabs _] => fail
  | context [Rle_dec _ _] => fail | context [Rlt_dec _ _] => fail | _ => idtac end.
Ltac larger_of a b := told a b ltac:(fun H => rewrite (Rmax_right a b H))
  ltac:(fun H => rewrite (Rmax_left a b (Rlt_le _ _ H))).
Ltac lesser_of a b := told a b ltac:(fun H => rewrite (Rmin_left a b H))
  ltac:(fun H => rewrite (Rmin_right a b (Rlt_le _ _ H))).
Ltac size_of t := told 0 t ltac:(fun H => rewrite (Rabs_pos_eq t H))
  ltac:(fun H => rewrite (Rabs_left1 t (Rlt_le _ _ H))).

(** What is told of a term: branches on an order, roots, the larger of two, sizes. *)
Ltac settle := repeat match goal with
  | |- context [if Rle_dec (sqrt (0 + ?t * (?t * 1))) ?r then _ else _] => first
      [rewrite (if_le (sqrt (0 + t * (t * 1))) r) by (apply line_within; lra)
      |rewrite (if_not_le (sqrt (0 + t * (t * 1))) r) by (apply line_beyond; lra)]
  | |- context [if Rle_dec ?a ?b then _ else _] => no_order a; no_order b;
      told a b ltac:(fun H => rewrite (if_le a b _ _ H)) ltac:(fun H => rewrite (if_not_le a b _ _ H))
  | |- context [if Rlt_dec ?a ?b then _ else _] => no_order a; no_order b;
      told b a ltac:(fun H => rewrite (if_not_lt a b _ _ H)) ltac:(fun H => rewrite (if_lt a b _ _ H))
  | |- context [sqrt (0 + ?t * (?t * 1))] => rewrite (line_length t)
  | |- context [sqrt (0 + ?t ^ 2)] => rewrite (plain_length t)
  | |- context [sqrt ?t] => root_in t
  | |- context [Rmax ?a ?b] => no_order a; no_order b; larger_of a b
  | |- context [Rmin ?a ?b] => no_order a; no_order b; lesser_of a b
  | |- context [Rabs ?a] => no_order a; size_of a
  end.
Ltac powers den := repeat match goal with
  | |- context [exp ?t] => tryif is_unit den t then fail else first [power_in den t
      |replace (exp t) with (exp 0) by (f_equal; field); rewrite exp_0]
  end.

Lemma root_is t r : 0 <= r -> t = r^2 -> sqrt t = r.
Proof. intros H ->. now apply sqrt_pow2. Qed.
Ltac squared := first [apply root_is; [nonneg|by_field]|symmetry; apply root_is; [nonneg|by_field]].

(** Roots of the same number are written alike. *)
Ltac roots := repeat match goal with |- context [sqrt ?a] =>
    match goal with |- context [sqrt ?b] => tryif constr_eq a b then fail else
      replace (sqrt a) with (sqrt b) by (f_equal; solve [by_field]) end end.

(** Both sides are numbers of one field. *)
Ltac simple_root t := first [replace t with 0 by (field; nonzero)|replace t with (1 / 2) by (field; nonzero)
  |replace t with (1 / 3) by (field; nonzero)|replace t with (1 / 4) by (field; nonzero)].
Ltac same den := numbers; settle; powers den; settle; roots; first [by_field|squared
  |repeat match goal with |- context [sqrt ?t] => simple_root t end; settle; by_field].

(** As [meets], with the roots of squares told first. *)
Ltac exact_meets := numbers; repeat match goal with |- context [sqrt ?t] => root_in t end; meets.

(** F' = 0 for all, or at both of two tokens the same F and the same |F'|. *)
Ltac same_slopes := first [left; solve [meets]
  |right; split; [reflexivity|split; numbers; settle; by_field]].

(** ** Norms: the theorem has the upper end, and a vector reaches it *)

Lemma norm_reached n (A : matrix) v t : 0 < \sum_(j < n) (v j)^2 -> 0 <= t ->
  (t^2 * (\sum_(j < n) (v j)^2) = \sum_(i < n) (apply n A v i)^2)%R -> t <= spectral_norm n n A.
Proof.
  intros Hv Ht E. pose proof (spectral_norm_bound n n A v) as B.
  pose proof (spectral_norm_nonneg n n A) as N. pose proof (norm_nonneg n (apply n A v)).
  assert (S : norm n (apply n A v) ^ 2 <= (spectral_norm n n A * norm n v)^2) by (apply pow_incr; lra).
  rewrite Rpow_mult_distr, !norm_sqr, <- E in S. apply Rmult_le_reg_r in S; [|easy].
  apply Rsqr_incr_0_var; [|easy]. now rewrite !Rsqr_pow2.
Qed.
(** The norm in the place of which [E] has one by entries is the bound, which v reaches. *)
Ltac by_vector E v den := refine (Rle_trans _ _ _ _ (Req_le _ _ (eq_sym E))); apply (norm_reached _ _ v);
  [numbers; lra|numbers; settle; apart|same den].
Ltac reached proved E v den := apply Rle_antisym; [apply proved|by_vector E v den].

(** Of softmax: between the two bounds by the largest weights, which meet. *)
Ltac between_bounds y den := apply Rle_antisym;
  [refine (Rle_trans _ _ _ (Corollary3.corollary3_local_upper_proved y ltac:(meets)) _)
  |refine (Rle_trans _ _ _ _ (Corollary3.corollary3_local_lower_proved y ltac:(meets)))];
  right; same den.

(** Of two entries that are not 0 the norm is at most Frobenius's, which v reaches. *)
Ltac shifted := repeat match goal with |- context [?a - (?b - ?c)] => replace (a - (b - c)) with c by lra end.
Ltac within_frobenius v := apply Rle_antisym;
  [refine (Rle_trans _ _ _ (spectral_norm_le_frobenius _ _ _) _); right; numbers; settle; shifted; squared
  |apply (norm_reached _ _ v); [numbers; lra|numbers; settle; apart|numbers; settle; shifted; by_field]].
