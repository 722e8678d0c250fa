import { DatabaseSync } from "node:sqlite";
import { PlatformAds, type ProfileClient } from "../../mod.ts";
import { Emulator } from "../../src/emulator/mod.ts";
import {
  decideBase,
  parseSchedules,
  type Schedule,
  ScheduleState,
  stopSchedules,
  tickSchedules,
  wantedAt,
} from "../../src/schedules/mod.ts";
import { equal, ok } from "../support/assert.ts";
import { FakeTime } from "../support/fake_time.ts";
import { SeededRandom } from "../support/seeded_random.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

const HOUR = 3_600_000;
/** Seven campaigns in Los Angeles, seven in London, six in Tokyo. */
const MARKETS = [["US", 7], ["UK", 7], ["JP", 6]] as const;

const FILE = (ids: readonly string[]): string =>
  `version: 1
schedules:
  bids:
    select: { ids: [${ids.map((id) => `"${id}"`).join(", ")}] }
    move: bid
    max: 400
    grid:
      - { days: [mon, tue, wed, thu, fri], hours: "00-06", factor: 0.5 }
      - { days: [mon, tue, wed, thu, fri], hours: "18-22", factor: 1.4 }
      - { days: [sat, sun], factor: 0.8 }
    events: [{ name: Prime, from: 2026-07-14, to: 2026-07-16, factor: 1.5 }]
  budgets:
    select: { ids: [${ids.map((id) => `"${id}"`).join(", ")}] }
    move: budget
    grid: [{ days: [fri, sat], hours: "12-24", factor: 1.25 }]
`;

interface Place {
  readonly profile: ProfileClient;
  readonly schedules: readonly Schedule[];
  readonly ids: readonly string[];
  /** What each thing is without schedules: by move and id. */
  readonly bases: Map<string, number>;
}

interface YearOptions {
  readonly seed: number;
  readonly from: string;
  readonly hours: number;
  readonly step: number;
}

/** Counts of what happened. */
interface YearResult {
  ticks: number;
  checked: number;
  kills: number;
  lost: number;
  foreign: number;
  throttled: number;
  wrong: string[];
}

/** Amounts now by move and id, from the platform's own lists. */
async function live({ profile, ids }: Pick<Place, "profile" | "ids">): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const campaignIds = [...ids];
  for (const { campaignId, budget } of await profile.sp.campaigns.list({ ids: campaignIds })) {
    found.set(`budget ${campaignId}`, budget.budget);
  }
  // What is in an archived ad group is moved by nobody.
  const groups = new Set((await profile.sp.adGroups.list({ campaignIds })).map(({ adGroupId }) => adGroupId));
  for (const { keywordId, adGroupId, bid } of await profile.sp.keywords.list({ campaignIds })) {
    if (bid !== undefined && groups.has(adGroupId)) found.set(`bid ${keywordId}`, bid);
  }
  return found;
}

