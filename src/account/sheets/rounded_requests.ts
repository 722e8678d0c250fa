import { isObject } from "../../base/json/fields_of.ts";
import { decimalsOf } from "../../base/markets/markets.ts";
import { roundMoney } from "../../base/text/money_text.ts";
import type { SheetRequest } from "./sheet_requests.ts";

const MONEY: ReadonlySet<string> = new Set(["bid", "defaultBid", "budget", "amount"]);

export function roundedRequests(
  requests: readonly SheetRequest[],
  countryCode: string,
): { readonly requests: readonly SheetRequest[]; readonly notices: readonly string[] } {
  const decimals = decimalsOf(countryCode);
  const notices: string[] = [];
  const rounded = requests.map((request) => {
    const [place] = request.rows;
    const where = `${place?.tab === "" ? "" : `${place?.tab} `}row ${place?.row}`;
    const walk = (value: unknown, name: string): unknown => {
      if (typeof value === "number" && MONEY.has(name)) {
        const next = roundMoney(value, decimals);
        if (next !== value) {
          notices.push(`${where}: ${name} is rounded to the market's decimals, ${value} → ${next}`);
        }
        return next;
      }
      if (!isObject(value)) return value;
      return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, walk(inner, field)]));
    };
    return { ...request, fields: walk(request.fields, "") as SheetRequest["fields"] };
  });
  return { requests: rounded, notices };
}
