import assert from "node:assert/strict";
import { headingOf, TablePrinter } from "../../../src/interfaces/cli/shell/output/table_printer.ts";
import { fitText, textWidth } from "../../../src/interfaces/cli/shell/io/text_width.ts";
import { readableText, valueAt } from "../../../src/base/json/field_path.ts";

const PLAIN = { bold: same, dim: same, magenta: same, red: same, green: same, yellow: same };

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

Deno.test("reports and kinds are spelled as people type them, except in rows of SQL", async () => {
  const rows = [{ report: "sp_search_terms", kind: "sb.ad_groups" }, {
    report: "sdCampaigns",
    kind: "portfolios",
  }];
  const lines = async (isSql: boolean): Promise<string[]> => {
    let text = "";
    const write = (part: string): Promise<void> => Promise.resolve(void (text += part));
    const printer = new TablePrinter({ columns: ["report", "kind"], width: 80, styles: PLAIN, isSql, write });
    await printer.write(rows);
    await printer.end();
    return text.trimEnd().split("\n").slice(1).map((line) => line.replace(/ +/, " "));
  };
  assert.deepEqual(await lines(false), ["search-terms brands-ad-groups", "sdCampaigns portfolios"]);
  assert.deepEqual(await lines(true), ["sp_search_terms sb.ad_groups", "sdCampaigns portfolios"]);
});

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
  assert.deepEqual(lines, ["Name      Bid", "日本語   1.50", "abc     10.00", "é".normalize("NFD")]);
});

Deno.test("a table fits the terminal: texts are cut, ids and numbers never", async () => {
  const rows = [{ keywordId: "9223372036854775807", text: "x".repeat(80), bid: 1.25 }];
  const lines = await table(rows, ["keywordId", "text", "bid"], 60);
  for (const line of lines) assert.ok(textWidth(line) <= 60, line);
  assert.match(lines[1]!, /^9223372036854775807 {2}x+… {2}1\.25$/);
});

Deno.test("a table without room leaves out ids and empty columns, then those on the right, and names them", async () => {
  const row = {
    name: "a long search term",
    keywordId: "9223372036854775807",
    state: "ENABLED",
    cost_before: 1.25,
    nothing: null,
    bid: 1.25,
    cost_change: 0.5,
    adGroupId: "9223372036854775807",
  };
  const columns = Object.keys(row);
  const shown = async (width: number): Promise<[string[], readonly string[]]> => {
    let text = "";
    let leftOut: readonly string[] = [];
    const printer = new TablePrinter({
      columns,
      name: "name",
      width,
      styles: PLAIN,
      write: (part) => Promise.resolve(void (text += part)),
      onLeftOut: (fields) => Promise.resolve(void (leftOut = fields)),
    });
    await printer.write(Array.from({ length: 1001 }, () => row));
    await printer.end();
    return [text.trimEnd().split("\n"), leftOut];
  };
  const order = ["nothing", "adGroupId", "keywordId", "cost_before", "bid", "state", "cost_change"];
  for (let width = 60; width < 140; width++) {
    const [lines, leftOut] = await shown(width);
    for (const line of new Set(lines)) assert.ok(textWidth(line) <= width, `${width}: ${line}`);
    assert.deepEqual([...leftOut].sort(), order.slice(0, leftOut.length).sort());
    assert.equal(lines.length, 1002);
  }
  const [lines] = await shown(60);
  assert.deepEqual(lines.slice(0, 2), [
    "Name                State    Cost before   Bid  Cost change",
    "a long search term  enabled         1.25  1.25      +50.0 %",
  ]);
  assert.deepEqual((await shown(140))[1], []);
});

Deno.test("on a terminal of fewer than 60 columns each row is a block, without what is empty", async () => {
  const rows = [
    { name: "Pans", state: "PAUSED", bid: null, campaignId: "1" },
    { name: "Pots", state: "ENABLED", bid: 1234.5, campaignId: "2" },
  ];
  assert.deepEqual(await table(rows, Object.keys(rows[0]!), 59), [
    "Pans",
    "  State        paused",
    "  Campaign ID  1",
    "",
    "Pots",
    "  State        enabled",
    "  Bid          1,234.50",
    "  Campaign ID  2",
  ]);
});

Deno.test("a table speaks to people: headings, thousands, money with its currency, signs, and sums set apart", async () => {
  let text = "";
  const bold = (part: string): string => `<${part}>`;
  const printer = new TablePrinter({
    columns: ["campaign", "budget.budget", "clicks", "acos", "sales_change", "cpc", "state"],
    units: { sales_change: "signed money" },
    currencyOf: (row) => row["currency"] as string | undefined,
    width: 140,
    styles: { ...PLAIN, bold, green: (part) => `g${part}`, magenta: (part) => `m${part}` },
    write: (part) => Promise.resolve(void (text += part)),
  });
  const row = {
    campaign: "Pans",
    budget: { budget: 1500 },
    clicks: 12345,
    acos: 0.2534,
    sales_change: 3,
    cpc: 0.5,
  };
  await printer.write([
    { ...row, state: "done", currency: "CAD" },
    { ...row, sales_change: -1, state: "unknown", currency: "JPY" },
    { campaign: "Total", clicks: 24690 },
  ]);
  await printer.end();
  const [head, first, second, rule, total] = text.split("\n");
  assert.equal(head, "<Campaign        Budget  Clicks    ACOS  Sales change       CPC  State>");
  assert.equal(first, "Pans      1,500.00 CAD  12,345  25.3 %     +3.00 CAD  0.50 CAD  gdone");
  assert.equal(second?.replace(/ +/g, " "), "Pans 1,500 JPY 12,345 25.3 % -1 JPY 1 JPY munknown");
  assert.match(rule!, /^─+$/);
  assert.equal(total?.replace(/ +/g, " "), "<Total 24,690>");
});

Deno.test("headings are words, and two fields with one heading keep what leads to them", async () => {
  for (
    const [field, heading] of [
      ["targetingType", "Targeting"],
      ["defaultBid", "Default bid"],
      ["profile_id", "Profile ID"],
      ["roas", "ROAS"],
      ["extendedData.lastUpdateDateTime", "Updated"],
    ] as const
  ) assert.equal(headingOf(field), heading);
  const [head] = await table([{ a: { name: "1" }, b: { name: "2" } }], ["a.name", "b.name"]);
  assert.equal(head, "A name  B name");
});

Deno.test("widths only grow from batch to batch, and the header is printed once", async () => {
  const rows = Array.from(
    { length: 1200 },
    (_, at) => ({ id: String(at), name: at === 1100 ? "a very long name" : "n" }),
  );
  const lines = await table(rows, ["id", "name"]);
  assert.equal(lines.length, 1201);
  assert.equal(lines.filter((line) => line.startsWith("ID")).length, 1);
});

Deno.test("times are shown to the minute, whole", async () => {
  const rows = [{ id: "1", at: "2026-11-20T10:15:30.123Z", budget: { amount: 5 } }];
  assert.deepEqual(await table(rows, ["id", "budget.amount", "at"], 60), [
    "ID  Budget  At",
    "1     5.00  2026-11-20 10:15Z",
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
