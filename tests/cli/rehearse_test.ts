import assert from "node:assert/strict";
import { readXlsx } from "hucre/xlsx";
import { connect } from "../../src/interfaces/mcp/connect.ts";
import { McpContext } from "../../src/interfaces/mcp/context/mcp_context.ts";
import { readSettings } from "../../src/interfaces/mcp/context/settings.ts";
import { instructions } from "../../src/interfaces/mcp/server/build_server.ts";
import { approveCommand } from "../../src/interfaces/mcp/tools/console_approval.ts";
import { LOCAL } from "../../src/interfaces/mcp/access/identity.ts";
import { type Emulated, emulated } from "./support/emulated.ts";
import { type CliRun, runCli } from "./support/run_cli.ts";
import { long } from "../support/long.ts";
import { sentIn } from "../support/plan_words.ts";

interface Rehearsal extends AsyncDisposable {
  /** The account. */
  readonly world: Emulated;
  readonly folder: string;
  /** File of the copy. */
  readonly copy: string;
  /** Runs a command on the account. */
  readonly real: (line: string, more?: Record<string, string>) => Promise<CliRun>;
  /** Runs a command on the copy. */
  readonly rehearse: (line: string, more?: Record<string, string>) => Promise<CliRun>;
}

async function rehearsal(): Promise<Rehearsal> {
  const world = await emulated();
  const { folder } = world;
  const copy = `${folder}/friday.snap`;
  const home = { XDG_STATE_HOME: `${folder}/state`, XDG_CONFIG_HOME: `${folder}/config` };
  const real = (line: string, more = {}): Promise<CliRun> =>
    runCli(line, { ...world, env: { ...world.env, ...home, ...more } });
  // The clock of the copy runs: a report is ready after a while of it.
  const sleep = (seconds: number): Promise<void> => new Promise((done) => setTimeout(done, 1000 * seconds));
  const rehearse = (line: string, more = {}): Promise<CliRun> =>
    runCli(`${line} --rehearse ${copy}`, { env: { ...home, ...more }, sleep });
  const pulled = await real(`account rehearse pull -m US --out ${copy}`);
  assert.equal(pulled.code, 0, pulled.stderr);
  assert.match(pulled.stdout, /^US \d+ .*, copied 2026-/);
  assert.match(pulled.stdout, /Sponsored Products: 1200 keywords/);
  return { world, folder, copy, real, rehearse, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

async function keywordsOf(
  run: Rehearsal["real"],
): Promise<{ keywordId: string; bid?: number; state: string }[]> {
  const { stdout, stderr, code } = await run("list keywords -m US --json -q");
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

Deno.test("a plan of the account is rehearsed on its copy, and is open afterwards; every command says REHEARSAL", async () => {
  await using rehearsed = await rehearsal();
  const { folder, real, rehearse, world, copy } = rehearsed;
  const keywords = await keywordsOf(real);
  assert.deepEqual(await keywordsOf(rehearse), keywords);
  const keyword = keywords.find(({ bid, state }) => bid !== undefined && state === "ENABLED")!;
  await Deno.writeTextFile(`${folder}/bids.csv`, `keywordId,bid\n${keyword.keywordId},+10%\n`);
  const plan = `${folder}/plan.json`;
  assert.equal((await real(`plan update keywords ${folder}/bids.csv -m US --out ${plan}`)).code, 0);
  const before = world.emulator.requests().length;

  const applied = await rehearse(`plan apply ${plan} --yes`);
  assert.equal(applied.code, 0, applied.stderr);
  assert.match(applied.stderr, /^REHEARSAL on .*friday\.snap: nothing reaches the account$/m);
  assert.match(applied.stderr + applied.stdout, /adsctl plan undo .* --rehearse .*friday\.snap/);
  assert.equal(world.emulator.requests().length, before, "the account was asked nothing");
  const changed = (await keywordsOf(rehearse)).find(({ keywordId }) => keywordId === keyword.keywordId);
  assert.ok(changed!.bid! > keyword.bid!);
  assert.equal((await rehearse(`plan apply ${plan} --yes`)).code, 4, "it was applied in the rehearsal");
  assert.deepEqual([...Deno.readDirSync(folder)].filter(({ name }) => name === ".plans"), []);

  const undone = await rehearse(`plan undo ${plan} --yes`);
  assert.equal(undone.code, 0, undone.stderr);
  assert.deepEqual(await keywordsOf(rehearse), keywords);

  const told = await real(`plan rehearse ${plan} ${copy}`);
  assert.equal(told.code, 0, told.stderr);
  assert.match(told.stdout, /REHEARSAL on the copy of 2026-/);
  assert.deepEqual(sentIn(told.stdout), [1, 0]);
  assert.match(told.stdout, /The account matches the copy in everything that matters to the plan/);
  await Deno.writeTextFile(`${folder}/other.csv`, `keywordId,bid\n${keyword.keywordId},0.31\n`);
  await real(`plan update keywords ${folder}/other.csv -m US --out ${folder}/other.json`);
  assert.equal((await real(`plan apply ${folder}/other.json --yes`)).code, 0);
  const differs = await real(`plan rehearse ${plan} ${copy} --json`);
  assert.equal(differs.code, 6, differs.stderr);
  const { differences } = JSON.parse(differs.stdout);
  assert.deepEqual(
    differences.map((
      { id, field, copy: here, account }: Record<string, unknown>,
    ) => [id, field, here, account]),
    [[keyword.keywordId, "bid", keyword.bid, 0.31]],
  );
  // And the account itself: drift is found, the plan is open.
  const now = await real(`plan apply ${plan} --yes`);
  assert.equal(now.code, 4);
  assert.match(now.stderr, /changed since/);
});

long();
Deno.test("a plan made in a rehearsal is refused by the account, and figures of one enter no other store", async () => {
  await using rehearsed = await rehearsal();
  const { folder, real, rehearse, copy } = rehearsed;
  const [keyword] = (await keywordsOf(rehearse)).filter(({ bid, state }) =>
    bid !== undefined && state === "ENABLED"
  );
  await Deno.writeTextFile(`${folder}/bids.csv`, `keywordId,bid\n${keyword!.keywordId},+10%\n`);
  assert.equal(
    (await rehearse(`plan update keywords ${folder}/bids.csv -m US --out ${folder}/made.json`)).code,
    0,
  );
  const refused = await real(`plan apply ${folder}/made.json --yes`);
  assert.equal(refused.code, 4, refused.stderr);
  assert.match(refused.stderr, /it was made on the copy of the account of 2026-/);
  assert.match((await real(`plan show ${folder}/made.json`)).stdout, /REHEARSAL: made on the account copy/);

  const store = await rehearse(`sync -m US --report sp_campaigns --start -3 --store ${folder}/real.sqlite`);
  assert.equal(store.code, 2);
  assert.match(store.stderr, /Cannot use --store together with --rehearse/);
  const synced = await rehearse("sync -m US --report sp_campaigns --start -3", {
    PLATFORM_ADS_STORE: `${folder}/real.sqlite`,
  });
  assert.equal(synced.code, 0, synced.stderr);
  await assert.rejects(Deno.stat(`${folder}/real.sqlite`), /No such file/i);
  const rows = await rehearse('store query "SELECT count(*) AS n FROM sp_campaigns" --json');
  assert.ok(JSON.parse(rows.stdout)[0].n > 10, rows.stdout);

  // Each row of a file says that it is of the copy.
  for (const name of ["figures.csv", "figures.jsonl", "figures.xlsx", "query.csv", "rows.csv"]) {
    const commands: Record<string, string> = {
      query: 'store query "SELECT campaign_name, clicks FROM sp_campaigns"',
      rows: "store export sp_campaigns",
      figures: "figures --by campaign -m US",
    };
    const command = commands[name.split(".")[0]!]!;
    const out = `${folder}/${name}`;
    const written = await rehearse(
      command.startsWith("store export") ? `${command} ${out}` : `${command} --out ${out}`,
    );
    assert.equal(written.code, 0, `${name}: ${written.stderr}`);
    if (name.endsWith(".xlsx")) {
      const book = await readXlsx(await Deno.readFile(out));
      const [header, first] = book.sheets[0]!.rows;
      assert.equal(first![header!.indexOf("rehearsed")], copy);
      continue;
    }
    const [header, ...lines] = (await Deno.readTextFile(out)).trim().split("\n");
    assert.match(header!, /rehearsed/, name);
    assert.ok(lines.length > 3 && lines.every((line) => line.includes(copy)), `${name}: ${lines[0]}`);
  }

  // A file that is changed, missing or something else is told before anything is done.
  await Deno.writeTextFile(`${folder}/notes.snap`, "keywordId,bid\n");
  const bad = await runCli(`list campaigns -m US --rehearse ${folder}/notes.snap`, {
    env: { XDG_STATE_HOME: folder },
  });
  assert.deepEqual([bad.code, /it is not an account copy/.test(bad.stderr)], [2, true], bad.stderr);
  const none = await runCli(`list campaigns -m US --rehearse ${folder}/none.snap`, {
    env: { XDG_STATE_HOME: folder },
  });
  assert.deepEqual([none.code, /there is no such file/.test(none.stderr)], [2, true], none.stderr);
  const both = await rehearse(`list campaigns -m US --env-file ${folder}/x.env`);
  assert.match(both.stderr, /Cannot use --env-file together with --rehearse/);
  const wrong = await real(`plan rehearse ${folder}/made.json ${folder}/notes.snap`);
  assert.equal(wrong.code, 2);
  for (
    const line of [
      `plan rehearse ${folder}/made.json ${folder}/none.snap`,
      `account rehearse show ${folder}/none.snap`,
    ]
  ) {
    const { code, stderr } = await real(line);
    assert.deepEqual([code, /there is no such file/.test(stderr)], [2, true], stderr);
  }
  const nowhere = await real(`account rehearse pull -m US --out ${folder}/none/friday.snap`);
  assert.deepEqual(
    [nowhere.code, /the folder does not exist/.test(nowhere.stderr)],
    [2, true],
    nowhere.stderr,
  );

  const reset = await runCli(`account rehearse reset ${copy}`, {
    env: { XDG_STATE_HOME: `${folder}/state` },
  });
  assert.equal(reset.code, 0, reset.stderr);
  assert.equal((await rehearse('store query "SELECT 1"')).code, 2, "the store of the rehearsal is gone");
});

Deno.test("the tool server works on the same rehearsal as adsctl, and says so", async () => {
  await using rehearsed = await rehearsal();
  const { folder, copy, rehearse } = rehearsed;
  const env = { XDG_STATE_HOME: `${folder}/state`, XDG_CONFIG_HOME: `${folder}/config` };
  const settings = await readSettings(["--rehearse", copy], {
    ...env,
    PLATFORM_ADS_MCP_PLAN_DIR: `${folder}/real-plans`,
  });
  assert.match(instructions(settings, LOCAL), /REHEARSAL: this is an account copy/);
  assert.ok(settings.planFolder.startsWith(`${folder}/state/platform-ads/rehearsals/`), settings.planFolder);
  assert.ok(approveCommand("plan-1", settings).endsWith(` --rehearse ${copy}`));
  const context = new McpContext({ settings, connect: () => Promise.reject(new Error("unused")) });
  const { ads, close } = await connect(settings, context, { env, log: () => {} });
  const us = await ads.profile("US");
  const [campaign] = await us.sp.campaigns.list({ states: ["ENABLED"] });
  (await us.sp.campaigns.pause([campaign!.campaignId])).raiseForErrors();
  const line = `list campaigns -m US --id ${campaign!.campaignId} --fields state --format tsv`;
  assert.equal((await rehearse(line)).stdout, "state\nPAUSED\n", "while the server runs");
  await close();
  assert.equal((await rehearse(line)).stdout, "state\nPAUSED\n", "after it has ended");
  for (const option of [["--store", "x.sqlite"], ["--plan-dir", "plans"]]) {
    await assert.rejects(readSettings(["--rehearse", copy, ...option], env), /together with --rehearse/);
  }
});
