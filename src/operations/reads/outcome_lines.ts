import type { Comparison, EffectRange, OutcomeVerdict } from "../../store/figures/experiment_outcome.ts";
import { visibleText } from "../../base/text/visible_text.ts";
import { moneyText, roundMoney } from "../../base/text/money_text.ts";
import { decimalsOf } from "../../base/markets/markets.ts";
import { unitsText } from "../../plans/model/experiment.ts";
import type { PlanOutcome } from "../../store/figures/plan_outcome.ts";

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
      `  ${comparison.figure}: changed entities ${signedShare(beside.changed)}, others of the same kind ${
        signedShare(beside.others)
      }`,
      `  ${beside.orders} orders; ${beside.orders_expected} expected from their clicks, at rates smoothed towards ` +
        "campaign and account",
    );
  }
  return [...lines, ...touchedLines(comparison)];
}

function touchedLines({ labels, others_known_until: known, after, ...touched }: Comparison): string[] {
  const { voided, changed_again: again, changed_by_others: others, moved_by_schedules: moved } = touched;
  const line = (ids: readonly string[], words: string): string[] =>
    ids.length === 0 ? [] : [`  ${ids.length} ${words}: ${named(ids, labels)}`];
  return [
    ...line(voided, "held back but changed since, and not counted"),
    ...line(again, "changed again by later plans"),
    ...line(others, "changed by others, outside of plans"),
    ...line(moved, "moved by schedules, in both groups"),
    ...line(touched.budgets_changed, "of their campaigns got another budget in between"),
    ...line(touched.archived, "archived since"),
    ...after === null ? [] : known === null
      ? [
        "  Changes by others are not known: entities were not stored before and after (adsctl sync --entities)",
      ]
      : known < after.end
      ? [`  Changes by others are known only until ${known} (adsctl sync --entities)`]
      : [],
  ];
}

const NAMED = 10;

function named(ids: readonly string[], labels: Comparison["labels"]): string {
  const names = ids.slice(0, NAMED).map((id) => {
    const label = labels[id];
    return label === undefined ? id : `${visibleText(label)} (${id})`;
  });
  return ids.length > NAMED ? `${names.join(", ")} and ${ids.length - NAMED} more` : names.join(", ");
}

export const VERDICT_WORDS: Readonly<Record<OutcomeVerdict, string>> = {
  more: "More",
  less: "Less",
  no_difference: "No difference found",
  too_small: "Too small to tell",
  too_early: "Too early",
  not_known: "Not known",
};

export function comparisonRange({ effect, low, high }: EffectRange): string {
  return `${signedShare(effect).padStart(7)}   ${signedShare(low)} to ${
    high === null ? "any" : signedShare(high)
  }`;
}

function signedShare(share: number | null): string {
  return share === null ? "unknown" : `${share < 0 ? "-" : "+"}${Math.abs(share * 100).toFixed(1)} %`;
}

export function outcomeLines(
  { before, after, days, immature, changes, estimate, currency, country_code: country, ...outcome }:
    PlanOutcome,
): string[] {
  const lines = [
    `Plan ${outcome.plan_id}, applied ${outcome.applied_at}: ${before.start} to ${before.end} against ` +
    `${after.start} to ${after.end} (${days} ${days === 1 ? "day" : "days"} each)`,
  ];
  const unknown = changes.filter((one) => one.before === null || one.after === null).length;
  if (unknown > 0) {
    lines.push(
      `${unknown} of ${changes.length} changes have no figures: their days are not all stored, or no report ` +
        "covers their kind",
    );
  }
  if (immature.from !== null) {
    lines.push(
      `From ${immature.from} on, ${immature.days} of the days after are immature: orders and sales may still grow`,
    );
  }
  if (estimate === null) return [...lines, "The plan has no estimate"];
  const decimals = decimalsOf(country);
  const amount = (value: number): string =>
    `${value < 0 ? "-" : "+"}${moneyText(roundMoney(Math.abs(value), decimals), decimals)}`;
  const range = `${amount(estimate.low)} to ${amount(estimate.high)} ${currency ?? ""}`.trimEnd();
  const actual = estimate.actual === null ? "unknown" : amount(estimate.actual);
  return [
    ...lines,
    `Daily spend: ${actual}, estimated ${range}: ${VERDICTS[estimate.verdict]}. ` +
    "The difference includes everything else that happened on these days",
  ];
}

const VERDICTS = {
  within: "within the range",
  above: "above the range",
  below: "below the range",
  unknown: "cannot be compared, because figures are missing",
} as const;
