import type { QueryParameter } from "../../store/model/store_driver.ts";
import type { FigureGroup } from "../../store/figures/figure_groups.ts";
import type { FigureRow } from "../../store/figures/figures.ts";
import type { Finding } from "../../plans/model/finding.ts";

/**
 * A script: the default export of a TypeScript file for `adsctl auto script`. It reads, plans and raises alerts, and
 * cannot send anything.
 *
 * @param context The profile it runs for, and its only access to the outside.
 */
export type Script = (context: ScriptContext) => void | Promise<void>;

/** Everything that a script can access. */
export interface ScriptContext {
  /** The profile that the script runs for. */
  readonly profile: ScriptProfile;
  /** Stored reports and entities. */
  readonly store: ScriptStore;
  /** Rows of the file given by `--data`, with values as text; empty without a file. */
  readonly data: readonly Readonly<Record<string, string>>[];
  /** Current day in the profile's time zone, `YYYY-MM-DD`. */
  readonly today: string;
  /** Writes a line for the person who runs the script; values other than text are written as JSON. */
  log(...values: readonly unknown[]): void;
  /** Raises an alert for a person. */
  alert(alert: ScriptAlert): void;
}

/** An alert raised by a script. */
export interface ScriptAlert {
  /** One sentence: the finding, and where it occurred. */
  readonly title: string;
  /** Figures and recommended action. */
  readonly text?: string | undefined;
  /** Urgency of the alert. @default "warning" */
  readonly severity?: "note" | "warning" | "urgent" | undefined;
}

/** Filters of a list. */
export interface ScriptListOptions {
  /** States in upper or lower case; `null` for all. @default enabled and paused */
  readonly states?: readonly string[] | null | undefined;
  /** Only entities of these campaigns. */
  readonly campaignIds?: readonly string[] | undefined;
  /** Only entities of these ad groups. */
  readonly adGroupIds?: readonly string[] | undefined;
  /** Only entities with exactly this name. */
  readonly name?: string | undefined;
}

/** Period and grouping of figures. */
export interface ScriptFiguresOptions {
  /** Groups, for example `["campaign", "week"]`. @default one row */
  readonly by?: readonly FigureGroup[] | undefined;
  /** First day, `YYYY-MM-DD`, or a number of days ago, such as `-30`. */
  readonly from: string;
  /** Last day. @default yesterday */
  readonly to?: string | undefined;
}

/** Reads an account and plans changes to it, but sends none. */
export interface ScriptProfile {
  /** Id of the profile: digits, exact past 2^53. */
  readonly profileId: string;
  /** Two-letter country code. */
  readonly countryCode: string;
  /** Currency of bids and budgets, ISO 4217. */
  readonly currencyCode: string;
  /** Time zone of the profile's days and hours, such as `America/Los_Angeles`. */
  readonly timeZone: string;
  /** Reads entities of a kind such as `sp.keywords` live from the platform. */
  list(kind: string, options?: ScriptListOptions): Promise<Record<string, unknown>[]>;
  /** Returns totals of the profile's stored figures; amounts are in the profile's currency. */
  figures(options: ScriptFiguresOptions): Promise<FigureRow[]>;
  /**
   * Plans changes of one or more kinds and saves the plan, reviewed like any other. Nothing is sent: a person applies
   * or discards it.
   */
  plan(changes: ScriptChanges | readonly ScriptChanges[]): Promise<ScriptPlan>;
}

/** Changes of one kind. */
export interface ScriptChanges {
  /** Kind of the entities, such as `sp.keywords`. */
  readonly kind: string;
  /** Entities to change: the id, and the fields with their new values. */
  readonly update?: readonly Readonly<Record<string, unknown>>[] | undefined;
  /** New entities. */
  readonly create?: readonly Readonly<Record<string, unknown>>[] | undefined;
  /** Ids of entities to archive. */
  readonly archive?: readonly string[] | undefined;
  /** Reason for the changes, stored with the plan. */
  readonly note?: string | undefined;
}

/** A plan that a script made. */
export interface ScriptPlan {
  /** Id of the plan; `null` if there was nothing to change and therefore no plan was saved. */
  readonly id: string | null;
  /** Number of changes. */
  readonly changes: number;
  /** Ids that were not found on the platform. */
  readonly missing: readonly string[];
  /** Remarks for readers of the plan, such as fields that cannot be changed and were left out. */
  readonly warnings: readonly string[];
  /** Findings: expected refusals, warnings, and findings of the policy. */
  readonly findings: readonly Finding[];
}

/** Stored reports and entities. */
export interface ScriptStore {
  /** Runs one read-only SQL statement over all profiles and returns its rows, at most 100,000. */
  query(sql: string, params?: readonly (string | number | null)[]): Promise<Record<string, unknown>[]>;
}

/** Runs one read-only SQL statement of a script and returns its rows; aborts the statement when the signal fires. */
export type ScriptQuery = (
  query: {
    /** The statement. */
    readonly sql: string;
    /** Values for the placeholders in the statement. */
    readonly params: readonly QueryParameter[];
    readonly maxRows: number;
    /** Fires when the script has ended. */
    readonly signal: AbortSignal;
  },
) => Promise<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>;
