/** A service of one profile that never ends its work: a test kills its process. Arguments: place of the store, time. */
import type { ProfileClient } from "../../src/client/profile_client.ts";
import { timeZoneOf } from "../../src/base/markets/markets.ts";
import { parseService, runService } from "../../src/automation/service/mod.ts";

const [place = "", now = ""] = Deno.args;
const profile = {
  profileId: "100",
  countryCode: "US",
  timeZone: timeZoneOf({ countryCode: "US" }),
  transport: { now: () => Number(now) },
} as unknown as ProfileClient;
await runService([profile], {
  file: parseService("version: 1\nprofiles: all\ntimers: { sync: hourly }", "service.yaml"),
  place,
  store: {} as never,
  plans: {} as never,
  work: {
    sync: async () => {
      console.log("began");
      await new Promise((resume) => setTimeout(resume, 600_000));
      return "never";
    },
  },
});
