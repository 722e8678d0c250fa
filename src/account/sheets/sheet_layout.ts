import { decimalsOf } from "../../base/markets/markets.ts";
import type { NewTab } from "./write_xlsx.ts";
import { headKey } from "../tables/bulk_head.ts";

const MONEY = /^(?:old )?(?:bid|daily budget|budget|budget amount|ad group default bid|spend|sales)$/;

export function amountFormat(decimals: number): string {
  return decimals === 0 ? "#,##0" : `#,##0.${"0".repeat(decimals)}`;
}

export function amountFormats(
  headers: readonly string[],
  countryCode: string | undefined,
): ReadonlyMap<number, string> {
  const format = amountFormat(countryCode === undefined ? 2 : decimalsOf(countryCode));
  return new Map(
    headers.flatMap((header, at) =>
      MONEY.test(headKey(header.replace(" (Informational only)", ""))) ? [[at, format] as const] : []
    ),
  );
}

export const READ_ME = "Read me";

/** Creates the tab with instructions. It must be the last tab, because the platform reads only product tabs. */
export function readMe(lines: readonly string[]): NewTab {
  return { name: READ_ME, lines: lines.map((line) => [line]), widths: [110], isTable: false };
}

const COMMON: readonly string[] = [
  "Ids are text. Keep them so: a spreadsheet program rounds a number of more than 15 digits.",
  "Days are written yyyyMMdd, amounts in the currency of the account, without a sign.",
  'Columns with "(Informational only)" and figures are for reading; an upload ignores them.',
];

export const EXPORTED: readonly string[] = [
  "The first row has the names of the columns. After 1,048,576 rows the table continues in the next tab.",
  "Ids are text. Keep them so: a spreadsheet program rounds a number of more than 15 digits.",
  "Days are dates. Amounts are numbers in the currency of each row's account: do not add up different currencies.",
];

export const PULLED: readonly string[] = [
  "The account as a bulk sheet: a tab for each product, a row for each entity.",
  "Write create, update or archive into the column Operation. Rows without an operation change nothing.",
  "An empty cell changes nothing either.",
  ...COMMON,
  "Plan the changes with: adsctl sheet plan FILE -m MARKET",
];

export const PLANNED: readonly string[] = [
  "The changes of a plan as a bulk sheet: a row for each change.",
  "Nothing was sent. Upload this file in the console under bulk operations, or delete rows first.",
  ...COMMON,
];
