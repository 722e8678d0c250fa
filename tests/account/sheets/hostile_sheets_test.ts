import { deepEqual, equal, rejects, throws } from "../../support/assert.ts";
import fc from "fast-check";
import { strToU8, zipSync } from "fflate";
import { planSheet, SheetFileError } from "../../../src/account/mod.ts";
import { openWorkbook } from "../../../src/account/tables/xlsx_lines.ts";
import { anyText } from "../../support/any_text.ts";
import { emulated } from "../../support/emulated.ts";
import { csv, linesOf, xlsx } from "./sheet_text.ts";
import { long } from "../../support/long.ts";

const WORKBOOK =
  '<workbook xmlns:r="r"><sheets><sheet name="Sponsored Products" sheetId="1" r:id="rId1"/></sheets></workbook>';
const RELS = '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>';

function workbook(sheet: string | Uint8Array, more: Record<string, Uint8Array> = {}): Uint8Array {
  return zipSync({
    "xl/workbook.xml": strToU8(WORKBOOK),
    "xl/_rels/workbook.xml.rels": strToU8(RELS),
    "xl/worksheets/sheet1.xml": typeof sheet === "string" ? strToU8(sheet) : sheet,
    ...more,
  });
}

function read(bytes: Uint8Array): string[][] {
  return Array.from(openWorkbook(bytes, { name: "it" }).lines(), ({ line: { cells } }) => [...cells]);
}

long();
Deno.test("a file that expands without measure is refused before it fills the memory", () => {
  const bomb = workbook(new Uint8Array(80_000_000));
  equal(bomb.length < 1_000_000, true);
  throws(
    () => read(bomb),
    (error: Error) => error instanceof SheetFileError && /expands to more than \d+ MB/.test(error.message),
  );
});

Deno.test("what is no workbook, is cut off or is damaged is refused with its name", () => {
  const whole = workbook("<sheetData/>");
  for (
    const bytes of [
      strToU8("PK\x03\x04 nothing"),
      whole.slice(0, 40),
      zipSync({ "other.txt": strToU8("x") }),
      whole.with(60, 255).with(61, 255).with(62, 255),
    ]
  ) throws(() => read(bytes), SheetFileError);
});

Deno.test("entities of a document are never expanded, and names that lead out of the archive are passed over", () => {
  const xml = '<!DOCTYPE x [<!ENTITY a "aaaa">]><worksheet><sheetData><row r="1">' +
    '<c r="A1" t="inlineStr"><is><t>&a;&amp;&#65;</t></is></c></row></sheetData></worksheet>';
  deepEqual(read(workbook(xml, { "../../evil.txt": strToU8("x") })), [["&a;&A"]]);
});

Deno.test("numbers, shared strings, gaps, prefixes and rows without cells are read as they stand", () => {
  const xml =
    '<x:worksheet xmlns:x="m"><x:sheetData><x:row r="1"/><x:row r="3"><x:c r="B3" t="s"><x:v>1</x:v></x:c>' +
    '<x:c r="D3"><x:v>9223377223768213492</x:v></x:c><x:c r="E3" s="4"/><x:c r="F3" t="b"><x:v>1</x:v></x:c>' +
    '<x:c r="G3"><x:f>1+1</x:f><x:v>2</x:v></x:c></x:row></x:sheetData></x:worksheet>';
  const strings =
    '<sst><si/><si><t>a</t><r><t xml:space="preserve"> b</t></r><rPh><t>reading</t></rPh></si></sst>';
  const bytes = workbook(xml, { "xl/sharedStrings.xml": strToU8(strings) });
  const lines = [...openWorkbook(bytes, { name: "it" }).lines()];
  const notes = [];
  notes[3] = { type: "number" };
  notes[5] = { type: "boolean" };
  notes[6] = { type: "number", formula: "value" };
  deepEqual(lines.slice(1), [{
    tab: "Sponsored Products",
    line: { number: 3, cells: ["", "a b", "", "9223377223768213492", "", "TRUE", "2"], notes },
  }]);
});

Deno.test("any texts come back from an .xlsx and a .csv file as they were written", () => {
  const line = fc.array(anyText().filter((text) => text.isWellFormed()), {
    minLength: 1,
    maxLength: 5,
  })
    .map((cells) => ["head", ...cells, "end"]);
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 8 }), (lines) => {
      deepEqual([...linesOf(xlsx(new Map([["One", lines]]))).values()], [lines]);
      const plain = lines.map((cells) => cells.map((cell) => cell.replaceAll("\uFEFF", "")));
      deepEqual(linesOf(csv(plain)).get(""), plain);
    }),
    { numRuns: 60, seed: 20261122 },
  );
});

Deno.test("a formula is read with its last value and a remark, and refused without one", async () => {
  await using world = await emulated();
  const head = ["Product", "Entity", "Operation", "Keyword Id", "Bid"].map((text, at) =>
    `<c r="${"ABCDE"[at]}1" t="inlineStr"><is><t>${text}</t></is></c>`
  );
  const xml = (value: string): string =>
    `<sheetData><row r="1">${head.join("")}</row><row r="2"><c r="A2" t="str"><v>Sponsored Products</v></c>` +
    '<c r="B2" t="str"><v>Keyword</v></c><c r="C2" t="str"><v>update</v></c><c r="D2"><v>12</v></c>' +
    `<c r="E2"><f>HYPERLINK("http://x")</f>${value}</c></row></sheetData>`;
  const planned = (value: string) => planSheet(world.us, { bytes: workbook(xml(value)), name: "it" });
  await rejects(planned(""), /Sponsored Products row 2, Bid: it is a formula without a value/);
  deepEqual((await planned("<v>0.5</v>")).notices, [
    'Tab "Sponsored Products": Formulas are read with the values that were last calculated: 1 in Bid',
  ]);
});
