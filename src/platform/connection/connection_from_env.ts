import { ConfigurationError } from "../../errors.ts";
import { checkCredentials, type Credentials } from "./credentials.ts";
import { type Platform, readPlatform, type SettingsSource } from "./platform.ts";

export const PLATFORM_VARIABLES: readonly string[] = [
  "BASE_URL_NA",
  "BASE_URL_EU",
  "BASE_URL_FE",
  "TOKEN_URL",
  "AUTHORIZE_URL",
  "SANDBOX_URL",
  "MCP_URL",
  "CLIENT_ID_HEADER",
  "SCOPE_HEADER",
  "REQUEST_ID_HEADER",
  "WIRE_WORD",
  "WIRE_SHORT_WORD",
].map(ourName);

/** Listed by name, so that the process needs no permission for other variables. */
export const CONNECTION_VARIABLES: readonly string[] = [
  ...[
    "CLIENT_ID",
    "CLIENT_SECRET",
    "REFRESH_TOKEN",
    "CONSENT_DATE",
    "ENV_FILE",
    "PLATFORM_FILE",
    "POLICY",
    "WIRE",
    "WIRE_IDS",
  ].map(ourName),
  ...PLATFORM_VARIABLES,
];

const LOCATION = /^PLATFORM_ADS_(?:BASE_URL_..|(?:TOKEN|AUTHORIZE|SANDBOX|MCP)_URL)$/;

const SECRETS: readonly string[] = ["CLIENT_SECRET", "REFRESH_TOKEN"].map(ourName);

const STEERING: ReadonlySet<string> = new Set([
  ...["PLATFORM_FILE", "DEMO", "REHEARSAL", "STORE", "MCP_STORE", "QUEUE", "POLICY"].map(ourName),
  "AWS_ENDPOINT_URL",
  "AWS_ENDPOINT_URL_SQS",
]);

/** Sources of settings; earlier ones take precedence over later ones. */
export interface ConnectionSources {
  /** Variables to read instead of those of the process environment. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Dotenv file; must exist if given. If absent, `PLATFORM_ADS_ENV_FILE` is used, otherwise `.env` if it exists. */
  readonly envFile?: string;
  /** Platform settings file; if absent, `PLATFORM_ADS_PLATFORM_FILE` is used. */
  readonly platformFile?: string;
}

/** Everything a client needs to connect. */
export interface Connection {
  /** Hosts and headers of the platform. */
  readonly platform: Platform;
  /** Identity of the caller. */
  readonly credentials: Credentials;
}

export async function readVariables(sources: ConnectionSources = {}): Promise<Record<string, string>> {
  return (await readSources(sources)).variables;
}

export async function readSources(
  sources: ConnectionSources = {},
): Promise<{ readonly variables: Record<string, string>; readonly loginFile: string | undefined }> {
  const env = sources.env ?? processEnvironment();
  const named = sources.envFile ?? (env["PLATFORM_ADS_ENV_FILE"] || undefined);
  const fromFile = await readDotenv(named);
  const variables: Record<string, string> = { ...fromFile };
  if (named === undefined && (sources.platformFile || env["PLATFORM_ADS_PLATFORM_FILE"])) {
    for (const name of Object.keys(fromFile)) if (LOCATION.test(name)) delete variables[name];
  }
  if (named === undefined) refuseSteering(variables, env);
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && value !== "") variables[name] = value;
  }
  const isFromFile = SECRETS.some((name) => fromFile[name] !== undefined && !env[name]);
  return { variables, loginFile: isFromFile ? named ?? "./.env" : undefined };
}

function refuseSteering(
  fromFile: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string | undefined>>,
): void {
  if (!SECRETS.some((name) => env[name])) return;
  const names = Object.keys(fromFile).filter((name) =>
    (LOCATION.test(name) || STEERING.has(name)) && !env[name] && fromFile[name] !== ""
  );
  if (names.length === 0) return;
  throw new ConfigurationError(
    `Cannot use ./.env: it sets ${
      names.join(", ")
    }, but the secrets come from the environment and nobody named the ` +
      "file. Name it with PLATFORM_ADS_ENV_FILE, or work in another folder",
  );
}

/**
 * Reads platform settings and credentials from the process environment, a dotenv file and a platform settings file.
 * The settings file may also contain credentials, like that of the emulator; variables take precedence.
 *
 * @param platform Where the platform is, for a caller who knows; then no settings are asked for.
 * @throws {ConfigurationError} that names the variable or file when something is missing or malformed.
 *
 * @example
 * ```ts
 * import { connectionFromEnv, PlatformAds } from "@platform/ads";
 *
 * async function connect(): Promise<PlatformAds> {
 *   const { platform, credentials } = await connectionFromEnv({ envFile: "production.env" });
 *   return new PlatformAds(credentials, { platform, timeout: 120 });
 * }
 * ```
 */
