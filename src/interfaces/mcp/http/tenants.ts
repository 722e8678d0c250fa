import type { JWTPayload } from "jose";
import { type StaticToken, tokenScopes, type VerifiedToken } from "../access/token_verifier.ts";
import { Identity, type Scope, SCOPES } from "../access/identity.ts";
import type { McpSettings } from "../context/settings.ts";
import { McpContext } from "../context/mcp_context.ts";

export interface TenantMember {
  readonly claim?: string | undefined;
  readonly subject?: string | undefined;
  /** Upper limit of the member's scopes. */
  readonly scopes: readonly Scope[];
}

export interface Tenant {
  readonly name: string;
  readonly settings: McpSettings;
  readonly members: readonly TenantMember[];
}

export class Tenants {
  readonly list: readonly Tenant[];
  readonly tokens: readonly StaticToken[];
  readonly #claim: string | undefined;

  constructor(parts: { list: readonly Tenant[]; tokens: readonly StaticToken[]; claim: string | undefined }) {
    this.list = parts.list;
    this.tokens = parts.tokens;
    this.#claim = parts.claim;
  }

  /** Identity with the scopes granted by both token and file. `undefined` if the token matches no tenant or several. */
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

export interface Served {
  readonly contexts: ReadonlyMap<string | undefined, McpContext>;
  readonly tenants?: Tenants;
  readonly log: (line: string) => void;
  readonly now: () => number;
}

export function servedOf(served: McpContext | Served): Served {
  if (!(served instanceof McpContext)) return served;
  const log = (line: string): void => served.log(line);
  return { contexts: new Map([[undefined, served]]), log, now: served.now };
}
