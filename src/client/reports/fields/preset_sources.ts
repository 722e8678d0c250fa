import { columnType } from "../file/report_row.ts";
import { fieldTable } from "./field_table.ts";
import { lookUp } from "./check_fields.ts";

/** Kind of account whose purchases the new reports count for 14 days; for the others they count 7. */
const VENDOR = "vendor";
/** Ids that the new reports lack; they are found by the content of a keyword or target. */
const JOINED: ReadonlySet<string> = new Set(["keywordId", "targetingId"]);
/** Fields that name a keyword or target. */
export const TARGET_FIELDS = { value: "target.value", matchType: "target.matchType" } as const;

/** A column of a ready report, and where the new reports have it. */
export interface PresetSource {
  /** The column of version 3. */
  readonly column: string;
  /** The field with the same meaning. */
  readonly field?: string | undefined;
  /** True for an id that is found by ad group, value and match type. */
  readonly joined?: true | undefined;
  /** Why it is empty. */
  readonly missing?: string | undefined;
}

/** A ready report with its columns, and what decides how they are counted. */
interface PresetShape {
  /** For example `SPONSORED_PRODUCTS`. */
  readonly adProduct: string;
  /** Columns of a row. */
  readonly columns: readonly string[];
  /** Columns that tell one row from another. */
  readonly key: readonly string[];
  readonly accountType: string | undefined;
}

/**
 * The sources of a ready report's columns in the new reports. A window of purchases that they do not count is empty; the window
 * that it counts is added under the name that version 3 has for it.
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

/** The column of the window that the new reports count; absent for a column that has no such window. */
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

/** Days after a click within which the new reports count purchases of Sponsored Products, by the kind of account. */
export function countedDays(accountType: string | undefined): 7 | 14 {
  return accountType === VENDOR ? 14 : 7;
}

/** Sentences about columns that stay empty, one for each reason. */
export function missingColumns(sources: readonly PresetSource[]): string[] {
  const empty = sources.filter(({ missing }) => missing !== undefined);
  return [...Map.groupBy(empty, ({ missing }) => missing)].map(([reason, group]) => {
    const names = group.map(({ column }) => column).join(", ");
    return `${names} ${group.length === 1 ? "is" : "are"} empty: ${reason}`;
  });
}

/** Says how many rows are without the id of their keyword or target. */
export function unjoinedText(unjoined: number, all: number): string {
  return `${unjoined} of ${all} rows are of keywords or targets that the account does not list under that text: their ids ` +
    "are empty";
}

/** The fields to ask for: those of the columns, and what ids are found by. */
export function presetFields(sources: readonly PresetSource[], { isDaily }: { isDaily: boolean }): string[] {
  const fields = sources.flatMap(({ field, joined }) =>
    joined ? ["adGroup.id", TARGET_FIELDS.value, TARGET_FIELDS.matchType] : field ?? []
  );
  return [...new Set([...isDaily ? ["date.value"] : [], ...fields])];
}

/** True for a figure, which is counted and may be zero. */
export function isFigure(column: string): boolean {
  const type = columnType(column);
  return type === "integer" || type === "real";
}
