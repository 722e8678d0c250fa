import { idOf } from "../../../base/json/id_of.ts";
import { offersDisplay } from "../../../client/offers_display.ts";
import type { ProfileClient } from "../../../client/profile_client.ts";
import { fieldsOf } from "../../../base/json/fields_of.ts";
import { KINDS, type ResourceKind } from "../../../client/entities/kinds/kinds.ts";
import { expressionOf } from "../../../client/entities/model/identity.ts";
import { ApiProblem } from "../http/responses.ts";
import type { ApiCall, Route } from "../http/route.ts";
import { figuresOf } from "../http/figures_of.ts";
import { marketView } from "../plans/plan_summary.ts";

const MAX_CHILDREN = 2000;
const CHILD_KINDS = [
  "sp.ad_groups",
  "sp.keywords",
  "sp.targets",
  "sb.ad_groups",
  "sb.keywords",
  "sb.targets",
  "sd.ad_groups",
  "sd.targets",
] as const;

export const ACCOUNT_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/api/profiles/:profile/campaigns",
    about: "Lists the campaigns of a profile with state, budget and figures of 30 days",
    gives: "`campaigns`",
    run: campaigns,
  },
  {
    method: "GET",
    path: "/api/profiles/:profile/campaigns/:campaign",
    about: "Lists the ad groups, keywords and targets of a campaign, with their bids",
    gives: "`entities`, at most 2000, and `truncated`",
    run: children,
  },
];

/** An entity without an id is shown without figures. */
interface EntityView {
  readonly kind: string;
  readonly id: string | null;
  readonly [field: string]: unknown;
}

async function profileOf({ context, params }: ApiCall): Promise<ProfileClient> {
  return await context.ads.profile(params["profile"] ?? "");
}

async function campaigns(call: ApiCall): Promise<unknown> {
  const { context, signal } = call;
  const profile = await profileOf(call);
  const found: EntityView[] = [];
  const hasDisplay = await offersDisplay(profile, { signal });
  for (const kind of ["sp.campaigns", "sb.campaigns", ...(hasDisplay ? ["sd.campaigns"] : [])]) {
    for await (const entity of profile.resource(kind).iter({ states: ["ENABLED", "PAUSED"], signal })) {
      found.push(entityView(kind, entity));
    }
  }
  const figures = await figuresOf(profile, found, context);
  return {
    ...marketView(profile.countryCode),
    currency: profile.profile.currencyCode ?? null,
    campaigns: found.map((one) => ({ ...one, figures: figures.get(one.id ?? "") ?? null })),
  };
}

async function children(call: ApiCall): Promise<unknown> {
  const { context, params, signal } = call;
  const profile = await profileOf(call);
  const campaignIds = [params["campaign"] ?? ""];
  const product = await productOf(profile, campaignIds, signal);
  const found: EntityView[] = [];
  let isCut = false;
  for (const kind of CHILD_KINDS.filter((one) => one.startsWith(`${product}.`))) {
    for await (
      const entity of profile.resource(kind).iter({ campaignIds, states: ["ENABLED", "PAUSED"], signal })
    ) {
      isCut = found.length >= MAX_CHILDREN;
      if (isCut) break;
      found.push(entityView(kind, entity));
    }
  }
  const figures = await figuresOf(profile, found, context);
  return {
    entities: found.map((one) => ({ ...one, figures: figures.get(one.id ?? "") ?? null })),
    truncated: isCut,
  };
}

async function productOf(
  profile: ProfileClient,
  campaignIds: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  for (const product of ["sp", "sb", "sd"]) {
    if (product === "sd" && !await offersDisplay(profile, { signal })) continue;
    const campaigns = profile.resource(`${product}.campaigns`).iter({ campaignIds, states: null, signal });
    for await (const _ of campaigns) return product;
  }
  throw new ApiProblem(404, "NO_CAMPAIGN", `The profile has no campaign "${campaignIds.join()}"`);
}

function entityView(kind: string, entity: object): EntityView {
  const fields = fieldsOf(entity);
  const { name, keywordText, matchType, state, budget, bid, defaultBid, adGroupId } = fields;
  const { idField } = KINDS[kind as ResourceKind];
  const amount = typeof budget === "number" ? budget : fieldsOf(budget)["budget"];
  return {
    kind,
    id: idOf(fields, idField) ?? null,
    ad_group_id: idField === "adGroupId" ? null : adGroupId ?? null,
    name: name ??
      (keywordText === undefined
        ? JSON.stringify(expressionOf(fields) ?? "")
        : `${keywordText} (${matchType})`),
    state,
    budget: amount ?? null,
    bid: bid ?? defaultBid ?? null,
  };
}
