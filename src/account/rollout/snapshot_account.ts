import { byIdOf, idOf, requiredId } from "../../base/json/id_of.ts";
import { marketOf, timeZoneOf } from "../../base/markets/markets.ts";
import { sha256 } from "../../base/text/sha256.ts";
import { KINDS, PROFILE_KINDS, type ResourceKind } from "../../client/entities/kinds/kinds.ts";
import type { ResourceSpec } from "../../client/entities/model/resource_spec.ts";
import { offersDisplay } from "../../client/offers_display.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import type { AccountCopy, ProfileCopy } from "../../emulator/state/account_copy.ts";
import { ApiError, ForbiddenError } from "../../errors.ts";
import type { Warehouse } from "../../store/warehouse/warehouse.ts";
import { readLevels } from "./read_levels.ts";

/** Options of {@linkcode snapshotAccount}. */
export interface SnapshotOptions {
  /** Store whose figures describe shopper behavior. @default none: traffic is made up, as in the demo account */
  readonly store?: Pick<Warehouse, "query"> | undefined;
  /** Number of stored days to use, up to the newest. @default 60 */
  readonly days?: number | undefined;
  /**
   * Replaces names, keywords, products and links with pseudonyms, so that the copy can be shared. The same word always
   * gets the same pseudonym; ids, amounts and figures are kept.
   *
   * @default false
   */
  readonly anonymous?: boolean | undefined;
  /** Called with each kind that was read, and the number of its entities. */
  readonly onKind?: ((kind: string, count: number) => void) | undefined;
  /** Called with a message about anything that could not be read and is therefore missing from the copy. */
  readonly onNotice?: ((text: string) => void) | undefined;
  /** Current time in milliseconds since the epoch. @default the client's clock */
  readonly now?: (() => number) | undefined;
  /** Aborts listing the account; no partial copy is returned. */
  readonly signal?: AbortSignal | undefined;
}

/** Order of reading: children first, so that concurrent creates and archives never leave a child without its parent. */
const READING_ORDER: readonly ResourceKind[] = PROFILE_KINDS.toSorted((a, b) => heightOf(a) - heightOf(b));

/**
 * Copies a profile: its entities of every kind and state, portfolios, rules and, from a store, shopper behavior.
 * Contains no credentials. Sends no writes.
 *
 * @throws {ApiError} or {@linkcode NetworkError} when a kind of entity cannot be read; `RangeError` for fewer days than one.
 *
 * @example
 * ```ts
 * import { PlatformAds, type ProfileClient } from "@platform/ads";
 * import { snapshotAccount } from "@platform/ads/account";
 * import { Emulator } from "@platform/ads/emulator";
 *
 * async function rehearse(us: ProfileClient): Promise<void> {
 *   const emulator = await Emulator.start({ account: await snapshotAccount(us) });
 *   const copy = new PlatformAds(emulator.credentials, { platform: emulator.platform });
 *   const { profileId } = us;
 *   const plan = await us.sp.campaigns.planUpdate([{ campaignId: "9", state: "PAUSED" }]);
 *   const result = await plan.apply(await copy.profile(profileId)); // nothing reaches the account
 *   console.log(result.summary());
 *   await emulator.stop();
 * }
 * ```
 */
export async function snapshotAccount(
  profile: ProfileClient,
  options: SnapshotOptions = {},
): Promise<AccountCopy> {
  const { store, days = 60, anonymous = false, onKind, onNotice, signal } = options;
  if (!(days >= 1)) {
    throw new RangeError(`Cannot copy an account with figures of ${days} days: ask for one at least`);
  }
  const takenAt = new Date((options.now ?? (() => profile.transport.now()))()).toISOString();
  const hasDisplay = await offersDisplay(profile, { signal });
  if (!hasDisplay) onNotice?.("The profile has no Sponsored Display");
  const collections: Record<string, Record<string, unknown>[]> = {};
  for (const kind of READING_ORDER) {
    if (kind.startsWith("sd.") && !hasDisplay) continue;
    try {
      collections[kind] = await entitiesOf(kind, profile, signal);
      onKind?.(kind, collections[kind].length);
    } catch (error) {
      // The unified family has some kinds alone, and a login may have no access to it.
      const { wire, plural }: ResourceSpec = KINDS[kind];
      if (!(error instanceof ForbiddenError) || wire.name !== "unified") throw error;
      onNotice?.(`Without ${plural}: ${error.message}`);
    }
  }
  for (const { collection, what, read } of readRules(profile, { hasDisplay, signal })) {
    try {
      collections[collection] = await read();
      onKind?.(collection, collections[collection].length);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      onNotice?.(`Without ${what}: ${error.message}`);
    }
  }
  const levels = store === undefined
    ? undefined
    : await readLevels(store, { profileId: profile.profileId, days, collections });
  if (store !== undefined && levels === undefined) {
    onNotice?.("The store has no figures for the profile: traffic is synthetic, as in the demo account");
  }
  const copy = {
    region: profile.region,
    record: recordOf(profile),
    collections,
    ...(levels === undefined ? {} : { levels }),
  } as unknown as ProfileCopy;
  return { takenAt, profiles: [anonymous ? new Pseudonyms().profile(copy) : copy] };
}

