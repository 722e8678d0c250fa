import { isAddress } from "../../../base/text/is_address.ts";
import { resolve } from "node:path";
import {
  connectionFromVariables,
  PLATFORM_VARIABLES,
  readVariables,
} from "../../../platform/connection/connection_from_env.ts";
import { ConfigurationError } from "../../../errors.ts";
import { loadPolicy } from "../../../plans/policy/load_policy.ts";
import type { McpSettings } from "../context/settings.ts";
import { readToolsets, toolsetNames } from "../context/toolsets.ts";
import { z } from "zod";
import { SCOPES } from "../access/identity.ts";

const PLATFORM_FILE = "PLATFORM_ADS_PLATFORM_FILE";
const CREDENTIALS = ["CLIENT_ID", "CLIENT_SECRET", "REFRESH_TOKEN"].map((name) => `PLATFORM_ADS_${name}`);

interface TenantSettingsOptions {
  readonly settings: McpSettings;
  readonly name: string;
  readonly folder: string;
  readonly complain: (field: readonly string[], message: string) => void;
}

/**
 * Only the platform's hosts come from the server's environment; credentials, stores and folders are the tenant's own.
 */
export async function tenantSettings(
  entry: TenantEntry,
  options: TenantSettingsOptions,
): Promise<McpSettings> {
  const { settings, name, folder, complain } = options;
  const from = (path: string): string => resolve(folder, path);
  const own = `${settings.stateFolder}/tenants/${name}`;
  const { variables, isWhole } = await tenantVariables(entry, options);
  const platformFile = entry.platform_file === undefined
    ? variables[PLATFORM_FILE] ?? settings.platformFile ?? settings.ownVariables[PLATFORM_FILE]?.trim()
    : from(entry.platform_file);
  const found = {
    ...settings,
    tenant: name,
    demo: false,
    profiles: entry.profiles,
    toolsets: entry.tools === undefined ? settings.toolsets : readToolsets(entry.tools.join(",")),
    readOnly: settings.readOnly || entry.read_only === true,
    policy: entry.policy === undefined ? settings.policy : from(entry.policy),
    policyFolder: `${own}/policy-days`,
    approval: entry.approval ?? settings.approval,
    approvalKey: entry.approval_key === undefined ? settings.approvalKey : from(entry.approval_key),
    planFolder: entry.plan_dir === undefined ? `${own}/plans` : from(entry.plan_dir),
    saveFolder: entry.save_dir === undefined ? undefined : from(entry.save_dir),
    store: tenantStore(entry, options, from),
    envFile: undefined,
    platformFile: platformFile || undefined,
    variables,
  };
  const { policy } = found;
  if (isWhole && hasOwnLogin(entry, variables, complain)) {
    await attempt(() => connectionFromVariables(variables, platformFile ? { platformFile } : {}), {
      complain: (message) => complain([], message),
    });
  }
  if (policy !== undefined) {
    await attempt(() => loadPolicy(policy), { complain: (message) => complain(["policy"], message) });
  }
  return found;
}

/** A file shared by all tenants may contain hosts, but its login does not count. */
function hasOwnLogin(
  { platform_file: own }: TenantEntry,
  variables: Readonly<Record<string, string>>,
  complain: TenantSettingsOptions["complain"],
): boolean {
  const missing = own === undefined ? CREDENTIALS.filter((name) => !variables[name]) : [];
  if (missing.length === 0) return true;
  complain(
    [],
    `its own login is missing (${missing.join(", ")}): give env_file, credentials or platform_file`,
  );
  return false;
}

