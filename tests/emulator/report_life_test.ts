import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import type { FaultEffects, JsonObject } from "../../src/emulator/mod.ts";
import { Caller } from "./caller.ts";
import { configurationOf, createReport, lookAt, readFile } from "./report_caller.ts";

const BODY = {
  startDate: "2026-09-01",
  endDate: "2026-09-03",
  configuration: configurationOf("sp_campaigns"),
};

function onCreate(effects: FaultEffects, times = 1) {
  return [{ match: { operation: "createAsyncReport" }, times, effects }];
}

async function completed(caller: Caller): Promise<{ reportId: string; url: string }> {
  const { json } = await createReport(caller, BODY);
  caller.emulator.advance(5);
  return (await lookAt(caller, json.reportId)).json;
}

Deno.test("a report is PENDING, then PROCESSING, then COMPLETED, by the emulator's clock", async () => {
  await using caller = await Caller.start({ quirks: { reportSeconds: 600 } });
  const { reportId } = (await createReport(caller, BODY)).json;
  const seen: string[] = [];
  for (const seconds of [0, 179, 1, 419, 1]) {
    caller.emulator.advance(seconds);
    seen.push((await lookAt(caller, reportId)).json.status);
  }
  assert.deepEqual(seen, ["PENDING", "PENDING", "PROCESSING", "PROCESSING", "COMPLETED"]);
  const { json } = await lookAt(caller, reportId);
  assert.equal(json.generatedAt, "2026-09-30T12:10:00.000Z");
  assert.equal(json.urlExpiresAt, "2026-09-30T13:10:00.000Z");
  const file = await fetch(json.url);
  assert.equal((await file.arrayBuffer()).byteLength, json.fileSize);
});

Deno.test("the address of a file changes at every look, works more than once, and expires after an hour", async () => {
  await using caller = await Caller.start();
  const { reportId, url } = await completed(caller);
  const other = (await lookAt(caller, reportId)).json.url;
  assert.notEqual(other, url);
  assert.deepEqual(await readFile(url), await readFile(other));
  caller.emulator.advance(3599);
  await readFile(url);
  caller.emulator.advance(1);
  const late = await fetch(url);
  assert.equal(late.status, 403);
  assert.match(await late.text(), /<Code>AccessDenied<\/Code>.*expired/);
  await caller.logIn();
  const fresh = (await lookAt(caller, reportId)).json.url;
  assert.equal((await readFile(fresh)).length > 0, true);
});

Deno.test("the file host refuses whoever brings a header of the API, and a forged address", async () => {
  await using caller = await Caller.start();
  const { url } = await completed(caller);
  const headers = ["Authorization", "Platform-Advertising-API-ClientId", "Platform-Advertising-API-Scope"];
  for (const name of headers) {
    const response = await fetch(url, { headers: { [name]: "x" } });
    assert.equal(response.status, 400, name);
    assert.match(await response.text(), /Only one auth mechanism allowed/);
  }
  const forged = new URL(url);
  forged.searchParams.set("expires", "9999999999999");
  const response = await fetch(forged);
  assert.equal(response.status, 403);
  assert.match(await response.text(), /SignatureDoesNotMatch/);
  const posted = await fetch(url, { method: "POST", body: "{}" });
  await posted.body?.cancel();
  assert.equal(posted.status, 405);
});

Deno.test("a report without rows is COMPLETED and has no address", async () => {
  await using caller = await Caller.start();
  const configuration = configurationOf("sb_campaigns");
  const profile = caller.profile("MX");
  const { json } = await createReport(caller, { ...BODY, configuration }, { profile });
  caller.emulator.advance(5);
  const { json: seen } = await lookAt(caller, json.reportId, { profile });
  assert.deepEqual([seen.status, seen.url, seen.fileSize], ["COMPLETED", null, 0]);
});

