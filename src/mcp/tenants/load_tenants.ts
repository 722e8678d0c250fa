import { dirname, resolve } from "node:path";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { checkYaml, readYaml, yamlRefusal } from "../../policy/yaml_document.ts";
import { readNamedFile } from "../../runtime/read_named_file.ts";
import type { StaticToken } from "../auth/static_tokens.ts";
import { Identity, SCOPES } from "../identity/identity.ts";
import type { McpSettings } from "../settings.ts";
import type { Complain } from "./complain.ts";
import { FolderClaims } from "./folder_claims.ts";
import { MemberClaims } from "./member_claims.ts";
import { tenantSettings } from "./tenant_settings.ts";
import { type Tenant, type TenantMember, Tenants } from "./tenants.ts";
import { type Member, TenantsDocument } from "./tenants_document.ts";

/** Names of tenants, which are names of folders as well. */
const NAME = /^[a-z0-9][a-z0-9_-]{0,62}$/;

/**
 * Reads a tenants file: YAML or JSON. Paths in it are from its own folder.
 *
 * @param settings How the server was asked to run: what a tenant does not say itself.
 * @throws {ConfigurationError} with everything that is wrong, each with its line and field.
 */
export async function loadTenants(path: string, settings: McpSettings): Promise<Tenants> {
  const use = { source: `the tenants file "${path}"` };
  const yaml = readYaml(await readNamedFile(path, "the tenants file"), use);
  const document = checkYaml(TenantsDocument, yaml, use);
  const problems: string[] = [];
  const complain: Complain = (place, message) =>
    void problems.push(`${yaml.whereOf(place)}${place.map(String).join(".")}: ${message}`);

  const folder = dirname(resolve(path));
  const folders = new FolderClaims(complain);
  const membership = new MemberClaims(complain);
  const list: Tenant[] = [];
  const tokens: StaticToken[] = [];
  for (const [name, entry] of Object.entries(document.tenants)) {
    const place = ["tenants", name];
    if (!NAME.test(name)) {
      complain(place, "expected a name of lower-case letters, digits, hyphens and underscores");
    }
    const own = await tenantSettings(entry, {
      settings,
      name,
      folder,
      complain: (field, message) => complain([...place, ...field], message),
    });
    folders.add(place, own);
    const members: TenantMember[] = [];
    const entries: readonly Member[] = entry.members ?? [{ claim: name }];
    entries.forEach((member, index) => {
      const at = entry.members === undefined ? place : [...place, "members", index];
      checkIssuer(member, { complain: (message) => complain(at, message), document, settings });
      const digest = tokenDigest(member, settings.ownVariables, (message) => complain(at, message));
      membership.add(at, member, digest);
      const scopes = member.scopes ?? SCOPES;
      if (digest === undefined) members.push({ claim: member.claim, subject: member.subject, scopes });
      else {
        const subject = member.name ?? `static token ${index + 1}`;
        tokens.push({
          digest,
          identity: new Identity({ subject, kind: "static token", tenant: name, scopes }),
        });
      }
    });
    list.push({ name, settings: own, members });
  }
  if (problems.length > 0) throw yamlRefusal(use, problems);
  return new Tenants({ list, tokens, claim: document.claim });
}

const MIN_TOKEN_LENGTH = 16;

/** The digest of a member's token; `undefined` for a member who comes with one of the issuer. */
function tokenDigest(
  { token_env: variable, token_sha256: digest }: Member,
  variables: McpSettings["ownVariables"],
  complain: (message: string) => void,
): Uint8Array | undefined {
  if (digest !== undefined) return new Uint8Array(Buffer.from(digest, "hex"));
  if (variable === undefined) return undefined;
  const token = variables[variable]?.trim() ?? "";
  if (token === "") complain(`the variable ${variable} is not set`);
  else if (token.length < MIN_TOKEN_LENGTH) {
    complain(`the token in ${variable} is shorter than ${MIN_TOKEN_LENGTH} characters`);
  }
  return createHash("sha256").update(token).digest();
}

function checkIssuer(
  { claim, subject }: Member,
  { complain, document, settings }: {
    complain: (message: string) => void;
    document: TenantsDocument;
    settings: McpSettings;
  },
): void {
  if (claim === undefined && subject === undefined) return;
  if (settings.http?.auth === undefined) {
    complain("its members come with tokens of an issuer, and --auth-issuer is not set");
  }
  if (claim !== undefined && document.claim === undefined) {
    complain('its members are known by a claim, and "claim" at the top of the file does not say which');
  }
}
