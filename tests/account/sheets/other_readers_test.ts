import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { readXlsx, type Sheet } from "hucre/xlsx";
import { deepEqual, equal, match, ok } from "../../support/assert.ts";
import { long } from "../../support/long.ts";
import { LONG_ID, PLAYED, writtenWorkbooks } from "./written_workbooks.ts";

let written: Promise<Map<string, Uint8Array>> | undefined;

/** The same workbooks for every test of the file. */
function workbooks(): Promise<Map<string, Uint8Array>> {
  return written ??= writtenWorkbooks();
}

const ID = /(?:^|[ _])id$|Id$/;
const MONEY = /^(?:Old )?(?:Bid|Daily Budget|Budget Amount|Ad Group Default Bid|Spend|Sales|cost|sales)\b/;

/** The clauses that a tab with a table does not keep. */
function brokenClauses({ name, rows, columns = [], freezePane, autoFilter, cells }: Sheet): string[] {
  const broken: string[] = [];
  const head = (rows[0] ?? []).map(String);
  const filters = autoFilter?.range ?? "";
  if (freezePane?.rows !== 1) broken.push("its head is not frozen");
  if (!/^A1:[A-Z]+\d+$/.test(filters)) broken.push(`its filters are ${filters}`);
  for (const [at, title] of head.entries()) {
    const width = columns[at]?.width ?? 0;
    // The two columns of a result come into a file that is somebody's own.
    if (title === "Status" || title === "Reason") continue;
    if (width < 10 || width > 60) broken.push(`${title} is ${width} wide`);
  }
  for (const [row, line] of rows.entries()) {
    // Rows below the filters are totals.
    if (row === 0 || line[0] === "Total") continue;
    for (const [at, title] of head.entries()) {
      const value = line[at] ?? null;
      if (value === null || value === "") continue;
      const format = cells?.get(`${row},${at}`)?.style?.numFmt ?? "General";
      const place = `${name} ${title} row ${row + 1}: ${value} (${typeof value}, ${format})`;
      if (ID.test(title) && typeof value !== "string") broken.push(`an id is no text: ${place}`);
      if (MONEY.test(title)) {
        const decimals =
          line[head.indexOf("country_code")] === "JP" || line[head.indexOf("currency")] === "JPY"
            ? "#,##0"
            : "#,##0.00";
        if (typeof value !== "number" || format !== decimals) broken.push(`an amount: ${place}`);
      }
      if (/^(?:date|day)$/.test(title) && !(value instanceof Date)) broken.push(`a day: ${place}`);
      // An upload takes days as digits.
      if (/ Date$/.test(title) && !/^\d{8}$/.test(String(value))) broken.push(`a day of an upload: ${place}`);
    }
  }
  return broken;
}

Deno.test("written workbooks have ids as text, amounts in the format of their currency, days, a frozen head, widths, filters and a last tab that explains them", async () => {
  for (const [name, bytes] of await workbooks()) {
    if (PLAYED.has(name)) continue;
    const { sheets } = await readXlsx(bytes, { readStyles: true });
    const about = sheets.at(-1);
    equal(about?.name, "Read me", name);
    ok((about?.rows.length ?? 0) >= 3, name);
    const tables = sheets.slice(0, -1).filter((sheet) => sheet.name !== "Chart");
    ok(tables.length > 0 && tables.some(({ rows }) => rows.length > 1), name);
    deepEqual(tables.flatMap(brokenClauses), [], name);
  }
});

Deno.test("an export goes on in another tab with the same head, and keeps texts, numbers and yes and no", async () => {
  const { sheets } = await readXlsx((await workbooks()).get("export in two tabs")!);
  deepEqual(sheets.map(({ name }) => name), ["Rows", "Rows 2", "Read me"]);
  deepEqual(sheets[1]?.rows[0], sheets[0]?.rows[0]);
  deepEqual(sheets[0]?.rows[1], [
    ...[new Date("2026-09-28T00:00:00Z"), "US", LONG_ID, "=1+1", 3, 1.5, 0.03, true],
  ]);
  deepEqual(sheets[1]?.rows[1]?.slice(2, 6), [LONG_ID, "0123", null, 1200]);
});

