import assert from "node:assert/strict";
import { parquetReadObjects } from "hyparquet";
import { PlatformAds } from "../../mod.ts";
import { type Emulated, emulated } from "./support/emulated.ts";
import { type CliRun, type CliWorld, runCli } from "./support/run_cli.ts";
import { long } from "../support/long.ts";

type Row = Record<string, unknown>;

const NOON = "2026-09-30T19:00:00Z";

/** An emulator whose clock moves on with every wait of the command. */
async function reportWorld(): Promise<
  Emulated & { run: (line: string | readonly string[], more?: CliWorld) => Promise<CliRun> }
> {
  const world = await emulated({ clock: { now: NOON, frozen: true }, quirks: { reportSeconds: 0 } });
  const run = (line: string | readonly string[], more: CliWorld = {}): Promise<CliRun> =>
    runCli(line, { env: world.env, now: () => world.emulator.clock.now(), ...more });
  return Object.assign(world, { run });
}

Deno.test("report prints the rows of the last seven days", async () => {
  await using world = await reportWorld();
  const { code, stdout, stderr } = await world.run("report sp_campaigns -m US --json");
  assert.equal(code, 0, stderr);
  const rows = JSON.parse(stdout) as Row[];
  const days = [...new Set(rows.map(({ date }) => String(date)))].sort();
  assert.deepEqual([days[0], days.at(-1), days.length], ["2026-09-23", "2026-09-29", 7]);
  assert.ok(rows.every(({ campaignId }) => typeof campaignId === "string"));
  const tabs = await world.run("report sp-campaigns -m US --start -1 --columns campaignName,clicks");
  assert.equal(tabs.stdout.split("\n")[0], "date\tcampaignName\tclicks");
});

Deno.test("in a pipe a report that takes long is reported about once a minute, and --quiet says nothing", async () => {
  for (const [quiet, expected] of [["", 9], [" -q", 0]] as const) {
    await using world = await emulated({
      clock: { now: NOON, frozen: true },
      quirks: { reportSeconds: 600 },
    });
    const sleep = (seconds: number): Promise<void> => Promise.resolve(world.emulator.advance(seconds));
    const options = { env: world.env, now: () => world.emulator.clock.now(), sleep };
    const lines = async (line: string): Promise<string[]> => {
      const { code, stdout, stderr } = await runCli(line, options);
      assert.equal(code, 0, stderr);
      assert.match(stdout, /^date\t/);
      return stderr.split("\n").filter((one) =>
        / under way, .*(?:pending|processing), [\d min]+ s$/.test(one)
      );
    };
    const run = await lines(`report sp_campaigns -m US --start -2${quiet}`);
    assert.ok(quiet === "" ? run.length >= expected && run.length <= 13 : run.length === 0, run.join("\n"));
    const made = await runCli("report create sp_campaigns -m US --start -3 --json", options);
    const id = JSON.parse(made.stdout)[0].reportId;
    const waited = await lines(`report download ${id} -m US --wait${quiet}`);
    assert.ok(quiet === "" ? waited.length >= expected : waited.length === 0, waited.join("\n"));
  }
});

long();
Deno.test("a report that takes longer than three hours is taken up by the next run and the next sync, and made once", async () => {
  await using world = await emulated({
    clock: { now: NOON, frozen: true },
    quirks: { reportSeconds: 4 * 3600 },
  });
  const sleep = (seconds: number): Promise<void> => Promise.resolve(world.emulator.advance(seconds));
  const options = { env: world.env, now: () => world.emulator.clock.now(), sleep };
  const created = (): number =>
    world.emulator.requests().filter(({ method, path, status }) =>
      method === "POST" && path.endsWith("/reporting/reports") && status === 200
    ).length;
  const wait = "report sp_campaigns -m US --start -2";
  const first = await runCli(wait, options);
  assert.equal(first.code, 1);
  assert.match(
    first.stderr,
    /still PROCESSING after 180 minutes.*"adsctl report download [-0-9a-f]{36} --wait" takes it up/,
  );
  const second = await runCli(wait, options);
  assert.equal(second.code, 0, second.stderr);
  assert.match(second.stdout, /^date\t/);
  assert.equal(created(), 1);

  const ads = new PlatformAds(world.emulator.credentials, {
    ...{ platform: world.emulator.platform, now: options.now, sleep },
  });
  const { reports } = await ads.profile("US");
  const days = ["2026-09-28", "2026-09-28"] as const;
  await assert.rejects(reports.run("sp_campaigns", ...days), /still PROCESSING after 180 minutes/);
  assert.ok((await reports.run("sp_campaigns", ...days)).length > 0);
  assert.equal(created(), 2);

  const sync = `sync -m US --report sp_placement --start -3 --store ${world.folder}/ads.sqlite`;
  const left = await runCli(sync, options);
  assert.equal(left.code, 3);
  assert.match(left.stdout + left.stderr, /still PROCESSING after 180 minutes.*the next sync continues it/);
  const stored = await runCli(sync, options);
  assert.equal(stored.code, 0, stored.stderr);
  assert.equal(created(), 3);
});

