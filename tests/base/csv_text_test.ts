import { deepEqual, equal } from "../support/assert.ts";
import fc from "fast-check";
// @ts-types="@types/papaparse"
import Papa from "papaparse";
import { openCsv } from "../../src/account/tables/csv_lines.ts";
import { csvText } from "../../src/base/text/csv_text.js";
import { assetText } from "../../src/interfaces/console/assets.ts";
import * as ofPages from "../../src/interfaces/console/web/csv.js";

const NUMBER = /^[+-]\d+(?:\.\d+)?(?:e[+-]?\d+)?[\]}"]*$/i;

/** What a spreadsheet takes a cell for, whose quotes it drops. */
function takenFor(cell: string): string {
  const [, quoted, rest] = /^"((?:[^"]|"")*)"?([^]*)$/.exec(cell) ?? [];
  return quoted === undefined ? cell : quoted.replaceAll('""', '"') + rest;
}

const isFormula = (cell: string) => /^[=+@\t\r-]/.test(takenFor(cell)) && !NUMBER.test(takenFor(cell));

const TEXT = fc.string({ unit: fc.constantFrom(..."a5;,\t\r\n\"'=+@-".split("")), maxLength: 8 });

Deno.test("no cell of a CSV file is a formula, however its lines are split", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(TEXT, fc.integer())), (rows) => {
      const saved = csvText([["name", "count"], ...rows]);
      const { data } = Papa.parse<string[]>(saved.trimEnd(), { delimiter: ",", newline: "\r\n" });
      const [, ...back] = data;
      const bare = (name = "") => name.replaceAll("'", "");
      deepEqual(
        back.map(([name, count]) => [bare(name), count]),
        rows.map(([name, count]) => [bare(name), String(count)]),
      );
      deepEqual(back.flat().filter((cell) => /^[=+@\t\r-]/.test(cell) && !NUMBER.test(cell)), []);
      deepEqual(saved.split(/[;,\t\r\n]/).filter(isFormula), []);
    }),
    { seed: 21, numRuns: 1000 },
  );
});

Deno.test("what is guarded as CSV is read back as it was", () => {
  const text = TEXT.filter((one) => !one.startsWith('="') && !/[\r\n]/.test(one));
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text)), (rows) => {
      const saved = csvText([["name", "note"], ...rows]);
      const { lines } = openCsv(() => ["sep=,\r\n", saved], { name: "the file" });
      const back = Array.from(lines(), ({ cells }) => cells).slice(1, rows.length + 1);
      deepEqual(back, rows);
    }),
    { seed: 21, numRuns: 1000 },
  );
});

Deno.test("apostrophes of a file by others stay within a cell unless most formulas of it have one", () => {
  const read = (cell: string): string | undefined => {
    const { lines } = openCsv(() => ["sep=,\r\n", `name,note\r\n"${cell}",1\r\n`], { name: "the file" });
    return Array.from(lines(), ({ cells }) => cells)[1]?.[0];
  };
  const cases = [
    ["Shoes,'+Size;-old", "Shoes,'+Size;-old"],
    ["'=a;-b", "=a;-b"],
    ["'=a;'-b", "=a;-b"],
    ["SP,'-brand,'-generic,-new", "SP,-brand,-generic,-new"],
    ["a,'-5;'-6,-b", "a,'-5;'-6,-b"],
    ["'-5", "-5"],
    ["men's;'tis", "men's;'tis"],
  ];
  deepEqual(cases.map(([cell]) => read(cell!)), cases.map(([, text]) => text));
});

Deno.test("formulas get an apostrophe, also after a separator and its quotes; numbers and JSON stay", () => {
  const cases = [
    ["=1+1", "'=1+1"],
    ["'=1+1", "''=1+1"],
    ["+a", "'+a"],
    ["-1+cmd", "'-1+cmd"],
    ["@a", "'@a"],
    ["plain", "plain"],
    ["-1", "-1"],
    ["+2.5", "+2.5"],
    ["-1e-7", "-1e-7"],
    [-5, "-5"],
    [null, ""],
    [undefined, ""],
    ["\tb", '"\'\tb"'],
    ["x;=1+1", '"x;\'=1+1"'],
    ["x\t@a", '"x\t\'@a"'],
    ["Shoes,-auto", '"Shoes,\'-auto"'],
    ["two\n-lines", '"two\n\'-lines"'],
    ['x;"=1+1', '"x;""\'=1+1"'],
    ["a, =b; -5", '"a, =b; -5"'],
    [[1, -5], '"[1,-5]"'],
    [{ note: "-x" }, '"{""note"":""-x""}"'],
    ["x,y", '"x,y"'],
    ['say "hi"', '"say ""hi"""'],
    [" a ", '" a "'],
  ];
  for (const [value, text] of cases) equal(csvText([[value]]), `${text}\r\n`);
  equal(csvText([["=1+1", "x;-y"]], { isRaw: true }), '=1+1,"x;-y"\r\n');
  equal(csvText([]), "");
});

Deno.test("the pages of the console save CSV with the same function", async () => {
  equal(ofPages.csvText, csvText);
  equal(await assetText("csv.js"), await Deno.readTextFile("src/base/text/csv_text.js"));
});
