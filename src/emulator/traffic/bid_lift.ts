import { PLACEMENT_WEIGHTS } from "./clause_day.ts";
import type { DaySpan } from "../core/day_span.ts";
import type { ServedAdGroup, ServedCampaign, ServedClause } from "./served_campaign.ts";

/** Times the usual traffic that a bid draws at most. */
const MOST = 4;

/** Traffic that the bids of a keyword or target draw in a day. */
interface BidLift {
  /** Times the usual traffic that the bid draws with which the day begins. */
  readonly eagerness: number;
  /**
   * Times that traffic that the bid of a moment draws at a placement, with what rules and adjustments add; `undefined`
   * where it is 1 all day.
   */
  readonly ratioAt: ((moment: number, placement: number) => number) | undefined;
  /** The same over all placements. */
  readonly meanRatioAt: (moment: number) => number;
  /** Most by which the ratio can exceed 1. */
  readonly room: number;
}

/**
 * Reads what bids do to the traffic of a keyword or target: a bid counts from the moment it is changed, as do rules and
 * placement adjustments. Usual traffic is that under the adjustments that a campaign was made with.
 */
export function bidLift(
  { campaign, adGroup, clause, span }: {
    readonly campaign: ServedCampaign;
    readonly adGroup: ServedAdGroup;
    readonly clause: ServedClause;
    readonly span: DaySpan;
  },
): BidLift {
  const { raise, premiums } = campaign;
  const bidAt = (moment: number): number => clause.bid.at(moment) ?? adGroup.defaultBid.at(moment);
  const bid = bidAt(span.start);
  const eagerness = eagernessOf(bid / clause.paceBid);
  const isMoved = clause.bid.changesWithin(span.start, span.end) ||
    (clause.bid.values().includes(undefined) && adGroup.defaultBid.changesWithin(span.start, span.end));
  /** Adjustments that a campaign was made with, where they are others now. */
  const firsts = premiums.map((premium) => {
    const [first = 0, ...later] = premium.values();
    return later.some((one) => one !== first) ? first : undefined;
  });
  const hasOthers = firsts.some((first) => first !== undefined);
  if (raise === undefined && !isMoved && !hasOthers) {
    return { eagerness, ratioAt: undefined, meanRatioAt: () => 1, room: 0 };
  }
  const ratioAt = (moment: number, placement: number): number => {
    const premium = premiums[placement];
    const first = firsts[placement];
    const adjusted = premium === undefined || first === undefined
      ? 1
      : (100 + premium.at(moment)) / (100 + first);
    const raised = 1 + (raise?.(moment) ?? 0) / 100;
    return eagernessOf(raised * adjusted * bidAt(moment) / clause.paceBid) / eagerness;
  };
  const weight = PLACEMENT_WEIGHTS.reduce((sum, one) => sum + one, 0);
  const meanRatioAt = (moment: number): number =>
    hasOthers
      ? PLACEMENT_WEIGHTS.reduce((sum, one, placement) => sum + one * ratioAt(moment, placement), 0) / weight
      : ratioAt(moment, 0);
  return { eagerness, ratioAt, meanRatioAt, room: MOST / eagerness - 1 };
}

/** Times the usual traffic that a bid draws, by its share of the bid that draws the usual. */
function eagernessOf(share: number): number {
  return Math.min(MOST, share ** 0.6);
}
