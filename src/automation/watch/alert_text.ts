import { addDays } from "../../base/time/calendar.ts";
import { moneyText } from "../../base/text/money_text.ts";
import { percentText } from "../../base/text/percent_text.ts";
import { decimalsOf } from "../../base/markets/markets.ts";
import { FigureFacts, type WatchSubject } from "./figure_facts.ts";
import type { WatchRule } from "./watch_file.ts";
import { figureNamed, isFigureOver, spokenFact } from "./watch_names.ts";

interface Words {
  readonly rule: WatchRule;
  readonly subject: WatchSubject;
  readonly day: string;
  readonly countryCode: string;
}

export function alertTitle(words: Words): string {
  const { rule: { name, say, when }, subject: { facts, label }, day, countryCode } = words;
  if (say === undefined) {
    return [countryCode, label, `${name}: ${when}`].filter((part) => part !== "").join(", ");
  }
  const text = say.replace(/\{([^}]*)\}/g, (_, word: string) => {
    if (word === "day") return day;
    if (word === "market") return countryCode;
    const value = facts[word];
    return value === undefined ? "unknown" : factText(word, value, words);
  });
  return `${countryCode}: ${text}`;
}

export function alertText(
  words: Words & { readonly own: readonly string[]; readonly link: string | undefined },
): string {
  const { rule, subject: { facts }, day, own, link } = words;
  const { condition, figures, days, look, advice } = rule;
  const lines: string[] = [];
  if (isFigureOver(rule.over)) {
    const first = addDays(day, 1 - FigureFacts.reach(figures));
    const which = look === "mature"
      ? " (days whose orders are complete)"
      : condition.readsSales
      ? " (orders of these days may still arrive)"
      : "";
    lines.push(`Seen: ${first === day ? day : `${first} to ${day}`}${which}`);
    if (days > 1) lines.push(`Since ${addDays(day, 1 - days)}, ${days} days in a row`);
    lines.push(`It costs ${money(costADay(rule, facts), words)} a day`);
  }
  const read = [...figures.map(({ name }) => name), ...condition.names].filter((name) =>
    typeof facts[name] === "number"
  );
  if (read.length > 0) {
    lines.push(read.map((name) => `${spokenFact(name)}: ${factText(name, facts[name]!, words)}`).join("; "));
  }
  lines.push(...own);
  if (advice !== undefined) lines.push(`To do: ${advice}`);
  if (link !== undefined) lines.push(`In the console: ${link}`);
  return lines.join("\n");
}

/** Returns the average daily cost in the profile's currency, over the longest period of figures that the rule reads. */
export function costADay({ figures }: Pick<WatchRule, "figures">, facts: WatchSubject["facts"]): number {
  const windows = figures.filter(({ of }) => of !== "median" && of !== "mad").map(({ days }) => days);
  return Number(facts["cost_longest"]) / Math.max(1, ...windows);
}

function factText(name: string, value: number | string, words: Words): string {
  if (typeof value === "string") return value;
  const metric = figureNamed(name)?.metric ?? name;
  if (name === "hour") return `${Math.floor(value)}:${String(Math.floor(value * 60 % 60)).padStart(2, "0")}`;
  if (/^(cost|sales|cpc|budget|bid|cost1h|cost_today|cost_today_median)$/.test(metric)) {
    return money(value, words);
  }
  if (/^(acos|ctr|cvr|budget_used7d|budget_used)$/.test(metric)) return percentText(value);
  return String(Number(value.toFixed(2)));
}

function money(value: number, { subject, countryCode }: Words): string {
  const decimals = decimalsOf(countryCode);
  const currency = subject.facts["currency"];
  return `${moneyText(Number(value.toFixed(decimals)), decimals)}${
    currency === undefined ? "" : ` ${currency}`
  }`;
}
