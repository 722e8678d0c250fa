import { decimalsOf } from "../../base/markets/markets.ts";
import { idText } from "../model/planned_call.ts";
import { isCampaignKind } from "../model/prior_state.ts";
import { isChangeRef } from "../model/change_ref.ts";
import { evidenceText } from "./evidence_text.ts";
import { differenceText } from "./plan_lines.ts";
import type { CampaignView, PlanView } from "./view_types.ts";

/** One changed field as a row of a table. */
export interface FieldRow {
  readonly kind: string;
  /** Id; `(new)` for a new entity, nothing for a call. */
  readonly id: string;
  readonly what: string;
  /** Id and name of its campaign, if known; empty for campaigns. */
  readonly campaign: string;
  /** Name of its campaign, or its id. */
  readonly campaignName: string;
  readonly field: string;
  /** Value now; `null` for none. */
  readonly before: unknown;
  readonly after: unknown;
  /** For amounts: `+0.50 (+50.0%)`. */
  readonly change: string;
  /** Evidence, on the first row of a change; empty if unknown. */
  readonly evidence: string;
}

/** Characters of the fields of a new entity that fit one row. */
const MAX_NEW = 1000;

/** A row for each changed field, most important first. */
export function fieldRows(
  { country_code: country, evidence_days: days }: Pick<PlanView, "country_code" | "evidence_days">,
  campaigns: readonly CampaignView[],
): FieldRow[] {
  const decimals = decimalsOf(country);
  return campaigns.flatMap(({ campaign_id: id, campaign_ref: ref, campaign_name: name, changes }) =>
    changes.flatMap((change) =>
      change.fields.map((field, at) => ({
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

/** The same with one row for a new entity, whose `after` holds all of its fields; with more where they are long. */
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
