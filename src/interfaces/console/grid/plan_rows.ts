import { readableText } from "../../../base/json/field_path.ts";
import { isKind } from "../../../operations/plans/draft_items.ts";
import { ensureReplaceable } from "../../../operations/plans/replace_plan.ts";
import { editedValue } from "../../../operations/plans/edit_fields.ts";
import { isRevisable, proposedChanges } from "../../../operations/plans/plan_edits.ts";
import type { Change } from "../../../plans/model/change.ts";
import type { Edit } from "../../../plans/store/edit_draft.ts";
import { ApprovalError, PlanStateError } from "../../../plans/model/plan_errors.ts";
import type { FoundPlan } from "../plans/found_plan.ts";
import { marketView } from "../plans/plan_summary.ts";
import { fieldOf, SETTINGS } from "./grid_tables.ts";

export async function planRows({ plan, store, maker }: FoundPlan): Promise<Record<string, unknown>> {
  const proposed = proposedChanges(plan);
  return {
    ...marketView(plan.countryCode),
    plan_id: plan.id,
    profile_id: plan.profileId,
    country_code: plan.countryCode,
    maker,
    note: plan.note,
    closed: await closedBecause({ plan, store }),
    rows: proposed.map(({ change, row, edits }) => rowOf(change, row, edits)),
    proposed: proposed.flatMap(({ edits }) => edits),
    names: { campaigns: plan.names.campaigns, ad_groups: plan.names.ad_groups, portfolios: {} },
  };
}

async function closedBecause(found: Pick<FoundPlan, "plan" | "store">): Promise<string | null> {
  try {
    await ensureReplaceable(found);
    return null;
  } catch (error) {
    if (!(error instanceof PlanStateError || error instanceof ApprovalError)) throw error;
    return error.message;
  }
}

function rowOf(
  change: Change,
  row: { readonly kind: string; readonly id: string },
  edits: readonly Edit[],
): Record<string, unknown> {
  const { kind, op, label, campaignId, before, after, evidence = {} } = change;
  const shown = op === "create" ? after : before;
  const columns = isKind(kind) ? SETTINGS.map((column) => [column, fieldOf(kind, column)] as const) : [];
  const settings = columns.flatMap(([column, field]) => {
    const value = editedValue(shown, field);
    return value === undefined || value === null || typeof value === "object"
      ? []
      : [[column, value] as const];
  });
  const fields = columns.filter(([, field]) =>
    edits.some((edit) => edit.field === field) || isRevisable(change, edits, field)
  );
  const known = new Set(fields.map(([, field]) => field));
  const others = op === "update"
    ? edits.filter(({ field }) => !known.has(field)).map(({ field, seen, value }) =>
      `${field}: ${readableText(seen, field) || "none"} → ${readableText(value, field) || "none"}`
    )
    : [];
  const { clicks, cost, orders, acos } = evidence;
  const sales = evidence.sales ??
    (cost !== undefined && acos !== undefined && acos > 0 ? cost / acos : undefined);
  const { state, ...rest } = Object.fromEntries(settings);
  return {
    name: label,
    ...rest,
    ...(state === undefined ? {} : { state: String(state).toUpperCase() }),
    ...row,
    op,
    campaign_id: campaignId ?? textOf(after["campaignId"]),
    ad_group_id: textOf(after["adGroupId"]),
    why: evidence.reason,
    ...(others.length === 0 ? {} : { other: others.join("; ") }),
    ...{ clicks, cost, orders, sales },
    fields: Object.fromEntries(fields),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
