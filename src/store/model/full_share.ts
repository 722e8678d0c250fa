/** Fraction of a budget at which a day counts as full, because the last click rarely fits exactly. */
export const FULL_SHARE = 0.95;
