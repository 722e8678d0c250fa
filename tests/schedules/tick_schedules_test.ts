import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { parsePolicy } from "../../src/plans/policy/parse_policy.ts";
import {
  decideBase,
  parseSchedules,
  type Schedule,
  ScheduleState,
  startSchedules,
  stopSchedules,
  type TickResult,
  tickSchedules,
  wantedAt,
} from "../../src/automation/schedules/mod.ts";
import { type Emulated, emulated, type EmulatedOptions } from "../support/emulated.ts";
import { type Judging, withAndWithoutPolicy } from "../support/judging.ts";
import { long } from "../support/long.ts";

const CLOCK = { now: "2026-09-30T12:00:00Z", frozen: true };
/** Wednesday noon and, twelve hours later, eight o'clock at night and four in the morning of New York. */
const [NOON, EVENING, NIGHT] = ["2026-09-30T16:00:00Z", "2026-10-01T00:00:00Z", "2026-10-01T08:00:00Z"];

interface Scene extends Emulated {
  readonly place: string;
  readonly campaignId: string;
  /** Bids of the keywords of the campaign by id, from the platform's own list. */
  bids(): Promise<Map<string, number>>;
  tick(now: string, schedules?: readonly Schedule[]): Promise<TickResult>;
  writes(): string[];
}

const file = (text: string): readonly Schedule[] =>
  parseSchedules(`version: 1\nschedules:\n${text}`, "s.yaml").schedules;

const nights = (campaignId: string, more = ""): readonly Schedule[] =>
  file(`  nights: { select: { ids: ["${campaignId}"] }, move: bid, zone: America/New_York${more},
    grid: [{ hours: "00-06", factor: 0.5 }, { hours: "20-24", factor: 1.5 }] }\n`);

async function scene(
  { client }: Pick<Judging, "client">,
  work: (scene: Scene) => Promise<void>,
  options: EmulatedOptions = {},
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "schedules-" });
  {
    await using world = await emulated({
      emulator: { clock: CLOCK },
      ...options,
      client: { ...client, ...options.client },
    });
    const { us } = world;
    const keywords = (await us.sp.keywords.list({ states: ["ENABLED"] })).filter(({ bid }) =>
      bid !== undefined
    );
    const [[campaignId] = [""]] = [...Map.groupBy(keywords, ({ campaignId }) => campaignId)]
      .toSorted(([, a], [, b]) => b.length - a.length);
    const place = `${folder}/ads.sqlite`;
    world.asked();
    await work({
      ...world,
      place,
      campaignId: campaignId!,
      bids: async () => {
        const listed = await us.sp.keywords.list({ campaignIds: [campaignId!] });
        return new Map(
          listed.flatMap(({ keywordId, bid, state }) =>
            bid === undefined || state === "ARCHIVED" ? [] : [[keywordId, bid] as const]
          ),
        );
      },
      tick: (now, schedules = nights(campaignId!)) => tickSchedules(us, { schedules, state: place, now }),
      writes: () =>
        world.asked().filter((line) => /^(PUT|POST) \/sp\/(keywords|adGroups|targets|campaigns)$/.test(line)),
    });
  }
  await Deno.remove(folder, { recursive: true });
}

const scaled = (bids: ReadonlyMap<string, number>, factor: number): Map<string, number> =>
  new Map([...bids].map(([id, bid]) => [id, Math.max(0.02, Math.round(bid * factor * 100 + 1e-7) / 100)]));

withAndWithoutPolicy(
  "a tick brings bids to what the hour wants, says so when there is nothing to do, and every hour starts from the base",
  (judging) =>
    scene(judging, async ({ tick, bids, writes, us }) => {
      const base = await bids();
      const first = await tick(NOON);
      equal(first.plan, undefined, "at noon the factor is 1");
      ok(first.counts.moved > base.size && first.counts.asWanted === first.counts.moved);
      deepEqual(writes(), []);

      const night = await tick(NIGHT);
      ok(night.result?.ok);
      deepEqual(await bids(), scaled(base, 0.5));
      match(
        night.plan?.changes[0]?.evidence?.reason ?? "",
        /^schedule nights, thu 04:00: base [\d.]+ × 0.5$/,
      );
      writes();
      equal((await tick(NIGHT)).plan, undefined, "only what differs is sent");
      deepEqual(writes(), []);

      await tick(EVENING);
      deepEqual(await bids(), scaled(base, 1.5), "1.5 times the base, and not of the half");
      await tick(NOON);
      deepEqual(await bids(), base);
      ok((await us.sp.adGroups.list()).length > 0);
    }),
);

