import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { writeXlsxTabs } from "../../src/account/sheets/write_xlsx.ts";
import { emulated } from "./support/emulated.ts";
import { runCli } from "./support/run_cli.ts";

const FILES = `${fileURLToPath(new URL("../fixtures/files", import.meta.url))}/`;

/** Command, further words, exit code, and what is said on either stream. */
type Case = readonly [
  command: "import" | "sheet plan",
  file: string,
  code: number,
  said: RegExp,
  ...string[],
];

/** One file of each kind that people have: understood, or refused with the cell, the reason and the way on. */
const CASES: readonly Case[] = [
  ["import", "report_totals.csv", 0, /is a row of totals: it is left out, and its sums fit/],
  [
    "import",
    "report_totals_wrong.csv",
    2,
    /row \d+, "[^"]+": the row of totals says [\d.]+, and the rows add up to/,
  ],
  ["import", "report_cp1252.csv", 0, /It is read as windows-1252/],
  ["import", "report_gb18030.csv", 2, /looks like gb18030 \("[^"]+"\).* add --encoding gb18030/],
  ["import", "report_gb18030.csv", 0, /sp_search_terms, en, 3 rows/, "--encoding", "gb18030"],
  // French letters, which in Poland could be Polish ones.
  ["import", "report_cp1252.csv", 2, /its encoding is not certain/, "-m", "PL"],
  ["import", "report_utf16.csv", 0, /sp_search_terms, en, 3 rows/],
  ["import", "report_titles.csv", 0, /above the headers are not read/],
  [
    "import",
    "report_days_unclear.csv",
    2,
    /"10\/11\/2026" can be read in two ways: .*--dates dmy or --dates mdy/,
  ],
  ["import", "report_days_unclear.csv", 0, /2026-11-10/, "--dates", "dmy"],
  ["import", "report_pivot_openpyxl.xlsx", 0, /Not read: tab "[^"]+" is a pivot table/],
  ["import", "business_report.csv", 2, /it is a business report/],
  [
    "import",
    "report_two_accounts.csv",
    2,
    /"Account name": it holds "Pans Ltd" \(row 2\), "Pots Ltd" \(row 4\)/,
  ],
  ["import", "report_error_cells.csv", 2, /rows 2, 3, 4, "Spend": it holds the spreadsheet error #/],
  ["import", "bulk_rule_based.csv", 0, /Left out, because of unknown words: 1 row of Bidding Strategy/],
  ["import", "old.xls", 2, /it is an old \.xls file/],
  ["sheet plan", "old.xls", 2, /it is an old \.xls file/],
  ["sheet plan", "page.xls", 2, /it is a web page \(HTML\)/],
  ["sheet plan", "xml_2003.xls", 2, /it is an XML spreadsheet of 2003/],
  ["sheet plan", "bulk_first_generation.csv", 2, /is a bulk file of the first generation/],
  ["sheet plan", "report_as_sheet.csv", 2, /it is a report \(.*Read it with "adsctl import"/],
  ["sheet plan", "prose.csv", 2, /it has no bulk sheet with the columns Entity and Operation/],
  [
    "sheet plan",
    "bulk_science.csv",
    2,
    /row 4, Keyword Id: 3\.33333E\+14 is rounded: the last digits of the id are lost/,
  ],
  ["sheet plan", "formula_openpyxl.xlsx", 2, /row \d+, Bid: it is a formula without a value/],
  [
    "sheet plan",
    "boolean_openpyxl.xlsx",
    2,
    /Keyword Text: a spreadsheet program turned it into the value TRUE\. /,
  ],
  ["sheet plan", "bulk_bid_dollar_ca.csv", 2, /"\$" may not be the currency of CA/],
  ["sheet plan", "bulk_same_row_twice.csv", 2, /row \d+: row \d+ is about the same entity/],
  [
    "sheet plan",
    "bulk_portfolio_currency.csv",
    2,
    /Budget Currency Code: its amounts are in EUR, and those of CA in CAD/,
  ],
  ["sheet plan", "pivot_only_openpyxl.xlsx", 2, /is a pivot table/],
  ["sheet plan", "bulk_no_operation.csv", 0, /No row has an operation: set the column Operation/],
  [
    "sheet plan",
    "bulk_polish_heads.csv",
    2,
    /in an unknown language, add --map "their header=Entity" for each/,
  ],
  ["sheet plan", "bulk_unknown_column.csv", 3, /Columns that are not known are not read: "Gebot neu"/],
  [
    "import",
    "report_unquoted_comma.csv",
    2,
    /row 2: it has 17 cells, and the head has 16: .*needs quotation/,
  ],
  ["import", "report_tab_copied_openpyxl.xlsx", 2, /another of its tabs has rows of the same days: .*--tab/],
  ["import", "hidden_only_openpyxl.xlsx", 2, /Hidden tabs are not read, show those that are meant: "/],
  [
    "import",
    "two_tabs_other_values_openpyxl.xlsx",
    2,
    /row 4 of tab "[^"]+" describes the same entity with different values\. .*--tab/,
  ],
  ["import", "rows_in_cells_openpyxl.xlsx", 2, /it has each row in one cell\. Split the cells at ";"/],
  ["sheet plan", "password.xlsx", 2, /it is protected by a password\. .* save it without one/],
  ["import", "report_near.csv", 2, /it begins with "Datum", .*Nearest: .*; .*; /],
];

Deno.test("files of every kind are understood by the commands, or refused with the cell, the reason and the way on", async () => {
  await using at = await emulated();
  const failed: unknown[] = [];
  for (const [name, file, code, said, ...more] of CASES) {
    const store = name === "import" ? ["--store", `${at.folder}/files.sqlite`] : [];
    const words = [...name.split(" "), `${FILES}${file}`, "-m", "CA", ...store, ...more];
    const done = await runCli(words, at);
    const shown = done.stdout + done.stderr;
    if (done.code !== code || !said.test(shown)) {
      failed.push([name, file, ...more, done.code, shown.slice(0, 600)]);
    }
  }
  assert.deepEqual(failed, []);
  // Nothing of a refused sheet was read of the account, and no file asked for a write.
  assert.deepEqual(at.emulator.requests().filter(({ method }) => method === "PUT"), []);
});

/** A sheet that changes the bid of a keyword of the demo account. */
function sheetOf(id: string, { head = "Bid", state = "enabled", text = "pan" } = {}): string[][] {
  return [
    [
      "Product",
      "Entity",
      "Operation",
      "Campaign Id",
      "Ad Group Id",
      "Keyword Id",
      "State",
      head,
      "Keyword Text",
    ],
    ["Sponsored Products", "Keyword", "Update", "", "", id, state, "0.66", text],
  ];
}

interface Keyword {
  readonly keywordId: string;
}

Deno.test("--tab, --encoding, --map and --save-map say how a sheet is read", async () => {
  await using at = await emulated();
  const listed = await runCli([
    "list",
    "keywords",
    "-m",
    "CA",
    "--state",
    "enabled",
    "--limit",
    "1",
    "--json",
  ], at);
  const [{ keywordId } = { keywordId: "" }]: Keyword[] = JSON.parse(listed.stdout);
  const path = `${at.folder}/two.xlsx`;
  const tabs = [{ name: "Old", lines: sheetOf("12345") }, { name: "New", lines: sheetOf(keywordId) }];
  await Deno.writeFile(path, writeXlsxTabs(tabs));
  const plan = (...words: string[]) => {
    const out = `${at.folder}/${crypto.randomUUID()}.json`;
    return runCli(["sheet", "plan", ...words, "-m", "CA", "--out", out], at);
  };

  const both = await plan(path);
  assert.match(both.stderr, /Rows: 2 with an operation/);
  const one = await plan(path, "--tab", "New");
  assert.match(one.stderr, /Rows: 1 with an operation, 0 without\. Changes: 1/);
  const none = await plan(path, "--tab", "Newer");
  assert.deepEqual([none.code, /it has no tab "Newer", only "Old", "New"/.test(none.stderr)], [2, true]);

  const foreign = sheetOf(keywordId, { head: "Precio", state: "en marcha" });
  const csv = await at.write("foreign.csv", foreign.map((cells) => cells.join(",")).join("\r\n"));
  const refused = await plan(csv);
  assert.equal(refused.code, 2, refused.stderr);
  assert.match(refused.stderr, /row 2, State: "en marcha"/);
  const map = `${at.folder}/map.csv`;
  const mapped = await plan(csv, "--map", "Precio=Bid", "--map", "en marcha=enabled", "--save-map", map);
  assert.equal(mapped.code, 0, mapped.stderr);
  assert.match(mapped.stdout, /bid \S+ → 0\.66/);
  const again = await plan(csv, "--map", map);
  assert.match(again.stdout, /bid \S+ → 0\.66/);
  const taken = await plan(csv, "--map", "Precio=Bid", "--save-map", map);
  assert.deepEqual([taken.code, /the file already exists/.test(taken.stderr)], [2, true]);

  const polish = `${at.folder}/polish.csv`;
  const bytes = new TextEncoder().encode(sheetOf(keywordId, { text: "patelnia !eliwna" }).join("\r\n"));
  bytes[bytes.indexOf(0x21)] = 0xbf;
  await Deno.writeFile(polish, bytes);
  const unclear = await plan(polish);
  assert.deepEqual([unclear.code, /--encoding/.test(unclear.stderr)], [2, true], unclear.stderr);
  const read = await plan(polish, "--encoding", "windows-1250");
  assert.match(read.stderr, /Changes: 1/, read.stderr);
  const unknown = await plan(polish, "--encoding", "klingon");
  assert.match(unknown.stderr, /"klingon" is not a known encoding\. Expected utf-8/);
});

Deno.test("a workbook is a change file, and its ids must not have lost digits", async () => {
  await using at = await emulated();
  const listed = await runCli([
    "list",
    "keywords",
    "-m",
    "CA",
    "--state",
    "enabled",
    "--limit",
    "1",
    "--json",
  ], at);
  const [{ keywordId } = { keywordId: "" }]: Keyword[] = JSON.parse(listed.stdout);
  const write = async (lines: (string | number)[][]): Promise<string> => {
    const path = `${at.folder}/${crypto.randomUUID()}.xlsx`;
    await Deno.writeFile(path, writeXlsxTabs([{ name: "Changes", lines }]));
    return path;
  };
  const planned = await runCli(
    [
      "plan",
      "update",
      "keywords",
      await write([["keywordId", "bid"], [keywordId, 0.66]]),
      "-m",
      "CA",
      "--out",
      `${at.folder}/plan.json`,
    ],
    at,
  );
  assert.equal(planned.code, 0, planned.stderr);
  assert.match(planned.stdout, /bid \S+ → 0\.66/);
  const rounded = await runCli(
    ["plan", "update", "keywords", await write([["keywordId", "bid"], [1.86309e24, 0.66]]), "-m", "CA"],
    at,
  );
  assert.equal(rounded.code, 2, rounded.stderr);
  assert.match(
    rounded.stderr,
    /row 2.*"keywordId": 1\.86309e\+24 is rounded: the last digits of the id are lost/,
  );
});

Deno.test("import of a file alone finds out what it is and its market, and says what can be done next", async () => {
  await using at = await emulated();
  const store = ["--store", `${at.folder}/files.sqlite`];
  const env = { XDG_STATE_HOME: `${at.folder}/offline` };
  const report = await runCli(["import", `${FILES}report_plain.csv`, ...store], { env });
  assert.equal(report.code, 0, report.stderr);
  assert.match(
    report.stdout,
    /report_plain\.csv: sp_search_terms, en, 3 rows, daily, 2026-10-20 to 2026-11-03/,
  );
  assert.match(
    report.stderr,
    /Stored in .* \(CA\)\nNext:\n {2}adsctl figures --by search_term --start 2026-10-20/,
  );
  assert.match(report.stderr, /adsctl import bulk\.xlsx -m CA --store .* gives ids, for plans/);
  const [figures = ""] = /adsctl (figures .*)/.exec(report.stderr)?.slice(1) ?? [];
  const shown = await runCli(figures.split(" "), { env });
  assert.equal(shown.code, 0, shown.stderr);
  assert.match(shown.stdout, /cast iron pan/);
  const sheet = await runCli(["import", `${FILES}bulk_plain.csv`, ...store], { env });
  assert.equal(sheet.code, 2);
  assert.match(sheet.stderr, /market of the files\. Name it with -m: bulk_plain\.csv is a bulk sheet/);
  const named = await runCli(["import", `${FILES}bulk_plain.csv`, "-m", "CA", ...store], { env });
  assert.equal(named.code, 0, named.stderr);
  assert.match(named.stderr, /adsctl import terms\.csv -m CA --store .* adds the figures of a report/);
  assert.ok(named.stderr.includes(`adsctl sheet plan ${FILES}bulk_plain.csv -m CA plans its 1 row`));
});

Deno.test("import of a file alone that is of no use says what the file is, and not that its market is unknown", async () => {
  const failed: unknown[] = [];
  for (
    const [file, said] of [
      ["business_report.csv", /business_report\.csv: .*it is a business report\. .*Download a report/],
      ["old.xls", /it is an old \.xls file\. Open it .* save it as \.xlsx/],
      ["page.xls", /it is a web page \(HTML\)/],
      ["xml_2003.xls", /it is an XML spreadsheet of 2003/],
      ["report_gb18030.csv", /looks like gb18030 \("[^"]+"\).* add --encoding gb18030/],
      ["bulk_first_generation.csv", /it is a bulk file of the first generation/],
      ["pivot_only_openpyxl.xlsx", /it is a pivot table\. Take the table that it was made from/],
      ["listings.txt", /it is a file of listings or inventory/],
      ["prose.csv", /no known report or bulk sheet has these headers: it begins with "Dear all"/],
      ["nothing.csv", /it is empty/],
    ] as const
  ) {
    const { code, stderr } = await runCli(["import", `${FILES}${file}`], { env: {} });
    if (code !== 2 || !said.test(stderr) || /find out the market/.test(stderr)) {
      failed.push([file, code, stderr]);
    }
  }
  assert.deepEqual(failed, []);
});
