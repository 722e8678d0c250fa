import type { Change } from "../../../plans/model/change.ts";
import type { Finding, FindingLevel } from "../../../plans/model/finding.ts";
import type { Surroundings } from "../../../plans/model/prior_state.ts";
import type { ResourceSpec } from "../model/resource_spec.ts";
import type { Fields } from "../model/resource_wire.ts";

export interface Problem {
  /** Platform code, if any. */
  readonly code: string;
  readonly message: string;
  readonly allowed?: string;
  readonly hint?: string;
  /**
   * False if the platform may accept the change.
   *
   * @default true
   */
  readonly refused?: boolean;
  readonly level?: FindingLevel;
}

export interface CheckedChange {
  readonly change: Change;
  readonly spec: ResourceSpec;
  readonly entity: Fields | undefined;
  readonly next: Fields;
}

export interface PlaceKeywords {
  readonly all: readonly Fields[];
  readonly exact: ReadonlyMap<string, readonly Fields[]>;
}

export interface AccountView extends Pick<Surroundings, "unread" | "highestBid"> {
  entity(kind: string, id: unknown): Fields | undefined;
  holds(kind: string, adGroupId: unknown): boolean;
  archivedByPlan(kind: string, id: unknown): boolean;
  liveKeywords(kind: string, field: string, place: unknown): PlaceKeywords;
  campaignOf(checked: Pick<CheckedChange, "spec" | "next">): Fields | undefined;
}

export interface PreflightContext<Account = Surroundings> {
  readonly account: Account;
  readonly countryCode: string;
  /** `seller`, `vendor` or `agency`, if known. */
  readonly accountType: string | undefined;
  readonly today: string;
  readonly specOf: (kind: string) => ResourceSpec;
}

export type StepContext = PreflightContext<AccountView>;

export type PreflightRule = (checked: CheckedChange, context: StepContext) => Problem[];

/** Expected refusals of the platform for the changes of a plan. */
export interface Preflight {
  /** Changes to send, without creates of entities that already exist. */
  readonly changes: readonly Change[];
  /** Findings about the changes, by position. */
  readonly findings: readonly Finding[];
  /** Ids of existing entities whose creates were left out, by the former position of the change. */
  readonly left: ReadonlyMap<number, string>;
}
