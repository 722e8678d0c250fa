/** Behavior that the platform's documentation does not mention. */
export interface Note {
  /** Stable name, for example `sb-keyword-state`. */
  readonly id: string;
  /** The fact in one line. */
  readonly title: string;
  /** Behavior of the platform, and how this package handles it. */
  readonly text: string;
}

/** Notes about one part of the platform. */
export interface NoteGroup {
  /** Stable name, for example `sponsored-brands`. */
  readonly id: string;
  /** Heading. */
  readonly title: string;
  /** Notes, in the order of the page. */
  readonly notes: readonly Note[];
}
