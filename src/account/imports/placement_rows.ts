import { isObject } from "../../base/json/fields_of.ts";
import type { ResourceKind } from "../../client/entities/kinds/kinds.ts";
import type { EntityFields } from "../../plans/model/change.ts";
import { SHEET_PRODUCTS, type SheetProduct } from "../sheets/products.ts";
import { nested } from "../sheets/sheet_row.ts";
import { PERCENT } from "../sheets/sheet_values.ts";
import { KeyedSpill } from "../tables/keyed_spill.ts";
import type { SheetLine } from "../tables/sheet_lines.ts";
import { Spill } from "../tables/spill.ts";
import { type BulkCells, UnknownWord } from "./bulk_cells.ts";

interface Adjustment {
  readonly id: string;
  readonly product: number;
  readonly placement: unknown;
  readonly percentage: unknown;
}

/** Campaigns of a tab. */
interface KnownCampaigns {
  has(kind: ResourceKind, id: string): boolean;
  /** True for campaigns whose rows were left out. */
  isLeftOut(kind: ResourceKind, id: string): boolean;
}

/** Placement adjustments, which bulk sheets have in separate rows. */
export class PlacementRows {
  readonly #lines = new Spill<{ readonly line: SheetLine; readonly product: number }>();
  readonly #adjustments = new KeyedSpill<Adjustment>(({ id, product }) => `${product} ${id}`);

  take(line: SheetLine, product: SheetProduct): void {
    this.#lines.push({ line, product: SHEET_PRODUCTS.indexOf(product) });
  }

  /** Reads the adjustments, once all campaigns of the tab are known. */
  end(cells: BulkCells, campaigns: KnownCampaigns): void {
    for (const { line, product } of this.#lines) {
      try {
        this.#read(cells, line, { product, campaigns });
      } catch (error) {
        cells.keepOut(line, error);
      }
    }
  }

  /** Returns a campaign with its adjustments. */
  applied(kind: ResourceKind, id: string, campaign: EntityFields): EntityFields {
    if (this.#adjustments.length === 0) return campaign;
    let whole = campaign;
    for (const [product, { adjustment }] of SHEET_PRODUCTS.entries()) {
      if (adjustment?.kind !== kind) continue;
      for (const { placement, percentage } of this.#adjustments.all(`${product} ${id}`)) {
        whole = nested([...pathsOf(whole), [adjustment.path, [{ placement, percentage }]]]);
      }
    }
    return whole;
  }

  close(): void {
    this.#lines.close();
    this.#adjustments.close();
  }

  #read(
    cells: BulkCells,
    line: SheetLine,
    { product, campaigns }: { readonly product: number; readonly campaigns: KnownCampaigns },
  ): void {
    const { table } = cells;
    const adjustment = SHEET_PRODUCTS[product]?.adjustment;
    const id = cells.id(line, "Campaign Id");
    if (id === undefined || adjustment === undefined || table.raw(line, "Placement").trim() === "") return;
    const kind = adjustment.kind as ResourceKind;
    if (!campaigns.has(kind, id)) {
      if (campaigns.isLeftOut(kind, id)) throw new UnknownWord("campaigns that were left out");
      return cells.refuse(line, "Campaign Id", "no row describes this campaign");
    }
    const word = table.word(line, "Placement");
    const placement = known(() => adjustment.placement.read(word), `Placement "${word}"`);
    const percentage = cells.try(
      line,
      "Percentage",
      () => PERCENT.read(table.text(line, "Percentage", "percent") || "0"),
    );
    if (percentage !== undefined) this.#adjustments.push({ id, product, placement, percentage });
  }
}

function known<Value>(step: () => Value, what: string): Value {
  try {
    return step();
  } catch (error) {
    throw error instanceof RangeError ? new UnknownWord(what) : error;
  }
}

/** Returns the paths and values of fields, one level deep as `nested` expects; lists are not split. */
function pathsOf(entity: EntityFields): (readonly [string, unknown])[] {
  return Object.entries(entity).flatMap(([name, value]): (readonly [string, unknown])[] =>
    isObject(value)
      ? Object.entries(value).map(([part, inner]) => [`${name}.${part}`, inner] as const)
      : [[name, value]]
  );
}
