import { JobFailedError } from "../../mod.ts";
import type { JobRow } from "../../src/client/jobs/mod.ts";
import { deepEqual, equal, match, ok, rejects } from "../support/assert.ts";
import { pngOf } from "../support/pictures.ts";
import { type Emulated, emulated, type EmulatedOptions } from "../support/emulated.ts";

const DSP = "dsp-reports:createReportV3";
const OLD_DSP = "dsp-reports-v2:createReportV2";
const BRANDS = "brand-metrics:generateBrandMetricsReport";
const MMM = "marketing-mix-modeling:createMmmReport";
const DAYS = { startDate: "2026-09-01", endDate: "2026-09-07" };
const OLD_DAYS = { startDate: "20260901", endDate: "20260907" };
const PLACE = { pathParams: { accountId: "ENTITY1" } };

async function all(rows: AsyncIterable<JobRow>): Promise<JobRow[]> {
  return await Array.fromAsync(rows);
}

/** An emulator whose clock the client's waits move on. */
async function world(reportSeconds: number, options: EmulatedOptions = {}): Promise<Emulated> {
  const at: { emulated?: Emulated } = {};
  at.emulated = await emulated({
    ...options,
    emulator: { clock: { now: "2026-09-30T12:00:00Z", frozen: true }, quirks: { reportSeconds } },
    client: {
      now: () => at.emulated?.emulator.clock.now() ?? Date.parse("2026-09-30T12:00:00Z"),
      sleep: (seconds) => Promise.resolve(at.emulated?.emulator.advance(seconds)),
    },
  });
  return at.emulated;
}

Deno.test("over HTTP, jobs that take hours give rows, and their addresses get none of our headers", async () => {
  await using at = await world(2 * 3600);
  const { us, ads } = at;
  const { emulator } = at;

  const daily = await us.jobs.run(DSP, { ...DAYS, timeUnit: "DAILY", dimensions: ["LINE_ITEM"] }, PLACE);
  const rows = await all(daily.rows);
  equal(rows.length, 7 * 2 * 3);
  const csv = await all((await us.jobs.run(DSP, { ...DAYS, format: "CSV" }, PLACE)).rows);
  deepEqual(csv.map(({ orderId }) => orderId), ["59100000000000001", "59200000000000002"]);
  equal(typeof csv[0]?.impressions, "string", "what a CSV says stays text");
  const older = await us.jobs.run(OLD_DSP, { ...OLD_DAYS, timeUnit: "DAILY", advertiserIds: ["590001"] });
  equal((await all(older.rows)).length, 7 * 2);

  emulator.setQuirks({ reportSeconds: 600 });
  const brands = await us.jobs.run(BRANDS, { reportStartDate: "2026-09-01", reportEndDate: "2026-09-14" });
  const read = await all(brands.rows);
  equal(read.length, 2 * 2 * 3);
  deepEqual(Object.keys(read[0]!).slice(0, 2), ["brandName", "categoryNodeName"]);
  deepEqual(await all((await us.jobs.run(BRANDS, { brandName: "Nobody" })).rows), []);

  emulator.setQuirks({ reportSeconds: 20 * 3600 });
  const manager = ads.account({ "Platform-Advertising-API-Manager-Account": "manager-1" });
  const configuration = {
    brandGroupId: "1",
    metricsType: "MEDIA_ONLY",
    geoDimension: "COUNTRY",
    timeUnit: "DAILY",
  };
  const mmm = await manager.jobs.run(MMM, { ...DAYS, reportName: "september", configuration });
  const files: string[] = [];
  for await (const { name, bytes } of mmm.files()) {
    let length = 0;
    for await (const chunk of bytes) length += chunk.length;
    ok(length > 100, name);
    files.push(name.replace(/^\w+_/, ""));
  }
  deepEqual(files, ["summary.xlsx", "ads.tsv"]);
  await rejects(all(mmm.rows), /its files are not tables\. Use jobs\.files\(\)/);
  const fetched = emulator.requests().filter(({ operation }) => operation === "files:getFile");
  ok(fetched.length >= 5 && fetched.every(({ status }) => status === 200));
});

Deno.test("over HTTP, an address that has expired is replaced, and one that gets our headers is refused", async () => {
  await using at = await world(60);
  const { us, emulator } = at;
  const { rows } = await us.jobs.run(BRANDS, {});
  emulator.advance(301);
  equal((await all(rows)).length, 6);
  const older = await us.jobs.run(OLD_DSP, OLD_DAYS);
  emulator.advance(3601);
  equal((await all(older.rows)).length, 2);
  deepEqual(
    emulator.requests().filter(({ operation }) => operation === "files:getFile").map(({ status }) => status),
    [403, 200, 403, 200],
  );
  const { url } = emulator.requests().filter(({ operation }) => operation === "files:getFile").map((
    { path },
  ) => ({
    url: path,
  }))[0]!;
  const response = await fetch(`${emulator.url}${url}`, { headers: { authorization: "Bearer x" } });
  equal(response.status, 400);
  await response.body?.cancel();
});