async function year({ seed, from, hours, step }: YearOptions): Promise<YearResult> {
  const random = new SeededRandom(seed);
  const start = Date.parse(from);
  await using folder = await temporaryFolder();
  const file = `${folder.path}/ads.sqlite`;
  const emulator = await Emulator.start({ clock: { now: from, frozen: true }, seed: `year ${seed}` });
  const time = new FakeTime({ now: from });
  let writesLeft = Infinity;
  const ads = new PlatformAds(emulator.credentials, {
    platform: emulator.platform,
    now: time.now,
    sleep: time.sleep,
    random: () => 0.5,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      if (request.method !== "PUT") return await fetch(request);
      if (--writesLeft < 0) throw new Error("killed");
      const response = await fetch(request);
      if (writesLeft > 0) return response;
      // The last write is done, and the killed program does not hear of it.
      await response.body?.cancel();
      throw new Error("killed");
    },
  });
  const state = await ScheduleState.open(file);
  const result: YearResult = { ticks: 0, checked: 0, kills: 0, lost: 0, foreign: 0, throttled: 0, wrong: [] };
  try {
    const places: Place[] = [];
    for (const [market, count] of MARKETS) {
      const profile = await ads.profile(market);
      const ids = (await profile.sp.campaigns.list()).slice(0, count).map(({ campaignId }) => campaignId);
      const schedules = parseSchedules(FILE(ids), "year.yaml").schedules.map((one) => ({
        ...one,
        zone: profile.timeZone,
      }));
      places.push({ profile, schedules, ids, bases: await live({ profile, ids }) });
    }
    const wantedOf = (place: Place, key: string, moment: number): number => {
      const schedule = place.schedules.find(({ move }) => key.startsWith(`${move} `))!;
      return wantedAt(schedule, place.bases.get(key)!, moment, { countryCode: place.profile.countryCode });
    };
    for (let hour = 0; hour < hours; hour += step) {
      const now = start + hour * HOUR;
      // Waits of the client may have moved its clock a little beyond.
      time.advance(Math.max(0, now - time.now()) / 1000);
      if (hour > 0) emulator.advance(step * 3600);
      for (const place of places) {
        const { profile, schedules } = place;
        const dice = random.next();
        if (dice < 0.08) {
          result.lost += 1;
          continue;
        }
        if (dice > 0.97) {
          const [key] = [...place.bases.keys()].filter((one) => one.startsWith("bid "))
            .slice(random.integer(0, 5));
          await profile.sp.keywords.update([{
            keywordId: key!.slice(4),
            bid: profile.countryCode === "JP" ? 77 : 0.77,
          }]);
          result.foreign += 1;
        } else if (dice > 0.94) {
          emulator.setFaults([{
            match: { method: "PUT" },
            times: random.integer(1, 3),
            effects: { response: { status: 429 } },
          }]);
          result.throttled += 1;
        } else if (dice > 0.9) writesLeft = random.integer(0, 2);
        try {
          const { busy } = await tickSchedules(profile, { schedules, state, now });
          if (busy) result.wrong.push(`${new Date(now).toISOString()} busy`);
          result.ticks += 1;
        } catch (error) {
          if (!/killed/.test(String((error as Error).message))) throw error;
          result.kills += 1;
          // The lease of a dead program runs out after a minute of the database's clock.
          const database = new DatabaseSync(file);
          database.exec("DELETE FROM schedule_leases");
          database.close();
          continue;
        } finally {
          writesLeft = Infinity;
          emulator.setFaults([]);
        }
        const kept = new Set(
          (await state.bases(profile.profileId)).filter((base) => base.kept !== null).map(({ move, id }) =>
            `${move} ${id}`
          ),
        );
        const amounts = await live(place);
        const isWhole = dice <= 0.9 || dice > 0.97;
        for (const [key, amount] of amounts) {
          if (!place.bases.has(key) || kept.has(key)) continue;
          result.checked += 1;
          const wanted = wantedOf(place, key, now);
          const base = place.bases.get(key)!;
          // A write that was cut off or throttled is left to the next tick; no amount is ever beyond what was wanted.
          const most = Math.max(base, wanted, base * 1.4 * 1.5 + 0.01);
          if ((isWhole && amount !== wanted) || amount > most) {
            result.wrong.push(
              `${new Date(now).toISOString()} ${profile.countryCode} ${key}: ${amount}, wanted ${wanted}`,
            );
          }
        }
        // A person looks at what is kept now and then, and gives some of it another base.
        if (kept.size > 0 && random.next() < 0.2) {
          for (const key of kept) {
            const [, id] = key.split(" ") as [string, string];
            const base = amounts.get(key)!;
            await decideBase(profile, { state, id, base });
            place.bases.set(key, base);
          }
        }
      }
    }
    for (const place of places) {
      const { profile } = place;
      for (const { id, kept } of await state.bases(profile.profileId)) {
        if (kept !== null) await decideBase(profile, { state, id });
      }
      await stopSchedules(profile, { state, now: time.now() });
      const after = await live(place);
      for (const [key, base] of place.bases) {
        if (after.get(key) !== base) {
          result.wrong.push(`after stop ${profile.countryCode} ${key}: ${after.get(key)}, base ${base}`);
        }
      }
      const left = await state.bases(profile.profileId);
      if (left.length > 0) result.wrong.push(`after stop ${left.length} bases are kept`);
    }
    return result;
  } finally {
    await state.close();
    await emulator.stop();
  }
}

/** Days around changes of the clock: the United States and the United Kingdom, in spring and in autumn. */
const RUNS: readonly YearOptions[] = [
  { seed: 1, from: "2026-03-08T00:00:00Z", hours: 36, step: 3 },
  { seed: 2, from: "2026-10-24T18:00:00Z", hours: 36, step: 3 },
];

for (const options of RUNS) {
  Deno.test(`from ${options.from} on live is wanted after every tick in three zones, and every base is back after stop`, async () => {
    const { wrong, ...counts } = await year(options);
    equal(wrong.length, 0, wrong.slice(0, 10).join("\n"));
    ok(counts.ticks > 15 && counts.checked > 1000, JSON.stringify(counts));
  });
}

// VIRTUAL_YEAR=6 walks a whole year in steps of six hours: minutes of work.
const whole = Number(Deno.env.get("VIRTUAL_YEAR") ?? 0);
Deno.test({
  name: "a year over 20 campaigns in three zones leaves no bid that was not wanted",
  ignore: !(whole > 0),
  fn: async () => {
    const seed = Number(Deno.env.get("VIRTUAL_YEAR_SEED") ?? 32);
    const { wrong, ...counts } = await year({
      seed,
      from: "2026-01-01T00:00:00Z",
      hours: 365 * 24,
      step: whole,
    });
    console.log(JSON.stringify(counts));
    equal(wrong.length, 0, wrong.slice(0, 20).join("\n"));
  },
});
