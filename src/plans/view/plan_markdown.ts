import { decimalsOf } from "../../base/markets/markets.ts";
import { markdownCell, nameInProse, visibleText } from "../../base/text/visible_text.ts";
import { isChangeRef } from "../model/change_ref.ts";
import type { PlanData } from "../model/plan_data.ts";
import { idText } from "../model/planned_call.ts";
import { isCampaignKind } from "../model/prior_state.ts";
import { evidenceText, planView } from "./plan_view.ts";
import { accountText, countsText, differenceText, findingText, totalLines } from "./plan_lines.ts";
import type { CampaignView, PlanView } from "./view_types.ts";

export function planMarkdown(plan: PlanData): string {
  const view = planView(plan);
  const account = accountText(view);
  const lines = [`## Plan ${plan.id}`, "", account.charAt(0).toUpperCase() + account.slice(1)];
  if (view.note !== null) lines.push("", `Note: ${visibleText(view.note)}`);
  if (view.reverses !== null) lines.push("", `Undoes plan ${view.reverses}`);
  lines.push("");
  const rows = fieldRows(view, view.campaigns);
  if (rows.length > 0) {
    const hasEvidence = rows.some(({ evidence }) => evidence !== "");
    lines.push(
      `| campaign | kind | id | what | field | before | after | change |${hasEvidence ? " evidence |" : ""}`,
      `|---|---|---|---|---|---|---|---|${hasEvidence ? "---|" : ""}`,
    );
    for (const { campaign, kind, id, what, field, before, after, change, evidence } of rows) {
      const cells = [campaign, kind, id, what, field, show(before), show(after), change];
      if (hasEvidence) cells.push(evidence);
      lines.push(`| ${cells.map(markdownCell).join(" | ")} |`);
    }
    lines.push("");
  }
  for (const { label, findings = [] } of view.campaigns.flatMap(({ changes }) => changes)) {
    for (const finding of findings) lines.push(`> ${nameInProse(label)}: ${findingText(finding)}`, "");
  }
  for (const finding of view.findings) lines.push(`> ${findingText(finding)}`, "");
  if (view.missing.length > 0) lines.push(`Not found: ${view.missing.map(visibleText).join(", ")}`, "");
  for (const warning of view.warnings) lines.push(`> Warning: ${visibleText(warning)}`, "");
  for (const total of totalLines(view)) lines.push(total, "");
  lines.push(`${countsText(view)}. Fingerprint ${plan.fingerprint.slice(0, 12)}`);
  return lines.join("\n") + "\n";
}

function show(value: unknown): string {
  if (value === null) return "—";
  return typeof value === "string" ? value : JSON.stringify(value);
}

export interface FieldRow {
  /** Position of the change in the plan, from 0. */
  readonly position: number;
  readonly kind: string;
  readonly id: string;
  readonly what: string;
  readonly campaign: string;
  readonly campaignName: string;
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
  /** For amounts: `+0.50 (+50.0%)`. */
  readonly change: string;
  readonly evidence: string;
}

const MAX_NEW = 1000;

export function fieldRows(
  { country_code: country, evidence_days: days }: Pick<PlanView, "country_code" | "evidence_days">,
  campaigns: readonly CampaignView[],
): FieldRow[] {
  const decimals = decimalsOf(country);
  return campaigns.flatMap(({ campaign_id: id, campaign_ref: ref, campaign_name: name, changes }) =>
    changes.flatMap((change) =>
      change.fields.map((field, at) => ({
        position: change.change,
        kind: change.kind,
        id: idText(change),
        what: change.label,
        campaign: isCampaignKind(change.kind)
          ? ""
          : [id ?? (ref === undefined ? "" : "(new)"), name].filter((part) => part).join(" "),
        campaignName: isCampaignKind(change.kind) ? "" : name ?? id ?? (ref === undefined ? "" : "(new)"),
        field: field.field,
        before: field.before,
        after: isChangeRef(field.after) ? `new ${field.after.ref}` : field.after,
        change: differenceText(field, decimals),
        evidence: at > 0 ? "" : evidenceText(change.evidence, { decimals, days: days ?? undefined }),
      }))
    )
  );
}

export function entityRows(
  view: Parameters<typeof fieldRows>[0],
  campaigns: readonly CampaignView[],
): FieldRow[] {
  return campaigns.flatMap((campaign) =>
    campaign.changes.flatMap((change) => {
      const rows = fieldRows(view, [{ ...campaign, changes: [change] }]);
      const [first] = rows;
      if (change.op !== "create" || first === undefined) return rows;
      const after = Object.fromEntries(rows.map(({ field, after }) => [field, after]));
      return JSON.stringify(after).length > MAX_NEW ? rows : [{ ...first, field: "new", after }];
    })
  );
}