Deno.test("over HTTP, failures, faults and cancelled jobs say the platform's words", async () => {
  await using at = await world(600);
  const { us, ads, emulator } = at;
  emulator.setFaults([{ match: { operation: DSP }, effects: { reportOutcome: "FAILED" } }]);
  await rejects(us.jobs.run(DSP, DAYS, PLACE), /the platform says FAILURE: size too large/);
  emulator.setFaults([{ match: { operation: OLD_DSP }, effects: { reportOutcome: "FAILED" } }]);
  await rejects(us.jobs.run(OLD_DSP, OLD_DAYS), /the platform says FAILURE: size too large/);
  emulator.setFaults([]);
  await rejects(us.jobs.start(OLD_DSP, DAYS), /startDate must be a day, yyyyMMdd/);
  await rejects(us.jobs.start(OLD_DSP, { ...OLD_DAYS, advertiserIds: ["ENTITY1"] }), /ENTITY1 is not valid/);
  await rejects(us.jobs.start(DSP, { ...DAYS, dimensions: ["CITY"] }, PLACE), /dimension CITY is not valid/);
  await rejects(
    us.jobs.start(DSP, DAYS, { pathParams: { accountId: "entity1" } }),
    /Not authorized to access account/,
  );
  const manager = ads.account({ "Platform-Advertising-API-Manager-Account": "manager-1" });
  const configuration = {
    brandGroupId: "1",
    metricsType: "MEDIA_ONLY",
    geoDimension: "COUNTRY",
    timeUnit: "DAILY",
  };
  const { record } = await manager.jobs.start(MMM, { ...DAYS, configuration });
  const again = await manager.jobs.start(MMM, { ...DAYS, configuration }, { again: true });
  deepEqual(
    [again.adopted, again.record.jobId],
    [true, record.jobId],
    "425 names no job, so the list is searched",
  );
  const cancelled = await manager.jobs.cancel(record.jobId);
  deepEqual([cancelled.status, cancelled.phase], ["CANCELED", "cancelled"]);
  await rejects(manager.jobs.wait(record.jobId), JobFailedError);
});

Deno.test("over HTTP, version 2 of DSP reports refuses a type that only version 3 has", async () => {
  await using at = await world(60, { checkRequests: false });
  await rejects(
    at.us.jobs.start(OLD_DSP, { ...OLD_DAYS, type: "CONVERSION_SOURCE" }, { check: "off" }),
    /CONVERSION_SOURCE is not known/,
  );
});

Deno.test("over HTTP, a job whose creation lost its response is found in the list", async () => {
  await using at = await world(600);
  const { ads, emulator } = at;
  emulator.setFaults([{ match: { operation: MMM }, effects: { drop: "after" }, times: 1 }]);
  const manager = ads.account({ "Platform-Advertising-API-Manager-Account": "manager-1" });
  const configuration = {
    brandGroupId: "1",
    metricsType: "MEDIA_ONLY",
    geoDimension: "COUNTRY",
    timeUnit: "DAILY",
  };
  const { adopted, record } = await manager.jobs.start(MMM, { ...DAYS, configuration });
  equal(adopted, true);
  match(record.jobId, /^[0-9a-f]{32}$/);
  equal(emulator.requests().filter(({ operation }) => operation === MMM).length, 1);
});

Deno.test("over HTTP, files that were put are registered together, with a verdict for each address", async () => {
  await using at = await world(60);
  const { us } = at;
  const urls: string[] = [];
  for (const name of ["a.png", "b.png"]) {
    const { url } = await us.call("creative-assets:getUploadLocation", { fileName: name }) as { url: string };
    urls.push(url);
  }
  const [put = ""] = urls;
  const done = await fetch(put, {
    method: "PUT",
    body: new Uint8Array(pngOf(10, 10)),
    headers: { "content-type": "image/png" },
  });
  await done.body?.cancel();
  const assetDetailsList = urls.map((url, at) => ({
    url,
    name: `picture ${at}`,
    assetType: "IMAGE" as const,
  }));
  const { status } = await us.jobs.run("creative-assets:assetsBatchRegister", { assetDetailsList });
  const { successfullyRegisteredAssets, failedAssetDetails } = status.response as Record<
    string,
    { url: string }[]
  >;
  deepEqual(successfullyRegisteredAssets?.map(({ url }) => urls.indexOf(url)), [0]);
  deepEqual(failedAssetDetails, [{ url: urls[1], failureReason: "There is no file at the url" }]);
});
