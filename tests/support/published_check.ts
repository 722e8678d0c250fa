import { KNOWN_DIFFERENCES } from "./known_differences.ts";
import { catalog, type Operation } from "../../src/platform/catalog/mod.ts";
import { parseJson } from "../../src/base/json/json.ts";
import { checkValue } from "../../src/platform/schema/check_value.ts";
import { findingText } from "../../src/platform/schema/schema_error.ts";
import { loadApiShapes } from "../../src/platform/schema/load_api_shapes.ts";
import type { SchemaNode } from "../../src/platform/schema/schema_node.ts";

/** One exchange with an API host, as it went over the wire. */
export interface CheckedExchange {
  readonly method: string;
  /** Path below the host. */
  readonly path: string;
  readonly requestType: string | undefined;
  readonly requestBody: string | undefined;
  readonly status: number;
  readonly responseType: string | undefined;
  readonly responseBody: string;
  /** True for a request of a global account, which several families share their paths with. @default false */
  readonly isGlobal?: boolean;
}

/** Collects how the exchanges of a test differ from what is published, and fails the test that has a new difference. */
export class PublishedCheck {
  readonly #pending: Promise<string[]>[] = [];

  /** Checks an exchange; a request that a test makes wrong on purpose is left out. */
  add(exchange: CheckedExchange, options: { request?: boolean } = {}): void {
    this.#pending.push(publishedDifferences(exchange, options));
  }

  /** @throws {Error} listing the differences that are not among the known ones. */
  async verify(): Promise<void> {
    const found = (await Promise.all(this.#pending.splice(0))).flat();
    const news = found.filter((line) => !KNOWN_DIFFERENCES.some(({ finding }) => finding.test(line)));
    if (news.length === 0) return;
    const lines = [...new Set(news.map((line) => line.replace(/\[\d+\]/g, "[]")))];
    throw new Error(
      `Differs from what is published of the operation. Mend it, or correct catalog/schema_corrections.ts:\n${
        lines.join("\n")
      }`,
    );
  }

  /** A `fetch` whose exchanges with the API hosts are checked, requests and responses alike. */
  fetch(url: string, options: { request?: boolean } = {}): typeof fetch {
    return async (input, init) => {
      const response = await fetch(input, init);
      const address = new URL(String(input));
      const path = /^\/(?:na|eu|fe)(\/.*)$/.exec(address.pathname)?.[1];
      if (address.origin !== new URL(url).origin || path === undefined) return response;
      const responseBody = await response.clone().text().catch(() => "");
      this.add({
        method: init?.method ?? "GET",
        path,
        requestType: new Headers(init?.headers).get("content-type") ?? undefined,
        requestBody: typeof init?.body === "string" ? init.body : undefined,
        status: response.status,
        responseType: response.headers.get("content-type") ?? undefined,
        responseBody,
        isGlobal: new Headers(init?.headers).get("platform-ads-accountid")?.startsWith("ads-account.g.") ??
          false,
      }, options);
      return response;
    };
  }
}

/** Differences of an exchange from what is published, each with the operation it is about; none for what is not. */
export async function publishedDifferences(
  exchange: CheckedExchange,
  { request = true }: { request?: boolean } = {},
): Promise<string[]> {
  let fewest: string[] | undefined;
  const all = await matching(exchange.method, exchange.path);
  const global = exchange.isGlobal ? all.filter(({ api }) => api.startsWith("v1-spglobal-")) : [];
  // Several operations share their path, and each needs the bodies only once.
  const values = new Map<string, unknown>();
  const valueOf = (text: string): unknown => {
    if (!values.has(text)) values.set(text, parsed(text));
    return values.get(text);
  };
  for (const operation of global.length > 0 ? global : all) {
    const found = await differences(operation, exchange, { request, valueOf });
    if (found !== undefined && (fewest === undefined || found.length < fewest.length)) fewest = found;
    if (fewest?.length === 0) break;
  }
  return fewest ?? [];
}

async function differences(
  operation: Operation,
  exchange: CheckedExchange,
  { request, valueOf }: { request: boolean; valueOf: (text: string) => unknown },
): Promise<string[] | undefined> {
  const shapes = await loadApiShapes(operation.api);
  const shape = shapes?.operation(operation.operationId);
  if (shapes === undefined || shape === undefined) return undefined;
  const found: string[] = [];
  const check = (
    what: string,
    node: SchemaNode | undefined,
    text: string,
    direction: "request" | "response",
  ): void => {
    const value = valueOf(text);
    if (node === undefined || value === undefined) return;
    const findings = checkValue(shapes, node, value, direction);
    found.push(...findings.map((finding) => `${operation.id} ${what}: ${findingText(finding)}`));
  };
  const { requestType, requestBody, status, responseType, responseBody } = exchange;
  if (request && requestBody) check("request", ofType(shape.body ?? {}, requestType), requestBody, "request");
  const success = shape.responses[String(status)];
  if (success !== undefined) check(`${status}`, ofType(success, responseType), responseBody, "response");
  else if (!isOfGateway(status) && status >= 400) {
    check(`${status}`, shape.errors[String(status)] ?? shape.errors["default"], responseBody, "response");
  } else if (Object.keys(shape.responses).length > 0 && status < 300) {
    found.push(`${operation.id} ${status}: the status is not published`);
  }
  return found;
}

/** Statuses that the gateway in front of every API sends, with bodies of its own that no description has. */
function isOfGateway(status: number): boolean {
  return [401, 403, 406, 415, 425, 429].includes(status) || status >= 500;
}

function ofType(
  types: Readonly<Record<string, SchemaNode>>,
  type: string | undefined,
): SchemaNode | undefined {
  const plain = type?.replace(/;.*$/, "").toLowerCase();
  const [, node] = Object.entries(types).find(([name]) => name.toLowerCase() === plain) ?? [];
  return node ?? Object.values(types)[0];
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

const byMethod = new Map<string, Promise<readonly (readonly [RegExp, Operation])[]>>();

async function matching(method: string, path: string): Promise<Operation[]> {
  let known = byMethod.get(method);
  if (known === undefined) byMethod.set(method, known = patterns(method));
  return (await known).filter(([pattern]) => pattern.test(path)).map(([, operation]) => operation);
}

async function patterns(method: string): Promise<(readonly [RegExp, Operation])[]> {
  const operations = (await catalog.operations()).filter((operation) => operation.method === method);
  return operations.map((operation) => {
    const source = operation.path.split(/\{[^}]+\}/).map((text) =>
      text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
    );
    return [new RegExp(`^${source.join("[^/]+")}$`), operation] as const;
  });
}
