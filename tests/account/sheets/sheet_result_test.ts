import { guarded } from "../../../src/base/text/csv_text.js";
import { deepEqual, equal, match, ok, rejects } from "../../support/assert.ts";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { planSheet, pullSheet, sheetResult } from "../../../src/account/mod.ts";
import { writeXlsxTabs } from "../../../src/account/sheets/write_xlsx.ts";
import { readRequests } from "../../../src/account/sheets/plan_sheet.ts";
import type { SheetReadingHints } from "../../../src/account/sheets/sheet_rows.ts";
import type { SheetFile } from "../../../src/account/tables/open_tables.ts";
import { emulated } from "../../support/emulated.ts";
import { csv, linesOf, rows } from "./sheet_text.ts";

const SP = { Product: "Sponsored Products" };

Deno.test("every row comes back with its status and the reason, from the plan and from its result", async () => {
  await using world = await emulated();
  const { us } = world;
  const [good, bad] = (await us.sp.keywords.list({ states: ["ENABLED"] })).filter(({ bid }) =>
    bid !== undefined
  );
  const file = rows([
    {
      ...SP,
      Entity: "Keyword",
      Operation: "update",
      "Keyword Id": good!.keywordId,
      Bid: "0.77",
      "My notes": "mine",
    },
    { ...SP, Entity: "Keyword", Operation: "update", "Keyword Id": bad!.keywordId, Bid: "5000" },
    { ...SP, Entity: "Keyword", Operation: "", "Keyword Id": "1", "My notes": "untouched" },
    { ...SP, Entity: "Keyword", Operation: "update", "Keyword Id": "999", Bid: "1" },
    { ...SP, Entity: "Campaign", Operation: "update", "Campaign Id": good!.campaignId, State: "enabled" },
    {
      ...SP,
      Entity: "Ad group",
      Operation: "create",
      "Campaign Id": good!.campaignId,
      "Ad Group Id": "g",
      State: "enabled",
      "Ad Group Name": "New",
      "Ad Group Default Bid": "1",
    },
  ]);
  const { plan } = await planSheet(us, file);
  const before = linesOf({ ...file, bytes: (await sheetResult(file, plan)).bytes }).get("")!;
  deepEqual(before[0]!.slice(-2), ["Status", "Reason"]);
  deepEqual(before.slice(1).map((line) => line.at(-2)), [
    "planned",
    "planned",
    "ignored",
    "missing",
    "unchanged",
    "planned",
  ]);
  match(before[2]!.at(-1)!, /5000/, "what preflight found is the reason");

  const result = await plan.apply(us, { sendAnyway: true });
  const verdicts = result.changes.map(({ id, outcome, error }) => ({
    id: id ?? null,
    outcome,
    ...(error === undefined ? {} : { message: error.message }),
  }));
  const { bytes, rows: statuses } = await sheetResult(file, plan, verdicts);
  const after = linesOf({ ...file, bytes }).get("")!;
  deepEqual(after.slice(1).map((line) => line.at(-2)), [
    "done",
    "refused",
    "ignored",
    "missing",
    "unchanged",
    "done",
  ]);
  ok(after[2]!.at(-1)!.length > 5, "the platform's reason");
  equal(after[1]![after[0]!.indexOf("My notes")], "mine");
  equal(statuses.find(({ row }) => row === 3)?.status, "refused");
  // A second time the columns that are there are used.
  const again = await sheetResult({ ...file, bytes }, plan, verdicts);
  deepEqual(linesOf({ ...file, bytes: again.bytes }).get(""), after);
});

