/** Something the platform does that its own documentation does not say. */
export interface Note {
  /** Name that stays the same, for example `sb-keyword-state`. */
  readonly id: string;
  /** One line for people who look for it. */
  readonly title: string;
  /** Behaviour of the platform, and the reaction of this package. */
  readonly text: string;
}

/** Notes about one part of the platform. */
export interface NoteGroup {
  /** Name that stays the same, for example `sponsored-brands`. */
  readonly id: string;
  /** Heading. */
  readonly title: string;
  /** In the order of the page. */
  readonly notes: readonly Note[];
}
