import assert from "node:assert/strict";
import { test } from "node:test";
import { reportFingerprint } from "../../../src/client/reports/requests/report_configuration.ts";
import type { LedgerEntry } from "../../../src/store/model/ledger_entry.ts";
import { Limiter } from "../../../src/store/sync/limiter.ts";
import { pullReport } from "../../../src/store/sync/pull_report.ts";
import type { SyncOptions, SyncProgress } from "../../../src/store/sync/sync_options.ts";
import type { SyncOutcome } from "../../../src/store/sync/sync_result.ts";
import { openFiles } from "../../support/open_files.ts";
import { ReportHost } from "../../support/report_host.ts";
import { entry } from "../contract/ground.ts";
import { MemoryDriver } from "./memory_driver.ts";

const RANGE = { start: "2026-09-01", end: "2026-09-02" };
const T0 = Date.parse("2026-09-30T12:00:00Z");

/** One report of one host, stored in memory. */
class World {
  readonly host = new ReportHost();
  readonly memory = new MemoryDriver();
  readonly told: SyncProgress[] = [];
  entry: LedgerEntry = entry({ ...RANGE, askedAt: new Date(T0).toISOString() });

  constructor() {
    this.host.rows = ({ startDate }) => [{ date: startDate, campaignId: "1" }];
  }

  async pull(options: SyncOptions = {}): Promise<Omit<SyncOutcome, "resumed">> {
    return await pullReport(this.entry, {
      driver: this.memory.driver,
      now: () => this.host.now,
      timeZone: "UTC",
      scope: this.host.client(),
      accountType: "seller",
      today: "2026-09-30",
      targets: () => Promise.resolve(new Map()),
      downloads: new Limiter(1),
      options: { ...options, onProgress: (progress) => this.told.push(progress) },
    });
  }

  /** A report that another sync asked for is resumed. */
  async resume(): Promise<void> {
    const { configuration } = this.entry;
    const reportId = await this.host.client().reports.create({ ...configuration }, RANGE.start, RANGE.end);
    this.entry = { ...this.entry, state: "building", reportId };
  }
}

function worldTest(what: string, run: (world: World) => Promise<void>): void {
  test(`a report of a sync ${what}`, () => run(new World()));
}

worldTest(
  "is asked for, waited for, stored, and tells each step with its seconds and rows",
  async (world) => {
    const { host, memory, told } = world;
    const { reportId, ...outcome } = await world.pull();
    assert.deepEqual(outcome, {
      profileId: "1001",
      countryCode: "US",
      report: "sp_placement",
      ...RANGE,
      state: "stored",
      rows: 1,
    });
    assert.equal(reportId, host.reports[0]!.reportId);
    assert.equal(host.reports[0]!.name, "sp_placement 2026-09-01..2026-09-02");
    assert.deepEqual(
      told.map(({ kind, status, seconds, rows }) => [kind, status, seconds, rows]),
      [
        ["asked", "building", 0, 0],
        ["waiting", "PENDING", 0, 0],
        ["waiting", "PROCESSING", 5, 0],
        ["waiting", "COMPLETED", 12.5, 0],
        ["storing", "COMPLETED", 12.5, 1],
        ["stored", "stored", 12.5, 1],
      ],
    );
    assert(
      told.every((one) => one.profileId === "1001" && one.start === RANGE.start && one.reportId === reportId),
    );
    const [kept] = memory.entries;
    assert.deepEqual([kept?.state, kept?.reportId, kept?.rows, kept?.problem, kept?.changedAt], [
      "stored",
      reportId,
      1,
      null,
      new Date(T0 + 12_500).toISOString(),
    ]);
    assert.deepEqual(memory.pulls.map(({ madeAt }) => madeAt), [new Date(T0).toISOString()]);
  },
);

worldTest("that another process has stored meanwhile is done, and nothing is sent", async (world) => {
  world.memory.entries = [entry({ id: "other" }), { ...world.entry, state: "stored", rows: 7 }];
  const { state } = await world.pull();
  assert.deepEqual([state, world.told.map(({ kind, rows }) => [kind, rows])], ["stored", [["found", 7]]]);
  world.memory.entries = [{ ...world.entry, state: "stored", rows: null }];
  assert.equal((await world.pull()).rows, 0);
  world.entry = { ...world.entry, state: "building", reportId: "r-1" };
  assert.equal((await world.pull()).state, "stored", "also when it was being built before");
  assert.deepEqual(world.host.seen, []);
  assert.equal(world.memory.asked[0]?.profileId, "1001");
});

worldTest("that another process has asked for meanwhile is taken up", async (world) => {
  await world.resume();
  world.memory.entries = [world.entry];
  world.entry = { ...world.entry, state: "asking", reportId: null };
  assert.equal((await world.pull()).state, "stored");
  assert.equal(world.host.reports.length, 1);
  assert.deepEqual(world.told.slice(0, 2).map(({ kind, status }) => [kind, status]), [
    ["resumed", "building"],
    ["waiting", "PENDING"],
  ]);
});

