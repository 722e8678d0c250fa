import assert from "node:assert/strict";
import { TablePrinter } from "../../../src/interfaces/cli/shell/terminal/table_printer.ts";
import { fitText, textWidth } from "../../../src/interfaces/cli/shell/terminal/text_width.ts";
import { readableText, valueAt } from "../../../src/base/json/field_path.ts";

const PLAIN = { bold: same, dim: same, red: same, green: same, yellow: same };

function same(text: string): string {
  return text;
}

async function table(rows: Record<string, unknown>[], columns: string[], width?: number): Promise<string[]> {
  let text = "";
  const printer = new TablePrinter({
    columns,
    width,
    styles: PLAIN,
    write: (part) => {
      text += part;
      return Promise.resolve();
    },
  });
  await printer.write(rows);
  await printer.end();
  return text.trimEnd().split("\n");
}

const WIDTHS: [string, number][] = [
  ["", 0],
  ["abc", 3],
  ["日本語", 6],
  ["e\u0301", 1],
  ["👩‍👩‍👧", 2],
  ["🇩🇪", 2],
  ["ﾊﾝｶｸ", 4],
  ["한국", 4],
  ["ü", 1],
  ["Küchenglück – Müller", 20],
  ["みどり茶房", 10],
  ["が", 2],
  ["か\u3099", 2],
  ["©", 1],
];

Deno.test("textWidth() counts columns, not characters", () => {
  for (const [text, width] of WIDTHS) assert.equal(textWidth(text), width, text);
});

Deno.test("fitText() always gives exactly the columns that were asked for", () => {
  for (const [text] of WIDTHS) {
    for (let columns = 1; columns < 9; columns++) {
      assert.equal(textWidth(fitText(text, columns)), columns, `${text} in ${columns}`);
      assert.equal(textWidth(fitText(text, columns, "right")), columns);
    }
  }
  assert.equal(fitText("日本語の本", 5), "日本…");
});

Deno.test("columns line up under wide characters, and numbers stand to the right", async () => {
  const lines = await table([{ name: "日本語", bid: 1.5 }, { name: "abc", bid: 10 }, {
    name: "e\u0301",
    bid: null,
  }], ["name", "bid"]);
  assert.deepEqual(lines, ["name    bid", "日本語  1.5", "abc      10", "é".normalize("NFD")]);
});

Deno.test("a table fits the terminal: texts are cut, ids and numbers never", async () => {
  const rows = [{ keywordId: "9223372036854775807", text: "x".repeat(80), bid: 1.25 }];
  const lines = await table(rows, ["keywordId", "text", "bid"], 50);
  for (const line of lines) assert.ok(textWidth(line) <= 50, line);
  assert.match(lines[1]!, /^9223372036854775807 {2}x+… {2}1\.25$/);
});

Deno.test("a table that has no room for every field leaves out those on the right, and tells which", async () => {
  const row = {
    keywordId: "9223372036854775807",
    text: "a long search term",
    state: "ENABLED",
    bid: 1.25,
    campaignId: "9223372036854775807",
    adGroupId: "9223372036854775807",
  };
  const columns = Object.keys(row);
  const shown = async (width: number): Promise<[string[], readonly string[]]> => {
    let text = "";
    let leftOut: readonly string[] = [];
    const printer = new TablePrinter({
      columns,
      width,
      styles: PLAIN,
      write: (part) => Promise.resolve(void (text += part)),
      onLeftOut: (fields) => Promise.resolve(void (leftOut = fields)),
    });
    await printer.write(Array.from({ length: 1001 }, () => row));
    await printer.end();
    return [text.trimEnd().split("\n"), leftOut];
  };
  for (let width = 20; width < 120; width++) {
    const [lines, leftOut] = await shown(width);
    for (const line of new Set(lines)) assert.ok(textWidth(line) <= width, `${width}: ${line}`);
    assert.deepEqual(lines[0]!.split(/ +/).length + leftOut.length, columns.length);
    assert.ok(columns.join().endsWith(leftOut.join()));
  }
  assert.deepEqual((await shown(80))[1], ["adGroupId"]);
  assert.match((await shown(40))[0][1]!, /^9223372036854775807 {2}a long se… {2}ENABLED$/);
  assert.deepEqual((await shown(140))[1], []);
  const lines = await table([{ country: "US", "info.longHeader": "seller", name: "Fernpfad Outdoor" }], [
    "country",
    "info.longHeader",
    "name",
  ], 35);
  assert.deepEqual(lines, ["country  longHea…  name", "US       seller    Fernpfad Outdoor"]);
});

Deno.test("widths only grow from batch to batch, and the header is printed once", async () => {
  const rows = Array.from(
    { length: 1200 },
    (_, at) => ({ id: String(at), name: at === 1100 ? "a very long name" : "n" }),
  );
  const lines = await table(rows, ["id", "name"]);
  assert.equal(lines.length, 1201);
  assert.equal(lines.filter((line) => line.startsWith("id")).length, 1);
});

Deno.test("a header that does not fit loses what leads to the field, and times are shown to the minute, whole", async () => {
  const rows = [{
    id: "1",
    extendedData: { lastUpdateDateTime: "2026-11-20T10:15:30.123Z" },
    budget: { amount: 5 },
  }];
  const columns = ["id", "budget.amount", "extendedData.lastUpdateDateTime"];
  assert.deepEqual(await table(rows, columns, 33), [
    "id      amount  lastUpdateDateTi…",
    "1            5  2026-11-20 10:15Z",
  ]);
});

Deno.test("cells show nested fields and targeting expressions as people read them", () => {
  assert.equal(valueAt({ a: { b: 1 } }, "a.b"), 1);
  assert.equal(valueAt({ "a.b": 2 }, "a.b"), 2);
  assert.equal(valueAt({ a: null }, "a.b"), undefined);
  assert.equal(valueAt({}, "constructor"), undefined);
  assert.equal(readableText([{ type: "ASIN_SAME_AS", value: "B1" }, { type: "X" }]), "ASIN_SAME_AS=B1 & X");
  assert.equal(readableText({ a: 1 }), '{"a":1}');
  assert.equal(readableText(["a", "b"]), "a, b");
});
