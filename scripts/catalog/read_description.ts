import { isHostedMcpTool } from "../../src/platform/catalog/catalog_data.ts";
import { compareText, type OperationFacts, type ParameterFacts } from "./facts.ts";
import { sortedMediaTypes } from "./media_types.ts";
import { type Node, nodeOf, resolveRef } from "./resolve_ref.ts";

/** What an API description says. */
export interface Description {
  /** Title of the API. */
  readonly title?: string;
  /** Version of the API. */
  readonly version?: string;
  /** True when it lists tools of the hosted tool server. */
  readonly hostedTools: boolean;
  /** Its operations, without the slug, in the order of their names. */
  readonly operations: readonly Omit<OperationFacts, "api">[];
}

export const METHODS: readonly string[] = ["get", "put", "post", "delete", "patch"];
export const OTHERS_JOB: RegExp = /^(?:authorization|accept|content-type|user-agent|.*-(?:clientid|scope))$/i;

/**
 * Reads the operations of an OpenAPI 3 or Swagger 2 description.
 *
 * An operation without an `operationId`, or with one that an earlier path took, is named by its method and path.
 *
 * @throws {Error} when the document describes no API, or a `$ref` of it cannot be followed.
 */
export function readDescription(document: unknown): Description {
  const root = nodeOf(document);
  if (typeof root["paths"] !== "object" || root["paths"] === null) {
    throw new Error(`Cannot read the description: it has no "paths"`);
  }
  const hostedTools = isHostedMcpTool(root as { paths: Record<string, unknown> });
  const taken = new Set<string>();
  const operations = Object.keys(nodeOf(root["paths"])).sort(compareText).flatMap((path) => {
    const item = resolveRef(root, nodeOf(root["paths"])[path]);
    return METHODS.filter((method) => item[method] !== undefined).map((method) => {
      const operation = readOperation(root, { item, method, path: basePath(root) + path });
      const name = unusedName(nodeOf(item[method])["operationId"], { method, path, taken });
      return { ...operation, operationId: name, ...(hostedTools && { contentTypes: [], accepts: [] }) };
    });
  });
  const info = nodeOf(root["info"]);
  return {
    ...(typeof info["title"] === "string" && { title: info["title"].trim() }),
    ...(info["version"] !== undefined && { version: String(info["version"]).trim() }),
    hostedTools,
    operations: operations.sort((a, b) => compareText(a.operationId, b.operationId)),
  };
}

function readOperation(
  root: Node,
  { item, method, path }: { item: Node; method: string; path: string },
): Omit<OperationFacts, "api" | "operationId"> {
  const operation = nodeOf(item[method]);
  const parameters = mergedParameters(root, item, operation);
  return {
    method: method.toUpperCase(),
    path,
    deprecated: operation["deprecated"] === true,
    tags: texts(operation["tags"]).map((tag) => tag.replace(/[|\s]+/g, " ").trim()),
    query: parametersIn(parameters, "query"),
    headers: parametersIn(parameters, "header").filter(({ name }) => !OTHERS_JOB.test(name)),
    contentTypes: sortedMediaTypes(requestTypes(root, operation, parameters)),
    accepts: sortedMediaTypes(responseTypes(root, operation)),
    mediaTypesSource: "published",
  };
}

function mergedParameters(root: Node, item: Node, operation: Node): Node[] {
  const merged = new Map<string, Node>();
  for (const list of [item["parameters"], operation["parameters"]]) {
    if (!Array.isArray(list)) continue;
    for (const entry of list) {
      const parameter = resolveRef(root, entry);
      merged.set(`${parameter["in"]} ${String(parameter["name"]).toLowerCase()}`, parameter);
    }
  }
  return [...merged.values()];
}

function parametersIn(parameters: readonly Node[], place: string): ParameterFacts[] {
  return parameters.filter((parameter) => parameter["in"] === place)
    .map((parameter) => ({ name: String(parameter["name"]), required: parameter["required"] === true }));
}

function requestTypes(root: Node, operation: Node, parameters: readonly Node[]): string[] {
  const content = Object.keys(nodeOf(resolveRef(root, operation["requestBody"])["content"]));
  const isSwagger2 = parameters.some(({ in: place }) => place === "body" || place === "formData");
  return isSwagger2 ? [...content, ...texts(operation["consumes"] ?? root["consumes"])] : content;
}

function responseTypes(root: Node, operation: Node): string[] {
  const responses = nodeOf(operation["responses"]);
  const content = Object.keys(responses).filter((status) => /^2/.test(status))
    .flatMap((status) => Object.keys(nodeOf(resolveRef(root, responses[status])["content"])));
  return root["swagger"] === undefined
    ? content
    : [...content, ...texts(operation["produces"] ?? root["produces"])];
}

/** The part of the path that a description keeps apart from its paths. */
export function basePath(root: Node): string {
  const [server] = Array.isArray(root["servers"]) ? root["servers"] : [];
  const url = typeof root["basePath"] === "string" ? root["basePath"] : String(nodeOf(server)["url"] ?? "");
  const path = url.replace(/^(?:[a-z]+:)?\/\/[^/]*/i, "").replace(/\/+$/, "");
  return path.startsWith("/") ? path : "";
}

function unusedName(
  operationId: unknown,
  { method, path, taken }: { method: string; path: string; taken: Set<string> },
): string {
  const own = typeof operationId === "string" ? operationId.trim().replace(/[\s:]+/g, "_") : "";
  const byPath = `${method}_${path.replaceAll("/", "_")}`;
  let name = own !== "" && !taken.has(own) ? own : byPath;
  for (let count = 2; taken.has(name); count++) name = `${byPath}_${count}`;
  taken.add(name);
  return name;
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}
