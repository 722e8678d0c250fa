import { resolve } from "node:path";
import { fileSystem } from "../../../../base/runtime/file_system.ts";
import { MARKETPLACES, normalizeCountry } from "../../../../base/markets/markets.ts";
import { nearest } from "../../../../base/text/nearest.ts";
import { parseDotenv } from "../../../../platform/connection/connection_from_env.ts";
import { readPlatform } from "../../../../platform/connection/platform.ts";
import { askSecret, askText } from "../../shell/context/confirm.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { UsageError } from "../../shell/io/cli_error.ts";

export const POLICY_FILE = "policy.yaml";

export const SOURCES = ["demo", "files", "account"] as const;
export type Source = typeof SOURCES[number];

export interface InitOptions {
  readonly from?: Source;
  readonly market?: string;
  readonly folder: string;
  readonly store?: string;
  readonly api?: readonly string[];
  readonly tokenUrl?: string;
  readonly clientId?: string;
  readonly open: boolean;
}

export interface Login {
  /** `undefined` if a settings file or variables already exist. */
  readonly settings: string | undefined;
  readonly platformFile: string | undefined;
  readonly variables: Readonly<Record<string, string>>;
  /** True if there is no refresh token yet; `adsctl auth exchange` adds it later. */
  readonly isUnfinished: boolean;
}

export interface InitAnswers {
  readonly source: Source;
  readonly market: string | undefined;
  readonly files: readonly string[];
  readonly login: Login | undefined;
}

const VARIABLES = {
  clientId: "PLATFORM_ADS_CLIENT_ID",
  clientSecret: "PLATFORM_ADS_CLIENT_SECRET",
  refreshToken: "PLATFORM_ADS_REFRESH_TOKEN",
} as const;

const PLACES = /^PLATFORM_ADS_(?:BASE_URL_\w+|TOKEN_URL|AUTHORIZE_URL|SANDBOX_URL|PLATFORM_FILE)$/;

/**
 * Uses options first and prompts for the rest on a terminal.
 *
 * @throws {UsageError} listing everything invalid or missing.
 */
export async function initAnswers(
  given: readonly string[],
  options: InitOptions,
  context: CliContext,
): Promise<InitAnswers> {
  const source = options.from ??
    (given.length > 0 ? "files" : context.globals.demo ? "demo" : await askSource(context));
  const problems: string[] = [];
  if (source === "account" && context.globals.demo) {
    problems.push(
      '--from account: this folder or your settings use the demo; choose another --folder, or run "adsctl use --clear demo"',
    );
  }
  const { market: typed = source === "demo" ? "CA" : undefined } = options;
  const market = typed === undefined || /^\d+$/.test(typed) ? typed : normalizeCountry(typed);
  if (market !== undefined && !/^\d+$/.test(market) && !MARKETPLACES.includes(market)) {
    const near = nearest(market, MARKETPLACES);
    problems.push(
      `-m: "${typed}" is neither a country code nor a profile id${
        near === undefined ? "" : `; did you mean ${near}?`
      }`,
    );
  }
  if (source !== "files" && given.length > 0) {
    problems.push(`${given.join(", ")}: files need --from files, but --from is ${source}`);
  }
  const login = options.api ?? options.tokenUrl ?? options.clientId;
  if (source !== "account" && login !== undefined) {
    problems.push("--api, --token-url and --client-id are for --from account");
  }
  const files = source === "files" ? await wantedFiles(given, context, problems) : [];
  const found = source === "account" ? await wantedLogin(options, context, problems) : undefined;
  await checkPolicy(options, context, problems);
  if (problems.length > 0) throw cannotSetUp(problems);
  return { source, market, files, login: found };
}

/** Reports an existing policy as a problem unless the user named it, because it may be someone else's. */
async function checkPolicy(
  { folder }: InitOptions,
  { globals, io }: CliContext,
  problems: string[],
): Promise<void> {
  const files = fileSystem();
  const path = files.join(folder, POLICY_FILE);
  const named = [globals.policy, io.env["PLATFORM_ADS_POLICY"]].flatMap((one) => one ? [resolve(one)] : []);
  if (globals.policy !== undefined || named.includes(resolve(path)) || !await files.exists(path)) return;
  problems.push(
    `${path}: this policy already exists and would limit all your writes; if it is yours, add --policy ${path}, ` +
      "otherwise remove it or choose another --folder",
  );
}

function cannotSetUp(problems: readonly string[]): UsageError {
  return new UsageError(`Cannot set up anything yet:\n${problems.map((one) => `  ${one}`).join("\n")}`);
}

async function askSource(context: CliContext): Promise<Source> {
  if (!context.io.stdin.isTerminal) {
    throw new UsageError(
      'Cannot ask for the data source: there is no terminal. Add --from demo, --from account, or the files: "adsctl init report.csv bulk.xlsx"',
    );
  }
  await context.io.stderr.write(
    "Where should the data come from?\n" +
      "  demo     a synthetic account on this machine; no login\n" +
      "  files    reports and bulk sheets that you downloaded; no API access\n" +
      "  account  your own account, through its API login\n",
  );
  const answer = (await askText("demo, files or account? [demo] ", context)).trim().toLowerCase() || "demo";
  const found = SOURCES.find((one) => one === answer || one[0] === answer);
  if (found === undefined) throw new UsageError(`Cannot use "${answer}": expected demo, files or account`);
  return found;
}

