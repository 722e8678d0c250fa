import { deepEqual, equal, ok } from "../support/assert.ts";
import { catalog, PlatformAds } from "../../mod.ts";
import { describedJob } from "../../src/client/jobs/descriptions.ts";
import { reportedAccounts } from "../../src/client/reports/account_marketplaces.ts";
import { Emulator } from "../../src/emulator/mod.ts";
import { fileURLToPath } from "node:url";
import { longFile } from "../support/long.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import type { JobDone, JobWork } from "./support/job_runner.ts";

longFile();

const RUNNER = fileURLToPath(new URL("support/job_runner.ts", import.meta.url));
const DAYS = { startDate: "2026-09-01", endDate: "2026-09-07" };

type Job = Omit<JobWork, "platform" | "credentials" | "now" | "ledger" | "dies">;

/** A job that counts: a second one would cost a second report. Its results are files. */
const MMM: Job = {
  operation: "marketing-mix-modeling:createMmmReport",
  headers: { "Platform-Advertising-API-Manager-Account": "manager-1" },
  isFiles: true,
  body: {
    ...DAYS,
    configuration: {
      brandGroupId: "1",
      metricsType: "MEDIA_ONLY",
      geoDimension: "COUNTRY",
      timeUnit: "DAILY",
    },
  },
};

