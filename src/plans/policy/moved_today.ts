import { idText } from "../../base/json/id_of.ts";
import type { DayTotals, FirstValue } from "../state/day_totals.ts";
import { bidField, inheritsBid, ownBid } from "../state/amounts.ts";
import { identityOf, planState, type Step } from "../state/plan_state.ts";
import type { PlanTarget } from "../model/plan_target.ts";
import { isAdGroupKind, isCampaignKind, known, Unread } from "../model/prior_state.ts";
import { readPriorState } from "../state/read_prior_state.ts";

export interface MovedBid {
  /** The bid before its first move, in the account's currency. */
  readonly first: FirstValue;
  readonly now: Step;
}

const REBIDS = ["dynamicBidding", "bidding", "defaultBid"];

export function movesBelow({ change: { kind, after }, op }: Pick<Step, "change" | "op">): boolean {
  const isParent = isCampaignKind(kind) || isAdGroupKind(kind);
  return isParent && op === "update" && REBIDS.some((field) => field in after);
}

export async function readMovedBids(
  today: DayTotals,
  client: PlanTarget,
  signal: AbortSignal | undefined,
): Promise<MovedBid[]> {
  const bids = [
    ...today.moved.filter(({ field }) => field === "bid"),
    ...await readRecreated(today.moved.filter(({ field }) => field === "archived"), client, signal),
  ];
  if (bids.length === 0) return [];
  const asked = bids.map(({ kind, id }) => {
    const field = { [bidField(kind)]: null };
    return { kind, op: "update" as const, id, label: id, before: {}, after: field };
  });
  const account = await readPriorState(asked, client, { signal });
  const { steps } = planState(asked, account);
  return bids.map((first, at) => ({ first, now: steps[at]! }));
}

async function readRecreated(
  archived: readonly FirstValue[],
  client: PlanTarget,
  signal: AbortSignal | undefined,
): Promise<FirstValue[]> {
  const found: FirstValue[] = [];
  for (const [kind, gone] of Map.groupBy(archived, (one) => one.kind)) {
    const resource = client.resource(kind);
    const values = new Map(gone.map(({ id, value }) => [id, value]));
    // The second part of an identity is where the entity is. Of campaigns it was the budget that moved.
    const places = [...new Set(gone.map(({ id }) => String((JSON.parse(id) as unknown[])[1])))];
    if (isCampaignKind(kind)) continue;
    const place = kind.endsWith(".ad_groups") ? { campaignIds: places } : { adGroupIds: places };
    for await (const entity of resource.iter?.({ ...place, signal }) ?? []) {
      const value = values.get(identityOf(kind, entity));
      const id = idText(entity[resource.idField]);
      if (value !== undefined && id !== undefined) found.push({ kind, id, field: "bid", value });
    }
  }
  return found;
}

/**
 * Largest rise today among bids below a campaign or ad group, as a factor; 1 for none. In an ad group only bids that
 * inherit its default bid count.
 *
 * @param inherited The default bid that an ad group gets, in the account's currency.
 * @returns {@linkcode Unread} where a bid was moved and has not been read since.
 */
export function riseBelow(
  { change: { kind, id }, market }: Step,
  { today, moved, inherited }: {
    today: DayTotals;
    moved: readonly MovedBid[];
    inherited: number | undefined;
  },
): number | Unread {
  let rise = 1;
  const isRead = new Set(moved.map(({ first }) => `${first.kind} ${first.id}`));
  const other = today.moved.find((one) =>
    one.field === "bid" && !isRead.has(`${one.kind} ${one.id}`) && !(market?.isElsewhere && one.id === id)
  );
  if (other !== undefined && market?.isElsewhere) {
    return new Unread(`${other.kind} ${other.id} was changed today and is in another profile`);
  }
  if (other !== undefined) return new Unread(`${other.kind} ${other.id} was changed a moment ago. Try again`);
  for (const { first, now } of moved) {
    const fields = known(now.before);
    if (fields === undefined && market?.isElsewhere && first.id !== id) {
      return new Unread(`${first.kind} ${first.id} was changed today and is in another profile`);
    }
    // What is not there any more costs nothing.
    if (fields === undefined || first.value === 0) continue;
    const place = isCampaignKind(kind) ? now.campaign : now.adGroup;
    if (place === undefined || place instanceof Unread || place.id !== id) continue;
    const own = ownBid(first.kind, fields);
    if (kind.endsWith(".ad_groups")) {
      if (own !== undefined || !inheritsBid(first.kind) || inherited === undefined) continue;
      rise = Math.max(rise, inherited / first.value);
      continue;
    }
    if (now.bid.before instanceof Unread) return now.bid.before;
    if (now.bid.before !== undefined) rise = Math.max(rise, now.bid.before / first.value);
  }
  return rise;
}
