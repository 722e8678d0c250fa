import { CORRECTIONS, HOSTED_TOOL_MATCHES, OPERATION_NOTES } from "../../../catalog/corrections.ts";
import { RESOURCE_METHODS } from "../../../catalog/resource_kinds.ts";
import { UnsupportedOperationError } from "../../errors.ts";
import type { ApiData, OperationData } from "./catalog_data.ts";
import type { OperationDeprecation, OperationJson, OperationParameter } from "./operation_json.ts";
import { formatPath, type PathValue } from "./path_segment.ts";
import type { CheckedInput } from "../schema/check_call.ts";
import type { OperationSchema } from "../schema/operation_schema.ts";
import type { SchemaFinding } from "../schema/schema_error.ts";

const HOSTED_TOOL = "It is a tool of the hosted tool server, not an operation of the API hosts";
const ASSUMED = "Its media types are assumed: no description of it is published";

/**
 * One operation of the platform: its description, how it is sent, and whether it can be sent.
 *
 * @example
 * ```ts
 * import { catalog } from "@platform/ads";
 *
 * const operation = await catalog.get("advertising-billing:getInvoice");
 * console.log(operation.method, operation.readOnly); // GET true
 * console.log(operation.formatPath({ invoiceId: "AB 1" })); // /invoices/AB%201
 * operation.ensureSendable(); // throws for a tool of the hosted server
 * ```
 */
export class Operation {
  /** Full id, for example `sponsored-products:ListSponsoredProductsKeywords`. */
  readonly id: string;
  /** Slug of the API that the operation belongs to. */
  readonly api: string;
  /** Name within the API. */
  readonly operationId: string;
  /** HTTP method in upper case. */
  readonly method: string;
  /** Path template, placeholders in braces. */
  readonly path: string;
  /** One-line description, made from the name. */
  readonly summary: string;
  /** Tags of its description; empty where none are published. */
  readonly tags: readonly string[];
  /** Deprecation, with its day and replacement; `undefined` for current operations. */
  readonly deprecated: OperationDeprecation | undefined;
  /** Placeholders of the path, in order. Each must be filled. */
  readonly pathParams: readonly string[];
  /** Documented query parameters. */
  readonly query: readonly OperationParameter[];
  /** Documented headers, without those every request carries. */
  readonly headers: readonly OperationParameter[];
  /** Media type with which the body is sent; `undefined` when the operation documents no body. */
  readonly contentType: string | undefined;
  /**
   * Media type requested for the response, correction included; `undefined` when the operation documents no response.
   */
  readonly accept: string | undefined;
  /** Every media type documented for the body. */
  readonly contentTypes: readonly string[];
  /** Every media type documented for the response, even if a correction requests another. */
  readonly accepts: readonly string[];
  /** True when the operation documents a body. */
  readonly hasBody: boolean;
  /** Remark to read before sending the operation; `undefined` when there is none. */
  readonly note: string | undefined;
  /** Reason why the operation cannot be sent; `undefined` if it can. */
  readonly unsupportedReason: string | undefined;
  /** True when the operation changes nothing, judged by its method and names. */
  readonly readOnly: boolean;
  /** True when the operation is sent with a media type other than the documented one. */
  readonly corrected: boolean;
  /** True when the operation's media types are assumed, not published. */
  readonly assumedMediaTypes: boolean;
  /**
   * Method of the client that serves the operation, for example `sp.keywords.list`; `undefined` when only `call` does.
   */
  readonly typedMethod: string | undefined;

