import { catalog, JobFailedError, NetworkError, SchemaError } from "../../mod.ts";
import { FileJobLedger } from "../../src/client/jobs/file_job_ledger.ts";
import { jobKey, type JobRecord, MemoryJobLedger } from "../../src/client/jobs/job_ledger.ts";
import { JOBS } from "../../src/client/jobs/descriptions.ts";
import type { JobDescription, JobRow, RunJobOptions } from "../../src/client/jobs/mod.ts";
import { deepEqual, equal, match, ok, rejects } from "../support/assert.ts";
import { long } from "../support/long.ts";
import { FORMS, readManyRows } from "./support/many_rows.ts";
import { JobPlatform } from "../support/job_platform.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

/** What every path, query and header of the described jobs needs. */
const EVERYWHERE = {
  pathParams: { instanceId: "instance-1", accountId: "ENTITY1", dataSetId: "set-1" },
  query: { "Platform-Marketing-Cloud-InstanceId": "instance-1" },
  headers: {
    "Platform-Advertising-API-AdvertiserId": "ENTITY1",
    "Platform-Advertising-API-MarketplaceId": "MARKET1",
    "Platform-Marketing-Cloud-Audience-InstanceId": "instance-1",
  },
};
const BODY = { workflowId: "reach", startDate: "2026-09-01", endDate: "2026-09-07" };
const ROWS: JobRow[] = [{ name: "a", value: "1" }, { name: "b", value: "2" }];

/** What the operations of a job take of that. */
async function placeOf({ operation, status }: JobDescription): Promise<RunJobOptions> {
  const operations = await Promise.all([operation, status].map((id) => catalog.get(id)));
  const taken = <Value>(values: Readonly<Record<string, Value>>, names: readonly string[]) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
  return {
    check: "off",
    pathParams: taken(EVERYWHERE.pathParams, operations.flatMap(({ pathParams }) => pathParams)),
    query: taken(EVERYWHERE.query, operations.flatMap(({ query }) => query.map(({ name }) => name))),
    headers: EVERYWHERE.headers,
  };
}

async function all(rows: AsyncIterable<JobRow>): Promise<JobRow[]> {
  const list: JobRow[] = [];
  for await (const row of rows) list.push({ ...row });
  return list;
}

async function failureOf(work: Promise<unknown>): Promise<JobFailedError> {
  const error = await work.then(() => undefined, (reason: unknown) => reason);
  ok(error instanceof JobFailedError, String(error));
  return error;
}

/** True for a job whose result has the rows of the platform's files or pages. */
function hasRows({ output }: JobDescription): boolean {
  return output !== undefined && output.isFiles !== true;
}

/** One job of each sort: with an operation for its addresses, nested rows, a type of its own, files, and no file. */
const SOME = [
  "workflow-management-service:createWorkflowExecution",
  "brand-metrics:generateBrandMetricsReport",
  "v1-exports:CampaignExport",
  "marketing-mix-modeling:createMmmReport",
  "rule-based-audiences:createQueryBasedAudience",
];

/** A test over some described jobs, and over the others in the long lane. */
function everyJob(
  name: string,
  run: (job: JobDescription, platform: JobPlatform, place: RunJobOptions) => Promise<void>,
): void {
  const over = async (jobs: readonly JobDescription[]): Promise<void> => {
    for (const job of jobs) {
      try {
        await run(job, await JobPlatform.of(job), await placeOf(job));
      } catch (error) {
        throw new Error(`${job.operation}: ${error instanceof Error ? error.message : error}`, {
          cause: error,
        });
      }
    }
  };
  Deno.test(`a job of each sort ${name}`, () =>
    over(JOBS.filter(({ operation }) => SOME.includes(operation))));
  long();
  Deno.test(
    `every other described job ${name}`,
    () => over(JOBS.filter(({ operation }) => !SOME.includes(operation))),
  );
}

