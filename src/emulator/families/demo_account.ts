import type { EmulatorOptions } from "../state/emulator_options.ts";
import { Random } from "../core/random.ts";
import type { DemoAccount, DemoSource } from "../state/demo_account.ts";
import type { ProfileContents } from "../state/profile_state.ts";
import type { ProfileRecord } from "../state/profile_record.ts";
import { buildChangeHistory, buildLabels, demoProfiles } from "./account/demo.ts";
import { buildCampaignRules } from "./budgets/demo.ts";
import { buildBrandsTargets, buildSponsoredBrands } from "./sponsored_brands/demo.ts";
import { buildSponsoredProducts } from "./sponsored_products/demo.ts";
import { buildSponsoredDisplay } from "./sponsored_display/demo.ts";
import { buildAdExtensions } from "./unified/ad_extensions_demo.ts";
import { THEMES } from "../state/demo_themes.ts";

type DemoAccountOptions = Pick<EmulatorOptions, "profiles" | "hostileNames">;

const IDS_PER_PROFILE = 2 ** 24;
const DAY = 86_400_000;

/** Frozen and replaced on change, so emulators in one process can share them. */
const made = new Map<string, ProfileContents>();
const MAX_MADE = 16;

/** Contents depend on the seed alone, history on seed and day. */
export function demoAccount({ profiles, hostileNames = false }: DemoAccountOptions = {}): DemoAccount {
  return {
    profiles: (ids) => demoProfiles(ids, profiles),
    contents: (record, source) => {
      const { seed, number, now } = source;
      const key = JSON.stringify([seed, number, Math.floor(now / DAY), hostileNames, record]);
      const contents = made.get(key) ?? frozen(demoContents(record, source, hostileNames));
      made.delete(key);
      made.set(key, contents);
      for (const oldest of made.keys()) if (made.size > MAX_MADE) made.delete(oldest);
      return contents;
    },
  };
}

function frozen<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}

function demoContents(record: ProfileRecord, source: DemoSource, hostileNames: boolean): ProfileContents {
  let next = (source.number + 1) * IDS_PER_PROFILE;
  // Ids of their own, so that entities added here leave those of other families as they are.
  let nextDisplay = next + IDS_PER_PROFILE / 2;
  const theme = THEMES[source.number % THEMES.length]!;
  const newId = () => source.ids.at(next++);
  const products = buildSponsoredProducts({
    record,
    theme,
    hostileNames,
    random: new Random(`${source.seed} contents ${source.number}`),
    newId,
  });
  const brands = buildSponsoredBrands({
    record,
    theme,
    random: new Random(`${source.seed} brands ${source.number}`),
    newId,
    collections: products,
  });
  const display = buildSponsoredDisplay({
    record,
    theme,
    random: new Random(`${source.seed} display ${source.number}`),
    newId: () => source.ids.at(nextDisplay++),
    products: products["sp.product_ads"] ?? [],
  });
  const brandsTargets = buildBrandsTargets({
    countryCode: record.countryCode,
    random: new Random(`${source.seed} brands targets ${source.number}`),
    newId: () => source.ids.at(nextDisplay++),
    collections: { ...products, ...brands },
  });
  const rules = buildCampaignRules({ newId }, products["sp.campaigns"] ?? []);
  const extensions = buildAdExtensions({ newId: () => source.ids.at(nextDisplay++) }, {
    ...products,
    ...brands,
  });
  const entities = { ...products, ...brands, ...display, ...brandsTargets, ...rules, ...extensions };
  const collections = { ...entities, ...buildLabels(entities) };
  const random = new Random(`${source.seed} history ${source.number}`);
  return { collections, history: buildChangeHistory({ collections, random, now: source.now }) };
}
