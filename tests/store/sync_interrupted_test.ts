import assert from "node:assert/strict";
import type { SyncProgress } from "../../src/store/sync/sync_options.ts";
import { ONE, syncTest } from "./sync_ground.ts";

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
  assert.equal(result.problems.length, 1, "one line for the login, not one for each profile");
  assert.match(result.problems[0]!.text, /^3 profiles \(12 reports\): .*expired/);
});

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
    assert.match(first.summary(), /; stopped\n\d reports? not finished: the next sync continues them$/);
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

syncTest(
  "takes up a report of yesterday, and asks again when the platform cannot deliver it any more",
  async ({ host, store }) => {
    host.states = ["PROCESSING"];
    const first = await store.sync(host.client(), {
      ...ONE,
      timeout: 60,
      start: "2026-09-01",
      end: "2026-09-10",
    });
    assert.deepEqual(first.outcomes.map(({ state }) => state), ["left"]);
    assert.match(first.summary(), /still PROCESSING after 1 minutes/);
    host.now += 24 * 3600_000;
    host.states = ["COMPLETED"];
    const second = await store.sync(host.client(), {
      ...ONE,
      timeout: 60,
      start: "2026-09-01",
      end: "2026-09-10",
    });
    assert.deepEqual(second.outcomes.map(({ state, resumed }) => [state, resumed]), [["left", true]]);
    host.now += 14 * 24 * 3600_000;
    assert((await store.sync(host.client(), { ...ONE, start: "2026-09-01", end: "2026-09-10" })).ok);
    assert.equal(host.reports.length, 2);
    assert.deepEqual((await store.requests()).map(({ state }) => state), ["stored", "dropped"]);
  },
);

for (const [hours, expected] of [[11, [true]], [13, [true, false]]] as const) {
  syncTest(
    `takes up a report of ${hours} hours ago, and asks again for what is older than 12`,
    async (ground) => {
      const { host, store } = ground;
      host.states = ["PROCESSING"];
      const days = { ...ONE, timeout: 60, start: "2026-09-01", end: "2026-09-10" };
      assert.equal((await store.sync(host.client(), days)).outcomes[0]!.state, "left");
      host.now += hours * 3600_000;
      host.reports[0]!.states = ["COMPLETED"];
      host.states = ["COMPLETED"];
      const { outcomes } = await store.sync(host.client(), days);
      assert.deepEqual(
        outcomes.map(({ state, resumed }) => [state, resumed]),
        expected.map((resumed) => ["stored", resumed]),
      );
      assert.equal(host.reports.length, expected.length);
    },
  );
}

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
    assert(results.every(({ ok }) => ok), results.map((result) => result.summary()).join("\n"));
    assert.equal(host.reports.length, 2);
    assert.deepEqual((await store.coverage()).map(({ days, rows }) => [days, rows]), [[60, 60]]);
  },
);
