import type { EntityFigures } from "../review/estimate_money.ts";
import type { RuleFacts } from "./cel_rules.ts";
import { inheritsBid } from "../state/amounts.ts";
import { Unread } from "../model/prior_state.ts";
import type { EntityFacts } from "./entity_facts.ts";
import type { WriteTotals } from "../state/day_totals.ts";
import { type JudgedChange, type JudgedDay, relativeMove } from "./judged_change.ts";

export function ruleFacts(
  judged: JudgedChange,
  shared: Pick<RuleFacts, "market" | "plan" | "today">,
  { figures, ...day }: JudgedDay & { figures: ReadonlyMap<string, EntityFigures> | undefined },
): RuleFacts {
  const { change, op, campaign, campaignUnknown, fields, step: { bid } } = judged;
  const inherits = inheritsBid(change.kind);
  const before = inherits && op !== "create" ? withBid(judged.before, bid.before) : judged.before;
  const after = inherits ? withBid(judged.after, bid.after) : judged.after;
  const move = relativeMove(judged, day);
  return {
    ...shared,
    change: withIncrease({
      kind: change.kind,
      op,
      label: change.label,
      fields,
      campaignUnknown,
      bidUnknown: inherits && (bid.before instanceof Unread || bid.after instanceof Unread),
      ...(change.id === null ? {} : { id: change.id }),
      ...(after.campaignId === undefined ? {} : { campaignId: after.campaignId }),
    }, move),
    before: { ...before },
    after: { ...after },
    entity: { ...before },
    ...(campaign === undefined ? {} : { campaign: { ...campaign } }),
    figures: figures?.get(change.id ?? "") ?? {},
  };
}

/** Reading an unknown move throws, so that no rule mistakes it for no change. */
function withIncrease(
  facts: RuleFacts["change"],
  increase: number | undefined | Unread,
): RuleFacts["change"] {
  if (increase === undefined) return facts;
  if (typeof increase === "number") return { ...facts, increase };
  return Object.defineProperty({ ...facts }, "increase", {
    get: (): never => {
      throw new Error(`the size of this change is unknown, because ${increase.why}`);
    },
  });
}

function withBid(facts: EntityFacts, bid: number | undefined | Unread): EntityFacts {
  return typeof bid === "number" ? { ...facts, bid } : facts;
}

export function knownTotals(totals: WriteTotals): Record<string, number> {
  const { spendIncrease, changes, creates, updates, archives } = totals;
  return { changes, creates, updates, archives, ...(spendIncrease === undefined ? {} : { spendIncrease }) };
}