for (const status of [404, 400]) {
  worldTest(
    `that the platform has forgotten (${status}) is asked for anew, a new one is not`,
    async (world) => {
      await world.resume();
      let forgotten = world.entry.reportId;
      world.host.intervene = ({ method, url }) =>
        method === "GET" && (forgotten === null || url.pathname.endsWith(forgotten))
          ? Response.json({ code: String(status), detail: "Not found" }, { status })
          : undefined;
      const before = world.entry;
      assert.equal((await world.pull()).state, "stored");
      assert.deepEqual(world.told.map(({ kind }) => kind).slice(0, 2), ["resumed", "asked"]);
      assert.equal(world.host.asked("POST").length, 2);
      forgotten = null;
      world.memory.entries = [];
      world.entry = { ...before, state: "asking", reportId: null };
      const { state, error } = await world.pull();
      assert.equal(state, "failed");
      assert.match(error?.message ?? "", /Not found/);
      assert.equal(world.host.asked("POST").length, 3);
    },
  );
}

worldTest("that is refused as one that never can be is asked for once", async (world) => {
  await world.resume();
  world.host.intervene = ({ method }) =>
    method === "GET" ? Response.json({ code: "403", detail: "Not yours" }, { status: 403 }) : undefined;
  const posts = world.host.asked("POST").length;
  assert.equal((await world.pull()).state, "failed");
  assert.equal(world.host.asked("POST").length, posts);
});

worldTest(
  "whose days are refused is lost; one whose platform fails is left to the next sync",
  async (world) => {
    let status = 400;
    world.host.intervene = ({ method, url }) =>
      method === "POST" && url.hostname !== "id.test"
        ? Response.json({ code: String(status), detail: "no" }, { status })
        : undefined;
    const before = { ...world.entry };
    const refused = await world.pull();
    assert.deepEqual([refused.state, refused.rows, refused.reportId], ["failed", 0, null]);
    assert.deepEqual([world.memory.entries[0]?.state, world.memory.entries[0]?.problem], [
      "failed",
      refused.error?.message,
    ]);
    assert.deepEqual(world.told.map(({ kind, status }) => [kind, status]), [["failed", "failed"]]);
    for (status of [500, 503]) {
      world.memory.entries = [];
      world.entry = before;
      assert.equal((await world.pull()).state, "left");
      assert.deepEqual(world.memory.entries, [], "it stays open");
    }
    assert.deepEqual(world.told.at(-1)?.kind, "left");
  },
);

worldTest(
  "is asked for again while the platform throttles, every minute and then more rarely",
  async (world) => {
    let refusals = 60;
    world.host.intervene = ({ method, url }) =>
      method === "POST" && url.hostname !== "id.test" && refusals-- > 0
        ? new Response("{}", { status: 429 })
        : undefined;
    assert.equal((await world.pull()).state, "stored");
    const throttled = world.told.filter(({ kind }) => kind === "throttled");
    assert(throttled.length > 1);
    assert(throttled.every(({ status }) => status === "asking"));
    const waits = world.host.waits.filter((seconds) => seconds >= 60);
    assert.deepEqual(waits.slice(0, 2), [60, 90]);
    assert.equal(Math.max(...waits), 600, "every ten minutes in the end");
  },
);

worldTest("that is throttled for longer than it may take is left to the next sync", async (world) => {
  world.host.intervene = ({ method, url }) =>
    method === "POST" && url.hostname !== "id.test" ? new Response("{}", { status: 429 }) : undefined;
  const { state, error } = await world.pull({ timeout: 30 });
  assert.deepEqual([state, error?.name], ["left", "ThrottledError"]);
  assert(world.host.now - T0 < 600_000);
});

worldTest(
  "that fails on the platform is lost, one that takes long is left to the next sync",
  async (world) => {
    const before = { ...world.entry };
    world.host.states = ["PROCESSING"];
    assert.equal((await world.pull({ timeout: 20 })).state, "left");
    assert.equal(world.memory.entries[0]?.state, "building");
    for (const states of [["PENDING"], ["FAILED"], ["CANCELLED"]]) {
      world.host.states = states;
      world.host.reports.length = 0;
      world.memory.entries = [];
      world.entry = before;
      const { state } = await world.pull({ timeout: 20 });
      assert.equal(state, states[0] === "PENDING" ? "left" : "failed", states[0]);
    }
  },
);

