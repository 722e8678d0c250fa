import type { Emulator, JsonObject } from "../../../src/emulator/mod.ts";
import { type Schedule, wantedAt } from "../../../src/automation/schedules/mod.ts";

/** Seven campaigns in Los Angeles, seven in London, six in Tokyo; what is done with the changes of others. */
export const MARKETS = [["US", 7, "keep"], ["UK", 7, "adopt"], ["JP", 6, "insist"]] as const;
/** Keywords of a campaign that are left: a year has 26,000 ticks. */
const KEYWORDS = 3;

/** Schedules of some campaigns. */
export const fileOf = (ids: readonly string[], edits: string): string => {
  const select = `{ ids: [${ids.map((id) => `"${id}"`).join(", ")}] }`;
  return `version: 1
schedules:
  bids:
    select: ${select}
    move: bid
    max: 400
    foreign_edits: ${edits}
    grid:
      - { days: [mon, tue, wed, thu, fri], hours: "00-02,03-06", factor: 0.5 }
      - { days: [mon, tue, wed, thu, fri], hours: "18-22", factor: 1.4 }
      - { days: [sat, sun], hours: "00-01", factor: 0.6 }
      - { days: [sat, sun], hours: "01-02", factor: 0.7 }
      - { days: [sat, sun], hours: "02-24", factor: 0.8 }
    events: [{ name: Prime, from: 2026-07-14, to: 2026-07-16, factor: 1.5 }]
  budgets:
    select: ${select}
    move: budget
    grid: [{ days: [fri, sat], hours: "12-24", factor: 1.25 }]
`;
};

/** Factor of a schedule by the clock on the wall, read in another way than schedules do. */
export function factorOf(move: "bid" | "budget", moment: number, timeZone: string): number {
  const text = new Date(moment).toLocaleString("en-GB", {
    timeZone,
    weekday: "short",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    hourCycle: "h23",
  });
  const [, day = "", date = "", month = "", hours = ""] =
    /([A-Z][a-z]{2})\D*(\d\d)\/(\d\d)\D*(\d\d)/.exec(text) ?? [];
  const hour = Number(hours);
  if (move === "budget") return /Fri|Sat/.test(day) && hour >= 12 ? 1.25 : 1;
  const event = month === "07" && Number(date) >= 14 && Number(date) <= 16 ? 1.5 : 1;
  if (/Sat|Sun/.test(day)) return event * (hour < 1 ? 0.6 : hour < 2 ? 0.7 : 0.8);
  if (hour < 6) return event * (hour === 2 ? 1 : 0.5);
  return event * (hour >= 18 && hour < 22 ? 1.4 : 1);
}

/** Leaves some campaigns with one ad group and a few keywords each, and archives everything else. */
export function smallAccount(emulator: Emulator, profileId: string, count: number): string[] {
  const profile = emulator.state.profile(profileId)!;
  const all = (kind: string): JsonObject[] => [...profile.collection(kind).all()];
  // What is in an archived ad group is moved by nobody.
  const open = new Set(
    all("sp.ad_groups").filter(({ state }) => state !== "ARCHIVED").map(({ adGroupId }) => adGroupId),
  );
  const keywords = all("sp.keywords").filter(({ bid, state, adGroupId }) =>
    typeof bid === "number" && state !== "ARCHIVED" && open.has(adGroupId)
  );
  const owners = new Set(keywords.map(({ campaignId }) => String(campaignId)));
  const ids = all("sp.campaigns").filter(({ state }) => state !== "ARCHIVED")
    .map(({ campaignId }) => String(campaignId))
    .toSorted((a, b) => Number(owners.has(b)) - Number(owners.has(a)))
    .slice(0, count);
  const kept = new Set<unknown>(
    ids.flatMap((id) => keywords.filter(({ campaignId }) => campaignId === id).slice(0, KEYWORDS)),
  );
  const groups = new Set(
    keywords.filter((one) => kept.has(one)).map(({ adGroupId }) => String(adGroupId)),
  );
  for (const kind of ["sp.campaigns", "sp.ad_groups", "sp.keywords", "sp.targets"]) {
    for (const entity of all(kind)) {
      const isKept = kind === "sp.campaigns"
        ? ids.includes(String(entity.campaignId))
        : kind === "sp.ad_groups"
        ? groups.has(String(entity.adGroupId))
        : kept.has(entity);
      if (!isKept) profile.collection(kind).replace({ ...entity, state: "ARCHIVED" });
    }
  }
  return ids;
}

/** Amounts now by move and id, as the platform has them. */
export function live(emulator: Emulator, profileId: string): Map<string, number> {
  const profile = emulator.state.profile(profileId)!;
  const found = new Map<string, number>();
  const add = (
    move: string,
    kind: string,
    [idField, amountOf]: readonly [string, (one: JsonObject) => unknown],
  ) => {
    for (const entity of profile.collection(kind).all()) {
      if (entity.state !== "ARCHIVED") found.set(`${move} ${entity[idField]}`, Number(amountOf(entity)));
    }
  };
  add("budget", "sp.campaigns", ["campaignId", ({ budget }) => (budget as JsonObject).budget]);
  add("bid", "sp.ad_groups", ["adGroupId", ({ defaultBid }) => defaultBid]);
  add("bid", "sp.keywords", ["keywordId", ({ bid }) => bid]);
  return found;
}

/** Wanted amount of a factor. */
export function amountOf(
  schedule: Schedule,
  { base, factor, market }: { readonly base: number; readonly factor: number; readonly market: string },
): number {
  const always = { ...schedule, events: [], grid: [{ factor }] };
  return wantedAt(always, base, 0, { countryCode: market });
}
