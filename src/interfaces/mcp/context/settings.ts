import { parseArgs } from "node:util";
import { readSources } from "../../../platform/connection/connection_from_env.ts";
import { configFolder, stateFolder } from "../../../base/runtime/user_folders.ts";
import { environmentSwitch } from "../../../base/runtime/environment_switch.ts";
import { ConfigurationError } from "../../../errors.ts";
import { approvalKeyFiles } from "../../../plans/review/approval_key.ts";
import { PlanStore } from "../../../plans/store/plan_store.ts";
import { checkApart } from "../calls/save_rows.ts";
import type { RowsPlace } from "../calls/text_table.ts";
import { authSettings } from "../access/auth_settings.ts";
import type { CallLimitSettings } from "../calls/call_limits.ts";
import { readToolsets, type Toolset } from "./toolsets.ts";
import { type HttpSettings, httpSettings } from "./http_settings.ts";

export interface McpSettings {
  readonly help: boolean;
  readonly version: boolean;
  readonly demo: boolean;
  readonly rehearsal?: string | undefined;
  readonly readOnly: boolean;
  readonly toolsets: readonly Toolset[] | undefined;
  /** Place of the rows of answers. */
  readonly rows: RowsPlace;
  /**
   * Approval that every plan needs: a signature from a terminal or the console, or `form` for a yes in the client's
   * form. Where the client has no form, `form` requires a signature. `undefined` uses a form if available, otherwise
   * the fingerprint.
   */
  readonly approval: "terminal" | "console" | "form" | undefined;
  readonly approvalKey: string;
  readonly stateFolder: string;
  readonly planFolder: string;
  readonly saveFolder: string | undefined;
  readonly store?: string | undefined;
  readonly callLimits?: CallLimitSettings | undefined;
  readonly audit: string | undefined;
  readonly policy?: string | undefined;
  /** Folder in which a policy records today's applied amounts. */
  readonly policyFolder: string;
  readonly http: HttpSettings | undefined;
  readonly envFile: string | undefined;
  readonly platformFile: string | undefined;
  /**
   * Dotenv file with the login's secrets.
   *
   * @default none
   */
  readonly loginFile?: string | undefined;
  readonly variables: Readonly<Record<string, string>>;
  readonly ownVariables: Readonly<Record<string, string | undefined>>;
  readonly tenantsFile: string | undefined;
  readonly tenant?: string | undefined;
  readonly profiles?: readonly string[] | undefined;
}

const OPTIONS = {
  "http": { type: "string" },
  "tenants": { type: "string" },
  "auth-issuer": { type: "string" },
  "auth-audience": { type: "string" },
  "auth-jwks": { type: "string" },
  "allow-host": { type: "string", multiple: true },
  "allow-origin": { type: "string", multiple: true },
  "demo": { type: "boolean" },
  "rehearse": { type: "string" },
  "read-only": { type: "boolean" },
  "tools": { type: "string" },
  "rows": { type: "string" },
  "plan-dir": { type: "string" },
  "save-dir": { type: "string" },
  "store": { type: "string" },
  "audit": { type: "string" },
  "max-calls": { type: "string" },
  "max-writes": { type: "string" },
  "policy": { type: "string" },
  "profiles": { type: "string" },
  "env-file": { type: "string" },
  "platform": { type: "string" },
  "help": { type: "boolean", short: "h" },
  "version": { type: "boolean" },
} as const;

const ONLY_HTTP = ["auth-issuer", "auth-audience", "auth-jwks", "tenants"] as const;

/**
 * The command line takes precedence over the environment, and both over the dotenv file.
 *
 * @param args Arguments without the program's name.
 * @throws {ConfigurationError} for unusable settings.
 */
