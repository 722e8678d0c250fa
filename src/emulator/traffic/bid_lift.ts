import { PLACEMENT_WEIGHTS } from "./clause_day.ts";
import type { DaySpan } from "../core/day_span.ts";
import type { ServedAdGroup, ServedCampaign, ServedClause } from "./served_campaign.ts";

const MOST = 4;

interface BidLift {
  readonly eagerness: number;
  /**
   * Ratio of the bid to its usual value at a moment, including rules and adjustments; `undefined` if it is 1 all day.
   */
  readonly ratioAt: ((moment: number, placement: number) => number) | undefined;
  readonly meanRatioAt: (moment: number) => number;
  readonly room: number;
}

/**
 * Returns how a clause's bid scales its usual traffic over a day. Changes to bids, rules and placement adjustments
 * take effect at the moment they are made. The usual traffic already includes the campaign's original adjustments, so
 * only later changes to them count.
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

function eagernessOf(share: number): number {
  return Math.min(MOST, share ** 0.6);
}
