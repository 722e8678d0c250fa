import type { Undone } from "../../../plans/store/plan_status.ts";
import { accountTitle } from "../../../client/account_title.ts";
import * as z from "zod";
import type { ChangePlan } from "../../../plans/change_plan/change_plan.ts";
import type { Finding } from "../../../plans/model/finding.ts";
import { entityRows, type FieldRow } from "../../../plans/view/plan_markdown.ts";
import { countsText, findingText, totalLines } from "../../../plans/view/plan_lines.ts";
import { planView } from "../../../plans/view/plan_view.ts";
import { visibleText } from "../../../base/text/visible_text.ts";
import { firstWarnings, fittingRows, MAX_ROWS } from "../tooling/rows.ts";
import { type Row, textTable } from "../calls/text_table.ts";
import type { ProfileClient } from "../../../client/profile_client.ts";
import { platformText } from "../calls/failure_text.ts";
import type { ListedPlan } from "../../../operations/reads/plan_list.ts";

const MAX_FINDINGS = 20;

export const PLAN = z.looseObject({
  plan_id: z.string().optional().describe("Absent: nothing to change"),
  fingerprint: z.string().optional(),
  counts: z.string(),
  changes: z.array(z.record(z.string(), z.unknown())).describe("One row per changed field or new entity"),
  total_changes: z.int(),
  missing: z.array(z.string()).optional(),
  warnings: z.array(z.string()).optional(),
});

export interface PlanAnswer extends z.input<typeof PLAN> {
  readonly profile_id: string;
  readonly account?: string;
  /** Two letters, for example `CA`. */
  readonly country: string;
  readonly currency?: string;
  readonly findings?: Finding[];
  readonly totals?: readonly string[];
  readonly plan_uri?: string;
  /** Repeated from the text, for clients that show the model only the data. */
  readonly next?: string;
  readonly note?: string;
  readonly reverses?: string;
}

/** One row per changed field and one per new entity, at most 200. */
export function planData(plan: ChangePlan, account?: string): PlanAnswer {
  const view = planView(plan);
  const rows = entityRows(view, view.campaigns);
  const { rows: shown, hasCutValues } = fittingRows(rows.slice(0, MAX_ROWS).map(changeRow));
  const empty = plan.changes.length === 0;
  const { archive } = view.counts;
  const told = [
    ...archive === 0 ? [] : [`Archiving is permanent: ${archive} of the changes cannot be undone`],
    ...firstWarnings(plan.warnings),
  ];
  return {
    ...(empty ? {} : { plan_id: plan.id, fingerprint: plan.fingerprint }),
    profile_id: plan.profileId,
    ...(account === undefined ? {} : { account }),
    country: plan.countryCode,
    ...(view.currency === null ? {} : { currency: view.currency }),
    counts: countsText(view),
    changes: shown.map((row) => ({ ...row })),
    total_changes: rows.length,
    ...(rows.length > shown.length || hasCutValues ? { plan_uri: `platform-ads://plans/${plan.id}` } : {}),
    ...(plan.missing.length > 0 ? { missing: [...plan.missing] } : {}),
    ...(told.length > 0 ? { warnings: told } : {}),
    ...(plan.findings.length > 0
      ? { findings: plan.findings.slice(0, MAX_FINDINGS).map((finding) => ({ ...finding })) }
      : {}),
    ...(plan.money === null ? {} : { money: { ...plan.money } }),
    ...(empty ? {} : { totals: totalLines(view) }),
    ...(plan.note === null ? {} : { note: plan.note }),
    ...(plan.reverses === null ? {} : { reverses: plan.reverses }),
  };
}

const MAX_CELL = 1000;

export function planTable({ changes }: PlanAnswer): string {
  return textTable(changes, { longestCell: MAX_CELL });
}

export function planText(data: PlanAnswer): string {
  const name = data.account === undefined ? "" : `${data.account}, `;
  const account = `${name}profile ${data.profile_id} (${data.country})`;
  const amounts = data.currency === undefined ? "" : `, amounts in ${data.currency}`;
  const lines = [
    data.plan_id === undefined
      ? `Nothing to change in ${account}`
      : `Plan ${data.plan_id} for ${account}${amounts}: ${data.counts}`,
  ];
  if (data.fingerprint !== undefined) lines.push(`Fingerprint ${data.fingerprint}`);
  if (data.note !== undefined) lines.push(`Note: ${visibleText(data.note)}`);
  if (data.reverses !== undefined) lines.push(`Undoes plan ${data.reverses}`);
  if (data.missing !== undefined) lines.push(`Not found: ${data.missing.map(visibleText).join(", ")}`);
  lines.push(...firstWarnings((data.findings ?? []).map(findingText)));
  for (const warning of data.warnings ?? []) lines.push(`Warning: ${visibleText(warning)}`);
  lines.push(...data.totals ?? []);
  const shown = data.changes.length;
  if (data.plan_uri !== undefined) {
    const cut = shown < data.total_changes
      ? `The first ${shown} of ${data.total_changes} rows`
      : "Long values are cut";
    lines.push(`${cut}; whole in ${data.plan_uri}`);
  }
  return lines.join("\n");
}

function changeRow(
  { position, kind, id, what, campaign, field, before, after, change, evidence }: FieldRow,
): Record<string, unknown> {
  return {
    position,
    ...(campaign === "" ? {} : { campaign }),
    kind,
    id,
    label: what,
    field,
    ...(id === "(new)" ? {} : { before }),
    after,
    ...(change === "" ? {} : { change }),
    ...(evidence === "" ? {} : { evidence }),
  };
}

/** Distinguishes accounts of one country: `Shoes Ltd (seller)`; `undefined` without a name. */
export function accountName(
  { profile: { accountInfo } }: Pick<ProfileClient, "profile">,
): string | undefined {
  const title = accountTitle({ accountInfo });
  return title && platformText(title);
}

export function planRow(one: ListedPlan): Row {
  if (one.state === "unusable") return { plan_id: one.id, state: one.state, note: one.problem };
  const { plan, status } = one;
  return {
    plan_id: one.id,
    state: one.state,
    country: plan.countryCode,
    profile_id: plan.profileId,
    counts: one.counts,
    ...(one.next === null ? {} : { next: one.next }),
    ...(plan.note === null ? {} : { note: plan.note }),
    ...(plan.reverses === null ? {} : { reverses: plan.reverses }),
    ...(status.state === "applied"
      ? {
        applied_at: one.appliedAt,
        result: one.result,
        rollback_plan_id: one.undoPlan ?? undefined,
        ...undoneData(status.undone),
      }
      : {}),
  };
}

export function undoneData(undone: Undone | undefined): Row {
  if (undone === undefined) return {};
  const { at, by, isPart } = undone;
  return { undone_at: at, undone_by: by, ...(isPart ? { undone_in_part: true } : {}) };
}
