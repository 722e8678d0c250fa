import { deepEqual, equal, match } from "../support/assert.ts";
import { ServiceState } from "../../src/automation/service/mod.ts";
import { type Alert, WatchState } from "../../src/automation/watch/mod.ts";
import { listAlerts } from "../../src/operations/reads/alerts.ts";
import { showService } from "../../src/operations/automation/service_status.ts";
import { interfaces } from "./support/interfaces.ts";

Deno.test("a service stands the same in adsctl and in the console, and is down for both", async () => {
  await using at = await interfaces();
  const now = at.world.emulator.clock.now();
  const service =
    "version: 1\nprofiles: [US, CA]\ntimers: { sync: nightly 04:00, drift: hourly, watch: hourly }\n";
  await Deno.writeTextFile(`${at.world.folder}/service.yaml`, service);
  const ads = await at.context.ads();
  const [us, ca] = [await ads.profile("US"), await ads.profile("CA")];
  const units = async (code: number) => {
    const { stdout, stderr, ...ended } = await at.adsctl(showService, { service }, ["--json"]);
    equal(ended.code, code, stderr);
    const { status, data } = await at.page.ask("/api/service");
    equal(status, 200);
    deepEqual(data.units, JSON.parse(stdout));
    return { ...data, stderr };
  };
  const state = await ServiceState.open(`${at.world.folder}/ads.sqlite`);
  const first = await units(0);
  deepEqual([first.is_down, first.lines], [true, ["No service has run yet"]]);
  match(first.stderr, /No service has run yet. To start it:\n {2}adsctl auto run \S+service\.yaml/);

  const due = Math.floor(now / 3_600_000) * 3_600_000;
  const run = { due, attempt: 1, now: now - 60_000 };
  await state.begin({ profileId: us.profileId, timer: "watch" }, run);
  await state.end({ profileId: us.profileId, timer: "watch" }, { ...run, outcome: "failed", detail: "full" });
  await state.begin({ profileId: ca.profileId, timer: "drift" }, run);
  await state.close();
  const second = await units(3);
  equal(second.is_down, false);
  deepEqual(
    second.units.map(({ country_code: country, timer, at, state }: Record<string, unknown>) =>
      `${country} ${timer} (${at}) ${state}`
    ),
    [
      "US sync (nightly 04:00) due",
      "US drift (hourly) due",
      "US watch (hourly) failed",
      "CA sync (nightly 04:00) due",
      "CA drift (hourly) runs",
      "CA watch (hourly) due",
    ],
  );
});

Deno.test("a service file that is wrong, or whose market has no profile or several, is refused in both", async () => {
  await using at = await interfaces();
  await (await ServiceState.open(`${at.world.folder}/ads.sqlite`)).close();
  for (
    const [market, time, problem] of [
      ["CA", "sometimes", /"sometimes" is not a time/],
      ["DE", "hourly", /2 match\.[^]+\nWrite an id in place of DE in the profiles of \S*service\.yaml$/m],
      ["SE", "hourly", /Cannot find a profile for market "SE"/],
    ] as const
  ) {
    const service = `version: 1\nprofiles: [US, ${market}]\ntimers: { sync: ${time} }\n`;
    await Deno.writeTextFile(`${at.world.folder}/service.yaml`, service);
    const { code, stderr } = await at.adsctl(showService, { service });
    const { status, data } = await at.page.ask("/api/service");
    deepEqual([code, status], [2, 409], market);
    match(data.error.message, problem);
    match(stderr, problem);
  }
});

Deno.test("a region that does not respond is named, and the timers of the others are shown", async () => {
  await using at = await interfaces();
  await (await ServiceState.open(`${at.world.folder}/ads.sqlite`)).close();
  const service = "version: 1\nprofiles: all\ntimers: { watch: hourly }\n";
  await Deno.writeTextFile(`${at.world.folder}/service.yaml`, service);
  at.world.emulator.setFaults(["EU", "FE"].map((region) => ({
    match: { region: region as "EU" | "FE" },
    effects: { response: { status: 403 } },
  })));
  const { code, stdout, stderr } = await at.adsctl(showService, { service }, ["--json"]);
  equal(code, 3, stderr);
  match(stderr, /Cannot reach region EU of \S+service\.yaml: /);
  const { status, data } = await at.page.ask("/api/service");
  equal(status, 200);
  match(data.unreachable.join(), /^Cannot reach region EU of \S*service\.yaml: /);
  deepEqual(data.unreachable.map((text: string) => /region (\w+)/.exec(text)?.[1]), ["EU", "FE"]);
  const countries = (units: { country_code: string }[]) => new Set(units.map((unit) => unit.country_code));
  const shown = countries(data.units);
  deepEqual(shown, countries(JSON.parse(stdout)));
  deepEqual([shown.has("US"), shown.has("DE")], [true, false]);
});

