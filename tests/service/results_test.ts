import {
  checkService,
  parseService,
  runService,
  type ServiceEvent,
} from "../../src/automation/service/mod.ts";
import { Warehouse } from "../../src/store/warehouse/warehouse.ts";
import { deepEqual, equal, match, rejects } from "../support/assert.ts";
import { type Emulated, emulated } from "../support/emulated.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

const CLICKS = "/* ---\nsync: { days: 7 }\n--- */\nSELECT SUM(clicks) AS clicks FROM sponsored_ads_traffic\n";
const HEAD = "version: 1\nprofiles: [US]\ntimers: { sync: nightly 04:00 }\n";

function faultsOf(text: string): string[] {
  try {
    parseService(text, "s.yaml");
  } catch (error) {
    return (error as Error).message.split("\n").slice(1);
  }
  return [];
}

Deno.test("results have timers of their own at the time of sync, and what is wrong has its line", () => {
  const text = `${HEAD}workflows: queries\nroom: Fernpfad\njob_reports: [attribution, dsp]\n`;
  const { timers, room, jobReports, advertisers } = parseService(
    `${text}advertisers: { US: ["590001", 590002] }\n`,
    "s.yaml",
  );
  deepEqual(timers.map(({ name, at, file }) => [name, at, file]), [
    ["sync", "nightly 04:00", undefined],
    ["workflows", "nightly 04:00", "queries"],
    ["job_reports", "nightly 04:00", undefined],
  ]);
  deepEqual([room, jobReports, advertisers], ["Fernpfad", ["attribution", "dsp"], {
    US: ["590001", "590002"],
  }]);
  deepEqual(faultsOf(text), [
    's.yaml:6: job_reports: DSP reports need advertisers, such as { US: ["590001"] }',
  ]);
  deepEqual(faultsOf(text.replace("sync: nightly 04:00", "drift: hourly").replace(", dsp", "")), [
    "s.yaml:4: workflows: Nothing pulls them: timers has no sync",
    "s.yaml:6: job_reports: Nothing pulls them: timers has no sync",
  ]);
  const wrong = faultsOf(`${HEAD}room: Fernpfad\njob_reports: [atribution]\nadvertisers: { DE: ["1"] }\n`);
  match(
    wrong[0] ?? "",
    /^s\.yaml:5: job_reports\.0: .*there is no report "atribution", did you mean "attribution"/,
  );
  deepEqual(wrong.slice(1), [
    "s.yaml:4: room: Nothing runs in a clean room: workflows is missing",
    "s.yaml:6: advertisers.DE: This is none of the profiles, so nothing requests the reports",
  ]);
  match(
    faultsOf(`${HEAD}job_reports: [dsp, atribution]\nadvertisers: { us: ["1"] }\n`).join("\n"),
    /^s\.yaml:4: job_reports\.1: .*there is no report "atribution", did you mean "attribution"[^\n]*$/,
    "words after the DSP reports are checked too, and a country counts in either case",
  );
});

Deno.test("an advertiser of version 2 of DSP reports has digits, and one profile that requests them", () => {
  const [all, two] = ["all", "[US, CA]"].map((profiles) =>
    HEAD.replace(/profiles: .*/, `profiles: ${profiles}`) + "job_reports: [dsp-v2]\n"
  );
  const ids = 'advertisers: { US: ["590001", ENTITY1], CA: [590001, 590002] }\n';
  const digits =
    's.yaml:5: advertisers.US: dsp-v2: version 2 only takes ids of advertisers, which are digits, not "ENTITY1"';
  deepEqual(faultsOf(two + ids), [
    digits,
    "s.yaml:5: advertisers.CA: dsp-v2: An advertiser belongs to one profile, and 590001 is under US too",
  ]);
  deepEqual(faultsOf(all + 'advertisers: { "123": [590001], US: [590002] }\n'), [
    "s.yaml:5: advertisers.US: dsp-v2: An advertiser belongs to one profile, and a country may have several: name the " +
    "profile by its id",
  ]);
  deepEqual(faultsOf(`${two!.replace("dsp-v2", "dsp")}advertisers: { US: [ENTITY1], CA: [ENTITY1] }\n`), []);
});

Deno.test("the check of a service reads its queries, and names a folder that is not there", async () => {
  await using folder = await temporaryFolder();
  await Deno.mkdir(folder.file("queries"));
  const [path, sql] = [folder.file("service.yaml"), folder.file("queries/clicks.sql")];
  await Deno.writeTextFile(path, `${HEAD}workflows: ${JSON.stringify(folder.file("queries"))}\n`);
  await rejects(checkService(path), /service\.yaml:4: workflows: .*it has no file that ends in \.sql/);
  await Deno.writeTextFile(sql, "DELETE FROM sponsored_ads_traffic");
  await rejects(checkService(path), /clicks\.sql:1: The query must begin with SELECT or WITH/);
  await Deno.writeTextFile(sql, CLICKS);
  equal((await checkService(path)).timers.length, 2);
});

interface World extends AsyncDisposable {
  readonly at: Emulated;
  readonly store: Warehouse;
  readonly events: ServiceEvent[];
  readonly problems: string[];
  readonly queries: string;
  /** Runs what is due, then ends. */
  once(options?: { readonly signal?: AbortSignal }): Promise<void>;
  advance(hours: number): void;
  /** Requests that created a job. */
  created(): string[];
  /** Called whenever the client waits. */
  onWait: () => void;
}