Deno.test("report takes totals, filters and a configuration from a file", async () => {
  await using world = await reportWorld();
  const path = await world.write(
    "report.json",
    JSON.stringify({
      configuration: {
        adProduct: "SPONSORED_PRODUCTS",
        reportTypeId: "spCampaigns",
        groupBy: ["campaign"],
        columns: ["campaignId", "clicks"],
        timeUnit: "SUMMARY",
      },
    }),
  );
  const summary = await world.run(`report @${path} -m US --start 2026-09-01 --end 2026-09-10 --json`);
  const [first] = JSON.parse(summary.stdout) as Row[];
  assert.deepEqual(Object.keys(first!).sort(), ["campaignId", "clicks", "endDate", "startDate"]);
  const filtered = await world.run(
    "report sp_targeting -m US --start -2 --filter keywordType=BROAD,EXACT --json",
  );
  assert.equal(filtered.code, 0, filtered.stderr);
  const rows = JSON.parse(filtered.stdout) as Row[];
  assert.ok(
    rows.length > 0 && rows.every(({ keywordType }) => /^(?:BROAD|EXACT)$/.test(String(keywordType))),
  );
  const totals = await world.run("report sp_campaigns -m US --start -40 --summary --json");
  assert.equal(new Set((JSON.parse(totals.stdout) as Row[]).map(({ startDate }) => startDate)).size, 2);
});

Deno.test("report --out writes every form, and no file when it fails", async () => {
  await using world = await reportWorld();
  const counts: number[] = [];
  for (const ending of ["csv", "json", "jsonl", "parquet"]) {
    const path = `${world.folder}/rows.${ending}`;
    const { code, stdout, stderr } = await world.run([
      "report",
      "sp_placement",
      "-m",
      "US",
      "--start",
      "-2",
      "--out",
      path,
    ]);
    assert.equal(code, 0, stderr);
    assert.equal(stdout, "");
    counts.push(Number(/Wrote (\d+) rows/.exec(stderr)![1]));
    assert.ok((await Deno.stat(path)).size > 100);
  }
  assert.equal(new Set(counts).size, 1);
  assert.equal((await Deno.readTextFile(`${world.folder}/rows.jsonl`)).trim().split("\n").length, counts[0]);
  world.emulator.setFaults([{ match: { path: "/files/*" }, effects: { corruptGzip: true } }]);
  const { code } = await world.run(`report sp_placement -m US --start -3 --out ${world.folder}/broken.csv`);
  assert.equal(code, 1, "a damaged file is no success");
  const left = [...Deno.readDirSync(world.folder)].map(({ name }) => name).filter((name) =>
    name.includes("broken")
  );
  assert.deepEqual(left, []);
});

Deno.test("a file of fields is written with their types, and when interrupted advises no download that fails", async () => {
  await using world = await reportWorld();
  const [fields, out] = [`${world.folder}/fields.json`, `${world.folder}/fields.parquet`];
  await Deno.writeTextFile(
    fields,
    '{"fields":["date.value","campaign.id","metric.clicks","metric.totalCost"]}',
  );
  const line = `report @${fields} -m US --start -2`;
  const { code, stderr } = await world.run(`${line} --out ${out}`);
  assert.equal(code, 0, stderr);
  const [row] = await parquetReadObjects({ file: (await Deno.readFile(out)).buffer });
  assert.deepEqual(
    ["metric.clicks", "metric.totalCost"].map((name) => typeof row?.[name]),
    ["bigint", "number"],
  );
  assert.ok(row?.["date.value"] instanceof Date);
  world.emulator.setQuirks({ reportSeconds: 7200 });
  for (const [word, hint] of [[`@${fields}`, false], ["campaigns", true]] as const) {
    let interrupt = (): void => {};
    let waits = 0;
    const stopped = await world.run(`report ${word} -m US --start -2`, {
      onInterrupt: (handler) => void (interrupt = handler),
      sleep: (seconds) => {
        world.emulator.advance(seconds);
        if (++waits === 2) interrupt();
        return new Promise((done) => setTimeout(done, 1));
      },
    });
    assert.equal(/Get it later: adsctl report download /.test(stopped.stderr), hint, stopped.stderr);
    assert.notEqual(stopped.code, 0);
  }
});

Deno.test("report --chart draws a metric by day", async () => {
  await using world = await reportWorld();
  const { code, stdout, stderr } = await world.run("report sp_campaigns -m US --start -10 --chart clicks");
  assert.equal(code, 0, stderr);
  const lines = stdout.trimEnd().split("\n");
  assert.equal(lines.length, 11);
  assert.match(stdout, /█/);
  assert.match(lines.at(-2)!, /2026-09-20 .*2026-09-29/);
  assert.match(lines.at(-1)!, /^clicks: [\d,]+ in 10 days, [\d,.]+ a day$/);
});

