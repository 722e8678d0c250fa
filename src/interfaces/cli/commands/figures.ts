import type { Command } from "@commander-js/extra-typings";
import { amountText } from "../../../base/markets/amount_text.ts";
import { marketOf, normalizeCountry } from "../../../base/markets/markets.ts";
import type { ReportRow } from "../../../client/reports/file/report_row.ts";
import { sumFigures } from "../../../operations/reads/sum_figures.ts";
import type { FigureRow, Figures, FiguresOptions } from "../../../store/figures/figures.ts";
import type { Warehouse } from "../../../store/warehouse/warehouse.ts";
import { visibleText } from "../../../base/text/visible_text.ts";
import { command } from "../shell/command.ts";
import type { CliContext } from "../shell/context/context.ts";
import { EXIT, refusingBadInput, UsageError } from "../shell/io/cli_error.ts";
import { openStore } from "../shell/connect/open_store.ts";
import { currencyConversion } from "../shell/input/currency_rates.ts";
import { isOfMarkets } from "../shell/options/market_options.ts";
import { addFields } from "../shell/options/field_options.ts";
import { operationDoc, operationInput } from "../shell/options/operation_input.ts";
import { separated } from "../shell/options/parse_values.ts";
import { storeOption, type StoreOptions } from "../shell/options/store_option.ts";
import { checkPlace, exportFormat, REHEARSED } from "../shell/output/export_format.ts";
import { groupKeys } from "./figure_charts.ts";
import { say, sayNotes, whyOption } from "../shell/output/write_text.ts";
import { printRows } from "../shell/output/print_rows.ts";
import { drawsTable, wantsData } from "../shell/output/wants_data.ts";
import { sparkline } from "../shell/output/sparkline.ts";

type FiguresCommandOptions =
  & Pick<StoreOptions, keyof StoreOptions>
  & { readonly currency?: string; readonly rates?: string }
  & { readonly market?: readonly string[]; readonly chart?: true; readonly out?: string };

export const figuresCommand = command(
  (kit) =>
    // The types of commander cannot know options that are declared elsewhere.
    addFields(
      kit.leaf("figures", {
        ...operationDoc(sumFigures),
        examples: [
          ["adsctl figures --by market --days 7 --compare", "compare each market with the week before"],
          [
            "adsctl figures --by campaign,week --weeks 13 --out weekly.xlsx --chart",
            "save a quarter as a workbook",
          ],
          ["adsctl figures --by week --weeks 13 -m US --chart", "draw cost and sales as bars"],
          ["adsctl figures --by search_term --start 'last month' --json", "as data"],
        ],
      }),
      sumFigures.input,
    )
      .option(
        "-m, --market <markets>",
        "only these country codes or profile ids, separated by commas",
        separated,
      )
      .option("--currency <code>", "convert amounts to this currency")
      .option(
        "--rates <file>",
        "conversion rates: CSV or JSON with currency, rate and, if rates change, from",
      )
      .option("--chart", "draw cost and sales as bars; an .xlsx file gets a sheet with a chart")
      .option("--out <file>", "write to a file: .csv, .json, .jsonl, .parquet or .xlsx; .svg draws a chart")
      .addOption(whyOption())
      .addOption(storeOption()) as Command<[], FiguresCommandOptions>,
  async (options, context) => {
    if (options.out !== undefined) {
      if (!isSvg(options.out)) exportFormat(options.out, context.globals.givenFormat);
      await checkPlace(options.out);
    }
    const input = await operationInput(sumFigures, options);
    const conversion = await currencyConversion(options, context.io);
    const store = await openStore(options, context);
    const chosen = await chosenOf(options.market, store, context);
    const { figures: found, asked } = await refusingBadInput(() =>
      sumFigures.run({ store, conversion, now: context.io.now(), ...chosen }, input)
    );
    const trends = await trendsOf(found, { store, asked, options, context });
    await show(found, { ...options, by: input.by ?? [], trends }, context);
    await sayNotes(found.notes, context);
    return EXIT.done;
  },
);

