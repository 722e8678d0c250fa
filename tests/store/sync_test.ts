import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigurationError, PartialFailureError } from "../../src/errors.ts";
import type { ReportRow } from "../../src/reports/report_row.ts";
import { SqliteDriver } from "../../src/store/sqlite/sqlite_driver.ts";
import type { SyncProgress } from "../../src/store/sync/sync_options.ts";
import { Warehouse } from "../../src/store/warehouse.ts";
import { type HostedReport, ReportHost } from "../support/report_host.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

interface Ground {
  readonly host: ReportHost;
  readonly store: Warehouse;
  readonly reopen: () => Promise<Warehouse>;
}

function syncTest(what: string, run: (ground: Ground) => Promise<void>): void {
  test(`sync() ${what}`, async () => {
    const folder = await temporaryFolder();
    const host = new ReportHost();
    host.rows = dailyRows;
    const open: Warehouse[] = [];
    const reopen = async (): Promise<Warehouse> => {
      const driver = await SqliteDriver.open(folder.file("ads.sqlite"));
      open.push(new Warehouse(driver, { now: () => host.now }));
      return open.at(-1)!;
    };
    try {
      await run({ host, store: await reopen(), reopen });
    } finally {
      for (const store of open) await store.close();
      await folder.remove();
    }
  });
}

/** A row a day; its cost tells when it was reported, so that a restatement shows. */
function dailyRows({ startDate, endDate, createdAt, profileId }: Omit<HostedReport, "file">): ReportRow[] {
  const rows: ReportRow[] = [];
  for (let time = Date.parse(startDate); time <= Date.parse(endDate); time += 86_400_000) {
    const date = new Date(time).toISOString().slice(0, 10);
    rows.push({
      date,
      campaignId: profileId,
      adGroupId: "1",
      keywordId: "1",
      searchTerm: "x",
      cost: Math.floor(createdAt / 86_400_000),
    });
  }
  return rows;
}

const ONE = { reports: ["sp_placement"] };

function ranges(host: ReportHost): string[] {
  return host.reports.map(({ startDate, endDate }) => `${startDate}..${endDate}`);
}

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
    assert.deepEqual(types, ["spCampaigns", "spTargeting", "spSearchTerm"]);
  },
);