everyJob("is created once, waited for as long as it is pending, and read", async (job, platform, place) => {
  const { rhythm } = job;
  const looks = Math.min(8, Math.floor(rhythm.deadline / 2 / rhythm.longest));
  platform.words = [
    ...Array.from({ length: looks }, (_, at) => job.pending[at % job.pending.length]!),
    job.done[0]!,
  ];
  const began = platform.now;
  const { rows, status, files } = await platform.client().run(job.operation, BODY, place);
  equal(status.phase, "done");
  equal(platform.asked.length, 1);
  equal(platform.waits[0], rhythm.first || rhythm.next);
  ok(platform.waits.every((seconds) => seconds <= Math.max(rhythm.first, rhythm.longest)));
  ok(platform.now - began <= rhythm.deadline * 1000);
  if (hasRows(job)) deepEqual(await all(rows), ROWS);
  if (job.output?.isFiles) {
    for await (const { name, bytes } of files()) {
      equal(name, "result.csv");
      ok((await Array.fromAsync(bytes)).length > 0);
    }
  }
  const sent = platform.seen.filter(({ operation }) => operation === "file");
  ok(sent.every(({ headers }) => headers.get("authorization") === null));
});

everyJob(
  "with an unknown status waits until its deadline, and says the word",
  async (job, platform, place) => {
    platform.words = ["WARMING_UP"];
    const began = platform.now;
    const error = await failureOf(platform.client().run(job.operation, BODY, place));
    match(error.message, /it is still WARMING_UP, a status that is not known here, after \d+ minutes/);
    equal((platform.now - began) / 1000 >= job.rhythm.deadline, true);
    platform.jobs[0]!.words = [job.done[0]!];
    platform.now += 1000;
  },
);

everyJob("that fails says the platform's words", async (job, platform, place) => {
  for (const word of job.failed) {
    platform.words = [word];
    platform.more = {
      statusReason: "Too many rows",
      message: "split the days",
      error: { errorCode: "E_42" },
    };
    const error = await failureOf(platform.client().run(job.operation, BODY, place));
    deepEqual([error.status, error.operation], [word, job.operation]);
    match(error.message, new RegExp(`the platform says ${word}: Too many rows: split the days: E_42`));
  }
  const jobs = platform.client();
  await rejects(jobs.run(job.operation, BODY, place), JobFailedError);
  const asked = platform.asked.length;
  await rejects(jobs.run(job.operation, BODY, place), JobFailedError);
  equal(platform.asked.length, asked + 1, "a failed job is requested anew");
});

everyJob("asks for a new address when the first has expired", async (job, platform, place) => {
  if (job.output?.addresses === undefined || job.output.isFiles) return;
  const { rows, status } = await platform.client().run(job.operation, BODY, place);
  platform.now += (platform.lifetime + 1) * 1000;
  deepEqual(await all(rows), ROWS);
  ok(platform.jobs[0]!.addresses >= 2);
  ok(!JSON.stringify(status).includes("s3cr3t"), "a status has no address");
});

everyJob(
  "whose process was killed while it waited is taken up by the next, by its request or id",
  async (job, platform, place) => {
    await using folder = await temporaryFolder();
    platform.words = [job.pending[0]!];
    const killed = new AbortController();
    platform.onWait = () => {
      if (platform.waits.length === 3) killed.abort(new Error("killed"));
    };
    const first = platform.client(folder.path);
    await rejects(first.run(job.operation, BODY, { ...place, signal: killed.signal }), Error);
    platform.jobs[0]!.words = [job.done[0]!];
    const second = await platform.client(folder.path).run(job.operation, BODY, place);
    deepEqual([second.jobId, second.adopted, platform.asked.length], ["job-1", true, 1]);
    const third = platform.client(folder.path);
    equal((await third.wait("job-1")).phase, "done");
    if (hasRows(job)) deepEqual(await all(third.download("job-1")), ROWS);
    for await (const name of Deno.readDir(folder.path)) {
      const text = await Deno.readTextFile(`${folder.path}/${name.name}`);
      ok(!text.includes("files.test") && !text.includes("reach"), "neither addresses nor bodies are kept");
    }
  },
);

everyJob("requested twice at once is created once", async (job, platform, place) => {
  await using folder = await temporaryFolder();
  const shared = platform.client();
  const results = await Promise.all([
    shared.start(job.operation, BODY, place),
    shared.start(job.operation, BODY, place),
  ]);
  deepEqual(results.map(({ record }) => record.jobId), ["job-1", "job-1"]);
  equal(platform.asked.length, 1);
  const ledger = new FileJobLedger(folder.path);
  await platform.client(ledger).start(job.operation, BODY, place);
  const { adopted } = await platform.client(folder.path).start(job.operation, BODY, place);
  deepEqual([adopted, platform.asked.length], [true, 2]);
  await platform.client(ledger).start(job.operation, { ...BODY, endDate: "2026-09-08" }, place);
  equal(platform.asked.length, 3, "another body is another job");
});