Deno.test("report warns of days past the retention on stderr", async () => {
  await using world = await reportWorld();
  const { code, stderr } = await world.run(
    "report sb_campaigns -m US --start 2026-07-01 --end 2026-07-02 --send-anyway",
  );
  assert.equal(code, 1);
  assert.match(stderr, /^warning: The platform keeps "sb_campaigns" for 60 days/);
  assert.match(stderr, /must be equal to or after report type data retention start date/);
});

Deno.test("report create, status, download and delete work on one report", async () => {
  await using world = await reportWorld();
  const created = await world.run("report create sp_campaigns -m US --start -5 --json");
  const [{ reportId }] = JSON.parse(created.stdout);
  const status = await world.run(`report status ${reportId} -m US --json`);
  assert.equal(JSON.parse(status.stdout)[0].status, "COMPLETED");
  const rows = await world.run(`report download ${reportId} -m US --wait --json`);
  assert.ok(JSON.parse(rows.stdout).length > 0, rows.stderr);
  const deleted = await world.run(`report delete ${reportId} -m US`);
  assert.equal(deleted.code, 1);
  assert.match(deleted.stderr, /cannot be cancelled: its status is COMPLETED/);
});

const wrong: [line: string, code: number, message: RegExp][] = [
  ["report sp_plcement -m US", 2, /Cannot find a report "sp_plcement"\. Did you mean "placement"\?/],
  ["report sp_placement", 2, /add -m/],
  ["report sp_placement -m US --start 2026-02-30", 2, /"2026-02-30" as --start/],
  ["report sp_placement -m US --start -1 --end -5", 2, /first day is after the last/],
  ["report sp_placement -m US --end 2026-12-24", 2, /in the future/],
  ["report sp_placement -m US --start 1999-01-01", 2, /more than 5 years ago/],
  ["report sp_placement -m US --filter clicks", 2, /--filter.*Write FIELD=VALUE/i],
  ["report sp_placement -m US --out rows.txt", 2, /must end in \.csv/],
  ["report sp_placement -m US --out rows.csv --chart clicks", 2, /--out together with --chart/],
  ["report sp_placement -m US --chart nonsense", 2, /no such column/],
  ["report sp_placement -m US --chart campaignName", 2, /is not a number/],
  ["report sp_placement -m US --summary --chart clicks", 2, /leave out --summary/],
  ["report sp_placement -m US --columns nonsense", 2, /it has no column "nonsense"/],
  ["report create sp_placement -m US --start -60", 2, /it takes 31 days/],
  ["report status ../../x -m US", 2, /contains a slash/],
  ["report status 00000000-0000-4000-8000-000000000000 -m US", 1, /was not found/],
  ["report @nowhere.json -m US", 2, /nowhere\.json/],
];
for (const [line, expected, message] of wrong) {
  Deno.test(`adsctl ${line}: refused with exit code ${expected}`, async () => {
    await using world = await reportWorld();
    const { code, stdout, stderr } = await world.run(line);
    assert.match(stderr, message);
    assert.equal(code, expected);
    assert.equal(stdout, "");
  });
}

Deno.test("report types and report columns list what the platform publishes, without an account", async () => {
  const types = JSON.parse((await runCli("report types --json")).stdout) as {
    type: string;
    group_by: string[];
  }[];
  assert.equal(types.length, 34);
  assert.deepEqual(types.find(({ type }) => type === "sdCampaigns")?.group_by, ["campaign", "matchedTarget"]);
  const columns = JSON.parse((await runCli("report columns sdCampaigns --json")).stdout) as {
    column: string;
    type: string;
  }[];
  assert.equal(columns.find(({ column }) => column === "cost")?.type, "real");
  assert.equal((await runCli("report columns sp_placement")).code, 0);
  const unknown = await runCli("report columns sdCampaign");
  assert.deepEqual([unknown.code, /did you mean sdCampaigns/.test(unknown.stderr)], [2, true]);
});

Deno.test("report fields finds fields of the new reports by words, and says when there are none", async () => {
  const found = await runCli("report fields cost per click --json");
  assert.equal(found.code, 0, found.stderr);
  const [first] = JSON.parse(found.stdout) as Row[];
  assert.deepEqual(first, {
    field: "metric.cpc",
    kind: "metric",
    type: "DECIMAL",
    columns: ["costPerClick"],
    requires: ["budgetCurrency.value"],
    dsp_columns: ["eCPC"],
    converted: "metric.cpcConverted",
    excludes: first?.["excludes"],
  });
  assert.match(
    (await runCli("report fields CPC")).stdout,
    /^field\tkind\ttype\tcolumns\trequires\nmetric\.cpc\t/,
  );
  const none = await runCli("report fields clikcs");
  assert.equal(none.code, 2);
  assert.match(none.stderr, /Cannot find a field with "clikcs"\. Did you mean metric\.clicks\?/);
});

