import { type AuctionTable, auctionTable, gridPlace, readTable } from "./auction.ts";
import type { Draws } from "./draws.ts";
import { PLACEMENTS } from "./settings.ts";

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
