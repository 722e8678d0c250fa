import assert from "node:assert/strict";
import { parquetReadObjects } from "hyparquet";
import { emulated } from "./support/emulated.ts";
import { type CliRun, runCli } from "./support/run_cli.ts";

const at = await emulated({ clock: { now: "2026-09-30T12:00:00Z", frozen: true } });
Deno.test.afterAll(async () => await at[Symbol.asyncDispose]());

function adsctl(...words: string[]): Promise<CliRun> {
  return runCli(words, {
    env: at.env,
    now: () => at.emulator.clock.now(),
    sleep: (seconds) => Promise.resolve(at.emulator.advance(seconds)),
  });
}

Deno.test("reports with APIs of their own are run by name, printed and written", async () => {
  const days = ["-m", "US", "--start", "2026-09-14", "--end", "2026-09-20"];
  const printed = await adsctl("report", "attribution-campaigns", ...days, "--format", "csv");
  assert.equal(printed.code, 0, printed.stderr);
  const [head, first, ...rest] = printed.stdout.trimEnd().split("\r\n");
  assert.match(head ?? "", /^date,advertiserName,campaignId,publisher,clickThroughs,/);
  assert.match(first ?? "", /^2026-09-14,Fernpfad,90000000001,Search engine,\d+,/);
  assert.equal(rest.length, 13);
  const brands = await adsctl("report", "run", "brand_metrics", ...days, "--json");
  assert.equal(brands.code, 0, brands.stderr);
  const rows = JSON.parse(brands.stdout) as Record<string, unknown>[];
  assert.deepEqual([rows.length, rows[0]?.["metricsComputationDate"]], [6, "2026-09-19"]);
  assert.equal(typeof rows[0]?.["awarenessIndex"], "number");
  const out = `${at.folder}/dsp.csv`;
  const dsp = await adsctl("report", "dsp-campaigns", ...days, "--advertiser", "590001", "--out", out);
  assert.equal(dsp.code, 0, dsp.stderr);
  assert.match(dsp.stderr, /Wrote 42 rows to .*dsp\.csv/);
  const file = `${at.folder}/brands.parquet`;
  assert.equal((await adsctl("report", "brand-metrics", ...days, "--out", file)).code, 0);
  const [brand] = await parquetReadObjects({ file: (await Deno.readFile(file)).buffer });
  assert.equal(typeof JSON.parse(String(brand?.["extra"]))["awarenessIndex"], "number");
  assert.deepEqual(brand?.["metricsComputationDate"], new Date("2026-09-19T00:00:00Z"));
  const old = await adsctl(
    "report",
    "dsp-campaigns-v2",
    ...days,
    "--advertiser",
    "590001",
    "--format",
    "csv",
  );
  assert.equal(old.stdout.trimEnd().split("\r\n").length, 43, old.stderr);
});

Deno.test("an interrupted report says the whole command that takes it up again", async () => {
  let interrupt = (): void => {};
  let waits = 0;
  at.emulator.setQuirks({ reportSeconds: 7200 });
  const words = ["dsp-campaigns-v2", "-m", "US", "--advertiser", "590001"];
  const { stderr } = await runCli(["report", ...words, "--start", "2026-09-14", "--end", "2026-09-20"], {
    env: at.env,
    now: () => at.emulator.clock.now(),
    onInterrupt: (handler) => void (interrupt = handler),
    sleep: (seconds) => {
      at.emulator.advance(seconds);
      if (++waits === 2) interrupt();
      return new Promise((done) => setTimeout(done, 1));
    },
  });
  at.emulator.setQuirks({ reportSeconds: 0 });
  assert.match(
    stderr,
    /Get it later: adsctl report dsp-campaigns-v2 -m US --start 2026-09-14 --end 2026-09-20 --advertiser 590001/,
  );
});

Deno.test("wrong names, options and days of such a report are named before anything is sent", async () => {
  const before = at.emulator.requests().length;
  for (
    const [words, reason] of [
      [
        ["atribution-campaign"],
        /Cannot find a report "atribution-campaign"\. Did you mean "attribution-campaigns"\?/,
      ],
      [["campaign"], /Did you mean "campaigns"\?/],
      [
        ["brand-metrics", "--summary", "--filter", "a=b"],
        /Cannot use --summary and --filter with "brand-metrics"/,
      ],
      [["brand-metrics", "--chart", "awarenessIndex"], /Cannot use --chart with "brand-metrics"/],
      [["campaigns", "--advertiser", "1"], /Cannot use --advertiser with "campaigns": it is for DSP reports/],
    ] as const
  ) {
    const { code, stderr } = await adsctl("report", ...words, "-m", "US");
    assert.match(stderr, reason);
    assert.notEqual(code, 0);
  }
  assert.equal(
    at.emulator.requests().slice(before).filter(({ operation }) => operation?.includes("Report")).length,
    0,
  );
  const { code, stderr } = await adsctl("report", "dsp-campaigns", "-m", "US", "--start", "-200");
  assert.equal(code, 2);
  assert.match(
    stderr,
    /keeps 90 days; start on 2026-07-02 or later.*; the id of the DSP advertiser is missing/,
  );
});

