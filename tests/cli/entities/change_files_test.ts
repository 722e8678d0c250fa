import assert from "node:assert/strict";
import { KINDS } from "../../../src/client/entities/kinds/kinds.ts";
import type { ResourceSpec } from "../../../src/client/entities/model/resource_spec.ts";
import { createItems } from "../../../src/interfaces/cli/commands/plan/plan_create.ts";
import { parseRecords } from "../../../src/interfaces/cli/shell/input/parse_records.ts";
import { updateItems } from "../../../src/interfaces/cli/shell/input/update_items.ts";
import { UsageError } from "../../../src/interfaces/cli/shell/io/cli_error.ts";
import { runCli } from "../support/run_cli.ts";
import { emulated } from "../support/emulated.ts";

const KEYWORDS: ResourceSpec = KINDS["sp.keywords"];
const CAMPAIGNS: ResourceSpec = KINDS["sp.campaigns"];

async function updates(text: string, spec = KEYWORDS): Promise<[string, Record<string, unknown>][]> {
  const records = await parseRecords({ text: text.replace(/^\uFEFF/, ""), name: "the file" });
  return updateItems(records, spec).items.map(({ [spec.idField]: id, ...fields }) => [String(id), fields]);
}

const GOOD: [name: string, text: string, expected: [string, Record<string, unknown>][]][] = [
  ["commas", "keywordId,bid\n1,0.5\n2,0.7\n", [["1", { bid: 0.5 }], ["2", { bid: 0.7 }]]],
  ["semicolons", "keywordId;bid\n1;0.5\n", [["1", { bid: 0.5 }]]],
  [
    "texts that hold more semicolons than the header has commas",
    "id,keywordText,bid\n1,a;b;c;d;e;f;g,0.5\n",
    [[
      "1",
      {
        bid: 0.5,
      },
    ]],
  ],
  ["a line that names the separator", "sep=;\r\nKeyword ID;Bid\r\n1;0,77\r\n", [["1", { bid: 0.77 }]]],
  ["decimal commas between semicolons", "id;bid\n1;0,75\n2;3,5\n3;4\n", [["1", { bid: 0.75 }], ["2", {
    bid: 3.5,
  }], [
    "3",
    { bid: 4 },
  ]]],
  ["columns that were emptied in a spreadsheet", "id,bid,,\n1,0.5,,\n2,0.7\n,,,\n", [["1", { bid: 0.5 }], [
    "2",
    {
      bid: 0.7,
    },
  ]]],
  ["tabs", "keywordId\tbid\n1\t0.5\n", [["1", { bid: 0.5 }]]],
  ["a byte order mark and Windows line ends", "\uFEFFkeywordId,bid\r\n1,0.5\r\n\r\n", [["1", { bid: 0.5 }]]],
  ["names as a spreadsheet writes them", "Keyword ID,BID,State\n1,0.5,paused\n", [["1", {
    bid: 0.5,
    state: "paused",
  }]]],
  ["snake case", "keyword_id,bid\n1,0.5\n", [["1", { bid: 0.5 }]]],
  ["id", "id,bid\n1,0.5\n", [["1", { bid: 0.5 }]]],
  ["empty cells", "id,bid,state\n1,,paused\n2,1,\n", [["1", { state: "paused" }], ["2", { bid: 1 }]]],
  ["rows that change nothing", "id,bid\n1,\n2,1\n", [["2", { bid: 1 }]]],
  ["quoted line ends in columns that are ignored", 'id,keywordText,bid\n1,"a\nb, ""c""",0.5\n2,x,1\n', [[
    "1",
    { bid: 0.5 },
  ], ["2", { bid: 1 }]]],
  ["an id past 2^53", "id,bid\n9223372036854775807,1\n", [["9223372036854775807", { bid: 1 }]]],
  ["a JSON array", '[{"keywordId": "1", "bid": 0.5}]', [["1", { bid: 0.5 }]]],
  ["a JSON array with bare ids past 2^53", '[{"keywordId": 9223372036854775807, "bid": 1}]', [[
    "9223372036854775807",
    { bid: 1 },
  ]]],
  ["null, which empties a field", '[{"keywordId": "1", "bid": null}, {"keywordId": "2", "bid": 1}]', [
    ["1", { bid: null }],
    ["2", { bid: 1 }],
  ]],
  ["JSON lines", '{"id": "1", "bid": 0.5}\n\n{"id": 2, "state": "PAUSED"}\n', [["1", { bid: 0.5 }], ["2", {
    state: "PAUSED",
  }]]],
];

Deno.test("change files are read as CSV, JSON and JSON lines", async () => {
  for (const [name, text, expected] of GOOD) assert.deepEqual(await updates(text), expected, name);
});