Deno.test("report check names what is translated, added and wrong, and needs no account", async () => {
  const world = { now: () => Date.parse(NOON) };
  const good = await runCli(
    "report check --fields date,campaign.name,costPerClick --start 2026-06-01 --end 2026-09-29",
    world,
  );
  assert.equal(good.code, 0, good.stderr);
  assert.equal(
    good.stdout,
    "field\tgiven\tnote\n" +
      "date.value\tdate\tdate is date.value here\n" +
      "campaign.name\tcampaign.name\t\n" +
      "metric.cpc\tcostPerClick\tcostPerClick is metric.cpc here\n" +
      "campaign.id\t\tadded: campaign.name requires it\n" +
      "budgetCurrency.value\t\tadded: metric.cpc requires it\n",
  );
  assert.match(
    good.stderr,
    /date\.value: 15 months are kept, since 2025-06-30; one report gives 120 days\n2 reports: /,
  );
  const bad = await runCli("report check --fields metric.clikcs,hour.value --start -20 --json", world);
  assert.equal(bad.code, 2);
  assert.deepEqual((JSON.parse(bad.stdout) as Row[]).map(({ field, note }) => [field, note]), [
    ["hour.value", "range"],
    ["metric.clikcs", "unknown"],
  ]);
  assert.match(bad.stderr, /There is no field "metric\.clikcs", did you mean metric\.clicks\?/);
  assert.match(bad.stderr, /is before what the platform keeps by hour\.value: 14 days/);
  const none = await runCli("report check", world);
  assert.equal(none.code, 2);
  assert.match(none.stderr, /Add them.*--fields/);
});

Deno.test("report run prints the rows of a report of fields, companions included", async () => {
  await using world = await reportWorld();
  const line =
    "report run --fields date,campaignId,costPerClick -m US --start -3 --filter adProduct.value=SPONSORED_PRODUCTS";
  const { code, stdout, stderr } = await world.run(line);
  assert.equal(code, 0, stderr);
  const [head, ...rows] = stdout.trimEnd().split("\n");
  assert.equal(head, "date.value\tcampaign.id\tmetric.cpc\tbudgetCurrency.value");
  assert.equal(new Set(rows.map((row) => row.split("\t")[0])).size, 3);
  assert.match(
    stderr,
    /costPerClick .*metric\.cpc.*\nbudgetCurrency\.value .*metric\.cpc/,
  );
  const old = await world.run("report sp_campaigns -m US --start -3 --json");
  assert.equal(rows.length, (JSON.parse(old.stdout) as Row[]).length);
  const others = await world.run(
    "report run --fields adProduct.value,metric.clicks -m US --filter adProduct.value!=SPONSORED_PRODUCTS --json -q",
  );
  assert.deepEqual((JSON.parse(others.stdout) as Row[]).map((row) => row["adProduct.value"]), [
    "SPONSORED_BRANDS",
    "SPONSORED_DISPLAY",
  ]);
  assert.equal(others.stderr, "");
});

Deno.test("report run writes a file whose numbers are numbers, and refuses what does not fit", async () => {
  await using world = await reportWorld();
  const out = await world.write("hours.csv", "");
  await Deno.remove(out);
  const written = await world.run([
    "report",
    "run",
    ...[
      "--fields",
      "hour.value,metric.sales",
      "-m",
      "US",
      "--start",
      "-2",
      "--currency",
      "EUR",
      "--out",
      out,
    ],
  ]);
  assert.equal(written.code, 0, written.stderr);
  const lines = (await Deno.readTextFile(out)).trimEnd().split(/\r?\n/);
  assert.equal(
    lines[0],
    "hour.value,metric.sales,budgetCurrency.value,metric.salesConverted,convertedCurrency.value",
  );
  assert.match(lines[1]!, /^\d+,[\d.]+,USD,[\d.]+,EUR$/);
  const bad = async (line: string, error: RegExp): Promise<void> => {
    const { code, stderr } = await world.run(`report run -m US ${line}`);
    assert.equal(code, 2, stderr);
    assert.match(stderr, error);
  };
  await bad("", /Add them.*--fields/);
  await bad("--fields metric.clikcs", /did you mean metric\.clicks\?/);
  await bad("--fields hour.value --start -20", /14 days\. Begin on 2026-09-16 or later/);
  await bad("--fields metric.clicks --filter campain.id=1", /did you mean campaign\.id\?/);
  await bad("--fields metric.clicks --filter campaign.id=1 --filter campaign.id!=2", /take one of them/);
});
