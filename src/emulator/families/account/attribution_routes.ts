import { isObject, type JsonObject } from "../../core/json.ts";
import { Random } from "../../core/random.ts";
import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import { RouteRefusal } from "../../http/refusal.ts";
import type { Context } from "../../routing/context.ts";
import type { Route } from "../../routing/route.ts";

const DAY_MS = 86_400_000;
const GROUPS = ["CAMPAIGN", "ADGROUP", "CREATIVE"];
const PUBLISHERS = ["Search engine", "Newsletter"];
/** Publishers. Only the first supports macros, so it fills in its tags by itself. */
const PUBLISHER_LIST = PUBLISHERS.map((name, at) => ({ id: String(at + 1), name, macroEnabled: at === 0 }));
const ADVERTISER = { advertiserId: "930000000001", advertiserName: "Fernpfad" };

/** Routes for creating attribution tags and for the report on the traffic that they bring in from other sites. */
export const ATTRIBUTION_ROUTES: readonly Route[] = [
  {
    operation: "platform-attribution:getAttributionTagsByCampaign",
    method: "POST",
    path: "/attribution/report",
    requestTypes: ["application/json"],
    responseTypes: ["application/json"],
    errors: "details",
    handle: attributionReport,
  },
  read("getAdvertisersByProfile", "advertisers", () => jsonResponse(200, { advertisers: [ADVERTISER] })),
  read("getPublishers", "publishers", () => jsonResponse(200, { publisher: PUBLISHER_LIST })),
  read("getPublisherAttributionTagTemplate", "tags/macroTag", (context) => tagsOf(context, true)),
  read("getPublisherMacroAttributionTag", "tags/nonMacroTemplateTag", (context) => tagsOf(context, false)),
];

function read(name: string, path: string, handle: Route["handle"]): Route {
  return {
    operation: `platform-attribution:${name}`,
    method: "GET",
    path: `/attribution/${path}`,
    responseTypes: ["application/json"],
    errors: "details",
    handle,
  };
}

/** Returns tags by advertiser for publishers with or without macros; publishers of the other kind get none. */
function tagsOf({ query }: Context, hasMacros: boolean): HttpResponse {
  const idsIn = (name: string): string[] =>
    query.getAll(name).flatMap((text) => text.split(",")).filter((id) => id !== "");
  const [publishers, advertisers] = [idsIn("publisherIds"), idsIn("advertiserIds")];
  if (publishers.length === 0) throw new RouteRefusal(400, "publisherIds is required");
  const unknown = publishers.find((id) => !PUBLISHER_LIST.some((one) => one.id === id));
  if (unknown !== undefined) throw new RouteRefusal(400, `publisher ${unknown} is not known`);
  const { advertiserId } = ADVERTISER;
  if (advertisers.some((id) => id !== advertiserId)) throw new RouteRefusal(403, "not authorized");
  const tags = PUBLISHER_LIST.filter(({ id, macroEnabled }) =>
    publishers.includes(id) && macroEnabled === hasMacros
  ).map(({ id }) => {
    const parts = hasMacros ? "{campaignid}_{adgroupid}_{creative}" : "{insertCampaignId}_{insertAdGroupId}";
    return [id, `?maas=maas_adg_api_${advertiserId}_${id}_${parts}&ref_=aa_maas&tag=maas`];
  });
  return jsonResponse(200, { advertiserAttributionTagMap: { [advertiserId]: Object.fromEntries(tags) } });
}

