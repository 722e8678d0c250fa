import { deepEqual, equal, match, ok, rejects } from "../support/assert.ts";
import { emulated } from "../support/emulated.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { Warehouse } from "../../src/store/warehouse/warehouse.ts";
import { UNITS } from "../../src/automation/service/units/units.ts";
import { checkService, parseService } from "../../src/automation/service/mod.ts";
import { isQuiet } from "../../src/automation/service/model/service.ts";
import { long } from "../support/long.ts";

function faultsOf(text: string): string[] {
  try {
    parseService(text, "s.yaml");
  } catch (error) {
    return (error as Error).message.split("\n").slice(1);
  }
  return [];
}

Deno.test("a file with everything is read, with the timers in the order of their work", () => {
  const { timers, profiles, quietHours, reporting } = parseService(
    `version: 1
profiles: [US, 141810961081710, "12345678901234567890"]
timers:
  watch: every 1h
  sync: { at: nightly 04:00, missed: skip }
  schedules: every 15m
  pacing: nightly 05:00
reporting: 1
files: { watch: rules.yaml }
scripts:
  - { file: jobs/waste.ts, at: weekly mon 07:00 }
quiet_hours: 22:00-07:00
`,
    "s.yaml",
  );
  deepEqual(timers.map(({ name, missed, file }) => [name, missed, file]), [
    ["sync", "skip", undefined],
    ["schedules", "run", "schedules.yaml"],
    ["pacing", "run", "pacing.yaml"],
    ["watch", "run", "rules.yaml"],
    ["script waste.ts", "run", "jobs/waste.ts"],
  ]);
  deepEqual(profiles, ["US", "141810961081710", "12345678901234567890"]);
  equal(reporting, 1);
  deepEqual(quietHours, { from: 22 * 60, to: 7 * 60 });
});

Deno.test("quiet hours may last over midnight", () => {
  const night = { from: 22 * 60, to: 7 * 60 };
  deepEqual([21 * 60 + 59, 22 * 60, 0, 7 * 60 - 1, 7 * 60].map((minute) => isQuiet(night, minute)), [
    false,
    true,
    true,
    true,
    false,
  ]);
  equal(isQuiet({ from: 60, to: 120 }, 90), true);
  equal(isQuiet({ from: 60, to: 120 }, 130), false);
});

Deno.test("everything that is wrong with a file is named at once, with its line", () => {
  const faults = faultsOf(`version: 1
profiles: []
timers:
  sync: nightly 25:00
  snyc: nightly
  watch: { at: hourly, misssed: skip }
quiet_hours: 22-7
`);
  ok(faults.length >= 4, faults.join("\n"));
  for (
    const [line, word] of [[2, "profiles"], [5, "snyc"], [6, "misssed"], [
      7,
      "quiet_hours",
    ]] as const
  ) {
    ok(
      faults.some((fault) => fault.startsWith(`s.yaml:${line}:`) && fault.includes(word)),
      `${line} ${faults.join("\n")}`,
    );
  }
  const times = faultsOf(`version: 1
profiles: all
timers:
  sync: nightly 25:00
  snyc: nightly
scripts:
  - { file: a.ts, at: weekly 07:00 }
  - { file: b/c.ts, at: hourly }
  - { file: d/c.ts, at: hourly }
`);
  deepEqual(times.map((fault) => fault.split(": ")[0]), ["s.yaml:5", "s.yaml:4", "s.yaml:7", "s.yaml:9"]);
  ok(times[1]!.includes("every 15m"), times[1]);
  const [id] = faultsOf("version: 1\nprofiles: [12345678901234567890]\ntimers: { sync: nightly }\n");
  ok(id?.includes("s.yaml:2:") && id.includes("long profile ids in quotes"), id);
  equal(faultsOf("version: 1\nprofiles: all\ntimers: {}\n").length, 1, "a service that does nothing");
  deepEqual(
    [
      "",
      "version: 1\nversion: 1\n",
      "version: 1\nprofiles: all\ntimers: { sync: nightly }\nquiet_hours: 07:00-07:00\n",
    ].map((text) => faultsOf(text).map((fault) => fault.split(" at line")[0])),
    [
      ["s.yaml: It is empty"],
      ["s.yaml:2: Map keys must be unique"],
      ["s.yaml:4: quiet_hours: Start and end are the same, so no hour is quiet"],
    ],
  );
});

