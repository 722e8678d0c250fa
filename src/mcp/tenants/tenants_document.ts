import { z } from "zod";
import { SCOPES } from "../identity/identity.ts";
import { toolsetNames } from "../toolsets.ts";

/** The version of the tenants file that this release reads. */
export const TENANTS_VERSION = 1;

const Text = z.string().min(1);
const Scopes = z.array(z.enum(SCOPES)).min(1).optional();

/** Member of a tenant: exactly one of these keys identifies the caller. */
export const Member = z.strictObject({
  /** Value of the claim that the file names. */
  claim: Text.optional(),
  /** Subject of a token. */
  subject: Text.optional(),
  /** Variable of the environment with a token that was agreed on. */
  token_env: Text.optional(),
  /** SHA-256 of such a token, in hexadecimal digits. */
  token_sha256: z.string().regex(/^[0-9a-f]{64}$/i, "expected 64 hexadecimal digits").optional(),
  /** Bearer of that token. */
  name: Text.optional(),
  /** The most that they are allowed, whatever their token says. */
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

/** One tenant: an account, who may use it and how. */
export const TenantEntry = z.strictObject({
  /** Dotenv file with the connection. */
  env_file: Text.optional(),
  /** Platform settings file. */
  platform_file: Text.optional(),
  /** Variables of the server's environment that hold the credentials. */
  credentials: z.strictObject({
    client_id_env: Text,
    client_secret_env: Text,
    refresh_token_env: Text,
  }).optional(),
  /** Profile ids and country codes; every profile of the login without them. */
  profiles: z.array(Text).min(1).optional(),
  tools: z.array(z.enum([...toolsetNames(), "all"])).min(1).optional(),
  read_only: z.boolean().optional(),
  policy: Text.optional(),
  /** Path or address of a report store. */
  store: Text.optional(),
  /** Variable of the environment that holds it. */
  store_env: Text.optional(),
  plan_dir: Text.optional(),
  save_dir: Text.optional(),
  approval: z.enum(["terminal", "console"]).optional(),
  approval_key: Text.optional(),
  /** Without any, those whose claim has the tenant's name. */
  members: z.array(Member).min(1).optional(),
});

/** A tenants file. */
export const TenantsDocument = z.strictObject({
  version: z.literal(TENANTS_VERSION).default(TENANTS_VERSION),
  /** Claim of tokens that names the tenant. */
  claim: Text.optional(),
  tenants: z.record(z.string(), TenantEntry).refine(
    (tenants) => Object.keys(tenants).length > 0,
    "expected one tenant or more",
  ),
});

/** A tenants file. */
export type TenantsDocument = z.infer<typeof TenantsDocument>;

/** Entry of a tenants file for one tenant; each path is from the folder of the file. */
export type TenantEntry = z.infer<typeof TenantEntry>;

/** Members of a tenant. */
export type Member = z.infer<typeof Member>;
