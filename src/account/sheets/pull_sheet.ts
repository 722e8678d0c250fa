import { idKey, idOf } from "../../base/json/id_of.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import { valueAt } from "../../base/json/field_path.ts";
import type { EntityFields } from "../../plans/model/change.ts";
import { KINDS } from "../../client/entities/kinds/kinds.ts";
import { offersDisplay } from "../../client/offers_display.ts";
import { headKey } from "../tables/bulk_head.ts";
import { csvOf } from "../tables/csv_lines.ts";
import { type NewTab, writeXlsxTabs } from "./write_xlsx.ts";
import { SHEET_PRODUCTS, type SheetProduct } from "./products.ts";
import type { SheetEntity } from "./sheet_entity.ts";
import { AMOUNT, PERCENT } from "./sheet_values.ts";
import { amountFormats, PULLED, readMe } from "./sheet_layout.ts";

/** Format of a pulled sheet, and which part of the account it holds. */
export interface PullSheetOptions {
  /** Format of the file. A CSV file holds one product. @default xlsx */
  readonly format?: "xlsx" | "csv" | undefined;
  /** Products: `Portfolios`, `Sponsored Products`, `Sponsored Brands`, `Sponsored Display`. @default all of them */
  readonly products?: readonly string[] | undefined;
  /** Only these campaigns and their contents. */
  readonly campaignIds?: readonly string[] | undefined;
  /** Aborts listing the entities of the sheet. */
  readonly signal?: AbortSignal | undefined;
}

/** A file in the bulk format, with its number of rows. */
export interface PulledSheet {
  /** The file. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Number of rows in each tab, without the header. */
  readonly rows: Readonly<Record<string, number>>;
}

/** Headers of columns that only inform people; the platform ignores them. */
export const INFORMATIONAL: readonly string[] = [
  "Campaign Name (Informational only)",
  "Ad Group Name (Informational only)",
];

export type Line = (string | number)[];

/**
 * Writes an account as a bulk file of the platform: a tab for each product, a row for each entity, and an empty column
 * Operation. Reads only.
 *
 * @example
 * ```ts
 * import { writeFile } from "node:fs/promises";
 * import type { ProfileClient } from "@platform/ads";
 * import { pullSheet } from "@platform/ads/account";
 *
 * async function pulled(ca: ProfileClient): Promise<void> {
 *   const { bytes, rows } = await pullSheet(ca);
 *   await writeFile("bulk.xlsx", bytes);
 *   console.log(rows);
 * }
 * ```
 * @throws {RangeError} for a product that is not known, or CSV for several products. Nothing was read.
 */
export async function pullSheet(
  profile: ProfileClient,
  options: PullSheetOptions = {},
): Promise<PulledSheet> {
  const products = wantedProducts(options);
  const tabs: (NewTab & { readonly lines: Line[] })[] = [];
  // A product that is named has to be there.
  const hasDisplay = options.products !== undefined ||
    await offersDisplay(profile, { signal: options.signal });
  for (const product of products) {
    if (product.name === "Sponsored Display" && !hasDisplay) continue;
    const lines = await linesOf(profile, product, options);
    const headers = product.name === "Portfolios" ? product.headers : [...product.headers, ...INFORMATIONAL];
    const formats = amountFormats(headers, profile.countryCode);
    tabs.push({ name: product.name, lines: [[...headers], ...lines], formats });
  }
  const rows = Object.fromEntries(tabs.map(({ name, lines }) => [name, lines.length - 1]));
  const [first] = tabs;
  const bytes = options.format === "csv"
    ? new TextEncoder().encode(csvOf((first?.lines ?? []).map((line) => line.map(String)), { hasMark: true }))
    : writeXlsxTabs([...tabs, readMe(PULLED)]);
  return { bytes, rows };
}

/** @throws {RangeError} for a product that is not known, or CSV for several products. */
export function wantedProducts({ products, format = "xlsx", campaignIds }: PullSheetOptions): SheetProduct[] {
  const known = SHEET_PRODUCTS.map(({ name }) => name);
  const wanted = products ??
    (campaignIds === undefined ? known : known.filter((name) => name !== "Portfolios"));
  const found = SHEET_PRODUCTS.filter(({ name }) => wanted.some((word) => headKey(word) === headKey(name)));
  const wrong = wanted.find((word) => !known.some((name) => headKey(name) === headKey(word)));
  if (wrong !== undefined) {
    throw new RangeError(`Cannot pull "${wrong}" into a sheet: expected one of ${known.join(", ")}`);
  }
  if (format === "csv" && found.length !== 1) {
    throw new RangeError(
      `Cannot pull ${found.length} products into a CSV file: name one of ${known.join(", ")}`,
    );
  }
  return found;
}