Deno.test("what an upload reads of a written sheet is as the platform has it: tabs by product, heads in their order, words and digits", async () => {
  const books = await workbooks();
  const { sheets } = await readXlsx(books.get("sheet of a plan")!);
  const [head = [], line = []] = sheets[0]!.rows;
  equal(sheets[0]!.name, "Sponsored Products");
  deepEqual(head.slice(0, 6), [
    "Product",
    "Entity",
    "Operation",
    "Campaign Id",
    "Ad Group Id",
    "Portfolio Id",
  ]);
  deepEqual(line.slice(0, 3), ["Sponsored Products", "Keyword", "Update"]);
  equal(line[head.indexOf("Bid")], 1.23);
  match(String(line[head.indexOf("Keyword Id")]), /^\d+$/);
  // What an upload ignores comes last, and says so or is a figure.
  const own = head.findIndex((title) => /\(Informational only\)$/.test(String(title)));
  ok(own > 20);
  for (const title of head.slice(own)) {
    match(String(title), /\(Informational only\)$|^(?:Clicks|Spend|Sales|Orders|ACOS)$/);
  }
  deepEqual(
    (await readXlsx(books.get("sheet result")!)).sheets[0]!.rows[0]!.slice(-2),
    ["Status", "Reason"],
  );
});

/** Prints each tab of each workbook with its head, its size, and the types and formats of its second line. */
const OPENPYXL = `
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

/** Runs something on the workbooks as files; `undefined` where it is not on this machine. */
async function opened<Result>(
  files: ReadonlyMap<string, Uint8Array>,
  open: (paths: readonly string[], folder: string) => Promise<Result | undefined>,
): Promise<Result | undefined> {
  const folder = await Deno.makeTempDir();
  try {
    const paths = await Promise.all([...files.values()].map(async (bytes, at) => {
      const path = `${folder}/${at}.xlsx`;
      await Deno.writeFile(path, bytes);
      return path;
    }));
    return await open(paths, folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Output of the first of some programs that is on this machine, and has what it needs. */
async function outputOf(
  programs: readonly string[],
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<string | undefined> {
  for (const program of programs) {
    try {
      const { code, stdout, stderr } = await new Deno.Command(program, { args: [...args], env }).output();
      const problem = new TextDecoder().decode(stderr);
      if (code === 0) return new TextDecoder().decode(stdout);
      if (!/No module named/.test(problem)) throw new Error(problem);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  return undefined;
}

const PYTHONS = ["/usr/bin/python3", "python3"];

Deno.test("every workbook that is written opens in openpyxl", async () => {
  const files = await workbooks();
  const output = await opened(files, (paths) => outputOf(PYTHONS, ["-c", OPENPYXL, ...paths]));
  if (output === undefined) {
    // `.ci/run` installs it, and counts a failure where it cannot.
    console.log("openpyxl is not on this machine: nothing was opened in it");
    return;
  }
  const tabs: OpenedTab[][] = JSON.parse(output);
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
  equal(byName.get("console report")![0]!.types[0], "d");
  deepEqual(byName.get("export")![0]!.types, ["d", "s", "s", "s", "n", "n", "n", "b"]);
});

long();
Deno.test("every workbook that is written is valid by the schemas of the specification", async () => {
  // 42 MB, which only this test loads.
  const { default: validate } = await import("@ooxml-tools/validate");
  for (const [name, bytes] of await workbooks()) {
    // Its 800 rows take a minute, and its writer is that of the others.
    if (name === "console bulk sheet") continue;
    const problems = await validate(bytes, "xlsx", "Microsoft365");
    deepEqual(
      problems.map(({ description, path }) => `${path.partUri} ${path.xpath}: ${description}`),
      [],
      name,
    );
  }
  // Filters above the rows: spreadsheet programs refuse them, and most readers overlook them.
  const parts = unzipSync((await workbooks()).get("export")!);
  const path = "xl/worksheets/sheet1.xml";
  const sheet = strFromU8(parts[path]!);
  const [filter = ""] = /<autoFilter[^>]*>/.exec(sheet) ?? [];
  parts[path] = strToU8(sheet.replace(filter, "").replace("<sheetData>", `${filter}<sheetData>`));
  ok((await validate(zipSync(parts), "xlsx", "Microsoft365")).length > 0);
});

/** Prints the heads of each tab, its rows as texts, and the types that its columns have without a hint. */
const PANDAS = `
import json, sys, pandas
def book(path):
  plain = pandas.read_excel(path, sheet_name=None)
  texts = pandas.read_excel(path, sheet_name=None, dtype=str, keep_default_na=False)
  return {name: {"rows": texts[name].to_dict("records"), "types": {str(column): str(kind) for column, kind in tab.dtypes.items()}}
    for name, tab in plain.items()}