Deno.test("a person's workbook comes back with nothing else changed: formats, formulas, other tabs, other parts", async () => {
  await using world = await emulated();
  const pulled = await pullSheet(world.us, { products: ["Portfolios"] });
  const parts = unzipSync(pulled.bytes);
  const path = "xl/worksheets/sheet1.xml";
  const xml = strFromU8(parts[path]!);
  const edited = xml
    .replace(
      "</sheetData>",
      '<row r="90" spans="1:40"/><row r="99"><c r="Z99" s="1"><f>SUM(A1:A9)</f><v>7</v></c></row></sheetData>',
    )
    .replace('<row r="2">', '<row r="2" ht="30" customHeight="1" spans="1:10">')
    .replace("</worksheet>", '<conditionalFormatting sqref="A1"/></worksheet>');
  ok(edited !== xml);
  const mine = zipSync({
    ...parts,
    [path]: strToU8(edited),
    "xl/charts/chart1.xml": strToU8("<chart>mine</chart>"),
    "docProps/custom.xml": strToU8("<custom/>"),
  });
  const file = { bytes: new Uint8Array(mine), name: "mine.xlsx" };
  const { plan } = await planSheet(world.us, file);
  const { bytes } = await sheetResult(file, plan);
  const back = unzipSync(bytes);
  deepEqual(Object.keys(back).sort(), Object.keys(unzipSync(file.bytes)).sort());
  for (const [name, part] of Object.entries(unzipSync(file.bytes))) {
    if (name !== path) deepEqual(back[name], part, name);
  }
  const sheet = strFromU8(back[path]!);
  match(sheet, /<row r="2" ht="30" customHeight="1">/);
  match(sheet, /<c r="Z99" s="1"><f>SUM\(A1:A9\)<\/f><v>7<\/v><\/c>/);
  match(sheet, /<conditionalFormatting sqref="A1"\/>/);
  const added =
    /<c r="[A-Z]+\d+" t="inlineStr"><is><t xml:space="preserve">(Status|Reason|ignored|)<\/t><\/is><\/c>/g;
  equal(
    sheet.replaceAll(added, ""),
    edited.replace(' customHeight="1" spans="1:10"', ' customHeight="1"'),
  );
});

Deno.test("reasons that a spreadsheet would take for formulas are guarded in CSV, and texts in .xlsx", async () => {
  await using world = await emulated();
  const [keyword] = await world.us.sp.keywords.list({ states: ["ENABLED"] });
  const lines = [["Product", "Entity", "Operation", "Keyword Id", "Bid"]];
  lines.push(["Sponsored Products", "Keyword", "update", keyword!.keywordId, "0.77"]);
  const xlsx = { bytes: writeXlsxTabs([{ name: "Sponsored Products", lines }]), name: "bulk.xlsx" };
  for (const message of ["=1+1", "+1", "-1+1", "@SUM(A1)", "\t=1+1", "'=1+1"]) {
    for (const file of [csv(lines), xlsx]) {
      const { plan } = await planSheet(world.us, file);
      const verdicts = [{ id: keyword!.keywordId, outcome: "refused" as const, message }];
      const { bytes } = await sheetResult(file, plan, verdicts);
      const text = new TextDecoder().decode(bytes);
      if (file !== xlsx) ok(text.includes(`,refused,${guarded(message)}`), text);
      equal(
        linesOf({ ...file, bytes }).get("")?.[1]?.at(-1) ??
          linesOf({ ...file, bytes }).get("Sponsored Products")?.[1]?.at(-1),
        message,
      );
      ok(!/<f[ >]/.test(file === xlsx ? strFromU8(unzipSync(bytes)["xl/worksheets/sheet1.xml"]!) : ""));
    }
  }
});

