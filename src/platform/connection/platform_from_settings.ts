import { isObject } from "../../base/json/is_object.ts";
import { ConfigurationError } from "../../errors.ts";
import { DEFAULT_HEADERS, type Platform } from "./platform.ts";
import { type Region, REGIONS } from "../../base/markets/markets.ts";

type Settings = Record<string, unknown>;

/**
 * Builds the platform settings from the content of a settings file and single variables, which win over it.
 *
 * @param settings Content of the file, shaped like {@linkcode Platform}; every field may be absent.
 * @param variables `PLATFORM_ADS_BASE_URL_NA`, `PLATFORM_ADS_TOKEN_URL` and so on.
 * @throws {ConfigurationError} when a host is missing, or is not an `https` address (`http` is for loopback only).
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
  const file = record(settings, "the platform settings");
  // The emulator's settings document holds the platform beside the credentials.
  const root = file["platform"] !== undefined ? record(file["platform"], '"platform"') : file;
  const headers = record(root["headers"] ?? {}, '"headers"');
  const text = (name: string, from: Settings, field: string): string | undefined => {
    const value = variables[`PLATFORM_ADS_${name}`]?.trim() || (from[field] ?? "");
    if (typeof value !== "string") {
      throw new ConfigurationError(`Cannot use the setting "${field}": it is not a string`);
    }
    return value.trim() || undefined;
  };
  const address = (name: string, from: Settings, field: string): string | undefined => {
    const value = text(name, from, field);
    return value === undefined ? undefined : checkedAddress(value, `PLATFORM_ADS_${name}`);
  };

  const hosts = record(root["regions"] ?? {}, '"regions"');
  const regions: Partial<Record<Region, { baseUrl: string }>> = {};
  for (const region of REGIONS) {
    const baseUrl = address(
      `BASE_URL_${region}`,
      record(hosts[region] ?? {}, `"regions.${region}"`),
      "baseUrl",
    );
    if (baseUrl !== undefined) regions[region] = { baseUrl };
  }
  if (Object.keys(regions).length === 0) {
    throw missing("PLATFORM_ADS_BASE_URL_NA (or _EU, _FE)");
  }
  const tokenUrl = address("TOKEN_URL", root, "tokenUrl");
  if (tokenUrl === undefined) throw missing("PLATFORM_ADS_TOKEN_URL");
  const authorizeUrl = address("AUTHORIZE_URL", root, "authorizeUrl");
  const sandboxUrl = address("SANDBOX_URL", root, "sandboxUrl");
  const mcpUrl = address("MCP_URL", root, "mcpUrl");
  const wireWord = wordOf(text("WIRE_WORD", root, "wireWord"), "WIRE_WORD") ?? "platform";
  const rehearsal = text("REHEARSAL_OF", root, "rehearsal");
  const wireShortWord = wordOf(text("WIRE_SHORT_WORD", root, "wireShortWord"), "WIRE_SHORT_WORD");
  return {
    regions,
    tokenUrl,
    ...(authorizeUrl === undefined ? {} : { authorizeUrl }),
    ...(sandboxUrl === undefined ? {} : { sandboxUrl }),
    ...(mcpUrl === undefined ? {} : { mcpUrl }),
    headers: {
      clientId: headerName(text("CLIENT_ID_HEADER", headers, "clientId") ?? DEFAULT_HEADERS.clientId),
      scope: headerName(text("SCOPE_HEADER", headers, "scope") ?? DEFAULT_HEADERS.scope),
      requestId: headerName(text("REQUEST_ID_HEADER", headers, "requestId") ?? DEFAULT_HEADERS.requestId),
    },
    wireWord,
    ...(wireShortWord === undefined ? {} : { wireShortWord }),
    ...(rehearsal === undefined ? {} : { rehearsal }),
  };
}

function wordOf(word: string | undefined, name: string): string | undefined {
  if (word === undefined || /^[a-z][a-z0-9]*$/.test(word)) return word;
  throw new ConfigurationError(
    `Cannot use PLATFORM_ADS_${name}: "${word}" is not one word of lower-case letters and digits`,
  );
}

function record(value: unknown, what: string): Settings {
  if (!isObject(value)) {
    throw new ConfigurationError(`Cannot read ${what}: it is not an object`);
  }
  return value as Settings;
}

function missing(variable: string): ConfigurationError {
  return new ConfigurationError(
    `Cannot find the platform: ${variable} is not set. Set it, or name a settings file in PLATFORM_ADS_PLATFORM_FILE ` +
      "(--platform), or try --demo, which needs no account",
  );
}

function checkedAddress(text: string, variable: string): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new ConfigurationError(
      `Cannot use ${variable}: it is not an address. Write it whole, as in https://api.example`,
    );
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new ConfigurationError(
      `Cannot use ${variable}: it is an address with a user name, a password, a query or a # part`,
    );
  }
  const loopback = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(url.hostname);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && loopback)) {
    throw new ConfigurationError(
      `Cannot use ${variable}: "${text}" would send credentials in the clear. Use an https address`,
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
