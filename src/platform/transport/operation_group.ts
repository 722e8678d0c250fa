import type { ApiRequest } from "./api_request.ts";

/** Operations with limits of their own; the first match counts. The platform publishes no limits; these were observed. */
const GROUPS: readonly [method: RegExp, path: RegExp, group: string][] = [
  [/./, /\/recommendations?(?:\/|$)/i, "recommendations"],
  [/POST/, /^\/reporting\/reports$/, "report creation"],
  [/./, /^\/reporting\//, "report status"],
  [/./, /^\/adsApi\/v1\/create\/reports$/, "new report creation"],
  [/./, /^\/adsApi\/v1\/\w+\/reports$/, "new report status"],
  [/./, /\/exports?(?:\/|$)/i, "exports"],
  [/./, /^\/history(?:\/|$)/, "history"],
  [/./, /^\/v2\/profiles/, "profiles"],
];

const HAS_GROUP = /recommendation|\breport(?:ing|s)\b|export|^\/history|^\/v2\/profiles/i;

const EXTENDED_WEIGHT = 5;

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
