/** Habits of the platform that are allowed by its contract and that clients trip over. */
export interface Quirks {
  /** Whether the success list of a batch comes in another order than the items were sent. */
  readonly shuffleSuccess: boolean;
  /** Every n-th further page of a list comes empty although more follow; 0 = never. */
  readonly emptyPageEvery: number;
}

/** The habits an emulator has when none are named. */
export const DEFAULT_QUIRKS: Quirks = { shuffleSuccess: true, emptyPageEvery: 4 };
