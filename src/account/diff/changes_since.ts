import { addDays, dayIn } from "../../base/time/calendar.ts";
import { cellText, valueAt } from "../../base/json/field_path.ts";
import { timeZoneOf } from "../../base/markets/markets.ts";
import type { ChangePlan } from "../../plans/change_plan/change_plan.ts";
import type { PlanStore } from "../../plans/store/plan_store.ts";
import { lastDayOf } from "../../plans/model/experiment.ts";
import { laterPlans } from "../../plans/store/shown_plans.ts";
import { KINDS } from "../../client/entities/kinds/kinds.ts";
import { ENTITY_LAYOUTS, type EntityLayout } from "../../store/tables/entity_layout.ts";
import type { OutsideChange, OutsideChanges } from "../../store/figures/touched_units.ts";
import { viewColumn } from "../../store/views/view_columns.ts";
import type { Warehouse } from "../../store/warehouse/warehouse.ts";
import { PlanRecord } from "./plan_record.ts";

const FIELDS = ["state", "bid", "defaultBid", "budget.budget", "budget.amount", "budget", "dynamicBidding"];
const UNITS = /\.(campaigns|ad_groups|keywords|targets|product_ads|ads)$/;
const MAX_ROWS = 1_000_000;

/** Changes made in an account after a plan was applied, by later plans and by others. */
export interface ChangesSince {
  /** Plans applied to the profile later, within the compared days. */
  readonly later: readonly ChangePlan[];
  /** Changes made by others, found in the stored entities. */
  readonly outside: OutsideChanges;
}

/**
 * Finds changes made in an account between the application of a plan and the end of its experiment. Changes by plans
 * are read from the given folders, changes by others from the values that `sync --entities` stored. Misses a change
 * that was reverted between two syncs.
 *
 * @example
 * ```ts
 * import { ChangePlan, PlanStore } from "@platform/ads";
 * import { changesSince } from "@platform/ads/account";
 * import { planOutcome, type Warehouse } from "@platform/ads/store";
 *
 * async function show(store: Warehouse, path: string): Promise<void> {
 *   const [plan, plans] = [await ChangePlan.load(path), PlanStore.around(path)];
 *   const applied = await plans.applied(plan.id);
 *   if (applied === undefined) return;
 *   const since = await changesSince(store, plan, { appliedAt: applied.appliedAt, plans: [plans] });
 *   const { comparison } = await planOutcome(store, { plan, applied, ...since });
 *   console.log(comparison.voided, comparison.changed_by_others);
 * }
 * ```
 */
export async function changesSince(
  store: Pick<Warehouse, "query">,
  plan: ChangePlan,
  { appliedAt, days = 14, plans }: {
    /** When the plan was applied, ISO 8601. */
    readonly appliedAt: string;
    /** Number of days to compare if the plan holds nothing back. @default 14 */
    readonly days?: number | undefined;
    readonly plans: readonly PlanStore[];
  },
): Promise<ChangesSince> {
  const zone = timeZoneOf(plan);
  const day = dayIn(zone, Date.parse(appliedAt));
  const until = plan.experiment === null ? addDays(day, days) : lastDayOf(plan.experiment, day);
  const isWithin = (at: string): boolean => dayIn(zone, Date.parse(at)) <= until;
  const later = await laterPlans(plan, appliedAt, plans, isWithin);
  const kinds = plan.changes.map(({ kind }) => kind);
  const parts = { kinds, appliedAt, plans, isWithin, zone };
  return { later, outside: await outsideChanges(store, plan.profileId, parts) };
}

export async function outsideChanges(
  store: Pick<Warehouse, "query">,
  profileId: string,
  { kinds, appliedAt, plans, isWithin, zone }: {
    readonly kinds: readonly string[];
    readonly appliedAt: string;
    readonly plans: readonly PlanStore[];
    readonly isWithin: (at: string) => boolean;
    readonly zone: string;
  },
): Promise<OutsideChanges> {
  const products = new Set(kinds.map((kind) => kind.split(".")[0]));
  const layouts = ENTITY_LAYOUTS.filter(({ kind }) => UNITS.test(kind) && products.has(kind.split(".")[0]));
  const { rows: pulls } = await store.query(
    "SELECT kind, first_pulled_at, pulled_at FROM entity_pulls WHERE profile_id = ?",
    [profileId],
  );
  const stored = pulls.filter(({ kind, first_pulled_at: first, pulled_at: last }) =>
    layouts.some((layout) => layout.kind === kind) && iso(first) <= appliedAt && iso(last) > appliedAt
  );
  if (stored.length === 0 || stored.length < layouts.length) return { changes: [], until: null };
  const last = stored.map(({ pulled_at: at }) => iso(at)).sort()[0] ?? appliedAt;
  const found: OutsideChange[] = [];
  for (const layout of layouts) {
    found.push(...await fieldChanges(store, layout, { profileId, appliedAt, isWithin }));
  }
  const until = dayIn(zone, Date.parse(last));
  // Reading every plan of the folders is worth it only where something has to be explained.
  if (found.length === 0) return { changes: [], until };
  const record = await PlanRecord.read(plans, profileId);
  const since = Date.parse(appliedAt);
  const changes = found.filter(({ kind, id, label, field, after }) =>
    record.planOfState({ kind, id, label, change: field, after }, since) === undefined
  );
  return { changes, until };
}

async function fieldChanges(
  store: Pick<Warehouse, "query">,
  { kind, view, idField }: EntityLayout,
  { profileId, appliedAt, isWithin }: {
    readonly profileId: string;
    readonly appliedAt: string;
    readonly isWithin: (at: string) => boolean;
  },
): Promise<OutsideChange[]> {
  const id = viewColumn(idField);
  const history = `${view}_history`;
  const { rows } = await store.query(
    `SELECT ${id} AS id, data, known_from, known_to FROM ${history} WHERE profile_id = ? AND ${id} IN (
      SELECT ${id} FROM ${history} WHERE profile_id = ? AND known_to > ?) ORDER BY ${id}, known_from`,
    [profileId, profileId, appliedAt],
    { maxRows: MAX_ROWS },
  );
  const found: OutsideChange[] = [];
  for (const [id, versions] of Map.groupBy(rows, (row) => String(row["id"]))) {
    for (const [at, version] of versions.entries()) {
      const { known_to: end, data } = version;
      if (end === null || iso(end) <= appliedAt || !isWithin(iso(end))) continue;
      const was = storedFields(data);
      const next = versions[at + 1];
      const is = next === undefined ? { state: "ARCHIVED" } : storedFields(next["data"]);
      for (const field of FIELDS) {
        const [before, after] = [valueAt(was, field), valueAt(is, field)];
        const isWhole = field === "budget" && typeof (after ?? before) === "object";
        // What is gone has no other fields.
        if (isWhole || next === undefined && field !== "state" || cellText(before) === cellText(after)) {
          continue;
        }
        const { campaignId, adGroupId } = was;
        found.push({
          kind,
          id,
          label: KINDS[kind].label(was),
          campaignId: textOf(campaignId),
          adGroupId: textOf(adGroupId),
          field,
          after,
        });
      }
    }
  }
  return found;
}

function storedFields(data: unknown): Record<string, unknown> {
  return (typeof data === "string" ? JSON.parse(data) : data ?? {}) as Record<string, unknown>;
}

function textOf(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : String(value);
}

function iso(value: unknown): string {
  return value instanceof Date ? value.toISOString() : new Date(String(value)).toISOString();
}