everyJob("whose creation lost its response is not created again on a guess", async (job, platform, place) => {
  const ledger = new MemoryJobLedger();
  let isLost = true;
  platform.intervene = ({ operation, body }) => {
    if (operation !== job.operation || !isLost) return undefined;
    isLost = false;
    platform.create(body);
    return new Response("<html>bad gateway</html>", { status: 502 });
  };
  const starting = platform.client(ledger).start(job.operation, BODY, place);
  if (job.token !== undefined) {
    deepEqual([(await starting).record.jobId, platform.jobs.length], ["job-1", 1]);
    const tokens = new Set(platform.asked.map(({ body }) => body?.[job.token!]));
    deepEqual([platform.asked.length, tokens.size, tokens.has(undefined)], [2, 1, false]);
  } else if (job.twice !== "counts") {
    equal((await starting).record.jobId, "job-2", "a second one costs nothing else");
  } else if (job.search !== undefined) {
    const { record, adopted } = await starting;
    deepEqual([record.jobId, adopted, platform.jobs.length], ["job-1", true, 1]);
  } else {
    await rejects(starting, /Cannot tell whether the .* was created: its response was lost/);
    await rejects(platform.client(ledger).start(job.operation, BODY, place), /Nothing was sent again/);
    equal(platform.asked.length, 1);
    const again = await platform.client(ledger).start(job.operation, BODY, { ...place, again: true });
    equal(again.record.jobId, "job-2");
  }
});

everyJob("whose creation was interrupted is not created again on a guess", async (job, platform, place) => {
  if (job.twice !== "counts") return;
  const ledger = new MemoryJobLedger();
  const stopping = new AbortController();
  platform.intervene = ({ operation, body }) => {
    if (operation !== job.operation || stopping.signal.aborted) return undefined;
    platform.create(body);
    stopping.abort(new Error("Interrupted"));
    throw stopping.signal.reason;
  };
  const first = platform.client(ledger).start(job.operation, BODY, { ...place, signal: stopping.signal });
  await rejects(first, /^Error: Interrupted|Cannot tell whether the .* was created/);
  const again = platform.client(ledger).start(job.operation, BODY, place);
  if (job.search === undefined) await rejects(again, /Nothing was sent again/);
  else deepEqual([(await again).record.jobId, (await again).adopted], ["job-1", true]);
  equal(platform.jobs.length, 1);
});

Deno.test("a job with a token is repeated with the same one after its process died, and not after a day", async () => {
  const job = JOBS.find(({ operation }) => operation === "amc-custom-models:createTrainedModelV2");
  ok(job?.token !== undefined);
  const platform = await JobPlatform.of(job);
  const ledger = new MemoryJobLedger();
  const place = await placeOf(job);
  const stopping = new AbortController();
  let isListed = false;
  platform.intervene = ({ operation, body }) => {
    if (operation === job.search?.operation && !isListed) {
      return Response.json({ [job.search.items]: [] });
    }
    if (operation !== job.operation || stopping.signal.aborted) return undefined;
    platform.create(body);
    stopping.abort(new Error("Interrupted"));
    throw stopping.signal.reason;
  };
  await rejects(
    platform.client(ledger).start(job.operation, BODY, { ...place, signal: stopping.signal }),
    /^Error: Interrupted|Start it again: the same request is sent/,
  );
  platform.now += 3600_000;
  const again = await platform.client(ledger).start(job.operation, BODY, place);
  deepEqual([again.record.jobId, platform.jobs.length, platform.asked.length], ["job-1", 1, 2]);
  const [first, second] = platform.asked.map(({ body }) => body?.[job.token!]);
  ok(typeof first === "string" && first === second);
  await all((await platform.client(ledger).run(job.operation, BODY, place)).rows);
  const next = await platform.client(ledger).start(job.operation, BODY, place);
  equal(next.record.jobId, "job-2", "a new request has a new token");
  await ledger.put({ ...next.record, jobId: null, state: "unknown" });
  platform.now += 2 * 86_400_000;
  isListed = true;
  platform.create(BODY);
  await rejects(
    platform.client(ledger).start(job.operation, BODY, place),
    /was lost, and "job-3" and "job-2" look like it\. Nothing was sent again/,
  );
  equal(platform.jobs.length, 3);
});

