import type { ProfileClient } from "../../../mod.ts";
import {
  type AccountImage,
  type Entity,
  fields,
} from "../../../src/interfaces/arena/account/account_image.ts";
import { accountHeader } from "./drawn_account.ts";
import type { PlannedChange } from "./shown.ts";
import type { Door, World } from "./world.ts";

/** The kinds of a global account, with those of their copies. */
const COPIES: Readonly<Record<string, string>> = {
  "sp.global_campaigns": "sp.campaigns",
  "sp.global_ad_groups": "sp.ad_groups",
};

interface Whole {
  readonly kind: string;
  readonly id: string;
  readonly entity: Entity;
}

function wholes(image: AccountImage): Whole[] {
  return [...image].flatMap(([key, entity]) => {
    const [, kind = "", id = ""] = key.split(" ");
    const isLive = String(entity["state"]).toUpperCase() !== "ARCHIVED";
    return COPIES[kind] === undefined || !isLive ? [] : [{ kind, id, entity }];
  });
}

function placeOf(country: string, markets: World["markets"]): World["markets"][0] {
  return markets.find((one) => [one.country, one.code].includes(country))!;
}

/** Puts the copies of global entities in place of what a plan says of the whole. */
export function withCopies(
  shown: readonly PlannedChange[],
  { image, markets }: Pick<World, "image" | "markets">,
): PlannedChange[] {
  return shown.flatMap((change) => {
    const copyKind = COPIES[change.kind];
    if (copyKind === undefined) return [change];
    const all = wholes(image).filter(({ kind }) => kind === change.kind);
    const whole = all.find(({ id }) => id === change.id);
    const { marketplaces, ...common } = change.after;
    const amount = change.kind === "sp.global_campaigns" ? "budget" : "defaultBid";
    const copies = Object.entries(fields(whole?.entity["copies"]) ?? {}).map(([country, id]) => {
      const place = placeOf(country, markets);
      const own = fields(marketplaces)?.[place.country] ?? fields(marketplaces)?.[place.code];
      const ownFields = typeof own === "number" ? { [amount]: own } : fields(own) ?? {};
      const value = ownFields[amount];
      const after = {
        ...common,
        ...ownFields,
        ...(amount === "budget" && value !== undefined ? { budget: { budget: value } } : {}),
      };
      return { ...change, profileId: place.profileId, kind: copyKind, id: String(id), after };
    });
    // The whole is kept with one of the profiles; its own parts cost nothing.
    const homes = markets.map(({ profileId }) => ({
      ...change,
      profileId,
      id: null,
    }));
    return [...homes, ...copies];
  });
}

/** Amounts and states of a global entity, by marketplace. */
export function drawnGlobal(
  { random, image, markets }: World,
): { kind: string; id: string; item: Record<string, unknown> } | undefined {
  const all = wholes(image);
  if (all.length === 0) return undefined;
  const { kind, id, entity } = random.pick(all);
  const [idField, amountField] = kind === "sp.global_campaigns"
    ? ["campaignId", "budget"]
    : ["adGroupId", "defaultBid"];
  // Near what the copy has now, as people raise and lower things.
  const amount = (country: string): number => {
    const place = placeOf(country, markets);
    const copy = image.get(`${place.profileId} ${COPIES[kind]} ${fields(entity["copies"])?.[country]}`);
    const now = Number(fields(copy?.["budget"])?.["budget"] ?? copy?.["defaultBid"] ?? 1);
    return Math.round(now * random.pick([0.4, 0.8, 1.05, 1.09, 1.25, 1.25, 1.4, 3, 20]) * 100) / 100;
  };
  const marketplaces = Object.fromEntries(
    Object.keys(fields(entity["copies"]) ?? {}).filter(() => random.integer(0, 2) > 0).map((country) => [
      country,
      random.integer(0, 2) > 0
        ? amount(country)
        : { [amountField]: amount(country), state: random.pick(["PAUSED", "ENABLED"]) },
    ]),
  );
  return {
    kind,
    id,
    item: {
      [idField]: id,
      ...(Object.keys(marketplaces).length > 0 && random.integer(0, 5) > 0 ? { marketplaces } : {}),
      ...(random.integer(0, 2) === 0 ? { state: random.pick(["PAUSED", "ENABLED"]) } : {}),
      ...(random.integer(0, 3) === 0
        ? { name: `${random.pick(["Plain", "Brand"])} ${random.integer(1, 99_999)}` }
        : {}),
    },
  };
}

/** Changes a global entity: at once, by a plan, by an archive, or by a call. */
export const globalKinds: Door = async (world, moved) => {
  const { random } = world;
  const drawn = drawnGlobal(world);
  if (drawn === undefined) return;
  const us: ProfileClient = random.pick(world.clients);
  const { kind, id, item } = drawn;
  const resource = us.resource(kind);
  moved({});
  const way = random.integer(0, 9);
  if (way === 0 && random.integer(0, 4) === 0) return await resource.delete([id]);
  if (way < 5) return await resource.update([item as never]);
  if (way < 7) {
    const entity = kind === "sp.global_campaigns" ? "campaigns" : "adGroups";
    const operation = kind === "sp.global_campaigns"
      ? "v1-spglobal-campaigns:SPGlobalUpdateCampaign"
      : "v1-spglobal-ad-groups:SPGlobalUpdateAdGroup";
    const body = random.integer(0, 1) === 0
      ? { [entity]: [{ ...item, marketplaces: undefined }] }
      : { [entity]: [wireAmounts(item, { kind, markets: world.markets })] };
    const account = world.connect("unified").account(accountHeader(world.emulator), {
      region: world.markets[0].region,
    });
    return await account.call(operation as string, body as never, { check: "off" });
  }
  const plan = await resource.planUpdate([item as never]);
  moved({
    shown: withCopies(plan.changes.map((change) => ({ profileId: plan.profileId, ...change })), world),
  });
  await plan.apply(us);
};

/** The item as the published body has its amounts. */
function wireAmounts(
  { marketplaces, ...item }: Record<string, unknown>,
  { kind, markets }: { kind: string } & Pick<World, "markets">,
): Record<string, unknown> {
  const settings = Object.entries(fields(marketplaces) ?? {}).map(([country, own]) => {
    const value = typeof own === "number" ? own : Object.values(fields(own) ?? {})[0];
    const place = placeOf(country, markets);
    const [marketplace, currencyCode] = [place.code, place.currency];
    return kind === "sp.global_campaigns"
      ? { marketplace, monetaryBudget: { currencyCode, value } }
      : { marketplace, currencyCode, defaultBid: value };
  });
  return kind === "sp.global_campaigns"
    ? {
      ...item,
      budgets: [{
        budgetType: "MONETARY",
        recurrenceTimePeriod: "DAILY",
        budgetValue: { monetaryBudgetValue: { marketplaceSettings: settings } },
      }],
    }
    : { ...item, bid: { marketplaceSettings: settings } };
}