function heightOf(kind: ResourceKind): number {
  if (kind === "portfolios") return 3;
  return kind.endsWith(".campaigns") ? 2 : kind.endsWith(".ad_groups") ? 1 : 0;
}

/**
 * Lists the entities of a kind without duplicates, because an entity may move between pages. Entities without an id
 * are skipped.
 */
async function entitiesOf(
  kind: ResourceKind,
  profile: ProfileClient,
  signal: AbortSignal | undefined,
): Promise<Record<string, unknown>[]> {
  const { idField, filters } = KINDS[kind];
  const extended = (filters as readonly string[]).includes("extended");
  const found = new Map<string, Record<string, unknown>>();
  const resource = profile.resource(kind as string);
  for await (const entity of resource.iter({ states: null, extended, signal })) {
    const fields = entity as unknown as Record<string, unknown>;
    const id = idOf(fields, idField);
    if (id !== undefined) found.set(id, fields);
  }
  // The extended lists of Sponsored Display lack fields that its usual ones have.
  if (!kind.startsWith("sd.")) return [...found.values()];
  for await (const entity of resource.iter({ states: null, signal })) {
    const fields = entity as unknown as Record<string, unknown>;
    const id = idOf(fields, idField);
    if (id !== undefined) found.set(id, { ...found.get(id), ...fields });
  }
  return [...found.values()];
}

function recordOf({ profile }: ProfileClient): Record<string, unknown> {
  const { region: _, ...record } = profile;
  const market = marketOf(profile.countryCode);
  return {
    ...record,
    currencyCode: profile.currencyCode ?? market?.currency ?? "USD",
    timezone: timeZoneOf(profile),
    accountInfo: {
      id: profile.profileId,
      name: "",
      type: "seller",
      validPaymentMethod: true,
      ...profile.accountInfo,
    },
  };
}

const WORDS: ReadonlySet<string> = new Set([
  "keywordText",
  "nativeLanguageKeyword",
  "headline",
  "customText",
  "promptText",
]);
const NAMES: ReadonlySet<string> = new Set([
  "name",
  "brandName",
  "brandEntityId",
  "campaignName",
  "sku",
  "ruleName",
  "entityId",
  "url",
  "landingPageURL",
  "brandLogoAssetID",
  "brandLogoUrl",
  "videoAssetIds",
  "mediaIds",
  "renderedAssetId",
  "renderedCoverImageUrl",
]);
const ASIN = /^B0[A-Z0-9]{8}$/i;

/**
 * Replaces words by pseudonyms. A word always gets the same pseudonym, so keywords, search terms and products still
 * match. The secret is discarded, so pseudonyms cannot be guessed by comparison.
 */
class Pseudonyms {
  readonly #secret: string = crypto.randomUUID();

  profile(copy: ProfileCopy): ProfileCopy {
    const { record, collections } = copy;
    const changed = Object.fromEntries(
      Object.entries(collections).map(([name, entities]) => [
        name,
        entities.map((entity) => this.#value(entity, "")),
      ]),
    );
    const { accountInfo } = record;
    return {
      ...copy,
      record: {
        ...record,
        accountInfo: {
          ...accountInfo,
          id: this.#code("A", accountInfo.id),
          name: this.#name(accountInfo.name),
        },
      },
      collections: changed as ProfileCopy["collections"],
    };
  }

  #value(value: unknown, field: string): unknown {
    if (typeof value === "string") return this.#text(value, field);
    if (Array.isArray(value)) return value.map((one) => this.#value(one, field));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.#value(one, name)]));
  }

  #text(text: string, field: string): string {
    if (ASIN.test(text)) return `B0${this.#hash(text.toUpperCase()).slice(0, 8).toUpperCase()}`;
    if (WORDS.has(field)) {
      return text.replace(/[\p{L}\p{N}]+/gu, (word) => `w${this.#hash(word.toLowerCase()).slice(0, 5)}`);
    }
    if (field === "url" || field === "landingPageURL") {
      return `https://example.invalid/${this.#hash(text).slice(0, 12)}`;
    }
    return NAMES.has(field) && text !== "" ? this.#name(text) : text;
  }

