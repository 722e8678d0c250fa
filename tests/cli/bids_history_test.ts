import assert from "node:assert/strict";
import { emulated } from "./support/emulated.ts";
import { runCli } from "./support/run_cli.ts";

type Row = Record<string, unknown>;

Deno.test("bids keywords prints the present bid beside the suggestion, for every keyword", async () => {
  await using world = await emulated();
  const keywords = JSON.parse((await runCli("list keywords -m CA --json", world)).stdout) as Row[];
  const { campaignId } = keywords[0]!;
  const { code, stdout, stderr } = await runCli(
    `account bids keywords -m CA --campaign-id ${campaignId} --json`,
    world,
  );
  assert.equal(code, 0, stderr);
  const rows = JSON.parse(stdout) as Row[];
  assert.deepEqual(
    rows.map(({ keywordId }) => keywordId),
    keywords.filter((keyword) => keyword.campaignId === campaignId).map(({ keywordId }) => keywordId),
  );
  const priced = rows.filter(({ low }) => low !== undefined) as {
    low: number;
    suggested: number;
    high: number;
  }[];
  assert.ok(priced.length > 0);
  assert.ok(priced.every(({ low, suggested, high }) => low <= suggested && suggested <= high));
});

Deno.test("bids targets lists those without a suggestion too, and counts them on stderr", async () => {
  await using world = await emulated();
  const { code, stdout, stderr } = await runCli("account bids targets -m CA --json", world);
  assert.equal(code, 0, stderr);
  const rows = JSON.parse(stdout) as Row[];
  const unsupported = rows.filter(({ supported }) => supported === false);
  assert.ok(unsupported.length > 0 && unsupported.length < rows.length);
  assert.match(stderr, new RegExp(`no suggested bids for ${unsupported.length} of these targets`));
});

Deno.test("bids new suggests for what does not exist yet, in the order that was asked", async () => {
  await using world = await emulated();
  const { code, stdout, stderr } = await runCli(
    [
      "bids",
      "new",
      "-m",
      "US",
      "--asin",
      "B0EXAMPLE1",
      "--keyword",
      "trail: shoes:exact",
      "--keyword",
      "shoes:BROAD",
      "--json",
    ],
    world,
  );
  assert.equal(code, 0, stderr);
  const rows = JSON.parse(stdout) as Row[];
  assert.deepEqual(rows.map(({ type, value }) => [type, value]), [
    ["KEYWORD_EXACT_MATCH", "trail: shoes"],
    ["KEYWORD_BROAD_MATCH", "shoes"],
  ]);
  const sent = world.emulator.requests().length;
  for (
    const [options, message] of [
      [["--keyword", "shoes:BROAD"], "Cannot suggest bids without --asin: add the advertised products"],
      [["--asin", "B0EXAMPLE1"], "Cannot suggest bids: add --keyword or --target-asin"],
      [
        ["--asin", "B0EXAMPLE1", "--keyword", "shoes"],
        'Cannot use --keyword "shoes": write the text, a colon',
      ],
    ] as const
  ) {
    const refused = await runCli(["account", "bids", "new", "-m", "US", ...options], world);
    assert.equal(refused.code, 2);
    assert.ok(refused.stderr.includes(message), refused.stderr);
  }
  assert.equal(world.emulator.requests().length, sent);
});

Deno.test("history lists what was changed, filtered, in either order", async () => {
  await using world = await emulated();
  const [keyword] =
    (JSON.parse((await runCli("list keywords -m CA --json --state enabled", world)).stdout) as Row[])
      .filter(({ bid }) => bid !== undefined);
  for (const bid of ["+10%", "+20%"]) {
    const file = await world.write("k.csv", `id,bid\n${keyword!.keywordId},${bid}\n`);
    const out = `${world.folder}/${bid.length}${bid.slice(1, 3)}.json`;
    await runCli(["plan", "update", "keywords", file, "-m", "CA", "--out", out], world);
    assert.equal((await runCli(["plan", "apply", out, "--yes"], world)).code, 0);
  }
  const rows = async (more: string): Promise<Row[]> => {
    const run = await runCli(
      `account history -m CA --since -1h --id ${keyword!.keywordId} --json ${more}`,
      world,
    );
    assert.equal(run.code, 0, run.stderr);
    return JSON.parse(run.stdout);
  };
  const events = await rows("--change bid-amount");
  assert.equal(events.length, 2);
  assert.deepEqual(
    events.map(({ entityType, changeType }) => [entityType, changeType]),
    Array(2).fill(["KEYWORD", "BID_AMOUNT"]),
  );
  assert.equal(events[0]!.previousValue, events[1]!.newValue, "newest first");
  assert.deepEqual(await rows("--change bid-amount --oldest-first"), events.toReversed());
  assert.deepEqual(await rows("--change name"), []);
  assert.equal((await rows("--limit 1")).length, 1);
  const old = await runCli("account history -m CA --since -120", world);
  assert.equal(old.code, 2);
  assert.match(old.stderr, /remembers 90 days/);
});