Deno.test("a lost request of a version without tokens is not repeated on the word of a token", async () => {
  const job = JOBS.find(({ operation }) => operation === "amc-custom-models:createTrainedModelV2");
  ok(job?.search !== undefined);
  const { operation, search } = job;
  const platform = await JobPlatform.of(job);
  const ledger = new MemoryJobLedger();
  const place = await placeOf(job);
  const { record } = await platform.client(ledger).start(operation, BODY, place);
  const { hasToken, ...older } = record;
  equal(hasToken, true);
  platform.intervene = (request) =>
    request.operation === search.operation ? Response.json({ [search.items]: [] }) : undefined;
  await ledger.put({ ...older, jobId: null, state: "unknown" });
  await rejects(platform.client(ledger).start(operation, BODY, place), /Nothing was sent again/);
  equal(platform.asked.length, 1);
});

Deno.test("a lost job that counts is not created again while the list has one that may be it", async () => {
  const cases: readonly [operation: string, body: object, listed: object, mayBe: boolean][] = [
    ["advertiser-data-upload:CreateUpload", { dataSource: { s3: "a" } }, { createdAt: "yesterday" }, true],
    ["advertiser-data-upload:CreateUpload", { dataSource: { s3: "a" } }, { createdAt: undefined }, true],
    [
      "advertiser-data-upload:CreateUpload",
      { dataSource: { s3: "a" } },
      { dataSource: { s3: "a", gz: false } },
      true,
    ],
    ["advertiser-data-upload:CreateUpload", { dataSource: { s3: "a" } }, { dataSource: undefined }, true],
    ["advertiser-data-upload:CreateUpload", { dataSource: { s3: "a" } }, { dataSource: { s3: "b" } }, false],
    ["advertiser-data-upload:CreateUpload", { countryCode: "DE" }, { countryCode: "FR" }, false],
    ["advertiser-data-upload:CreateUpload", { countryCode: "DE" }, { createdAt: "2026-01-01T00:00" }, false],
    ["rule-based-audiences:createQueryBasedAudience", { query: "SELECT 1" }, { query: "select 1\n" }, true],
    ["rule-based-audiences:createQueryBasedAudience", { query: "SELECT 1" }, { query: "SELECT 2" }, false],
    [
      "rule-based-audiences:createQueryBasedAudience",
      { query: "SELECT 1", audienceName: "a" },
      { query: "select 1", audienceName: "b" },
      false,
    ],
  ];
  for (const [operation, body, listed, mayBe] of cases) {
    const job = JOBS.find((one) => one.operation === operation);
    ok(job?.search !== undefined);
    const { items, created, operation: list } = job.search;
    const platform = await JobPlatform.of(job);
    const ledger = new MemoryJobLedger();
    const place = await placeOf(job);
    let isLost = true;
    const item = {
      dataSetId: "set-1",
      ...body,
      [job.idParam]: "job-1",
      [created]: new Date(platform.now).toISOString(),
      ...listed,
    };
    platform.intervene = (request) => {
      if (request.operation === list) return Response.json({ [items]: [item] });
      if (request.operation !== operation || !isLost) return undefined;
      platform.create(request.body);
      return new Response("<html>bad gateway</html>", { status: 502 });
    };
    await rejects(platform.client(ledger).start(operation, body, place), /Nothing was sent again/);
    isLost = false;
    platform.now += 3600_000;
    const again = platform.client(ledger).start(operation, body, place);
    if (mayBe) await rejects(again, /the platform lists "job-1", which may be it: .*Nothing was sent again/);
    else equal((await again).record.jobId, "job-2", JSON.stringify(listed));
    equal(platform.asked.length, mayBe ? 1 : 2, JSON.stringify(listed));
  }
});

Deno.test("a listed job of another request in the ledger keeps no lost one from being created", async () => {
  const operation = "advertiser-data-upload:CreateUpload";
  const job = JOBS.find((one) => one.operation === operation);
  ok(job?.search !== undefined);
  const { items, created, operation: list } = job.search;
  const platform = await JobPlatform.of(job);
  const ledger = new MemoryJobLedger();
  const place = await placeOf(job);
  const [lost, other] = ["a", "b"].map((name) => ({ dataSource: { s3: name } }));
  let isLost = true;
  platform.intervene = (request) => {
    if (request.operation === list) {
      const item = {
        dataSetId: "set-1",
        [job.idParam]: "job-1",
        [created]: new Date(platform.now).toISOString(),
      };
      return Response.json({ [items]: isLost ? [] : [item] });
    }
    return request.operation === operation && isLost
      ? new Response("bad gateway", { status: 502 })
      : undefined;
  };
  await rejects(platform.client(ledger).start(operation, lost, place), /Nothing was sent again/);
  isLost = false;
  platform.now += 3600_000;
  const next = await platform.client(ledger).start(operation, other, place);
  equal(next.record.jobId, "job-1");
  const elsewhere = new MemoryJobLedger();
  for (const record of await ledger.list()) if (record.jobId === null) await elsewhere.put(record);
  await rejects(platform.client(elsewhere).start(operation, lost, place), /"job-1", which may be it/);
  equal((await platform.client(ledger).start(operation, lost, place)).record.jobId, "job-2");
});

