import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isObject, type Json, type JsonObject, parseJson, writeJson } from "./core/json.ts";
import type { Emulator } from "./emulator.ts";
import type { RecordedExchange, RecordedMessage } from "./hosts/recorder.ts";
import { WireNames } from "./routing/wire_names.ts";
import type { ProfileState } from "./state/profile_state.ts";

/** Difference between a recorded response and the emulator's. */
export interface RecordingDifference {
  /** Operation id without its API, for example `ListSponsoredProductsKeywords`; `unserved` for an unknown path. */
  readonly operation: string;
  /** `status`, `media type`, `code`, or the path of a field of the response with its status. */
  readonly where: string;
  /** Value or type in the recording; `absent` for none. */
  readonly recorded: string;
  /** Value or type in the response of the emulator; `absent` for none. */
  readonly emulator: string;
  /** File of the first exchange with this difference. */
  readonly file: string;
  /** Number of exchanges with this difference. */
  readonly times: number;
}

/** Result of comparing a recording with an emulator. */
export interface RecordingDiff {
  /** Number of exchanges compared. */
  readonly exchanges: number;
  /** Number of operations in the compared exchanges. */
  readonly operations: number;
  /** Differences, grouped by operation. */
  readonly differences: readonly RecordingDifference[];
}

interface Pair {
  readonly file: string;
  readonly recorded: Answer;
  readonly own: Answer;
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly value: unknown;
}

/**
 * Sends recorded requests to an emulator, with ids of its own account, and compares its responses: status, media type,
 * code of a refusal, and the fields and types of bodies. Values are not compared, because the accounts differ.
 *
 * @param folder Folder of a {@linkcode RecordingProxy}, or of `Emulator.record`.
 * @param emulator An emulator that may be changed.
 * @throws {RangeError} when there is no recording in the folder, or a file is none.
 *
 * @example
 * ```ts
 * import { diffRecording, Emulator } from "@platform/ads/emulator";
 *
 * async function compare(folder: string): Promise<void> {
 *   const emulator = await Emulator.start({ listen: false });
 *   const { differences } = await diffRecording(folder, emulator);
 *   for (const { operation, where } of differences) console.log(operation, where);
 *   await emulator.stop();
 * }
 * ```
 */
export async function diffRecording(folder: string, emulator: Emulator): Promise<RecordingDiff> {
  const exchanges = readRecording(folder);
  const token = await accessToken(emulator);
  const profiles = new Map<string, { readonly id: string; readonly ids: OwnIds }>();
  const pairs = new Map<string, Pair[]>();
  for (const [file, { request, response }] of exchanges) {
    const { region = "NA" } = request;
    const profile = profiles.get(region) ?? largestProfile(emulator, region);
    profiles.set(region, profile);
    const own = await respondTo(request, { emulator, token, ...profile });
    const recorded = answerOf(response.status, response.headers["content-type"], contentOf(response));
    const operation = /^\d+_(.*)\.json$/.exec(file)?.[1] ?? "unserved";
    pairs.set(operation, [...pairs.get(operation) ?? [], { file, recorded, own }]);
  }
  const differences = [...pairs].sort(([a], [b]) => a < b ? -1 : 1).flatMap(([operation, of]) =>
    differencesOf(of).map((one) => ({ operation, ...one }))
  );
  return { exchanges: exchanges.length, operations: pairs.size, differences };
}

function readRecording(folder: string): [string, RecordedExchange][] {
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => /^\d+_\w+\.json$/.test(name)).sort();
  } catch (cause) {
    throw new RangeError(`Cannot read the recording "${folder}": ${(cause as Error).message}`, { cause });
  }
  if (names.length === 0) {
    throw new RangeError(`Cannot read the recording "${folder}": it has no files like 0001_Operation.json`);
  }
  return names.map((name) => {
    const path = join(folder, name);
    try {
      const exchange = JSON.parse(readFileSync(path, "utf8"));
      if (isExchange(exchange)) return [name, exchange];
    } catch (cause) {
      throw new RangeError(`Cannot read "${path}": ${(cause as Error).message}`, { cause });
    }
    throw new RangeError(`Cannot read "${path}": it is not a recorded exchange`);
  });
}

function isExchange(value: unknown): value is RecordedExchange {
  if (!isObject(value) || !isObject(value.request) || !isObject(value.response)) return false;
  const { request, response } = value;
  return typeof request.method === "string" && typeof request.path === "string" &&
    isObject(request.headers) &&
    typeof response.status === "number" && isObject(response.headers);
}

async function accessToken(emulator: Emulator): Promise<string> {
  const { clientId, clientSecret, refreshToken } = emulator.credentials;
  const response = await emulator.fetch(emulator.platform.tokenUrl, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "refresh_token",
      client_id: clientId,
      client_secret: clientSecret,
      refresh_token: refreshToken,
    }),
  });
  const { access_token: token } = await response.json();
  return String(token);
}

