import type { EntityFields } from "../../plans/model/change.ts";
import { AMOUNT, DAY, type SheetValue, TEXT } from "./sheet_values.ts";

export interface SheetColumn {
  readonly header: string;
  /** Path of the field; for example, `budget.budget` is the field `budget` of the object `budget`. */
  readonly path: string;
  readonly value: SheetValue;
  readonly parent?: string;
}

export interface SheetEntity {
  readonly product: string;
  readonly entity: string;
  readonly kind: string;
  readonly idHeader: string;
  readonly columns: readonly SheetColumn[];
  readonly onCreate?: (fields: EntityFields) => EntityFields;
  readonly notCreated?: string;
  readonly holds?: (entity: EntityFields) => boolean;
}

export interface SheetAdjustment {
  readonly entity: string;
  readonly product: string;
  readonly kind: string;
  readonly path: string;
  readonly placement: SheetValue;
}

export function column(header: string, path: string, value: SheetValue = TEXT): SheetColumn {
  return { header, path, value };
}

export function parent(header: string, path: string, kind: string): SheetColumn {
  return { header, path, value: TEXT, parent: kind };
}

export const DAYS = [column("Start Date", "startDate", DAY), column("End Date", "endDate", DAY)];

export const BID = column("Bid", "bid", AMOUNT);
