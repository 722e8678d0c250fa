import { currencyOf, moneyText, roundMoney } from "../text/money.ts";
import { readableText } from "../output/field_path.ts";
import { visibleText } from "../../internal/visible_text.ts";
import type { Styles } from "../output/styles.ts";
import { MONEY_FIELDS } from "../../resources/fields/money_fields.ts";
import { kindNoun } from "../../catalog/kind_noun.ts";
import { topChanges } from "./top_changes.ts";
import type { CampaignView, ChangeView, FieldView, MoneyView, PlanView } from "./plan_view.ts";

/** Options of {@linkcode renderPlan}. */
export interface RenderPlanOptions {
  /** Styles. */
  readonly styles: Styles;
  /** Changes to show at most, the topChanges ones; the rest is counted. @default all of them */
  readonly limit?: number;
}

interface Pen extends RenderPlanOptions {
  readonly decimals: number;
}

/** A plan as text: a diff grouped by campaign, then what is missing, the warnings, the money, and a line of counts. */
export function renderPlan(view: PlanView, options: RenderPlanOptions): string {
  const { styles, limit = Infinity } = options;
  const pen: Pen = { ...options, decimals: currencyOf(view.country_code)?.decimals ?? 2 };
  const lines = [`${styles.bold(`Plan ${view.id}`)} for profile ${view.profile_id} (${view.country_code})`];
  if (view.note !== null) lines.push(`Note: ${visibleText(view.note)}`);

  const total = view.counts.create + view.counts.update + view.counts.archive;
  for (const campaign of total > limit ? topChanges(view.campaigns, limit) : view.campaigns) {
    const changes = campaign.changes.flatMap((change) => changeLines(change, pen));
    lines.push("", styles.bold(campaignTitle(campaign)), ...changes);
  }
  if (total > limit) {
    lines.push(
      "",
      `These are the ${limit} topChanges of ${total} changes; adsctl plan show shows all of them`,
    );
  }

  if (view.missing.length > 0) {
    const more = view.missing.length > limit ? ` and ${view.missing.length - limit} more` : "";
    const ids = view.missing.slice(0, limit).map(visibleText).join(", ");
    lines.push("", styles.yellow(`Not found: ${ids}${more}`));
  }
  if (view.warnings.length > 0) lines.push("");
  for (const warning of view.warnings.slice(0, limit)) {
    lines.push(styles.yellow(`Warning: ${visibleText(warning)}`));
  }
  if (view.warnings.length > limit) lines.push(`... and ${view.warnings.length - limit} more warnings`);
  lines.push("", ...moneyLines(view, pen), styles.bold(`Plan: ${countsText(view)}`));
  return lines.join("\n") + "\n";
}

function campaignTitle({ campaign_id: id, campaign_name: name }: CampaignView): string {
  if (id === null) return "No campaign, or a new one";
  return `Campaign ${id}${name === null ? "" : ` ${visibleText(name)}`}`;
}

function changeLines(change: ChangeView, pen: Pen): string[] {
  const { styles } = pen;
  const name = [kindNoun(change.kind), change.id ?? "(new)", visibleText(change.label)].join(" ").trimEnd();
  switch (change.op) {
    case "archive":
      return [styles.red(`  - ${name}  archived for good`)];
    case "create":
      return [
        styles.green(`  + ${name}`),
        ...change.fields.map((field) => `      ${newFieldText(field, pen)}`),
      ];
  }
  if (change.fields.length === 1) {
    return [`  ${styles.yellow("~")} ${name}  ${fieldText(change.fields[0]!, pen)}`];
  }
  return [
    `  ${styles.yellow("~")} ${name}`,
    ...change.fields.map((field) => `      ${fieldText(field, pen)}`),
  ];
}

function newFieldText(view: FieldView, pen: Pen): string {
  return `${visibleText(view.field)} ${pen.styles.green(valueText(view.field, view.after, pen))}`;
}

function fieldText(view: FieldView, pen: Pen): string {
  const { styles } = pen;
  const name = visibleText(view.field);
  const after = valueText(view.field, view.after, pen);
  const text = `${name} ${valueText(view.field, view.before, pen)} → ${styles.bold(after)}`;
  if (view.difference === undefined) return text;
  const percent = view.percent === undefined ? "" : ` (${signed(view.percent, 1)}%)`;
  const change = `${signedMoney(view.difference, pen)}${percent}`;
  return `${text}  ${view.difference > 0 ? styles.green(change) : styles.red(change)}`;
}

function valueText(field: string, value: unknown, { decimals }: Pen): string {
  if (value === null) return "(none)";
  if (MONEY_FIELDS.has(field) && typeof value === "number") return moneyText(value, decimals);
  return visibleText(readableText(value));
}

function moneyLines(view: PlanView, pen: Pen): string[] {
  const currency = view.currency === null ? "" : ` ${view.currency}`;
  const line = (name: string, money: MoneyView, isSum: boolean): string[] => {
    const count = money.raised + money.lowered;
    if (count === 0) return [];
    const by = isSum ? 1 : count;
    const [before, after] = [money.before, money.after].map((sum) => roundMoney(sum / by, pen.decimals)) as [
      number,
      number,
    ];
    // Of the rounded amounts: a reader who subtracts them finds the same.
    const change = signed(after - before, pen.decimals);
    return [
      `${name}: ${money.raised} raised, ${money.lowered} lowered; ` +
      `${isSum ? "in all" : "on average"} ${before.toFixed(pen.decimals)} → ${after.toFixed(pen.decimals)}` +
      `${currency} (${change})`,
    ];
  };
  return [...line("Bids", view.bids, false), ...line("Daily budgets", view.daily_budgets, true)];
}

function countsText({ counts, missing, warnings }: PlanView): string {
  const parts = [`${counts.create} to create, ${counts.update} to change, ${counts.archive} to archive`];
  if (missing.length > 0) parts.push(`${missing.length} not found`);
  if (warnings.length > 0) parts.push(`${warnings.length} ${warnings.length === 1 ? "warning" : "warnings"}`);
  return parts.join("; ");
}

function signedMoney(amount: number, { decimals }: Pen): string {
  return `${amount < 0 ? "-" : "+"}${moneyText(Math.abs(amount), decimals)}`;
}

function signed(amount: number, decimals: number): string {
  return `${amount < 0 ? "-" : "+"}${Math.abs(amount).toFixed(decimals)}`;
}