Deno.test("the stream may be continuous and nothing else, a queue wants a timer, and jobs want a store in PostgreSQL", () => {
  const { timers, queue, jobs } = parseService(
    `version: 1
profiles: all
store: postgres://ads@db/ads
queue: arn:aws:sqs:us-east-1:123456789012:hourly
jobs: 4
timers: { stream: continuous }
`,
    "s.yaml",
  );
  deepEqual(timers.map(({ name, timer }) => [name, timer]), [
    ["stream", { kind: "every", minutes: 60, isContinuous: true }],
  ]);
  deepEqual([queue, jobs], ["arn:aws:sqs:us-east-1:123456789012:hourly", 4]);
  equal(parseService("version: 1\nprofiles: all\njobs: 1\ntimers: {}", "s.yaml").jobs, 1);
  deepEqual(
    faultsOf(
      "version: 1\nprofiles: all\nstore: ads.sqlite\nqueue: q\njobs: 2\ntimers: { sync: continuous }\n",
    ).map((
      line,
    ) => line.replace(/Expected.*/, "")),
    [
      "s.yaml:6: timers.sync: Only stream is continuous. ",
      "s.yaml:5: jobs: Only a store in PostgreSQL has a queue of jobs",
      "s.yaml:4: queue: Nothing reads the queue: timers has no stream",
    ],
  );
  const [address] = faultsOf(
    "version: 1\nprofiles: all\nstore: postgres://a:hidden@db:1:x\ntimers: { sync: nightly }\n",
  );
  equal(
    address,
    "s.yaml:3: store: Expected the path of a file, or postgres://USER:PASSWORD@HOST:PORT/DATABASE",
  );
});

Deno.test("sync of a service asks the reporting API that its file names", async () => {
  await using world = await emulated({ emulator: { quirks: { reportSeconds: 0 } } });
  await using folder = await temporaryFolder();
  const text = "version: 1\nprofiles: [US]\nreports: [campaigns]\nreporting: new\ntimers: { sync: hourly }";
  const path = folder.file("service.yaml");
  await Deno.writeTextFile(path, text);
  const file = await checkService(path);
  const store = await Warehouse.open(folder.file("ads.sqlite"));
  const run = { profile: world.us, file, signal: new AbortController().signal };
  const sync: Warehouse["sync"] = (profiles, options) =>
    store.sync(profiles, { ...options, start: "2025-09-01", end: "2025-09-02" });
  match(String(await UNITS.sync.run(run as never, { store: { sync } } as never)), /^1 report, \d+ rows$/);
  const [line] = await store.coverage();
  deepEqual([line!.fromReporting1, line!.firstDay], [2, "2025-09-01"]);
  await store.close();

  await Deno.writeTextFile(path, text.replace("campaigns", "campaigns, sdCampaigns:matchedTarget"));
  await rejects(
    checkService(path),
    /service\.yaml:3.*The new reports do not have sd_campaigns_by_matched_target/,
  );
  equal(parseService(text.replace("reporting: new", "reporting: old"), "s.yaml").reporting, 3);
  match(String(faultsOf(text.replace("reporting: new", "reporting: 2"))), /Expected old or new/);
});

long();
Deno.test("sync of a service stores hours where its file says so", async () => {
  await using world = await emulated({ emulator: { quirks: { reportSeconds: 0 } } });
  await using folder = await temporaryFolder();
  const text = "version: 1\nprofiles: [US]\nreports: [sp_campaigns]\nhours: true\ntimers: { sync: hourly }";
  const file = parseService(text, "s.yaml");
  const store = await Warehouse.open(folder.file("ads.sqlite"), { now: world.time.now });
  const run = { profile: world.us, file, signal: new AbortController().signal };
  const sync: Warehouse["sync"] = (profiles, options) =>
    store.sync(profiles, { ...options, start: "2026-09-28", end: "2026-09-29" });
  match(String(await UNITS.sync.run(run as never, { store: { sync } } as never)), /^2 reports, \d+ rows$/);
  const { rows } = await store.query("SELECT count(DISTINCT hour) AS hours FROM sp_traffic_hourly");
  deepEqual(rows, [{ hours: 24 }]);
  await store.close();
  deepEqual(faultsOf(text.replace("sync: hourly", "drift: hourly")), [
    "s.yaml:4: hours: Nothing pulls them: timers has no sync",
  ]);
});
