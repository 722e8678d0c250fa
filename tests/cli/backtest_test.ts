import assert from "node:assert/strict";
import { emulated } from "./support/emulated.ts";
import { type CliRun, runCli } from "./support/run_cli.ts";
import { longFile } from "../support/long.ts";

longFile();

Deno.test("a plan as of a day is the one that was made that day, whatever became known since, and nothing is saved", async () => {
  await using at = await emulated({
    clock: { now: "2026-09-01T19:00:00Z", frozen: true },
    quirks: { reportSeconds: 0 },
  });
  const env = { ...at.env, PLATFORM_ADS_STORE: `${at.folder}/ads.sqlite` };
  const tried = (line: string): Promise<CliRun> =>
    runCli(line.replaceAll("@", at.folder), { env, now: () => at.emulator.clock.now() });
  const run = async (line: string): Promise<CliRun> => {
    const done = await tried(line);
    assert.equal(done.code, 0, `${line}\n${done.stderr}`);
    return done;
  };
  type Fields = Record<string, unknown>;
  type Plan = { changes: { id: string; before: Fields; after: Fields }[] };
  const changesOf = ({ changes }: Plan) => changes.map(({ id, before, after }) => ({ id, before, after }));
  const bids = "plan bids -m US --entity keywords --where acos30d>30%&&clicks30d>=5 --change -10% --no-sync";
  await run("sync -m US --report sp_targeting,sb_targeting --start -45 --entities");
  // What was changed before that day is not in the store.
  await run(`${bids} --again --out @/then.json`);
  const then = JSON.parse(await Deno.readTextFile(`${at.folder}/then.json`)) as Plan;
  assert.ok(then.changes.length > 5);

  // Since then these bids were lowered, orders came in late, and a month passed.
  await run("plan apply @/then.json --yes --accept-risk");
  at.emulator.advance(30 * 86_400);
  await run("sync -m US --report sp_targeting,sb_targeting --start -45 --entities");
  await run(`${bids} --out @/now.json`);
  const now = JSON.parse(await Deno.readTextFile(`${at.folder}/now.json`)) as Plan;
  assert.notDeepEqual(changesOf(now), changesOf(then));

  const files = async (): Promise<string[]> => {
    const names: string[] = [];
    for await (const { name } of Deno.readDir(at.folder)) names.push(name);
    return names.sort();
  };
  const before = await files();
  const past = JSON.parse((await run(`${bids} --as-of 2026-09-01 --json`)).stdout);
  type Shown = { id: string; fields: { field: string; before: unknown; after: unknown }[] };
  const planned = (past.campaigns as { changes: Shown[] }[]).flatMap(({ changes }) => changes);
  const asShown = (id: string, before: unknown, after: unknown): string => `${id} ${before} ${after}`;
  assert.deepEqual(
    planned.map(({ id, fields: [bid] }) => asShown(id, bid?.before ?? "", bid?.after)).sort(),
    then.changes.map(({ id, before, after }) => asShown(id, before["bid"] ?? "", after["bid"])).sort(),
  );
  assert.equal(past.since.verdict, "not_known");
  assert.deepEqual(past.since.after, { start: "2026-09-02", end: "2026-09-29" });
  assert.ok(past.since.totals.after.clicks > 0);
  const shown = await run(`${bids} --as-of 2026-09-01`);
  assert.match(
    shown.stderr,
    /Based on data known at 2026-09-01T23:59:59\.999Z\. Nothing was sent or saved\n/,
  );
  assert.match(
    shown.stderr,
    /Since then, without this plan: 2026-09-02 to 2026-09-29 against 2026-08-04 to 2026-08-31\n/,
  );
  assert.match(
    shown.stderr,
    /The plan's effect is not known: Nothing was held back .* regress to the mean on their own\n/,
  );
  assert.deepEqual(await files(), before);

  for (
    const [line, message] of [
      ["--as-of 2026-08-01", /knew no campaigns and keywords of US then/],
      ["--as-of 2027-01-01", /it has not come yet/],
      ["--as-of yesterday-ish", /--as-of/],
      ["--as-of 2026-09-01 --hold-back 25%", /Cannot use --hold-back with --as-of/],
      ["--as-of 2026-09-01 --out @/x.json", /Cannot use --out with --as-of/],
    ] as const
  ) {
    const refused = await tried(`${bids} ${line}`);
    assert.equal(refused.code, 2, line);
    assert.match(refused.stderr, message);
  }
});
