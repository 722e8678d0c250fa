import { decimalsOf } from "../../base/markets/markets.ts";
import { idText } from "../model/planned_call.ts";
import { isCampaignKind } from "../model/prior_state.ts";
import { isChangeRef } from "../model/change_ref.ts";
import { evidenceText } from "./evidence_text.ts";
import { differenceText } from "./plan_lines.ts";
import type { CampaignView, PlanView } from "./view_types.ts";

export interface FieldRow {
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
