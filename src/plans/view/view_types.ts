import type { ChangeOperation, Evidence } from "../model/change.ts";
import type { Experiment } from "../model/experiment.ts";
import type { Finding } from "../model/finding.ts";
import type { MoneyAtRisk } from "../model/plan_data.ts";

export interface EvidenceDays {
  readonly from: string;
  readonly to: string;
}

export interface AmountsView {
  readonly raised: number;
  readonly lowered: number;
  readonly before: number;
  readonly after: number;
  readonly difference: number;
}

export interface FieldView {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly difference?: number;
  /** Percentage of the previous amount; only for amounts above 0. */
  readonly percent?: number;
}

export interface ChangeView {
  readonly change: number;
  readonly kind: string;
  readonly op: ChangeOperation;
  readonly id: string | null;
  readonly label: string;
  readonly ad_group_name?: string;
  readonly fields: readonly FieldView[];
  readonly evidence?: Evidence;
  readonly findings?: readonly Finding[];
}

export interface CampaignView {
  readonly campaign_id: string | null;
  readonly campaign_ref?: string;
  readonly campaign_name: string | null;
  readonly changes: readonly ChangeView[];
}

interface ExperimentView extends Omit<Experiment, "strata" | "changes" | "goals"> {
  readonly of: number;
  readonly text: string;
}

export interface PlanView {
  readonly id: string;
  readonly created_at: string;
  readonly profile_id: string;
  readonly country_code: string;
  readonly currency: string | null;
  readonly note: string | null;
  readonly reverses: string | null;
  readonly fingerprint: string;
  readonly campaigns: readonly CampaignView[];
  readonly missing: readonly string[];
  readonly warnings: readonly string[];
  readonly findings: readonly Finding[];
  /** Possible change in daily spend; `null` without an estimate. */
  readonly money: MoneyAtRisk | null;
  readonly experiment: ExperimentView | null;
  readonly rehearsal: string | null;
  readonly counts: {
    readonly create: number;
    readonly update: number;
    readonly archive: number;
    readonly call?: number;
    readonly not_sent?: number;
    readonly settled?: number;
  };
  readonly evidence_days: EvidenceDays | null;
  readonly bids: AmountsView;
  readonly daily_budgets: AmountsView;
}
