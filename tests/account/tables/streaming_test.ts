import { writeXlsxTabs } from "../../../src/account/sheets/write_xlsx.ts";
import { openCsv } from "../../../src/account/tables/csv_lines.ts";
import { fileText } from "../../../src/account/tables/file_text.ts";
import { openTables } from "../../../src/account/tables/open_tables.ts";
import { SheetFileError } from "../../../src/account/tables/sheet_lines.ts";
import { deepEqual, equal, ok, throws } from "../../support/assert.ts";

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
