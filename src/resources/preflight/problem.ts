import type { Change } from "../../plans/change.ts";
import type { ResourceSpec } from "../resource_spec.ts";
import type { Fields } from "../wire/resource_wire.ts";
import type { AccountNow } from "./account_now.ts";

/** What is wrong with a change. */
export interface Problem {
  /** The platform's code where it has one. */
  readonly code: string;
  /** What is wrong, with the value. */
  readonly message: string;
  /** What would be allowed. */
  readonly allowed?: string;
  /** What to do; the usual advice for the code when absent. */
  readonly hint?: string;
  /** False where the platform may accept it after all. @default true */
  readonly refused?: boolean;
}

/** A change with what is known of it. */
export interface CheckedChange {
  /** As the plan holds it. */
  readonly change: Change;
  /** Its kind. */
  readonly spec: ResourceSpec;
  /** The entity as it is; `undefined` for a new one. */
  readonly entity: Fields | undefined;
  /** The entity as it will be. */
  readonly next: Fields;
}

/** What changes are checked against. */
export interface PreflightContext {
  /** One reading of the account: entities by kind and id. */
  readonly account: AccountNow;
  /** Country of the marketplace. */
  readonly countryCode: string;
  /** `seller`, `vendor` or `agency`; `undefined` when it is not known. */
  readonly accountType: string | undefined;
  /** The day it is in the profile's time zone, `YYYY-MM-DD`. */
  readonly today: string;
  /** What is known of a kind. */
  readonly specOf: (kind: string) => ResourceSpec;
}

/** Finds what is wrong with a change in one respect. */
export type PreflightRule = (checked: CheckedChange, context: PreflightContext) => Problem[];
