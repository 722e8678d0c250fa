import assert from "node:assert/strict";
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
