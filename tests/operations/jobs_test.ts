import { deepEqual, equal, match, throws } from "../support/assert.ts";
import { Transport } from "../../mod.ts";
import { Poller } from "../../src/client/jobs/poller.ts";
import { effectOfJob, jobRun } from "../../src/operations/reads/jobs.ts";
import { STUB_CREDENTIALS, stubPlatform } from "../support/stub_client.ts";
import { interfaces } from "./support/interfaces.ts";

const EFFECTS = {
  "v1-exports:CampaignExport": "reads",
  "sponsored-display:listCampaigns": "reads",
  "rule-based-audiences:createQueryBasedAudience": "changes",
  "advertiser-data-upload:CreateUserDeletionRequest": "unknown",
};

Deno.test("a job is judged by its description, else by the catalog, and agents run none that may change", async () => {
  for (const [operation, effect] of Object.entries(EFFECTS)) {
    deepEqual(await effectOfJob(operation), { id: operation, effect });
  }
  await using at = await interfaces();
  const answer = async (operation: string): Promise<string> => (await at.tool(jobRun, { operation })).text;
  match(await answer("advertiser-data-upload:CreateUserDeletionRequest"), /it does not only read/);
  match(
    await answer("sponsored-display:listCampaigns"),
    /not described\. Name the operation that returns its status/,
  );
});

Deno.test("a parameter of a job is given once, by name", async () => {
  await using at = await interfaces();
  const twice = await at.adsctl(jobRun, { operation: "v1-exports:CampaignExport" }, [
    "--query",
    "a=1",
    "--query",
    "a=2",
  ]);
  equal(twice.code, 2);
  match(twice.stderr, /give a once/);
  const nameless = await at.adsctl(jobRun, { operation: "v1-exports:CampaignExport" }, [
    "--path",
    "instance",
  ]);
  equal(nameless.code, 2);
  match(nameless.stderr, /write name=value/);
});

Deno.test("a client that bounds its polls waits no longer than that, whatever a job asks", async () => {
  const slept: number[] = [];
  const world = { now: () => 0, sleep: (seconds: number) => Promise.resolve(void slept.push(seconds)) };
  const polled = async (own: object): Promise<number[]> => {
    slept.length = 0;
    const poller = new Poller({ ...world, ...own }, { poll: 5, maxPoll: 60, timeout: 100 });
    for (let count = 0; count < 3; count++) await poller.wait();
    return [...slept];
  };
  deepEqual(await polled({}), [5, 7.5, 11.25]);
  deepEqual(await polled({ maxPoll: 1 }), [1, 1, 1]);
});

Deno.test("a bound of polls that is no time is refused, rather than polling without a pause", () => {
  const connection = { platform: stubPlatform("http://127.0.0.1:9"), credentials: STUB_CREDENTIALS };
  for (const maxPoll of [0, -1, NaN]) {
    throws(() => new Transport(connection, { maxPoll }), /Cannot poll at most every .* it is not above 0/);
  }
});