async function tenantVariables(
  { env_file: file, platform_file: platformFile, credentials }: TenantEntry,
  { settings: { ownVariables: variables }, folder, complain }: TenantSettingsOptions,
): Promise<{ variables: Record<string, string>; isWhole: boolean }> {
  let isWhole = true;
  const found: Record<string, string> = {};
  // A variable wins over a file: those of the server are not for a tenant that has a file of its own.
  for (const name of platformFile === undefined ? PLATFORM_VARIABLES : []) {
    const value = variables[name]?.trim();
    if (value) found[name] = value;
  }
  if (file !== undefined) {
    const read = await attempt(() => readVariables({ env: {}, envFile: resolve(folder, file) }), {
      complain: (message) => complain(["env_file"], message),
    });
    isWhole = read !== undefined;
    Object.assign(found, read);
  }
  for (const [field, variable] of Object.entries(credentials ?? {})) {
    const value = variables[variable]?.trim();
    if (!value) {
      isWhole = false;
      complain(["credentials", field], `the variable ${variable} is not set`);
    } else found[`PLATFORM_ADS_${field.replace(/_env$/, "").toUpperCase()}`] = value;
  }
  return { variables: found, isWhole };
}

function tenantStore(
  { store, store_env: variable }: TenantEntry,
  { settings: { ownVariables: variables }, complain }: TenantSettingsOptions,
  from: (path: string) => string,
): string | undefined {
  if (store !== undefined && variable !== undefined) {
    complain(["store_env"], "give store or store_env, not both");
  }
  const value = variable === undefined ? store : variables[variable]?.trim();
  if (variable !== undefined && !value) complain(["store_env"], `the variable ${variable} is not set`);
  if (!value) return undefined;
  return isAddress(value) ? value : from(value);
}

async function attempt<Result>(
  read: () => Promise<Result>,
  { complain }: { complain: (message: string) => void },
): Promise<Result | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    complain(error.message.replaceAll("\n", "\n  "));
    return undefined;
  }
}

export const TENANTS_VERSION = 1;

const Text = z.string().min(1);
const Scopes = z.array(z.enum(SCOPES)).min(1).optional();

export const Member = z.strictObject({
  claim: Text.optional(),
  subject: Text.optional(),
  token_env: Text.optional(),
  token_sha256: z.string().regex(/^[0-9a-f]{64}$/i, "expected 64 hexadecimal digits").optional(),
  name: Text.optional(),
  /** Upper limit of the member's scopes, regardless of the token. */
  scopes: Scopes,
}).superRefine((member, context) => {
  const given = [member.claim, member.subject, member.token_env, member.token_sha256];
  if (given.filter((value) => value !== undefined).length !== 1) {
    context.addIssue({
      code: "custom",
      message: "expected exactly one of claim, subject, token_env, token_sha256",
    });
  }
});

const TenantEntry = z.strictObject({
  env_file: Text.optional(),
  platform_file: Text.optional(),
  credentials: z.strictObject({
    client_id_env: Text,
    client_secret_env: Text,
    refresh_token_env: Text,
  }).optional(),
  /** Profile ids and country codes; without any, every profile of the login. */
  profiles: z.array(Text).min(1).optional(),
  tools: z.array(z.enum([...toolsetNames(), "all"])).min(1).optional(),
  read_only: z.boolean().optional(),
  policy: Text.optional(),
  store: Text.optional(),
  store_env: Text.optional(),
  plan_dir: Text.optional(),
  save_dir: Text.optional(),
  approval: z.enum(["terminal", "console", "form"]).optional(),
  approval_key: Text.optional(),
  /** Without members, those whose claim has the tenant's name. */
  members: z.array(Member).min(1).optional(),
});

export const TenantsDocument = z.strictObject({
  version: z.literal(TENANTS_VERSION).default(TENANTS_VERSION),
  claim: Text.optional(),
  tenants: z.record(z.string(), TenantEntry).refine(
    (tenants) => Object.keys(tenants).length > 0,
    "expected one tenant or more",
  ),
});

export type TenantsDocument = z.infer<typeof TenantsDocument>;

/** Paths are relative to the tenants file. */
type TenantEntry = z.infer<typeof TenantEntry>;

export type Member = z.infer<typeof Member>;
