import { addDays, dayOf } from "../../base/time/calendar.ts";
import { type AmountChange, changedParts, LastChanges } from "../model/amount_changes.ts";
import type { DayLedger } from "../state/day_ledger.ts";
import type { PlanTarget } from "../model/plan_target.ts";
import { bidField } from "../state/amounts.ts";
import { withCopies } from "../state/copy_steps.ts";
import { planState } from "../state/plan_state.ts";
import type { PriorState } from "../model/prior_state.ts";
import type { JudgeablePlan } from "../model/write_policy.ts";
import { timeZoneOf } from "../../base/markets/markets.ts";
import type { ChangeRule } from "./change_rule.ts";

const DAY = 86_400_000;

/**
 * Blocks changes of a bid, budget or state for some days after it was set. Pauses, archives and lower budgets pass,
 * because they stop spend, but not a bid or higher budget set together with a pause. Hourly schedule moves pass;
 * changes of their bases do not.
 */
export function coolingRule(days: number | undefined): ChangeRule | undefined {
  if (days === undefined) return undefined;
  return ({ op, change, before, after, step }, { changes, moment }) => {
    const { id, kind, evidence } = change;
    if (op !== "update" || id === null || evidence?.factor !== undefined) return undefined;
    const starts = before.state !== after.state && (after.state ?? "ENABLED") === "ENABLED";
    const isSameBid = before.bid !== undefined && before.bid === after.bid;
    const moves = {
      bid: bidField(kind) in change.after && !isSameBid,
      budget: before.budget === undefined || after.budget === undefined || after.budget > before.budget,
      state: starts || step.wakes,
    };
    for (const part of changedParts(change.after)) {
      const changed = moves[part] ? changes?.dayOf(id, [part]) : undefined;
      const free = changed && addDays(changed, days);
      if (free === undefined || free <= moment.day) continue;
      return {
        rule: "cooling",
        message: `its ${part} was changed on ${changed} and must not change again for ${days} days`,
        allowed: `from ${free}`,
      };
    }
    return undefined;
  };
}

export async function changesToJudge(
  plan: JudgeablePlan,
  client: PlanTarget,
  { account, since, ledger, now, signal }: {
    readonly account: PriorState;
    readonly since: number;
    readonly ledger: DayLedger | undefined;
    readonly now: number;
    readonly signal: AbortSignal | undefined;
  },
): Promise<Pick<LastChanges, "dayOf"> | undefined> {
  const steps = withCopies(planState(plan.changes, account).steps, plan.countryCode);
  const concerned = steps.filter(({ op, change }) =>
    op === "update" && changedParts(change.after).length > 0
  );
  if (concerned.length === 0) return undefined;
  const elsewhere = new Set(concerned.flatMap(({ market }) => market?.isElsewhere ? [market.country] : []));
  const profiles = elsewhere.size === 0
    ? []
    : (await client.globalProfiles?.() ?? []).filter(({ countryCode }) => elsewhere.has(countryCode));
  if (client.amountChanges !== undefined) {
    const all = await Promise.all(
      [client, ...profiles].map((profile) => profile.amountChanges?.(since, { signal })),
    );
    return { dayOf: (id, parts) => all.flatMap((changes) => changes?.dayOf(id, parts) ?? []).sort().at(-1) };
  }
  const known = await ledgerChanges(ledger, { profileId: plan.profileId, since, now });
  return new LastChanges(known, client.timeZone ?? timeZoneOf(plan));
}

/**
 * The platform's history lacks Sponsored Display, so its changes come from a ledger. Includes writes that the platform
 * rejected.
 */
export async function ledgerChanges(
  ledger: DayLedger | undefined,
  { profileId, since, now }: { readonly profileId: string; readonly since: number; readonly now: number },
): Promise<AmountChange[]> {
  const found: AmountChange[] = [];
  // Days of markets begin up to half a day before and after those of UTC.
  for (let at = now + DAY; ledger !== undefined && at >= since - DAY; at -= DAY) {
    const { moved } = await ledger.totals({ profileId, day: dayOf(at) });
    for (const { kind, id, field } of moved) {
      if (kind.startsWith("sd.") && (field === "bid" || field === "budget" || field === "state")) {
        found.push({ id, part: field, at: Math.min(at, now) });
      }
    }
  }
  return found;
}
