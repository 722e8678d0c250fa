import assert from "node:assert/strict";
import { test } from "node:test";
import { NetworkError, ReportFailedError, ThrottledError } from "../../src/errors.ts";
import { ReportHost } from "../support/report_host.ts";

const DAYS = ["2026-09-01", "2026-09-10"] as const;

test("create() adopts the report that is being built when it is the same one, in any order of columns", async () => {
  const host = new ReportHost();
  const { reports } = host.client();
  const first = await reports.create("sp_placement", ...DAYS);
  const { columns, ...rest } = host.reports[0]!.configuration;
  host.intervene = ({ method, url }) =>
    method === "POST" && url.hostname !== "id.test" ? host.duplicate(first) : undefined;
  const reordered = { ...rest, columns: [...columns].reverse(), filters: [] };
  assert.equal(await reports.create(reordered, ...DAYS), first);
  assert.deepEqual(host.waits, []);
});

for (
  const [what, other] of Object.entries({
    "over other days": { startDate: "2026-09-02" },
    "with another column": { columns: ["clicks"] },
    "that has failed": { states: ["FAILED"] },
  })
) {
  test(`create() waits out a duplicate ${what}, and asks again`, async () => {
    const host = new ReportHost();
    const { reports } = host.client();
    const first = await reports.create("sp_placement", ...DAYS);
    const { columns, ...changes } = { columns: undefined, ...other } as Record<string, unknown>;
    Object.assign(host.reports[0]!, changes);
    if (columns !== undefined) Object.assign(host.reports[0]!.configuration, { columns });
    let refusals = 3;
    host.intervene = ({ method, url }) =>
      method === "POST" && url.hostname !== "id.test" && refusals-- > 0 ? host.duplicate(first) : undefined;
    const second = await reports.create("sp_placement", ...DAYS);
    assert.notEqual(second, first);
    assert.deepEqual(host.waits, [5, 7.5, 11.25]);
  });
}

test("create() gives up after five refusals as a duplicate of a report that has failed, and names it", async () => {
  const host = new ReportHost();
  const { reports } = host.client();
  const first = await reports.create("sp_placement", ...DAYS);
  host.reports[0]!.states = ["FAILED"];
  host.intervene = ({ method, url }) =>
    method === "POST" && url.hostname !== "id.test" ? host.duplicate(first) : undefined;
  const before = host.asked("POST").length;
  await assert.rejects(reports.create("sp_placement", ...DAYS), (error: Error) => {
    assert(error instanceof ReportFailedError);
    assert.deepEqual([error.reportId, error.status], [first, "FAILED"]);
    assert.match(error.message, /treats a new request as its duplicate\. Request it again later/);
    return true;
  });
  assert.equal(host.asked("POST").length - before, 5);
});

test("run() waits for three hours, and run again takes up the report that is still being built", async () => {
  const host = new ReportHost();
  const { reports } = host.client();
  const began = host.now;
  host.states = Array.from({ length: 1000 }, () => "PROCESSING");
  await assert.rejects(reports.run("sp_placement", ...DAYS), /still PROCESSING after 180 minutes/);
  assert.equal((host.now - began) / 3600_000, 3);
  host.reports[0]!.states = ["PROCESSING", "COMPLETED"];
  assert.equal((await reports.run("sp_placement", ...DAYS)).length, 1);
  assert.equal(host.reports.length, 1, "no second report was made");
});

test("create() gives up on a stranger's duplicate after its time, with the platform's words", async () => {
  const host = new ReportHost();
  host.intervene = ({ method, url }) =>
    method === "POST" && url.hostname !== "id.test"
      ? host.duplicate("00000000-dead-4bee-8000-000000000000")
      : undefined;
  await assert.rejects(
    host.client().reports.create("sp_placement", ...DAYS, { timeout: 60 }),
    /duplicate of : 00000000-dead/,
  );
  assert.equal(host.waits.reduce((sum, seconds) => sum + seconds, 0), 60);
});

test("create() takes up a report that was accepted although the answer said 429 or never came", async () => {
  for (
    const spoil of [() => new Response("{}", { status: 429 }), () => Promise.reject(new TypeError("reset"))]
  ) {
    const host = new ReportHost();
    let spoilt = false;
    const client = host.client();
    const answer = host.fetch.bind(host);
    host.fetch = async (input, init) => {
      const response = await answer(input, init);
      if (init?.method !== "POST" || !input.endsWith("/reporting/reports") || spoilt) return response;
      spoilt = true;
      return spoil();
    };
    const id = await client.reports.create("sp_placement", ...DAYS);
    assert.equal(host.reports.length, 1, "nothing was built twice");
    assert.equal(id, host.reports[0]!.reportId);
  }
});

test("create() ends with ThrottledError when the platform never lets it through", async () => {
  const host = new ReportHost();
  host.intervene = ({ method, url }) =>
    method === "POST" && url.hostname !== "id.test"
      ? new Response("{}", { status: 429, headers: { "retry-after": "100" } })
      : undefined;
  await assert.rejects(host.client().reports.create("sp_placement", ...DAYS), ThrottledError);
});

for (const state of ["FAILED", "FAILURE", "CANCELLED"]) {
  test(`wait() ends with ReportFailedError when the platform says ${state}`, async () => {
    const host = new ReportHost();
    host.states = ["PENDING", state];
    const { reports } = host.client();
    const id = await reports.create("sp_placement", ...DAYS);
    host.reports[0]!.failureReason = "Internal trouble";
    await assert.rejects(reports.wait(id), (error: ReportFailedError) => {
      assert(error instanceof ReportFailedError);
      assert.equal(error.reportId, id);
      assert.equal(error.status, state);
      assert.match(error.message, new RegExp(`${id}.*the platform says ${state}: Internal trouble`));
      return true;
    });
  });
}

test("wait() looks every 60 s at most, and ends after its time with the state it saw", async () => {
  const host = new ReportHost();
  host.states = ["PROCESSING"];
  const { reports } = host.client();
  const id = await reports.create("sp_placement", ...DAYS);
  await assert.rejects(reports.wait(id, { timeout: 1800 }), (error: ReportFailedError) => {
    assert(error instanceof ReportFailedError);
    assert.equal(error.status, "PROCESSING");
    assert.match(error.message, /still PROCESSING after 30 minutes/);
    return true;
  });
  assert.equal(Math.max(...host.waits), 60);
  assert.equal(host.waits.reduce((sum, seconds) => sum + seconds, 0), 1800);
});

test("wait() ends at once, with the caller's reason, when it is aborted", async () => {
  const host = new ReportHost();
  const { reports } = host.client();
  const id = await reports.create("sp_placement", ...DAYS);
  const stop = new AbortController();
  host.onWait = () => stop.abort(new Error("enough"));
  await assert.rejects(reports.wait(id, { signal: stop.signal }), /^Error: enough$/);
  assert.equal(host.waits.length, 1);
});

test("create() ends with NetworkError when nothing ever answers", async () => {
  const host = new ReportHost();
  host.intervene = ({ url }) =>
    url.hostname === "id.test" ? undefined : Promise.reject(new TypeError("reset"));
  await assert.rejects(host.client().reports.create("sp_placement", ...DAYS), NetworkError);
});