withAndWithoutPolicy(
  "what somebody else changed is left alone until a person decides, adopted, or overwritten, as the file says",
  async (judging) => {
    for (const edits of ["keep", "adopt", "insist"] as const) {
      await scene(judging, async ({ tick, bids, us, campaignId, place }) => {
        const schedules = nights(campaignId, `, foreign_edits: ${edits}`);
        const base = await bids();
        await tick(NIGHT, schedules);
        const [id, before] = [...base].find(([, bid]) => bid > 0.4)!;
        await us.sp.keywords.update([{ keywordId: id, bid: 0.9 }]);
        const { kept, result } = await tick(EVENING, schedules);
        const bid = (await bids()).get(id);
        if (edits === "keep") {
          deepEqual(kept.map((one) => [one.id, one.live]), [[id, 0.9]]);
          match(kept[0]!.why, /somebody else set it to 0\.9; the last tick left \d+\.\d+/);
          equal(bid, 0.9);
          equal((await tick(NOON, schedules)).kept.length, 1, "it is reported until a person decides");
          equal((await bids()).get(id), 0.9);
          await decideBase(us, { state: place, id, base: 2 });
          await us.sp.keywords.update([{ keywordId: id, bid: 1.1 }]);
          deepEqual(
            (await tick(EVENING, schedules)).kept.map(({ live }) => live),
            [1.1],
            "a change after the decision",
          );
          equal((await bids()).get(id), 1.1);
          await decideBase(us, { state: place, id, base: 2 });
          deepEqual((await tick(EVENING, schedules)).kept, []);
          equal((await bids()).get(id), 3);
        } else {
          deepEqual(kept, []);
          equal(bid, edits === "adopt" ? 2.7 : Math.round(before * 150 + 1e-7) / 100);
          match(
            JSON.stringify(result?.plan.changes.find((one) => one.id === id)?.evidence),
            /somebody else set it to 0\.9/,
          );
        }
      });
    }
  },
);

withAndWithoutPolicy(
  "stopping puts every base back, proves it by reading, and no tick moves anything until it is started again",
  (judging) =>
    scene(judging, async ({ tick, bids, us, place }) => {
      const base = await bids();
      await tick(NIGHT);
      const [id] = [...base].find(([, bid]) => bid > 0.4)!;
      await us.sp.keywords.update([{ keywordId: id, bid: 0.77 }]);
      const stopped = await stopSchedules(us, { state: place, names: ["nights"], now: NIGHT });
      ok(stopped.result?.ok);
      deepEqual(stopped.kept.map((one) => one.id), [id], "what somebody else changed stays and is reported");
      deepEqual(await bids(), new Map(base).set(id, 0.77));
      {
        await using state = await ScheduleState.open(place);
        deepEqual((await state.bases(us.profileId)).map((one) => one.id), [id]);
        ok((await state.history(us.profileId, { limit: 1000 })).length > base.size, "the history stays");
      }
      equal((await tick(NIGHT)).counts.moved, 0);
      await startSchedules(us, { state: place, names: ["nights"] });
      ok((await tick(NIGHT)).result?.ok);
    }),
);

withAndWithoutPolicy(
  "a schedule that is no longer in the file leaves nothing behind",
  (judging) =>
    scene(judging, async ({ tick, bids, place, us }) => {
      const base = await bids();
      await tick(NIGHT);
      await tick(NIGHT, []);
      deepEqual(await bids(), base);
      await using state = await ScheduleState.open(place);
      deepEqual(await state.bases(us.profileId), []);
    }),
);