const BAD: [name: string, text: string, message: RegExp][] = [
  ["empty", "", /it is empty/],
  ["white space", " \n ", /it is empty/],
  [
    "null for what cannot be empty",
    '[{"keywordId": "1", "state": null}]',
    /"state" of a keyword cannot be emptied with null\. Give a value, or leave it out\. Can be emptied: .*bid/,
  ],
  ["no id column", "bid\n1\n", /no column "keywordId" \(or "id"\)/],
  ["nothing to change", "keywordId\n1\n", /no column holds anything to change\. Fields to change: /],
  ["nothing changed", "keywordId,bid\n1,\n", /no row changes anything/],
  ["an unknown column", "id,bidd\n1,2\n", /the column "bidd": there is no such field. Did you mean "bid"\?/],
  ["unknown columns", "id,bid,foo,bar\n1,2,3,4\n", /the columns "foo", "bar"/],
  ["a column twice", "id,bid,bid\n1,2,3\n", /"bid" is there twice/],
  ["two spellings of one column", "id,keywordId,bid\n1,2,3\n", /both are "keywordId"/],
  ["a column without a name", "id,,bid\n1,2,3\n", /column 2 has no name/],
  [
    "an id a spreadsheet has rounded",
    "id,bid\n1,1\n1.23E+14,2\n",
    /row 3: "id": 1\.23E\+14 is rounded: the last digits of the id are lost/,
  ],
  [
    "the same with a comma",
    'id;bid\n"1,23E+14";2\n',
    /row 2: "id": 1,23E\+14 .* last digits of the id are lost/,
  ],
  ["an id that is none", "id,bid\nabc,1\n", /row 2: "id" is "abc", which is not an id/],
  ["an empty id", "id,bid\n,1\n", /row 2: "id" is empty/],
  ["an id twice", "id,bid\n7,1\n8,1\n7,2\n", /keyword 7 is in row 2 and again in row 4/],
  ["a bid that is not a number", "id,bid\n1,abc\n", /row 2: "bid" is "abc", which is not a number/],
  ["a decimal comma between commas", 'id,bid\n1,"0,75"\n', /Write 0\.75/],
  ["a comma that may separate thousands", "id;bid\n1;1,250\n", /"1,250", which is not a number/],
  ["a cell under no name", "id,bid,\n1,2,3\n", /row 2: it has 3 cells, and the header has 2/],
  ["a reduction to nothing", "id,bid\n1,-100%\n", /row 2: "bid" is "-100%", which leaves no amount above 0/],
  ["a factor of nothing", "id,bid\n1,*0\n", /leaves no amount above 0/],
  ["a negative number in JSON", '[{"id": "1", "bid": -1}]', /item 1: "bid" is -1, which is not an amount/],
  [
    "a bid in JSON that is no number",
    '[{"id": "1", "bid": true}]',
    /item 1: "bid" is true, which is not an amount/,
  ],
  ["a percentage without a sign", "id,bid\n1,10%\n", /with its sign/],
  ["a negative bid", "id,bid\n1,-0.5\n", /"-0.5", which has a sign/],
  ["infinity", "id,bid\n1,Infinity\n", /not a number/],
  ["a row with too many cells", "id,bid\n1,2,3\n", /row 2: it has 3 cells, and the header has 2/],
  ["a row with too few cells", "id,bid\n1\n", /row 2: it has 1 cells/],
  ["an open quotation mark", 'id,bid\n1,"2\n', /never closed/],
  ["a broken JSON array", '[{"id": "1", "bid": 1}', /not a whole JSON array/],
  ["a JSON array of numbers", "[1, 2]", /item 1: it is not an object/],
  ["a broken JSON line", '{"id": "1", "bid": 1}\n{"id"', /line 2: it is not a JSON object/],
  ["a JSON id that lost digits", '[{"id": 1.5, "bid": 1}]', /item 1: "id" is 1.5/],
];

Deno.test("malformed change files are refused, and the message says where", async () => {
  for (const [name, text, message] of BAD) {
    await assert.rejects(updates(text), (error: Error) => {
      assert.ok(error instanceof UsageError, `${name}: ${error}`);
      assert.match(error.message, message, name);
      return true;
    });
  }
});

Deno.test("percentages and factors stay text, and are worked out later", async () => {
  for (const text of ["+10%", "-25 %", "*1.2", "×2", "+0.5%"]) {
    assert.deepEqual(await updates(`id,bid\n1, ${text}\n`), [["1", { bid: text }]]);
  }
});

Deno.test("fields of object-valued fields have columns of their own, or JSON cells", async () => {
  assert.deepEqual(await updates("id,budget.budget,dynamicBidding.strategy\n1,12.5,MANUAL\n", CAMPAIGNS), [
    ["1", { budget: { budget: 12.5 }, dynamicBidding: { strategy: "MANUAL" } }],
  ]);
  assert.deepEqual(await updates('id,tags\n1,"{""a"":""b""}"\n', CAMPAIGNS), [["1", { tags: { a: "b" } }]]);
});

