import assert from "node:assert/strict";
import { ConfigurationError, PartialFailureError } from "../../src/errors.ts";
import type { Warehouse } from "../../src/store/warehouse/warehouse.ts";
import { ONE, profileWith, ranges, syncTest } from "./sync_ground.ts";

syncTest("fetches what is kept at first, then restates what may have changed", async ({ host, store }) => {
  const first = await store.sync(host.client(), ONE);
  assert(first.ok);
  assert.equal(first.rows, 94);
  assert.deepEqual(ranges(host), [
    "2026-06-28..2026-07-28",
    "2026-07-29..2026-08-28",
    "2026-08-29..2026-09-28",
    "2026-09-29..2026-09-29",
  ]);
  const day = Math.floor(host.now / 86_400_000);
  host.reports.length = 0;
  host.now += 86_400_000;
  const second = await store.sync([host.client()], ONE);
  assert(second.ok);
  assert.deepEqual(ranges(host), ["2026-08-18..2026-09-17", "2026-09-18..2026-09-30"]);
  const { rows } = await store.query(
    "SELECT cost, count(*) AS n, min(date) AS first FROM sp_placement GROUP BY 1 ORDER BY 1",
  );
  assert.deepEqual(rows.map((row) => ({ ...row })), [
    { cost: day, n: 51, first: "2026-06-28" },
    { cost: day + 1, n: 44, first: "2026-08-18" },
  ]);
});

syncTest(
  "pulls placements, targeting and search terms when no reports are named",
  async ({ host, store }) => {
    await store.sync(host.client(), { start: "2026-09-01", end: "2026-09-02" });
    const types = host.reports.map(({ configuration }) => configuration.reportTypeId);
    assert.deepEqual(types.sort(), ["spCampaigns", "spSearchTerm", "spTargeting"]);
  },
);

syncTest("takes yesterday for the last day, by the clock of each profile", async ({ host, store }) => {
  host.now = Date.parse("2026-09-30T05:00:00Z");
  const japan = host.client({ profileId: "81", countryCode: "JP" });
  const us = host.client({ profileId: "1", countryCode: "US" });
  const named = profileWith(host.client({ profileId: "2", countryCode: "US" }), {
    profile: { ...us.profile, timezone: "Pacific/Kiritimati" },
  });
  await store.sync([japan, us, named], { ...ONE, start: "2026-09-20" });
  const ends = Object.fromEntries(
    (await store.coverage()).map(({ profileId, lastDay }) => [profileId, lastDay]),
  );
  assert.deepEqual(ends, { 81: "2026-09-29", 1: "2026-09-28", 2: "2026-09-29" });
});

syncTest("keeps one report's failure from the others, and tells it", async ({ host, store }) => {
  host.intervene = ({ method, body, headers }) => {
    if (method !== "POST" || body === undefined) return undefined;
    const { configuration } = body as { configuration: { reportTypeId: string } };
    const profile = headers.get("Platform-Advertising-API-Scope");
    if (profile === "1" && configuration.reportTypeId === "spTargeting") {
      return Response.json({ code: "400", detail: "columns includes invalid values: (x)" }, { status: 400 });
    }
    return profile === "3"
      ? Response.json({ code: "403", details: "Not authorized" }, { status: 403 })
      : undefined;
  };
  const clients = ["1", "2", "3"].map((profileId) => host.client({ profileId }));
  const options = { reports: ["sp_placement", "sp_targeting"], start: "2026-09-01", end: "2026-09-05" };
  const result = await store.sync(clients, options);
  assert.equal(result.ok, false);
  assert.deepEqual(result.failures.map(({ profileId, report, state }) => [profileId, report, state]), [
    ["1", "sp_targeting", "failed"],
    ["3", "sp_placement", "failed"],
    ["3", "sp_targeting", "failed"],
  ]);
  assert.match(
    result.summary(),
    /^3 of 6 reports of 3 profiles stored, 15 rows\nUS 1 sp_targeting 2026-09-01 to 2026-09-05: .*invalid values/,
  );
  assert.throws(() => result.raiseForErrors(), PartialFailureError);
  assert.equal((await store.coverage()).length, 3);
  const [failure] = (result.toData()["outcomes"] as { error: unknown }[]).filter(({ error }) =>
    error !== null
  );
  assert.deepEqual(Object.keys(failure!).sort(), [
    "country_code",
    "end",
    "error",
    "profile_id",
    "report",
    "report_id",
    "resumed",
    "rows",
    "start",
    "state",
  ]);

  host.intervene = () => undefined;
  host.now += 86_400_000;
  const next = await store.sync(clients.slice(0, 1), {
    reports: ["sp_targeting"],
    end: "2026-09-05",
    restateDays: 0,
  });
  assert(next.ok);
  assert(
    (await store.coverage()).some(({ profileId, report }) => profileId === "1" && report === "sp_targeting"),
  );
});

syncTest(
  "stops asking for a profile that the login has no access to, and says it in one line",
  async ({ host, store }) => {
    let refusals = 0;
    host.intervene = ({ headers }) => {
      if (headers.get("Platform-Advertising-API-Scope") !== "3") return undefined;
      refusals++;
      return Response.json({ code: "401", details: "Not authorized to access scope 3" }, { status: 401 });
    };
    const clients = ["1", "3"].map((profileId) => host.client({ profileId }));
    const days = { start: "2026-09-01", end: "2026-09-05" };
    const result = await store.sync(clients, { ...days, entities: true, concurrency: 1 });
    assert.equal(result.ok, false);
    // One for the request itself, and at most one more after a renewal of the token.
    assert(refusals <= 2, `${refusals} requests`);
    const lines = result.summary().split("\n").filter((line) => line.includes(" 3 "));
    assert.equal(lines.length, 1, result.summary());
    assert.match(lines[0]!, /^US 3 \(3 reports, \d\d kinds of entities\): .*Not authorized to access scope/);
    const refused = result.problems.filter(({ isRefused }) => isRefused);
    assert.deepEqual(refused.map(({ profileId }) => profileId), ["3"]);
  },
);