Deno.test("a market of a region that does not respond is named, and the shared timers keep its time zone", async () => {
  await using at = await interfaces();
  await (await ServiceState.open(`${at.world.folder}/ads.sqlite`)).close();
  at.world.emulator.setFaults([{ match: { region: "FE" }, effects: { response: { status: 403 } } }]);
  const show = async (markets: string) => {
    const service = `version: 1\nprofiles: [${markets}]\ntimers: { stream: nightly 04:00 }\n`;
    await Deno.writeTextFile(`${at.world.folder}/service.yaml`, service);
    const { code, stdout, stderr } = await at.adsctl(showService, { service }, ["--json"]);
    return {
      code,
      stderr,
      units: stdout === "" ? [] : JSON.parse(stdout),
      ...await at.page.ask("/api/service"),
    };
  };
  for (const [first, zone] of [["JP", "Asia/Tokyo"], ['"910000000001"', "America/Los_Angeles"]]) {
    const { code, stderr, units, status, data } = await show(`${first}, US`);
    deepEqual([code, status], [3, 200], stderr);
    const silent = new RegExp(`^Cannot reach ${first!.replaceAll('"', "")} of \\S*service\\.yaml: `, "m");
    match(stderr, silent);
    match(data.unreachable.join(), silent);
    deepEqual(units.map((unit: Record<string, unknown>) => [unit.country_code, unit.time_zone]), [[
      "all",
      zone,
    ]]);
    deepEqual(data.units, units);
  }
  for (const [other, problem] of [["SE", /Cannot find a profile/], ["DE", /2 match/]] as const) {
    const { code, stderr } = await show(`US, ${other}`);
    equal(code, 2, stderr);
    match(stderr, problem);
  }
});

Deno.test("filters of alerts come before the limit, and every interface says that there are more", async () => {
  await using at = await interfaces();
  const { profileId } = await (await at.context.ads()).profile("CA");
  const alert = (index: number, severity: Alert["severity"]): Alert => ({
    id: index.toString(16).padStart(12, "0"),
    day: severity === "urgent" ? "2026-11-01" : "2026-11-20",
    at: severity === "urgent" ? "2026-11-01T08:00:00.000Z" : "2026-11-20T08:00:00.000Z",
    profileId,
    countryCode: "CA",
    rule: severity,
    over: "campaign",
    severity,
    key: String(index),
    subject: "Shoes",
    since: "2026-11-01",
    title: `Alert ${index}`,
    text: 'It says "severity":"urgent"',
    facts: {},
    planId: null,
  });
  await using state = await WatchState.open(`${at.world.folder}/ads.sqlite`);
  const notes = Array.from({ length: 1001 }, (_, index) => alert(index + 1, "note"));
  await state.raise([alert(0, "urgent"), ...notes].map((one) => ({
    alert: one,
    quietDays: 0,
    channels: [],
    isComplete: true,
  })));
  for (const input of [{ severity: ["urgent"] }, { rule: "urgent" }]) {
    const { stdout } = await at.adsctl(listAlerts, input, ["--json"]);
    const { data } = await at.tool(listAlerts, input);
    const ids = (rows: { id: string }[]) => rows.map(({ id }) => id);
    deepEqual([ids(JSON.parse(stdout)), ids(data.rows)], [["000000000000"], ["000000000000"]]);
  }
  equal((await at.page.ask("/api/counts")).data.alerts, 1);
  equal((await at.page.ask("/api/alerts/000000000000")).data.alert.title, "Alert 0");
  const shown = await at.agent.call("get_alert", { market: "CA", id: "000000000000" });
  equal(shown.data.alert.title, "Alert 0");
  const note = "Only the newest 1000 alerts are here: choose a severity, a rule or a first day for others";
  const { stderr } = await at.adsctl(listAlerts, {}, ["--json"]);
  match(stderr, /The newest 50 of 1000 alerts/);
  match(stderr, new RegExp(note));
  deepEqual((await at.tool(listAlerts, {})).data.notes, [note]);
  const inbox = (await at.page.ask("/api/alerts")).data;
  deepEqual(inbox.notes, [
    "Only the newest alerts are here: adsctl auto alerts --since lists those of other days",
  ]);
  equal(inbox.alerts.length, 1001);
  equal(inbox.alerts.filter(({ severity }: { severity: string }) => severity === "urgent").length, 1);
  const { data: since } = await at.tool(listAlerts, { since: "2026-11-21" });
  deepEqual([since.rows, since.notes], [[], undefined]);
});
