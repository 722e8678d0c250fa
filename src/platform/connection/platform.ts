import { isObject } from "../../base/json/fields_of.ts";
import { type Region, REGIONS } from "../../base/markets/markets.ts";
import { nearest } from "../../base/text/nearest.ts";
import { visibleText } from "../../base/text/visible_text.ts";
import { ConfigurationError } from "../../errors.ts";

/** Names of the headers that every request carries; they differ between deployments of the platform. */
export interface PlatformHeaders {
  /** Header with the client id. @default "Platform-Advertising-API-ClientId" */
  readonly clientId: string;
  /** Header with the id of the profile that a request is about. @default "Platform-Advertising-API-Scope" */
  readonly scope: string;
  /** Response header with the platform's request id. @default "x-platform-request-id" */
  readonly requestId: string;
}

/** Hosts, header names and the wire word of the platform. */
export interface Platform {
  /** The API host of each region; a region without a host is skipped. */
  readonly regions: Readonly<Partial<Record<Region, { readonly baseUrl: string }>>>;
  /** Token endpoint of the identity provider. */
  readonly tokenUrl: string;
  /** Consent page of the identity provider; only needed for the first consent. */
  readonly authorizeUrl?: string;
  /** The sandbox host, which serves all regions. */
  readonly sandboxUrl?: string;
  /** The hosted tool server. */
  readonly mcpUrl?: string;
  /** Header names. */
  readonly headers: PlatformHeaders;
  /**
   * The platform's own word, which replaces `platform` in paths, header names and media types, and in names and values
   * of bodies that are published with it.
   */
  readonly wireWord: string;
  /** The short form of that word, for the few places that use it. @default wireWord */
  readonly wireShortWord?: string;
  /**
   * Time of the account copy that the emulator serves, ISO 8601. Plans record it and can only be applied to
   * that copy. @default absent: an account of its own
   */
  readonly rehearsal?: string;
}

export const DEFAULT_HEADERS: PlatformHeaders = {
  clientId: "Platform-Advertising-API-ClientId",
  scope: "Platform-Advertising-API-Scope",
  requestId: "x-platform-request-id",
};

/**
 * Replaces the neutral word `platform` by the platform's own, keeping case: `Platform-Ads-AccountId` becomes
 * `Acme-Ads-AccountId` for `acme`.
 */
export function onWire(text: string, wireWord: string): string {
  if (wireWord === "platform") return text;
  return text.replace(/platform/gi, (found) => {
    if (found === found.toUpperCase()) return wireWord.toUpperCase();
    if (found[0] === "P") return wireWord.charAt(0).toUpperCase() + wireWord.slice(1);
    return wireWord;
  });
}

type Settings = Record<string, unknown>;

/**
 * Builds the platform settings from the content of a settings file and from single variables, which take precedence.
 *
 * @param settings Content of the file, shaped like {@linkcode Platform}; every field may be absent.
 * @param variables `PLATFORM_ADS_BASE_URL_NA`, `PLATFORM_ADS_TOKEN_URL` and so on.
 * @throws {ConfigurationError} for unknown keys, when a host is missing, or is not an `https` address (`http` is for loopback only).
 *
 * @example
 * ```ts
 * import { platformFromSettings } from "@platform/ads";
 *
 * const platform = platformFromSettings({
 *   regions: { NA: { baseUrl: "https://api.na.example" } },
 *   tokenUrl: "https://id.example/token",
 * });
 * console.log(platform.regions.NA?.baseUrl);
 * ```
 */
export function platformFromSettings(
  settings: unknown,
  variables: Readonly<Record<string, string>> = {},
): Platform {
  return readPlatform(settings, variables);
}

export interface SettingsSource {
  readonly path: string;
  readonly text: string;
}

export function readPlatform(
  settings: unknown,
  variables: Readonly<Record<string, string>>,
  source?: SettingsSource,
): Platform {
  const file = record(settings, "the platform settings");
  checkKeys(file, source);
  const root = rootOf(file);
  const headers = record(root["headers"] ?? {}, '"headers"');
  const where = source === undefined ? "the platform settings" : `"${source.path}"`;
  const setting = (name: string, from: Settings, field: string): Setting | undefined => {
    const variable = `PLATFORM_ADS_${name}`;
    const given = variables[variable]?.trim();
    if (given) return { text: given, origin: variable };
    const value = from[field] ?? "";
    const origin = `"${field}" of ${where}`;
    if (typeof value !== "string") throw new ConfigurationError(`Cannot use ${origin}: it is not a string`);
    return value.trim() === "" ? undefined : { text: value.trim(), origin };
  };
  const missing = (variable: string, field: string): ConfigurationError =>
    new ConfigurationError(
      source === undefined
        ? `Cannot find the platform: ${variable} is not set. Set it, or name a settings file in PLATFORM_ADS_PLATFORM_FILE`
        : `Cannot find the platform: "${field}" is not in "${source.path}". Add it, or set ${variable}`,
      { missing: [variable.split(" ")[0] ?? variable] },
    );

  const hosts = record(root["regions"] ?? {}, '"regions"');
  const regions: Partial<Record<Region, { baseUrl: string }>> = {};
  for (const region of REGIONS) {
    const host = record(hosts[region] ?? {}, `"regions.${region}"`);
    const baseUrl = addressOf(setting(`BASE_URL_${region}`, host, "baseUrl"));
    if (baseUrl !== undefined) regions[region] = { baseUrl };
  }
  if (Object.keys(regions).length === 0) {
    throw missing("PLATFORM_ADS_BASE_URL_NA (or _EU, _FE)", "regions.NA.baseUrl");
  }
  const tokenUrl = addressOf(setting("TOKEN_URL", root, "tokenUrl"));
  if (tokenUrl === undefined) throw missing("PLATFORM_ADS_TOKEN_URL", "tokenUrl");
  const authorizeUrl = addressOf(setting("AUTHORIZE_URL", root, "authorizeUrl"));
  const sandboxUrl = addressOf(setting("SANDBOX_URL", root, "sandboxUrl"));
  const mcpUrl = addressOf(setting("MCP_URL", root, "mcpUrl"));
  const wireWord = wordOf(setting("WIRE_WORD", root, "wireWord")) ?? "platform";
  const rehearsal = setting("REHEARSAL_OF", root, "rehearsal")?.text;
  const wireShortWord = wordOf(setting("WIRE_SHORT_WORD", root, "wireShortWord"));
  const header = (name: string, field: keyof typeof DEFAULT_HEADERS): string =>
    headerName(setting(name, headers, field)?.text ?? DEFAULT_HEADERS[field]);
  return {
    regions,
    tokenUrl,
    ...(authorizeUrl === undefined ? {} : { authorizeUrl }),
    ...(sandboxUrl === undefined ? {} : { sandboxUrl }),
    ...(mcpUrl === undefined ? {} : { mcpUrl }),
    headers: {
      clientId: header("CLIENT_ID_HEADER", "clientId"),
      scope: header("SCOPE_HEADER", "scope"),
      requestId: header("REQUEST_ID_HEADER", "requestId"),
    },
    wireWord,
    ...(wireShortWord === undefined ? {} : { wireShortWord }),
    ...(rehearsal === undefined ? {} : { rehearsal }),
  };
}

