import { moneyText } from "../../internal/money_text.ts";
import { decimalsOf } from "../../markets.ts";
import { unitsText } from "../../plans/experiment/experiment.ts";
import type { Comparison } from "../../store/figures/experiment_outcome.ts";
import type { PlanOutcome } from "../../store/figures/plan_outcome.ts";
import { comparisonRange, signedShare, VERDICT_WORDS } from "./verdict_words.ts";

/** Did it work, in sentences: the answer first. */
export function comparisonLines(
  comparison: Comparison,
  { currency, country_code: country }: Pick<PlanOutcome, "currency" | "country_code">,
): string[] {
  const { verdict, reason, before, after, unit, treated, held, effects, profit_per_day: profit } = comparison;
  const lines = [`${VERDICT_WORDS[verdict]}: ${reason}`];
  if (treated > 0 && before !== null && after !== null) {
    lines.push(
      `  ${treated} ${
        unitsText(unit)
      } changed against ${held} held back, ${before.start} to ${before.end} and ` +
        `${after.start} to ${after.end}`,
    );
  }
  for (const [figure, range] of Object.entries(effects)) {
    lines.push(`  ${figure.padEnd(7)} ${comparisonRange(range)}`);
  }
  if (profit !== null) {
    const amount = (value: number): string =>
      `${value < 0 ? "-" : "+"}${moneyText(Math.abs(value), decimalsOf(country))}`;
    lines.push(
      `  profit  ${amount(profit.effect)} ${currency ?? ""} a day   ${amount(profit.low)} to ${
        amount(profit.high ?? Infinity)
      }`,
    );
  }
  const { beside } = comparison;
  if (beside !== null) {
    lines.push(
      `  ${comparison.figure} of what was changed ${signedShare(beside.changed)}, of others of its kind ${
        signedShare(beside.others)
      }`,
      `  ${beside.orders} orders; its clicks would have brought ${beside.orders_expected} at rates drawn towards those of ` +
        "campaign and account",
    );
  }
  const { voided, changed_again: again, budgets_changed: budgets, archived } = comparison;
  if (voided.length > 0) {
    lines.push(`  ${voided.length} held back were changed since and count for nothing: ${named(voided)}`);
  }
  if (again > 0) lines.push(`  ${again} changed ones were changed again by later plans`);
  if (budgets > 0) lines.push(`  Budgets of ${budgets} of their campaigns were changed in between`);
  if (archived > 0) lines.push(`  ${archived} were archived since`);
  return lines;
}

/** Ids that are named; the data has all. */
const NAMED = 10;

function named(ids: readonly string[]): string {
  return ids.length > NAMED
    ? `${ids.slice(0, NAMED).join(", ")} and ${ids.length - NAMED} more`
    : ids.join(", ");
}
