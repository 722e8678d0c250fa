import { strToU8, zipSync } from "fflate";
import { writeXlsxTabs } from "../../../src/account/sheets/write_xlsx.ts";
import { openCsv } from "../../../src/account/tables/csv_lines.ts";
import { fileText } from "../../../src/account/tables/file_text.ts";
import { openTables } from "../../../src/account/tables/open_tables.ts";
import { SheetFileError } from "../../../src/account/tables/sheet_lines.ts";
import { KeyedSpill } from "../../../src/account/tables/keyed_spill.ts";
import { ProblemList } from "../../../src/account/tables/problem_list.ts";
import { Spill } from "../../../src/account/tables/spill.ts";
import { deepEqual, equal, ok, throws } from "../../support/assert.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";

Deno.test("lines of a CSV text are handed on before the next piece of it is taken", () => {
  let taken = 0;
  const pieces = function* (): Generator<string> {
    for (let at = 0; at < 1000; at++) {
      taken += 1;
      yield `${at},"a\r\nb",c\r\n`;
    }
  };
  const { form, lines } = openCsv(pieces, { name: "it" });
  deepEqual(form, { delimiter: ",", newline: "\r\n" });
  taken = 0;
  let read = 0;
  for (const { number, cells } of lines()) {
    if (cells.join("") === "") continue;
    read += 1;
    deepEqual({ number, cells }, { number: read, cells: [String(read - 1), "a\r\nb", "c"] });
    ok(taken <= read + 1, `${taken} pieces for ${read} lines`);
  }
  equal(read, 1000);
});

Deno.test("a line end, a letter and a quoted cell may be cut anywhere between pieces", () => {
  const text = 'id;text\r\n1;"é;\r\n""x"\r\n2;日本\r\n';
  for (const size of [1, 2, 3, 7]) {
    const pieces = function* (): Generator<string> {
      for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
    };
    const { form, lines } = openCsv(pieces, { name: "it" });
    deepEqual(form, { delimiter: ";", newline: "\r\n" });
    deepEqual(Array.from(lines(), ({ cells }) => cells), [["id", "text"], ["1", 'é;\r\n"x'], ["2", "日本"], [
      "",
    ]]);
  }
  const long = new TextEncoder().encode(`${"x".repeat(65_535)}é${"y".repeat(70_000)}`);
  equal([...fileText(long, { name: "it" }).pieces()].join("").length, 65_535 + 1 + 70_000);
});

/** A workbook of many rows. */
function manyRows(): Uint8Array {
  const rows = Array.from({ length: 3_000 }, (_, at) => [String(at), `text ${at * 7919 % 1_009}`]);
  return writeXlsxTabs([{ name: "Rows", lines: [["id", "text"], ...rows] }]);
}

Deno.test("lines of a workbook are handed on while it is inflated", () => {
  const bytes = manyRows();
  const middle = bytes.length >> 1;
  // A block of a kind that deflate does not have.
  bytes.fill(0xff, middle, middle + 500);
  let read = 0;
  throws(() => {
    for (const _ of openTables({ bytes, name: "it" }).lines()) read += 1;
  }, SheetFileError);
  ok(read > 700, String(read));
});

Deno.test("a workbook with one wrong bit, a part of zeros, or a missing end is refused as damaged", () => {
  const damages: readonly ((bytes: Uint8Array) => Uint8Array)[] = [
    (bytes) => {
      bytes[bytes.length >> 1]! ^= 1;
      return bytes;
    },
    (bytes) => bytes.fill(0, bytes.length >> 1, (bytes.length >> 1) + 500),
    (bytes) => bytes.subarray(0, bytes.length >> 1),
    (bytes) => bytes.subarray(0, bytes.length - 1),
  ];
  for (const [at, damage] of damages.entries()) {
    const bytes = damage(manyRows());
    throws(
      () => [...openTables({ bytes, name: "it" }).lines()],
      (error: unknown) => error instanceof SheetFileError && /damaged/.test(error.reason),
      String(at),
    );
  }
});

