import type { Draws } from "./draws.ts";
import { PLACEMENTS } from "./settings.ts";

/**
 * Clicks and prices of one kind of auction, tabulated by the logarithm of the own rank relative to the rivals' median.
 */
export interface AuctionTable {
  /** Expected clicks per auction at each point of the grid. */
  readonly clicks: Float64Array;
  /** Expected price per click at each point of the grid, in units of the rivals' median. */
  readonly price: Float64Array;
}

const [LOWEST, HIGHEST, STEP] = [-3.5, 3.5, 0.025];
const POINTS = Math.round((HIGHEST - LOWEST) / STEP) + 1;

/** Rivals of one kind of auction. */
export interface Rivals {
  /** Mean number of rivals in an auction; each rival takes part at random. */
  readonly count: number;
  /** Standard deviation of the logarithm of their bids. */
  readonly sigma: number;
  /** Clicks of each slot, relative to the first slot. */
  readonly slots: readonly number[];
  /** Lowest price, in units of the rivals' median. */
  readonly reserve: number;
}

/**
 * Generalised second-price auction against a Poisson number of rivals with log-normal bids: the number of rivals above a
 * bid b is Poisson with mean L(b) = count × (1 - F(b)), and the next lower bid is below u with probability
 * exp(L(b) - L(u)). Edelman, Ostrovsky and Schwarz (2007) describe the rule: each slot pays the next lower rank.
 */
export function auctionTable({ count, sigma, slots, reserve }: Rivals): AuctionTable {
  const clicks = new Float64Array(POINTS);
  const price = new Float64Array(POINTS);
  const above = (u: number): number => count * (1 - normalCdf(Math.log(u) / sigma));
  // The integral of exp(-L) from the reserve up to the bid, by trapezoids.
  let [integral, lastBid] = [0, reserve];
  let lastValue = Math.exp(-above(reserve));
  for (let at = 0; at < POINTS; at++) {
    const bid = Math.exp(LOWEST + at * STEP);
    if (bid <= reserve) continue;
    const rate = above(bid);
    const value = Math.exp(-rate);
    integral += (bid - lastBid) * (value + lastValue) / 2;
    [lastBid, lastValue] = [bid, value];
    price[at] = Math.min(bid, Math.max(reserve, bid - integral / value));
    let chance = value;
    slots.forEach((weight, slot) => {
      clicks[at]! += weight * chance;
      chance *= rate / (slot + 1);
    });
  }
  return { clicks, price };
}

/** Returns where a rank lies between two points of a table: `[point, share of the next point]`. */
export function gridPlace(x: number): number {
  return Math.min(POINTS - 1.001, Math.max(0, (x - LOWEST) / STEP));
}

/** Interpolates a table linearly at a place from `gridPlace`. */
export function readTable(table: Float64Array, place: number): number {
  const at = place | 0;
  const share = place - at;
  return table[at]! * (1 - share) + table[at + 1]! * share;
}

/** Distribution function of the standard normal (Abramowitz and Stegun 26.2.17, error below 1e-7). */
function normalCdf(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const tail = 0.3989422804014327 * Math.exp(-z * z / 2) * t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return z > 0 ? 1 - tail : tail;
}

const KINDS_OF_RIVALS = 6;

/** Draws the auctions of each kind of rivals. */
export function drawAuctions(draws: Draws): AuctionTable[] {
  return Array.from({ length: KINDS_OF_RIVALS }, () => {
    const second = draws.between(0.55, 0.75);
    return auctionTable({
      count: draws.between(5, 30) / 5,
      sigma: draws.between(0.4, 0.8),
      slots: [1, second, second * draws.between(0.5, 0.8)],
      reserve: draws.between(0.05, 0.2),
    });
  });
}

/** Clicks and cost by bid, for each target and placement. */
export class Landscape {
  readonly #auctions: readonly AuctionTable[];
  readonly #kind: Int32Array;
  readonly #center: Float64Array;
  readonly #volume: Float64Array;

  /**
   * Draws the rivals of each target.
   *
   * @param options.clicks Expected weekly clicks of each target, up to the place of its bid.
   */
  constructor(
    draws: Draws,
    { auctions, bids, clicks }: {
      readonly auctions: readonly AuctionTable[];
      readonly bids: Float64Array;
      readonly clicks: Float64Array;
    },
  ) {
    const targets = bids.length;
    this.#auctions = auctions;
    this.#kind = Int32Array.from({ length: targets }, () => Math.floor(draws.uniform() * KINDS_OF_RIVALS));
    this.#center = new Float64Array(targets * PLACEMENTS);
    this.#volume = new Float64Array(targets * PLACEMENTS);
    const shares = [draws.between(0.25, 0.45), draws.between(0.2, 0.35), 0];
    shares[2] = 1 - shares[0]! - shares[1]!;
    for (let at = 0; at < targets; at++) {
      const place = draws.normal(-0.15, 0.45);
      for (let k = 0; k < PLACEMENTS; k++) {
        const x = place - [0.2, 0, -0.1][k]! + draws.normal(0, 0.15);
        this.#center[at * PLACEMENTS + k] = Math.log(bids[at]!) - x;
        this.#volume[at * PLACEMENTS + k] = clicks[at]! * shares[k]! /
          Math.max(0.02, readTable(auctions[this.#kind[at]!]!.clicks, gridPlace(x)));
      }
    }
  }

  /**
   * Expected clicks and cost of a target in one placement in a usual week, at the bid that applies in this placement.
   *
   * @param shift Change in the strength of rivals, as a logarithm of their bids.
   */
  at(target: number, k: number, bid: number, shift: number): { clicks: number; cost: number } {
    const cell = target * PLACEMENTS + k;
    const center = this.#center[cell]! + shift;
    const table = this.#auctions[this.#kind[target]!]!;
    const place = gridPlace(Math.log(bid) - center);
    const clicks = this.#volume[cell]! * readTable(table.clicks, place);
    return { clicks, cost: clicks * Math.min(bid, Math.exp(center) * readTable(table.price, place)) };
  }
}
