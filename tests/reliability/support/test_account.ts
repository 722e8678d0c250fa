import { ok } from "node:assert/strict";
import {
  type Change,
  ChangePlan,
  PlatformAds,
  type PlatformAdsOptions,
  type ProfileClient,
  type WireName,
} from "../../../mod.ts";
import type { Emulator, JsonObject } from "../../../src/emulator/mod.ts";
import type { WireTap } from "./wire_tap.ts";
import type { World } from "./world.ts";

const MARKET = "CA";
const KINDS = [
  "sp.keywords",
  "sp.negative_keywords",
  "sp.campaigns",
  "sb.ad_groups",
  "sb.campaigns",
  "sb.keywords",
  "sb.targets",
  "sb.ads",
  "sd.targets",
] as const;

/** How much of each sort of change a plan holds. */
export interface PlanSizes {
  readonly bids: number;
  readonly budgets: number;
  readonly adGroups: number;
  readonly keywords: number;
  readonly archives: number;
  /** Bids of Brands keywords, which have a wire of their own: bare lists, and ids that are numbers. */
  readonly brandBids: number;
  /** New Brands keywords. */
  readonly brandKeywords: number;
  /** New Brands targets, whose verdicts are two lists of their own. */
  readonly brandTargets: number;
  /** New Brands ads, each format of which has a path of its own on the older wire alone. @default 0 */
  readonly brandAds?: number;
  /** Bids of Display targets, which share one list with the negative ones on the unified wire. @default 0 */
  readonly displayBids?: number;
  /** New Display targets. @default 0 */
  readonly displayTargets?: number;
}

type Changes = Readonly<Record<keyof PlanSizes, readonly Change[]>>;

/** A profile of the demo account as it was at first, what a plan for it may hold, and what became of that. */
export class TestAccount {
  readonly profileId: string;
  readonly #emulator: Emulator;
  /** Ids of what was there at first. */
  readonly #first = new Map<string, ReadonlySet<string>>();
  readonly #changes: Changes;

  private constructor(
    emulator: Emulator,
    profileId: string,
    changes: Changes,
  ) {
    this.#emulator = emulator;
    this.profileId = profileId;
    this.#changes = changes;
    for (const kind of KINDS) {
      const { idField, entities } = this.#all(kind);
      this.#first.set(kind, new Set(entities.map((entity) => String(entity[idField]))));
    }
  }

  /** Looks around and plans, while nothing goes wrong; by a `fetch` of its own where the emulator opens no port. */
  static async of(emulator: Emulator, options: Pick<PlatformAdsOptions, "fetch"> = {}): Promise<TestAccount> {
    const { credentials, platform } = emulator;
    const profile = await new PlatformAds(credentials, { ...options, platform }).profile(MARKET);
    const { sp, sb, sd } = profile;
    // What lies in something archived cannot be changed.
    const campaignIds = (await sp.campaigns.list()).map(({ campaignId }) => campaignId);
    const adGroupIds = (await sp.adGroups.list({ campaignIds })).map(({ adGroupId }) => adGroupId);
    const keywords = (await sp.keywords.list({ adGroupIds })).filter(({ bid }) => bid !== undefined);
    const negatives = await sp.negativeKeywords.list({ adGroupIds });
    const [brand] = await sb.campaigns.list();
    // Some new ad groups are called as one that is there already, which the platform takes.
    const taken = (await sb.adGroups.list({ campaignIds: [brand!.campaignId] })).map(({ name }) => name);
    const [home] = keywords;
    const brandIds = (await sb.campaigns.list({ states: ["ENABLED"] })).map(({ campaignId }) => campaignId);
    const brandGroups = await sb.adGroups.list({ campaignIds: brandIds, states: ["ENABLED"] });
    const brandKeywords = await sb.keywords.list({
      adGroupIds: brandGroups.map(({ adGroupId }) => adGroupId),
      states: ["enabled"],
    });
    const [place] = brandKeywords;
    const displayIds = (await sd.campaigns.list({ states: ["ENABLED"] })).map(({ campaignId }) => campaignId);
    const displayGroups = await sd.adGroups.list({ campaignIds: displayIds, states: ["ENABLED"] });
    const displayTargets = await sd.targets.list({
      adGroupIds: displayGroups.map(({ adGroupId }) => adGroupId),
      states: ["ENABLED"],
    });
    const plans = {
      bids: await sp.keywords.planUpdate(
        keywords.slice(0, 60).map(({ keywordId }, index) => ({ keywordId, bid: 0.31 + index / 100 })),
      ),
      budgets: await sb.campaigns.planUpdate(
        (await sb.campaigns.list()).map(({ campaignId }, index) => ({ campaignId, budget: 33 + index })),
      ),
      adGroups: await sb.adGroups.planCreate(
        numbers(35).map((index) => ({
          campaignId: brand!.campaignId,
          name: taken[(index - 2) / 5] ?? `Reliable group ${index}`,
          state: "ENABLED",
        })),
      ),
      keywords: await sp.keywords.planCreate(
        numbers(30).map((index) => ({
          campaignId: home!.campaignId,
          adGroupId: home!.adGroupId,
          keywordText: `reliable word ${index}`,
          matchType: "PHRASE",
          state: "ENABLED",
          bid: 0.6,
        })),
      ),
      brandBids: await sb.keywords.planUpdate(
        brandKeywords.slice(0, 12).map(({ keywordId }, index) => ({ keywordId, bid: 1.31 + index / 100 })),
      ),
      brandKeywords: await sb.keywords.planCreate(
        numbers(12).map((index) => ({
          campaignId: place!.campaignId,
          adGroupId: place!.adGroupId,
          keywordText: `reliable brand ${index}`,
          matchType: "phrase",
          bid: 0.9,
        })),
      ),
      brandTargets: await sb.targets.planCreate(
        numbers(12).map((index) => ({
          campaignId: place!.campaignId,
          adGroupId: place!.adGroupId,
          expressions: [{ type: "asinSameAs", value: `B0RELIAB${10 + index}` }],
          bid: 0.9,
        })),
      ),
      brandAds: await sb.ads.planCreate(
        numbers(12).map((index) => ({
          adGroupId: place!.adGroupId,
          name: `Reliable ad ${index}`,
          state: "PAUSED",
          creative: { asins: ["B0RELIAB10"], videoAssetIds: ["asset.film:version_v1"] },
          adFormat: "video",
        })),
      ),
      displayBids: await sd.targets.planUpdate(
        displayTargets.slice(0, 12).map(({ targetId }, index) => ({ targetId, bid: 1.31 + index / 100 })),
      ),
      displayTargets: await sd.targets.planCreate(
        numbers(12).map((index) => ({
          adGroupId: displayGroups[0]!.adGroupId,
          expression: [{ type: "asinSameAs", value: `B0RELIAB${10 + index}` }],
          expressionType: "manual",
          state: "enabled",
          bid: 0.9,
        })),
      ),
      archives: await sp.negativeKeywords.planArchive(
        negatives.slice(0, 12).map(({ keywordId }) => keywordId),
      ),
    };
    const changes = Object.fromEntries(Object.entries(plans).map(([name, plan]) => [name, plan.changes]));
    for (const [name, list] of Object.entries(changes)) ok(list.length > 5, `${name} can be changed`);
    return new TestAccount(
      emulator,
      profile.profileId,
      changes as Changes,
    );
  }

