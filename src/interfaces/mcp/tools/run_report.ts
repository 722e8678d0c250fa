import * as z from "zod";
import { ConfigurationError } from "../../../errors.ts";
import type { PresetSource } from "../../../client/reports/preset_sources.ts";
import { presetOf, REPORT_PRESETS, type ReportPresetName } from "../../../client/reports/requests/presets.ts";
import type { ProfileClient } from "../../../client/profile_client.ts";
import { type ReportStep, runReport } from "../../../operations/reads/run_report.ts";
import { immatureNote } from "../../../store/figures/immature_note.ts";
import type { Warehouse } from "../../../store/warehouse/warehouse.ts";
import type { Row } from "../calls/text_table.ts";
import { operationTool } from "../tooling/operation_tool.ts";
import { ROW_ARGS, ROWS, sortedRows, takeRows } from "../tooling/rows.ts";
import type { Tool } from "../tooling/tool.ts";

const MAX_ROWS_READ = 300_000;
const MARGIN = 5;

export const runReportTool: Tool = operationTool(runReport, {
  output: ROWS,
  sets: ["reports"],
  isListed: true,
  more: {
    sort_by: z.string().optional().describe("Largest first"),
    wait_seconds: z.int().min(1).max(3600).optional(),
    ...ROW_ARGS,
  },
  maxSeconds: ({ wait_seconds: seconds = 0 }) => seconds + MARGIN,
  answer: async (profile, input, call, { limit, offset, sort_by: column, wait_seconds: wanted }) => {
    const { results, pendingReports } = call.context;
    const preset = typeof input.report === "string" ? presetOf(input.report) : undefined;
    const seconds = wanted ?? Math.max(1, call.seconds - MARGIN);
    const notes: string[] = [];
    let step = 0;
    const { key, days, filled: columns, rows: asked } = await runReport.run({
      profile,
      signal: call.signal,
      earlier: pendingReports.of(profile.profileId),
      onWarning: (message) => void notes.push(message),
      onStep: (told) => {
        const line = lineOf(told);
        if (line !== undefined) void call.progress(++step, line);
      },
    }, {
      ...input,
      columns: await columnsOf(input, preset, profile),
      timeout: Math.min(input.timeout ?? Infinity, seconds / 60),
    });
    const sales = acosSales(columns);
    if (column !== undefined) checkColumn(column, sales === undefined ? columns : [...columns, ACOS]);
    const options = { noun: "rows", limit, offset, maxRead: MAX_ROWS_READ, notes: () => notes };
    const known = results.find(key);
    if (known !== undefined) {
      notes.push(`Read ${known.seconds} s ago`, ...results.at(known.uri)?.notes ?? []);
      return await takeRows(ordered(known.rows, column), { ...options, uri: known.uri }, call);
    }
    const rows: Row[] = [];
    const before = notes.length;
    for await (const row of asked()) {
      if (rows.push(withAcos(row, sales)) > MAX_ROWS_READ) {
        throw new ConfigurationError(
          `Cannot read more than ${MAX_ROWS_READ} rows: ask for SUMMARY, for fewer days or columns`,
        );
      }
    }
    const shown = { rows, days, reports: preset === undefined ? [] : [preset] };
    const noted = (store?: Warehouse) => immatureNote(shown, store, { today: profile.reports.today });
    notes.push(...await (call.context.store?.use(noted) ?? noted()));
    const title = typeof input.report === "string" ? input.report : "a report";
    // What was said before the rows is said again with them.
    const kept = notes.slice(before);
    const uri = results.keep(`${rows.length} rows of ${title}`, rows, { key, notes: kept });
    return await takeRows(ordered(rows, column), { ...options, uri }, call);
  },
});

function lineOf({ kind, reportId, start, end, status, seconds, at, of }: ReportStep): string | undefined {
  if (kind === "requested") return `Asked for report ${reportId}`;
  if (kind === "adopted") return `Resuming report ${reportId}`;
  if (kind !== "waiting") return undefined;
  const which = at === undefined ? `over ${start} to ${end}` : `${at} of ${of}`;
  return `Report ${which}: ${status} for ${Math.round(seconds)} s`;
}

function checkColumn(column: string, columns: readonly string[]): void {
  if (columns.includes(column)) return;
  throw new ConfigurationError(`Cannot sort by "${column}": expected one of ${columns.join(", ")}`);
}

function ordered(rows: readonly Row[], column: string | undefined): readonly Row[] {
  return column === undefined ? rows : sortedRows(rows, column);
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

async function columnsOf(
  { columns: named, reporting }: {
    readonly columns?: readonly string[] | undefined;
    readonly reporting?: unknown;
  },
  preset: ReportPresetName | undefined,
  { profile }: ProfileClient,
): Promise<readonly string[] | undefined> {
  const columns = reportColumns(preset, named);
  if (reporting !== 1 || preset === undefined || columns === undefined) return columns;
  const { sourcesOfPreset } = await import("../../../client/reports/preset_rows.ts");
  return withCounted(columns, (await sourcesOfPreset(preset, profile.accountInfo.type)).sources);
}

/**
 * The named columns, or common ones of a preset; `undefined` keeps those of a configuration. `acos` adds cost and
 * sales.
 */
export function reportColumns(
  preset: ReportPresetName | undefined,
  named: readonly string[] | undefined,
): string[] | undefined {
  const columns = preset && REPORT_PRESETS[preset].columns;
  if (named === undefined) return columns?.filter((column) => USUAL.has(column));
  if (!named.includes(ACOS)) return [...named];
  const sales = SALES.find((column) => named.includes(column)) ??
    SALES.find((column) => columns?.includes(column) ?? true);
  const others = named.filter((column) => column !== ACOS);
  return [...new Set([...others, "cost", ...sales === undefined ? [] : [sales]])];
}

/** Adds the columns that new reports have for the same figure, which they count over other days. */
function withCounted(columns: readonly string[], all: readonly PresetSource[]): string[] {
  const counts = (column: string): string => column.replace(/\d+d$/, "");
  const counted = columns.filter((column) => counts(column) !== column).flatMap((column) =>
    all.filter((one) => one.missing === undefined && counts(one.column) === counts(column))
  );
  return [...new Set([...columns, ...counted.map(({ column }) => column)])];
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