Deno.test("what a policy denies stays as it is and is reported, the rest is moved", () =>
  scene({ client: {} }, async ({ bids, us, campaignId, place }) => {
    const base = await bids();
    const policy = parsePolicy("version: 1\nmax_bid: 1\n");
    const { refused, result } = await tickSchedules(us, {
      schedules: nights(campaignId),
      state: place,
      now: EVENING,
      policy,
    });
    ok(result?.ok);
    const wanted = scaled(base, 1.5);
    const dear = [...wanted].filter(([, bid]) => bid > 1).map(([id]) => id);
    ok(dear.length > 0 && dear.length < wanted.size);
    for (const id of dear) ok(refused.some((one) => one.id === id && /POLICY/.test(one.why)), id);
    const now = await bids();
    for (const [id, bid] of wanted) equal(now.get(id), dear.includes(id) ? base.get(id) : bid, id);
    await using state = await ScheduleState.open(place);
    const note = (await state.runs(us.profileId)).get("nights")?.note ?? "";
    match(
      note,
      new RegExp(`succeeded, 0 failed.*; ${refused.length} not moved, first .+: .*POLICY`),
      "the status says it",
    );
  }));

withAndWithoutPolicy(
  "budgets, placements and states are moved too, several of one campaign in one update",
  (judging) =>
    scene(judging, async ({ us, tick, campaignId }) => {
      const schedules = file(
        ["budget", "placement_top", "state"].map((move) =>
          `  ${move}: { select: { ids: ["${campaignId}"] }, move: ${move}, zone: UTC,
    grid: [{ hours: "08-12", factor: ${move === "state" ? 0 : 0.5} }] }\n`
        ).join(""),
      );
      await us.sp.campaigns.update([{
        campaignId,
        dynamicBidding: {
          placementBidding: [
            { placement: "PLACEMENT_TOP", percentage: 80 },
            { placement: "PLACEMENT_PRODUCT_PAGE", percentage: 7 },
          ],
        },
      }]);
      const campaign = async () => (await us.sp.campaigns.getMany([campaignId])).get(campaignId)!;
      const before = await campaign();
      const { plan } = await tick("2026-10-01T09:00:00Z", schedules);
      equal(plan?.changes.length, 1);
      const after = await campaign();
      equal(after.state, "PAUSED");
      equal(after.budget?.budget, before.budget!.budget / 2);
      const percents = (one: typeof after) =>
        Object.fromEntries(
          (one.dynamicBidding?.placementBidding ?? []).map((
            { placement, percentage },
          ) => [placement, percentage]),
        );
      deepEqual(percents(after), { PLACEMENT_TOP: 40, PLACEMENT_PRODUCT_PAGE: 7 });
      await tick("2026-10-01T13:00:00Z", schedules);
      const back = await campaign();
      deepEqual([back.state, back.budget?.budget, percents(back)], [
        "ENABLED",
        before.budget?.budget,
        percents(before),
      ]);
    }),
);

withAndWithoutPolicy(
  "nothing is enabled that somebody else paused",
  (judging) =>
    scene(judging, async ({ us, tick, campaignId }) => {
      const schedules = file(
        `  off: { select: { ids: ["${campaignId}"] }, move: state, zone: UTC, foreign_edits: insist,
    grid: [{ hours: "08-12", factor: 0 }] }\n`,
      );
      const state = async () => (await us.sp.campaigns.getMany([campaignId])).get(campaignId)?.state;
      await us.sp.campaigns.update([{ campaignId, state: "PAUSED" }]);
      await tick("2026-10-01T13:00:00Z", schedules);
      equal(await state(), "PAUSED", "before the schedule saw it");
      await us.sp.campaigns.update([{ campaignId, state: "ENABLED" }]);
      await tick("2026-10-01T13:00:00Z", schedules);
      await us.sp.campaigns.update([{ campaignId, state: "PAUSED" }]);
      const { kept } = await tick("2026-10-01T14:00:00Z", schedules);
      equal(await state(), "PAUSED", "while the schedule ran");
      equal(kept.length, 1);
    }),
);