Deno.test("days and amounts that can be read in two ways are asked for once, with the numbers of their rows", async () => {
  await using world = await emulated();
  const row = (id: string, day: string): string[] => ["Sponsored Products", "Campaign", "update", id, day];
  const head = ["Product", "Entity", "Operation", "Campaign Id", "End Date"];
  const file = csv([head, row("1", "03/04/2027"), row("2", "05/06/2027"), row("3", "07/08/2027")]);
  await rejects(() => planSheet(world.us, file), (error: Error) => {
    const question =
      '"03/04/2027" can be read in two ways: say which comes first with --dates dmy or --dates mdy';
    return error.message.endsWith(`\n  rows 2, 3, 4, End Date: ${question}`);
  });
  const bids = (...amounts: string[]): SheetFile => {
    const head = ["Product", "Entity", "Operation", "Keyword Id", "Bid"];
    const rows = amounts.map((bid, at) => ["Sponsored Products", "Keyword", "update", String(at + 1), bid]);
    return csv([head, ...rows]);
  };
  const unclear = bids("1.234", "2.345", "0.5", "3.456", "4");
  // Plain amounts have points, so that the others are read alike.
  deepEqual(await bidsOf(unclear), [1.234, 2.345, 0.5, 3.456, 4]);
  const asked = bids("1.234", "2,345", "3.456", "4");
  await rejects(() => planSheet(world.us, bids("1.234", "2.345", "4", "3.456")), (error: Error) => {
    const question = '"1.234" is ambiguous: choose --decimal point or --decimal comma';
    return error.message.endsWith(`\n  rows 2, 3, 5, Bid: ${question}`);
  });
  deepEqual(await bidsOf(bids("1.234", "4"), { decimal: "comma" }), [1234, 4]);
  deepEqual(await bidsOf(bids("1.234", "4"), { decimal: "point" }), [1.234, 4]);
  deepEqual(await bidsOf(bids("1.234", "0,75")), [1234, 0.75]);
  await rejects(() => bidsOf(asked), /"1\.234" is ambiguous/);
});

async function bidsOf(file: SheetFile, hints: SheetReadingHints = {}): Promise<unknown[]> {
  const { requests } = await readRequests(file, { ...hints, countryCode: "US", skipBadRows: false });
  return requests.map(({ fields }) => fields["bid"]);
}

Deno.test("lines above the head of a sheet are named", async () => {
  const head = ["Product", "Entity", "Operation", "Keyword Id", "Bid"];
  const row = ["Sponsored Products", "Keyword", "update", "1", "0.75"];
  for (
    const [titles, said] of [
      [[], []],
      [[["Weekly upload", "", "2026"]], ['Line 1 above the headers is not read: "Weekly upload 2026"']],
      [[["Weekly upload"], [""], ["by me"]], [
        'Lines 1 to 3 above the headers are not read: "Weekly upload"',
      ]],
    ] as const
  ) {
    const file = csv([...titles.map((cells) => [...cells]), head, row]);
    const { notices, rows } = await readRequests(file, { countryCode: "US", skipBadRows: false });
    deepEqual([notices, rows], [said, 1]);
  }
});

Deno.test("a CSV file keeps its separator, byte order mark and other columns, and its formulas stay texts", async () => {
  await using world = await emulated();
  const text = "\uFEFFProduct;Entity;Operation;Campaign Id;Campaign Name;Mine\r\n" +
    'Sponsored Products;Campaign;;1;\'=1+1;"a;b"\r\n';
  const marked = async (written: string): Promise<string> => {
    const file = { bytes: new TextEncoder().encode(written), name: "bulk.csv" };
    const { plan } = await planSheet(world.us, file);
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode((await sheetResult(file, plan)).bytes);
  };
  const whole = "\uFEFFProduct;Entity;Operation;Campaign Id;Campaign Name;Mine;Status;Reason\r\n" +
    'Sponsored Products;Campaign;;1;\'=1+1;"a;b";ignored;\r\n';
  equal(await marked(text), whole);
  equal(await marked(text.slice(0, -2)), whole.slice(0, -2), "a last line without a line end");
  const hostile = csv([["Product", "Entity", "Operation", "Campaign Name"], [
    "Portfolios",
    "x",
    "",
    "=cmd|' /C calc'!A0",
  ]]);
  match(new TextDecoder().decode(hostile.bytes), /'=cmd/);
});
