import { counted } from "../../base/text/money_text.ts";
import { AuthError, PartialFailureError } from "../../errors.ts";
import type { EntityOutcome } from "../model/entity_pull.ts";
import type { ReportName } from "../../client/reports/requests/named_report.ts";
import { refusesProfile } from "../../platform/transport/error_body.ts";
import type { StoredProfile } from "../model/store_driver.ts";

/** Outcome of one report of a sync, with the reason of a failure. */
export interface SyncOutcome extends StoredProfile {
  /** Name of the preset, for example `sp_placement`. */
  readonly report: ReportName;
  /** First day; empty when the report failed before the days were known. */
  readonly start: string;
  /** Last day; empty when the report failed before the days were known. */
  readonly end: string;
  /** The platform's id, once it was known. */
  readonly reportId: string | null;
  /** `held`: days were held back, the others are stored; `left`: not finished, the next sync continues it. */
  readonly state: "stored" | "held" | "failed" | "left";
  /** True if the report was requested before this sync. */
  readonly resumed: boolean;
  /** Rows stored. */
  readonly rows: number;
  /** Number of stored rows without the id of their keyword or target, which the new reports do not give. */
  readonly unjoined?: number;
  /** Error, if the report is not stored. */
  readonly error?: Error;
}

/**
 * The outcomes of a sync.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 * import type { Warehouse } from "@platform/ads/store";
 *
 * async function bringUpToDate(store: Warehouse, profiles: ProfileClient[]): Promise<void> {
 *   const result = await store.sync(profiles, { reports: ["sp_placement"] });
 *   console.log(result.summary());
 *   for (const { report, start, end, error } of result.failures) console.error(report, start, end, error?.message);
 * }
 * ```
 */
export class SyncResult {
  /** A verdict for every report that was to be pulled. Profiles and reports that were up to date have none. */
  readonly outcomes: readonly SyncOutcome[];
  /** A verdict for every kind of entity of every profile; none if entities were not requested. */
  readonly entities: readonly EntityOutcome[];
  /** True when the caller's signal stopped the sync. */
  readonly stopped: boolean;

  /**
   * Creates the result from the outcomes of a sync.
   *
   * @param parts The verdicts, and whether it was stopped.
   */
  constructor(
    parts: {
      outcomes: readonly SyncOutcome[];
      entities?: readonly EntityOutcome[];
      stopped: boolean;
    },
  ) {
    this.outcomes = parts.outcomes;
    this.entities = parts.entities ?? [];
    this.stopped = parts.stopped;
  }

  /** True when everything is stored. */
  get ok(): boolean {
    return this.outcomes.every(({ state }) => state === "stored") &&
      this.entities.every(({ state }) => state === "stored" || state === "unavailable");
  }

  /** Total number of stored rows. */
  get rows(): number {
    return this.outcomes.reduce((sum, { rows }) => sum + rows, 0);
  }

  /** Reports that are not stored. */
  get failures(): readonly SyncOutcome[] {
    return this.outcomes.filter(({ state }) => state !== "stored");
  }

  /** Kinds of entities that could not be read, or that were held back. */
  get entityFailures(): readonly EntityOutcome[] {
    return this.entities.filter(({ state }) => state === "failed" || state === "held");
  }

  /** Failures by profile and cause, excluding reports left by a stop. */
  get problems(): readonly SyncProblem[] {
    const told = this.failures.filter(({ state }) => !this.stopped || state !== "left");
    return byCause([
      ...told.map(({ report, start, end, state, error, ...profile }): Failed => ({
        ...profile,
        what: start === "" ? report : `${report} ${start} to ${end}`,
        isReport: true,
        reason: (error?.message ?? "not finished") +
          (state === "left" ? " (the next sync continues it)" : ""),
        error,
      })),
      ...this.entityFailures.map(({ kind, error, ...profile }): Failed => ({
        ...profile,
        what: kind,
        isReport: false,
        reason: error?.message ?? "not read",
        error,
      })),
    ]);
  }

