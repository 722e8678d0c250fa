import { isObject, type Json, type JsonObject, writeJson } from "../../core/json.ts";
import type { FlatProblem } from "../../entities/flat_verdict.ts";
import { isEmptyPage, readPageToken, writePageToken } from "../../entities/list_entities.ts";
import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import { refusal } from "../../http/refusal.ts";
import type { Context } from "../../routing/context.ts";
import type { Route } from "../../routing/route.ts";
import {
  bidKindOf,
  type BrandsVerdict,
  checkBrandsBid,
  checkBrandsPlace,
  runBrandsBatch,
} from "./brands_write.ts";
import {
  archiveTarget,
  BRANDS_NEGATIVE_TARGETS,
  BRANDS_TARGETS,
  createTargets,
  getTarget,
  invalid,
  listTargets,
  updateTargets,
} from "./targets.ts";

const NEGATIVE = "/sb/negativeTargets";
const TARGETS = "/sb/targets";
const THEMES = "/sb/themes";

export const BRANDS_TARGET_ROUTES: readonly Route[] = [
  route("listTargets", ["POST", `${TARGETS}/list`], [
    "sblisttargetsresponse.v3.2",
    "sblisttargetsresponse.v3",
  ], (context) => listTargets(BRANDS_TARGETS, context)),
  route(
    "createTargets",
    ["POST", TARGETS],
    ["sbcreatetargetsresponse.v3"],
    (context) => createTargets(BRANDS_TARGETS, context),
  ),
  route(
    "updateTargets",
    ["PUT", TARGETS],
    ["updatetargetsresponse.v3"],
    (context) => updateTargets(BRANDS_TARGETS, context),
  ),
  route(
    "getTarget",
    ["GET", `${TARGETS}/{targetId}`],
    ["sbtarget.v3"],
    (context) => getTarget(BRANDS_TARGETS, context),
  ),
  route(
    "archiveTarget",
    ["DELETE", `${TARGETS}/{targetId}`],
    ["sbtargetresponse.v3"],
    (context) => archiveTarget(BRANDS_TARGETS, context),
  ),
  route(
    "listNegativeTargets",
    ["POST", `${NEGATIVE}/list`],
    ["sblistnegativetargetsresponse.v3.2", "sblistnegativetargetsresponse.v3"],
    (context) => listTargets(BRANDS_NEGATIVE_TARGETS, context),
  ),
  route(
    "createNegativeTargets",
    ["POST", NEGATIVE],
    ["sbcreatenegativetargetsrequest.v3"],
    (context) => createTargets(BRANDS_NEGATIVE_TARGETS, context),
  ),
  route(
    "updateNegativeTargets",
    ["PUT", NEGATIVE],
    ["updatenegativetargetsresponse.v3"],
    (context) => updateTargets(BRANDS_NEGATIVE_TARGETS, context),
  ),
  route(
    "getNegativeTarget",
    ["GET", `${NEGATIVE}/{negativeTargetId}`],
    ["sbnegativetarget.v3"],
    (context) => getTarget(BRANDS_NEGATIVE_TARGETS, context),
  ),
  route("archiveNegativeTarget", ["DELETE", `${NEGATIVE}/{negativeTargetId}`], [
    "sbnegativetarget.v3",
  ], (context) => archiveTarget(BRANDS_NEGATIVE_TARGETS, context)),
  route("sbListThemes", ["POST", `${THEMES}/list`], ["sbthemeslistresponse.v3"], listThemes),
  route("sbCreateThemes", ["POST", THEMES], ["sbthemescreateresponse.v3"], createThemes),
  route("sbUpdateThemes", ["PUT", THEMES], ["sbthemesupdateresponse.v3"], updateThemes),
];

function route(
  name: string,
  [method, path]: readonly [method: Route["method"], path: string],
  types: readonly string[],
  handle: Route["handle"],
): Route {
  return {
    operation: `sponsored-brands-v3:${name}`,
    method,
    path,
    ...(method === "POST" || method === "PUT" ? { requestTypes: ["application/json"] } : {}),
    responseTypes: types.map((type) => `application/vnd.${type}+json`),
    errors: "details",
    handle,
  };
}

const THEME_KIND = "sb.themes";
const THEME_TYPES = ["KEYWORDS_RELATED_TO_YOUR_BRAND", "KEYWORDS_RELATED_TO_YOUR_LANDING_PAGES"];
const THEME_STATES = ["enabled", "paused", "archived"];
const MAX_THEMES = 5000;

const THEME_FILTERS: Readonly<Record<string, string>> = {
  themeIdFilter: "themeId",
  adGroupIdFilter: "adGroupId",
  campaignIdFilter: "campaignId",
  stateFilter: "state",
  themeTypeFilter: "themeType",
};

