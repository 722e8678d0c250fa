import type { Fields, InputOf } from "./field.ts";

/** How a file is read whose headers, words or formats are not known. */
export const READING_FIELDS = {
  map: {
    type: "map",
    isOfCommands: true,
    help:
      "meaning of a header or word: a known name, a platform column, or - to ignore it; or a --save-map file; repeatable",
  },
  encoding: {
    type: "text",
    isOfCommands: true,
    value: "name",
    help: "encoding of CSV files that are not UTF-8, such as gb18030 or windows-1252",
  },
  tab: { type: "text", isOfCommands: true, value: "name", help: "workbook tab to read" },
  decimal: {
    type: "choice",
    choices: ["point", "comma"],
    isOfCommands: true,
    value: "mark",
    help: "decimal mark, if the numbers are ambiguous",
  },
  dates: {
    type: "choice",
    choices: ["dmy", "mdy"],
    isOfCommands: true,
    value: "order",
    help: "order of dates such as 12/07/2019, if ambiguous",
  },
} as const satisfies Fields;

export function hintsOf({ map, encoding, tab, decimal, dates }: InputOf<typeof READING_FIELDS>) {
  return { map, encoding, tab, decimal, dayOrder: dates };
}