Deno.test("the quote mark before a formula does not come back as part of a name", async () => {
  const text = "id,name\n1,'=SUM(A1)\n2,'-50% sale\n3,'tis the season\n";
  assert.deepEqual(await updates(text, CAMPAIGNS), [
    ["1", { name: "=SUM(A1)" }],
    ["2", { name: "-50% sale" }],
    ["3", { name: "'tis the season" }],
  ]);
});

Deno.test("columns that cannot be changed are left out and named, as in a file that list printed", async () => {
  const records = await parseRecords({
    text: "keywordId,keywordText,bid,campaignId\n1,x,2,3\n",
    name: "the file",
  });
  assert.deepEqual(updateItems(records, KEYWORDS).ignored, ["keywordText", "campaignId"]);
});

Deno.test("new entities are read with their own fields; the id that the platform gives is left out", async () => {
  const text =
    "keywordId,campaignId,adGroupId,keywordText,matchType,state,bid\n,1,2,trail shoes,EXACT,ENABLED,0.5\n";
  const { items, ignored } = createItems(await parseRecords({ text, name: "the file" }), KEYWORDS);
  assert.deepEqual(items, [
    {
      campaignId: "1",
      adGroupId: "2",
      keywordText: "trail shoes",
      matchType: "EXACT",
      state: "ENABLED",
      bid: 0.5,
    },
  ]);
  assert.deepEqual(ignored, ["keywordId"]);
  const relative = await parseRecords({ text: "campaignId,bid\n1,+10%\n", name: "the file" });
  assert.throws(() => createItems(relative, KEYWORDS), /has nothing to change/);
});

Deno.test("rows of other kinds and with names make a tree of new entities", async () => {
  const text = [
    "entity,as,campaignId,name,state,defaultBid,keywordText,matchType,bid",
    "ad-groups,g,1,Main,ENABLED,0.5,,,",
    ",,1,,ENABLED,,trail shoes,EXACT,0.6",
  ].join("\n");
  const { items } = createItems(await parseRecords({ text, name: "the file" }), KEYWORDS);
  assert.deepEqual(items, [
    { campaignId: "1", name: "Main", state: "ENABLED", defaultBid: 0.5, entity: "ad-groups", as: "g" },
    { campaignId: "1", state: "ENABLED", keywordText: "trail shoes", matchType: "EXACT", bid: 0.6 },
  ]);
  const lines = '{"as":"c","campaignId":"1"}\n{"entity":"keywordz"}\n{"adGroupId":{"ref":"g"},"nmae":"x"}\n';
  const wrong = await parseRecords({ text: lines, name: "the file" });
  assert.throws(() => createItems(wrong, KEYWORDS), /line 2[^]*keywords[^]*line 3[^]*"nmae"/);
});

Deno.test("a CSV of ten megabytes is read", async () => {
  const rows = Array.from(
    { length: 60_000 },
    (_, at) => `${100_000_000_000_000 + at},0.5,"note, ${"x".repeat(150)}"`,
  );
  const text = `keywordId,bid,keywordText\n${rows.join("\n")}\n`;
  assert.ok(text.length > 10_000_000);
  assert.equal((await updates(text)).length, 60_000);
});

Deno.test("a file in an encoding that is not certain and a terminal in place of standard input are refused", async () => {
  await using world = await emulated();
  const path = `${world.folder}/unknown.csv`;
  await Deno.writeFile(path, new Uint8Array([0x69, 0x64, 0x0a, 0x81, 0xff]));
  const binary = await runCli(["plan", "update", "keywords", path, "-m", "CA"], world);
  assert.equal(binary.code, 2);
  assert.match(
    binary.stderr,
    /it is not UTF-8 text, and its encoding is not certain\. .*save it as "CSV UTF-8"/,
  );
  const terminal = await runCli("plan update keywords - -m CA", { ...world, terminal: 80 });
  assert.equal(terminal.code, 2);
  assert.match(terminal.stderr, /from a terminal/);
  assert.equal(world.emulator.requests().length, 0);
});

Deno.test("new Brands targets are read from what a list of them printed", async () => {
  const product = '"[{""type"":""asinSameAs"",""value"":""B0DVQWC048""}]"';
  const text =
    `targetId,expressions,state,bid,campaignId,adGroupId,resolvedExpressions\n7,${product},enabled,0.5,1,2,${product}\n`;
  const { items, ignored } = createItems(await parseRecords({ text, name: "the file" }), KINDS["sb.targets"]);
  assert.deepEqual(items, [
    {
      expressions: [{ type: "asinSameAs", value: "B0DVQWC048" }],
      state: "enabled",
      bid: 0.5,
      campaignId: "1",
      adGroupId: "2",
    },
  ]);
  assert.deepEqual(ignored, ["targetId", "resolvedExpressions"]);
});