async function linesOf(
  profile: ProfileClient,
  product: SheetProduct,
  { campaignIds, signal }: PullSheetOptions,
): Promise<Line[]> {
  const at = new Map(product.headers.map((header, index) => [headKey(header), index]));
  const byCampaign = new Map<string, Map<string, Line[]>>();
  const campaigns = new Map<string, string>();
  const adGroups = new Map<string, { name: string; campaignId: string }>();
  const put = (line: Line, { campaignId, adGroupId }: { campaignId: string; adGroupId: string }): void => {
    const groups = byCampaign.get(campaignId) ?? new Map<string, Line[]>();
    byCampaign.set(campaignId, groups);
    const lines = groups.get(adGroupId) ?? [];
    groups.set(adGroupId, lines);
    lines.push(line);
  };
  const kinds = [...new Set(product.entities.map(({ kind }) => kind))];
  for (const kind of kinds) {
    const isCampaign = kind.endsWith(".campaigns");
    const filter = isCampaign ? { ids: campaignIds } : campaignIds === undefined ? {} : { campaignIds };
    for await (const entity of profile.resource(kind).iter({ ...filter, signal })) {
      const adGroupId = idKey(entity, "adGroupId");
      // A negative target of Display names its ad group alone.
      const campaignId = idOf(entity, "campaignId") ?? adGroups.get(adGroupId)?.campaignId ?? "";
      if (isCampaign) campaigns.set(campaignId, String(entity["name"] ?? ""));
      if (kind.endsWith(".ad_groups")) {
        adGroups.set(adGroupId, { name: String(entity["name"] ?? ""), campaignId });
      }
      const type = product.entities.find((one) => one.kind === kind && (one.holds?.(entity) ?? true));
      if (type === undefined) continue;
      const names = product.name === "Portfolios"
        ? []
        : [campaigns.get(campaignId) ?? "", adGroups.get(adGroupId)?.name ?? ""];
      put([
        ...lineOf(campaignId === "" ? entity : { campaignId, ...entity }, { type, product, at }),
        ...names,
      ], { campaignId, adGroupId });
      if (isCampaign) {
        for (const line of adjustmentLines(entity, { product, at, campaignId })) {
          put([...line, ...names], { campaignId, adGroupId: "" });
        }
      }
    }
  }
  return [...byCampaign.values()].flatMap((groups) => [...groups.values()].flat());
}

export function lineOf(
  entity: EntityFields,
  { type, product, at, wants = () => true }: {
    readonly type: SheetEntity;
    readonly product: SheetProduct;
    readonly at: ReadonlyMap<string, number>;
    readonly wants?: ((path: string) => boolean) | undefined;
  },
): Line {
  const line: Line = product.headers.map(() => "");
  const put = (header: string, value: string | number): void => {
    const index = at.get(headKey(header));
    if (index !== undefined) line[index] = value;
  };
  put("Product", product.name);
  put("Entity", type.entity);
  put(type.idHeader, idOf(entity, KINDS[type.kind as keyof typeof KINDS].idField) ?? "");
  for (const { header, path, value, parent } of type.columns) {
    if (parent === undefined && !wants(path)) continue;
    const present = valueAt({ ...entity }, path);
    put(header, value === AMOUNT && typeof present === "number" ? present : value.write(present));
  }
  return line;
}

function adjustmentLines(
  campaign: EntityFields,
  { product, at, campaignId }: {
    product: SheetProduct;
    at: ReadonlyMap<string, number>;
    campaignId: string;
  },
): Line[] {
  const { adjustment } = product;
  const list = adjustment === undefined ? undefined : valueAt({ ...campaign }, adjustment.path);
  if (adjustment === undefined || !Array.isArray(list)) return [];
  return list.map(({ placement, percentage }) => {
    const cells: Readonly<Record<string, string | number>> = {
      "product": product.name,
      "entity": adjustment.entity,
      "campaign id": campaignId,
      "placement": adjustment.placement.write(placement),
      "percentage": typeof percentage === "number" ? percentage : PERCENT.write(percentage),
    };
    return [...at.keys()].map((header) => cells[header] ?? "");
  });
}
