import type { AccountReading } from "./account_reading.ts";
import type { Change } from "../change.ts";
import type { Finding } from "../finding.ts";
import type { AccountScale } from "./account_scale.ts";
import { amountOf } from "./amount_of.ts";
import { valuesNow } from "./values_now.ts";

/** An amount that becomes more than so many times what it was. */
const MAX_RAISE = 3;
/** An amount of more than so many times the median of its kind. */
const MAX_MEDIANS = 10;
/** Share of the live campaigns that a plan may stop. */
const MAX_STOPPED = 0.3;
/** How many times all daily budgets may become together. */
const MAX_BUDGETS = 2;

/** Codes of the default warnings. */
export const DEFAULT_CODES: ReadonlySet<string> = new Set([
  "AMOUNT_TRIPLED",
  "AMOUNT_FAR_ABOVE_MEDIAN",
  "MANY_CAMPAIGNS_STOPPED",
  "BUDGETS_DOUBLED",
  "CALL_NOT_JUDGED",
]);

/** What default warnings are made from. */
export interface DefaultFindingsContext {
  /** The account as it is now. */
  readonly account: AccountReading;
  /** How large its amounts are. */
  readonly scale: AccountScale;
  /** ISO 4217 code, for messages. */
  readonly currency: string;
}

/**
 * What is out of proportion in a plan: a bid or budget more than tripled or above ten times the median of its kind, more
 * than 30 % of the live campaigns stopped, all daily budgets together more than doubled. These hold where there is no
 * policy, and ask for a person.
 */
export function defaultFindings(changes: readonly Change[], context: DefaultFindingsContext): Finding[] {
  const findings = planFindings(changes, context);
  let at = 0;
  for (const change of changes) {
    const finding = changeFinding(change, at, context);
    if (finding !== undefined) findings.push(finding);
    at += 1;
  }
  return findings;
}

function changeFinding(
  change: Change,
  at: number,
  { account, scale: { medians }, currency }: DefaultFindingsContext,
): Finding | undefined {
  if (change.op === "call") return callFinding(change, at);
  const after = amountOf(change.kind, change.after);
  if (after === undefined) return undefined;
  const before = amountOf(change.kind, valuesNow(change, account));
  const nameOf = (): string => `${change.kind} ${change.id ?? "(new)"} ${change.label}`;
  if (before !== undefined && before > 0 && after > before * MAX_RAISE) {
    const times = (after / before).toFixed(1);
    return {
      code: "AMOUNT_TRIPLED",
      level: "approve",
      change: at,
      message: `${nameOf()}: ${after} ${currency} is ${times} times the ${before} ${currency} of now`,
      allowed: `up to ${MAX_RAISE} times without a person's word`,
    };
  }
  const median = medians.get(change.kind);
  if (median === undefined || after <= median * MAX_MEDIANS || after === before) return undefined;
  return {
    code: "AMOUNT_FAR_ABOVE_MEDIAN",
    level: "approve",
    change: at,
    message:
      `${nameOf()}: ${after} ${currency} is ${(after / median).toFixed(1)} times the median of its kind, ` +
      `${median} ${currency}`,
    allowed: `up to ${MAX_MEDIANS} times without a person's word`,
  };
}

function callFinding({ label }: Change, at: number): Finding {
  return {
    code: "CALL_NOT_JUDGED",
    level: "approve",
    change: at,
    message: `What ${label} does to spend is not known`,
    hint: "Read what it sends",
  };
}

function planFindings(
  changes: readonly Change[],
  { account, scale: { liveCampaigns, dailyBudgets }, currency }: DefaultFindingsContext,
): Finding[] {
  let stopped = 0;
  let budgets = dailyBudgets;
  for (const change of changes) {
    if (!change.kind.endsWith(".campaigns")) continue;
    const now = valuesNow(change, account);
    const next = { ...now, ...change.after };
    const was = change.op !== "create" && isLive(now);
    const is = change.op !== "archive" && isLive(next);
    if (was && !is) stopped += 1;
    budgets += (is ? amountOf(change.kind, next) ?? 0 : 0) - (was ? amountOf(change.kind, now) ?? 0 : 0);
  }
  const findings: Finding[] = [];
  if (liveCampaigns > 0 && stopped > liveCampaigns * MAX_STOPPED) {
    findings.push({
      code: "MANY_CAMPAIGNS_STOPPED",
      level: "approve",
      message: `This stops ${stopped} of ${liveCampaigns} live campaigns`,
      allowed: `up to ${MAX_STOPPED * 100} % without a person's word`,
    });
  }
  if (dailyBudgets > 0 && budgets > dailyBudgets * MAX_BUDGETS) {
    findings.push({
      code: "BUDGETS_DOUBLED",
      level: "approve",
      message: `All daily budgets together go from ${dailyBudgets.toFixed(2)} to ${
        budgets.toFixed(2)
      } ${currency}`,
      allowed: `up to ${MAX_BUDGETS} times without a person's word`,
    });
  }
  return findings;
}

function isLive(entity: Readonly<Record<string, unknown>>): boolean {
  return String(entity["state"] ?? "ENABLED").toUpperCase() === "ENABLED";
}