function listThemes(context: Context): HttpResponse {
  const { body, profile } = context;
  if (!isObject(body)) throw refusal(400, "Request body must be an object", "details");
  const { maxResults = MAX_THEMES, nextToken, ...filters } = body;
  if (
    typeof maxResults !== "number" || !Number.isInteger(maxResults) || maxResults < 1 ||
    maxResults > MAX_THEMES
  ) {
    throw refusal(400, `maxResults must be a whole number from 1 to ${MAX_THEMES}`, "details");
  }
  const predicates = Object.entries(filters).map(([name, value]) => readFilter(name, value));
  const found = profile.collection(THEME_KIND).all().filter((theme) =>
    predicates.every((each) => each(theme))
  );
  const identity = `${profile.id} ${THEME_KIND} ${writeJson(filters)}`;
  const token = typeof nextToken === "string" ? readPageToken(nextToken, identity) : undefined;
  if (nextToken !== undefined && token === undefined) throw refusal(400, "nextToken is not valid", "details");
  const { position: start, page } = token ?? { position: 0, page: 0 };
  const end = isEmptyPage(page, context) ? start : start + maxResults;
  const next = end < found.length
    ? { nextToken: writePageToken({ page: page + 1, position: end, total: found.length }, identity) }
    : {};
  const themes = found.slice(start, end).map(({ extendedData: _, ...theme }) => theme);
  return jsonResponse(200, { themes, ...next }, { type: context.responseType });
}

function readFilter(name: string, value: Json | undefined): (theme: JsonObject) => boolean {
  const field = Object.hasOwn(THEME_FILTERS, name) ? THEME_FILTERS[name] : undefined;
  if (field === undefined) {
    throw refusal(400, `The noted field is not allowed with this API endpoint : ${name}`, "details");
  }
  const included = isObject(value) && Array.isArray(value.include) ? value.include.map(String) : undefined;
  if (included === undefined) throw refusal(400, `${name} must be an object with include`, "details");
  return (theme) => included.includes(String(theme[field]));
}

/** An ad group can have each of the two themes once. */
function createThemes(context: Context): HttpResponse {
  const verdicts = runBrandsBatch(context, "themes", (item) => createTheme(item, context));
  return jsonResponse(200, results(verdicts), { type: context.responseType });
}

function createTheme(item: JsonObject, context: Context): string | FlatProblem {
  const { profile, state, clock } = context;
  if (!THEME_TYPES.includes(String(item.themeType))) {
    return invalid(`themeType must be one of ${THEME_TYPES.join(", ")}`);
  }
  if (item.bid === undefined) return invalid("bid is required");
  const problem = checkBrandsPlace(item, context) ??
    checkBrandsBid(item.bid, bidKindOf(item.adGroupId, profile), profile);
  if (problem !== undefined) return problem;
  const adGroup = profile.collection("sb.ad_groups").get(String(item.adGroupId));
  const now = clock.now();
  const theme: JsonObject = {
    themeId: state.newId(),
    adGroupId: String(item.adGroupId),
    campaignId: adGroup?.campaignId,
    themeType: item.themeType,
    bid: item.bid,
    state: "enabled",
    extendedData: { creationDate: now, lastUpdateDate: now },
  };
  const themes = profile.collection(THEME_KIND);
  if (themes.rivalOf(theme) !== undefined) return invalid("The ad group has this theme already");
  themes.insert(theme);
  return String(theme.themeId);
}

function updateThemes(context: Context): HttpResponse {
  const verdicts = runBrandsBatch(context, "themes", (item) => updateTheme(item, context));
  return jsonResponse(200, results(verdicts), { type: context.responseType });
}

function updateTheme(item: JsonObject, { profile }: Context): string | FlatProblem {
  const themes = profile.collection(THEME_KIND);
  const before = themes.get(String(item.themeId));
  if (before === undefined || before.adGroupId !== String(item.adGroupId)) {
    return { code: "NOT_FOUND", description: "Theme was not found in this ad group" };
  }
  if (before.state === "archived") return invalid("An archived theme cannot be changed");
  if (item.state !== undefined && !THEME_STATES.includes(String(item.state))) {
    return invalid(`state must be one of ${THEME_STATES.join(", ")}`);
  }
  const problem = checkBrandsBid(item.bid, bidKindOf(before.adGroupId, profile), profile);
  if (problem !== undefined) return problem;
  const { state = before.state, bid = before.bid } = item;
  themes.replace({ ...before, state, bid });
  return String(before.themeId);
}

function results(verdicts: readonly BrandsVerdict[]): JsonObject {
  const success = verdicts.flatMap(({ index, id }) => id === undefined ? [] : [{ index, themeId: id }]);
  const error = verdicts.flatMap(({ index, problem }) =>
    problem === undefined ? [] : [{ index, code: problem.code, details: problem.description }]
  );
  return { success, error };
}
