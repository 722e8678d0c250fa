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

/** All that a script can reach. */
export interface ScriptContext {
  /** The profile that the script runs for. */
  readonly profile: ScriptProfile;
  /** Stored reports and entities. */
  readonly store: ScriptStore;
  /** Rows of the file that `--data` names, values as text; empty without one. */
  readonly data: readonly Readonly<Record<string, string>>[];
  /** The day it is in the profile's time zone, `YYYY-MM-DD`. */
  readonly today: string;
  /** Writes a line for the person who runs the script; anything but text is written as JSON. */
  log(...values: readonly unknown[]): void;
  /** Raises an alert for a person. */
  alert(alert: ScriptAlert): void;
}

/** An alert raised by a script. */
export interface ScriptAlert {
  /** One sentence: what, and where. */
  readonly title: string;
  /** Figures and what to do. */
  readonly text?: string | undefined;
  /** How soon a person should look. @default "warning" */
  readonly severity?: "note" | "warning" | "urgent" | undefined;
}

/** Filters of a list. */
export interface ScriptListOptions {
  /** States, in either case; `null` for all. @default enabled and paused */
  readonly states?: readonly string[] | null | undefined;
  /** Only entities of these campaigns. */
  readonly campaignIds?: readonly string[] | undefined;
  /** Only entities of these ad groups. */
  readonly adGroupIds?: readonly string[] | undefined;
  /** Only entities of exactly this name. */
  readonly name?: string | undefined;
}

/** Period and grouping of figures. */
export interface ScriptFiguresOptions {
  /** Groups, for example `["campaign", "week"]`. @default one row */
  readonly by?: readonly FigureGroup[] | undefined;
  /** First day, `YYYY-MM-DD`, or days ago as `-30`. */
  readonly from: string;
  /** Last day. @default yesterday */
  readonly to?: string | undefined;
}

/** Reading an account and planning changes to it; nothing here sends one. */
export interface ScriptProfile {
  /** Digits, exact past 2^53. */
  readonly profileId: string;
  /** Two letters. */
  readonly countryCode: string;
  /** Currency of bids and budgets, ISO 4217. */
  readonly currencyCode: string;
  /** Time zone of its days and hours, such as `America/Los_Angeles`. */
  readonly timeZone: string;
  /** Entities of a kind such as `sp.keywords`, read from the platform now. */
  list(kind: string, options?: ScriptListOptions): Promise<Record<string, unknown>[]>;
  /** Sums of the profile's stored figures; amounts in its currency. */
  figures(options: ScriptFiguresOptions): Promise<FigureRow[]>;
  /**
   * Plans changes, of one kind or of several, and saves the plan, judged and weighed like any other. Nothing is sent: a
   * person applies it, or drops it.
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
  /** Why; stays with the plan. */
  readonly note?: string | undefined;
}

/** A plan that a script made. */
export interface ScriptPlan {
  /** Id of the plan; `null` where nothing is to change, so that nothing was saved. */
  readonly id: string | null;
  /** Number of changes. */
  readonly changes: number;
  /** Ids that the platform did not return. */
  readonly missing: readonly string[];
  /** Remarks for its reader, such as fields that cannot be changed and were left out. */
  readonly warnings: readonly string[];
  /** Findings: expected refusals, warnings, and those of the policy. */
  readonly findings: readonly Finding[];
}

/** Stored reports and entities. */
export interface ScriptStore {
  /** Rows of one SQL statement that reads, of all profiles; at most 100,000. */
  query(sql: string, params?: readonly (string | number | null)[]): Promise<Record<string, unknown>[]>;
}

/** Runs one read-only SQL statement of a script and returns its rows; aborts it on the signal. */
export type ScriptQuery = (
  query: {
    /** The statement. */
    readonly sql: string;
    /** Values for its placeholders. */
    readonly params: readonly QueryParameter[];
    readonly maxRows: number;
    /** Fires when the script has ended. */
    readonly signal: AbortSignal;
  },
) => Promise<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>;
