/** Takes a problem at a place of a file: the keys that lead to it, and what is wrong. */
export type Complain = (path: readonly PropertyKey[], message: string) => void;
