import { type ExperimentUnitKind, unitOfChange } from "../../plans/model/experiment.ts";
import type { PlanData } from "../../plans/model/plan_data.ts";

/** A field of an entity that somebody else changed while a plan was compared. */
export interface OutsideChange {
  /** Resource kind, for example `sp.keywords`. */
  readonly kind: string;
  /** Id of the changed entity, digits as text. */
  readonly id: string;
  /** Display name; empty if none is stored. */
  readonly label: string;
  /** Id of its campaign, if it has one. */
  readonly campaignId?: string | undefined;
  /** Id of its ad group, if it has one. */
  readonly adGroupId?: string | undefined;
  /** Path of the field, for example `bid`. */
  readonly field: string;
  /** Value after the change. */
  readonly after: unknown;
}

/** Changes by others, as far as the stored values of entities show them. */
export interface OutsideChanges {
  /** Changes, one for each field. */
  readonly changes: readonly OutsideChange[];
  /**
   * Last day covered by the stored values; `null` if entities were not stored both before and after the application.
   */
  readonly until: string | null;
}

/** Units of a comparison affected by other changes. Names are those of `--json`. */
export interface TouchedUnits {
  /** Held-back units changed since by plans or people, and therefore excluded. */
  readonly voided: readonly string[];
  /** Changed units that later plans changed again. */
  readonly changed_again: readonly string[];
  /** Units of both groups that were changed outside plans. */
  readonly changed_by_others: readonly string[];
  /** Last day for which changes by others are known; `null` if unknown. */
  readonly others_known_until: string | null;
  /** Units of both groups whose amounts were changed by schedules, in the same way in both groups. */
  readonly moved_by_schedules: readonly string[];
  /** Campaigns of the units whose budgets were changed since, by plans or others. */
  readonly budgets_changed: readonly string[];
  /** Units that were archived since, by plans or others. */
  readonly archived: readonly string[];
  /** Display names of all these units, by id, if known. */
  readonly labels: Readonly<Record<string, string>>;
}

export function touchedUnits(
  { experiment, changes }: PlanData,
  { later, outside, unit, campaigns: known }: {
    readonly later: readonly PlanData[];
    readonly outside?: OutsideChanges | undefined;
    readonly unit: ExperimentUnitKind;
    readonly campaigns?: ReadonlyMap<string, string> | undefined;
  },
): TouchedUnits {
  const held = new Set(experiment?.held);
  const all = new Set(
    experiment === null ? changes.flatMap(({ id }) => id ?? []) : Object.keys(experiment.strata),
  );
  const campaigns = new Set(changes.flatMap(({ campaignId }) => campaignId ?? []));
  for (const id of all) campaigns.add(known?.get(id) ?? (unit === "campaign" ? id : ""));
  const labels: Record<string, string> = {};
  const [byPlans, byOthers, bySchedules] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const [archived, budgets] = [new Set<string>(), new Set<string>()];
  const named = (set: Set<string>, id: string | null | undefined, label: string): void => {
    if (id === null || id === undefined || !(set === budgets ? campaigns : all).has(id)) return;
    set.add(id);
    if (label !== "") labels[id] ??= label;
  };
  for (const change of later.flatMap((plan) => plan.changes)) {
    const { op, kind, id, label, after, evidence } = change;
    const isOwn = kind.endsWith(".campaigns") === (unit === "campaign");
    const name = experiment === null ? id : unitOfChange(change, unit);
    // What a schedule moves by the hour, it moves in both groups; it leaves alone what it would only begin to move.
    const isScheduled = evidence?.factor !== undefined;
    named(isScheduled ? bySchedules : byPlans, name, isOwn ? label : "");
    if (kind.endsWith(".campaigns") && "budget" in after && !isScheduled) named(budgets, id, label);
    if (op === "archive" && name === id) named(archived, name, label);
  }
  for (const { kind, id, label, campaignId, adGroupId, field, after } of outside?.changes ?? []) {
    const isCampaign = kind.endsWith(".campaigns");
    if (isCampaign && field.startsWith("budget")) named(budgets, id, label);
    const name = unit === "campaign" && !isCampaign ? campaignId : unit === "ad_group" ? adGroupId ?? id : id;
    named(byOthers, name, name === id ? label : "");
    if (field === "state" && /^archived$/i.test(String(after))) named(archived, id, label);
  }
  return {
    voided: [...byPlans.union(byOthers)].filter((id) => held.has(id)).sort(),
    changed_again: [...byPlans].filter((id) => !held.has(id)).sort(),
    changed_by_others: [...byOthers].sort(),
    others_known_until: outside?.until ?? null,
    moved_by_schedules: [...bySchedules].sort(),
    budgets_changed: [...budgets].sort(),
    archived: [...archived].sort(),
    labels,
  };
}