  /** Called by the catalog; programs get operations from `catalog.get` and `catalog.search`. */
  constructor(api: ApiData, data: OperationData) {
    const id = `${api.slug}:${data.operationId}`;
    const correction = Object.hasOwn(CORRECTIONS, id) ? CORRECTIONS[id] : undefined;
    this.id = id;
    this.api = api.slug;
    this.operationId = data.operationId;
    this.method = data.method;
    this.path = data.path;
    this.summary = data.summary;
    this.tags = Object.freeze([...data.tags ?? []]);
    this.deprecated = deprecation(data);
    this.pathParams = placeholders(data.path);
    this.query = parameters(data.query);
    this.headers = parameters(data.headers);
    this.contentType = data.contentType;
    this.accept = correction?.accept ?? data.accept;
    this.contentTypes = listOf(data.contentTypes ?? data.contentType);
    this.accepts = listOf(data.accepts ?? data.accept);
    this.hasBody = data.contentType !== undefined;
    this.note = notesOf(id, data, correction?.note);
    this.unsupportedReason = api.hostedTools ? reasonOf(id) : undefined;
    this.readOnly = isReadOnly(data);
    this.corrected = correction !== undefined;
    this.assumedMediaTypes = data.assumed ?? false;
    this.typedMethod = TYPED_OPERATIONS.get(id);
    Object.freeze(this);
  }

  /**
   * Fills the placeholders of the path, each with exactly one segment.
   *
   * @param pathParams Values by placeholder; names that match no placeholder are ignored.
   * @throws {TypeError} when a placeholder has no value, or a value is neither a string nor an integer.
   * @throws {RangeError} when a value could leave its segment; see `pathSegment`.
   */
  formatPath(pathParams: Readonly<Record<string, PathValue>> = {}): string {
    return formatPath(this, pathParams);
  }

  /**
   * Throws when the operation cannot be sent to the API hosts.
   *
   * @throws {UnsupportedOperationError} saying why, and what to send instead where that is known.
   */
  ensureSendable(): void {
    if (this.unsupportedReason === undefined) return;
    throw new UnsupportedOperationError(`Cannot call "${this.id}": ${lowerFirst(this.unsupportedReason)}`);
  }

  /**
   * Returns the published parameters, body, responses and errors as JSON Schemas of the 2020-12 edition, for any
   * validator; `undefined` where nothing is published. Loaded at first use, an API at a time.
   *
   * @throws {ConfigurationError} when the file of its API is damaged or of a newer format.
   */
  async schema(): Promise<OperationSchema | undefined> {
    const { loadApiShapes, operationSchema } = await import("../schema/mod.ts");
    const shapes = await loadApiShapes(this.api);
    const shape = shapes?.operation(this.operationId);
    return shapes === undefined || shape === undefined ? undefined : operationSchema(shapes, shape);
  }

  /**
   * Returns an example body that matches the published description: the smallest one, or with `full` one with every
   * field. Its values are made up. `undefined` if no body is published.
   *
   * @throws {ConfigurationError} when the file of its API is damaged or of a newer format.
   */
  async example({ full = false }: { full?: boolean } = {}): Promise<unknown> {
    const { bodyShape, exampleValue, loadApiShapes } = await import("../schema/mod.ts");
    const shapes = await loadApiShapes(this.api);
    const body = bodyShape(shapes?.operation(this.operationId), this.contentType);
    return shapes === undefined || body === undefined ? undefined : exampleValue(shapes, body, { full });
  }

  /**
   * Compares a call with the published description: unknown names with the nearest known one, wrong types, disallowed
   * values, limits, and missing values. Published descriptions are sometimes wrong, so a finding is only a reason to
   * check.
   *
   * @returns The findings, none when all fits; `undefined` where nothing is published, which means unchecked.
   * @throws {ConfigurationError} when the file of its API is damaged or of a newer format.
   */
  async check(input: CheckedInput): Promise<SchemaFinding[] | undefined> {
    const { checkCall, loadApiShapes } = await import("../schema/mod.ts");
    const shapes = await loadApiShapes(this.api);
    const shape = shapes?.operation(this.operationId);
    if (shapes === undefined || shape === undefined) return undefined;
    return checkCall(shapes, shape, { ...input, contentType: input.contentType ?? this.contentType });
  }

