import assert from "node:assert/strict";
import type { Emulator } from "../../src/emulator/mod.ts";
import { BadRequestError, ReportFailedError } from "../../src/errors.ts";
import { REPORT_PRESET_NAMES, REPORT_PRESETS } from "../../src/client/reports/requests/presets.ts";
import { reportTests } from "./report_ground.ts";

const reportTest = reportTests("JP");

function created(emulator: Emulator): number {
  return emulator.requests().filter(({ method, path, status }) =>
    method === "POST" && path.endsWith("/reporting/reports") && status === 200
  ).length;
}

reportTest("every preset is accepted and holds its columns", async ({ client }) => {
  for (const preset of REPORT_PRESET_NAMES) {
    const rows = await client.reports.run(preset, "2026-09-20", "2026-09-22");
    assert(rows.length > 0, preset);
    const columns = new Set(["date", ...REPORT_PRESETS[preset].columns]);
    assert.deepEqual(new Set(Object.keys(rows[0]!)), columns, preset);
    for (const [name, value] of Object.entries(rows[0]!)) {
      if (name.endsWith("Id")) assert.equal(typeof value, "string", `${preset} ${name}`);
    }
  }
});

reportTest("a long range holds each day once", async ({ client, emulator }) => {
  const rows = await client.reports.run("sp_campaigns", "2026-06-28", "2026-09-29");
  const days = [...new Set(rows.map(({ date }) => String(date)))].sort();
  assert.equal(days.length, 94);
  assert.equal(new Set(rows.map(({ date, campaignId }) => `${date} ${campaignId}`)).size, rows.length);
  assert.equal(created(emulator), 4);
});

reportTest(
  "a report that was accepted although the answer said 429 is not built twice",
  async ({ client, emulator }) => {
    emulator.setFaults([{
      match: { path: "/reporting/reports", method: "POST" },
      times: 1,
      effects: { acceptedBut429: true },
    }]);
    const rows = await client.reports.run("sp_campaigns", "2026-09-20", "2026-09-22");
    assert(rows.length > 0);
    assert.equal(client.profileId.length > 0 && created(emulator), 0, "the one report was answered with 429");
    assert.equal(emulator.requests().filter(({ status }) => status === 425).length, 1);
  },
);

reportTest("a report whose answer was lost is taken up", async ({ client, emulator }) => {
  emulator.setFaults([{
    match: { path: "/reporting/reports", method: "POST" },
    times: 1,
    effects: { drop: "after" },
  }]);
  assert((await client.reports.run("sp_campaigns", "2026-09-20", "2026-09-22")).length > 0);
  assert.equal(emulator.requests().filter(({ status }) => status === 425).length, 1);
});

reportTest("an address that expired is asked for again", async ({ client, emulator }) => {
  const id = await client.reports.create("sp_campaigns", "2026-09-20", "2026-09-22");
  const status = await client.reports.wait(id);
  emulator.advance(2 * 3600);
  assert((await client.reports.download(status)).length > 0);
});

for (const outcome of ["FAILED", "FAILURE", "CANCELLED"] as const) {
  reportTest(`a report that comes to ${outcome} is an error`, async ({ client, emulator }) => {
    emulator.setFaults([{ match: { method: "POST" }, effects: { reportOutcome: outcome } }]);
    await assert.rejects(
      client.reports.run("sp_campaigns", "2026-09-20", "2026-09-22"),
      (error: ReportFailedError) => {
        assert(error instanceof ReportFailedError);
        assert.equal(error.status, outcome);
        return true;
      },
    );
  });
}

for (const effects of [{ corruptGzip: true }, { truncate: 200 }]) {
  reportTest(`a file with ${Object.keys(effects)[0]} is an error`, async ({ client, emulator }) => {
    emulator.setFaults([{ match: { path: "/files/*" }, effects }]);
    const running = client.reports.run("sp_targeting", "2026-09-20", "2026-09-22");
    await assert.rejects(
      running,
      /its file is not whole: .* rows were read before|its file host does not respond/,
    );
  });
}

for (
  const quirks of [{ reportRows: "lines" }, { reportPacking: "none" }, {
    reportRows: "lines",
    reportPacking: "none",
  }] as const
) {
  reportTest(`files come as ${JSON.stringify(quirks)} too`, async ({ client }) => {
    assert((await client.reports.run("sp_campaigns", "2026-09-20", "2026-09-22")).length > 0);
  }, { quirks });
}

reportTest("the platform's own words reach the caller when it refuses", async ({ client }) => {
  await assert.rejects(
    client.reports.run("sb_campaigns", "2026-07-01", "2026-07-02", { check: false }),
    (error: Error) => {
      assert(error instanceof BadRequestError);
      assert.match(error.message, /must be equal to or after report type data retention start date/);
      return true;
    },
  );
  await assert.rejects(
    client.reports.run("sp_campaigns", "2026-09-20", "2026-09-22", { columns: ["nonsense"], check: false }),
    /configuration columns includes invalid values: \(nonsense\)\. Allowed values: \(/,
  );
});

reportTest("creation that is throttled is asked again", async ({ client }) => {
  const running = [1, 2, 3, 4].map((day) =>
    client.reports.run("sp_campaigns", `2026-09-2${day}`, `2026-09-2${day}`)
  );
  for (const rows of await Promise.all(running)) assert(rows.length > 0);
}, { quirks: { reportsPerMinute: 2 } });
