import { idOf } from "../../base/json/id_of.ts";
import type { Change, EntityFields } from "../../plans/model/change.ts";
import type { PlanData } from "../../plans/model/plan_data.ts";
import { valueAt } from "../../base/json/field_path.ts";
import { KINDS, type ResourceKind } from "../../client/entities/kinds/kinds.ts";
import { headKey } from "../tables/bulk_head.ts";
import { writeXlsxTabs } from "./write_xlsx.ts";
import { SHEET_PRODUCTS, type SheetProduct } from "./products.ts";
import type { SheetEntity } from "./sheet_entity.ts";
import { INFORMATIONAL, type Line, lineOf } from "./pull_sheet.ts";
import { AMOUNT } from "./sheet_values.ts";
import { amountFormats, PLANNED, readMe } from "./sheet_layout.ts";

/** A bulk sheet with the changes of a plan. */
export interface PlanSheet {
  /** The file to upload in the console. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Number of rows in each tab, without the header. */
  readonly rows: Readonly<Record<string, number>>;
  /** Changes that a bulk sheet has no columns for. */
  readonly left: readonly Change[];
}

const FIGURES = ["Clicks", "Spend", "Sales", "Orders", "ACOS"] as const;

/**
 * Writes the changes of a plan as rows of a bulk sheet, for accounts that are changed by upload instead of requests.
 *
 * @param entities Entities of the account by kind, for names and parents of the changed ones.
 *
 * @example
 * ```ts
 * import { writeFile } from "node:fs/promises";
 * import type { ChangePlan, ResourceKind } from "@platform/ads";
 * import type { EntityFields } from "@platform/ads/plans";
 * import { sheetOfPlan } from "@platform/ads/account";
 *
 * async function upload(plan: ChangePlan, entities: ReadonlyMap<ResourceKind, EntityFields[]>): Promise<void> {
 *   const { bytes, left } = sheetOfPlan(plan, entities);
 *   await writeFile("upload.xlsx", bytes);
 *   for (const change of left) console.log("not in the sheet:", change.label);
 * }
 * ```
 */
export function sheetOfPlan(
  { changes, countryCode }: Pick<PlanData, "changes"> & Partial<Pick<PlanData, "countryCode">>,
  entities: ReadonlyMap<ResourceKind, readonly EntityFields[]>,
): PlanSheet {
  const known = new Map(
    [...entities].flatMap(([kind, list]) =>
      list.map((one) => [`${kind} ${idOf(one, KINDS[kind].idField)}`, one] as const)
    ),
  );
  const left: Change[] = [];
  const tabs = new Map<SheetProduct, PlanLine[]>();
  for (const change of changes) {
    const line = lineOfChange(change, known);
    if (line === undefined) left.push(change);
    else tabs.set(line.product, [...tabs.get(line.product) ?? [], line]);
  }
  const written = SHEET_PRODUCTS.flatMap((product) => {
    const lines = tabs.get(product) ?? [];
    if (lines.length === 0) return [];
    // Beside each changed column, its value before: a person compares them, and an upload ignores it.
    const changed = product.headers.filter((header) => lines.some(({ old }) => old.has(headKey(header))));
    const headers = [
      ...product.headers,
      ...changed.map((header) => `Old ${header} (Informational only)`),
      ...INFORMATIONAL,
      ...FIGURES,
    ];
    const formats = amountFormats(headers, countryCode);
    const rows = lines.map(({ cells, old, names, figures }) => [
      ...cells,
      ...changed.map((header) => old.get(headKey(header)) ?? ""),
      ...names,
      ...figures,
    ]);
    return [{ name: product.name, lines: [headers, ...rows], formats }];
  });
  return {
    bytes: writeXlsxTabs([...written, readMe(PLANNED)]),
    rows: Object.fromEntries(written.map(({ name, lines }) => [name, lines.length - 1])),
    left,
  };
}

interface PlanLine {
  readonly product: SheetProduct;
  readonly cells: Line;
  readonly old: ReadonlyMap<string, string | number>;
  readonly names: Line;
  readonly figures: Line;
}

function lineOfChange(
  change: Change,
  known: ReadonlyMap<string, EntityFields>,
): PlanLine | undefined {
  const { kind, op, id, after, ref, evidence } = change;
  const product = SHEET_PRODUCTS.find(({ entities }) => entities.some((one) => one.kind === kind));
  const before = known.get(`${kind} ${id}`) ?? {};
  const whole: EntityFields = { ...before, ...texts(after) };
  const type = product?.entities.find((one) => one.kind === kind && (one.holds?.(whole) ?? true));
  if (product === undefined || type === undefined || op === "call" || !fits(change, type)) return undefined;
  const { idField, updatable } = KINDS[kind as ResourceKind];
  const at = new Map(product.headers.map((header, index) => [headKey(header), index]));
  const roots = new Set(Object.keys(after));
  const cells = lineOf(op === "create" ? { ...whole, [idField]: ref ?? "" } : { ...whole, [idField]: id }, {
    type,
    product,
    at,
    // A keyword's text and a target's expression say which entity a row is about.
    wants: (path) => {
      const [root = ""] = path.split(".");
      return op === "create" || root === "expression" || !updatable.includes(root) ||
        (op === "update" && roots.has(root));
    },
  });
  const old = new Map<string, string | number>();
  if (op === "update") {
    const fields = { ...before, ...change.before };
    for (const { header, path, value } of type.columns) {
      const present = valueAt(fields, path);
      if (!roots.has(path.split(".")[0]!) || present === undefined) continue;
      old.set(
        headKey(header),
        value === AMOUNT && typeof present === "number" ? present : value.write(present),
      );
    }
  }
  cells[at.get("operation") ?? 2] = op === "create" ? "Create" : op === "update" ? "Update" : "Archive";
  const family = kind.split(".")[0];
  const name = (of: string, own: unknown): string =>
    String(known.get(`${family}.${of} ${own}`)?.["name"] ?? "");
  const { clicks = "", cost = "", sales = "", orders = "", acos = "" } = evidence ?? {};
  return {
    product,
    cells,
    old,
    names: [name("campaigns", whole["campaignId"]), name("ad_groups", whole["adGroupId"])],
    figures: [clicks, cost, sales, orders, acos],
  };
}

function fits({ op, after }: Change, { columns, onCreate }: SheetEntity): boolean {
  if (op === "archive") return true;
  const constant = new Set(Object.keys(onCreate?.({}) ?? {}));
  return Object.keys(after).every((field) =>
    constant.has(field) || columns.some(({ path }) => path.split(".")[0] === field)
  );
}

function texts(fields: EntityFields): EntityFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) =>
      typeof value === "object" && value !== null && "ref" in value ? [name, value.ref] : [name, value]
    ),
  );
}
