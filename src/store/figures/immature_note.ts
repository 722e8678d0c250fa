import { addDays, type DayRange } from "../../base/time/calendar.ts";
import { REPORT_PRESET_NAMES } from "../../client/reports/requests/presets.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { RESTATE_DAYS } from "../model/maturity_share.ts";

export const ATTRIBUTION_DAYS = 14;

const NAMED = 7;

const NOTABLE = 0.01;

const LATE = /sales|orders|purchases|units|acos|roas|conversion|\bcvr\b/i;

interface ShownFigures {
  readonly rows?: readonly Readonly<Record<string, unknown>>[] | undefined;
  readonly statement?: { readonly sql: string; readonly params: readonly unknown[] } | undefined;
  readonly days?: DayRange | undefined;
  readonly reports?: readonly string[] | undefined;
}

/**
 * Names the days of a result whose sales are still incomplete, and the missing share according to the store's history.
 * Without enough history, only says that recent sales still grow.
 *
 * @param options `asOf`: time at which the figures were known.
 */
export async function immatureNote(
  shown: ShownFigures,
  store: Pick<Warehouse, "query"> | undefined,
  { today: now, asOf }: { readonly today: string; readonly asOf?: string | undefined },
): Promise<string[]> {
  const { statement } = shown;
  if (!showsSales(shown)) return [];
  const today = asOf !== undefined && /^\d{4}-\d\d-\d\d/.test(asOf) ? asOf.slice(0, 10) : now;
  const first = addDays(today, -RESTATE_DAYS + 1);
  const { isShown, isSure } = shownDays(shown, today);
  const reports = shown.reports ??
    REPORT_PRESET_NAMES.filter((name) => new RegExp(`\\b${name}\\b`).test(statement?.sql ?? ""));
  const judged = (await sharesToCome(store, { first, reports, asOf })).filter(({ date }) => isShown(date));
  const where = isSure ? "" : " (where included)";
  if (judged.length > 0) {
    const young = judged.filter(({ share }) => share >= NOTABLE);
    if (young.length === 0) return [];
    const named = young.slice(0, NAMED).map(({ date, share }) => `${date} ${Math.round(share * 100)} %`);
    const more = young.length - named.length;
    return [
      `Immature${where}: share of sales still to come, estimated from the final days of this ` +
      `store: ${named.join(", ")}${more > 0 ? `, less for ${more} older days` : ""}`,
    ];
  }
  const young = addDays(today, -ATTRIBUTION_DAYS);
  const recent = Array.from({ length: ATTRIBUTION_DAYS }, (_, at) => addDays(young, at + 1));
  if (!recent.some(isShown)) return [];
  return [
    `Days after ${young} are immature${where}: orders are attributed for ${ATTRIBUTION_DAYS} days after a click, ` +
    `and figures are restated for ${RESTATE_DAYS} days`,
  ];
}

export function showsSales({ rows, statement }: Pick<ShownFigures, "rows" | "statement">): boolean {
  if (rows === undefined || LATE.test(statement?.sql ?? "")) return true;
  return rows.some((row) => Object.keys(row).some((name) => LATE.test(name)));
}

function shownDays(
  { rows = [], statement, days }: ShownFigures,
  today: string,
): { isShown: (date: string) => boolean; isSure: boolean } {
  if (days !== undefined) return { isShown: (date) => days.start <= date && date <= days.end, isSure: true };
  if (rows.some((row) => "date" in row)) {
    const dates = new Set(rows.map(({ date }) => String(date)));
    return { isShown: (date) => dates.has(date), isSure: true };
  }
  if (rows.length === 0) return { isShown: () => false, isSure: true };
  const { sql = "", params = [] } = statement ?? {};
  const texts = [...sql.matchAll(/'(\d{4}-\d\d-\d\d)'/g)].map(([, date = ""]) => date);
  const bounds = [...texts, ...params].filter((value): value is string =>
    typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value)
  );
  // Without an upper bound a query reaches today, whatever days it names.
  const isBounded = bounds.length > 0 && /\bdate"?\s*(<|=|between\b|in\b)/i.test(sql);
  const end = isBounded ? bounds.sort().at(-1)! : today;
  return { isShown: (date) => date <= end, isSure: false };
}

async function sharesToCome(
  store: Pick<Warehouse, "query"> | undefined,
  { first, reports, asOf }: { first: string; reports: readonly string[]; asOf: string | undefined },
): Promise<{ date: string; share: number }[]> {
  if (store === undefined) return [];
  const only = reports.length === 0 ? "" : ` AND report IN (${reports.map(() => "?").join(", ")})`;
  const { rows } = await store.query(
    `SELECT date, max(sales_to_come) AS share FROM immature WHERE date >= '${first}'${only} ` +
      `GROUP BY date ORDER BY date DESC`,
    [...reports],
    { asOf },
  );
  return rows.flatMap(({ date, share }) => typeof share === "number" ? [{ date: String(date), share }] : []);
}