  /** Returns the operation as a plain record, with the field names of JSON output. */
  toJSON(): OperationJson {
    return {
      id: this.id,
      api: this.api,
      operation_id: this.operationId,
      method: this.method,
      path: this.path,
      summary: this.summary,
      tags: this.tags,
      deprecated: this.deprecated === undefined ? null : {
        since: this.deprecated.since ?? null,
        shutoff: this.deprecated.shutoff ?? null,
        replaced_by: this.deprecated.replacedBy,
      },
      path_params: this.pathParams,
      query: this.query,
      headers: this.headers,
      content_type: this.contentType ?? null,
      accept: this.accept ?? null,
      content_types: this.contentTypes,
      accepts: this.accepts,
      has_body: this.hasBody,
      read_only: this.readOnly,
      typed_method: this.typedMethod ?? null,
      note: this.note ?? null,
      unsupported_reason: this.unsupportedReason ?? null,
    };
  }
}

function deprecation({ deprecated, ends }: OperationData): OperationDeprecation | undefined {
  if (!deprecated && ends === undefined) return undefined;
  return Object.freeze({
    since: ends?.since,
    shutoff: ends?.shutoff,
    replacedBy: listOf(ends?.replacedBy),
  });
}

function placeholders(path: string): readonly string[] {
  return Object.freeze(Array.from(path.matchAll(/\{([^}]+)\}/g), ([, name = ""]) => name));
}

function parameters(names: readonly string[] = []): readonly OperationParameter[] {
  return Object.freeze(
    names.map((name) => Object.freeze({ name: name.replace(/!$/, ""), required: name.endsWith("!") })),
  );
}

function listOf(value: string | readonly string[] = []): readonly string[] {
  return Object.freeze([value].flat());
}

function notesOf(id: string, data: OperationData, correction: string | undefined): string | undefined {
  const remark = Object.hasOwn(OPERATION_NOTES, id) ? OPERATION_NOTES[id] : undefined;
  const notes = [correction, data.assumed && ASSUMED, remark].filter((note) => note);
  return notes.length === 0 ? undefined : notes.join(". ");
}

function reasonOf(id: string): string {
  const matches = Object.hasOwn(HOSTED_TOOL_MATCHES, id) ? HOSTED_TOOL_MATCHES[id]! : [];
  return matches.length === 0
    ? HOSTED_TOOL
    : `${HOSTED_TOOL}. Use ${matches.map((match) => `"${match}"`).join(" or ")}`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

const READ_WORDS = /^(?:list|query|get|search|describe|history|recommendation)/i;
const WRITE_WORDS = /^(?:create|update|delete|archive)/i;
const READ_ENDINGS = [
  "/list",
  "/query",
  "/history",
  "/recommendations",
  "/targets/categories",
  "/targets/products/count",
  "/budgetUsage",
];

interface ReadOnlyFacts {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
}

/**
 * Decides by name whether an operation only reads, which makes it safe to retry and to run without confirmation. True
 * for GET, and for POST if its name or a path segment starts with a reading verb (or the path has one of a few
 * endings) and none starts with a writing verb. Never true for PUT, PATCH and DELETE.
 */
export function isReadOnly({ operationId, method, path }: ReadOnlyFacts): boolean {
  if (method === "GET") return true;
  if (method !== "POST") return false;
  const names = [operationId, ...path.split("/")];
  if (names.some((name) => WRITE_WORDS.test(name))) return false;
  return names.some((name) => READ_WORDS.test(name)) || READ_ENDINGS.some((ending) => path.endsWith(ending));
}

/**
 * Names follow a profile's client (`sp.keywords.list` is `us.sp.keywords.list`); those starting with `PlatformAds.`
 * are account-level.
 */
export const TYPED_OPERATIONS: ReadonlyMap<string, string> = new Map<string, string>([
  ...Object.entries(RESOURCE_METHODS),
  ["sponsored-products:GetThemeBasedBidRecommendationForAdGroup_v1", "bids.forAdGroup"],
  ["profiles:listProfiles", "PlatformAds.profiles"],
  ["profiles:getProfileById", "PlatformAds.profileById"],
  ["profiles:updateProfiles", "PlatformAds.updateProfiles"],
  ["reporting:createAsyncReport", "reports.create"],
  ["reporting:getAsyncReport", "reports.status"],
  ["reporting:deleteAsyncReport", "reports.delete"],
  ["history:getHistory", "history.events"],
]);
