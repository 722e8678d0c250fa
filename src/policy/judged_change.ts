import type { Change, ChangeOperation, EntityFields } from "../plans/change.ts";
import { type EntityFacts, entityFacts } from "./entity_facts.ts";
import type { AccountReading } from "../plans/review/account_reading.ts";
import type { DayTotals } from "./day_totals.ts";

/** A change as rules judge it: by what it does, whatever it is called. */
export interface JudgedChange {
  /** Position in the plan. */
  readonly index: number;
  readonly change: Change;
  /** An update that sets an archived state is an archive; one without an id is a create. */
  readonly op: ChangeOperation;
  /** The entity as it is now; without fields for a create. */
  readonly before: EntityFacts;
  /** The entity as it will be. */
  readonly after: EntityFacts;
  /** Its campaign; for a campaign the entity itself. `undefined` where it has none or it could not be read. */
  readonly campaign: EntityFacts | undefined;
  /** True when the change names a campaign that could not be read. */
  readonly campaignUnknown: boolean;
  /** Names of the fields that change. */
  readonly fields: readonly string[];
}

/** Brings the changes of a plan to the form that rules judge. */
export function judgedChanges(changes: readonly Change[], account: AccountReading): JudgedChange[] {
  return changes.map((change, index) => {
    const op = operationOf(change);
    const now: EntityFields = {
      ...account.entity(change.kind, change.id),
      ...(op === "create" ? {} : change.before),
    };
    const before = entityFacts(change.kind, change.id, op === "create" ? {} : now);
    const merged = op === "create" ? change.after : { ...now, ...change.after };
    const after = entityFacts(change.kind, change.id, merged);
    const isCampaign = change.kind.endsWith(".campaigns");
    const campaignId = isCampaign ? undefined : change.campaignId ?? after.campaignId ?? before.campaignId;
    const read = campaignId === undefined ? undefined : account.campaign(change.kind, campaignId);
    return {
      index,
      change,
      op,
      before,
      after,
      campaign: isCampaign
        ? (op === "create" ? after : before)
        : read && entityFacts("campaign", campaignId!, read),
      campaignUnknown: campaignId !== undefined && read === undefined,
      fields: Object.keys(change.after),
    };
  });
}

function operationOf(change: Change): ChangeOperation {
  const state = change.after["state"];
  if (change.op === "create" || (change.op === "update" && change.id === null)) return "create";
  return typeof state === "string" && state.toUpperCase() === "ARCHIVED" ? "archive" : change.op;
}

/**
 * By how much a bid or budget moves, as a share of what it was: 0.5 for half as much again, -0.5 for half of it.
 * Measured against the value at the start of the day where it was changed before, so that many small steps count as
 * one. `undefined` where neither moves, or there was no value.
 */
export function relativeMove(judged: JudgedChange, today: DayTotals): number | undefined {
  let largest: number | undefined;
  for (const field of ["bid", "budget"] as const) {
    const to = judged.after[field];
    const now = judged.before[field];
    if (to === undefined || now === undefined || to === now) continue;
    const from = today.firstValue(judged.change.kind, judged.change.id, field) ?? now;
    const move = from === 0 ? (to > 0 ? Infinity : 0) : (to - from) / from;
    if (largest === undefined || Math.abs(move) > Math.abs(largest)) largest = move;
  }
  return largest;
}

/** A change in words, for messages. */
export function nameOf({ change }: JudgedChange): string {
  return `${change.kind} ${change.id ?? "(new)"} ${change.label}`.replace(/\s+/g, " ").trim();
}
