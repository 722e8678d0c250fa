import type { EntityFields } from "../../plans/model/change.ts";
import type { AccountNode } from "../files/account_reading.ts";
import type { WantedEntity } from "../files/wanted_entities.ts";

/** One entity that differs between files and account. */
export interface DiffEntry {
  /** Resource kind, for example `sp.keywords`. */
  readonly kind: string;
  /** Id in the account; `null` if the entity does not exist there yet. */
  readonly id: string | null;
  /** Display name. */
  readonly label: string;
  /** Name of its campaign; `null` for a portfolio. */
  readonly campaign: string | null;
  /** File that defines it; `null` if it is only in the account. */
  readonly file: string | null;
  /** Changed fields with their values in the account. */
  readonly before: EntityFields;
  /** Changed fields with their values in the file; all fields of a new entity. */
  readonly after: EntityFields;
}

export type PortfolioChoice = { readonly id: string } | { readonly added: WantedEntity } | null;

export interface AddedEntity {
  readonly entry: DiffEntry;
  readonly wanted: WantedEntity;
  /** Parents, outermost first: account entities, or entities created by the same plan. */
  readonly parents: readonly (AccountNode | WantedEntity)[];
  readonly portfolio: PortfolioChoice | undefined;
}

export interface ChangedEntity {
  readonly entry: DiffEntry;
  readonly node: AccountNode;
  readonly portfolio: PortfolioChoice | undefined;
}

export interface ExtraEntity {
  readonly entry: DiffEntry;
  readonly node: AccountNode;
}