syncTest("takes yesterday for the last day, by the clock of each profile", async ({ host, store }) => {
  host.now = Date.parse("2026-09-30T05:00:00Z");
  const japan = host.client({ profileId: "81", countryCode: "JP" });
  const us = host.client({ profileId: "1", countryCode: "US" });
  const named = Object.create(us, {
    profileId: { value: "2" },
    profile: { value: { ...us.profile, timezone: "Pacific/Kiritimati" } },
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

syncTest("stops at once for all when the login itself is refused", async ({ host, store }) => {
  host.intervene = ({ url }) =>
    url.hostname === "id.test"
      ? Response.json({ error: "invalid_grant", error_description: "expired" }, { status: 400 })
      : undefined;
  const result = await store.sync(["1", "2", "3"].map((profileId) => host.client({ profileId })), {
    ...ONE,
    concurrency: 1,
  });
  assert.equal(result.failures.length, result.outcomes.length);
  assert(result.outcomes.every(({ state }) => state === "left"));
  assert(host.seen.length <= 3, "no client asks for a token more than once");
});

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
    const client = host.client();
    const ads = ["1", "2", "3", "4", "5", "6"].map((profileId) =>
      Object.create(client, { profileId: { value: profileId } })
    );
    const result = await store.sync(ads, { ...ONE, start: "2026-08-01", end: "2026-09-29", concurrency: 3 });
    assert(result.ok);
    assert(most >= 3 && most <= 6, `${most} at a time: 3 requests and 3 downloads at most`);
  },
);

syncTest(
  "takes up the same reports after it was stopped, and asks for nothing twice",
  async ({ host, store, reopen }) => {
    const stop = new AbortController();
    host.states = ["PENDING", "PROCESSING", "PROCESSING", "PROCESSING", "COMPLETED"];
    let waits = 0;
    host.onWait = () => {
      if (++waits === 6) stop.abort(new Error("Ctrl-C"));
    };
    const told: SyncProgress[] = [];
    const first = await store.sync(host.client(), { ...ONE, signal: stop.signal });
    assert(first.stopped);
    assert.deepEqual(first.outcomes.map(({ state }) => state), Array(4).fill("left"));
    assert.match(first.summary(), /; stopped\n.*Ctrl-C \(the next sync takes it up\)/);
    const asked = host.reports.length;
    assert.equal(asked, 4);
    assert.deepEqual((await store.requests()).map(({ state }) => state), Array(4).fill("building"));

    host.onWait = () => {};
    const second = await (await reopen()).sync(host.client(), {
      ...ONE,
      onProgress: (progress) => told.push(progress),
    });
    assert(second.ok);
    assert(second.outcomes.every(({ resumed }) => resumed));
    assert.equal(host.reports.length, asked);
    assert.equal(told.filter(({ kind }) => kind === "resumed").length, 4);
    assert.equal((await store.coverage())[0]!.days, 94);
  },
);

syncTest("does not pull again what an interrupted sync had stored already", async ({ host, store }) => {
  const stop = new AbortController();
  host.states = ["COMPLETED"];
  const first = await store.sync(host.client(), {
    reports: ["sp_placement", "sp_targeting"],
    signal: stop.signal,
    concurrency: 1,
    onProgress: ({ kind, report }) => {
      if (kind === "stored" && report === "sp_placement") stop.abort(new Error("enough"));
    },
  });
  const stored = first.outcomes.filter(({ state }) => state === "stored").length;
  assert(stored >= 1 && stored < first.outcomes.length);
  host.now += 60_000;
  const second = await store.sync(host.client(), { reports: ["sp_placement", "sp_targeting"] });
  assert(second.ok);
  const questions = host.reports.map((one) => [one.configuration.reportTypeId, one.startDate].join());
  assert.equal(new Set(questions).size, questions.length);
  assert.equal(stored + second.outcomes.length, first.outcomes.length);
});

syncTest("asks again for reports that were left too long", async ({ host, store }) => {
  host.states = ["PROCESSING"];
  const first = await store.sync(host.client(), {
    ...ONE,
    timeout: 60,
    start: "2026-09-01",
    end: "2026-09-10",
  });
  assert.deepEqual(first.outcomes.map(({ state }) => state), ["left"]);
  assert.match(first.summary(), /still PROCESSING after 1 minutes/);
  host.now += 13 * 3600_000;
  host.states = ["COMPLETED"];
  for (const report of host.reports) report.states = ["COMPLETED"];
  assert((await store.sync(host.client(), { ...ONE, start: "2026-09-01", end: "2026-09-10" })).ok);
  assert.equal(host.reports.length, 2);
  assert.deepEqual((await store.requests()).map(({ state }) => state), ["stored", "dropped"]);
});

syncTest("asks anew when the platform has forgotten a report", async ({ host, store }) => {
  const stop = new AbortController();
  host.onWait = () => stop.abort(new Error("enough"));
  await store.sync(host.client(), { ...ONE, start: "2026-09-01", end: "2026-09-10", signal: stop.signal });
  host.onWait = () => {};
  host.reports.length = 0;
  assert((await store.sync(host.client(), { ...ONE, start: "2026-09-01", end: "2026-09-10" })).ok);
  assert.equal(host.reports.length, 1);
});

syncTest("adopts a report whose asking was never written down", async ({ host, store }) => {
  const id = await host.client().reports.create("sp_placement", "2026-09-01", "2026-09-10");
  const result = await store.sync(host.client(), { ...ONE, start: "2026-09-01", end: "2026-09-10" });
  assert(result.ok);
  assert.equal(result.outcomes[0]!.reportId, id);
  assert.equal(host.reports.length, 1);
});

syncTest("goes on asking while the platform throttles", async ({ host, store }) => {
  let refusals = 20;
  host.intervene = ({ method, url }) =>
    method === "POST" && url.hostname !== "id.test" && refusals-- > 0
      ? new Response("{}", { status: 429, headers: { "retry-after": "100" } })
      : undefined;
  const kinds: string[] = [];
  const result = await store.sync(host.client(), {
    ...ONE,
    start: "2026-09-01",
    end: "2026-09-10",
    onProgress: ({ kind }) => kinds.push(kind),
  });
  assert(result.ok);
  assert(kinds.includes("throttled"));
});

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
  assert.match(result.summary(), /dated "2026-08-31": it is not within 2026-09-01 to 2026-09-10/);
  assert.deepEqual(await store.coverage(), []);
});

syncTest(
  "brings two stores' worth of profiles into one file at the same time",
  async ({ host, store, reopen }) => {
    const other = await reopen();
    const options = { ...ONE, start: "2026-08-01", end: "2026-09-29" };
    const [a, b] = await Promise.all([
      store.sync(host.client({ profileId: "1" }), options),
      other.sync(host.client({ profileId: "2", countryCode: "CA" }), options),
    ]);
    assert(a.ok && b.ok);
    assert.deepEqual((await store.coverage()).map(({ profileId, days }) => [profileId, days]), [["2", 60], [
      "1",
      60,
    ]]);
  },
);

syncTest(
  "asks for nothing twice when two processes sync the same profile",
  async ({ host, store, reopen }) => {
    const other = await reopen();
    let begun = 0;
    let allBegun = (): void => {};
    const building = new Promise<void>((done) => allBegun = done);
    host.onWait = () => building; // a report takes longer to build than two processes take to begin
    const options = {
      ...ONE,
      start: "2026-08-01",
      end: "2026-09-29",
      onProgress: ({ kind }: SyncProgress) => {
        if ((kind === "asked" || kind === "resumed") && ++begun === 4) allBegun();
      },
    };
    const results = await Promise.all([store, other].map((one) => one.sync(host.client(), options)));
    assert(results.every(({ ok }) => ok));
    assert.equal(host.reports.length, 2);
    assert.deepEqual((await store.coverage()).map(({ days, rows }) => [days, rows]), [[60, 60]]);
  },
);

syncTest("warns of days past the retention", async ({ host, store }) => {
  const warnings: string[] = [];
  const clients = ["1", "2"].map((profileId) => host.client({ profileId }));
  const range = { start: "2026-06-01", end: "2026-06-02" };
  await store.sync(clients, { ...ONE, ...range, onWarning: (warning) => warnings.push(warning) });
  assert.equal(warnings.length, 1);
  assert.match(warnings[0]!, /days before 2026-06-27 may come back empty/);
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