async function world(more: string, head = HEAD): Promise<World> {
  const folder = await temporaryFolder();
  const later = (seconds: number): void => {
    at.time.advance(seconds);
    at.emulator.advance(seconds);
  };
  const made = { onWait: (): void => {} };
  const at: Emulated = await emulated({
    client: {
      sleep: (seconds) => {
        made.onWait();
        later(seconds);
        return Promise.resolve();
      },
    },
  });
  const [first] = await at.ads.cleanRooms({ region: "NA" });
  const place = folder.file("ads.sqlite");
  const store = await Warehouse.open(place, { now: at.time.now });
  const queries = folder.file("queries");
  await Deno.mkdir(queries);
  await Deno.writeTextFile(`${queries}/clicks.sql`, CLICKS);
  const events: ServiceEvent[] = [];
  const problems: string[] = [];
  const file = parseService(`${head}${more.replace("QUERIES", JSON.stringify(queries))}\n`, "s.yaml");
  const world = Object.assign(made, {
    at,
    store,
    events,
    problems,
    queries,
    once: async (options: { readonly signal?: AbortSignal } = {}) => {
      await runService([at.us], {
        file,
        place,
        store,
        plans: {} as never,
        once: true,
        room: () => at.ads.cleanRoom(first?.instanceId),
        work: { sync: () => Promise.resolve("fine") },
        onProblem: (reason) => problems.push(reason),
        onEvent: (event) => {
          if (event.kind !== "began" && event.timer !== "sync") events.push(event);
        },
        ...options,
      });
    },
    advance: (hours: number) => later(hours * 3600),
    created: () =>
      at.emulator.requests().filter(({ method, path }) =>
        method === "POST" && /workflowExecutions$|brandMetrics\/report$|attribution\/report$/.test(path)
      ).map(({ path }) => path.split("/").at(-1) ?? ""),
    [Symbol.asyncDispose]: async () => {
      await store.close();
      await folder.remove();
      await at[Symbol.asyncDispose]();
    },
  });
  return world;
}

Deno.test("a service stores results of clean rooms and weekly reports, and asks for no window twice", async () => {
  await using made = await world("workflows: QUERIES\njob_reports: [brand-metrics]");
  await made.once();
  deepEqual(made.events.map(({ kind, timer, profileId }) => [kind, timer, profileId === ""]).sort(), [
    ["done", "job_reports", false],
    ["done", "workflows", true],
  ]);
  const { rows: [row] } = await made.store.query(
    "SELECT (SELECT count(*) FROM clean_room_clicks) AS clicks, count(DISTINCT window_start) AS weeks FROM brand_metrics",
  );
  equal(row?.["clicks"], 1);
  equal(Number(row?.["weeks"]) >= 4, true, JSON.stringify(row));
  const before = made.created().length;
  await made.once();
  equal(made.events.length, 2, "nothing is due");
  made.advance(24);
  await made.once();
  deepEqual(made.events.slice(2).map(({ kind, detail }) => [kind, detail]), [
    ["done", "0 windows, 0 rows"],
    ["done", "0 windows, 0 rows"],
  ]);
  equal(made.created().length, before);
});

Deno.test("advertisers of a country in any spelling have their reports; those of no profile are said at the start", async () => {
  await using made = await world(
    'job_reports: [dsp-campaigns]\nadvertisers: { " us": ["590001"], gb: ["590002"], "77": ["590003"] }',
    HEAD.replace("[US]", "all"),
  );
  await made.once();
  const { rows } = await made.store.query("SELECT DISTINCT advertiser_id AS id FROM dsp_campaigns");
  deepEqual(rows.map(({ id }) => id), ["590001"]);
  // Keys of digits come first in the file as it is read.
  deepEqual(made.problems, [
    "Nothing requests the reports of advertisers for 77, gb in s.yaml: the service has no such profile",
  ]);
});

Deno.test("a query that fails is said with its window, and retried; the reports do not wait for it", async () => {
  await using made = await world("workflows: QUERIES\njob_reports: [brand-metrics]");
  await Deno.writeTextFile(
    `${made.queries}/broken.sql`,
    "SELECT COUNT(missing) AS n FROM sponsored_ads_traffic",
  );
  await made.once();
  const failed = made.events.filter(({ kind }) => kind === "failed");
  equal(failed.length, 1);
  match(
    failed[0]?.detail ?? "",
    /^4 of 5 windows are not stored, first broken from 2026-\d\d-\d\d to .*: .*no such column: missing/,
  );
  await Deno.remove(`${made.queries}/broken.sql`);
  made.advance(0.2);
  await made.once();
  const last = made.events.at(-1);
  deepEqual([last?.timer, last?.kind, last?.attempt], ["workflows", "done", 2]);
});

Deno.test("a service that is ended while a query runs is followed by one that resumes the run", async () => {
  await using made = await world("workflows: QUERIES");
  const stop = new AbortController();
  made.onWait = () => stop.abort(new Error("enough"));
  await made.once({ signal: stop.signal });
  deepEqual(made.events.map(({ kind }) => kind), ["stopped"]);
  deepEqual(made.created(), ["workflowExecutions"]);
  made.onWait = () => {};
  await made.once();
  deepEqual(made.events.map(({ kind, detail }) => [kind, detail]).slice(1), [["done", "1 window, 1 row"]]);
  deepEqual(made.created(), ["workflowExecutions"]);
});