syncTest(
  "asks for everything before the first report is done, so many requests at a time",
  async ({ host, store }) => {
    let busy = 0;
    let most = 0;
    const answer = host.fetch.bind(host);
    host.fetch = async (input, init) => {
      most = Math.max(most, ++busy);
      await new Promise((done) => setTimeout(done, 1));
      try {
        return await answer(input, init);
      } finally {
        busy--;
      }
    };
    const ads = ["1", "2", "3", "4", "5", "6"].map((profileId) => host.client({ profileId }));
    const result = await store.sync(ads, { ...ONE, start: "2026-08-01", end: "2026-09-29", concurrency: 3 });
    assert(result.ok);
    assert(most >= 3 && most <= 6, `${most} at a time: 3 requests and 3 downloads at most`);
  },
);

syncTest(
  "downloads a damaged file once more, and stores nothing of one that stays damaged",
  async ({ host, store }) => {
    await store.sync(host.client(), { ...ONE, start: "2026-09-01", end: "2026-09-10" });
    const before = await store.coverage();
    const damage = { times: 1 };
    host.intervene = ({ url }) =>
      url.hostname === "files.test" && damage.times-- > 0
        ? new Response('[{"date":"2026-09-01","campaignId":1,"cost":-1},{"date":"2026-09-02"')
        : undefined;
    host.now += 86_400_000;
    assert((await store.sync(host.client(), { ...ONE, start: "2026-09-01", end: "2026-09-10" })).ok);
    damage.times = 2;
    host.now += 86_400_000;
    const result = await store.sync(host.client(), { ...ONE, start: "2026-09-01", end: "2026-09-10" });
    assert.deepEqual(result.outcomes.map(({ state }) => state), ["failed"]);
    assert.match(
      result.summary(),
      /its file is not whole: it ends in the middle of a row\. 1 rows were read before/,
    );
    const { rows } = await store.query("SELECT count(*) AS n, min(cost) AS low FROM sp_placement");
    assert.equal(rows[0]!["n"], 10);
    assert(Number(rows[0]!["low"]) > 0);
    assert.equal((await store.coverage())[0]!.rows, before[0]!.rows);
  },
);

syncTest("covers days of a report without rows", async ({ host, store }) => {
  host.rows = () => [];
  const result = await store.sync(host.client(), { ...ONE, start: "2026-09-01", end: "2026-09-10" });
  assert(result.ok);
  assert.deepEqual((await store.coverage()).map(({ days, rows }) => [days, rows]), [[10, 0]]);
});

syncTest("refuses a report with rows of other days", async ({ host, store }) => {
  host.rows = () => [{ date: "2026-08-31", campaignId: "1" }];
  const result = await store.sync(host.client(), { ...ONE, start: "2026-09-01", end: "2026-09-10" });
  assert.match(result.summary(), /dated "2026-08-31": it is not a day within 2026-09-01 to 2026-09-10/);
  assert.deepEqual(await store.coverage(), []);
});

syncTest("does not ask for days past the retention, and warns", async ({ host, store }) => {
  const warnings: string[] = [];
  const clients = ["1", "2"].map((profileId) => host.client({ profileId }));
  const onWarning = (warning: string) => void warnings.push(warning);
  const none = await store.sync(clients, { ...ONE, start: "2026-06-01", end: "2026-06-02", onWarning });
  assert.deepEqual(none.outcomes, []);
  assert.equal(warnings.length, 1);
  assert.match(warnings[0]!, /days before 2026-06-27 are not requested/);
  assert.deepEqual(host.asked("POST"), []);
  await store.sync(clients[0]!, { ...ONE, start: "2026-06-01", end: "2026-06-28", onWarning });
  assert.deepEqual(ranges(host), ["2026-06-27..2026-06-28"]);
});

syncTest("has nothing to do without profiles or days", async ({ host, store }) => {
  assert.equal((await store.sync([])).summary(), "Nothing to do");
  await store.sync(host.client(), { ...ONE, start: "2026-09-29" });
  assert.equal((await store.sync(host.client(), { ...ONE, start: "2026-09-29" })).outcomes.length, 1);
});

const bad: [string, Parameters<Warehouse["sync"]>[1], RegExp][] = [
  ["an unknown report", { reports: ["sp_plcement"] }, /Cannot find a report "sp_plcement"/],
  ["reversed days", { start: "2026-09-10", end: "2026-09-01" }, /the first day is after the last/],
  ["a day in the future", { end: "2026-10-05" }, /in the future/],
  ["a day that is none", { start: "2026-13-01" }, /"2026-13-01" as the first day/],
  ["a negative window", { restateDays: -1 }, /restate -1 days/],
  ["half a day", { restateDays: 1.5 }, /restate 1.5 days/],
  ["no requests at all", { concurrency: 0 }, /send 0 requests at a time/],
];
for (const [what, options, why] of bad) {
  syncTest(`refuses ${what} before anything is sent`, async ({ host, store }) => {
    await assert.rejects(store.sync(host.client(), options), (error: Error) => {
      assert(error instanceof RangeError || error instanceof ConfigurationError);
      assert.match(error.message, why);
      return true;
    });
    assert.deepEqual(host.seen, []);
    assert.deepEqual(await store.requests(), []);
  });
}
