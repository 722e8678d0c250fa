import { deepEqual, equal, ok } from "../../support/assert.ts";
import { ChangePlan, PlatformAds, type ProfileClient, resumePlan } from "../../../mod.ts";
import { type Emulated, emulated } from "../../support/emulated.ts";
import { type Judging, withAndWithoutPolicy } from "../../support/judging.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";
import { withoutPolicy } from "../../support/without_policy.ts";

const NEW = { state: "ENABLED" } as const;

/** How many of what a graph makes in each of what is above it. */
const SIZES = {
  62: { campaigns: 2, adGroups: 2, keywords: 8 },
  200: { campaigns: 4, adGroups: 3, keywords: 12 },
} as const;

/** The large graph is for the long lane, where a policy judges it. */
function sizeUnder({ policy }: Judging): keyof typeof SIZES {
  return policy === undefined ? 62 : 200;
}

/** Changes of five kinds: campaigns with ad groups, keywords, negatives that depend on them, and bids. */
async function graphOf(size: keyof typeof SIZES, us: ProfileClient): Promise<ChangePlan> {
  const { campaigns, adGroups, keywords: words } = SIZES[size];
  const draft = us.plan();
  for (let c = 0; c < campaigns; c++) {
    draft.create("sp.campaigns", {
      ...NEW,
      name: `Graph ${c}`,
      targetingType: "MANUAL",
      startDate: "2099-01-01",
      budget: { budget: 15, budgetType: "DAILY" },
    }, { as: `c${c}` });
    for (let g = 0; g < adGroups; g++) {
      const name = `c${c}g${g}`;
      const campaignId = { ref: `c${c}` };
      draft.create("sp.ad_groups", { ...NEW, campaignId, name: `Graph ${name}`, defaultBid: 0.4 }, {
        as: name,
      });
      const inside = { ...NEW, campaignId, adGroupId: { ref: name } };
      for (let k = 0; k < words; k++) {
        const keywordText = `graph ${name} ${k}`;
        draft.create("sp.keywords", { ...inside, keywordText, matchType: "EXACT", bid: 0.5 }, {
          as: `${name}k${k}`,
        });
      }
      for (let n = 0; n < 2; n++) {
        draft.create(
          "sp.negative_keywords",
          { ...inside, keywordText: `graph no ${name} ${n}`, matchType: "NEGATIVE_EXACT" },
          { after: [`${name}k${n}`] },
        );
      }
    }
  }
  const keywords = (await us.sp.keywords.list({ states: ["ENABLED"] })).filter(({ bid }) =>
    bid !== undefined
  );
  for (const { keywordId, bid } of keywords.slice(0, 16)) {
    draft.update("sp.keywords", { keywordId, bid: bid! + 0.01 });
  }
  return await draft.build();
}

/** How often the platform has what each change makes or sets. */
function timesDone({ emulator, us }: Emulated, plan: ChangePlan): number[] {
  const profile = emulator.state.profile(us.profileId)!;
  const all = new Map<string, readonly Readonly<Record<string, unknown>>[]>();
  return plan.changes.map(({ kind, id, after }) => {
    const entities = all.get(kind) ?? profile.collection(kind).all();
    all.set(kind, entities);
    if (id !== null) {
      return entities.filter((entity) => entity["keywordId"] === id && entity["bid"] === after["bid"]).length;
    }
    const field = "keywordText" in after ? "keywordText" : "name";
    return entities.filter((entity) => entity[field] === after[field]).length;
  });
}

/** A client whose process dies at its so many-th request: before the request arrives, or once it was carried out. */
function dying(
  world: Emulated,
  { at, arrives, judging }: { at: number; arrives: boolean; judging: Judging },
): { client: ProfileClient; dead: Promise<void> } {
  const { promise: dead, resolve: die } = Promise.withResolvers<void>();
  let requests = 0;
  const ads = new PlatformAds(world.emulator.credentials, {
    platform: world.emulator.platform,
    now: world.time.now,
    sleep: world.time.sleep,
    ...judging.client,
    fetch: async (input, init) => {
      if (requests++ < at) return await fetch(input, init);
      if (arrives) await (await fetch(input, init)).body?.cancel();
      die();
      return await new Promise<Response>(() => {});
    },
  });
  return { client: ads.profileFrom(world.us.profileId, world.us.countryCode), dead };
}

for (const arrives of [false, true]) {
  const when = arrives ? "after it was carried out" : "before it arrives";
  withoutPolicy("it counts requests, and a policy reads the account once more");
  withAndWithoutPolicy(
    `a graph of many changes that is cut off at any request, ${when}, is done once and whole after resuming`,
    async (judging) => {
      await using folder = await temporaryFolder();
      await using world = await emulated({ client: judging.client });
      const plan = await graphOf(sizeUnder(judging), world.us);
      equal(plan.changes.length, sizeUnder(judging));
      let cut = 0;
      for (let isCut = true; isCut; cut++) {
        world.emulator.reset();
        const journal = folder.file(`${cut}.jsonl`);
        const { client, dead } = dying(world, { at: cut, arrives, judging });
        const through = ChangePlan.fromJson(plan.toJson()).apply(client, { journal }).then(() => "through");
        isCut = await Promise.race([dead.then(() => "dead"), through]) === "dead";
        if (isCut && !await exists(journal)) continue;
        const at = `request ${cut + 1}`;
        const result = await resumePlan(plan, world.us, { journal, settleAfter: 0 });
        equal(result.ok, true, `${at}: ${result.summary()}`);
        deepEqual(new Set(timesDone(world, plan)), new Set([1]), at);
        // A policy reads the account once more.
        const asked = (): number =>
          world.emulator.requests().filter(({ path }) =>
            judging.policy === undefined || !path.endsWith("/list")
          )
            .length;
        const before = asked();
        equal((await resumePlan(plan, world.us, { journal, settleAfter: 0 })).ok, true, at);
        equal(asked(), before, `${at}: resuming once more asks for nothing`);
      }
      ok(cut > 10, `${cut} requests`);
    },
  );
}

withAndWithoutPolicy(
  "a graph of 200 changes that was cut off in the middle is undone whole",
  async (judging) => {
    await using folder = await temporaryFolder();
    await using world = await emulated({ client: judging.client });
    const plan = await graphOf(200, world.us);
    const journal = folder.file("journal.jsonl");
    const { client, dead } = dying(world, { at: 10, arrives: true, judging });
    void plan.apply(client, { journal });
    await dead;
    const left = await resumePlan(plan, world.us, { journal, settleAfter: 0, abandon: true });
    ok(
      left.changes.some(({ outcome }) => outcome === "done") &&
        left.changes.some(({ outcome }) => outcome === "not_sent"),
    );
    const undone = await left.rollbackPlan().apply(world.us);
    equal(undone.ok, true, undone.summary());
    for (const { kind, op, id } of undone.plan.changes) {
      if (op === "archive") equal((await world.us.resource(kind).get(id!))?.["state"], "ARCHIVED");
    }
  },
);

function exists(path: string): Promise<boolean> {
  return Deno.stat(path).then(() => true, () => false);
}
