import { moneyText, roundMoney } from "../../base/text/money_text.ts";
import { readableText } from "../../base/json/field_path.ts";
import { visibleText } from "../../base/text/visible_text.ts";
import { changeTitle, withoutSubject } from "../model/change_subject.ts";
import { decimalsOf } from "../../base/markets/markets.ts";
import type { Finding } from "../model/finding.ts";
import type { Change } from "../model/change.ts";
import type { MoneyAtRisk } from "../model/plan_data.ts";
import { countsOf } from "./plan_view.ts";
import type { AmountsView, CampaignView, FieldView, PlanView } from "./view_types.ts";

/** Account of a plan: `profile 7 (US), amounts in USD`. */
export function accountText({ profile_id: id, country_code: country, currency }: PlanView): string {
  return `profile ${id} (${country})${currency === null ? "" : `, amounts in ${currency}`}`;
}

export function accountQuestion(
  { profile_id: id, country_code: country }: Pick<PlanView, "profile_id" | "country_code">,
  { account, ids }: { account: string | null | undefined; ids: boolean },
): string {
  const profile = `profile ${id}`;
  if (!account) return `${country}, ${profile}`;
  return `${visibleText(account)}, ${country}${ids ? `, ${profile}` : ""}`;
}

export function noteLines(
  { note, reverses }: Pick<PlanView, "note" | "reverses">,
  { ids, title = "Note" }: { ids: boolean; title?: string },
): string[] {
  // The note that every undo is made with says no more.
  const lines = note === null || note === `Undo of plan ${reverses}`
    ? []
    : [`${title}: ${visibleText(note)}`];
  if (reverses === null) return lines;
  const [, day, hour, minute] = /^(\d{8})-(\d\d)(\d\d)\d\d-/.exec(reverses) ?? [];
  const date = day?.replace(/^(....)(..)/, "$1-$2-");
  return [
    ...lines,
    ids || date === undefined
      ? `Undoes plan ${reverses}`
      : `Undoes the plan of ${date} ${hour}:${minute} UTC`,
  ];
}

/** Counts in words: `2 to create, 1 to change, 0 to archive`. */
export function countsText({ counts }: Pick<PlanView, "counts">): string {
  const calls = counts.call === undefined ? "" : `, ${counts.call} to call`;
  const unsent = counts.not_sent === undefined ? "" : `; ${counts.not_sent} will not be sent`;
  const settled = counts.settled === undefined ? "" : `; ${counts.settled} settled before`;
  return `${counts.create} to create, ${counts.update} to change, ${counts.archive} to archive` +
    calls + unsent + settled;
}

export function planCounts(changes: readonly Change[]): string {
  return countsText({ counts: countsOf(changes) });
}

export function campaignTitle(campaign: CampaignView, { ids = true }: { ids?: boolean } = {}): string {
  const { campaign_id: id, campaign_ref: ref, campaign_name: name } = campaign;
  if (ref !== undefined) return `New campaign ${visibleText(name ?? ref)}`;
  if (id === null) return "No campaign, or a new one";
  return name ? `Campaign ${visibleText(name)}${ids ? ` (${id})` : ""}` : `Campaign ${id}`;
}

/** `advise: the bid is 9 times the median (BID_FAR_ABOVE_MEDIAN). Allowed: up to 2. Check the amount`. */
export function findingText({ level, message, code, allowed, hint, refused }: Finding): string {
  const range = allowed === undefined ? "" : `. Allowed: ${allowed}`;
  const next = hint === undefined ? "" : `. ${hint}`;
  return visibleText(`${refused ? "not sent" : level}: ${message} (${code})${range}${next}`);
}

export function titledFinding(finding: Finding, changes: readonly Change[]): Finding {
  const change = finding.change === undefined ? undefined : changes[finding.change];
  if (change === undefined) return finding;
  const rest = withoutSubject(finding.message, change);
  return { ...finding, message: `${changeTitle(change)}: ${rest}` };
}

/** Formats a difference as `+0.50 (+50.0%)`; empty for values that are not amounts. */
export function differenceText({ difference, percent }: FieldView, decimals: number): string {
  if (difference === undefined) return "";
  const amount = `${difference < 0 ? "-" : "+"}${moneyText(Math.abs(difference), decimals)}`;
  return percent === undefined ? amount : `${amount} (${signed(percent, 1)}%)`;
}

const MAX_NAMED = 5;

export function askLines(asks: readonly Finding[], changes: readonly Change[]): string[] {
  return [...Map.groupBy(asks, ({ code }) => code).values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const text = findingText(titledFinding(first, changes));
    if (others.length === 0) return [text];
    const named = others.flatMap(({ change }) => changes[change ?? -1] ?? []).slice(0, MAX_NAMED);
    const left = others.length - named.length;
    const names = [...named.map(changeTitle), ...(left > 0 ? [`${left} more`] : [])];
    return [`${text}. Also: ${names.join(", ")}`];
  });
}

/** With the policy `NO_CAP`, an amount has no effect. */
function capMoves(fields: readonly FieldView[]): Pick<FieldView, "before" | "after">[] {
  const [amount, policy, whole] = ["budget.amount", "budget.policy", "budget"].map((name) =>
    fields.find(({ field }) => field === name)
  );
  if (policy === undefined || ![policy.before, policy.after].includes("NO_CAP")) {
    return [amount, policy, whole].filter((field) => field !== undefined);
  }
  const { before = "capped", after = "capped" } = amount ?? {};
  return [{
    before: policy.before === "NO_CAP" ? null : before,
    after: policy.after === "NO_CAP" ? null : after,
  }];
}