/** The platform behind a gate that sees each request before and after it is answered. */
async function world({ step = 900, reportSeconds = 3000 } = {}) {
  const emulator = await Emulator.start({
    clock: { now: "2026-09-30T12:00:00Z", frozen: true },
    quirks: { reportSeconds },
  });
  const folder = await temporaryFolder();
  const gate = { onRequest: (_moment: "before" | "after", _path: string): void => {} };
  const server: Deno.HttpServer<Deno.NetAddr> = Deno.serve({
    port: 0,
    hostname: "127.0.0.1",
    onListen: () => {},
  }, async (request): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    const { method, headers } = request;
    const body = method === "GET" ? null : await request.arrayBuffer();
    gate.onRequest("before", pathname);
    // The platform's time goes on with every request.
    emulator.advance(step);
    const response = await fetch(`${emulator.url}${pathname}${search}`, { method, headers, body });
    const bytes = new Uint8Array(await response.arrayBuffer());
    gate.onRequest("after", pathname);
    const type = response.headers.get("content-type") ?? "";
    const isText = type.includes("json");
    const text = isText ? new TextDecoder().decode(bytes).replaceAll(emulator.url, address) : bytes;
    return new Response([204, 304].includes(response.status) ? null : text, {
      status: response.status,
      headers: { "content-type": type },
    });
  });
  const address: string = `http://127.0.0.1:${server.addr.port}`;
  const { credentials } = emulator;
  const platform = JSON.parse(JSON.stringify(emulator.platform).replaceAll(emulator.url, address));
  return {
    emulator,
    gate,
    start: (job: Job, { ledger, dies }: { ledger: string; dies?: number }): Deno.ChildProcess => {
      const work: JobWork = {
        ...{ platform, credentials, now: emulator.clock.now(), ledger: `${folder.path}/${ledger}`, ...job },
        ...(dies === undefined ? {} : { dies }),
      };
      return new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", "-q", "--no-check", RUNNER, JSON.stringify(work)],
        stdout: "piped",
        stderr: "piped",
      }).spawn();
    },
    [Symbol.asyncDispose]: async () => {
      await server.shutdown();
      await emulator.stop();
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function done(process: Deno.ChildProcess): Promise<JobDone> {
  const { code, stdout, stderr } = await process.output();
  equal(code, 0, new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

/** Ends a process, and tells whether it had been killed. */
async function wasKilled(process: Deno.ChildProcess): Promise<boolean> {
  return (await process.output()).signal === "SIGKILL";
}

Deno.test("a job whose process was killed at any request or step of its ledger is resumed: one request, one result", async () => {
  await using at = await world();
  const { emulator, gate } = at;
  const created = (): number =>
    emulator.requests().filter(({ operation, status }) => operation === MMM.operation && status === 200)
      .length;
  const passed: string[] = [];
  gate.onRequest = (moment, path) => void passed.push(`${moment} ${path}`);
  const whole = await done(at.start(MMM, { ledger: "whole" }));
  ok(whole.count > 0);
  equal(created(), 1);
  const isOf = (point: string): boolean => !point.includes("/auth/");
  const requests = passed.filter(isOf);
  // Its creation, looks and files: each before and after the platform did its work.
  ok(requests.length >= 10, requests.join(", "));
  const points = [
    ...requests.keys().map((request) => ({ request })),
    ...Array.from({ length: 4 }, (_, at) => ({ dies: at + 1 })),
  ];
  for (const [at_, point] of points.entries()) {
    const name = "dies" in point ? `after step ${point.dies} of the ledger` : requests[point.request]!;
    // Other days, so that no earlier job is equal.
    const endDate = `2026-08-${String(at_ + 1).padStart(2, "0")}`;
    const job = { ...MMM, body: { ...MMM.body as object, startDate: "2026-07-01", endDate } };
    const before = created();
    const ledger = `killed-${at_}`;
    let left = "request" in point ? point.request : Infinity;
    gate.onRequest = () => {};
    const process = at.start(job, { ledger, ...("dies" in point ? { dies: point.dies } : {}) });
    gate.onRequest = (_, path) => {
      if (isOf(path) && left-- === 0) process.kill("SIGKILL");
    };
    ok(await wasKilled(process), `it was killed ${name}`);
    gate.onRequest = () => {};
    // Longer than a request may take.
    emulator.advance(1000);
    const { count } = await done(at.start(job, { ledger }));
    equal(created() - before, 1, `requests for the job when it was killed ${name}`);
    ok(count > 0, name);
  }
});

Deno.test("two processes that run the same job at once request it once, and both read it", async () => {
  await using at = await world();
  const { emulator } = at;
  const processes = [1, 2].map(() => at.start(MMM, { ledger: "shared" }));
  const [first, second] = await Promise.all(processes.map(done));
  deepEqual([first!.jobId, first!.count], [second!.jobId, second!.count]);
  deepEqual([first!.adopted, second!.adopted].sort(), [false, true]);
  const asked = emulator.requests().filter(({ operation }) => operation === MMM.operation);
  equal(asked.length, 1);
});

/** A job of each family beside marketing mix reports, with a body that differs by a day. */
async function families(
  { credentials, platform, clock }: Emulator,
): Promise<Record<string, (day: string) => Job>> {
  const ads = new PlatformAds(credentials, { platform, now: () => clock.now() });
  const us = await ads.profile("US");
  const { profileId, profile: { accountInfo: { id, marketplaceStringId } } } = us;
  const { ids: [advertiserAccountId] } = await reportedAccounts(us, {}, undefined);
  const [room] = await ads.cleanRooms({ region: "NA" });
  ok(room && id && typeof marketplaceStringId === "string");
  const days = (day: string) => ({ startDate: day, endDate: "2026-09-27" });
  const fields = ["date.value", "campaign.id", "metric.clicks"];
  return {
    "a report of version 3": (day) => ({
      profileId,
      operation: "reporting:createAsyncReport",
      body: {
        ...days(day),
        name: "killed",
        configuration: {
          adProduct: "SPONSORED_PRODUCTS",
          reportTypeId: "spCampaigns",
          groupBy: ["campaign"],
          columns: ["date", "campaignId", "clicks"],
          timeUnit: "DAILY",
          format: "GZIP_JSON",
        },
      },
    }),
    "a report of free fields": (day) => ({
      profileId,
      operation: "v1-all-reports:AdsApiv1CreateReport",
      body: {
        accessRequestedAccounts: [{ advertiserAccountId }],
        reports: [{
          format: "PARTITIONED_GZIP_JSON",
          periods: [{ datePeriod: days(day) }],
          query: { fields },
        }],
      },
    }),
    "an export": (day) => ({
      profileId,
      operation: "v1-exports:CampaignExport",
      // Exports have no days: their filters differ.
      body: {
        adProductFilter: ["SPONSORED_PRODUCTS"],
        stateFilter:
          [["ENABLED"], ["PAUSED", "ENABLED"], ["ENABLED", "PAUSED", "ARCHIVED"]][Number(day.at(-1)) % 3],
      },
    }),
    "a DSP report": (day) => ({
      profileId,
      pathParams: { accountId: "ENTITY1" },
      operation: "dsp-reports:createReportV3",
      body: days(day),
    }),
    "brand metrics": (day) => ({
      profileId,
      operation: "brand-metrics:generateBrandMetricsReport",
      body: { reportStartDate: day, reportEndDate: "2026-09-27" },
    }),
    "a clean-room query": (day) => ({
      operation: "workflow-management-service:createWorkflowExecution",
      pathParams: { instanceId: room.instanceId },
      headers: {
        "Platform-Advertising-API-AdvertiserId": id,
        "Platform-Advertising-API-MarketplaceId": marketplaceStringId,
      },
      body: {
        workflow: {
          workflowId: "killed",
          sqlQuery: "SELECT campaign, SUM(clicks) AS clicks FROM sponsored_ads_traffic GROUP BY campaign",
        },
        timeWindowType: "EXPLICIT",
        timeWindowStart: `${day}T00:00:00`,
        timeWindowEnd: "2026-09-26T00:00:00",
      },
    }),
  };
}
Deno.test("a job of each family whose process was killed is resumed by the next, and requested once", async (t) => {
  await using at = await world({ step: 100, reportSeconds: 250 });
  const { emulator, gate } = at;
  const created = ({ operation }: Job): number =>
    emulator.requests().filter((one) => one.operation === operation && (one.status ?? 500) < 300).length;
  for (const [name, jobOf] of Object.entries(await families(emulator))) {
    const { path, method } = await catalog.get(jobOf("2026-09-20").operation);
    const creation = new RegExp(`${path.replace(/\{[^}]+\}/g, "[^/]+")}$`);
    equal(method, "POST");
    // Killed as its creation has been carried out, at the second look, and as its file is fetched.
    const points: readonly [what: string, is: (moment: string, path: string, at: number) => boolean][] = [
      ["once it is created", (moment, path) => moment === "after" && creation.test(path)],
      ["while it waits", (moment, path, at) => at === 4 && moment === "before" && !creation.test(path)],
      ["as its file is fetched", (_, path) => path.startsWith("/files/")],
    ];
    for (const [number, [what, is]] of points.entries()) {
      await t.step(`${name}, killed ${what}`, async () => {
        const job = jobOf(`2026-09-2${number}`);
        const before = created(job);
        let seen = 0;
        let isKilled = false;
        gate.onRequest = () => {};
        const ledger = `${name.replaceAll(" ", "-")}-${number}`;
        const process = at.start(job, { ledger });
        gate.onRequest = (moment, path) => {
          if (isKilled || path.includes("/auth/") || !is(moment, path, seen++)) return;
          isKilled = true;
          process.kill("SIGKILL");
        };
        ok(await wasKilled(process), "it was killed");
        gate.onRequest = () => {};
        // Longer than a request may take.
        emulator.advance(1000);
        const { count } = await done(at.start(job, { ledger }));
        ok(count > 0);
        // One whose id was lost with its process, which the platform lists nowhere and which costs nothing else, is requested anew.
        const isLost = number === 0 && describedJob(job.operation)?.search === undefined;
        equal(created(job) - before, isLost ? 2 : 1);
      });
    }
  }
});
