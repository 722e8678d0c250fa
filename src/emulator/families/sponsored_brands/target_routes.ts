import type { Route } from "../../routing/route.ts";
import {
  archiveTarget,
  BRANDS_NEGATIVE_TARGETS,
  BRANDS_TARGETS,
  createTargets,
  getTarget,
  listTargets,
  updateTargets,
} from "./targets.ts";
import { createThemes, listThemes, updateThemes } from "./themes.ts";

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