/** A workbook whose cells share their texts, as spreadsheet programs write it: in row r, text r and text r * 7919. */
function sharedTexts(count: number): Uint8Array {
  const rows = Array.from({ length: count }, (_, at) => {
    const other = at * 7919 % count;
    return `<row r="${at + 1}"><c r="A${at + 1}" t="s"><v>${at}</v></c><c r="B${
      at + 1
    }" t="s"><v>${other}</v></c></row>`;
  });
  const strings = Array.from({ length: count }, (_, at) => `<si><t>Töpfe &amp; "${at}" 日本</t></si>`);
  return zipSync({
    "xl/workbook.xml": strToU8('<workbook><sheets><sheet name="Rows" r:id="r1"/></sheets></workbook>'),
    "xl/_rels/workbook.xml.rels": strToU8(
      '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>',
    ),
    "xl/worksheets/sheet1.xml": strToU8(`<worksheet><sheetData>${rows.join("")}</sheetData></worksheet>`),
    "xl/sharedStrings.xml": strToU8(`<sst>${strings.join("")}</sst>`),
  });
}

Deno.test("cells find the texts that they share, however many there are and in any order", () => {
  const count = 10_007;
  const source = openTables({ bytes: sharedTexts(count), name: "it" });
  // Each reading is of its own, also after one that was given up.
  for (const _ of source.lines()) break;
  let read = 0;
  for (const { line: { number, cells } } of source.lines()) {
    const texts = [number - 1, (number - 1) * 7919 % count].map((at) => `Töpfe & "${at}" 日本`);
    if (cells[0] !== texts[0] || cells[1] !== texts[1]) deepEqual(cells, texts);
    read += 1;
  }
  equal(read, count);
});

Deno.test("a list of any length gives its values by number and in their order, and leaves no file", async () => {
  const folder = await temporaryFolder();
  try {
    const list = new Spill<{ at: number; text: string }>(folder.path);
    const of = (at: number): { at: number; text: string } => ({ at, text: `"${at}"\n\ud800日` });
    for (const length of [3, 4096, 4097, 4130, 9_001]) {
      while (list.length < length) list.push(of(list.length));
      equal(list.length, length);
      let next = 0;
      for (const value of list) {
        if (value.at !== next++ || value.text !== of(value.at).text) deepEqual(value, of(next - 1));
      }
      equal(next, length);
      for (const at of [0, 4095, 4096, 4127, 4128, length - 1, length, length + 100]) {
        deepEqual(list.at(at), at < length ? of(at) : undefined);
      }
    }
    if (Deno.build.os !== "windows") deepEqual([...Deno.readDirSync(folder.path)], []);
    list.close();
    list.close();
    deepEqual([...Deno.readDirSync(folder.path)], []);
    const full = new Spill<number>(`${folder.path}/missing`);
    throws(
      () => {
        for (let at = 0; at < 5000; at++) full.push(at);
      },
      /Cannot read so many rows: no temporary file can be written in .*missing.*Make room there, or name another folder with TMPDIR/,
    );
  } finally {
    await folder.remove();
  }
});

Deno.test("values are found by their key, in their order, also where keys have one hash", () => {
  const list = new KeyedSpill<{ key: string; at: number }>(({ key }) => key);
  // FNV-1a gives both words the same 32 bits.
  const words = ["costarring", "liquid"];
  for (let at = 0; at < 6_000; at++) {
    list.push({ key: at % 1000 < 2 ? words[at % 1000] ?? "" : `key ${at % 3000}`, at });
  }
  deepEqual(list.all("costarring").map(({ at }) => at), [0, 1000, 2000, 3000, 4000, 5000]);
  deepEqual(list.all("liquid").map(({ at }) => at), [1, 1001, 2001, 3001, 4001, 5001]);
  for (const at of [2, 999, 1002, 2999]) {
    deepEqual(list.all(`key ${at}`).map((one) => one.at), [at, at + 3000]);
  }
  deepEqual(list.all("key 0"), []);
  equal(Array.from(list).length, 6_000);
  list.close();
});

Deno.test("of any number of problems the first are kept, and all are counted", () => {
  const [all, tab] = [new ProblemList<number>(), new ProblemList<number>()];
  for (let at = 0; at < 12_000; at++) tab.add(at);
  all.add(-1);
  all.addAll(tab);
  deepEqual([all.count, all.first.length, all.first[0], all.first.at(-1)], [12_001, 10_000, -1, 9_998]);
});