Deno.test("equal jobs of two hosts are two jobs, and are listed apart", async () => {
  const [job] = JOBS;
  ok(job !== undefined);
  const platform = await JobPlatform.of(job);
  const ledger = new MemoryJobLedger();
  const here = platform.client(ledger);
  const there = platform.client(ledger, "https://eu.api.test");
  const place = await placeOf(job);
  equal((await here.start(job.operation, BODY, place)).record.jobId, "job-1");
  equal((await there.start(job.operation, BODY, place)).record.jobId, "job-2");
  deepEqual((await here.list()).map(({ jobId, host }) => [jobId, host]), [["job-1", "na.api.test"]]);
  await rejects(there.status("job-1"), /it was not started here/);
});

Deno.test("an open job in a ledger of an older version is used, and then requested with its host", async () => {
  const [job] = JOBS;
  ok(job !== undefined);
  const platform = await JobPlatform.of(job);
  const ledger = new MemoryJobLedger();
  const jobs = platform.client(ledger);
  const place = await placeOf(job);
  const { record: { host: _, ...fresh } } = await jobs.start(job.operation, BODY, place);
  const older = new MemoryJobLedger();
  const { operation, profileId, place: known } = fresh;
  const key = jobKey({ operation, profileId, place: known, body: BODY });
  await older.put({ ...fresh, key });
  const later = platform.client(older);
  deepEqual((await later.list()).map(({ jobId }) => jobId), ["job-1"]);
  const used = await later.run(job.operation, BODY, place);
  deepEqual([used.jobId, used.adopted, platform.asked.length], ["job-1", true, 1]);
  await all(used.rows);
  const { record } = await later.start(job.operation, BODY, place);
  deepEqual([record.jobId, record.host, record.key === key], ["job-2", "na.api.test", false]);
});

Deno.test("of two processes that replace the same lost record, one does", async () => {
  await using folder = await temporaryFolder();
  const place = { pathParams: {}, query: {}, headers: {} };
  const lost: JobRecord = {
    ...{ key: "a".repeat(64), operation: "x:create", status: "x:get", profileId: null, jobId: null, place },
    ...{ state: "unknown", word: null, reason: null, rows: null },
    ...{ askedAt: "2026-09-01T00:00:00.000Z", changedAt: "2026-09-01T00:00:00.000Z" },
  };
  for (const ledger of [new MemoryJobLedger(), new FileJobLedger(folder.path)]) {
    await ledger.put(lost);
    const asking = (minute: number): JobRecord => ({
      ...lost,
      state: "asking",
      askedAt: `2026-09-01T01:0${minute}:00.000Z`,
      changedAt: `2026-09-01T01:0${minute}:00.000Z`,
    });
    equal(await ledger.claim(asking(1), lost), undefined);
    deepEqual(await ledger.claim(asking(2), lost), asking(1));
  }
});

/** Refuses to create a job as a duplicate of one that it does not name. */
function refuseAsDuplicate(platform: JobPlatform, operation: string): void {
  platform.intervene = (request) =>
    request.operation === operation
      ? Response.json({ code: "425", detail: "The request is being processed" }, { status: 425 })
      : undefined;
}

everyJob(
  "that is refused as a duplicate is the newest equal one in the list",
  async (job, platform, place) => {
    if (job.search === undefined) return;
    for (const minutes of [0, 20, 20]) {
      platform.now += minutes * 60_000;
      platform.create(BODY);
    }
    platform.create({ ...BODY, startDate: "2026-08-01", workflowId: "other" });
    platform.jobs.unshift(platform.jobs.splice(2, 1)[0]!);
    refuseAsDuplicate(platform, job.operation);
    const { record, adopted } = await platform.client().start(job.operation, BODY, place);
    deepEqual([record.jobId, adopted, platform.asked.length, platform.waits], ["job-3", true, 1, []]);
  },
);

