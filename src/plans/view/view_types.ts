import type { ChangeOperation, Evidence } from "../model/change.ts";
import type { Experiment } from "../model/experiment.ts";
import type { Finding } from "../model/finding.ts";
import type { MoneyAtRisk } from "../model/money_at_risk.ts";
import type { EvidenceDays } from "./evidence_text.ts";
import type { AmountsView } from "./amounts_view.ts";

/** One field of a change, with the names of `--json`. */
export interface FieldView {
  /** Path of the field. */
  readonly field: string;
  /** Value now; `null` for none. */
  readonly before: unknown;
  readonly after: unknown;
  /** Difference of two amounts of money. */
  readonly difference?: number;
  /** For amounts of money above 0: the difference in percent of before. */
  readonly percent?: number;
}

export interface ChangeView {
  readonly change: number;
  readonly kind: string;
  /** Operation on the entity. */
  readonly op: ChangeOperation;
  /** Id; `null` for a new entity. */
  readonly id: string | null;
  /** Name for people. */
  readonly label: string;
  /** Ad group of a new entity, if known. */
  readonly ad_group_name?: string;
  readonly fields: readonly FieldView[];
  readonly evidence?: Evidence;
  readonly findings?: readonly Finding[];
}

export interface CampaignView {
  readonly campaign_id: string | null;
  /** Name of the change that creates the campaign, for a new one that others refer to. */
  readonly campaign_ref?: string;
  /** Its name, where it is known. */
  readonly campaign_name: string | null;
  readonly changes: readonly ChangeView[];
}

/** Held-back part of a plan. */
interface ExperimentView extends Omit<Experiment, "strata" | "changes" | "goals"> {
  /** Number of all units, held-back ones included. */
  readonly of: number;
  /** The same in a sentence. */
  readonly text: string;
}

/** A plan for a reader: the data of `--json` and the basis of every text about it. */
export interface PlanView {
  readonly id: string;
  readonly created_at: string;
  readonly profile_id: string;
  readonly country_code: string;
  /** Currency of its amounts; `null` for an unknown market. */
  readonly currency: string | null;
  /** Reason for the plan. */
  readonly note: string | null;
  /** Id of the plan it undoes. */
  readonly reverses: string | null;
  readonly fingerprint: string;
  /** The changes by campaign, the most important first. */
  readonly campaigns: readonly CampaignView[];
  /** Ids that the platform did not return. */
  readonly missing: readonly string[];
  readonly warnings: readonly string[];
  /** Findings about the plan as a whole. */
  readonly findings: readonly Finding[];
  /** Possible change in spend a day; `null` without an estimate. */
  readonly money: MoneyAtRisk | null;
  /** Held-back part for comparison, with the number of units; `null` for none. */
  readonly experiment: ExperimentView | null;
  /** Time of the account copy that it was made on, ISO 8601; `null` for the account itself. */
  readonly rehearsal: string | null;
  /** Numbers of created, changed and archived entities, and of calls. */
  readonly counts: {
    readonly create: number;
    readonly update: number;
    readonly archive: number;
    readonly call?: number;
    /** Changes that are not sent because the platform would refuse them; absent for none. */
    readonly not_sent?: number;
    /** Changes that an earlier application settled; absent for none. */
    readonly settled?: number;
  };
  /** Common days of the figures behind the changes; `null` for none or several. */
  readonly evidence_days: EvidenceDays | null;
  /** Bids that change from one amount to another. */
  readonly bids: AmountsView;
  /** Daily budgets that change from one amount to another. */
  readonly daily_budgets: AmountsView;
}