Deno.test("sync --jobs stores reports by week, which adsctl query reads, and requests no week twice", async () => {
  const store = ["--store", `${at.folder}/jobs.sqlite`];
  const sync = [
    "sync",
    "--jobs",
    "attribution-campaigns,brand-metrics",
    "-m",
    "US",
    "--start",
    "2026-09-14",
    ...store,
  ];
  const stored = await adsctl(...sync, "--json");
  assert.equal(stored.code, 0, stored.stderr);
  assert.deepEqual(
    JSON.parse(stored.stdout).map((
      { report, start, state }: Record<string, string>,
    ) => [report, start, state]),
    ["attribution_campaigns", "brand_metrics"].flatMap((report) => [
      [report, "2026-09-14", "stored"],
      [report, "2026-09-21", "stored"],
    ]),
  );
  assert.match(
    stored.stderr,
    /4 of 4 weeks requested and 40 rows stored \(0 weeks were already stored\) in .*jobs\.sqlite/,
  );
  const again = await adsctl(...sync);
  assert.match(again.stderr, /0 of 4 weeks requested and 0 rows stored \(4 weeks were already stored\)/);
  const queued = await adsctl(...sync, "--enqueue");
  assert.deepEqual([queued.code, /Cannot use --enqueue with reports of --jobs: /.test(queued.stderr)], [
    2,
    true,
  ]);
  const sql = "SELECT window_start, count(*) AS rows FROM brand_metrics GROUP BY 1 ORDER BY 1";
  const { stdout } = await adsctl("query", sql, "--format", "csv", ...store);
  assert.equal(stdout, "window_start,rows\r\n2026-09-14,6\r\n2026-09-21,6\r\n");
});

Deno.test("sync --jobs names profiles without a report, and stores the others", async () => {
  const store = ["--store", `${at.folder}/refused.sqlite`, "--start", "2026-09-21"];
  at.emulator.setFaults([{
    match: { operation: "brand-metrics:generateBrandMetricsReport" },
    effects: { response: { status: 403, body: { code: "403", details: "Profile is not eligible" } } },
  }]);
  try {
    const some = await adsctl(
      "sync",
      "--jobs",
      "attribution-products,brand-metrics",
      "-m",
      "US,CA",
      ...store,
    );
    assert.equal(some.code, 0, some.stderr);
    assert.match(some.stderr, /2 of 2 weeks requested and 56 rows stored/);
    assert.equal(
      some.stderr.match(/warning: (?:US|CA) \d+ brand-metrics is not available: .*not eligible/g)?.length,
      2,
    );
    const none = await adsctl("sync", "--jobs", "brand-metrics", "-m", "US", ...store);
    assert.equal(none.code, 3, none.stderr);
  } finally {
    at.emulator.setFaults([]);
  }
});

Deno.test("options that do not go with sync --jobs are refused before anything is sent", async () => {
  const before = at.emulator.requests().length;
  for (
    const [words, reason] of [
      [["--jobs", "atribution", "-m", "US"], /no report "atribution", did you mean "attribution"\?/],
      [["--jobs", "brand-metrics"], /Cannot choose profiles: add -m/],
      [["--jobs", "brand-metrics", "-m", "US", "--hours"], /reports and reports of --jobs together/],
      [["--jobs", "brand-metrics", "--workflows", "queries"], /Cannot use --workflows together with --jobs/],
      [["--advertiser", "1", "-m", "US"], /Cannot use --advertiser without --jobs/],
    ] as const
  ) {
    const { code, stderr } = await adsctl("sync", ...words, "--store", `${at.folder}/none.sqlite`);
    assert.match(stderr, reason);
    assert.notEqual(code, 0);
  }
  assert.equal(at.emulator.requests().length, before);
  const { code, stderr } = await adsctl(
    "sync",
    "--jobs",
    "dsp",
    "-m",
    "US",
    "--store",
    `${at.folder}/none.sqlite`,
  );
  assert.deepEqual([code, /ids of DSP advertisers are missing/.test(stderr)], [2, true]);
});