export async function connectionFromEnv(
  sources: ConnectionSources = {},
  platform?: Platform,
): Promise<Connection> {
  return await connectionFromVariables(await readVariables(sources), {
    ...(sources.platformFile === undefined ? {} : { platformFile: sources.platformFile }),
    ...(platform === undefined ? {} : { platform }),
  });
}

export async function connectionFromVariables(
  variables: Readonly<Record<string, string>>,
  { platformFile, platform }: { platformFile?: string; platform?: Platform } = {},
): Promise<Connection> {
  const { settings, source } = await readSettings(platformFile ?? variables["PLATFORM_ADS_PLATFORM_FILE"]);
  const known = platform ?? (source === undefined ? undefined : readPlatform(settings, variables, source));
  const credentials = checkCredentials({
    ...credentialsIn(settings),
    ...pick(variables, "clientId", "PLATFORM_ADS_CLIENT_ID"),
    ...pick(variables, "clientSecret", "PLATFORM_ADS_CLIENT_SECRET"),
    ...pick(variables, "refreshToken", "PLATFORM_ADS_REFRESH_TOKEN"),
    ...pick(variables, "consentDate", "PLATFORM_ADS_CONSENT_DATE"),
  });
  return { credentials, platform: known ?? readPlatform(settings, variables) };
}

export async function platformFromEnv(
  variables: Readonly<Record<string, string>>,
  platformFile?: string,
): Promise<Platform> {
  const { settings, source } = await readSettings(platformFile ?? variables["PLATFORM_ADS_PLATFORM_FILE"]);
  return readPlatform(settings, variables, source);
}

/** Reading files is loaded with the first file. */
async function readNamedFile(path: string, what: string): Promise<string> {
  return await (await import("../../base/runtime/read_named_file.ts")).readNamedFile(path, what);
}

async function readSettings(
  path: string | undefined,
): Promise<{ readonly settings: unknown; readonly source?: SettingsSource }> {
  if (!path) return { settings: {} };
  const text = await readNamedFile(path, "the platform settings file");
  try {
    return { settings: JSON.parse(text), source: { path, text } };
  } catch {
    // The parser's own message quotes the file, which may hold secrets.
    throw new ConfigurationError(`Cannot read the platform settings file "${path}": it is not JSON`);
  }
}

function credentialsIn(settings: unknown): Record<string, string> {
  const found = (settings as { credentials?: Record<string, unknown> } | null)?.credentials ?? {};
  const names = ["clientId", "clientSecret", "refreshToken", "consentDate"];
  return Object.fromEntries(names.flatMap((name) => {
    const value = found[name];
    return typeof value === "string" && value !== "" ? [[name, value]] : [];
  }));
}

async function readDotenv(named: string | undefined): Promise<Record<string, string>> {
  if (named !== undefined) return parseDotenv(await readNamedFile(named, "the dotenv file"));
  try {
    return parseDotenv(await readNamedFile(".env", "the dotenv file"));
  } catch (error) {
    // Nobody named the file: it may be absent, and so may be the whole file system.
    const code = ((error as Error).cause as { code?: string } | undefined)?.code;
    if (error instanceof ConfigurationError && (code === undefined || code === "ENOENT")) return {};
    throw error;
  }
}

function processEnvironment(): Record<string, string | undefined> {
  const runtime = globalThis as { process?: { env?: Record<string, string | undefined> } };
  const env = runtime.process?.env ?? {};
  return Object.fromEntries(CONNECTION_VARIABLES.map((name) => [name, env[name]]));
}

function pick(
  variables: Readonly<Record<string, string>>,
  field: string,
  name: string,
): Record<string, string> {
  const value = variables[name]?.trim();
  return value ? { [field]: value } : {};
}

function ourName(name: string): string {
  return `PLATFORM_ADS_${name}`;
}

/**
 * Parses the text of a dotenv file: `NAME=value` lines, `export` allowed, `#` comments, values bare or in single,
 * double or back quotes. Double quotes understand `\n`, `\r`, `\t`, `\"` and `\\`. Later lines win.
 */
export function parseDotenv(text: string): Record<string, string> {
  const values: Record<string, string> = {};
  const line =
    /^[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_.]*)[ \t]*=[ \t]*("(?:\\[^]|[^"\\])*"|'[^']*'|`[^`]*`|[^\r\n]*)/gm;
  for (const [, name = "", raw = ""] of text.replace(/^\uFEFF/, "").matchAll(line)) {
    values[name] = unquote(raw);
  }
  return values;
}

function unquote(raw: string): string {
  const quote = raw[0];
  if (raw.length >= 2 && raw.at(-1) === quote && (quote === "'" || quote === "`")) return raw.slice(1, -1);
  if (raw.length >= 2 && quote === '"' && raw.at(-1) === '"') {
    const escapes: Record<string, string> = { n: "\n", r: "\r", t: "\t" };
    return raw.slice(1, -1).replace(/\\([^])/g, (_, char: string) => escapes[char] ?? char);
  }
  return raw.replace(/(^|\s)#.*$/, "").trim();
}