async function show(
  found: Figures,
  { out, chart, by = [], trends }: {
    out?: string;
    chart?: true;
    by?: readonly string[];
    trends: Trends | undefined;
  },
  context: CliContext,
): Promise<void> {
  const { columns, rows, totals, period, before } = found;
  const { stdout, stderr } = context.io;
  if (out !== undefined && (isSvg(out) || exportFormat(out, context.globals.givenFormat) === "xlsx")) {
    const { rehearse } = context.globals;
    // A sheet says in each row that it is of a copy, as files of rows do.
    const written = rehearse === undefined || isSvg(out) ? found : {
      ...found,
      columns: [...columns, REHEARSED],
      rows: rows.map((row) => ({ ...row, [REHEARSED]: rehearse })),
    };
    await writeWhole(written, { out, chart: chart === true });
    if (!context.globals.quiet) await stderr.write(`Wrote ${rows.length} rows to ${out}\n`);
    return;
  }
  if (out !== undefined) {
    const [{ exportRows }, { inferredTypes }] = await Promise.all([
      import("../shell/output/export_rows.ts"),
      import("../shell/output/inferred_types.ts"),
    ]);
    const types = inferredTypes(columns, rows);
    await exportRows(asyncRows(rows), { path: out, columns, types }, context);
    if (!context.globals.quiet) await stderr.write(`Wrote ${rows.length} rows to ${out}\n`);
    return;
  }
  if (chart) {
    await stdout.write(chartOf(rows, columns));
    return;
  }
  if (wantsData(context)) {
    await printRows(rows, { columns }, context);
    return;
  }
  const compared = before === undefined ? "" : `, against ${before.start} to ${before.end}`;
  const isTable = drawsTable(context);
  // A table in one currency says it once.
  const currency = isTable && by.length > 0 && totals.length === 1 ? totals[0]?.currency : undefined;
  const inOne = typeof currency === "string" ? `, amounts in ${currency}` : "";
  await stderr.write(`${period.start} to ${period.end}${compared}${inOne}\n`);
  // Names before ids, which --json and --out have; the wide ones are left to them too.
  const named = (column: string): boolean => /_id$/.test(column) && columns.includes(column.slice(0, -3));
  const wide = new Set(["impressions", "ctr", "cvr", "roas", "orders_before", "match_type"]);
  const once = new Set(["immature", ...(inOne === "" ? [] : ["currency"])]);
  const kept = columns.filter((column) => !named(column) && !wide.has(column) && !once.has(column));
  // What has no room at 80 columns is on the right.
  const shown = [
    ...kept.filter((column) => !LAST.includes(column)),
    ...trends === undefined ? [] : [TREND],
    ...LAST.filter((column) => kept.includes(column)),
  ];
  const label = shown.find((column) => NAMES.has(column));
  const first = shown[0] ?? "currency";
  const sums = by.length === 0 ? [] : totals.map((total) => ({ ...total, [first]: "Total" }));
  await printRows(
    [...rows, ...sums].map((row) => trends === undefined ? row : { ...row, [TREND]: trends(row) }),
    { columns: shown, fields: columns, name: label },
    context,
  );
}

async function chosenOf(
  named: readonly string[] | undefined,
  store: Pick<Warehouse, "coverage">,
  context: CliContext,
): Promise<Pick<FiguresOptions, "markets" | "profileIds">> {
  if (named === undefined) return {};
  for (const name of named) {
    if (/\d/.test(name) || marketOf(name) !== undefined) continue;
    throw new UsageError(`Cannot use "${name}" as a market: give a country code such as US, or a profile id`);
  }
  if (!named.some((name) => /\d/.test(name))) return { markets: named.map(normalizeCountry) };
  const isWanted = isOfMarkets(named);
  const found = (await store.coverage()).filter(isWanted);
  const profileIds = [...new Set(found.map(({ profileId }) => profileId))];
  const unknown = named.filter((name) => /\d/.test(name) && !profileIds.includes(name));
  if (unknown.length > 0) await say(`The store has no figures of profile ${unknown.join(", ")}`, context);
  return { profileIds };
}

