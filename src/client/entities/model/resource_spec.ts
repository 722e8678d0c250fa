import type { ProfileScope } from "../../../platform/transport/profile_scope.ts";
import type { Identity } from "./identity.ts";
import type { Fields, LateWire } from "./resource_wire.ts";

export const SP_EXTENDED_FIELDS: readonly string[] = [
  "extendedData.creationDateTime",
  "extendedData.lastUpdateDateTime",
  "extendedData.servingStatus",
];

export const SB_EXTENDED_FIELDS: readonly string[] = [
  "extendedData.creationDate",
  "extendedData.lastUpdateDate",
  "extendedData.servingStatus",
];

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
   * True if the platform enables every new entity and accepts no state for it.
   *
   * @default false
   */
  readonly bornEnabled?: boolean;
  /**
   * True if the platform accepts duplicates. A create may then be retried only after checking that the first one
   * failed.
   *
   * @default false
   */
  readonly repeatable?: boolean;
  /** Fields that an update can change; other fields are dropped. */
  readonly updatable: readonly string[];
  /** Paths that an update can clear with `null`, such as a campaign's portfolio. */
  readonly clearable?: readonly string[];
  readonly advice?: Readonly<Record<string, string>>;
  readonly numeric: readonly string[];
  readonly defaultStates: readonly string[] | null;
  readonly stateCase: "upper" | "lower";
  readonly settableStates: readonly string[];
  readonly filters: readonly ("campaignIds" | "adGroupIds" | "name" | "nameMatch" | "extended")[];
  /** Fields that plans neither compare nor send; `<field>.*` stands for all parts of a field. */
  readonly computed?: Readonly<Record<string, readonly string[]>>;
  readonly required: readonly string[];
  readonly choices?: Readonly<Record<string, readonly string[]>>;
  /** How to recognize equal entities; absent if the platform accepts duplicates. */
  readonly identity?: Identity;
  /** Parents of the kind, outermost first. */
  readonly parents: Readonly<Record<string, string>>;
  readonly historyType?: string;
  readonly columns: readonly string[];
  readonly moreFields?: readonly string[];
  readonly extendedFields?: readonly string[];
  readonly operations: Readonly<Record<string, string | readonly string[]>>;
  readonly label: (entity: Fields) => string;
  readonly wire: LateWire;
  readonly unified?: LateWire;
  readonly normalize?: (item: Fields, existing: Fields | undefined) => Fields;
  /** Returns the group of a new item; items of different groups never share a request. */
  readonly createGroup?: (item: Fields) => string;
  readonly checkCreate?: (items: readonly Fields[]) => void;
  /** Fields that are updated as a whole; parts that an update omits are read from the account. */
  readonly whole?: readonly string[];
  readonly refuses?: (update: Fields, entity: Fields) => string | undefined;
  /** Fields that every update must repeat; missing values are read from the account. */
  readonly repeated?: readonly string[];
}

export interface Kind<Resource> extends ResourceSpec {
  readonly create: (scope: ProfileScope) => Resource;
}

export function knownFields(spec: ResourceSpec): string[] {
  return [...spec.columns, ...spec.moreFields ?? [], ...spec.extendedFields ?? []];
}
