import type { Change } from "../../../plans/model/change.ts";
import type { Finding, FindingLevel } from "../../../plans/model/finding.ts";
import type { Surroundings } from "../../../plans/model/prior_state.ts";
import type { ResourceSpec } from "../model/resource_spec.ts";
import type { Fields } from "../model/resource_wire.ts";

/** A problem of a change. */
export interface Problem {
  /** The platform's code where it has one. */
  readonly code: string;
  readonly message: string;
  readonly allowed?: string;
  /** Next step; the usual advice for the code when absent. */
  readonly hint?: string;
  /** False where the platform may accept it after all. @default true */
  readonly refused?: boolean;
  /** Required reaction. @default "advise" */
  readonly level?: FindingLevel;
}

/** A change with what is known of it. */
export interface CheckedChange {
  /** As the plan holds it. */
  readonly change: Change;
  readonly spec: ResourceSpec;
  /** The entity as it is when the change is sent; `undefined` for a new one. */
  readonly entity: Fields | undefined;
  /** The entity as it will be. */
  readonly next: Fields;
}

/** The account at one step of a plan: as it was read, with what earlier changes do. */
export interface AccountView extends Pick<Surroundings, "unread" | "highestBid"> {
  /** An entity; `undefined` when the account has none of that id. */
  entity(kind: string, id: unknown): Fields | undefined;
  /** True when an ad group holds an entity of a kind that is not archived. */
  holds(kind: string, adGroupId: unknown): boolean;
  /** True for an entity that an earlier change of the plan archives. */
  archivedByPlan(kind: string, id: unknown): boolean;
  /** The campaign that an entity is in, by the word of its ad group or its own; `undefined` where it was not read. */
  campaignOf(checked: Pick<CheckedChange, "spec" | "next">): Fields | undefined;
}

/** Sources for checking the changes of a plan. */
export interface PreflightContext<Account = Surroundings> {
  readonly account: Account;
  /** Country of the marketplace. */
  readonly countryCode: string;
  /** `seller`, `vendor` or `agency`; `undefined` when it is not known. */
  readonly accountType: string | undefined;
  /** The day it is in the profile's time zone, `YYYY-MM-DD`. */
  readonly today: string;
  /** Specification of a kind. */
  readonly specOf: (kind: string) => ResourceSpec;
}

/** Sources for checking one change. */
export type StepContext = PreflightContext<AccountView>;

/** Finds what is wrong with a change in one respect. */
export type PreflightRule = (checked: CheckedChange, context: StepContext) => Problem[];

/** Expected refusals of the platform for the changes of a plan. */
export interface Preflight {
  /** The changes that are worth sending: new entities that are there already are left out. */
  readonly changes: readonly Change[];
  /** Findings about them, by their positions. */
  readonly findings: readonly Finding[];
  /** Changes that are left out, by their former position: the id of the existing entity. */
  readonly left: ReadonlyMap<number, string>;
}
