import type { Change } from "../../../plans/model/change.ts";
import type { Finding, FindingLevel } from "../../../plans/model/finding.ts";
import type { Surroundings } from "../../../plans/model/prior_state.ts";
import type { ResourceSpec } from "../model/resource_spec.ts";
import type { Fields } from "../model/resource_wire.ts";

export interface Problem {
  /** The platform's code for the problem, if it has one. */
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
  /** Account type: `seller`, `vendor` or `agency`, if known. */
  readonly accountType: string | undefined;
  readonly today: string;
  readonly specOf: (kind: string) => ResourceSpec;
}

export type StepContext = PreflightContext<AccountView>;

export type PreflightRule = (checked: CheckedChange, context: StepContext) => Problem[];

/** Result of checking the changes of a plan for refusals that the platform is expected to make. */
export interface Preflight {
  /** Changes to send, without creates of entities that already exist. */
  readonly changes: readonly Change[];
  /** Findings about the changes, by position. */
  readonly findings: readonly Finding[];
  /** Ids of existing entities, whose creates were left out; keyed by the former position of the change. */
  readonly left: ReadonlyMap<number, string>;
}
