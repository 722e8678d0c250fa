import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { Emulator } from "../../src/emulator/mod.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { settingsOf } from "./support/emulated.ts";
import { runCli } from "./support/run_cli.ts";

const EXPORT = "v1-exports:CampaignExport";

async function world() {
  const emulator = await Emulator.start({ clock: { now: "2026-09-30T12:00:00Z", frozen: true } });
  const folder = await temporaryFolder();
  const env = { ...settingsOf(emulator, folder.path), XDG_STATE_HOME: folder.path };
  const now = () => emulator.clock.now();
  const sleep = (seconds: number) => Promise.resolve(emulator.advance(seconds));
  return {
    emulator,
    folder: folder.path,
    asked: () =>
      emulator.requests().filter(({ method, path }) => method === "POST" && path.endsWith("/export")).length,
    cli: (line: string | readonly string[], more: object = {}) => runCli(line, { env, now, sleep, ...more }),
    [Symbol.asyncDispose]: async () => {
      await emulator.stop();
      await folder[Symbol.asyncDispose]();
    },
  };
}

Deno.test("a job is run, listed, looked at and read again", async () => {
  await using at = await world();
  const run = await at.cli([
    "ops",
    "job",
    "run",
    EXPORT,
    "-m",
    "US",
    "--json",
    "--body",
    '{"stateFilter":["PAUSED"]}',
  ]);
  equal(run.code, 0, run.stderr);
  const rows = JSON.parse(run.stdout);
  ok(rows.length > 0 && rows.every(({ state }: { state: string }) => state === "PAUSED"));
  const list = JSON.parse((await at.cli("ops job list -m US --json")).stdout);
  const [{ job_id: id }] = list;
  deepEqual(
    list.map(({ operation, state, rows: count }: Record<string, unknown>) => [operation, state, count]),
    [
      [EXPORT, "read", rows.length],
    ],
  );
  const status = await at.cli(["ops", "job", "status", id, "-m", "US", "--json"]);
  equal(JSON.parse(status.stdout).phase, "done");
  ok(!status.stdout.includes("signature"));
  const out = `${at.folder}/rows.csv`;
  const download = await at.cli(["ops", "job", "download", id, "-m", "US", "--out", out]);
  match(download.stderr, new RegExp(`Wrote ${rows.length} rows`));
  match(await Deno.readTextFile(out), /campaignId/);
  match((await at.cli(["ops", "job", "wait", id, "-m", "US"])).stdout, / is COMPLETED\n$/);
  match(
    (await at.cli(["ops", "job", "cancel", id, "-m", "US"])).stderr,
    /Cannot cancel export .*the platform has no way/,
  );
  equal((await at.cli("ops job list -m CA --json")).stdout.trim(), "[]");
});

Deno.test("an interrupted job says how to go on, and the same command resumes it", async () => {
  await using at = await world();
  at.emulator.setQuirks({ reportSeconds: 3600 * 2 });
  let interrupt = () => {};
  let waits = 0;
  const first = await at.cli(["ops", "job", "run", EXPORT, "-m", "US"], {
    onInterrupt: (handler: () => void) => interrupt = handler,
    sleep: (seconds: number) => {
      at.emulator.advance(seconds);
      if (++waits === 3) interrupt();
      return new Promise((resume) => setTimeout(resume, 1));
    },
  });
  match(first.stderr, /The job is still being built. Wait for it later: adsctl ops job wait \S+ -m US/);
  const late = await at.cli(["ops", "job", "run", EXPORT, "-m", "US", "--timeout", "1"]);
  equal(late.code, 1);
  match(late.stderr, /was requested before\n[^]*it is still PROCESSING after 1 minutes/);
  at.emulator.advance(3600 * 2);
  const done = await at.cli(["ops", "job", "run", EXPORT, "-m", "US", "--json"]);
  equal(done.code, 0, done.stderr);
  ok(JSON.parse(done.stdout).length > 0);
  equal(at.asked(), 1);
});

Deno.test("a job that changes the account, or is not known, is refused before anything is sent", async () => {
  await using at = await world();
  const audience = await at.cli("ops job run rule-based-audiences:createQueryBasedAudience -m US");
  deepEqual([audience.code, at.emulator.requests().length], [2, 0]);
  match(
    audience.stderr,
    /it changes the account\. Plan it with adsctl plan call rule-based-audiences:createQuery/,
  );
  const unknown = await at.cli("ops job run posts:CreatePost -m US --yes");
  match(unknown.stderr, /Cannot run "posts:CreatePost" as a job: it is not described/);
  const asking = await at.cli("ops job run posts:CreatePost -m US --status posts:GetPost");
  match(asking.stderr, /--yes/);
  equal(
    at.emulator.requests().filter(({ method, path }) => method === "POST" && !path.includes("token")).length,
    0,
  );
});

Deno.test("files of a job go into a folder and replace none that are there", async () => {
  await using at = await world();
  const configuration = {
    brandGroupId: "1",
    metricsType: "MEDIA_ONLY",
    geoDimension: "COUNTRY",
    timeUnit: "DAILY",
  };
  const body = JSON.stringify({ startDate: "2026-09-01", endDate: "2026-09-07", configuration });
  const manager = "Platform-Advertising-API-Manager-Account=manager-1";
  const words = ["ops", "job", "run", "marketing-mix-modeling:createMmmReport", "-m", "US"];
  const run = [...words, "--header", manager, "--body", body, "--out", `${at.folder}/files/`];
  const first = await at.cli(run);
  equal(first.code, 0, first.stderr);
  const names = await Array.fromAsync(Deno.readDir(`${at.folder}/files`), ({ name }) => name);
  equal(names.length, 2);
  ok(names.every((name) => first.stderr.includes(name) && !name.endsWith(".tmp")));
  const path = `${at.folder}/files/${names[0]}`;
  await Deno.writeTextFile(path, "mine");
  const [{ job_id: id }] = JSON.parse((await at.cli("ops job list -m US --json")).stdout);
  const again = await at.cli(["ops", "job", "download", id, "-m", "US", "--out", `${at.folder}/files/`]);
  equal(again.code, 2);
  match(again.stderr, /Cannot write ".*files\/.*": the file already exists\. Choose another folder/);
  equal(await Deno.readTextFile(path), "mine");
});

Deno.test("a misspelt parameter of a job is refused before anything is sent", async () => {
  await using at = await world();
  const words = ["ops", "job", "run", "dsp-reports:createReportV3", "-m", "US", "--path", "acountId=1"];
  const refused = await at.cli([...words, "--query", "x=1"]);
  equal(refused.code, 2);
  match(
    refused.stderr,
    /has no path parameter "acountId": did you mean "accountId"\?; it has no query parameter "x": it takes none/,
  );
  equal(at.emulator.requests().filter(({ path }) => path.includes("report")).length, 0);
});
