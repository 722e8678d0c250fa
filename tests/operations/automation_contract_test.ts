import { deepEqual, equal, match } from "../support/assert.ts";
import { ServiceState } from "../../src/automation/service/mod.ts";
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
      ["DE", "hourly", /2 match\. Give the profile id/],
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