function largestProfile(emulator: Emulator, region: string): { readonly id: string; readonly ids: OwnIds } {
  const profiles = emulator.state.profiles(region === "EU" || region === "FE" ? region : "NA");
  const sizes = profiles.map((profile) => profile.collection("sp.campaigns").size);
  const profile = profiles[sizes.indexOf(Math.max(...sizes))];
  if (profile === undefined) throw new RangeError(`Cannot compare: the emulator has no profile in ${region}`);
  return { id: profile.id, ids: new OwnIds(profile) };
}

async function respondTo(
  request: RecordedExchange["request"],
  { emulator, token, id, ids }: {
    readonly emulator: Emulator;
    readonly token: string;
    readonly id: string;
    readonly ids: OwnIds;
  },
): Promise<Answer> {
  const { method, path, region = "NA", query } = request;
  const { headers: names, regions, wireWord } = emulator.platform;
  const wire = new WireNames(wireWord);
  const base = regions[region === "EU" || region === "FE" ? region : "NA"]?.baseUrl ?? "";
  const content = contentOf(request);
  const asked = query === undefined ? "" : `?${ids.query(path, query)}`;
  const response = await emulator.fetch(`${base}${wire.spell(ids.place(path))}${asked}`, {
    method,
    headers: {
      ...Object.fromEntries(
        Object.entries(request.headers).map((pair) => pair.map((text) => wire.spell(text))),
      ),
      authorization: `Bearer ${token}`,
      [names.clientId]: emulator.credentials.clientId,
      [names.scope]: id,
    },
    ...(content === undefined ? {} : { body: writeJson(ids.body(path, parseJson(writeJson(content)))) }),
  });
  const text = await response.text();
  return answerOf(
    response.status,
    response.headers.get("content-type") ?? undefined,
    text === "" ? undefined : read(text),
  );
}

function contentOf({ json, text }: RecordedMessage): unknown {
  return json ?? (text === undefined || text === "" ? undefined : read(text));
}

