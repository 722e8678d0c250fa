import { nearest } from "../../base/text/nearest.ts";
import { addDays, type DayRange } from "../../base/time/calendar.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";

interface QueryMacros {
  readonly range: DayRange;
  readonly today: string;
  readonly profiles: readonly string[];
}

const NAMES = ["start", "end", "today", "profiles"] as const;
const MACRO =
  /'\{([A-Za-z_]+)\}'|\{([A-Za-z_]+)\}|'?:YYYY(-?)MM\3DD(?:([+-])(\d{1,4}))?\b'?|'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[^]*?\*\//g;

/**
 * Replaces `{start}`, `{end}` and `{today}` by quoted days, `{profiles}` by quoted ids, `:YYYYMMDD-7` and
 * `:YYYY-MM-DD-7` by the day a week ago. Inserts nothing but days and digits. A macro may stand in quotes alone;
 * longer texts and comments are left as they are.
 *
 * @param file Path of the file, for messages.
 * @throws {RangeError} with line and column of every unknown macro.
 */
export function fillMacros(sql: string, file: string, { range, today, profiles }: QueryMacros): string {
  const wrong: string[] = [];
  const filled = sql.replace(MACRO, (whole, quoted, bare, dash, sign, days, at: number) => {
    const name: string | undefined = quoted ?? bare;
    if (name === undefined) {
      if (dash === undefined) return whole;
      const day = addDays(today, (sign === "-" ? -1 : 1) * Number(days ?? 0));
      return `'${dash === "-" ? day : day.replaceAll("-", "")}'`;
    }
    switch (name) {
      case "start":
      case "end":
        return `'${range[name]}'`;
      case "today":
        return `'${today}'`;
      case "profiles":
        return profiles.filter((id) => /^\d+$/.test(id)).map((id) => `'${id}'`).join(", ") || "NULL";
    }
    const near = nearest(name, NAMES);
    if (quoted !== undefined && near === undefined) return whole;
    const lines = sql.slice(0, at).split("\n");
    wrong.push(
      `${file}:${lines.length}:${lines.at(-1)!.length + 1}: there is no macro {${name}}${
        near === undefined ? `: expected {${NAMES.join("}, {")}}` : `, did you mean {${near}}?`
      }`,
    );
    return whole;
  });
  if (wrong.length > 0) throw new RangeError(wrong.join("\n"));
  return filled;
}

/**
 * Ids of the stored profiles, or of those with the given ids or country codes.
 *
 * @throws {RangeError} when the store has none of a name.
 */
export async function storedProfiles(
  store: Warehouse,
  names?: readonly string[] | undefined,
): Promise<string[]> {
  const { rows } = await store.query("SELECT profile_id, country_code FROM profiles ORDER BY profile_id");
  const of = (
    row: Readonly<Record<string, unknown>>,
  ): [string, string] => [String(row["profile_id"]), String(row["country_code"])];
  const unknown = names?.find((name) => !rows.some((row) => of(row).includes(name.toUpperCase())));
  if (unknown !== undefined) {
    const known = [...new Set(rows.flatMap(of))].join(", ");
    throw new RangeError(`Cannot use "${unknown}" as a profile: the store has ${known || "none"}`);
  }
  const wanted = names?.map((name) => name.toUpperCase());
  return rows.map(of).filter((one) => wanted === undefined || one.some((name) => wanted.includes(name)))
    .map(([id]) => id);
}