function markedLines({ campaigns, counts, country_code: country }: PlanView): string[] {
  const decimals = decimalsOf(country);
  const changes = campaigns.flatMap((campaign) => campaign.changes);
  const list = (title: string, names: readonly string[], total = names.length): string[] => {
    if (names.length === 0) return [];
    const more = total > MAX_NAMED ? ` and ${total - MAX_NAMED} more` : "";
    return [`${title}: ${names.slice(0, MAX_NAMED).join(", ")}${more}`];
  };
  const cap = (value: unknown): string =>
    typeof value === "number" ? moneyText(value, decimals) : value === null ? "none" : readableText(value);
  const caps = changes.filter(({ kind, op }) => kind === "portfolios" && op === "update").flatMap((change) =>
    capMoves(change.fields).map(({ before, after }) =>
      visibleText(`${changeTitle(change)} ${cap(before)} → ${cap(after)}`)
    )
  );
  const archived = changes.filter(({ op }) => op === "archive").map(changeTitle);
  return [
    // A long plan is shown in part.
    ...list("Archived permanently", archived, Math.max(archived.length, counts.archive)),
    ...list("Portfolio caps", caps),
  ];
}

export function totalLines(
  view: PlanView,
  { grounds }: { readonly grounds?: string | undefined } = {},
): string[] {
  const lines = [...markedLines(view), ...amountLine("Bids", view.bids, { view, isSum: false })];
  lines.push(...amountLine("Daily budgets", view.daily_budgets, { view, isSum: true }));
  if (view.experiment !== null) lines.push(view.experiment.text);
  if (view.rehearsal !== null) {
    lines.push(
      `REHEARSAL: made on the account copy from ${view.rehearsal}; figures are simulated; apply it only there`,
    );
  }
  if (view.evidence_days !== null) {
    lines.push(`Figures shown with the changes: ${view.evidence_days.from} to ${view.evidence_days.to}`);
  }
  if (view.money !== null) {
    const { basis } = view.money;
    const isHidden = grounds !== undefined && basis.length > 0;
    lines.push(
      `Spend: ${spendLimitText(view.money, view.country_code)}` +
        (isHidden ? `; ${grounds}` : ""),
    );
    if (!isHidden) lines.push(...basis.map((ground) => `  ${visibleText(ground)}`));
  }
  return lines;
}

export function rolloutLines(views: readonly PlanView[], accountOf: (view: PlanView) => string): string[] {
  const marked = views.flatMap((view) => markedLines(view).map((line) => `${accountOf(view)}: ${line}`));
  const weighed = views.flatMap(({ money, country_code: country }) =>
    money === null ? [] : [{ money, country }]
  );
  const byCurrency = Map.groupBy(weighed, ({ money }) => money.currency);
  const spend = [...byCurrency].flatMap(([currency, own]) => {
    const [first] = own;
    if (first === undefined) return [];
    const name = byCurrency.size === 1 ? "Spend" : `Spend in ${currency}`;
    const sum = (part: (money: MoneyAtRisk) => number): number =>
      own.reduce((total, { money }) => total + part(money), 0);
    const perDay = { low: sum((money) => money.perDay.low), high: sum((money) => money.perDay.high) };
    const counts = { known: sum(({ known }) => known), unknown: sum(({ unknown }) => unknown) };
    return [`${name}: ${spendLimitText({ ...first.money, ...counts, perDay }, first.country)}`];
  });
  return [...marked, ...spend];
}

export function spendLimitText(money: MoneyAtRisk, countryCode: string): string {
  const { known, unknown, currency, basis, perDay: { low, high } } = money;
  if (known === 0) {
    const open = unknown === 0 ? "unknown" : `${unknown} of ${unknown} unknown`;
    return `${open}${basis.length === 0 ? " (needs 30 days of stored figures)" : ""}`;
  }
  const open = unknown === 0 ? "" : `; ${unknown} of ${known + unknown} unknown`;
  const decimals = decimalsOf(countryCode);
  const [least = 0, most = 0] = [low, high].map((amount) => roundMoney(amount, decimals));
  const isZero = least === 0 && most === 0;
  if (isZero) return unknown === 0 ? "no change" : `${open.slice(2)}; no change from the others`;
  const end = least === 0 ? high : most === 0 ? low : undefined;
  // The lower end says nothing where some are unknown.
  if (unknown > 0 && most > 0) return `up to ${signed(high, decimals)} ${currency} a day${open}`;
  const range = end === undefined
    ? spendText(money, countryCode)
    : `between no change and ${signed(end, decimals)} ${currency}`;
  return `${range} a day${open}`;
}

export function spendText({ currency, perDay: { low, high } }: MoneyAtRisk, countryCode: string): string {
  const [least, most] = [low, high].map((amount) => signed(amount, decimalsOf(countryCode)));
  return `${least === most ? least : `${least} to ${most}`} ${currency}`;
}

function amountLine(
  name: string,
  amounts: AmountsView,
  { view, isSum }: { view: PlanView; isSum: boolean },
): string[] {
  const count = amounts.raised + amounts.lowered;
  if (count === 0) return [];
  const decimals = decimalsOf(view.country_code);
  const by = isSum ? 1 : count;
  const before = roundMoney(amounts.before / by, decimals);
  const after = roundMoney(amounts.after / by, decimals);
  const currency = view.currency === null ? "" : ` ${view.currency}`;
  // Of the rounded amounts: a reader who subtracts them finds the same.
  return [
    `${name}: ${amounts.raised} raised, ${amounts.lowered} lowered; ` +
    `${isSum ? "in total" : "on average"} ${before.toFixed(decimals)} → ${after.toFixed(decimals)}` +
    `${currency} (${signed(after - before, decimals)})`,
  ];
}

function signed(amount: number, decimals: number): string {
  return `${amount < 0 ? "-" : "+"}${Math.abs(amount).toFixed(decimals)}`;
}
