import { isAddress } from "../../../base/text/is_address.ts";
import { dirname, resolve, sep } from "node:path";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { checkVersion, checkYaml, readYaml, yamlRefusal } from "../../../base/runtime/yaml_document.ts";
import { readNamedFile } from "../../../base/runtime/read_named_file.ts";
import type { StaticToken } from "../access/token_verifier.ts";
import { Identity, SCOPES } from "../access/identity.ts";
import type { McpSettings } from "../context/settings.ts";
import { type Member, TENANTS_VERSION, TenantsDocument, tenantSettings } from "./tenant_settings.ts";
import { type Tenant, type TenantMember, Tenants } from "./tenants.ts";
import { realPlace } from "../calls/save_rows.ts";

const NAME = /^[a-z0-9][a-z0-9_-]{0,62}$/;

/**
 * Loads the tenants. Paths are relative to the file.
 *
 * @param settings Defaults for fields that a tenant omits.
 * @throws {ConfigurationError} with line and field of every problem.
 */
export async function loadTenants(path: string, settings: McpSettings): Promise<Tenants> {
  const use = { source: `the tenants file "${path}"` };
  const yaml = readYaml(await readNamedFile(path, "the tenants file"), use);
  checkVersion(yaml, use, TENANTS_VERSION);
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

class MemberClaims {
  readonly #complain: Complain;
  readonly #tenants = new Map<string, string>();

  constructor(complain: Complain) {
    this.#complain = complain;
  }

  add(place: readonly PropertyKey[], { claim, subject }: Member, digest: Uint8Array | undefined): void {
    const tenant = String(place[1]);
    const what = claim !== undefined ? "claim" : subject !== undefined ? "subject" : "token";
    const key = JSON.stringify([what, claim ?? subject ?? digest?.join(" ")]);
    const other = this.#tenants.get(key);
    if (other !== undefined) this.#complain(place, `the same ${what} is in tenant "${other}" already`);
    this.#tenants.set(key, tenant);
  }
}

interface Claimed {
  readonly tenant: string;
  readonly field: string;
  readonly place: string;
}

class FolderClaims {
  readonly #complain: Complain;
  readonly #claimed: Claimed[] = [];

  constructor(complain: Complain) {
    this.#complain = complain;
  }

  add(path: readonly string[], { planFolder, saveFolder, store }: McpSettings): void {
    const tenant = path.at(-1)!;
    const own = [["plan_dir", planFolder], ["save_dir", saveFolder], ["store", store]] as const;
    for (const [field, place] of own) {
      if (place === undefined) continue;
      const one = { tenant, field, place: isAddress(place) ? place : realPlace(place) };
      const other = this.#claimed.find((claimed) => overlaps(one, claimed));
      if (other !== undefined) {
        const whose = other.tenant === tenant ? "its own" : `that of tenant "${other.tenant}"`;
        this.#complain(
          [...path, field],
          `it overlaps with ${whose} ${other.field}: give each a place of its own`,
        );
      }
      this.#claimed.push(one);
    }
  }
}

function overlaps(one: Claimed, other: Claimed): boolean {
  if (one.place === other.place) return true;
  // A tenant may well have its store in the folder of its plans, but what agents write stays apart.
  if (one.tenant === other.tenant && (one.field === "store" || other.field === "store")) return false;
  return one.place.startsWith(other.place + sep) || other.place.startsWith(one.place + sep);
}

type Complain = (path: readonly PropertyKey[], message: string) => void;
