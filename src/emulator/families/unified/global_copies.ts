import type { JsonObject } from "../../core/json.ts";
import { ruleContext } from "../../entities/batch.ts";
import type { RuleContext } from "../../entities/entity_resource.ts";
import { refusal } from "../../http/refusal.ts";
import type { Context } from "../../routing/context.ts";
import type { ProfileState } from "../../state/profile_state.ts";
import { countryWord, isGlobal, profilesAt, profilesOfAccount } from "../reporting1/advertiser_accounts.ts";
import { commonFields, defined, part } from "./common.ts";
import { shown, withoutCampaign } from "./shown.ts";
import type { Copy, GlobalKind } from "./global_kind.ts";

export interface GlobalAccount {
  readonly home: ProfileState;
  readonly profiles: ReadonlyMap<string, ProfileState>;
}

/** True if the request names an account but no profile. */
export function isOfAccount({ accountId, headers }: Pick<Context, "accountId" | "headers">): boolean {
  const namesProfile = Object.keys(headers).some((name) => name.endsWith("-advertising-api-scope"));
  return accountId !== undefined && !namesProfile;
}

export function demandGlobalAccount(context: Context): GlobalAccount {
  const { accountId = "" } = context;
  const profiles = profilesOfAccount(accountId, context);
  const isHere = profilesAt(context).some((profile) => profiles.includes(profile));
  if (!isHere) throw refusal(403, `Account ${accountId} was not found`);
  const [home] = profiles as [ProfileState];
  if (!isGlobal(home)) throw refusal(403, `Account ${accountId} is not a global account`);
  return {
    home,
    profiles: new Map(profiles.map((profile) => [countryWord(profile.record.countryCode), profile])),
  };
}

export function rulesOf(profile: ProfileState, { clock, state }: Context): RuleContext {
  return ruleContext({ profile, clock, state });
}

export function copiesOf(kind: GlobalKind, whole: JsonObject, { profiles }: GlobalAccount): Copy[] {
  const { collection } = kind.sourceOf(whole);
  return Object.entries(part(whole, "copies")).flatMap(([marketplace, id]): Copy[] => {
    const profile = profiles.get(marketplace);
    const entity = profile?.collection(collection).get(String(id));
    return profile === undefined || entity === undefined ? [] : [{ marketplace, profile, entity }];
  });
}

export function shownGlobal(
  kind: GlobalKind,
  { whole, account }: { whole: JsonObject; account: GlobalAccount },
  { quirks }: Pick<Context, "quirks">,
): JsonObject {
  const { unified, noun } = kind;
  const source = kind.sourceOf(whole);
  const copies = copiesOf(kind, whole, account).map((copy) => ({
    ...copy,
    shown: shown(unified, source.toUnified(copy.entity, copy.profile), { profile: copy.profile, quirks }),
  }));
  const { copies: _, overrides: __, ...kept } = whole;
  const statuses = copies.map(({ marketplace, shown }) => ({ marketplace, ...part(shown, "status") }));
  const delivers = statuses.some((status) =>
    "deliveryStatus" in status && status.deliveryStatus === "DELIVERING"
  );
  const { status, ...common } = commonFields(whole, { adProduct: "SPONSORED_PRODUCTS", noun }, account.home);
  const entity = defined({
    ...common,
    ...kept,
    extendedData: undefined,
    marketplaceScope: "GLOBAL",
    marketplaces: copies.map(({ marketplace }) => marketplace),
    ...kind.shownValues(copies, whole),
    marketplaceConfigurations: copies.map((copy) => {
      const own = part(whole, "overrides", copy.marketplace);
      const { shown } = copy;
      return {
        [unified.idField]: shown[unified.idField],
        marketplace: copy.marketplace,
        overrides: defined({
          name: shown.name === whole.name ? undefined : shown.name,
          state: shown.state === whole.state ? undefined : shown.state,
          tags: own.tags === undefined ? undefined : shown.tags,
          ...kind.differences?.(whole, { ...copy, own }),
        }),
      };
    }),
    status: {
      ...part({ status }, "status"),
      deliveryStatus: delivers ? "DELIVERING" : "NOT_DELIVERING",
      marketplaceSettings: statuses,
    },
  });
  return withoutCampaign(entity, quirks);
}
