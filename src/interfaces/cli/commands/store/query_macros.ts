import { addDays, type DayRange } from "../../../../base/time/calendar.ts";
import { nearest } from "../../../../base/text/nearest.ts";
import { UsageError } from "../../shell/errors/cli_error.ts";

interface QueryMacros {
  readonly range: DayRange;
  readonly today: string;
  readonly profiles: readonly string[];
}

const NAMES = ["start", "end", "today", "profiles"] as const;
const MACRO = /'\{([A-Za-z_]+)\}'|\{([A-Za-z_]+)\}|'?:YYYY(-?)MM\3DD(?:([+-])(\d{1,4}))?\b'?/g;

/**
 * Replaces `{start}`, `{end}` and `{today}` by quoted days, `{profiles}` by quoted ids, `:YYYYMMDD-7` and
 * `:YYYY-MM-DD-7` by the day a week ago. Inserts nothing but days and digits.
 *
 * @param file Path of the file, for messages.
 * @throws {UsageError} with line and column of every unknown macro.
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