print(json.dumps([book(path) for path in sys.argv[1:]]))`;

interface Frame {
  readonly rows: readonly Readonly<Record<string, string>>[];
  readonly types: Readonly<Record<string, string>>;
}

long();
Deno.test("every workbook that is written opens in pandas, with whole ids and amounts as numbers", async () => {
  const files = await workbooks();
  const output = await opened(files, (paths) => outputOf(PYTHONS, ["-c", PANDAS, ...paths]));
  if (output === undefined) {
    console.log("pandas is not on this machine: nothing was opened in it");
    return;
  }
  const books: Record<string, Frame>[] = JSON.parse(output);
  for (const [at, [name, bytes]] of [...files].entries()) {
    const { sheets } = await readXlsx(bytes);
    deepEqual(Object.keys(books[at]!), sheets.map((sheet) => sheet.name), name);
    for (const { name: tab, rows: [head = [], ...rows] } of sheets) {
      if (tab === "Read me" || tab === "Chart") continue;
      const frame = books[at]![tab]!;
      equal(frame.rows.length, rows.length, `${name} ${tab}`);
      for (const [column, title] of head.map(String).entries()) {
        if (ID.test(title)) {
          const ids = rows.map((row) => String(row[column] ?? ""));
          deepEqual(frame.rows.map((row) => row[title]), ids, `${name} ${tab} ${title}`);
        }
        if (title === "cost" || title === "Daily Budget") {
          match(frame.types[title]!, /^(?:float64|int64)$/, `${name} ${tab} ${title}`);
        }
      }
    }
  }
  const { types } = books[[...files.keys()].indexOf("export")]!["Rows"]!;
  deepEqual([types["date"], types["cost"]], ["datetime64[ns]", "float64"]);
});

long();
Deno.test("every workbook that is written opens in LibreOffice with all its rows", async () => {
  const files = await workbooks();
  const lines = await opened(files, async (paths, folder) => {
    // A folder of its own for its settings: another LibreOffice may be running.
    const settings = `-env:UserInstallation=file://${folder}/settings`;
    const form = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1";
    const args = [settings, "--headless", "--convert-to", form, "--outdir", folder, ...paths];
    if (await outputOf(["soffice", "libreoffice"], args, { HOME: folder }) === undefined) return undefined;
    const found = new Map<string, string>();
    for await (const { name } of Deno.readDir(folder)) {
      if (name.endsWith(".csv")) found.set(name, await Deno.readTextFile(`${folder}/${name}`));
    }
    return found;
  });
  if (lines === undefined) {
    console.log("LibreOffice is not on this machine: nothing was opened in it");
    return;
  }
  for (const [at, [name, bytes]] of [...files].entries()) {
    const { sheets } = await readXlsx(bytes);
    for (const { name: tab, rows } of sheets) {
      const text = lines.get(`${at}-${tab}.csv`);
      ok(text !== undefined, `${name}: tab ${tab} of ${[...lines.keys()]}`);
      if (tab === "Chart" || tab === "Read me") continue;
      const [head = ""]: string[] = text.split("\n");
      equal(head.split(",").length, rows[0]!.length, `${name} ${tab}`);
      equal(text.trimEnd().split("\n").length, rows.length, `${name} ${tab}`);
    }
  }
  const exported = lines.get(`${[...files.keys()].indexOf("export")}-Rows.csv`) ?? "";
  match(exported, new RegExp(`^2026-09-28,"?US"?,"?${LONG_ID}"?,"?=1\\+1"?,3,1\\.5,`, "m"));
});