withAndWithoutPolicy(
  "of two schedules for one bid the higher priority counts, and one that multiplies comes on top",
  (judging) =>
    scene(judging, async ({ bids, tick, campaignId }) => {
      const base = await bids();
      const one = (name: string, factor: number, more: string): string =>
        `  ${name}: { select: { ids: ["${campaignId}"] }, move: bid, zone: UTC, grid: [{ factor: ${factor} }]${more} }\n`;
      await tick(NOON, file(one("low", 0.9, "") + one("high", 0.5, ", priority: 2")));
      deepEqual(await bids(), scaled(base, 0.5));
      await tick(
        NOON,
        file(one("low", 0.9, "") + one("high", 0.5, ", priority: 2") + one("top", 3, ", combine: multiply")),
      );
      deepEqual(await bids(), scaled(base, 1.5));
    }),
);

withAndWithoutPolicy(
  "two ticks at a time do nothing twice: one of them finds the profile taken",
  (judging) =>
    scene(judging, async ({ tick, bids, writes }) => {
      const base = await bids();
      writes();
      const results = await Promise.all([tick(NIGHT), tick(NIGHT), tick(NIGHT)]);
      equal(results.filter(({ busy }) => busy).length, 2);
      equal(results.filter(({ result }) => result?.ok).length, 1);
      deepEqual(await bids(), scaled(base, 0.5));
    }),
);

withAndWithoutPolicy(
  "a tick that was killed after any request is mended by the next, and its own writes are never taken for foreign",
  async (judging) => {
    for (let kill = 1; kill <= 6; kill++) {
      let writes = Infinity;
      await scene(judging, async ({ tick, bids, campaignId, place, us }) => {
        const base = await bids();
        await tick(NOON);
        writes = kill;
        await tick(NIGHT).catch((error: Error) => match(error.message, /killed/));
        writes = Infinity;
        {
          // The lease of the dead runs out; a real one takes a minute of the database's clock.
          const { DatabaseSync } = await import("node:sqlite");
          const database = new DatabaseSync(place);
          database.exec("DELETE FROM schedule_leases");
          database.close();
        }
        const { kept } = await tick(NIGHT, nights(campaignId, ", foreign_edits: keep"));
        deepEqual(kept, [], `killed after ${kill} writes`);
        deepEqual(await bids(), scaled(base, 0.5));
        await tick(NOON);
        deepEqual(await bids(), base);
        await using state = await ScheduleState.open(place);
        ok((await state.bases(us.profileId)).every(({ kept, intends }) => kept === null && intends === null));
      }, {
        client: {
          fetch: async (input, init) => {
            const request = new Request(input, init);
            if (request.method === "PUT" && --writes < 0) throw new Error("killed");
            const response = await fetch(request);
            // The last one is done, and nobody hears of it.
            if (request.method === "PUT" && writes === 0) {
              await response.body?.cancel();
              throw new Error("killed");
            }
            return response;
          },
        },
      });
    }
  },
  (name, test) => {
    long();
    Deno.test(name, test);
  },
);

// Its ticks are those of the first test, which runs under a policy too.
long();
Deno.test(
  "over a week of hours live is wanted after every tick, also where ticks are lost, and never above the highest wanted",
  () =>
    scene({ client: {} }, async ({ bids, tick, campaignId }) => {
      const schedules = file(
        `  week: { select: { ids: ["${campaignId}"] }, move: bid, zone: Europe/Berlin, max: 3, grid: [
    { days: [mon, tue, wed, thu, fri], hours: "00-06", factor: 0.4 },
    { days: [mon, tue, wed, thu, fri], hours: "18-22", factor: 1.3 },
    { days: [sat, sun], factor: 0.8 }] }\n`,
      );
      const base = await bids();
      // From Thursday over the end of summer time in Berlin.
      for (let hour = 0; hour < 5 * 24; hour += 3) {
        const now = new Date(Date.parse("2026-10-22T22:00:00Z") + hour * 3_600_000).toISOString();
        if (hour % 5 === 4) continue;
        await tick(now, schedules);
        const live = await bids();
        for (const [id, bid] of base) {
          equal(live.get(id), wantedAt(schedules[0]!, bid, now, { countryCode: "US" }), `${now} ${id}`);
          ok(live.get(id)! <= Math.max(bid, Math.min(3, bid * 1.3 + 0.01)));
        }
      }
    }),
);

