/** The exit codes of commands. */
export const EXIT = {
  /** Everything was done. */
  done: 0,
  /** It failed; the message says what may have been done. */
  failed: 1,
  /** The command, its options, its input or the settings are wrong. Nothing was sent. */
  usage: 2,
  /** Some items were refused or their outcome is unknown; the others were done. */
  someFailed: 3,
  /** A check refused: drift, a plan that was edited, applied before or is for another profile. Nothing was sent. */
  refused: 4,
  /** The login failed: credentials, consent or token. */
  authentication: 5,
  /** There are differences: what `diff` and `drift` were asked to find. */
  differences: 6,
  /** Ctrl-C, or a request to end. */
  interrupted: 130,
} as const;
