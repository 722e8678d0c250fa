import { amountText } from "../../base/markets/amount_text.ts";
import { quotedName } from "../../base/text/visible_text.ts";
import type { Comparison, MovedPart } from "./compare_periods.ts";

/** Changes below this fraction count as no change: half a tenth of a percent. */
const NOTHING = 0.0005;

/**
 * Describes a comparison in one sentence, for example `ACOS rose from 28.1 to 34.0 %, mostly from "Pans | Exact" (+4.2
 * of +5.9 points)`. Uses spend if sales cannot be compared.
 */
export function comparisonSentence(
  { total, parts, currency }: Pick<Comparison, "total" | "parts" | "currency">,
): string {
  const { before, after, change } = total;
  if (change.acos === null || before.acos === null || after.acos === null) {
    const named = largest(parts, change.cost, ({ change }) => change.cost);
    const from = named === undefined
      ? ""
      : `${named.words} ${quotedName(named.name)} (${sign(named.own)}${
        amountText(named.own, currency)
      } ${currency})`;
    const range = [amountText(before.cost, currency), amountText(after.cost, currency)] as const;
    return `Spend ${moved(change.cost, 0.005, range)} ${currency}${from}`;
  }
  const acos = before.acos;
  // Parts of the change that add up to it: cost above what the earlier ACOS allows, by the sales of each period.
  const excess = (part: MovedPart, when: "before" | "after"): number =>
    (part[when].cost - acos * part[when].sales) / total[when].sales;
  const named = largest(parts, change.acos, (part) => excess(part, "after") - excess(part, "before"));
  const points = (share: number): string => signed(share * 100, 1);
  const from = named === undefined
    ? ""
    : `${named.words} ${quotedName(named.name)} (${points(named.own)} of ${points(change.acos)} points)`;
  return `ACOS ${moved(change.acos, NOTHING, [percent(before.acos), percent(after.acos)])} %${from}`;
}

function largest(
  parts: Comparison["parts"],
  whole: number,
  partOf: (part: MovedPart) => number,
): { readonly name: string; readonly own: number; readonly words: string } | undefined {
  const list = parts.campaign ?? Object.values(parts)[0] ?? [];
  const owns = list.map((part) => ({ name: part.name, own: partOf(part) }));
  const found = owns.toSorted((a, b) => (b.own - a.own) * Math.sign(whole))[0];
  if (found === undefined || Math.abs(whole) < NOTHING || found.own * whole <= 0) return undefined;
  return { ...found, words: found.own / whole >= 0.5 ? ", mostly from" : ", partly from" };
}

function moved(change: number, least: number, [before, after]: readonly [string, string]): string {
  if (Math.abs(change) < least) return `stayed at ${after}`;
  return `${change > 0 ? "rose" : "fell"} from ${before} to ${after}`;
}

function signed(value: number, digits: number): string {
  return `${sign(value)}${value.toFixed(digits)}`;
}

function sign(value: number): string {
  return value > 0 ? "+" : "";
}

function percent(share: number): string {
  return (share * 100).toFixed(1);
}