withAndWithoutPolicy(
  "with nothing running for two days the last amounts stay; the next tick goes on, or puts them back where the schedule expires",
  async (judging) => {
    for (const expires of ["", ", expires: 1d"]) {
      await scene(judging, async ({ bids, tick, campaignId, us, place }) => {
        const schedules = nights(campaignId, expires);
        const base = await bids();
        await tick(NIGHT, schedules);
        deepEqual(await bids(), scaled(base, 0.5));
        const dayLater = new Date(Date.parse(NIGHT) + 24 * 3_600_000).toISOString();
        equal((await tick(dayLater, schedules)).plan, undefined, "a day is not too long");
        const [dead, evening] = [48, 52].map((hours) =>
          new Date(Date.parse(dayLater) + hours * 3_600_000).toISOString()
        ) as [string, string];
        deepEqual(await bids(), scaled(base, 0.5), "nobody is there to change it");
        const { expired, kept, refused } = await tick(dead, schedules);
        deepEqual([kept, refused], [[], []]);
        if (expires === "") {
          deepEqual(expired, []);
          deepEqual(await bids(), scaled(base, 0.5));
          return;
        }
        deepEqual(expired, ["nights"]);
        deepEqual(await bids(), base, "every base is back");
        equal((await tick(evening, schedules)).plan, undefined, "it stays stopped");
        const state = await ScheduleState.open(place);
        const run = (await state.runs(us.profileId)).get("nights");
        await state.close();
        match(`${run?.state} ${run?.note}`, /^stopped expired: /);
        await startSchedules(us, { state: place, names: ["nights"] });
        // By the clock of the account the start was a night before.
        await tick(NIGHT, schedules);
        deepEqual(await bids(), scaled(base, 0.5), "it goes on once it is started");
      });
    }
  },
);

withAndWithoutPolicy(
  "bids of Brands are kept at the lowest that Brands take, and no tick is refused",
  (judging) =>
    scene(judging, async ({ us, tick }) => {
      const keywords = await us.sb.keywords.list({ states: ["enabled"] });
      const ads = await us.sb.ads.list();
      const videos = new Set(
        ads.filter(({ creative }) => String(creative?.type).includes("VIDEO")).map(({ adGroupId }) =>
          adGroupId
        ),
      );
      const image = keywords.find(({ adGroupId }) => !videos.has(adGroupId))!;
      await us.sb.keywords.update([{ ...idsOf(image), bid: 0.13 }]);
      const brands = file(`  brands: { select: { ids: ["${image.campaignId}"], products: [sb] }, move: bid,
    zone: America/New_York, grid: [{ hours: "00-06", factor: 0.5 }] }\n`);
      const { result, refused } = await tick(NIGHT, brands);
      deepEqual(refused, []);
      ok(result?.ok);
      equal((await us.sb.keywords.get(image.keywordId))?.bid, 0.1);
      const again = await tick(NIGHT, brands);
      deepEqual([again.plan, again.refused], [undefined, []]);
    }),
);

const idsOf = (
  { keywordId, adGroupId, campaignId }: { keywordId: string; adGroupId: string; campaignId: string },
) => ({ keywordId, adGroupId, campaignId });

withAndWithoutPolicy(
  "a schedule outside of its dates leaves what it selects to the schedule below it",
  (judging) =>
    scene(judging, async ({ bids, tick, campaignId }) => {
      const schedules = file(
        `  july: { select: { ids: ["${campaignId}"] }, move: bid, zone: America/New_York, priority: 9,
    from: 2027-07-01, to: 2027-07-20, grid: [{ factor: 2 }] }
  always: { select: { ids: ["${campaignId}"] }, move: bid, zone: America/New_York, grid: [{ factor: 0.5 }] }\n`,
      );
      const before = await bids();
      await tick(NOON, schedules);
      const [[id, base]] = [...before] as [[string, number]];
      const now = await bids();
      ok(now.get(id)! < base, `${base} to ${now.get(id)}`);
      await tick("2027-07-04T16:00:00Z", schedules);
      equal((await bids()).get(id), 2 * base);
      await tick("2027-07-21T16:00:00Z", schedules);
      deepEqual(await bids(), now);
    }),
);
