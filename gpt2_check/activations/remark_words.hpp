#pragma once

namespace attn::gpt2 {

// What is said of a layer that is read, though its numbers look like others; "{}" is filled in.

inline constexpr const char* kShares =
    "all scores lie from 0 to 1, as the weights of a sigmoid do: are they such weights, and not "
    "the logits that a softmax reads?";

inline constexpr const char* kBeforeTheMask =
    "scores that the mask hides are numbers like the others: were they recorded before it was "
    "added, and is the factor of q.k in them (else `temperatures` say what divides them)?";

inline constexpr const char* kHiddenInSight =
    "scores hide keys in every head that the mask full shows, and are read so: is the mask "
    "another, or the order of the keys?";

inline constexpr const char* kCentred =
    "the scores of every {} of a head sum to 0: were they centred, and is that what the softmax "
    "reads?";

inline constexpr const char* kLargestIsZero =
    "the largest score of every row is 0: was it taken off? What reads the size of the logits then "
    "reads another one";

inline constexpr const char* kLargestOfBlocks =
    "the largest score of every row is 0, which {} rows or more have several times: was the "
    "largest so "
    "far taken off block by block, as flash attention does? That changes the weights: record the "
    "scores before it, or hook_pattern";

inline constexpr const char* kLogarithms =
    "e^x of the scores sums to {:.4g} in every row: are they logarithms of weights, as log-softmax "
    "makes them? What reads the size of the logits then reads another one";

inline constexpr const char* kLogarithmsOfMeans =
    "e^x of the scores has the mean 1 over the keys of every row: are they logarithms of weights "
    "divided by those of a level row? What reads the size of the logits then reads another one";

inline constexpr const char* kOneIsZero =
    "one score of every row, {}, is exactly 0: was it taken off the others, or is it of a key of "
    "zeros? What reads the size of the logits reads another one where it was";

inline constexpr const char* kEndIsZero =
    "no score is {} 0, and no head has more than one of 0: was the {} of a head or of the layer "
    "taken off? What reads the size of the logits then reads another one";

inline constexpr const char* kMeanIsZero =
    "every number of the {} has the mean 0 over the positions, in every head: was the mean taken "
    "off, as before {} are rounded to few bits? Record them as they were";

inline constexpr const char* kWholeScores =
    "the scores are whole numbers, and some are large: are they products of integers, without "
    "their scale?";

inline constexpr const char* kCodes =
    "the scores are whole numbers from -128 to 127, and reach one of these: are they codes of 8 "
    "bits, without their scale?";

inline constexpr const char* kClipped =
    "the {} score, {:.6g}, comes often, and others are hardly the same: were the scores clipped, "
    "or does the model clip them?";

inline constexpr const char* kSomeOff =
    "some numbers of hook_z, less than half, are off the weights times the values by more than "
    "rounding makes: are all of these as the model computed them?";

inline constexpr const char* kUnlikeRotated =
    "the rotated {0} have nothing to do with the {0} beside them, which are not read: are these, "
    "or those, of another layer, or of other heads?";

inline constexpr const char* kNotRotated =
    "the rotated {0} are the {0} beside them, and the {1} were changed: were the {0} not rotated?";

inline constexpr const char* kOtherGroups =
    "heads of keys are the same in pairs in which heads of values are not, and the other way "
    "round: were those of one tiled (repeat), and of the other repeated (repeat_interleave)?";

inline constexpr const char* kRoundedProducts =
    "hook_z is the weights times the values only where what is multiplied is rounded to {}: did "
    "the model multiply so?";

inline constexpr const char* kOffOfSums =
    "hook_z is off the weights times the values by more than rounding makes, and the weights of a "
    "row sum to {:.6g}: {}";

inline constexpr const char* kSorted =
    "the {} {} from key to key in every row: were they sorted, and is the order of the keys lost?";

inline constexpr const char* kScatteredZeros =
    "weights of 0 or NaN hide keys of some heads that others see: were they small, and rounded to "
    "0? Then `zeros`: `weights` and `mask` say so; that they hide, a tensor hook_mask [head, "
    "query, key]";

inline constexpr const char* kLostSink =
    "the sink's weight of {} row{} is lost in rounding, as their sum is 1 but for what the numbers "
    "of the pattern are rounded by: record hook_attn_scores, or q and k, beside hook_sink";

inline constexpr const char* kFarZeros =
    "no weight of the pattern lies between 0 and {:.3g}, far above what is rounded to 0: do its "
    "zeros hide their keys? Then metadata `zeros`: `hidden`, or a tensor hook_mask [head, query, "
    "key], says so; as weights they leave {} row{} without logits";

inline constexpr const char* kDecimals =
    "the weights are rounded to {} decimals, and so to 0 in {} row{}, without logits then: record "
    "them as they are";

inline constexpr const char* kOfImage =
    "the weights are all multiples of 1/255: were they read from an image of 8 bits? Record them "
    "as the model has them";

inline constexpr const char* kMeanWithIdentity =
    "every query's own key has at least half of the weight of its row: are the weights the {} of a "
    "pattern and the identity, as rollout makes it?";

inline constexpr const char* kOverQueries =
    "rows that are multiplied by one number each add up to 1 at every key: was the softmax taken "
    "over the queries, and each row divided by its sum?";

inline constexpr const char* kDiffused =
    "the inverse of each head has no number above 0 beside its diagonal: was a softmax multiplied "
    "by itself, as diffusion does?";

inline constexpr const char* kBothWays =
    "columns of the pattern sum to 1 as rows do: were they divided by their sums in turn, as "
    "Sinkhorn does, so that no softmax of a row is left?";

inline constexpr const char* kInParts =
    "parts of {} keys, one after the other, have the same weight in every row that sees several: "
    "was the softmax taken of each part alone?";

inline constexpr const char* kOtherOutputs =
    "hook_z is not compared with the weights times the values, which are [query, head, d of v]";

inline constexpr const char* kSharedRow =
    "the {} of heads that are {} apart are the same at some positions, the first of them {}: are "
    "they of several sequences, recorded as heads of one?";

inline constexpr const char* kSquare =
    "it has {0} heads and {0} positions: nothing shows which axis is which, and they are read as "
    "{1}{2}{3}";

inline constexpr const char* kLoose =
    "the logits are so large that rounding to the recorded types may change weights by a factor of "
    "more than e: that the pattern fits them shows little";

inline constexpr const char* kOneShare =
    "one share of the weight lies on the first {} key{} in all rows of each head that see more: "
    "was the softmax of these and of the others taken apart?";

inline constexpr const char* kShareOfGroup =
    "one share of the weight lies on {:.0f} keys, the first among them, in all rows of each head, "
    "and the rest on {:.0f} others: was the softmax of these and of the others taken apart?";

inline constexpr const char* kFloor =
    "in most rows the least weight comes three times or more, of other keys in each head, and "
    "every other weight once: were weights clamped from below?";

inline constexpr const char* kDigits =
    "the weights have no more than {} significant digits: were they written as text, and rounded "
    "so?";

inline constexpr const char* kSymmetric =
    "the weight of a key for a query is that of the query for the key in every head: are they the "
    "mean of a pattern and its transpose?";

inline constexpr const char* kTwice =
    "each row is the softmax of numbers that are 0 or more and sum to 1: was a softmax taken of "
    "the weights again?";

inline constexpr const char* kRunningMeans =
    "each row may be a mean over all rows so far: are the weights running means, as caches keep "
    "them, and not those of one query each?";

inline constexpr const char* kAverages =
    "each row may be an average of rows, {}: were the weights smoothed over the queries?";

inline constexpr const char* kLayerMeans =
    "each weight of layer i may be the mean of those of layers 0 to i, in all heads: were the "
    "patterns averaged over the layers?";

inline constexpr const char* kCopies =
    "of {} keys only {} are different, in every head and row: were fewer keys copied to more "
    "places, as where a map is made larger or merged tokens are put back, or do tokens come again?";

inline constexpr const char* kOfFewRows =
    "the rows of each head are combinations of {} rows or fewer: were they resized, or made "
    "without a softmax?";

}  // namespace attn::gpt2
