import type { Change } from "../../../plans/model/change.ts";
import type { Finding, FindingLevel } from "../../../plans/model/finding.ts";
import type { Surroundings } from "../../../plans/model/prior_state.ts";
import type { ResourceSpec } from "../model/resource_spec.ts";
import type { Fields } from "../model/resource_wire.ts";

export interface Problem {
  /** The platform's code, if any. */
  readonly code: string;
  readonly message: string;
  readonly allowed?: string;
  /** Next step; the code's usual advice if absent. */
  readonly hint?: string;
  /** False where the platform may accept it after all. @default true */
  readonly refused?: boolean;
  /** Required reaction. @default "advise" */
  readonly level?: FindingLevel;
}

/** A change with its entity. */
export interface CheckedChange {
  readonly change: Change;
  readonly spec: ResourceSpec;
  /** The entity when the change is sent; `undefined` for a new one. */
  readonly entity: Fields | undefined;
  /** The entity afterwards. */
  readonly next: Fields;
}

/** Live keywords of an ad group or campaign. */
export interface PlaceKeywords {
  readonly all: readonly Fields[];
  /** Exact keywords by their text. */
  readonly exact: ReadonlyMap<string, readonly Fields[]>;
}

/** The account at one step of a plan, including earlier changes. */
export interface AccountView extends Pick<Surroundings, "unread" | "highestBid"> {
  entity(kind: string, id: unknown): Fields | undefined;
  /** True when an ad group holds an unarchived entity of a kind. */
  holds(kind: string, adGroupId: unknown): boolean;
  /** True for an entity archived by an earlier change of the plan. */
  archivedByPlan(kind: string, id: unknown): boolean;
  /** Keywords of an ad group or campaign that are live once the plan is applied. */
  liveKeywords(kind: string, field: string, place: unknown): PlaceKeywords;
  /** Campaign of an entity, by its ad group or its own field; `undefined` if unread. */
  campaignOf(checked: Pick<CheckedChange, "spec" | "next">): Fields | undefined;
}

export interface PreflightContext<Account = Surroundings> {
  readonly account: Account;
  /** Country of the marketplace. */
  readonly countryCode: string;
  /** `seller`, `vendor` or `agency`, if known. */
  readonly accountType: string | undefined;
  /** Current day in the profile's time zone. */
  readonly today: string;
  readonly specOf: (kind: string) => ResourceSpec;
}

export type StepContext = PreflightContext<AccountView>;

/** Finds problems of a change in one respect. */
export type PreflightRule = (checked: CheckedChange, context: StepContext) => Problem[];

/** Expected refusals of the platform for the changes of a plan. */
export interface Preflight {
  /** Changes to send, without creates of entities that already exist. */
  readonly changes: readonly Change[];
  /** Findings about them, by their positions. */
  readonly findings: readonly Finding[];
  /** Changes that are left out, by their former position: the id of the existing entity. */
  readonly left: ReadonlyMap<number, string>;
}
