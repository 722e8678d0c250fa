import { ConfigurationError } from "../errors.ts";
import { checkCredentials, type Credentials } from "./credentials.ts";
import { parseDotenv } from "./dotenv.ts";
import type { Platform } from "./platform.ts";
import { platformFromSettings } from "./platform_from_settings.ts";
import { readNamedFile } from "./read_named_file.ts";

/** Where settings come from; each later source gives way to an earlier one. */
export interface ConnectionSources {
  /** Variables to read instead of the process environment. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Dotenv file; must exist when named. Without it `PLATFORM_ADS_ENV_FILE`, else `.env` when there is one. */
  readonly envFile?: string;
  /** Platform settings file; without it `PLATFORM_ADS_PLATFORM_FILE`. */
  readonly platformFile?: string;
}

/** Everything a client needs to connect. */
export interface Connection {
  /** Where the platform is. */
  readonly platform: Platform;
  /** Who the caller is. */
  readonly credentials: Credentials;
}

/** The variables of the process environment and the dotenv file, the former winning over the latter. */
export async function readVariables(sources: ConnectionSources = {}): Promise<Record<string, string>> {
  const env = sources.env ?? processEnvironment();
  const named = sources.envFile ?? env["PLATFORM_ADS_ENV_FILE"];
  const fromFile = await readDotenv(named);
  const variables: Record<string, string> = { ...fromFile };
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && value !== "") variables[name] = value;
  }
  return variables;
}

/**
 * Reads platform settings and credentials from the process environment, a dotenv file and a platform settings file.
 *
 * @throws {ConfigurationError} that names the variable or file when something is missing or malformed.
 */
export async function connectionFromEnv(sources: ConnectionSources = {}): Promise<Connection> {
  const variables = await readVariables(sources);
  const credentials = checkCredentials({
    ...pick(variables, "clientId", "PLATFORM_ADS_CLIENT_ID"),
    ...pick(variables, "clientSecret", "PLATFORM_ADS_CLIENT_SECRET"),
    ...pick(variables, "refreshToken", "PLATFORM_ADS_REFRESH_TOKEN"),
    ...pick(variables, "consentDate", "PLATFORM_ADS_CONSENT_DATE"),
  });
  return { credentials, platform: await platformFromEnv(variables, sources.platformFile) };
}

/**
 * Reads the platform settings alone: a settings file, overlaid by single variables.
 *
 * @throws {ConfigurationError} when a host is missing or a setting is malformed.
 */
export async function platformFromEnv(
  variables: Readonly<Record<string, string>>,
  platformFile?: string,
): Promise<Platform> {
  const path = platformFile ?? variables["PLATFORM_ADS_PLATFORM_FILE"];
  const settings = path === undefined ? {} : await readSettings(path);
  return platformFromSettings(settings, variables);
}

async function readSettings(path: string): Promise<unknown> {
  const text = await readNamedFile(path, "the platform settings file");
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ConfigurationError(`Cannot read the platform settings file "${path}": it is not JSON`, {
      cause,
    });
  }
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
  return runtime.process?.env ?? {};
}

function pick(variables: Record<string, string>, field: string, name: string): Record<string, string> {
  const value = variables[name]?.trim();
  return value ? { [field]: value } : {};
}
