import { Random } from "../../../emulator/core/random.ts";

const MAKERS = [
  "Alder",
  "Bramble",
  "Cobalt",
  "Dunlin",
  "Ember",
  "Fjord",
  "Garnet",
  "Heron",
  "Indigo",
  "Juniper",
];
const PRODUCTS: readonly (readonly [product: string, words: readonly string[]])[] = [
  ["Trail Tent", ["trail tent", "two person tent", "light tent", "camping tent", "tent with porch"]],
  ["Cast Iron Pan", ["cast iron pan", "iron skillet", "frying pan oven", "heavy pan", "grill pan"]],
  ["Dog Bed", ["dog bed", "washable dog bed", "large dog mattress", "dog sofa", "puppy bed"]],
  ["Water Filter", ["water filter", "camping filter", "filter bottle", "straw filter", "water purifier"]],
  ["Desk Lamp", ["desk lamp", "reading light", "led table lamp", "office lamp", "dimmable lamp"]],
  ["Knife Set", ["knife set", "kitchen knives", "chef knife", "steak knives", "knife block"]],
  ["Yoga Mat", ["yoga mat", "thick yoga mat", "travel mat", "cork mat", "exercise mat"]],
  ["Bird House", ["bird house", "nest box", "bird feeder", "wooden nest box", "garden bird box"]],
  ["Rain Jacket", ["rain jacket", "hiking jacket", "light raincoat", "packable jacket", "rain coat women"]],
  ["Coffee Mill", ["coffee mill", "hand grinder", "coffee grinder", "burr mill", "travel grinder"]],
];
const LETTERS = "0123456789BCDFGHJKLMNPQRSTVWXYZ";

/** A product line of a drawn account. */
export interface ProductLine {
  /** Name with its maker, unique in the account. */
  readonly name: string;
  /** Words that shoppers search for. */
  readonly words: readonly string[];
}

/**
 * Names, ids and amounts of a task, all from its seed.
 *
 * @example
 * ```ts
 * import type { DrawnTask, Task } from "@platform/ads/arena";
 *
 * const titled = (task: Task): Task => ({
 *   ...task,
 *   draw: (draw): DrawnTask => ({ ...task.draw(draw), limits: { calls: draw.integer(10, 20) } }),
 * });
 * console.log(typeof titled); // function
 * ```
 */
export class Draw {
  readonly #random: Random;
  readonly #products: (readonly [string, readonly string[]])[];
  readonly #makers: string[];
  #lastId: number;

  /** Creates a draw; equal seeds give equal draws. */
  constructor(seed: string) {
    this.#random = new Random(seed);
    this.#products = this.#random.shuffled(PRODUCTS);
    this.#makers = this.#random.shuffled(MAKERS);
    this.#lastId = 100_000_000_000_000 + this.integer(0, 99_999_999) * 100_000;
  }

  /** Integer from `low` to `high`, both included. */
  integer(low: number, high: number): number {
    return this.#random.integer(low, high);
  }

  /** Amount with two decimals from `low` to `high`. */
  money(low: number, high: number): number {
    return this.integer(Math.round(low * 100), Math.round(high * 100)) / 100;
  }

  /** Picks one of several items. */
  pick<Item>(items: readonly Item[]): Item {
    return this.#random.pick(items);
  }

  /** Returns a shuffled copy. */
  shuffled<Item>(items: readonly Item[]): Item[] {
    return this.#random.shuffled(items);
  }

  /** An id that was not drawn before. */
  id(): string {
    return String(this.#lastId += this.integer(1, 999));
  }

  /** Draws a product id. */
  asin(): string {
    return `B0${Array.from({ length: 8 }, () => this.pick([...LETTERS])).join("")}`;
  }

  /** Draws one of ten product lines, each at most once. */
  line(): ProductLine {
    const [product, words] = this.#products.pop() ?? ["Sample", ["sample"]];
    return { name: `${this.#makers.pop() ?? "Plain"} ${product}`, words: this.shuffled(words) };
  }

  /** Draws a moment in the middle of a day, ISO 8601, at which every market of the arena has the same date. */
  now(): string {
    const day = Date.UTC(2026, this.integer(3, 8), this.integer(1, 28), 16, this.integer(0, 59));
    return new Date(day).toISOString();
  }
}