  #name(text: string): string {
    return this.#code("name ", text);
  }

  #code(prefix: string, text: string): string {
    return `${prefix}${this.#hash(text).slice(0, 12)}`;
  }

  #hash(text: string): string {
    return sha256(`${this.#secret} ${text}`);
  }
}

/** How to read one type of platform rule. Rules are not plan entities, so they need their own read operations. */
interface RuleSource {
  readonly collection: string;
  readonly what: string;
  readonly read: () => Promise<Record<string, unknown>[]>;
}

type Fields = Record<string, unknown>;

function readRules(
  profile: ProfileClient,
  { hasDisplay, signal }: { hasDisplay: boolean; signal: AbortSignal | undefined },
): RuleSource[] {
  const all = async (operation: string, field: string | undefined, call: Call = {}): Promise<Fields[]> => {
    const { body, ...options } = call;
    const found: Fields[] = [];
    for await (
      const page of profile.pages(operation, body, {
        ...options,
        ...(signal === undefined ? {} : { signal }),
      })
    ) {
      const list = field === undefined ? page : (page as Fields | undefined)?.[field];
      if (Array.isArray(list)) found.push(...list);
    }
    return found;
  };
  const budgetRules = async (api: string, program: string): Promise<Fields[]> => {
    const rules = await all(
      `${api}:Get${program}BudgetRulesForAdvertiser`,
      "budgetRulesForAdvertiserResponse",
      {
        query: { pageSize: 30 },
      },
    );
    for (const [budgetRuleId, rule] of byIdOf(rules, "ruleId")) {
      const tied = await all(`${api}:GetCampaignsAssociatedWith${program}BudgetRule`, "associatedCampaigns", {
        pathParams: { budgetRuleId },
        query: { pageSize: 30 },
      });
      rule["campaignIds"] = tied.flatMap((one) => idOf(one, "campaignId") ?? []);
    }
    return rules;
  };
  const brandsRules = async (): Promise<Fields[]> => {
    const rules = await all("sponsored-brands-v4:ListSponsoredBrandsOptimizationRules", "optimizationRules", {
      body: {},
    });
    return rules.map((rule) => ({ ties: [], ...rule }));
  };
  return [
    {
      collection: "sp.budget_rules",
      what: "the budget rules of Sponsored Products",
      read: () => budgetRules("sponsored-products", "SP"),
    },
    {
      collection: "sb.budget_rules",
      what: "the budget rules of Sponsored Brands",
      read: () => budgetRules("sponsored-brands-v4", "SB"),
    },
    {
      collection: "sb.optimization_rules",
      what: "the optimization rules of Sponsored Brands",
      read: brandsRules,
    },
    {
      collection: "sb.themes",
      what: "the themes of Sponsored Brands",
      read: () => all("sponsored-brands-v3:sbListThemes", "themes", { body: {} }),
    },
    ...(hasDisplay
      ? [{
        collection: "sd.budget_rules",
        what: "the budget rules of Sponsored Display",
        read: () => budgetRules("sponsored-display", "SD"),
      }, {
        collection: "sd.creatives",
        what: "the creatives of Sponsored Display",
        read: async () =>
          (await all("sponsored-display:listCreatives", undefined)).map((one) => ({
            state: "enabled",
            ...one,
            // A bare number on the wire, unlike that of the ad group itself.
            adGroupId: requiredId(one, "adGroupId"),
          })),
      }, {
        collection: "sd.optimization_rules",
        what: "the optimization rules of Sponsored Display",
        read: () => all("sponsored-display:listOptimizationRules", undefined),
      }]
      : []),
  ];
}

interface Call {
  readonly body?: unknown;
  readonly pathParams?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
}
