import { type Fetch, PlatformAds } from "../../mod.ts";
import { Emulator } from "../../src/emulator/mod.ts";
import {
  decideBase,
  factorAt,
  parseSchedules,
  type Schedule,
  ScheduleState,
  stopSchedules,
  tickSchedules,
  wantedAt,
} from "../../src/automation/schedules/mod.ts";
import { deepEqual, equal, ok } from "../support/assert.ts";
import { FakeTime } from "../support/fake_time.ts";
import { SeededRandom } from "../support/seeded_random.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { Life, mortalState } from "./support/mortal_state.ts";
import { fetchOf } from "./support/fetch_of.ts";
import { SEED, WHOLE_SUITE } from "./support/size.ts";
import { amountOf, factorOf, fileOf, live, MARKETS, smallAccount } from "./support/year_account.ts";
import { longFile } from "../support/long.ts";

longFile();

const HOUR = 3_600_000;
/** The highest factor of bids: that of the evening, on a day of the event. */
const HIGHEST = 1.4 * 1.5;
/** A profile with its schedules, and what is known of it. */
interface Place {
  readonly market: string;
  readonly edits: typeof MARKETS[number][2];
  readonly profileId: string;
  readonly zone: string;
  readonly schedules: readonly Schedule[];
  /** Amount without schedules, by move and id. */
  readonly bases: Map<string, number>;
  /** What somebody else set since, and the bases that it may mean. */
  readonly foreign: Map<string, { readonly amount: number; readonly least: number; readonly most: number }>;
  /** Factors of bids of the last whole tick, and of those that were killed since. */
  factors: readonly number[];
  /** True once a tick was whole. */
  isBased: boolean;
}

/** Counts of what happened. */
interface YearResult {
  ticks: number;
  checked: number;
  kills: number;
  lost: number;
  foreign: number;
  throttled: number;
  repeated: number;
  wrong: string[];
}

/** Plays hours of an account and its programs. */
class Year {
  readonly result: YearResult = {
    ticks: 0,
    checked: 0,
    kills: 0,
    lost: 0,
    foreign: 0,
    throttled: 0,
    repeated: 0,
    wrong: [],
  };
  readonly #random: SeededRandom;
  readonly #emulator: Emulator;
  readonly #state: ScheduleState;
  readonly #time: FakeTime;
  readonly #ads: PlatformAds;
  readonly #fetch: Fetch;
  readonly #places: Place[] = [];

  constructor(
    { seed, from, emulator, state }: {
      readonly seed: number;
      readonly from: string;
      readonly emulator: Emulator;
      readonly state: ScheduleState;
    },
  ) {
    this.#random = new SeededRandom(seed);
    this.#emulator = emulator;
    this.#fetch = fetchOf(emulator);
    this.#state = state;
    this.#time = new FakeTime({ now: from });
    this.#ads = this.#program(new Life());
  }

