import { copyFields } from "../../plans/state/copy_steps.ts";
import { cellText, valueAt } from "../../base/json/field_path.ts";
import type { Change } from "../../plans/model/change.ts";
import { PlanPlaces } from "../../plans/store/plan_places.ts";
import { readAttempt } from "../../plans/store/read_record.ts";
import type { PlanData } from "../../plans/model/plan_data.ts";
import type { AppliedRecord } from "../../plans/store/applied_record.ts";
import type { PlanStore } from "../../plans/store/plan_store.ts";
import type { HistoryEvent } from "../../client/insights/history_event.ts";

/** An applied plan, reduced to the fields that identify it. */
export interface AppliedPlanNote {
  /** Plan id, as accepted by `plan show`. */
  readonly planId: string;
  /** Reason for the plan. */
  readonly note: string | null;
  /** Name of the person who approved it; `null` if not recorded. */
  readonly approvedBy: string | null;
  /** When it was applied, ISO 8601. */
  readonly appliedAt: string;
}

/** A plan that was applied to a profile, with its stored result. */
export interface AppliedPlanData {
  /** Id, note and changes of the plan. */
  readonly plan: Pick<PlanData, "id" | "note" | "changes">;
  /** Stored result; `undefined` if the plan was interrupted. */
  readonly record: AppliedRecord | undefined;
  /** When its application began, ISO 8601. */
  readonly beganAt: string;
}

/** A source of applied plans other than a folder, for example a queue. */
export interface AppliedPlanSource {
  /** Returns the plans applied to a profile, including interrupted ones. */
  appliedPlans(profileId: string): Promise<readonly AppliedPlanData[]>;
}

interface AppliedChange {
  readonly change: Change;
  readonly plan: AppliedPlanNote;
  /** Earliest and latest time at which the platform may have recorded the change, in milliseconds. */
  readonly from: number;
  readonly to: number;
}

interface AppliedCall {
  readonly change: Change;
  readonly plan: AppliedPlanNote;
  /** False if the response was lost. */
  readonly isCertain: boolean;
}

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
/** Allows for clock differences and delayed recording by the platform. */
const BEFORE = 5 * 60_000;
const AFTER = 15 * 60_000;

export function fieldsOfEvent({ changeType }: Pick<HistoryEvent, "changeType">): readonly string[] {
  return FIELDS[changeType] ?? [];
}

interface StateChange {
  readonly kind: string;
  /** Id of the entity; empty if it was removed, because the files then have no id for it. */
  readonly id: string;
  readonly label: string;
  readonly change: string;
  readonly after: unknown;
}

export class PlanRecord {
  readonly #byId = new Map<string, AppliedChange[]>();
  /** Milliseconds; `undefined` if no plan was applied. */
  readonly lastApplied: number | undefined;

  readonly calls: readonly AppliedCall[];

  private constructor(
    changes: readonly (AppliedChange & { readonly id: string })[],
    calls: readonly AppliedCall[],
  ) {
    this.calls = calls.toSorted((a, b) => a.plan.appliedAt.localeCompare(b.plan.appliedAt));
    for (const { id, ...applied } of changes) this.#byId.set(id, [...this.#byId.get(id) ?? [], applied]);
    const moments = changes.map(({ plan }) => Date.parse(plan.appliedAt)).filter(Number.isFinite);
    this.lastApplied = moments.length === 0 ? undefined : moments.reduce((a, b) => Math.max(a, b));
  }

  /** Reads the applied plans, including interrupted ones. */
  static async read(
    sources: readonly (PlanStore | AppliedPlanSource)[],
    profileId: string,
  ): Promise<PlanRecord> {
    const changes: (AppliedChange & { id: string })[] = [];
    const calls: AppliedCall[] = [];
    const seen = new Set<string>();
    for (const source of sources) {
      const found =
        await ("appliedPlans" in source ? source.appliedPlans(profileId) : plansOfStore(source, profileId));
      for (const { plan, record, beganAt } of found) {
        if (seen.has(plan.id)) continue;
        seen.add(plan.id);
        const note = {
          planId: plan.id,
          note: plan.note,
          approvedBy: record?.override?.by ?? null,
          appliedAt: record?.appliedAt ?? beganAt,
        };
        const from = Date.parse(beganAt) - BEFORE;
        const to = record === undefined ? Infinity : Date.parse(record.appliedAt) + AFTER;
        plan.changes.forEach((change, at) => {
          const verdict = record?.changes[at];
          const id = verdict?.id ?? change.id;
          const mayBeDone = verdict === undefined || ["done", "partial", "unknown"].includes(verdict.outcome);
          if (change.op === "call" && mayBeDone) {
            calls.push({ change, plan: note, isCertain: verdict?.outcome === "done" });
          }
          if (id !== null && mayBeDone) changes.push({ id, change, plan: note, from, to });
        });
      }
    }
    return new PlanRecord(changes, calls);
  }

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

  planOfCopy(
    { changeType, newValue, timestamp }: HistoryEvent,
    { wholeId, countryCode }: {
      readonly wholeId: string;
      readonly countryCode: string;
    },
  ): AppliedPlanNote | undefined {
    return (this.#byId.get(wholeId) ?? []).find(({ change, from, to }) =>
      timestamp >= from && timestamp <= to &&
      explains({ ...change, after: copyFields(change.kind, change.after, countryCode) }, {
        changeType,
        newValue,
      })
    )?.plan;
  }

  /** @param since Milliseconds; plans that ended earlier are ignored. */
  planOfState(
    { kind, id, label, change, after }: StateChange,
    since: number,
  ): AppliedPlanNote | undefined {
    const own = id === "" ? [...this.#byId.values()].flat() : this.#byId.get(id) ?? [];
    return own.findLast(({ change: made, to }) => {
      if (made.kind !== kind || to < since) return false;
      if (change === "CREATED") return made.op === "create";
      if (change === "REMOVED") return made.op === "archive" && made.label === label;
      const value = valueAt(made.after, change);
      return value !== undefined && textOf(value) === textOf(after);
    })?.plan;
  }
}

/** Returns a value as text for comparison; dates are equal with and without hyphens. */
function textOf(value: unknown): string {
  return cellText(value).toLowerCase().replace(/^(\d{4})-(\d{2})-(\d{2})$/, "$1$2$3");
}

async function plansOfStore(store: PlanStore, profileId: string): Promise<AppliedPlanData[]> {
  const found: AppliedPlanData[] = [];
  for (const entry of await store.list()) {
    if (!("plan" in entry) || entry.plan.profileId !== profileId) continue;
    const { plan, status } = entry;
    if (status.state !== "applied" && status.state !== "unfinished") continue;
    const journal = await readAttempt(new PlanPlaces(store.path).journal(plan.id)) ?? "";
    found.push({ plan, record: await store.applied(plan.id), beganAt: beganAt(journal) ?? status.at });
  }
  return found;
}

export function beganAt(journal: string): string | undefined {
  const [line = ""] = journal.split("\n", 1);
  return /"at":"([^"]+)"\}$/.exec(line)?.[1];
}

function explains(
  { op, after }: Change,
  { changeType, newValue }: Pick<HistoryEvent, "changeType" | "newValue">,
): boolean {
  if (op === "create") return changeType === "CREATED" || wasGiven(after, { changeType, newValue });
  if (op === "archive") return changeType === "STATUS" && newValue?.toUpperCase() === "ARCHIVED";
  return wasGiven(after, { changeType, newValue });
}

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
