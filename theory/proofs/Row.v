(** A row of logits at a temperature, what softmax makes of it, and its gradient there. *)
From Coq Require Import Reals.
From Limits Require Import Basics Vectors Weights.
Open Scope R_scope.

Record softmax_row := SoftmaxRow { L : nat; l : vector; T : R }.
Definition is_softmax_row (x : softmax_row) : Prop := (0 < L x)%nat /\ 0 < T x.

Definition a_ (x : softmax_row) : vector := softmax (L x) (T x) (l x).
Definition J_ (x : softmax_row) : matrix := gradient (softmax (L x) (T x)) (l x).

(** With the places of the two largest weights, which are those of the two largest logits. *)
Record ranked_row := RankedRow { row :> softmax_row; first : nat; second : nat }.
Definition is_ranked_row (x : ranked_row) : Prop :=
  is_softmax_row x /\ two_largest (L x) (l x) (first x) (second x).

(** A row, and a temperature below its own. *)
Record colder_row := ColderRow { warmer :> softmax_row; colder : R }.
Definition is_colder_row (x : colder_row) : Prop := is_softmax_row x /\ 0 < colder x < T x.
