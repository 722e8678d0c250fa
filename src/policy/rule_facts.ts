import type { EntityFigures } from "../plans/review/estimate_money.ts";
import type { RuleFacts } from "./cel/cel_rules.ts";
import type { WriteTotals } from "../plans/day/day_totals.ts";
import { type JudgedChange, type JudgedDay, relativeMove } from "./judged_change.ts";

/** Facts of a change for rules in CEL. */
export function ruleFacts(
  judged: JudgedChange,
  shared: Pick<RuleFacts, "market" | "plan" | "today">,
  { figures, ...day }: JudgedDay & { figures: ReadonlyMap<string, EntityFigures> | undefined },
): RuleFacts {
  const { change, op, before, after, campaign, campaignUnknown, fields } = judged;
  const move = relativeMove(judged, day);
  return {
    ...shared,
    change: {
      kind: change.kind,
      op,
      label: change.label,
      fields,
      campaignUnknown,
      ...(change.id === null ? {} : { id: change.id }),
      ...(after.campaignId === undefined ? {} : { campaignId: after.campaignId }),
      ...(move === undefined ? {} : { increase: move }),
    },
    before: { ...before },
    after: { ...after },
    entity: { ...before },
    ...(campaign === undefined ? {} : { campaign: { ...campaign } }),
    figures: figures?.get(change.id ?? "") ?? {},
  };
}

/** Totals without those that are unknown, so that a rule which asks for one cannot judge. */
export function knownTotals(totals: WriteTotals): Record<string, number> {
  const { spendIncrease, changes, creates, updates, archives } = totals;
  return { changes, creates, updates, archives, ...(spendIncrease === undefined ? {} : { spendIncrease }) };
}
