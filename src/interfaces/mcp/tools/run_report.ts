import * as z from "zod";
import { readDayRange } from "../../../base/time/moment.ts";
import { isFieldsReport } from "../../../client/reports/fields/fields_report.ts";
import {
  presetName,
  REPORT_PRESET_NAMES,
  REPORT_PRESETS,
  spellReport,
} from "../../../client/reports/requests/presets.ts";
import type { ReportConfiguration } from "../../../client/reports/requests/report_configuration.ts";
import { askFields, type AskingParts, askReporting1, askVersion3 } from "../context/report_call.ts";
import { ROW_ARGS, ROWS, sortedRows, takeRows } from "../tooling/rows.ts";
import { MARKET, REPORTING, type Tool, tool } from "../tooling/tool.ts";
import { ConfigurationError } from "../../../errors.ts";
import { immatureNote } from "../../../store/figures/immature_note.ts";
import type { Row } from "../results/text_table.ts";

const MAX_ROWS_READ = 300_000;
const MARGIN = 5;
const DAY = z.string().describe("YYYY-MM-DD, -N days ago, or last week");

const TEXTS = { type: "array" as const, items: { type: "string" as const } };
const CONFIGURATION = z.record(z.string(), z.unknown()).meta({ properties: { fields: TEXTS } });

export const runReport: Tool = tool({
  name: "run_report",
  title: "Run a report",
  description: `Presets of one profile: ${presetList()}; or a ` +
    "configuration, or {fields} of report_fields. Takes minutes; repeat the call to resume. Prefer SUMMARY " +
    "with sort_by, and query_result for long results.",
  input: z.strictObject({
    market: MARKET,
    report: z.union([z.string(), CONFIGURATION]),
    start: DAY.default("-7"),
    end: z.string().optional().describe("Default: yesterday or that week's end"),
    time_unit: z.enum(["DAILY", "SUMMARY"]).optional(),
    columns: z.array(z.string()).optional().describe("Default: usual ones, acos"),
    filters: z.record(z.string(), z.array(z.string())).meta({ properties: { campaignStatus: TEXTS } })
      .optional(),
    reporting: REPORTING,
    sort_by: z.string().optional().describe("Largest first"),
    wait_seconds: z.int().min(1).max(3600).optional(),
    ...ROW_ARGS,
  }),
  output: ROWS,
  effect: "read",
  sets: ["reports"],
  isListed: true,
  maxSeconds: ({ wait_seconds: seconds = 0 }) => seconds + MARGIN,
  async run(args, call) {
    const profile = await call.context.profile(args.market, call.signal);
    const { today } = profile.reports;
    const wanted = {
      ...readDayRange(args, today),
      timeUnit: args.time_unit,
      columns: reportColumns(args.report, args.columns),
      filters: args.filters,
    };
    const report = args.report as string | ReportConfiguration;
    let step = 0;
    const tell = (message: string): Promise<void> => call.progress(++step, message);
    const asking: AskingParts = {
      pending: call.context.pendingReports,
      seconds: args.wait_seconds ?? Math.max(1, call.seconds - MARGIN),
      tell,
      signal: call.signal,
    };
    const asked = isFieldsReport(args.report)
      ? await askFields(profile, { report: args.report, given: args, days: wanted }, asking)
      : args.reporting === 1
      ? await askReporting1(profile, { report, wanted }, asking)
      : await askVersion3(profile, { report, wanted }, asking);
    const { notes, columns, key } = asked;
    const { limit, offset, sort_by: column } = args;
    const sales = acosSales(columns);
    if (column !== undefined) checkColumn(column, sales === undefined ? columns : [...columns, ACOS]);
    const known = call.context.results.find(key);
    if (known !== undefined) {
      notes.push(`Read ${known.seconds} s ago`, ...call.context.results.at(known.uri)?.notes ?? []);
      const options = {
        noun: "rows",
        limit,
        offset,
        maxRead: MAX_ROWS_READ,
        uri: known.uri,
        notes: () => notes,
      };
      return await takeRows(ordered(known.rows, column), options, call);
    }
    const rows: Row[] = [];
    const before = notes.length;
    for await (const row of asked.rows()) {
      if (rows.push(withAcos(row, sales)) > MAX_ROWS_READ) {
        throw new ConfigurationError(
          `Cannot read more than ${MAX_ROWS_READ} rows: ask for SUMMARY, for fewer days or columns`,
        );
      }
    }
    const late = await immatureNote(
      {
        rows,
        days: { start: wanted.start, end: wanted.end },
        reports: typeof report === "string" ? [report] : [],
      },
      await call.context.store?.warehouse(),
      { today },
    );
    notes.push(...late);
    // What was said before the rows is said again with them.
    const kept = notes.slice(before);
    const uri = call.context.results.keep(`${rows.length} rows of ${titleOf(args.report)}`, rows, {
      key,
      notes: kept,
    });
    const options = { noun: "rows", limit, offset, maxRead: MAX_ROWS_READ, uri, notes: () => notes };
    return await takeRows(ordered(rows, column), options, call);
  },
});

