import { readableText } from "../../base/json/field_path.ts";
import { moneyText } from "../../base/text/money_text.ts";
import { visibleText } from "../../base/text/visible_text.ts";
import { decimalsOf } from "../../base/markets/markets.ts";
import { isChangeRef } from "../model/change_ref.ts";
import { isMoneyField } from "../state/amounts.ts";
import { kindNoun } from "../../platform/catalog/kind_names.ts";
import { evidenceText, topChanges } from "./plan_view.ts";
import {
  campaignTitle,
  countsText,
  differenceText,
  findingText,
  noteLines,
  totalLines,
} from "./plan_lines.ts";
import { withoutSubject } from "../model/change_subject.ts";
import type { Finding } from "../model/finding.ts";
import type { CampaignView, ChangeView, EvidenceDays, FieldView, PlanView } from "./view_types.ts";

export interface TextStyles {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
}

interface RenderPlanOptions {
  readonly styles: TextStyles;
  readonly limit?: number;
  readonly ids?: boolean;
  readonly grounds?: string | undefined;
  readonly account?: string | undefined;
  readonly words?: (message: string) => string;
}

interface Pen {
  readonly styles: TextStyles;
  readonly decimals: number;
  readonly days: EvidenceDays | undefined;
  readonly ids: boolean;
  readonly said: Set<string>;
}

export function renderPlan(
  view: PlanView,
  { styles, limit = Infinity, ids = true, grounds, account, words = (message) => message }: RenderPlanOptions,
): string {
  const days = view.evidence_days ?? undefined;
  const pen = { styles, decimals: decimalsOf(view.country_code), days, ids, said: new Set<string>() };
  const lines = [
    account === undefined
      ? `${styles.bold(`Plan ${view.id}`)} for profile ${view.profile_id} (${view.country_code})`
      : `${styles.bold("Plan")} for ${account}${ids ? `  ${styles.dim(view.id)}` : ""}`,
  ];
  lines.push(...noteLines(view, { ids }));

  const { create, update, archive, call = 0 } = view.counts;
  const total = create + update + archive + call;
  const isCut = total > limit;
  for (const campaign of isCut ? topChanges(view.campaigns, limit) : view.campaigns) {
    const changes = campaign.changes.flatMap((change) => changeLines(change, campaign, pen));
    lines.push("", styles.bold(campaignTitle(campaign, pen)), ...changes);
  }
  if (isCut) {
    lines.push(
      "",
      `Showing the ${limit} most important of ${total} changes; adsctl plan show lists all`,
    );
  }

  if (view.missing.length > 0) {
    const more = view.missing.length > limit ? ` and ${view.missing.length - limit} more` : "";
    const ids = view.missing.slice(0, limit).map(visibleText).join(", ");
    lines.push("", styles.yellow(`Not found: ${ids}${more}`));
  }
  const warnings = [
    ...view.findings.map(findingText).filter((text) => !pen.said.has(text)),
    ...view.warnings.map((warning) => `Warning: ${visibleText(words(warning))}`),
  ];
  if (warnings.length > 0) lines.push("");
  for (const warning of warnings.slice(0, limit)) lines.push(styles.yellow(warning));
  if (warnings.length > limit) lines.push(`... and ${warnings.length - limit} more warnings`);
  lines.push("", ...totalLines(view, { grounds }), styles.bold(`Plan: ${closingCounts(view)}`));
  return lines.join("\n") + "\n";
}