  /**
   * Counts as text, then one line for each profile and cause of failures, and one line for everything that was left
   * because of a stop.
   */
  summary(): string {
    const stored = this.outcomes.length - this.failures.length;
    const profiles = new Set(this.outcomes.map(({ profileId }) => profileId)).size;
    const reports = this.outcomes.length === 0
      ? this.entities.length === 0 ? "Nothing to do" : ""
      : `${stored} of ${counted(this.outcomes.length, "report")} of ${
        counted(profiles, "profile")
      } stored, ` +
        counted(this.rows, "row");
    const head = [reports, this.#entitySummary()].filter((part) => part !== "").join("; ");
    const left = this.stopped ? this.outcomes.filter(({ state }) => state === "left").length : 0;
    const lines = this.problems.map(({ text }) => text);
    if (left > 0) {
      lines.push(`${counted(left, "report")} not finished: the next sync continues them`);
    }
    return [this.stopped ? `${head}; stopped` : head, ...lines].join("\n");
  }

  #entitySummary(): string {
    if (this.entities.length === 0) return "";
    const sum = (of: "entities" | "added" | "changed" | "removed"): number =>
      this.entities.reduce((total, outcome) => total + outcome[of], 0);
    const exported = this.entities.filter(({ source }) => source === "export").length;
    const ways = exported === 0 ? "" : ` (${exported} of ${this.entities.length} kinds by export)`;
    return `${sum("entities")} entities stored, ${sum("added")} of them new, ${sum("changed")} changed, ${
      sum("removed")
    } gone${ways}`;
  }

  /**
   * Throws if anything is not stored.
   *
   * @throws {PartialFailureError} that holds this result.
   */
  raiseForErrors(): void {
    if (this.ok) return;
    throw new PartialFailureError(`Cannot finish the sync. ${this.summary().replaceAll("\n", "; ")}`, this);
  }

  /** The result as JSON data. */
  toData(): Record<string, unknown> {
    return {
      ok: this.ok,
      stopped: this.stopped,
      rows: this.rows,
      outcomes: this.outcomes.map(({ error, profileId, countryCode, reportId, ...outcome }) => ({
        profile_id: profileId,
        country_code: countryCode,
        report_id: reportId,
        ...outcome,
        error: error === undefined ? null : { type: error.name, message: error.message },
      })),
      entities: this.entities.map(({ error, profileId, countryCode, ...outcome }) => ({
        profile_id: profileId,
        country_code: countryCode,
        ...outcome,
        error: error === undefined ? null : { type: error.name, message: error.message },
      })),
    };
  }
}

/** A reason why reports or entities of a profile are not stored. */
export interface SyncProblem {
  /** The profile; the first one if the login itself failed. */
  readonly profileId: string;
  /** True if the platform refused the whole profile, because the login has no access to it. */
  readonly isRefused: boolean;
  /** The cause. */
  readonly error: Error | undefined;
  /** Description of the profile, the data that is not stored, and the reason. */
  readonly text: string;
}

interface Failed extends StoredProfile {
  readonly what: string;
  readonly isReport: boolean;
  readonly reason: string;
  readonly error: Error | undefined;
}

/** Failures of the login itself are merged for all profiles. */
function byCause(failed: readonly Failed[]): SyncProblem[] {
  const causes = Map.groupBy(
    failed,
    ({ profileId, reason, error }) =>
      JSON.stringify(error instanceof AuthError ? [error.message] : [profileId, reason]),
  );
  return [...causes.values()].map((alike) => {
    const [{ countryCode, profileId, what, reason, error }] = alike as [Failed, ...Failed[]];
    const isRefused = refusesProfile(error);
    const place = `${countryCode} ${profileId}`;
    if (alike.length === 1) return { profileId, isRefused, error, text: `${place} ${what}: ${reason}` };
    const reports = alike.filter(({ isReport }) => isReport).length;
    const parts = [
      reports === 0 ? "" : counted(reports, "report"),
      reports === alike.length ? "" : `${counted(alike.length - reports, "kind")} of entities`,
    ].filter((part) => part !== "");
    const profiles = new Set(alike.map((one) => one.profileId)).size;
    const whose = profiles > 1 ? counted(profiles, "profile") : place;
    return { profileId, isRefused, error, text: `${whose} (${parts.join(", ")}): ${reason}` };
  });
}