export async function readSettings(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<McpSettings> {
  const values = parsed(args);
  const envFile = values["env-file"];
  const asks = values.help === true || values.version === true;
  const { variables, loginFile } = asks ? { variables: {}, loginFile: undefined } : await readSources({
    env,
    ...(envFile === undefined ? {} : { envFile }),
    ...(values.platform === undefined ? {} : { platformFile: values.platform }),
  });
  const isNamed = envFile !== undefined || Boolean(env["PLATFORM_ADS_ENV_FILE"]);
  // An agent may be able to write a .env into the folder where the server starts. A file that nobody named gives
  // connection settings, and it may only make the server stricter.
  const trusted: typeof env = isNamed ? variables : env;
  const option = (name: string): string | undefined => trusted[`PLATFORM_ADS_${name}`]?.trim() || undefined;
  const stricter = (name: string): string | undefined =>
    variables[`PLATFORM_ADS_${name}`]?.trim() || undefined;

  const rehearsal = values.rehearse ?? option("REHEARSAL");
  const demo = rehearsal !== undefined ||
    (values.demo ?? environmentSwitch(option("DEMO"), "PLATFORM_ADS_DEMO"));
  const outer = isNamed ? { ...env, ...variables } : env;
  const folders = rehearsal === undefined || asks ? outer : await rehearsalFolders(outer, rehearsal, values);
  const approval = stricter("MCP_APPROVAL");
  if (approval !== undefined && approval !== "terminal" && approval !== "console" && approval !== "form") {
    throw new ConfigurationError(
      `Cannot use PLATFORM_ADS_MCP_APPROVAL "${approval}": it can be "terminal", "console" or "form"`,
    );
  }
  const named = rehearsal === undefined ? values["plan-dir"] ?? option("MCP_PLAN_DIR") : undefined;
  const planFolder = named ??
    (asks ? "" : PlanStore.defaultPath(folders, { demo, option: "--plan-dir" }));
  const saveFolder = values["save-dir"] ?? option("MCP_SAVE_DIR");
  const policyFolder = asks
    ? ""
    : `${stateFolder(folders, { of: "what the policy counts" })}/${
      demo ? "demo-policy-days" : "policy-days"
    }`;
  if (saveFolder !== undefined && !asks) checkApart(saveFolder, { planFolder, policyFolder });
  const tenantsFile = values.tenants ?? option("MCP_TENANTS");
  if (tenantsFile !== undefined && values.http !== undefined) {
    checkTenantsAlone({
      "--demo": demo,
      "--plan-dir": values["plan-dir"] ?? option("MCP_PLAN_DIR"),
      "--save-dir": saveFolder,
      "--store": values.store ?? option("MCP_STORE"),
      "--profiles": values.profiles ?? option("MCP_PROFILES"),
    });
  }
  return {
    help: values.help ?? false,
    version: values.version ?? false,
    demo,
    ...(rehearsal === undefined ? {} : { rehearsal }),
    readOnly: values["read-only"] ??
      environmentSwitch(stricter("MCP_READ_ONLY"), "PLATFORM_ADS_MCP_READ_ONLY"),
    toolsets: readToolsets(values.tools ?? option("MCP_TOOLS")),
    rows: readRowsPlace(values.rows ?? option("MCP_ROWS")),
    approval,
    approvalKey: option("MCP_APPROVAL_KEY") ?? (asks ? "" : approvalKeyFiles(configFolder(folders)).public),
    stateFolder: asks ? "" : stateFolder(folders),
    planFolder,
    saveFolder,
    store: rehearsal === undefined ? values.store ?? option("MCP_STORE") : undefined,
    callLimits: {
      calls: perMinute(values["max-calls"] ?? option("MCP_MAX_CALLS"), "--max-calls"),
      writes: perMinute(values["max-writes"] ?? option("MCP_MAX_WRITES"), "--max-writes"),
    },
    audit: values.audit ?? (rehearsal === undefined ? option("MCP_AUDIT") : undefined),
    policy: trustedPolicy(values.policy ?? option("POLICY"), stricter("POLICY")),
    policyFolder,
    ...profilesIn(values.profiles ?? option("MCP_PROFILES") ?? stricter("MCP_PROFILES")),
    http: values.http === undefined ? noHttp(values) : httpSettings(values.http, {
      token: option("MCP_TOKEN"),
      hasTenants: tenantsFile !== undefined,
      auth: authSettings({
        issuer: values["auth-issuer"] ?? option("MCP_AUTH_ISSUER"),
        audience: values["auth-audience"] ?? option("MCP_AUTH_AUDIENCE"),
        jwks: values["auth-jwks"] ?? option("MCP_AUTH_JWKS"),
      }),
      hosts: values["allow-host"] ?? [],
      origins: values["allow-origin"] ?? [],
    }),
    envFile,
    platformFile: values.platform,
    loginFile,
    variables,
    ownVariables: trusted,
    tenantsFile,
  };
}

function profilesIn(text: string | undefined): Pick<McpSettings, "profiles"> {
  if (text === undefined) return {};
  const profiles = text.split(",").map((name) => name.trim()).filter((name) => name !== "");
  const bad = profiles.find((name) => !/^(?:[A-Za-z]{2}|\d+)$/.test(name));
  if (bad === undefined && profiles.length > 0) return { profiles };
  throw new ConfigurationError(
    `Cannot limit the server to the profiles "${
      bad ?? text
    }": expected country codes or profile ids, such as CA,US`,
  );
}

/** Rejects a policy named by an implicit `.env`, which an agent may have written. */
function trustedPolicy(trusted: string | undefined, found: string | undefined): string | undefined {
  if (trusted !== undefined || found === undefined) return trusted;
  throw new ConfigurationError(
    `Cannot use the policy "${found}": PLATFORM_ADS_POLICY is set in a .env that nobody named, and an agent may have ` +
      "written it. Name the policy with --policy, or the file with --env-file",
  );
}

function checkTenantsAlone(settings: Readonly<Record<string, string | boolean | undefined>>): void {
  const given = Object.keys(settings).find((name) =>
    settings[name] !== undefined && settings[name] !== false
  );
  if (given === undefined) return;
  throw new ConfigurationError(`Cannot use ${given} with --tenants: each tenant of the file has its own`);
}

/** Rejects HTTP settings that stdio would silently ignore. */
function noHttp(values: ReturnType<typeof parsed>): undefined {
  const given = ONLY_HTTP.find((name) => values[name] !== undefined);
  if (given === undefined) return undefined;
  throw new ConfigurationError(
    `Cannot use --${given} without --http: over stdio there is one caller, without a token`,
  );
}

function perMinute(text: string | undefined, option: string): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new ConfigurationError(`Cannot use ${option} "${text}": expected 1 or more per minute`);
}

function readRowsPlace(text = "data"): RowsPlace {
  if (text === "data" || text === "both") return text;
  throw new ConfigurationError(`Cannot put the rows of answers into "${text}": expected one of data, both`);
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, strict: true }).values;
  } catch (error) {
    throw new ConfigurationError(`${(error as Error).message.split(". ")[0]}. See --help`);
  }
}

/** @throws {ConfigurationError} for settings that would mix the rehearsal with the account, or an unreadable file. */
async function rehearsalFolders(
  env: Readonly<Record<string, string | undefined>>,
  file: string,
  values: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, string | undefined>>> {
  for (const name of ["plan-dir", "store", "tenants", "platform"]) {
    if (values[name] === undefined) continue;
    throw new ConfigurationError(
      `Cannot use --${name} together with --rehearse: a rehearsal keeps everything in a folder of its own. Leave it out`,
    );
  }
  const { rehearsalEnvironment } = await import("../../demo/rehearsal.ts");
  return await rehearsalEnvironment(env, file);
}
