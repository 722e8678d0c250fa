import type { Profile } from "../../../../client/profile.ts";
import { spellReport } from "../../../../client/reports/requests/presets.ts";
import {
  isUnit,
  TIMED_WORK,
  type TimedWork,
  type UnitName,
  unitOf,
} from "../../../../automation/service/units/units.ts";
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
  const timerLines = TIMED_WORK.flatMap((work) => timerLine(work, units));
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
${timerLines.join("\n")}
# files: { schedules: schedules.yaml, watch: watch.yaml }
# scripts:
#   - { file: waste.ts, at: weekly mon 07:00 } # a skeleton: adsctl auto script --new waste.ts
quiet_hours: 22:00-07:00 # only urgent alerts are delivered in these hours; others wait
`;
}

function timerLine(work: TimedWork, units: ReadonlySet<UnitName>): string[] {
  const { usual } = unitOf(work);
  if (usual === undefined) return [];
  const line = `${work}: ${usual.at}`;
  if (!isUnit(work)) return [`  ${line} # ${usual.note}`];
  if (units.has(work)) return [`  ${line}`];
  return [`  # ${line} # first: adsctl ${work === "goals" ? "plan goals init" : `auto init ${work}`}`];
}
