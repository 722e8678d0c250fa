/** Problem of one item of a list. */
export interface BadItem {
  /** Position in the list, counted from 0. */
  readonly index: number;
  /** The problem, and how to solve it. */
  readonly message: string;
}

const MAX_BAD_ITEMS = 100;

/**
 * Items of a list are malformed. All of them are reported at once, and nothing was sent.
 *
 * @example
 * ```ts
 * import { BadItemsError, type ProfileClient } from "@platform/ads";
 *
 * async function plan(us: ProfileClient, items: { keywordId: string; bid: number }[]): Promise<void> {
 *   try {
 *     await us.sp.keywords.planUpdate(items);
 *   } catch (error) {
 *     if (!(error instanceof BadItemsError)) throw error;
 *     for (const { index, message } of error.items) console.error(items[index], message);
 *   }
 * }
 * ```
 */
export class BadItemsError extends TypeError {
  /** The first 100 malformed items, in list order. */
  readonly items: readonly BadItem[];
  /** Number of malformed items. */
  readonly count: number;

  /**
   * Writes the message: the problem of a single item, or a summary of several.
   *
   * @param items The first of them.
   * @param count Number of all malformed items.
   */
  constructor(items: readonly BadItem[], count: number) {
    super(count === 1 ? items[0]?.message : severalText(items, count));
    this.items = items;
    this.count = count;
  }
}

export class BadItems {
  readonly #items: BadItem[] = [];
  #count = 0;

  attempt<Value>(index: number, step: () => Value): Value | undefined {
    try {
      return step();
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      this.add(index, error.message);
      return undefined;
    }
  }

  add(index: number, message: string): void {
    this.#count++;
    if (this.#items.length < MAX_BAD_ITEMS) this.#items.push({ index, message });
  }

  refuse(): void {
    if (this.#count > 0) throw new BadItemsError(this.#items, this.#count);
  }
}

function severalText(items: readonly BadItem[], count: number): string {
  const lines = items.map(({ index, message }) => `\n  item ${index}: ${message}`);
  const more = count > items.length ? `\n  and ${count - items.length} more` : "";
  return `Cannot use ${count} of the items:${lines.join("")}${more}`;
}
