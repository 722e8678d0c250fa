import { Random } from "../random.ts";
import type { IdMaker } from "../state/ids.ts";
import type { ProfileContents } from "../state/profile_state.ts";
import type { ProfileRecord } from "../state/profile_record.ts";
import { buildChangeHistory } from "./change_history.ts";
import { buildCampaignRules } from "./campaign_rules.ts";
import { buildSponsoredBrands } from "./sponsored_brands.ts";
import { buildSponsoredProducts } from "./sponsored_products.ts";
import { THEMES } from "./themes.ts";

const IDS_PER_PROFILE = 2 ** 24;

/** What the contents of a demo profile follow from. */
export interface DemoSource {
  /** The emulator's seed. */
  readonly seed: string;
  /** Makes ids. */
  readonly ids: IdMaker;
  /** Place of the profile among the demo profiles, from 0. */
  readonly number: number;
  /** The moment that the profile is first looked at, milliseconds since the epoch. */
  readonly now: number;
}

/** What a demo profile holds before anyone changes it: always the same for one seed, its history for one seed and day. */
export function demoContents(record: ProfileRecord, source: DemoSource): ProfileContents {
  let next = (source.number + 1) * IDS_PER_PROFILE;
  const theme = THEMES[source.number % THEMES.length]!;
  const newId = () => source.ids.at(next++);
  const products = buildSponsoredProducts({
    record,
    theme,
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
  const rules = buildCampaignRules({ newId }, products["sp.campaigns"] ?? []);
  const collections = { ...products, ...brands, ...rules };
  const random = new Random(`${source.seed} history ${source.number}`);
  return { collections, history: buildChangeHistory({ collections, random, now: source.now }) };
}
