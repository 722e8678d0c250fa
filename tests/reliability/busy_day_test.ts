import { deepEqual, equal, ok } from "../support/assert.ts";
import { type BatchResult, PlatformAdsError, type ProfileClient } from "../../mod.ts";
import { FAULT_PROFILES } from "../../src/emulator/mod.ts";
import { SeededRandom } from "../support/seeded_random.ts";
import { amount, SEED } from "./support/size.ts";
import { World } from "./support/world.ts";
import { longFile } from "../support/long.ts";

longFile();

const HOURS = 8;
const WORKERS = amount(8, 40);
/** Longest break between two things a worker does, in seconds; nobody rests in the storm. */
const BREAK = amount(1500, 200);
const BREAK_IN_STORM = 100;
/** Milliseconds from the storm's beginning to the day's end, and from its end. */
const STORM = [4 * 3_600_000, 3 * 3_600_000] as const;

/** What one worker did, and what the platform must hold because of it. */
interface Diary {
  lists: number;
  failures: number;
  /** Bids that a keyword may have now: one, or more where an answer was lost. */
  readonly bids: Map<string, Set<number>>;
  /** How often an ad group may be there, by its name. */
  readonly adGroups: Map<string, readonly number[]>;
}

/** Works on keywords of its own until the day is over. */
class Worker {
  readonly diary: Diary = { lists: 0, failures: 0, bids: new Map(), adGroups: new Map() };
  readonly #world: World;
  readonly #profile: ProfileClient;
  readonly #random: SeededRandom;
  readonly #number: number;
  readonly #keywords: readonly string[];
  readonly #campaignId: string;
  #created = 0;

  constructor(
    number: number,
    place: { world: World; profile: ProfileClient; keywords: readonly string[]; campaignId: string },
  ) {
    this.#number = number;
    this.#world = place.world;
    this.#profile = place.profile;
    this.#keywords = place.keywords;
    this.#campaignId = place.campaignId;
    this.#random = new SeededRandom(SEED + number);
  }

  async work(end: number): Promise<void> {
    const { time } = this.#world;
    const duties = [() => this.#list(), () => this.#update(), () => this.#update(), () => this.#create()];
    while (time.now() < end) {
      try {
        await this.#random.pick(duties)();
      } catch (error) {
        ok(error instanceof PlatformAdsError, String(error));
        this.diary.failures++;
      }
      const left = end - time.now();
      const stormy = left <= STORM[0] && left > STORM[1];
      await time.sleep(this.#random.integer(1, stormy ? BREAK_IN_STORM : BREAK));
    }
  }

  async #list(): Promise<void> {
    const known = this.#world.truth(this.#profile.profileId, "sp.keywords").map(({ keywordId }) => keywordId);
    const listed = await this.#profile.sp.keywords.list({ states: null, pageSize: 200 });
    deepEqual(listed.map(({ keywordId }) => keywordId), known);
    this.diary.lists++;
  }

  async #update(): Promise<void> {
    const ids = this.#keywords.slice(0, this.#random.integer(1, this.#keywords.length));
    const bid = this.#random.integer(20, 200) / 100;
    const result = await this.#profile.sp.keywords.update(ids.map((keywordId) => ({ keywordId, bid })));
    for (const [index, outcome] of outcomes(result, ids.length).entries()) {
      const possible = this.diary.bids.get(ids[index]!);
      if (outcome === "done") this.diary.bids.set(ids[index]!, new Set([bid]));
      else if (outcome === "unknown") possible?.add(bid);
      // A keyword that was not in the diary may have any bid after a lost answer.
    }
  }

  async #create(): Promise<void> {
    const names = [...Array(this.#random.integer(1, 14)).keys()].map(() =>
      `Day ${this.#number} ${this.#created++}`
    );
    for (const name of names) this.diary.adGroups.set(name, [0]);
    const result = await this.#profile.sb.adGroups.create(
      names.map((name) => ({ campaignId: this.#campaignId, name, state: "ENABLED" })),
    );
    for (const [index, outcome] of outcomes(result, names.length).entries()) {
      const times = outcome === "done" ? [1] : outcome === "unknown" ? [0, 1] : [0];
      this.diary.adGroups.set(names[index]!, times);
    }
  }
}

function outcomes(result: BatchResult, count: number): string[] {
  const verdicts = [...result];
  deepEqual(verdicts.map(({ index }) => index), [...Array(count).keys()]);
  return verdicts.map((verdict) => verdict.ok ? "done" : verdict.outcome);
}

Deno.test(`${HOURS} hours of a busy day, with a storm at noon, leave nothing lost, doubled or out of hand`, async () => {
  await using world = await World.start({ journalLimit: 200_000 });
  const clients = [1, 2].map((number) => world.client({ retry: { maxTotalWait: 300 } }, number));
  const profiles = await Promise.all(clients.map(({ ads }) => ads.profile("CA")));
  const keywords = (await profiles[0]!.sp.keywords.list()).map(({ keywordId }) => keywordId);
  const campaigns = await profiles[0]!.sb.campaigns.list();
  const workers = [...Array(WORKERS).keys()].map((number) =>
    new Worker(number, {
      world,
      profile: profiles[number % 2]!,
      keywords: keywords.filter((_, index) => index % WORKERS === number).slice(0, 8),
      campaignId: campaigns[number % campaigns.length]!.campaignId,
    })
  );
  const began = world.time.now();
  const end = began + HOURS * 3_600_000;
  world.emulator.setFaults(FAULT_PROFILES["busy-day"]);
  const storm = (async () => {
    await world.time.sleep(4 * 3600);
    world.emulator.setFaults(FAULT_PROFILES["storm"]);
    await world.time.sleep(3600);
    world.emulator.setFaults(FAULT_PROFILES["busy-day"]);
  })();
  await Promise.all([storm, ...workers.map((worker) => worker.work(end))]);

  const { profileId } = profiles[0]!;
  const bids = new Map(world.truth(profileId, "sp.keywords").map(({ keywordId, bid }) => [keywordId, bid]));
  const groups = Map.groupBy(world.truth(profileId, "sb.ad_groups"), ({ name }) => String(name));
  for (const { diary } of workers) {
    for (const [keywordId, possible] of diary.bids) {
      ok(possible.has(Number(bids.get(keywordId))), `the bid of keyword ${keywordId}`);
    }
    for (const [name, possible] of diary.adGroups) {
      const times = groups.get(name)?.length ?? 0;
      ok(
        possible.includes(times),
        `ad group "${name}" is there ${times} times, not ${possible.join(" or ")}`,
      );
    }
  }
  const lists = workers.reduce((sum, { diary }) => sum + diary.lists, 0);
  ok(lists > WORKERS, `${lists} whole lists`);
  for (const { tap } of clients) {
    deepEqual(tap.insidePauses(), []);
    const deaths = tap.exchanges.filter(({ status }) => status === 401).length;
    const hours = (world.time.now() - began) / 3_600_000;
    // A token that died is met by several requests at once; it is renewed once.
    ok(tap.tokenRequests.length <= 2 + hours * 1.5 + deaths);
    equal(tap.exchanges.filter(({ came }) => came === Infinity).length, 0, "nothing is under way at the end");
  }
});
