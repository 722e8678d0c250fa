export const EXIT = {
  done: 0,
  /** The message says what may have been done. */
  failed: 1,
  usage: 2,
  /** Some items were rejected or their outcome is unknown; the others were done. */
  someFailed: 3,
  /** Drift, or a plan that was edited, already applied, or made for another profile. Nothing was sent. */
  refused: 4,
  authentication: 5,
  /** `diff` or `drift` found differences. */
  differences: 6,
  interrupted: 130,
} as const;