everyJob(
  "that is refused as a duplicate of none in the list is requested again",
  async (job, platform, place) => {
    refuseAsDuplicate(platform, job.operation);
    platform.onWait = () => {
      if (platform.waits.length === 2) platform.intervene = () => undefined;
    };
    const { record, adopted } = await platform.client().start(job.operation, BODY, place);
    deepEqual([record.jobId, adopted, platform.asked.length], ["job-1", false, 3]);
  },
);

Deno.test("a report refused as a duplicate of one that is gone is requested again", async () => {
  const job = JOBS.find(({ operation }) => operation === "v1-all-reports:AdsApiv1CreateReport");
  ok(job !== undefined);
  const platform = await JobPlatform.of(job);
  platform.intervene = ({ operation }) =>
    operation === job.operation && platform.waits.length < 2
      ? Response.json({ detail: "The Request is a duplicate of : gone-1" }, { status: 425 })
      : undefined;
  const { record, adopted } = await platform.client().start(job.operation, BODY, await placeOf(job));
  deepEqual([record.jobId, adopted, platform.asked.length], ["job-1", false, 3]);
});

Deno.test("a job obeys the option check", async () => {
  const [job] = JOBS.filter(({ operation }) => operation === "v1-exports:CampaignExport");
  ok(job !== undefined);
  const platform = await JobPlatform.of(job);
  const jobs = platform.client();
  await rejects(jobs.run(job.operation, { stateFilters: ["PAUSED"] }, { check: "strict" }), SchemaError);
  equal(platform.asked.length, 0);
  await jobs.run(job.operation, { stateFilters: ["PAUSED"] }, { check: "off" });
  equal(platform.asked.length, 1);
});

Deno.test("parameters that no operation of a job takes are refused all at once, with a suggestion", async () => {
  const job = JOBS.find(({ operation }) => operation === "rule-based-audiences:createQueryBasedAudience");
  ok(job !== undefined);
  const platform = await JobPlatform.of(job);
  const jobs = platform.client();
  const misspelt = { ...await placeOf(job), pathParams: { instance: "1" }, query: { limit: "5" } };
  await rejects(
    jobs.run(job.operation, BODY, misspelt),
    /has no path parameter "instance": it takes none; it has no query parameter "limit": it takes "maxResults", "nextToken"/,
  );
  const query = { platform: 1 };
  await rejects(
    jobs.run("workflow-management-service:createWorkflowExecution", BODY, {
      pathParams: { instanceID: "1" },
      query,
    }),
    /no path parameter "instanceID": did you mean "instanceId"\?; it has no query parameter "platform": it takes/,
  );
  await rejects(
    jobs.status({ jobId: "1", operation: job.operation, query }),
    /no query parameter "platform"/,
  );
  equal(platform.seen.length, 0);
});

everyJob("that can be cancelled is, and says how it ended", async (job, platform, place) => {
  platform.words = [job.pending[0]!];
  const jobs = platform.client();
  const { record } = await jobs.start(job.operation, BODY, place);
  if (job.cancel === undefined) {
    await rejects(jobs.cancel(record.jobId), /Cannot cancel .*: the platform has no way/);
    return;
  }
  const status = await jobs.cancel(record.jobId);
  ok(status.phase === "cancelled" || status.phase === "failed", status.phase);
  await rejects(jobs.wait(record.jobId), JobFailedError);
  deepEqual((await jobs.list()).map(({ jobId }) => jobId), ["job-1"]);
});

everyJob("without rows is empty and no failure", async (job, platform, place) => {
  if (!hasRows(job)) return;
  platform.rows = [];
  const jobs = platform.client();
  deepEqual(await all((await jobs.run(job.operation, BODY, place)).rows), []);
  deepEqual((await jobs.list()).map(({ state, rows }) => [state, rows]), [["read", 0]]);
});

Deno.test("a network failure before anything was sent leaves nothing open", async () => {
  const [job] = JOBS;
  ok(job !== undefined);
  const platform = await JobPlatform.of(job);
  platform.intervene = () => {
    throw Object.assign(new TypeError("refused"), { code: "ECONNREFUSED" });
  };
  const jobs = platform.client();
  await rejects(jobs.start(job.operation, BODY, await placeOf(job)), NetworkError);
});

Deno.test("many rows in each form of file are read as they come", async () => {
  for (const operation of Object.keys(FORMS)) equal(await readManyRows(operation, 15_000), 15_000, operation);
});
