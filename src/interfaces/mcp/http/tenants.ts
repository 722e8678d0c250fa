import type { JWTPayload } from "jose";
import { type StaticToken, tokenScopes, type VerifiedToken } from "../access/token_verifier.ts";
import { Identity, type Scope, SCOPES } from "../access/identity.ts";
import type { McpSettings } from "../context/settings.ts";
import { McpContext } from "../context/mcp_context.ts";

/** Members of a tenant, by claims of the issuer's tokens. */
export interface TenantMember {
  /** Value of the claim that names tenants. @default any */
  readonly claim?: string | undefined;
  /** Subject of the token. @default any */
  readonly subject?: string | undefined;
  /** The most that they are allowed. */
  readonly scopes: readonly Scope[];
}

/** An account of a server that serves several. */
export interface Tenant {
  /** Its name, which the log and the folders bear. */
  readonly name: string;
  /** How the server works for it. */
  readonly settings: McpSettings;
  /** Its members, by claims of the issuer's tokens. */
  readonly members: readonly TenantMember[];
}

/** The accounts of a server that serves several. */
export class Tenants {
  /** In the order of the file. */
  readonly list: readonly Tenant[];
  /** Tokens that were agreed on, each with the tenant of its bearer. */
  readonly tokens: readonly StaticToken[];
  readonly #claim: string | undefined;

  /** @param parts The tenants, and the claim of tokens that names one of them. */
  constructor(parts: { list: readonly Tenant[]; tokens: readonly StaticToken[]; claim: string | undefined }) {
    this.list = parts.list;
    this.tokens = parts.tokens;
    this.#claim = parts.claim;
  }

  /**
   * Whom a token of the issuer stands for: in the one tenant that it belongs to, with the scopes that both the token and
   * the file grant. `undefined` where it belongs to none, and where it belongs to several.
   */
  admit({ subject, claims, expiresAt }: VerifiedToken): Identity | undefined {
    const [found, ...others] = this.list.flatMap(({ name, members }) => {
      const own = members.filter((member) => this.#isOf(member, subject, claims));
      return own.length === 0 ? [] : [{ name, scopes: own.flatMap(({ scopes }) => scopes) }];
    });
    if (found === undefined || others.length > 0) return undefined;
    const granted = tokenScopes(claims);
    return new Identity({
      subject,
      kind: "oauth",
      tenant: found.name,
      scopes: SCOPES.filter((scope) => granted.includes(scope) && found.scopes.includes(scope)),
      expiresAt: expiresAt * 1000,
    });
  }

  #isOf(member: TenantMember, subject: string, claims: JWTPayload): boolean {
    if (member.subject !== undefined) return member.subject === subject;
    if (this.#claim === undefined || !Object.hasOwn(claims, this.#claim)) return false;
    const said = claims[this.#claim];
    return Array.isArray(said) ? said.includes(member.claim) : said === member.claim;
  }
}

/** Accounts of a server over HTTP: one, or several. */
export interface Served {
  /** By the tenant of a caller; one account has no name. */
  readonly contexts: ReadonlyMap<string | undefined, McpContext>;
  /** Members of the accounts, when there are several. @default there is one, for everybody */
  readonly tenants?: Tenants;
  readonly log: (line: string) => void;
  readonly now: () => number;
}

/** Wraps a context that stands for the one account of a server. */
export function servedOf(served: McpContext | Served): Served {
  if (!(served instanceof McpContext)) return served;
  const log = (line: string): void => served.log(line);
  return { contexts: new Map([[undefined, served]]), log, now: served.now };
}