Deno.test("asking for the same report while it is built is answered 425 with its id", async () => {
  await using caller = await Caller.start();
  const { reportId } = (await createReport(caller, { name: "one", ...BODY })).json;
  const columns = [...(BODY.configuration as { columns: string[] }).columns].reverse();
  const turned = { ...BODY, configuration: configurationOf("sp_campaigns", { columns }) };
  const twin = await createReport(caller, { name: "another", ...turned });
  assert.deepEqual([twin.status, twin.json], [425, {
    code: "425",
    detail: `The Request is a duplicate of : ${reportId}`,
  }]);
  const other = await createReport(caller, { ...BODY, endDate: "2026-09-02" });
  assert.equal(other.status, 200);
  const elsewhere = await createReport(caller, BODY, { profile: caller.profile("CA") });
  assert.equal(elsewhere.status, 200);
  caller.emulator.advance(5);
  const again = await createReport(caller, BODY);
  assert.equal(again.status, 200);
  assert.notEqual(again.json.reportId, reportId);
});

Deno.test("a request that was throttled and carried out all the same is a duplicate the next time", async () => {
  await using caller = await Caller.start({ faults: onCreate({ acceptedBut429: true }) });
  const throttled = await createReport(caller, BODY);
  assert.deepEqual([throttled.status, throttled.headers.get("retry-after")], [429, null]);
  const next = await createReport(caller, BODY);
  assert.equal(next.status, 425);
  const reportId = /: (\S+)$/.exec(next.json.detail)![1]!;
  caller.emulator.advance(5);
  assert.equal((await lookAt(caller, reportId)).json.status, "COMPLETED");
});

Deno.test("a request that was throttled for good leaves no report", async () => {
  await using caller = await Caller.start({ faults: onCreate({ response: { status: 429 } }) });
  assert.equal((await createReport(caller, BODY)).status, 429);
  assert.equal((await createReport(caller, BODY)).status, 200);
});

Deno.test("more reports in a minute than a profile may ask for are throttled", async () => {
  await using caller = await Caller.start({ quirks: { reportsPerMinute: 2 } });
  const ask = (day: string, profile = caller.profile("US")) =>
    createReport(caller, { ...BODY, startDate: day, endDate: day }, { profile });
  const statuses = [await ask("2026-09-01"), await ask("2026-09-02"), await ask("2026-09-03")];
  assert.deepEqual(statuses.map(({ status }) => status), [200, 200, 429]);
  assert.equal((await ask("2026-09-03", caller.profile("CA"))).status, 200);
  caller.emulator.advance(60);
  assert.equal((await ask("2026-09-03")).status, 200);
});

for (const outcome of ["FAILED", "FAILURE", "CANCELLED"] as const) {
  Deno.test(`a report can end as ${outcome}`, async () => {
    await using caller = await Caller.start({
      faults: onCreate({ reportOutcome: outcome, reportSeconds: 60 }),
    });
    const { reportId } = (await createReport(caller, BODY)).json;
    caller.emulator.advance(59);
    assert.equal((await lookAt(caller, reportId)).json.status, "PROCESSING");
    caller.emulator.advance(1);
    const { json } = await lookAt(caller, reportId);
    assert.deepEqual([json.status, json.url], [outcome, null]);
    assert.equal(json.failureReason === null, outcome === "CANCELLED");
  });
}

Deno.test("a report that is being built can be called off, a finished one cannot", async () => {
  await using caller = await Caller.start();
  const { reportId } = (await createReport(caller, BODY)).json;
  const path = `/reporting/reports/${reportId}`;
  const called = await caller.call("DELETE", path);
  assert.deepEqual([called.status, called.json.reportId], [200, reportId]);
  assert.equal((await lookAt(caller, reportId)).json.status, "CANCELLED");
  assert.equal((await caller.call("DELETE", path)).status, 400);
  const done = await completed(caller);
  const refused = await caller.call("DELETE", `/reporting/reports/${done.reportId}`);
  assert.match(refused.json.detail, /cannot be cancelled: its status is COMPLETED/);
});

