import { readXlsx } from "hucre/xlsx";
import { pullSheet, sheetOfPlan, sheetResult } from "../../../src/account/mod.ts";
import { figuresWorkbook } from "../../../src/interfaces/cli/shell/output/figures_workbook.ts";
import { writeXlsx } from "../../../src/interfaces/cli/shell/output/xlsx_file.ts";
import { writeConsoleFiles } from "../../../src/interfaces/demo/write_console_files.ts";
import { deepEqual, equal, match, ok } from "../../support/assert.ts";
import { emulated } from "../../support/emulated.ts";

/** Prints each tab of each workbook with its head, its size, and the types and formats of its second line. */
const OPENED = `
import json, sys, openpyxl
print(json.dumps([[{
  "name": tab.title,
  "rows": tab.max_row,
  "head": [cell.value for cell in tab[1]],
  "types": [cell.data_type for cell in tab[2]] if tab.max_row > 1 else [],
  "formats": [cell.number_format for cell in tab[2]] if tab.max_row > 1 else [],
  "frozen": tab.freeze_panes,
  "filter": tab.auto_filter.ref,
} for tab in openpyxl.load_workbook(path)] for path in sys.argv[1:]]))`;

interface OpenedTab {
  readonly name: string;
  readonly rows: number;
  readonly head: readonly (string | null)[];
  readonly types: readonly string[];
  readonly formats: readonly string[];
  readonly frozen: string | null;
  readonly filter: string | null;
}

/** The workbooks as openpyxl reads them; `undefined` where it is not on this machine. */
async function opened(files: readonly Uint8Array[]): Promise<OpenedTab[][] | undefined> {
  const folder = await Deno.makeTempDir();
  const paths = await Promise.all(files.map(async (bytes, at) => {
    const path = `${folder}/${at}.xlsx`;
    await Deno.writeFile(path, bytes);
    return path;
  }));
  try {
    for (const python of ["/usr/bin/python3", "python3"]) {
      try {
        const { code, stdout, stderr } = await new Deno.Command(python, { args: ["-c", OPENED, ...paths] })
          .output();
        const problem = new TextDecoder().decode(stderr);
        if (code === 0) return JSON.parse(new TextDecoder().decode(stdout));
        if (!/No module named/.test(problem)) throw new Error(problem);
      } catch (error) {
        if (!(error instanceof Deno.errors.NotFound)) throw error;
      }
    }
    return undefined;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function* rowsOf(
  rows: readonly Record<string, string | number | null>[],
): AsyncGenerator<Record<string, string | number | null>> {
  yield* rows;
}

/** Every kind of workbook that is written, with a word for messages. */
async function written(): Promise<Map<string, Uint8Array>> {
  await using world = await emulated({
    emulator: { clock: { now: "2026-09-30T12:00:00Z", frozen: true }, quirks: { reportSeconds: 0 } },
  });
  const [keyword] = await world.us.sp.keywords.list();
  const pulled = await pullSheet(world.us, { campaignIds: [keyword!.campaignId] });
  const [group] = await world.us.sp.adGroups.list({ ids: [keyword!.adGroupId] });
  const plan = await world.us.plan().update("sp.keywords", { keywordId: keyword!.keywordId, bid: 1.23 })
    .build();
  const entities = new Map([["sp.keywords", [keyword!]], ["sp.ad_groups", [group!]]] as const);
  const sheet = sheetOfPlan(plan, entities as unknown as Parameters<typeof sheetOfPlan>[1]).bytes;
  const { bytes: marked } = await sheetResult({ bytes: sheet, name: "sheet.xlsx" }, plan);
  const [report] = await writeConsoleFiles(world.us, {
    start: "2026-09-28",
    end: "2026-09-29",
    isSummary: false,
    language: "en",
    only: ["sp_targeting"],
  });
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  await writeXlsx(rowsOf([{ date: "2026-09-28", campaignId: "00123456789012345", cost: 1.5 }]), {
    types: new Map([["date", "date"], ["campaignId", "text"], ["cost", "real"]]),
    write: (bytes) => Promise.resolve(void chunks.push(new Uint8Array(bytes))),
  });
  const exported = new Uint8Array(await new Blob(chunks).arrayBuffer());
  const row = { campaign: "A", campaign_id: "1", cost: 1.5, sales: 3, currency: "USD" };
  const figures = {
    columns: Object.keys(row),
    rows: [row],
    totals: [{ campaign: "Total", cost: 1.5, sales: 3, currency: "USD" }],
  } as unknown as Parameters<typeof figuresWorkbook>[0];
  return new Map([
    ["sheet pull", pulled.bytes],
    ["sheet of a plan", sheet],
    ["sheet result", marked],
    ["console report", report!.bytes],
    ["export", exported],
    ["figures", await figuresWorkbook(figures, { chart: false })],
  ]);
}

Deno.test("every workbook that is written opens in openpyxl and in hucre, with ids as text and amounts as numbers", async (t) => {
  const files = await written();
  await t.step("hucre", async () => {
    for (const [name, bytes] of files) {
      const { sheets } = await readXlsx(bytes);
      ok(sheets.length > 0 && sheets[0]!.rows.length > 1, name);
    }
    const { sheets: [tab] } = await readXlsx(files.get("sheet of a plan")!);
    const [head = [], line = []] = tab!.rows;
    equal(line[head.indexOf("Bid")], 1.23);
    match(String(line[head.indexOf("Keyword Id")]), /^\d+$/);
    equal(typeof line[head.indexOf("Keyword Id")], "string");
  });
  await t.step("openpyxl", async () => {
    const tabs = await opened([...files.values()]);
    if (tabs === undefined) {
      // `.ci/run` installs it, and counts a failure where it cannot.
      console.log("openpyxl is not on this machine: nothing was opened in it");
      return;
    }
    const byName = new Map([...files.keys()].map((name, at) => [name, tabs[at]!]));
    for (const [name, own] of byName) ok(own[0]!.rows > 1, name);
    deepEqual(byName.get("sheet pull")!.map(({ name }) => name), [
      "Sponsored Products",
      "Sponsored Brands",
      "Sponsored Display",
      "Read me",
    ]);
    const [plan] = byName.get("sheet of a plan")!;
    const at = (head: string): number => plan!.head.indexOf(head);
    deepEqual([plan!.types[at("Keyword Id")], plan!.types[at("Bid")]], ["s", "n"]);
    deepEqual([plan!.formats[at("Keyword Id")], plan!.formats[at("Bid")]], ["@", "#,##0.00"]);
    deepEqual([plan!.frozen, plan!.filter], ["A2", `A1:AH${plan!.rows}`]);
    const [report] = byName.get("console report")!;
    equal(report!.types[0], "d");
    equal(byName.get("export")![0]!.types[0], "d");
    deepEqual(byName.get("sheet result")![0]!.head.slice(-2), ["Status", "Reason"]);
  });
});
