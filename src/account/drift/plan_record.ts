import { valueAt } from "../../internal/field_path.ts";
import type { Change } from "../../plans/change.ts";
import { PlanPlaces, readIfThere } from "../../plans/store/plan_places.ts";
import type { PlanStore } from "../../plans/store/plan_store.ts";
import type { HistoryEvent } from "../../history/history_event.ts";

/** A plan of ours that was applied, as far as it explains changes of the account. */
export interface AppliedPlanNote {
  /** As `plan show` takes it. */
  readonly planId: string;
  /** Why it was made. */
  readonly note: string | null;
  /** Who approved it, where that was written down. */
  readonly approvedBy: string | null;
  /** When it was applied, ISO 8601. */
  readonly appliedAt: string;
}

/** What one plan did to one entity. */
interface AppliedChange {
  readonly change: Change;
  readonly plan: AppliedPlanNote;
  /** First and last moment at which the platform may have recorded it, milliseconds. */
  readonly from: number;
  readonly to: number;
}

/** Fields of plans by the change of the history that reports them. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  STATUS: ["state"],
  BID_AMOUNT: ["bid", "defaultBid"],
  DEFAULT_BID_AMOUNT: ["defaultBid"],
  BUDGET_AMOUNT: ["budget.budget", "budget.amount", "budget"],
  NAME: ["name"],
  START_DATE: ["startDate", "budget.startDate"],
  END_DATE: ["endDate", "budget.endDate"],
  PORTFOLIO_ID: ["portfolioId"],
  PORTFOLIO: ["portfolioId"],
  PLACEMENT_GROUP: ["dynamicBidding", "bidding"],
  SMART_BIDDING_STRATEGY: ["dynamicBidding", "bidding"],
};
/** The platform's clock and ours may differ, and it records a change a moment after it. */
const BEFORE = 5 * 60_000;
const AFTER = 15 * 60_000;

/** The field of a plan that a change of the history reports, for example `bid`; `undefined` for others. */
export function fieldsOfEvent({ changeType }: Pick<HistoryEvent, "changeType">): readonly string[] {
  return FIELDS[changeType] ?? [];
}

/** Everything that the plans of stores did to a profile, by the id of the entity. */
export class PlanRecord {
  readonly #byId = new Map<string, AppliedChange[]>();
  /** When a plan was applied last, milliseconds; `undefined` when none was. */
  readonly lastApplied: number | undefined;

  private constructor(changes: readonly (AppliedChange & { readonly id: string })[]) {
    for (const { id, ...applied } of changes) this.#byId.set(id, [...this.#byId.get(id) ?? [], applied]);
    const moments = changes.map(({ plan }) => Date.parse(plan.appliedAt)).filter(Number.isFinite);
    this.lastApplied = moments.length === 0 ? undefined : moments.reduce((a, b) => Math.max(a, b));
  }

  /** Reads the plans of stores that were applied to a profile, also those whose application was cut off. */
  static async read(stores: readonly PlanStore[], profileId: string): Promise<PlanRecord> {
    const changes: (AppliedChange & { id: string })[] = [];
    const seen = new Set<string>();
    for (const store of stores) {
      for (const entry of await store.list()) {
        if (!("plan" in entry) || entry.plan.profileId !== profileId || seen.has(entry.id)) continue;
        const { plan, status } = entry;
        if (status.state !== "applied" && status.state !== "unfinished") continue;
        seen.add(entry.id);
        const record = await store.applied(plan.id);
        const began = await beganAt(store, plan.id) ?? Date.parse(status.at);
        const note = {
          planId: plan.id,
          note: plan.note,
          approvedBy: record?.override?.by ?? null,
          appliedAt: record?.appliedAt ?? status.at,
        };
        const from = began - BEFORE;
        const to = record === undefined ? Infinity : Date.parse(record.appliedAt) + AFTER;
        plan.changes.forEach((change, at) => {
          const verdict = record?.changes[at];
          const id = verdict?.id ?? change.id;
          const mayBeDone = verdict === undefined || verdict.outcome === "done" ||
            verdict.outcome === "unknown";
          if (id !== null && mayBeDone) changes.push({ id, change, plan: note, from, to });
        });
      }
    }
    return new PlanRecord(changes);
  }

  /** The plan that made a change of the history; `undefined` when none of ours did. */
  planOf({ entityId, changeType, newValue, timestamp, metadata }: HistoryEvent): AppliedPlanNote | undefined {
    const inTime = ({ from, to }: AppliedChange): boolean => timestamp >= from && timestamp <= to;
    const own = (this.#byId.get(entityId) ?? []).filter(inTime);
    const found = own.find(({ change }) => explains(change, { changeType, newValue }));
    if (found !== undefined) return found.plan;
    // The platform makes the automatic targets of an ad group itself, and archives what is in what is archived.
    const parents = [metadata.adGroupId, metadata.campaignId].flatMap((id) => this.#byId.get(id ?? "") ?? []);
    return parents.filter(inTime).find(({ change: { op } }) =>
      changeType === "CREATED" && op === "create" || newValue === "ARCHIVED" && op === "archive"
    )?.plan;
  }
}

/** When the application of a plan began, by the first line of its journal. */
async function beganAt(store: PlanStore, id: string): Promise<number | undefined> {
  const [line = ""] = (await readIfThere(new PlanPlaces(store.path).journal(id)) ?? "").split("\n", 1);
  const at = /"at":"([^"]+)"\}$/.exec(line)?.[1];
  return at === undefined ? undefined : Date.parse(at);
}

function explains(
  { op, after }: Change,
  { changeType, newValue }: Pick<HistoryEvent, "changeType" | "newValue">,
): boolean {
  if (op === "create") return changeType === "CREATED" || wasGiven(after, { changeType, newValue });
  if (op === "archive") return changeType === "STATUS" && newValue?.toUpperCase() === "ARCHIVED";
  return wasGiven(after, { changeType, newValue });
}

/** True when a plan set the value that the history reports. Values that are not a text or a number are not compared. */
function wasGiven(
  after: Change["after"],
  { changeType, newValue }: Pick<HistoryEvent, "changeType" | "newValue">,
): boolean {
  return (FIELDS[changeType] ?? []).some((field) => {
    const value = valueAt(after, field);
    if (value === undefined) return false;
    if (value === null) return newValue === undefined || newValue === "";
    if (typeof value === "object") return field !== "budget";
    if (typeof value === "number") return Number(newValue) === value;
    return String(value).toLowerCase() === String(newValue).toLowerCase();
  });
}