Deno.test("a report is known to its own profile only", async () => {
  await using caller = await Caller.start();
  const { reportId } = await completed(caller);
  const { status, json } = await lookAt(caller, reportId, { profile: caller.profile("CA") });
  assert.deepEqual([status, json.code], [404, "404"]);
});

Deno.test("files come as JSON lines or unpacked when that is asked of the emulator", async () => {
  await using lines = await Caller.start({ quirks: { reportRows: "lines" } });
  const packed = await (await fetch((await completed(lines)).url)).arrayBuffer();
  const text = gunzipSync(new Uint8Array(packed)).toString("utf8");
  const rows = text.trimEnd().split("\n").map((line) => JSON.parse(line));
  assert.equal(rows.length > 10 && rows.every(({ date }) => date >= "2026-09-01"), true);

  await using plain = await Caller.start({ quirks: { reportPacking: "none" } });
  const { url } = await completed(plain);
  assert.doesNotMatch(url, /\.gz/);
  assert.deepEqual((await (await fetch(url)).json()).length, rows.length);
});

Deno.test("a fault spoils or cuts a file, or takes its place", async () => {
  await using caller = await Caller.start();
  const { url } = await completed(caller);
  const match = { path: "/files/*" };
  caller.emulator.setFaults([{ match, times: 1, effects: { corruptGzip: true } }]);
  const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer());
  assert.throws(() => gunzipSync(bytes));
  caller.emulator.setFaults([{ match, times: 1, effects: { truncate: 100 } }]);
  await assert.rejects(fetch(url).then((response) => response.arrayBuffer()));
  caller.emulator.setFaults([{ match, times: 1, effects: { response: { status: 503 } } }]);
  const away = await fetch(url);
  await away.body?.cancel();
  assert.equal(away.status, 503);
  assert.equal((await readFile(url)).length > 0, true);
  const entries = caller.emulator.requests().filter(({ operation }) => operation === "files:getFile");
  assert.deepEqual(entries.map(({ status, query }) => [status, query]), [[200, ""], [200, ""], [503, ""], [
    200,
    "",
  ]]);
});

Deno.test("a fault without operation and path leaves the file host alone", async () => {
  await using caller = await Caller.start();
  const { url } = await completed(caller);
  caller.emulator.setFaults([{ effects: { response: { status: 500 } } }]);
  assert.equal((await readFile(url)).length > 0, true);
});

Deno.test("a killed emulator knows its reports again and builds the same file", async () => {
  const folder = await Deno.makeTempDir();
  const options = { statePath: `${folder}/state.json`, clock: { now: "2026-09-30T12:00:00Z", frozen: true } };
  try {
    const first = await Caller.start(options);
    const { reportId, url } = await completed(first);
    const rows = await readFile(url);
    await first.stop();
    await using second = await Caller.start(options);
    const { json } = await lookAt(second, reportId);
    assert.equal(json.status, "COMPLETED");
    assert.deepEqual(await readFile(json.url), rows);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a file that cannot be made fails by itself, packed or not: the emulator goes on", async () => {
  for (const reportPacking of ["gzip", "none"] as const) {
    await using caller = await Caller.start({ quirks: { reportPacking } });
    const { reportId, url } = await completed(caller);
    const reports = caller.emulator.state.profile(caller.profile("US"))!.collection("reports");
    const report = reports.get(reportId)!;
    const configuration = { ...report.configuration as JsonObject, filters: [{ field: "campaignStatus" }] };
    reports.replace({ ...report, configuration });
    // The file of the report as it was is not kept any more.
    caller.emulator.setQuirks({});
    const failed = await fetch(url);
    assert.equal(failed.status, 500);
    assert.match(await failed.text(), /<Code>InternalError<\/Code><Message>Cannot make the file/);
    assert.equal((await fetch((await completed(caller)).url)).status, 200);
  }
});