function attributionReport(context: Context): HttpResponse {
  const { body, clock, profile, state } = context;
  const request = isObject(body) ? body : {};
  const { reportType = "PERFORMANCE", count = 5000, cursorId } = request;
  if (reportType !== "PERFORMANCE" && reportType !== "PRODUCTS") {
    throw new RouteRefusal(400, `reportType ${String(reportType)} is not known`);
  }
  const isProducts = reportType === "PRODUCTS";
  if (isProducts && request.groupBy !== undefined) {
    throw new RouteRefusal(400, "groupBy is not supported for PRODUCTS");
  }
  const groupBy = String(request.groupBy ?? "CREATIVE");
  if (!GROUPS.includes(groupBy)) throw new RouteRefusal(400, `groupBy ${groupBy} is not known`);
  if (typeof count !== "number" || !Number.isInteger(count) || count < 1 || count > 5000) {
    throw new RouteRefusal(400, "count must be 1 to 5000");
  }
  const [start, end] = [dayOf(request.startDate, "startDate"), dayOf(request.endDate, "endDate")];
  if (end < start) throw new RouteRefusal(400, "endDate is before startDate");
  if (clock.now() - start > (isProducts ? 91 : 397) * DAY_MS) {
    throw new RouteRefusal(400, "startDate is too long ago");
  }
  const seed = `${state.seed} ${profile.id} attribution`;
  const rows: JsonObject[] = [];
  for (let day = start; day <= end; day += DAY_MS) {
    for (const campaign of [1, 2]) {
      for (const part of isProducts || groupBy !== "CAMPAIGN" ? [1, 2] : [1]) {
        const clicks = new Random(`${seed} ${day} ${campaign} ${part}`).integer(10, 90);
        const orders = Math.floor(clicks / 10 * attributedShare(clock.now() - day));
        rows.push(rowOf({ day, campaign, part, isProducts, groupBy, clicks, orders }));
      }
    }
  }
  const from = offsetIn(cursorId);
  const page = rows.slice(from, from + count);
  const isLast = from + count >= rows.length;
  // The cursor is a text of JSON; it is taken back as it was given.
  const next = isLast ? null : JSON.stringify({ lastOffset: from + count, day: String(request.startDate) });
  return jsonResponse(200, { reports: page, size: page.length, cursorId: next });
}

/** Fraction of a day's purchases that is attributed at a given age. Days are restated after 1, 7 and 28 days. */
function attributedShare(age: number): number {
  if (age > 28 * DAY_MS) return 1;
  return age > 7 * DAY_MS ? 0.9 : 0.7;
}

function offsetIn(cursor: unknown): number {
  if (cursor === undefined || cursor === null || cursor === "") return 0;
  const parsed: unknown = typeof cursor === "string" && cursor.startsWith("{")
    ? JSON.parse(cursor)
    : undefined;
  const offset = isObject(parsed) ? parsed.lastOffset : undefined;
  if (typeof offset !== "number") throw new RouteRefusal(400, "cursorId is not valid");
  return offset;
}

function dayOf(value: unknown, name: string): number {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(String(value)) ?? [];
  if (day === undefined) throw new RouteRefusal(400, `${name} must be YYYYMMDD`);
  return Date.UTC(Number(year), Number(month) - 1, Number(day));
}

function rowOf(
  { day, campaign, part, isProducts, groupBy, clicks, orders }: {
    readonly day: number;
    readonly campaign: number;
    readonly part: number;
    readonly isProducts: boolean;
    readonly groupBy: string;
    readonly clicks: number;
    readonly orders: number;
  },
): JsonObject {
  const place = {
    date: new Date(day).toISOString().slice(0, 10).replaceAll("-", ""),
    advertiserName: "Fernpfad",
    campaignId: `9000000000${campaign}`,
    ...(groupBy === "CAMPAIGN" && !isProducts ? {} : { adGroupId: `9100000000${campaign}${part}` }),
    publisher: PUBLISHERS[campaign - 1] ?? "",
  };
  if (isProducts) {
    return {
      ...place,
      productAsin: `B0ATTRIB0${part}`,
      brandHaloAttributedPurchases14d: "0",
      attributedPurchases14d: String(orders),
    };
  }
  return {
    ...place,
    ...(groupBy === "CREATIVE" ? { creativeId: `9200000000${campaign}${part}` } : {}),
    "Click-throughs": String(clicks),
    attributedPurchases14d: String(orders),
    attributedSales14d: (orders * 19.9).toFixed(2),
  };
}
