import type { ProfileScope } from "../../../platform/transport/profile_scope.ts";
import type { Identity } from "./identity.ts";
import type { Fields, ResourceWire } from "./resource_wire.ts";

export interface ResourceSpec {
  readonly kind: string;
  readonly noun: string;
  readonly plural: string;
  readonly idField: string;
  readonly idFields: readonly string[];
  /**
   * True if ids are integers on the wire, so that only digits are valid.
   *
   * @default false
   */
  readonly integerIds?: boolean;
  /**
   * True for entities of a global account. Profiles without such an account have none, and profile-wide reads skip
   * them.
   *
   * @default false
   */
  readonly isGlobal?: boolean;
  readonly marketplaceAmount?: { readonly field: string; readonly isNeeded: boolean };
  /**
   * True if the platform enables new entities and accepts no state.
   *
   * @default false
   */
  readonly bornEnabled?: boolean;
  /**
   * True if the platform accepts duplicates, so a create may only be retried after checking that the first one failed.
   *
   * @default false
   */
  readonly repeatable?: boolean;
  /** Other fields are dropped. */
  readonly updatable: readonly string[];
  /** Paths that `null` clears, such as a campaign's portfolio. */
  readonly clearable?: readonly string[];
  readonly advice?: Readonly<Record<string, string>>;
  readonly numeric: readonly string[];
  readonly defaultStates: readonly string[] | null;
  readonly stateCase: "upper" | "lower";
  readonly settableStates: readonly string[];
  readonly filters: readonly ("campaignIds" | "adGroupIds" | "name" | "nameMatch" | "extended")[];
  /** Fields, or `<field>.*` for all of their parts, that plans neither compare nor send. */
  readonly computed?: Readonly<Record<string, readonly string[]>>;
  readonly required: readonly string[];
  readonly choices?: Readonly<Record<string, readonly string[]>>;
  /** Absent if the platform accepts duplicates. */
  readonly identity?: Identity;
  /** Outermost parent first. */
  readonly parents: Readonly<Record<string, string>>;
  readonly historyType?: string;
  readonly columns: readonly string[];
  readonly moreFields?: readonly string[];
  readonly extendedFields?: readonly string[];
  readonly operations: Readonly<Record<string, string | readonly string[]>>;
  readonly label: (entity: Fields) => string;
  readonly wire: ResourceWire;
  readonly unified?: ResourceWire;
  readonly normalize?: (item: Fields, existing: Fields | undefined) => Fields;
  /** New items with different results never share a request. */
  readonly createGroup?: (item: Fields) => string;
  readonly checkCreate?: (items: readonly Fields[]) => void;
  /** Updated as a whole; omitted parts are read from the account. */
  readonly whole?: readonly string[];
  readonly refuses?: (update: Fields, entity: Fields) => string | undefined;
  /** Must be repeated in every update; missing values are read from the account. */
  readonly repeated?: readonly string[];
}

export interface Kind<Resource> extends ResourceSpec {
  readonly create: (scope: ProfileScope) => Resource;
}
