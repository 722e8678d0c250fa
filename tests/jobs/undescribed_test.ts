import { JobFailedError } from "../../mod.ts";
import { MemoryJobLedger } from "../../src/client/jobs/job_ledger.ts";
import type { JobRow, RunJobOptions } from "../../src/client/jobs/mod.ts";
import { undescribedJob } from "../../src/client/jobs/undescribed_job.ts";
import { deepEqual, equal, match, rejects } from "../support/assert.ts";
import { JobPlatform } from "../support/job_platform.ts";

const CREATE = "advertiser-data-upload:CreateUserDeletionRequest";
const STATUS = "advertiser-data-upload:GetUserDeletionRequest";
const NAMED: RunJobOptions = { status: STATUS, pathParams: { instanceId: "instance-1" }, check: "off" };
const HEADERS = {
  "Platform-Advertising-API-AdvertiserId": "ENTITY1",
  "Platform-Advertising-API-MarketplaceId": "MARKET1",
};
const OPTIONS: RunJobOptions = { ...NAMED, headers: HEADERS };
const BODY = { identities: [] };

async function all(rows: AsyncIterable<JobRow>): Promise<JobRow[]> {
  return await Array.fromAsync(rows, (row) => ({ ...row }));
}

Deno.test("a job that is not described runs by the names of its two operations, and is resumed", async () => {
  const platform = await JobPlatform.of(await undescribedJob(CREATE, { status: STATUS }));
  platform.words = ["PENDING", "RUNNING", "SUCCEEDED"];
  const ledger = new MemoryJobLedger();
  const first = await platform.client(ledger).run(CREATE, BODY, OPTIONS);
  deepEqual([first.status.phase, platform.asked.length], ["done", 1]);
  deepEqual((await all(first.rows)).map((row) => row["status"]), ["SUCCEEDED"]);
  const started = await platform.client(ledger).start(CREATE, { ...BODY, other: 1 }, OPTIONS);
  // Its record names both operations.
  equal((await platform.client(ledger).wait(started.record.jobId)).phase, "done");
  equal(platform.asked.length, 2);
});

Deno.test("a job that is not described fetches files, and knows words that are named", async () => {
  const names = { status: STATUS, addresses: "result.url", done: ["finished"], failed: ["broken"] };
  const platform = await JobPlatform.of({
    ...await undescribedJob(CREATE, names),
    output: { addresses: "result.url" },
  });
  platform.words = ["WARMING_UP", "FINISHED"];
  const options = { ...OPTIONS, ...names };
  const { rows } = await platform.client().run(CREATE, BODY, options);
  platform.now += (platform.lifetime + 1) * 1000;
  deepEqual(await all(rows), [{ name: "a", value: "1" }, { name: "b", value: "2" }]);
  platform.words = ["BROKEN"];
  platform.more = { message: "no such identities" };
  await rejects(
    platform.client().run(CREATE, BODY, options),
    (error: Error) =>
      error instanceof JobFailedError && /says BROKEN: no such identities/.test(error.message),
  );
});

Deno.test("names that make no job are refused before anything is sent, with the next step", async () => {
  const platform = await JobPlatform.of(await undescribedJob(CREATE, { status: STATUS }));
  const jobs = platform.client();
  const refusal = async (work: Promise<unknown>): Promise<string> =>
    await work.then(() => "", (error: Error) => error.message);
  const { status: _, ...unnamed } = OPTIONS;
  match(await refusal(jobs.run(CREATE, BODY, unnamed)), new RegExp(`is not described\\. Name .*${STATUS}`));
  const create = { ...OPTIONS, status: "advertiser-data-upload:CreateUpload" };
  match(await refusal(jobs.run(CREATE, BODY, create)), /that operation does not read one job by its id/);
  const misspelt = { ...OPTIONS, status: "advertiser-data-upload:GetUserDeletionRequests" };
  match(await refusal(jobs.run(CREATE, BODY, misspelt)), /GetUserDeletionRequest/);
  match(
    await refusal(jobs.run(CREATE, BODY, { ...OPTIONS, pathParams: { instance: "1" } })),
    /no path parameter "instance": did you mean "instanceId"/,
  );
  match(await refusal(jobs.run(CREATE, BODY, { ...OPTIONS, pathParams: {} })), /"instanceId" is missing/);
  equal(platform.seen.length, 0);
});
