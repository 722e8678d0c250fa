import { pullSheet, sheetOfPlan, sheetResult } from "../../../src/account/mod.ts";
import { figuresWorkbook } from "../../../src/interfaces/cli/commands/figures_workbook.ts";
import { writeXlsx } from "../../../src/interfaces/cli/shell/output/xlsx_file.ts";
import { writeConsoleFiles } from "../../../src/interfaces/demo/write_console_files.ts";
import { emulated } from "../../support/emulated.ts";

/** An id that no float holds. */
export const LONG_ID = "9223372036854775807";

interface Row {
  readonly [name: string]: string | number | boolean | null;
}

async function* each(rows: readonly Row[]): AsyncGenerator<Row> {
  yield* rows;
}

const EXPORTED: readonly Row[] = [
  {
    ...{ date: "2026-09-28", country_code: "US", campaignId: LONG_ID, campaignName: "=1+1", clicks: 3 },
    ...{ cost: 1.5, clickThroughRate: 0.03, isOwn: true },
  },
  {
    ...{ date: "2026-09-29", country_code: "JP", campaignId: LONG_ID, campaignName: "0123", clicks: null },
    ...{ cost: 1200, clickThroughRate: null, isOwn: false },
  },
];

async function exported(options: { readonly maxRows?: number } = {}): Promise<Uint8Array> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  await writeXlsx(each(EXPORTED), {
    types: new Map([
      ...[["date", "date"], ["country_code", "text"], ["campaignId", "text"]] as const,
      ...[["campaignName", "text"], ["clicks", "integer"], ["cost", "real"]] as const,
      ...[["clickThroughRate", "real"], ["isOwn", "text"]] as const,
    ]),
    write: (bytes) => Promise.resolve(void chunks.push(new Uint8Array(bytes))),
    ...options,
  });
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

function figures(chart: boolean): Uint8Array {
  const us = { day: "2026-09-28", campaign: "A", campaign_id: LONG_ID, cost: 1.5, sales: 3, acos: 0.5 };
  const rows = [{ ...us, currency: "USD" }, { ...us, cost: 1200, sales: 6000, currency: "JPY" }];
  const found = {
    columns: Object.keys(rows[0]!),
    rows,
    totals: rows.map(({ cost, sales, currency }) => ({ campaign: "Total", cost, sales, currency })),
  };
  return figuresWorkbook(found as unknown as Parameters<typeof figuresWorkbook>[0], { chart });
}

/** Workbooks that play downloads of the console, which have the console's own layout. */
export const PLAYED: ReadonlySet<string> = new Set(["console report", "console bulk sheet"]);

/** One workbook of every kind that is written, by a word for messages. */
export async function writtenWorkbooks(): Promise<Map<string, Uint8Array>> {
  await using world = await emulated({
    emulator: { clock: { now: "2026-09-30T12:00:00Z", frozen: true }, quirks: { reportSeconds: 0 } },
  });
  const [keyword] = await world.us.sp.keywords.list();
  const pulled = await pullSheet(world.us, { campaignIds: [keyword!.campaignId] });
  const portfolios = await pullSheet(world.us, { products: ["Portfolios"] });
  const [group] = await world.us.sp.adGroups.list({ ids: [keyword!.adGroupId] });
  const plan = await world.us.plan().update("sp.keywords", { keywordId: keyword!.keywordId, bid: 1.23 })
    .build();
  const entities = new Map([["sp.keywords", [keyword!]], ["sp.ad_groups", [group!]]] as const);
  const sheet = sheetOfPlan(plan, entities as unknown as Parameters<typeof sheetOfPlan>[1]).bytes;
  const marked = await sheetResult({ bytes: sheet, name: "sheet.xlsx" }, plan);
  const [report, bulk] = await writeConsoleFiles(world.us, {
    start: "2026-09-29",
    end: "2026-09-29",
    isSummary: false,
    language: "en",
    only: ["sp_targeting", "bulk"],
  });
  return new Map([
    ["sheet pull", pulled.bytes],
    ["portfolios", portfolios.bytes],
    ["sheet of a plan", sheet],
    ["sheet result", marked.bytes],
    ["console report", report!.bytes],
    ["console bulk sheet", bulk!.bytes],
    ["export", await exported()],
    ["export in two tabs", await exported({ maxRows: 2 })],
    ["figures", figures(false)],
    ["figures with a chart", figures(true)],
  ]);
}
