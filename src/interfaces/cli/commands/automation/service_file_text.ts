import type { Profile } from "../../../../client/profile.ts";
import { spellReport } from "../../../../client/reports/requests/presets.ts";
import type { UnitName } from "../../../../automation/service/unit_files.ts";
import { visibleText } from "../../../../base/text/visible_text.ts";

interface FileFacts {
  readonly profiles: readonly Pick<Profile, "profileId" | "countryCode" | "accountInfo">[];
  readonly store: string | undefined;
  readonly reports: readonly string[];
  readonly units: ReadonlySet<UnitName>;
}

/** Returns the text of a new service file. Timers whose settings file does not exist yet are commented out. */
export function serviceFileText(facts: FileFacts): string {
  const { profiles, store, reports, units } = facts;
  const byMarket = Map.groupBy(profiles, ({ countryCode }) => countryCode);
  // A market with several profiles does not name one of them.
  const lines = profiles.map(({ profileId, countryCode, accountInfo }) => {
    const isAlone = byMarket.get(countryCode)?.length === 1;
    return `  - ${isAlone ? countryCode : `"${profileId}"`} # ${isAlone ? "" : `${countryCode}, `}${
      visibleText(`${accountInfo.name ?? ""}, ${accountInfo.type}`)
    }`;
  });
  const line = (unit: UnitName, at: string, init = `adsctl auto init ${unit}`): string =>
    units.has(unit) ? `  ${unit}: ${at}` : `  # ${unit}: ${at} # first: ${init}`;
  return `# Service: timers and their profiles. Times are local to each market.
# Check it with "adsctl auto check", run it with "adsctl auto run".
version: 1
profiles: # country codes or profile ids; or: all
${lines.join("\n")}
${store === undefined ? "# store: ads.sqlite" : `store: ${JSON.stringify(store)}`} # or postgres://...
${
    reports.length === 0
      ? "# reports: [campaigns, search-terms] # of sync; default: those of adsctl sync"
      : `reports: [${reports.map(spellReport).join(", ")}] # of sync; these are in the store`
  }
timers: # nightly 04:00, daily 09:30, weekly mon 07:00, hourly, every 15m
  sync: nightly 04:00 # yesterday's reports, and restated days
  entities: { at: nightly 04:30, missed: run } # campaigns to ads; missed: skip drops missed runs
  drift: hourly # changes that no plan made
${line("schedules", "every 15m")}
${line("pacing", "nightly 05:00")}
${line("goals", "weekly mon 06:00", "adsctl plan goals init")}
${line("watch", "hourly")}
# files: { schedules: schedules.yaml, watch: watch.yaml }
# scripts:
#   - { file: waste.ts, at: weekly mon 07:00 } # a skeleton: adsctl auto script --new waste.ts
quiet_hours: 22:00-07:00 # only urgent alerts are delivered in these hours; others wait
`;
}
