import assert from "node:assert/strict";
import { emulated } from "./support/emulated.ts";
import { runCli } from "./support/run_cli.ts";

interface Keyword {
  readonly keywordId: string;
  readonly bid?: number;
  readonly state: string;
}

Deno.test("every bad row of a CSV file is named at once, with its line, before anything is read", async () => {
  await using world = await emulated();
  const file = await world.write(
    "bids.csv",
    "id,bid,state\n1,0.5,\n2,abc,\nx,1,\n4,1,sleeping\n1,2,\n6,7,8,9\n7,-100%,\n",
  );
  const run = await runCli(["plan", "update", "keywords", file, "-m", "CA"], world);
  assert.equal(run.code, 2);
  const wrong = run.stderr.split("\n").filter((line) => /^ {2}row/.test(line)).map((line) => line.trim());
  assert.deepEqual(wrong.map((line) => line.slice(0, 40)), [
    'row 3: "bid" is "abc", which is not a nu',
    'row 4: "id" is "x", which is not an id',
    "row 5: Cannot set the state of a keyword",
    "row 6: keyword 1 is in row 2 and again i",
    "row 7: it has 4 cells, and the header ha",
    'row 8: "bid" is "-100%", which leaves no',
  ]);
  assert.match(run.stderr, /Cannot use 6 records of the file, so nothing was planned/);
  assert.equal(world.emulator.requests().length, 0, "nothing was read");
});

Deno.test("of very many bad rows the first hundred are named and the others counted, also as data", async () => {
  await using world = await emulated();
  const rows = Array.from({ length: 250 }, (_, at) => JSON.stringify({ id: `${at + 1}`, bid: "abc" }));
  const file = await world.write("bids.jsonl", rows.join("\n") + "\n");
  const run = await runCli(["plan", "update", "keywords", file, "-m", "CA"], world);
  assert.equal(run.code, 2);
  assert.match(run.stderr, /Cannot use 250 records/);
  assert.match(run.stderr, /\n {2}line 100: .*\n {2}and 150 more\n/);
  const asData = await runCli(["plan", "update", "keywords", file, "-m", "CA", "--json"], world);
  const { rows: named, exit_code: code } = JSON.parse(asData.stderr);
  assert.equal(code, 2);
  assert.equal(named.length, 100);
  assert.deepEqual(named[0], { where: "line 1", message: '"bid" is "abc", which is not a number' });
});

Deno.test("every bad row of new entities is named at once", async () => {
  await using world = await emulated();
  const file = await world.write(
    "new.jsonl",
    '{"campaignId": "1", "keywordText": "a", "bid": "+10%"}\nnot json\n{"campaignId": 1e30}\n["list"]\n' +
      '{"campaignId": "1", "keywordText": "b", "bid": true}\n',
  );
  const run = await runCli(["plan", "create", "keywords", file, "-m", "CA"], world);
  assert.equal(run.code, 2);
  for (const line of [1, 2, 3, 4, 5]) assert.match(run.stderr, new RegExp(`\\n {2}line ${line}: `));
  assert.match(run.stderr, /Cannot use 5 records/);
});

Deno.test("ids that are not found end with 3, and with 0 where that is allowed; the plan is saved", async () => {
  await using world = await emulated();
  const { stdout } = await runCli("list keywords -m CA --state enabled --json --limit 1", world);
  const [keyword]: Keyword[] = JSON.parse(stdout);
  const file = await world.write("bids.csv", `id,bid\n${keyword!.keywordId},0.77\n123,1\n`);
  const out = `${world.folder}/plan.json`;
  const strict = await runCli(["plan", "update", "keywords", file, "-m", "CA", "--out", out], world);
  assert.equal(strict.code, 3);
  assert.match(strict.stderr, /1 id was not found, so this ends with 3; --allow-missing ends with 0/);
  assert.match(strict.stdout, /Not found: 123/);
  assert.equal((await runCli(["plan", "show", out], world)).code, 0, "the plan was saved");
  const words = ["plan", "update", "keywords", file, "-m", "CA", "--out", out, "--allow-missing"];
  assert.equal((await runCli(words, world)).code, 0);
  const archive = ["plan", "archive", "keywords", keyword!.keywordId, "123", "-m", "CA", "--out", out];
  assert.equal((await runCli(archive, world)).code, 3);
  assert.equal((await runCli([...archive, "--allow-missing"], world)).code, 0);
});

Deno.test("rows and entities with nothing to change are reported, and the others are planned", async () => {
  await using world = await emulated();
  const { stdout } = await runCli("list keywords -m CA --state enabled --json", world);
  const [first, second, third] = (JSON.parse(stdout) as Keyword[]).filter(({ bid }) => bid !== undefined);
  const file = await world.write(
    "bids.csv",
    `id,bid\n${first!.keywordId},${first!.bid}\n${second!.keywordId},\n${third!.keywordId},+10%\n`,
  );
  const out = `${world.folder}/plan.json`;
  const run = await runCli(["plan", "update", "keywords", file, "-m", "CA", "--out", out, "--json"], world);
  assert.equal(run.code, 0, run.stderr);
  const { counts, findings } = JSON.parse(run.stdout);
  assert.deepEqual(counts, { create: 0, update: 1, archive: 0 });
  const notes = findings.filter(({ code }: { code: string }) => code === "NOTHING_TO_CHANGE");
  assert.match(notes[0].message, new RegExp(`These keywords have nothing to change: ${first!.keywordId} `));
  assert.equal(notes[1].message, "These records of the file change nothing: row 3");
  const bid = third!.bid!;
  const exact = Number((bid * 1.1).toPrecision(12));
  const rounded = findings.filter(({ code }: { code: string }) => code === "ROUNDED");
  // Only an amount between two that the market takes is named.
  assert.deepEqual(
    rounded.map(({ message }: { message: string }) => message),
    Number.isInteger(Number((exact * 100).toPrecision(12))) ? [] : [
      `Amounts are rounded to what the market takes: keyword ${third!.keywordId} ${exact} → ${
        Math.round(Number(`${exact}e2`)) / 100
      }`,
    ],
  );
});

Deno.test("plan archive names what is archived already", async () => {
  await using world = await emulated();
  const { stdout } = await runCli("list keywords -m CA --state archived --json --limit 2", world);
  const archived: Keyword[] = JSON.parse(stdout);
  assert.ok(archived.length > 0, "the demo has archived keywords");
  const ids = archived.map(({ keywordId }) => keywordId);
  const run = await runCli(["plan", "archive", "keywords", ...ids, "-m", "CA"], world);
  assert.equal(run.code, 0, run.stderr);
  assert.match(run.stdout, new RegExp(`These keywords are archived already: ${ids[0]} `));
});