async function wantedFiles(
  given: readonly string[],
  context: CliContext,
  problems: string[],
): Promise<readonly string[]> {
  let files = given;
  if (files.length === 0 && context.io.stdin.isTerminal) {
    files = (await askText("Files, separated by spaces: ", context)).trim().split(/\s+/).filter(Boolean);
  }
  if (files.length === 0) problems.push("files: none given; add their paths");
  for (const file of files) {
    if (!await fileSystem().exists(file)) problems.push(`${file}: the file does not exist`);
  }
  return files;
}

async function wantedLogin(
  options: InitOptions,
  context: CliContext,
  problems: string[],
): Promise<Login> {
  const { io, globals } = context;
  const files = fileSystem();
  const kept = parseDotenv(await files.readText(files.join(options.folder, ".env")).catch(() => ""));
  const known = (name: string): string => io.env[name] || kept[name] || "";
  const canAsk = io.stdin.isTerminal;
  const variables: Record<string, string> = {};

  const platformFile = globals.platform ?? (known("PLATFORM_ADS_PLATFORM_FILE") || undefined);
  const hasHosts = ["NA", "EU", "FE"].some((region) => known(`PLATFORM_ADS_BASE_URL_${region}`) !== "");
  let settings: string | undefined;
  if (platformFile !== undefined) {
    const text = await files.readText(platformFile).catch(() => undefined);
    if (text === undefined) problems.push(`--platform: "${platformFile}" cannot be read`);
    else checkSettings(text, platformFile, problems);
  } else if (!hasHosts || options.api !== undefined) {
    const api = options.api ??
      (canAsk
        ? [await askText("API address with its region, such as NA=https://api.example: ", context)]
        : []);
    const tokenUrl = options.tokenUrl ??
      (canAsk ? await askText("Token URL: ", context) : "");
    settings = settingsText(api, tokenUrl.trim(), problems);
    const path = files.join(options.folder, "platform.json");
    const there = await files.readText(path).catch(() => settings);
    if (settings !== undefined && there !== settings) {
      problems.push(
        `${path}: it has different addresses; remove it, or add it with --platform if it is yours`,
      );
    }
  }

  // Secrets that are not in this file must not go where it says: the folder may be somebody else's.
  const places = Object.keys(kept).filter((name) => PLACES.test(name));
  const lacking = [VARIABLES.clientSecret, VARIABLES.refreshToken].filter((name) => !kept[name]);
  if (places.length > 0 && lacking.length > 0) {
    problems.push(
      `${files.join(options.folder, ".env")}: it sets where the login is sent (${
        places.join(", ")
      }) and lacks ` +
        `${
          lacking.join(" and ")
        }; if the file is yours, add them there; otherwise remove these lines or choose another --folder`,
    );
    throw cannotSetUp(problems);
  }

  const value = async (name: string, question: string, isSecret: boolean): Promise<string> => {
    const there = known(name);
    if (there !== "" || !canAsk) return there;
    return (await (isSecret ? askSecret : askText)(question, context)).trim();
  };
  variables[VARIABLES.clientId] = options.clientId ?? await value(VARIABLES.clientId, "Client id: ", false);
  variables[VARIABLES.clientSecret] = await value(
    VARIABLES.clientSecret,
    "Client secret (not shown): ",
    true,
  );
  variables[VARIABLES.refreshToken] = await value(
    VARIABLES.refreshToken,
    "Refresh token (not shown; empty if you have none yet): ",
    true,
  );
  const isUnfinished = canAsk && variables[VARIABLES.refreshToken] === "";
  for (const [name, text] of Object.entries(variables)) {
    if (text !== "" || (isUnfinished && name === VARIABLES.refreshToken)) continue;
    const option = name === VARIABLES.clientId ? "; add --client-id" : "; set the variable";
    problems.push(`${name} is not set${option}`);
  }
  if (isUnfinished) delete variables[VARIABLES.refreshToken];
  return { settings, platformFile, variables, isUnfinished };
}

function settingsText(
  api: readonly string[],
  tokenUrl: string,
  problems: string[],
): string | undefined {
  const regions: Record<string, { baseUrl: string }> = {};
  const before = problems.length;
  for (const one of api) {
    const [, region, baseUrl] = /^\s*(NA|EU|FE)=(\S+)\s*$/i.exec(one) ?? [];
    if (region === undefined || baseUrl === undefined) {
      problems.push(`--api: "${one}" is not REGION=ADDRESS with a region of NA, EU or FE`);
    } else regions[region.toUpperCase()] = { baseUrl };
  }
  if (api.length === 0) {
    problems.push(
      "--api: the API's address is missing, such as --api NA=https://...; or name a settings file with --platform",
    );
  }
  if (tokenUrl === "") problems.push("--token-url: the token URL is missing");
  if (problems.length > before) return undefined;
  const text = `${JSON.stringify({ regions, tokenUrl }, null, 2)}\n`;
  checkSettings(text, "--api and --token-url", problems);
  return text;
}

function checkSettings(text: string, where: string, problems: string[]): void {
  try {
    readPlatform(JSON.parse(text), {}, { path: where, text });
  } catch (error) {
    problems.push(
      error instanceof SyntaxError ? `"${where}" is not JSON` : (error as Error).message,
    );
  }
}