const TREND = "cost_by_day";
/** Maximum number of rows that get a trend. */
const MAX_TRENDS = 200;

type Trends = (row: FigureRow) => string;

function totalOf({ currency }: FigureRow): Pick<FigureRow, "currency"> {
  return { currency };
}

async function trendsOf(
  { columns, rows }: Figures,
  { store, asked, options, context }: {
    store: Warehouse;
    asked: FiguresOptions;
    options: { out?: string; chart?: true };
    context: CliContext;
  },
): Promise<Trends | undefined> {
  const { by = [], from, to } = asked;
  const isDated = by.some((group) => group === "month" || group === "week" || group === "day");
  const isTable = drawsTable(context) && context.io.stdout.isTerminal && context.globals.fields === undefined;
  if (!isTable || isDated || options.out !== undefined || options.chart || from === to) return undefined;
  if (rows.length > MAX_TRENDS) return undefined;
  const { costByDay } = await import("../../../store/figures/cost_by_day.ts");
  const keys = columns.slice(0, columns.indexOf("currency") + 1);
  const nameOf = (row: Readonly<Record<string, unknown>>): string =>
    JSON.stringify(keys.map((key) => row[key] ?? null));
  const days = [
    ...await costByDay(store, asked),
    ...by.length === 0 ? [] : await costByDay(store, { ...asked, by: [] }),
  ];
  const drawn = new Map(days.map(({ row, costs }) => [nameOf(row), sparkline(costs)]));
  // A total has no keys but its currency.
  return (row) => drawn.get(nameOf(row)) ?? drawn.get(nameOf(totalOf(row))) ?? "";
}

function isSvg(path: string): boolean {
  return path.toLowerCase().endsWith(".svg");
}

async function writeWhole(
  found: Figures,
  { out, chart }: { readonly out: string; readonly chart: boolean },
): Promise<void> {
  const bytes = isSvg(out) ? await svgOf(found) : await workbookOf(found, chart);
  const { NewFile } = await import("../shell/output/export_rows.ts");
  const file = await NewFile.create(out);
  try {
    await file.write(bytes);
    await file.finish();
  } catch (error) {
    await file.abandon();
    throw error;
  }
}

async function svgOf(found: Figures): Promise<Uint8Array> {
  const { figuresSvg } = await import("./figures_svg.ts");
  return new TextEncoder().encode(figuresSvg(found));
}

async function workbookOf(found: Figures, chart: boolean): Promise<Uint8Array> {
  const { figuresWorkbook } = await import("./figures_workbook.ts");
  return figuresWorkbook(found, { chart });
}

const LAST = [
  "orders",
  "clicks",
  "cpc",
  "cost_before",
  "sales_before",
  "orders_before",
  "acos_before",
];
const NAMES: ReadonlySet<string> = new Set(["campaign", "ad_group", "keyword", "search_term", "portfolio"]);

const WIDTH = 30;

function chartOf(rows: readonly FigureRow[], columns: readonly string[]): string {
  const keys = groupKeys(columns);
  const label = (row: FigureRow): string =>
    visibleText(keys.map((key) => row[key] ?? "").join(" ")).slice(0, 30);
  const width = Math.max(5, ...rows.map((row) => label(row).length));
  const lines = [...Map.groupBy(rows, ({ currency }) => currency)].flatMap(([currency, own]) => {
    const most = Math.max(1e-9, ...own.flatMap(({ cost, sales }) => [cost, sales]));
    const bar = (amount: number, glyph: string): string =>
      `${glyph.repeat(Math.round(amount / most * WIDTH))} ${amountText(amount, currency)}`;
    return [
      `${currency ?? ""}: ▒ cost, █ sales`,
      ...own.flatMap((row) => [
        `${label(row).padEnd(width)} ▏${bar(row.cost, "▒")}`,
        `${"".padEnd(width)} ▏${bar(row.sales, "█")}${row.immature ? " (immature)" : ""}`,
      ]),
    ];
  });
  return `${lines.join("\n")}\n`;
}

async function* asyncRows(rows: readonly FigureRow[]): AsyncGenerator<ReportRow> {
  yield* rows;
}
