import type { EntityFields } from "../../plans/model/change.ts";
import { AMOUNT, DAY, type SheetValue, TEXT } from "./sheet_values.ts";

/** A column of a sheet that holds a field of an entity. */
export interface SheetColumn {
  /** Head of the column. */
  readonly header: string;
  /** Field as a path: `budget.budget` is the field `budget` of the field `budget`. */
  readonly path: string;
  /** How cells are read and written. */
  readonly value: SheetValue;
  /** Kind whose id it is, for the id of what the entity belongs to. */
  readonly parent?: string;
}

/** Meaning of a word in the column Entity. */
export interface SheetEntity {
  /** Name of the tab, and the word in the column Product. */
  readonly product: string;
  /** The word in the column Entity. */
  readonly entity: string;
  readonly kind: string;
  /** Head of the column with its own id. */
  readonly idHeader: string;
  readonly columns: readonly SheetColumn[];
  /** Fields that every new entity gets, and no cell holds. */
  readonly onCreate?: (fields: EntityFields) => EntityFields;
  /** Why rows can be updated and archived only. @default they can be created too */
  readonly notCreated?: string;
  /** True for rows of this word that a list of entities of the kind gives. @default every one */
  readonly holds?: (entity: EntityFields) => boolean;
}

/** A premium for a placement: rows of their own that are fields of a campaign. */
export interface SheetAdjustment {
  /** The word in the column Entity. */
  readonly entity: string;
  /** Name of the tab. */
  readonly product: string;
  /** Kind of the campaign. */
  readonly kind: string;
  /** Path of the list inside the campaign. */
  readonly path: string;
  /** Words for placements. */
  readonly placement: SheetValue;
}

/** A column for a field. */
export function column(header: string, path: string, value: SheetValue = TEXT): SheetColumn {
  return { header, path, value };
}

/** A column for the id of what an entity belongs to. */
export function parent(header: string, path: string, kind: string): SheetColumn {
  return { header, path, value: TEXT, parent: kind };
}

/** Columns for the first and the last day. */
export const DAYS = [column("Start Date", "startDate", DAY), column("End Date", "endDate", DAY)];

export const BID = column("Bid", "bid", AMOUNT);