function read(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

function answerOf(status: number, type: string | undefined, value: unknown): Answer {
  return { status, type: (type ?? "").split(";")[0]!.trim().toLowerCase(), value };
}

type Found = Omit<RecordingDifference, "operation">;

function differencesOf(pairs: readonly Pair[]): Found[] {
  const found = new Map<string, Found>();
  const add = (where: string, one: Pick<Found, "recorded" | "emulator" | "file">): void => {
    const key = [where, one.recorded, one.emulator].join("\n");
    const { times, file } = found.get(key) ?? { times: 0, file: one.file };
    found.set(key, { where, ...one, file, times: times + 1 });
  };
  for (const { file, recorded, own } of pairs) {
    if (recorded.status !== own.status) {
      add("status", { recorded: String(recorded.status), emulator: String(own.status), file });
      continue;
    }
    if (recorded.type !== own.type) add("media type", { recorded: recorded.type, emulator: own.type, file });
    const [code, ownCode] = [codeOf(recorded), codeOf(own)];
    if (code !== ownCode) add("code", { recorded: code ?? "absent", emulator: ownCode ?? "absent", file });
  }
  const alike = pairs.filter(({ recorded, own }) => recorded.status === own.status);
  for (const [status, of] of Map.groupBy(alike, ({ own }) => own.status)) {
    const shapes = (["recorded", "own"] as const).map((side) => shapeOf(of.map((pair) => pair[side].value)));
    for (const { path, left, right } of shapeDifferences(shapes[0]!, shapes[1]!)) {
      add(`${status} ${path === "" ? "body" : path}`, { recorded: left, emulator: right, file: of[0]!.file });
    }
  }
  return [...found.values()];
}

function codeOf({ status, value }: Answer): string | undefined {
  if (status < 400 || !isObject(value)) return undefined;
  const code = value.code ?? value.errorCode;
  return code === undefined ? undefined : String(code);
}

type JsonShape = ReadonlyMap<string, ReadonlySet<string>>;

interface ShapeDifference {
  readonly path: string;
  readonly left: string;
  readonly right: string;
}

export function shapeOf(values: readonly unknown[]): JsonShape {
  const shape = new Map<string, Set<string>>();
  for (const value of values) gather(value, "", shape);
  return shape;
}

/**
 * Finds fields that are missing on one side although both sides have the parent, and fields whose types differ. `null`
 * matches any type.
 */
export function shapeDifferences(left: JsonShape, right: JsonShape): ShapeDifference[] {
  const found: ShapeDifference[] = [];
  for (const path of new Set([...left.keys(), ...right.keys()])) {
    const [here, there] = [left.get(path), right.get(path)];
    if (here === undefined || there === undefined) {
      // What an empty list would hold is not known.
      if (path.endsWith("[]")) continue;
      const other = here === undefined ? left : right;
      if (other.get(parentOf(path))?.has("object")) {
        found.push({ path, left: named(here), right: named(there) });
      }
      continue;
    }
    const [a, b] = [here, there].map((types) => [...types].filter((type) => type !== "null"));
    if (a!.length > 0 && b!.length > 0 && !a!.some((type) => b!.includes(type))) {
      found.push({ path, left: named(here), right: named(there) });
    }
  }
  return found;
}

function gather(value: unknown, path: string, shape: Map<string, Set<string>>): void {
  const types = shape.get(path) ?? new Set();
  shape.set(path, types.add(typeOf(value)));
  if (Array.isArray(value)) { for (const part of value) gather(part, `${path}[]`, shape); }
  else if (isObject(value)) {
    for (const [name, part] of Object.entries(value)) {
      gather(part, path === "" ? name : `${path}.${name}`, shape);
    }
  }
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value === "bigint" ? "number" : typeof value;
}

function parentOf(path: string): string {
  const dot = path.lastIndexOf(".");
  return dot < 0 ? "" : path.slice(0, dot);
}

function named(types: ReadonlySet<string> | undefined): string {
  return types === undefined ? "absent" : [...types].sort().join(" or ");
}

const FIELDS: Readonly<Record<string, string>> = {
  adGroups: "adGroupId",
  ads: "adId",
  campaigns: "campaignId",
  creatives: "creativeId",
  keywords: "keywordId",
  negativeKeywords: "keywordId",
  negativeTargets: "targetId",
  portfolios: "portfolioId",
  productAds: "adId",
  targets: "targetId",
};

/**
 * Maps recorded ids consistently to ids of an emulated profile, by the kind that field and path imply. Items with an
 * ad group get its campaign. Ids of other kinds stay.
 */
class OwnIds {
  readonly #profile: ProfileState;
  readonly #given = new Map<string, Map<string, JsonObject>>();

  constructor(profile: ProfileState) {
    this.#profile = profile;
  }

  body(path: string, value: Json): Json {
    return this.#replaced(path, value, undefined);
  }

  place(path: string): string {
    let field: string | undefined;
    return path.split("/").map((segment) => {
      const id = /^\d+$/.test(segment) && field !== undefined ? this.#id(path, field, segment) : segment;
      field = FIELDS[segment];
      return id;
    }).join("/");
  }

  query(path: string, text: string): string {
    const query = new URLSearchParams(text);
    for (const [name, value] of [...query]) {
      const field = fieldOf(name);
      if (field === undefined) continue;
      query.set(name, value.split(",").map((id) => this.#id(path, field, id)).join(","));
    }
    return query.toString();
  }

  #replaced(path: string, value: Json, field: string | undefined): Json {
    if (Array.isArray(value)) return value.map((part) => this.#replaced(path, part, field));
    if (!isObject(value)) {
      return field === undefined || value === null ? value : this.#own(path, field, value);
    }
    const fields: JsonObject = {};
    for (const [name, part] of Object.entries(value)) {
      if (part !== undefined) fields[name] = this.#replaced(path, part, fieldOf(name) ?? field);
    }
    const { adGroupId, campaignId } = value;
    const adGroup = adGroupId === undefined ? undefined : this.#entity(path, "adGroupId", String(adGroupId));
    if (campaignId !== undefined && adGroup?.campaignId !== undefined) fields.campaignId = adGroup.campaignId;
    return fields;
  }

  #own(path: string, field: string, value: Json): Json {
    if (typeof value === "string") return this.#id(path, field, value);
    if (typeof value !== "number" && typeof value !== "bigint") return value;
    return BigInt(this.#id(path, field, String(value)));
  }

  #id(path: string, field: string, recorded: string): string {
    return String(this.#entity(path, field, recorded)?.[field] ?? recorded);
  }

  #entity(path: string, field: string, recorded: string): JsonObject | undefined {
    const kind = kindOf(path, field);
    if (kind === undefined) return undefined;
    const given = this.#given.get(kind) ?? new Map<string, JsonObject>();
    this.#given.set(kind, given);
    const known = given.get(recorded);
    if (known !== undefined) return known;
    const live = this.#profile.collection(kind).all().filter(({ state }) =>
      String(state).toUpperCase() !== "ARCHIVED"
    );
    const own = live[given.size % Math.max(1, live.length)];
    if (own !== undefined) given.set(recorded, own);
    return own;
  }
}

function fieldOf(name: string): string | undefined {
  const [, field] = /^(\w+Id)(?:s|Filter)?$/.exec(name) ?? [];
  return field;
}

function kindOf(path: string, field: string): string | undefined {
  const [, product = "sp"] = /^\/(sp|sb|sd)\//.exec(path) ?? [];
  const isNegative = /negative/i.test(path);
  const prefix = isNegative ? /campaignNegative/i.test(path) ? "campaign_negative_" : "negative_" : "";
  switch (field) {
    case "campaignId":
      return `${product}.campaigns`;
    case "adGroupId":
      return `${product}.ad_groups`;
    case "keywordId":
      return `${product}.${prefix}keywords`;
    case "targetId":
      return `${product}.${prefix}targets`;
    case "adId":
      return product === "sb" ? "sb.ads" : `${product}.product_ads`;
    case "portfolioId":
      return "portfolios";
    case "creativeId":
      return "sd.creatives";
    default:
      return undefined;
  }
}