  /** A client that lives in a world's time and is watched. */
  async client(
    world: World,
    { wire = "legacy" }: { wire?: WireName } = {},
  ): Promise<{ profile: ProfileClient; tap: WireTap }> {
    const retry = { maxAttempts: 4, maxTotalWait: 200 };
    const { ads, tap } = world.client({ retry, wire, onWarning: () => {} });
    await ads.transport.token();
    return { profile: ads.profileFrom(this.profileId, MARKET), tap };
  }

  /** A client of its own, in real time. */
  plainClient(): ProfileClient {
    const { credentials, platform } = this.#emulator;
    return new PlatformAds(credentials, { platform }).profileFrom(this.profileId, MARKET);
  }

  /** A mixed plan. */
  plan(sizes: PlanSizes): ChangePlan {
    const changes = (Object.keys(this.#changes) as (keyof PlanSizes)[]).flatMap((name) =>
      this.#changes[name].slice(0, sizes[name] ?? 0)
    );
    return this.planOf(changes);
  }

  /** A plan of some changes. */
  planOf(changes: readonly Change[]): ChangePlan {
    return new ChangePlan({ profileId: this.profileId, countryCode: MARKET, changes });
  }

  /** How many times a change is to be seen on the platform: entities made, or 1 where the new values hold. */
  timesDone(change: Change): number {
    if (change.op === "create") return this.made(change).length;
    return holds(this.#entity(change), change.after) ? 1 : 0;
  }

  /** Ids of what looks like a planned entity and was not there at first, archived ones included. */
  made(change: Change): string[] {
    const key = ["name", "keywordText", "expressions", "expression"].find((field) =>
      change.after[field] !== undefined
    )!;
    const wanted = JSON.stringify(change.after[key]);
    const first = this.#first.get(change.kind)!;
    const { idField, entities } = this.#all(change.kind);
    return entities.filter((entity) => JSON.stringify(entity[key]) === wanted)
      .map((entity) => String(entity[idField])).filter((id) => !first.has(id));
  }

  /** True when an entity is as it was before a change, or, made by it, is archived or gone. */
  isUndone(change: Change): boolean {
    if (change.op !== "create") return holds(this.#entity(change), change.before);
    return this.made(change).every((id) => isArchived(this.#entity({ ...change, id })));
  }

  #entity({ kind, id }: Pick<Change, "kind" | "id">): JsonObject {
    return this.#emulator.state.profile(this.profileId)!.collection(kind).get(id!)!;
  }

  #all(kind: string): { idField: string; entities: readonly JsonObject[] } {
    const collection = this.#emulator.state.profile(this.profileId)!.collection(kind);
    return { idField: collection.idField, entities: collection.all() };
  }
}

function holds(entity: JsonObject, fields: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(fields).every(([name, value]) =>
    JSON.stringify(entity[name]) === JSON.stringify(value)
  );
}

function isArchived({ state }: JsonObject): boolean {
  return String(state).toUpperCase() === "ARCHIVED";
}

function numbers(count: number): number[] {
  return [...Array(count).keys()];
}
