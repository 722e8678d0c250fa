import { addDays, type DayRange } from "../../../../base/time/calendar.ts";
import { nearest } from "../../../../base/text/nearest.ts";
import { UsageError } from "../../shell/errors/cli_error.ts";

interface QueryMacros {
  /** Days of `{start}` and `{end}`. */
  readonly range: DayRange;
  /** The day it is, for `:YYYYMMDD-7`. */
  readonly today: string;
  /** Ids of `{profiles}`: rows of digits. */
  readonly profiles: readonly string[];
}

const NAMES = ["start", "end", "today", "profiles"] as const;
const MACRO = /'\{([A-Za-z_]+)\}'|\{([A-Za-z_]+)\}|'?:YYYY(-?)MM\3DD(?:([+-])(\d{1,4}))?\b'?/g;

/**
 * Fills the macros of a query from a file: `{start}`, `{end}` and `{today}` become days in quotes, `{profiles}` ids in
 * quotes, `:YYYYMMDD-7` and `:YYYY-MM-DD-7` the day a week ago. Only days and digits are put into the text.
 *
 * @param file Path of the file, for messages.
 * @throws {UsageError} that names every unknown macro with its line and column.
 */
export function fillMacros(sql: string, file: string, { range, today, profiles }: QueryMacros): string {
  const wrong: string[] = [];
  const filled = sql.replace(MACRO, (whole, quoted, bare, dash, sign, days, at: number) => {
    const name: string | undefined = quoted ?? bare;
    if (name === undefined) {
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
    const lines = sql.slice(0, at).split("\n");
    wrong.push(
      `${file}:${lines.length}:${lines.at(-1)!.length + 1}: there is no macro {${name}}${
        near === undefined ? `: expected {${NAMES.join("}, {")}}` : `, did you mean {${near}}?`
      }`,
    );
    return whole;
  });
  if (wrong.length > 0) throw new UsageError(wrong.join("\n"));
  return filled;
}
