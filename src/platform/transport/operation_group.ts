import type { ApiRequest } from "./api_request.ts";

/**
 * Operations that have a limit of their own, the first match counts: the platform publishes no limits, and these are
 * the ones that are met apart from the rest of their family.
 */
const GROUPS: readonly [method: RegExp, path: RegExp, group: string][] = [
  [/./, /\/recommendations?(?:\/|$)/i, "recommendations"],
  [/POST/, /^\/reporting\/reports$/, "report creation"],
  [/./, /^\/reporting\//, "report status"],
  [/./, /^\/adsApi\/v1\/create\/reports$/, "reporting 1 creation"],
  [/./, /^\/adsApi\/v1\/\w+\/reports$/, "reporting 1 status"],
  [/./, /\/exports?(?:\/|$)/i, "exports"],
  [/./, /^\/history(?:\/|$)/, "history"],
  [/./, /^\/v2\/profiles/, "profiles"],
];

/** In every path of the above: the others need not be compared one by one. */
const HAS_GROUP = /recommendation|\breport(?:ing|s)\b|export|^\/history|^\/v2\/profiles/i;

/** Weight of a list with extended data, relative to one without. */
const EXTENDED_WEIGHT = 5;

/** The operations that a request shares a limit with: those named above, or the reads or writes of its family. */
export function operationGroup({ method, path, idempotent, group: named }: ApiRequest): string {
  if (named !== undefined) return named;
  if (!HAS_GROUP.test(path)) return family({ path, idempotent });
  for (const [methods, paths, group] of GROUPS) if (methods.test(method) && paths.test(path)) return group;
  return family({ path, idempotent });
}

function family({ path, idempotent }: Pick<ApiRequest, "path" | "idempotent">): string {
  const end = path.indexOf("/", 1);
  return `${path.slice(1, end < 0 ? undefined : end)} ${idempotent ? "reads" : "writes"}`;
}

export function requestWeight({ json, params }: ApiRequest): number {
  const inBody = typeof json === "object" && json !== null && "includeExtendedDataFields" in json &&
    json.includeExtendedDataFields === true;
  return inBody || String(params?.["includeExtendedDataFields"]) === "true" ? EXTENDED_WEIGHT : 1;
}
