import { capital } from "../../../../base/text/capital.ts";
import { spellKind } from "../../../../platform/catalog/kind_names.ts";
import { readableText } from "../../../../base/json/field_path.ts";

/** Unit of a column's numbers. Signed ones are changes and always have a sign. */
export type ColumnUnit = "money" | "share" | "count" | "signed money" | "signed share";

const HEADINGS: Readonly<Record<string, string>> = {
  "budget.amount": "Budget",
  "budget.budget": "Budget",
  applied_at: "Applied",
  asin: "ASIN",
  bidding: "Bidding",
  countryCode: "Market",
  country_code: "Market",
  created_at: "Created",
  creationDate: "Created",
  creationDateTime: "Created",
  currencyCode: "Currency",
  dailyBudget: "Daily budget",
  endDate: "End",
  keywordText: "Keyword",
  lastUpdateDate: "Updated",
  lastUpdateDateTime: "Updated",
  lastUpdatedDate: "Updated",
  matchType: "Match",
  sent_at: "Sent",
  startDate: "Start",
  targetingType: "Targeting",
  updatedAt: "Updated",
};
const ACRONYM = /^(?:acos|api|asin|cpc|cpm|ctr|cvr|id|ids|roas|sku|sql|url|utc)$/;

const MONEY =
  /^(?:bid|defaultBid|default_bid|budget|dailyBudget|budget\.(?:budget|amount)|cost|sales|spend|spend_a_day|cpc|suggested)(?:_before|_after)?$/;
const SHARE = /^(?:acos|ctr|cvr)(?:_before|_after)?$|_share$/;
const SIGNED_SHARE = /_change$/;

export function headingOf(field: string): string {
  const last = field.split(".").at(-1) ?? field;
  const known = HEADINGS[field] ?? HEADINGS[last];
  if (known !== undefined) return known;
  const words = last.replace(/([a-z\d])([A-Z])|([a-z])(?=\d+d\b)/g, "$1$3 $2").split(/[\s_]+/).map((word) =>
    word.toLowerCase()
  );
  const [first = "", ...rest] = words.map((word) => ACRONYM.test(word) ? word.toUpperCase() : word);
  return [capital(first), ...rest].join(" ");
}

export function unitOf(field: string): ColumnUnit {
  if (MONEY.test(field)) return "money";
  if (SHARE.test(field)) return "share";
  return SIGNED_SHARE.test(field) ? "signed share" : "count";
}

/**
 * Formats money, shares and states for people.
 *
 * @param options.decimals Decimals of the currency.
 * @param options.isSql True to keep SQL names of reports and kinds.
 */
export function cellFor(
  value: unknown,
  field: string,
  { unit, decimals, currency, isSql = false }: {
    readonly unit: ColumnUnit;
    readonly decimals: number;
    readonly currency: string | undefined;
    readonly isSql?: boolean | undefined;
  },
): string {
  if (typeof value === "number" && Number.isFinite(value)) {
    const sign = unit.startsWith("signed") && value > 0 ? "+" : "";
    switch (unit) {
      case "money":
      case "signed money": {
        const own = String(value).split(".")[1]?.length ?? 0;
        const digits = own > decimals && Math.abs(value) < 0.1 ? Math.min(own, 4) : decimals;
        return `${sign}${grouped(value.toFixed(digits))}${currency === undefined ? "" : ` ${currency}`}`;
      }
      case "share":
      case "signed share":
        return `${sign}${grouped((value * 100).toFixed(1))} %`;
      case "count": {
        const text = readableText(value, field);
        return /^-?\d+(?:\.\d+)?$/.test(text) && !/(?:^|[a-z_])(?:id|Id|year|port|seed)$/.test(field)
          ? grouped(text)
          : text;
      }
    }
  }
  const text = readableText(value, field);
  if (!isSql && (field === "report" || field === "kind")) return spelled(text);
  return isWord(field) && /^[A-Z][A-Z\d_]*$/.test(text) ? text.toLowerCase().replaceAll("_", " ") : text;
}

function spelled(text: string): string {
  return /^s[pbd][._][a-z_]+$/.test(text) ? spellKind(text.replace(/^(s[pbd])_/, "$1.")) : text;
}

function isWord(field: string): boolean {
  return /(?:^|[._a-z])(?:state|status|type|Type|strategy|Strategy|Status|State|level)$/.test(field);
}

function grouped(text: string): string {
  const [whole = "", rest] = text.split(".");
  const separated = whole.replace(/\B(?=(?:\d{3})+$)/g, ",");
  return rest === undefined ? separated : `${separated}.${rest}`;
}