  /** A program: the next one knows nothing of one that died. */
  #program(life: Life): PlatformAds {
    return new PlatformAds(this.#emulator.credentials, {
      platform: this.#emulator.platform,
      now: this.#time.now,
      sleep: this.#time.sleep,
      random: () => 0.5,
      fetch: (input, init) => {
        const send = (): Promise<Response> => this.#fetch(input, init);
        return init?.method === "PUT" ? life.write(send) : life.read(send);
      },
    });
  }

  /** Makes the campaigns and their schedules. */
  async begin(): Promise<void> {
    for (const [market, count, edits] of MARKETS) {
      const { profileId, timeZone: zone = "" } = await this.#ads.profile(market);
      const ids = smallAccount(this.#emulator, profileId, count);
      const schedules = parseSchedules(fileOf(ids, edits), "year.yaml").schedules.map((one) => ({
        ...one,
        zone,
      }));
      const bases = live(this.#emulator, profileId);
      this.#places.push({
        market,
        edits,
        profileId,
        zone,
        schedules,
        bases,
        foreign: new Map(),
        factors: [1],
        isBased: false,
      });
    }
  }

  /** Passes to a moment, at which every profile has a tick, or has lost it. */
  async hour(now: number): Promise<void> {
    // Waits of the client may have moved its clock a little beyond.
    this.#time.advance(Math.max(0, now - this.#time.now()) / 1000);
    this.#emulator.advance(Math.max(0, now - this.#emulator.clock.now()) / 1000);
    for (const place of this.#places) {
      this.#checkFactors(place, now);
      const dice = this.#random.next();
      // What is live at the first tick is the base.
      if (dice < 0.03 && place.isBased) await this.#edit(place);
      if (dice > 0.92) this.result.lost += 1;
      else if (dice > 0.78) await this.#killed(place, now);
      else await this.#whole(place, now, { isThrottled: dice > 0.72 });
      if (place.edits === "keep" && place.foreign.size > 0 && this.#random.next() < 0.05) {
        await this.#decide(place);
      }
    }
  }

  /** Stops all schedules after a last tick. */
  async end(now: number): Promise<void> {
    for (const place of this.#places) {
      await this.#whole(place, now, { isThrottled: false });
      await this.#decide(place);
      const profile = this.#ads.profileFrom(place.profileId, place.market);
      await stopSchedules(profile, { state: this.#state, now });
      deepEqual(live(this.#emulator, place.profileId), place.bases, `every base is back in ${place.market}`);
      deepEqual(await this.#state.bases(place.profileId), []);
    }
  }

  #checkFactors({ schedules, zone, market }: Place, now: number): void {
    for (const schedule of schedules) {
      const factor = factorOf(schedule.move === "budget" ? "budget" : "bid", now, zone);
      if (Math.abs(factorAt(schedule, now) - factor) < 1e-9) continue;
      this.#wrong(`${schedule.name} has ${factorAt(schedule, now)}, not ${factor}`, market, now);
    }
  }

  /** Somebody else gives a bid another value: one that no tick writes. */
  async #edit(place: Place): Promise<void> {
    const { market, profileId, bases, foreign, schedules } = place;
    const keys = [...bases.keys()].filter((key) => key.startsWith("bid "));
    const key = keys[this.#random.integer(0, keys.length - 1)]!;
    const base = bases.get(key)!;
    const amount = Number((base * 1.17 + (market === "JP" ? 1 : 0.01)).toFixed(market === "JP" ? 0 : 2));
    const written = (factor: number): number => amountOf(schedules[0]!, { base, factor, market });
    const own = [0.5, 0.6, 0.7, 0.8, 1, 1.4, 1.5].flatMap((factor) => [factor, factor * 1.5]).map(written);
    if (foreign.has(key) || own.includes(amount)) return;
    const [, id] = key.split(" ") as [string, string];
    const profile = this.#emulator.state.profile(profileId)!;
    const keyword = profile.collection("sp.keywords").get(id);
    const { campaignId } = keyword ?? profile.collection("sp.ad_groups").get(id)!;
    // No bid may be above the budget of its campaign: the platform refuses it, whoever adopts the base.
    const before = live(this.#emulator, profileId).get(key);
    const inForce = place.factors.filter((factor) => written(factor) === before);
    const [least, most] = [amount / Math.max(...place.factors), amount / Math.min(...inForce)];
    if (most * HIGHEST > bases.get(`budget ${campaignId}`)!) return;
    const { sp } = this.#ads.profileFrom(profileId, market);
    if (keyword === undefined) await sp.adGroups.update([{ adGroupId: id, defaultBid: amount }]);
    else await sp.keywords.update([{ keywordId: id, bid: amount }]);
    // A tick that died may have left a higher factor than that in force: the base is lower then, never higher.
    foreign.set(key, { amount, least, most });
    this.result.foreign += 1;
  }

  /** A program that dies at one of its writes, before or after the platform or the store did it. */
  async #killed(place: Place, now: number): Promise<void> {
    const life = new Life({ writes: this.#random.integer(0, 5), isDone: this.#random.next() < 0.5 });
    const profile = this.#program(life).profileFrom(place.profileId, place.market);
    const before = live(this.#emulator, place.profileId);
    const state = mortalState(this.#state, life);
    try {
      await tickSchedules(profile, { schedules: place.schedules, state, now });
      await this.#settleForeign(place, now);
      this.#wholeTick(place, now, before);
    } catch (error) {
      if (!life.isDead) throw error;
      this.result.kills += 1;
      place.factors = [...place.factors, factorAt(place.schedules[0]!, now)];
      for (const [key, amount] of live(this.#emulator, place.profileId)) {
        if (place.foreign.has(key)) continue;
        const wanted = this.#wanted(place, key, now);
        if (amount === wanted || amount === before.get(key)) continue;
        this.#wrong(
          `${key} is ${amount} after a kill, was ${before.get(key)}, wanted ${wanted}`,
          place.market,
          now,
        );
      }
    }
  }

  async #whole(
    place: Place,
    now: number,
    { isThrottled }: { readonly isThrottled: boolean },
  ): Promise<void> {
    const { profileId, market, schedules } = place;
    const profile = this.#ads.profileFrom(profileId, market);
    const before = live(this.#emulator, profileId);
    if (isThrottled) {
      this.#emulator.setFaults([{
        match: { path: "/sp/*" },
        times: this.#random.integer(1, 3),
        effects: { response: { status: 429 } },
      }]);
      this.result.throttled += 1;
    }
    const { busy, refused, result } = await tickSchedules(profile, { schedules, state: this.#state, now });
    this.#emulator.setFaults([]);
    if (busy || refused.length > 0 || result?.ok === false) {
      this.#wrong(`busy, or not sent: ${refused[0]?.why}`, market, now);
    }
    await this.#settleForeign(place, now);
    this.#wholeTick(place, now, before);
    if (this.#random.next() < 0.9) return;
    const again = await tickSchedules(profile, { schedules, state: this.#state, now });
    if (again.plan !== undefined) this.#wrong("a second tick sends again", market, now);
    this.result.repeated += 1;
  }

  /** What somebody else set is kept, adopted within what it may mean, or overwritten. */
  async #settleForeign({ profileId, edits, foreign, bases, market }: Place, now: number): Promise<void> {
    if (foreign.size === 0 || edits === "keep") return;
    if (edits === "adopt") {
      const kept = await this.#state.bases(profileId);
      for (const [key, { least, most }] of foreign) {
        const { base } = kept.find(({ move, id }) => key === `${move} ${id}`)!;
        const half = market === "JP" ? 0.5 : 0.005;
        if (base < least - half || base > most + half) {
          this.#wrong(`${key}: the base ${base} is not from ${least} to ${most}`, market, now);
        }
        bases.set(key, base);
      }
    }
    foreign.clear();
  }

  /** At every hour after a tick, live is wanted for all that is not kept. */
  #wholeTick(place: Place, now: number, before: ReadonlyMap<string, number>): void {
    const { profileId, market, foreign, bases } = place;
    this.result.ticks += 1;
    place.factors = [factorAt(place.schedules[0]!, now)];
    place.isBased = true;
    for (const [key, amount] of live(this.#emulator, profileId)) {
      this.result.checked += 1;
      const known = foreign.get(key);
      const wanted = known?.amount ?? this.#wanted(place, key, now);
      if (amount !== wanted) {
        this.#wrong(`${key} is ${amount}, wanted ${wanted}, was ${before.get(key)}`, market, now);
      }
      const highest = bases.get(key)! * (key.startsWith("budget ") ? 1.25 : HIGHEST);
      const most = highest + (market === "JP" ? 0.5 : 0.005) + 1e-9;
      if (known === undefined && amount > most) {
        this.#wrong(`${key} is ${amount}, above ${most}`, market, now);
      }
    }
  }

  /** A person gives what is kept another base. */
  async #decide({ profileId, market, foreign, bases }: Place): Promise<void> {
    const profile = this.#ads.profileFrom(profileId, market);
    for (const [key, { amount }] of foreign) {
      // Only what a tick has reported.
      const [, id] = key.split(" ") as [string, string];
      if ((await this.#state.bases(profileId)).find((one) => one.id === id)?.kept === null) continue;
      await decideBase(profile, { state: this.#state, id, base: amount });
      bases.set(key, amount);
      foreign.delete(key);
    }
  }

  #wanted({ schedules, bases, market }: Place, key: string, now: number): number {
    const schedule = schedules.find(({ move }) => key.startsWith(`${move} `))!;
    return wantedAt(schedule, bases.get(key)!, now, { countryCode: market });
  }

  #wrong(text: string, market: string, now: number): void {
    this.result.wrong.push(`${new Date(now).toISOString()} ${market} ${text}`);
  }
}

async function year(
  { seed, from, hours }: { readonly seed: number; readonly from: string; readonly hours: number },
): Promise<YearResult> {
  await using folder = await temporaryFolder();
  await using state = await ScheduleState.open(`${folder.path}/ads.sqlite`);
  const emulator = await Emulator.start({ clock: { now: from, frozen: true }, seed: `year ${seed}` });
  await using _ = { [Symbol.asyncDispose]: () => emulator.stop() };
  const played = new Year({ seed, from, emulator, state });
  await played.begin();
  const start = Date.parse(from);
  for (let hour = 0; hour < hours; hour++) await played.hour(start + hour * HOUR);
  await played.end(start + hours * HOUR);
  return played.result;
}

/** The days of changes of the clock: London in spring, the United States in autumn; or every hour of a year. */
const RUNS = WHOLE_SUITE
  ? [0, 1, 2, 3].map((quarter) => ({
    seed: SEED + quarter,
    from: new Date(Date.UTC(2026, 3 * quarter, 1)).toISOString(),
    hours: (Date.UTC(2026, 3 * quarter + 3, 1) - Date.UTC(2026, 3 * quarter, 1)) / HOUR,
  }))
  : [
    { seed: 1, from: "2026-03-28T20:00:00Z", hours: 30 },
    { seed: 2, from: "2026-10-31T18:00:00Z", hours: 30 },
  ];

for (const run of RUNS) {
  Deno.test(`for ${run.hours} hours from ${run.from} on, 20 campaigns in three zones have what is wanted after every tick, and their bases after stop`, async () => {
    const { wrong, ...counts } = await year(run);
    if (WHOLE_SUITE) console.log(JSON.stringify(counts));
    equal(wrong.length, 0, wrong.slice(0, 10).join("\n"));
    ok(
      counts.ticks > run.hours && counts.checked > 50 * run.hours && counts.kills > 0,
      JSON.stringify(counts),
    );
  });
}