interface Setting {
  readonly text: string;
  readonly origin: string;
}

function rootOf(file: Settings): Settings {
  return file["platform"] === undefined ? file : record(file["platform"], '"platform"');
}

const ROOT_KEYS = [
  "regions",
  "tokenUrl",
  "authorizeUrl",
  "sandboxUrl",
  "mcpUrl",
  "headers",
  "wireWord",
  "wireShortWord",
  "rehearsal",
];
const CREDENTIAL_KEYS = ["clientId", "clientSecret", "refreshToken", "consentDate"];

/**
 * Rejects unknown keys, because a misspelled key would look like a missing one. Keys starting with `$` or `_` are
 * notes.
 */
function checkKeys(file: Settings, source: SettingsSource | undefined): void {
  const root = rootOf(file);
  const isNested = root !== file;
  const unknown = [
    ...unknownKeys(file, isNested ? ["platform", "credentials"] : [...ROOT_KEYS, "credentials"]),
    ...isNested ? unknownKeys(root, ROOT_KEYS) : [],
    ...unknownKeys(root["headers"], Object.keys(DEFAULT_HEADERS)),
    ...unknownKeys(root["regions"], REGIONS),
    ...REGIONS.flatMap((region) =>
      unknownKeys((root["regions"] as Settings | undefined)?.[region], ["baseUrl"])
    ),
    ...unknownKeys(file["credentials"], CREDENTIAL_KEYS),
  ];
  if (unknown.length === 0) return;
  const said = unknown.map(({ key, near }) => {
    const line = lineOf(key, source?.text);
    return `${line === undefined ? "" : `line ${line}: `}"${visibleText(key)}" is not a setting${
      near === undefined ? "" : `. Did you mean "${near}"?`
    }`;
  });
  const where = source === undefined
    ? "the platform settings"
    : `the platform settings file "${source.path}"`;
  throw new ConfigurationError(`Cannot use ${where}: ${said.join("\n")}`);
}

function unknownKeys(
  value: unknown,
  known: readonly string[],
): { readonly key: string; readonly near: string | undefined }[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.keys(value)
    .filter((key) => !known.includes(key) && !/^[$_]/.test(key))
    .map((key) => ({ key, near: nearest(key, known) }));
}

function lineOf(key: string, text: string | undefined): number | undefined {
  const quoted = JSON.stringify(key);
  const [before, ...after] = text?.split(quoted) ?? [];
  const at = after.findIndex((rest) => rest.trimStart().startsWith(":"));
  return at < 0 ? undefined : [before, ...after.slice(0, at)].join(quoted).split("\n").length;
}

function wordOf(setting: Setting | undefined): string | undefined {
  if (setting === undefined || /^[a-z][a-z0-9]*$/.test(setting.text)) return setting?.text;
  throw new ConfigurationError(
    `Cannot use ${setting.origin}: "${setting.text}" is not one word of lower-case letters and digits`,
  );
}

function record(value: unknown, what: string): Settings {
  if (!isObject(value)) {
    throw new ConfigurationError(`Cannot read ${what}: it is not an object`);
  }
  return value as Settings;
}

function addressOf(setting: Setting | undefined): string | undefined {
  if (setting === undefined) return undefined;
  const { text, origin } = setting;
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new ConfigurationError(
      `Cannot use ${origin}: it is not an address. Write it whole, as in https://api.example`,
    );
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new ConfigurationError(
      `Cannot use ${origin}: it is an address with a user name, a password, a query or a # part`,
    );
  }
  const loopback = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(url.hostname);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && loopback)) {
    throw new ConfigurationError(
      `Cannot use ${origin}: "${text}" would send credentials in the clear. Use an https address`,
    );
  }
  return text.replace(/\/+$/, "");
}

function headerName(name: string): string {
  if (!/^[A-Za-z0-9-]+$/.test(name)) {
    throw new ConfigurationError(`Cannot use "${name}" as the name of a header`);
  }
  return name;
}
