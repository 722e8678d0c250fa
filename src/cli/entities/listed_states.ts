/** The states that people list entities by. */
export const LISTED_STATES: readonly string[] = ["ENABLED", "PAUSED", "ARCHIVED"];