worldTest(
  "whose file stops coming twice is left out with the reason, and nothing of it is stored",
  async (world) => {
    let downloads = 0;
    world.host.intervene = ({ url }) => {
      if (url.hostname !== "files.test") return undefined;
      downloads++;
      const body = new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode('[{"date":')),
        pull: (controller) => controller.error(new Error("socket hang up")),
      });
      return new Response(body);
    };
    const { state, error } = await world.pull();
    assert.equal(downloads, 2);
    assert.match(error?.message ?? "", /its bytes stopped coming \(.*socket hang up.*\)\. 0 rows were read/);
    assert.equal(state, "failed");
    assert.deepEqual(world.memory.pulls, []);
  },
);

worldTest(
  "that is stopped while its file comes is left to the next sync, and downloaded once",
  async (world) => {
    const stop = new AbortController();
    let downloads = 0;
    world.host.intervene = ({ url }) => {
      if (url.hostname !== "files.test") return undefined;
      downloads++;
      const body = new ReadableStream({
        pull: (controller) => {
          stop.abort(new Error("Ctrl-C"));
          controller.error(stop.signal.reason);
        },
      });
      return new Response(body);
    };
    const { state, error } = await world.pull({ signal: stop.signal });
    assert.deepEqual([state, error?.message, downloads], ["left", "Ctrl-C", 1]);
  },
);

worldTest("that waits on the disk leaves no file open behind it", async (world) => {
  // More than is kept in memory, and of a size that no other file has.
  const text = `[${" ".repeat(4_321_987)}{"date":"2026-09-01","campaignId":"1"}]`;
  let isOpen = false;
  const waiting = async (): Promise<boolean> =>
    (await openFiles())?.some(({ size }) => size === text.length) ?? !isOpen;
  world.host.intervene = ({ url }) => url.hostname === "files.test" ? new Response(text) : undefined;
  const { replace } = world.memory;
  Object.assign(world.memory, {
    replace: async (...args: Parameters<typeof replace>) => {
      isOpen = await waiting();
      return await replace(...args);
    },
  });
  const { rows, error } = await world.pull();
  assert.equal(rows, 1, error?.message);
  assert(isOpen);
  assert.equal(await waiting(), false);
});

worldTest("that is stopped while its rows are stored stores none of them", async (world) => {
  const stop = new AbortController();
  world.host.intervene = async ({ url }) => {
    if (url.hostname !== "files.test") return undefined;
    // The file is whole before the signal is looked at again.
    await Promise.resolve();
    queueMicrotask(() => setTimeout(() => stop.abort(new Error("Ctrl-C"))));
    return undefined;
  };
  Object.assign(world.memory, {
    replace: async (_pull: unknown, batches: AsyncIterable<unknown>) => {
      stop.abort(new Error("Ctrl-C"));
      return (await Array.fromAsync(batches)).length;
    },
  });
  assert.deepEqual([(await world.pull({ signal: stop.signal })).error?.message], ["Ctrl-C"]);
});

worldTest("counts as made when its file was, else when it was asked for", async (world) => {
  const times: [generatedAt: unknown, madeAt: string][] = [
    ["2026-09-30T13:00:00Z", "2026-09-30T13:00:00.000Z"],
    [null, "2026-09-30T12:00:00.000Z"],
    ["soon", world.entry.askedAt],
  ];
  const before = { ...world.entry };
  for (const [generatedAt] of times) {
    world.entry = before;
    world.memory.entries = [];
    world.host.reports.length = 0;
    world.host.intervene = ({ method, url }) => {
      const [report] = world.host.reports;
      if (method !== "GET" || !url.pathname.startsWith("/reporting/") || report === undefined) {
        return undefined;
      }
      const createdAt = "2026-09-30T12:00:00Z";
      const { reportId, configuration, startDate, endDate } = report;
      return Response.json({
        ...{ reportId, configuration, startDate, endDate, createdAt, generatedAt },
        status: "COMPLETED",
        url: null,
      });
    };
    assert.equal((await world.pull()).state, "stored");
  }
  assert.deepEqual(world.memory.pulls.map(({ madeAt }) => madeAt), times.map(([, madeAt]) => madeAt));
  assert.deepEqual(
    world.memory.pulls.map(({ rows }) => rows),
    [[], [], []],
    "a report without a file has no rows",
  );
});

worldTest("of which days are held back says so in the ledger and to the caller", async (world) => {
  world.memory.days = [{ day: "2026-09-02", rows: 50, cost: 0, madeAt: null }];
  const { state, rows, error } = await world.pull();
  assert.deepEqual([state, rows, error?.name], ["held", 0, "ShrinkError"]);
  const [kept] = world.memory.entries;
  assert.deepEqual([kept?.state, kept?.rows, kept?.problem], ["held", 0, error?.message]);
  assert.equal(world.told.at(-1)?.kind, "held");
  world.host.now += 1;
  world.entry = { ...world.entry, fingerprint: reportFingerprint(world.entry.configuration, RANGE) };
  assert.equal((await world.pull({ acceptShrink: true })).state, "stored");
});
