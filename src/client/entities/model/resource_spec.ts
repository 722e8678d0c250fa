import type { ProfileScope } from "../../../platform/transport/profile_scope.ts";
import type { Identity } from "./identity.ts";
import type { Fields, ResourceWire } from "./resource_wire.ts";

/** Description of one kind of entity for the engine. */
export interface ResourceSpec {
  /** Kind as plans write it, for example `sp.ad_groups`. */
  readonly kind: string;
  /** Noun in the singular, for example `ad group`. */
  readonly noun: string;
  /** Noun in the plural, for example `ad groups`. */
  readonly plural: string;
  readonly idField: string;
  /** Fields that hold ids; they are strings for us, whatever the wire has. */
  readonly idFields: readonly string[];
  /** True where ids are bare integers on the wire, so that nothing but digits can be one. @default false */
  readonly integerIds?: boolean;
  /**
   * True where entities are those of a global account and not of the profile: a profile without such an account has none,
   * and what reads a profile as a whole leaves them out. @default false
   */
  readonly isGlobal?: boolean;
  /** Amount that an entity has in each marketplace, and whether a new one needs it in each; absent for kinds without. */
  readonly marketplaceAmount?: { readonly field: string; readonly isNeeded: boolean };
  /** True where the platform enables every new entity and takes no state for it. @default false */
  readonly bornEnabled?: boolean;
  /**
   * True where the platform takes a second entity that equals one which is there, so that a create may only be sent
   * again after a look whether the first was carried out. @default false
   */
  readonly repeatable?: boolean;
  /** Fields that an update may carry besides the id; others are dropped. */
  readonly updatable: readonly string[];
  /** Fields, as paths, that an update may empty with `null`: a campaign leaves its portfolio. */
  readonly clearable?: readonly string[];
  /** Advice about fields that an update cannot change, by field. */
  readonly advice?: Readonly<Record<string, string>>;
  /** Fields of an update that hold an amount of money or a number. */
  readonly numeric: readonly string[];
  /** States that are listed when the caller names none; `null` for every state. */
  readonly defaultStates: readonly string[] | null;
  /** How the wire writes states. */
  readonly stateCase: "upper" | "lower";
  /** States that an update may set. */
  readonly settableStates: readonly string[];
  /** Filters that a list understands besides ids and states. */
  readonly filters: readonly ("campaignIds" | "adGroupIds" | "name" | "nameMatch" | "extended")[];
  /** Parts that the platform computes, by field, or by `<field>.*` for each of its parts; a plan neither compares nor sends them. */
  readonly computed?: Readonly<Record<string, readonly string[]>>;
  /** Fields that a create must have. */
  readonly required: readonly string[];
  /** Values that a create may give, by field; states apart. */
  readonly choices?: Readonly<Record<string, readonly string[]>>;
  /** Unique key of an entity; absent where the platform takes a second that equals the first. */
  readonly identity?: Identity;
  /** Fields that name what an entity belongs to, outermost first, with the kind of each. */
  readonly parents: Readonly<Record<string, string>>;
  /** Entity type of the change history, for example `KEYWORD`; kinds may share one. Absent where none is recorded. */
  readonly historyType?: string;
  /** Fields of a table, in order; `budget.budget` is the field `budget` of the field `budget`. */
  readonly columns: readonly string[];
  /** Further known fields, in the order of a CSV file. */
  readonly moreFields?: readonly string[];
  /** Known fields that the platform adds when extended data is asked for. */
  readonly extendedFields?: readonly string[];
  /** Operations of the catalog behind each method of the resource. */
  readonly operations: Readonly<Record<string, string | readonly string[]>>;
  /** Name of an entity for people. */
  readonly label: (entity: Fields) => string;
  /** The way over the wire of its own family; over the unified one for a kind that the unified family has alone. */
  readonly wire: ResourceWire;
  /** The way over the unified wire; absent for a kind that only one of the wires has. */
  readonly unified?: ResourceWire;
  /** Shapes an item before it is sent or planned; `existing` is the entity now, where that was read. */
  readonly normalize?: (item: Fields, existing: Fields | undefined) => Fields;
  /** New items that this gives different texts never share a request. */
  readonly createGroup?: (item: Fields) => string;
  /** Refuses a list of new items that cannot be sent as it is. */
  readonly checkCreate?: (items: readonly Fields[]) => void;
  /** Fields that an update sends whole: parts that the caller leaves out are read from the account. */
  readonly whole?: readonly string[];
  /** Reason why an entity as it is cannot take an update; `undefined` where it can. */
  readonly refuses?: (update: Fields, entity: Fields) => string | undefined;
  /** Fields that an update must repeat; they are read from the account where the caller leaves them out. */
  readonly repeated?: readonly string[];
}

/** A kind of entity: everything that the library knows of it. */
export interface Kind<Resource> extends ResourceSpec {
  readonly create: (scope: ProfileScope) => Resource;
}