function presetList(): string {
  const byProduct = Map.groupBy(
    REPORT_PRESET_NAMES.map(spellReport),
    (name) => /^(?:brands-|display-)?/.exec(name)?.[0] ?? "",
  );
  return [...byProduct].map(([product, names]) => {
    const own = names.map((name) => name.slice(product.length)).join(", ");
    return product === "" ? own : `${product}(${own})`;
  }).join(", ");
}

function checkColumn(column: string, columns: readonly string[]): void {
  if (columns.includes(column)) return;
  throw new ConfigurationError(`Cannot sort by "${column}": expected one of ${columns.join(", ")}`);
}

function ordered(rows: readonly Row[], column: string | undefined): readonly Row[] {
  return column === undefined ? rows : sortedRows(rows, column);
}

function titleOf(report: string | Readonly<Record<string, unknown>>): string {
  return typeof report === "string" ? report : "a report";
}

const ACOS = "acos";
const SALES = ["sales14d", "sales", "sales7d"];
const USUAL: ReadonlySet<string> = new Set(
  ("campaignId campaignName adGroupId adGroupName adId keywordId keyword keywordText keywordBid targeting " +
    "targetingId targetingText matchType placementClassification searchTerm advertisedAsin advertisedSku " +
    "promotedAsin promotedSku purchasedAsin asinBrandHalo attributionType impressions clicks cost purchases14d " +
    "purchases sales14d sales orders14d purchasesOtherSku14d salesOtherSku14d conversionsBrandHalo salesBrandHalo")
    .split(" "),
);

/**
 * The named columns, or common ones of a preset; `undefined` keeps those of a configuration. `acos` adds cost and
 * sales.
 */
export function reportColumns(report: unknown, named: readonly string[] | undefined): string[] | undefined {
  const preset = typeof report === "string" ? REPORT_PRESETS[presetName(report)].columns : undefined;
  if (named === undefined) return preset?.filter((column) => USUAL.has(column));
  if (!named.includes(ACOS)) return [...named];
  const sales = SALES.find((column) => named.includes(column)) ??
    SALES.find((column) => preset?.includes(column) ?? true);
  const others = named.filter((column) => column !== ACOS);
  return [...new Set([...others, "cost", ...sales === undefined ? [] : [sales]])];
}

function acosSales(columns: readonly string[]): string | undefined {
  return columns.includes("cost") ? SALES.find((column) => columns.includes(column)) : undefined;
}

function withAcos(row: Row, sales: string | undefined): Row {
  if (sales === undefined) return row;
  const [cost, sold] = [row["cost"], row[sales]];
  const isKnown = typeof cost === "number" && typeof sold === "number" && sold > 0;
  return { ...row, [ACOS]: isKnown ? Math.round(cost / sold * 10_000) / 10_000 : null };
}
