import { columnType } from "./file/report_row.ts";
import { fieldTable } from "./field_table.ts";
import { lookUp } from "./check_fields.ts";

/** Account type of vendors, whose purchases are counted for 14 days instead of 7. */
const VENDOR = "vendor";
/** Columns that the new reports lack; their values are found by the content of a keyword or target. */
const JOINED: ReadonlySet<string> = new Set(["keywordId", "targetingId"]);
export const TARGET_FIELDS = { value: "target.value", matchType: "target.matchType" } as const;

export interface PresetSource {
  readonly column: string;
  readonly field?: string | undefined;
  readonly joined?: true | undefined;
  readonly missing?: string | undefined;
}

interface PresetShape {
  readonly adProduct: string;
  readonly columns: readonly string[];
  readonly key: readonly string[];
  readonly accountType: string | undefined;
}

/**
 * Returns the fields for a preset. Columns of an attribution window that is not counted are empty; the counted window
 * is added under its version 3 name.
 */
export async function presetSources({ columns, ...shape }: PresetShape): Promise<PresetSource[]> {
  const table = await fieldTable();
  const names = columns.filter((column) => column !== "date");
  const parts = new Set(
    shape.key.flatMap((column) => lookUp(column, table).field?.split(".")[0] ?? []),
  );
  const sources: PresetSource[] = [];
  const more = new Map<string, string>();
  for (const column of names) {
    if (JOINED.has(column)) {
      sources.push({ column, joined: true });
      continue;
    }
    const { field } = lookUp(column, table);
    const excludes = field === undefined ? undefined : table.fields.get(field)?.excludes;
    if (field === undefined || excludes === undefined) {
      sources.push({ column, missing: "no field of new reports has the same meaning" });
      continue;
    }
    const barred = excludes.find((part) => parts.has(part));
    if (barred !== undefined) {
      sources.push({ column, missing: `new reports have no such figure by ${barred}` });
      continue;
    }
    const counted = countedWindow(column, table.fields.get(field)?.columns ?? [], shape);
    if (counted === undefined || counted === column) {
      sources.push({ column, field });
      continue;
    }
    const days = /\d+(?=d$)/.exec(counted)?.[0];
    sources.push({ column, missing: `new reports count purchases of this account for ${days} days` });
    if (!names.includes(counted)) more.set(counted, field);
  }
  return [...sources, ...Array.from(more, ([column, field]) => ({ column, field }))];
}

function countedWindow(
  column: string,
  columns: readonly string[],
  { adProduct, accountType }: Pick<PresetShape, "adProduct" | "accountType">,
): string | undefined {
  if (adProduct !== "SPONSORED_PRODUCTS" || !/\d+d$/.test(column)) return undefined;
  const windows = columns.filter((one) => one.replace(/\d+d$/, "") === column.replace(/\d+d$/, ""));
  const days = `${countedDays(accountType)}d`;
  return windows.length > 1 ? windows.find((one) => one.endsWith(days)) : undefined;
}

export function countedDays(accountType: string | undefined): 7 | 14 {
  return accountType === VENDOR ? 14 : 7;
}

export function missingColumns(sources: readonly PresetSource[]): string[] {
  const empty = sources.filter(({ missing }) => missing !== undefined);
  return [...Map.groupBy(empty, ({ missing }) => missing)].map(([reason, group]) => {
    const names = group.map(({ column }) => column).join(", ");
    return `${names} ${group.length === 1 ? "is" : "are"} empty: ${reason}`;
  });
}

export function unjoinedText(unjoined: number, all: number): string {
  return `${unjoined} of ${all} rows are of keywords or targets that the account does not list under that text: their ids ` +
    "are empty";
}

export function presetFields(sources: readonly PresetSource[], { isDaily }: { isDaily: boolean }): string[] {
  const fields = sources.flatMap(({ field, joined }) =>
    joined ? ["adGroup.id", TARGET_FIELDS.value, TARGET_FIELDS.matchType] : field ?? []
  );
  return [...new Set([...isDaily ? ["date.value"] : [], ...fields])];
}

export function isFigure(column: string): boolean {
  const type = columnType(column);
  return type === "integer" || type === "real";
}