function changeLines(change: ChangeView, campaign: CampaignView, pen: Pen): string[] {
  const { styles } = pen;
  const name = changeName(change, campaign);
  // Names come first, and ids, which take much room and are seldom read, last.
  const isNamed = change.id === null || isHeading(change, campaign) || !pen.ids && change.label !== "";
  const id = isNamed ? "" : `  ${styles.dim(change.id)}`;
  const evidence = evidenceText(change.evidence, pen);
  const below = [
    ...(evidence === "" ? [] : [`      ${evidence}`]),
    ...(change.findings ?? []).map((finding) => {
      const own = { ...finding, message: withoutSubject(finding.message, change) };
      const line = `      ! ${findingOnce(own, pen)}`;
      return finding.refused || finding.level === "deny" ? styles.red(line) : styles.yellow(line);
    }),
  ];
  switch (change.op) {
    case "archive":
      return [`${styles.red(`  - ${name}  archived for good`)}${id}`, ...below];
    case "create":
      return [`${styles.green(`  + new ${name}`)}${newFieldsText(change, campaign, pen)}`, ...below];
    case "call": {
      const fields = change.fields.map((field) => `      ${callFieldText(field, pen)}`);
      return [styles.bold(`  > ${name}`), ...fields, ...below];
    }
    case "update": {
      const [only, ...others] = change.fields.map((field) => fieldText(field, pen));
      const first = `  ${styles.yellow("~")} ${name}`;
      if (others.length === 0) return [`${first}  ${only ?? ""}`.trimEnd() + id, ...below];
      return [first + id, ...[only, ...others].map((text) => `      ${text}`), ...below];
    }
  }
}

function findingOnce(finding: Finding, { said }: Pen): string {
  const text = findingText(finding);
  if (said.has(text)) return `${finding.refused ? "not sent" : finding.level}: as above (${finding.code})`;
  said.add(text);
  return text;
}

function changeName(change: ChangeView, campaign: CampaignView): string {
  const label = isHeading(change, campaign) ? "" : visibleText(change.label);
  return [kindNoun(change.kind), label].filter((part) => part !== "").join(" ");
}

function isHeading({ kind, id, label }: ChangeView, campaign: CampaignView): boolean {
  return /\.campaigns$/.test(kind) && id !== null && id === campaign.campaign_id &&
    label === campaign.campaign_name;
}

function newFieldsText(
  { fields, label, ad_group_name: adGroup }: ChangeView,
  { campaign_id: campaignId, campaign_ref: campaignRef }: CampaignView,
  pen: Pen,
): string {
  const texts = fields.flatMap((field) => {
    const ref = isChangeRef(field.after) ? field.after.ref : undefined;
    if (
      field.field === "campaignId" && (ref === undefined ? field.after === campaignId : ref === campaignRef)
    ) return [];
    if (ref !== undefined) return [`${visibleText(field.field)} of new ${visibleText(ref)}`];
    if (field.field === "adGroupId" && typeof field.after === "string") {
      return [`ad group ${visibleText(adGroup ? `${adGroup} (${field.after})` : field.after)}`];
    }
    if (typeof field.after === "string" && field.after !== "" && label.includes(field.after)) return [];
    return [`${visibleText(field.field)} ${pen.styles.green(valueText(field.field, field.after, pen))}`];
  });
  return texts.length === 0 ? "" : `  ${texts.join(", ")}`;
}

function callFieldText(view: FieldView, pen: Pen): string {
  if (view.before !== null) return fieldText(view, pen);
  return `${visibleText(view.field)} ${pen.styles.bold(valueText(view.field, view.after, pen))}`;
}

function fieldText(view: FieldView, pen: Pen): string {
  const { styles } = pen;
  const name = visibleText(view.field);
  const after = valueText(view.field, view.after, pen);
  const text = `${name} ${valueText(view.field, view.before, pen)} → ${styles.bold(after)}`;
  if (view.difference === undefined) return text;
  return `${text}  ${differenceText(view, pen.decimals)}`;
}

function valueText(field: string, value: unknown, { decimals }: Pen): string {
  if (value === null) return "(none)";
  if (isMoneyField(field) && typeof value === "number") return moneyText(value, decimals);
  return isChangeRef(value) ? `new ${visibleText(value.ref)}` : visibleText(readableText(value));
}

function closingCounts(view: PlanView): string {
  const { missing, warnings } = view;
  const parts = [countsText(view)];
  if (missing.length > 0) parts.push(`${missing.length} not found`);
  if (warnings.length > 0) parts.push(`${warnings.length} ${warnings.length === 1 ? "warning" : "warnings"}`);
  return parts.join("; ");
}
