import type { AuthInfo, ServerContext } from "@modelcontextprotocol/server";

/** In ascending order of power. */
export const SCOPES = ["read", "plan", "apply", "approve"] as const;

/**
 * `plan` writes only files of the server, `apply` changes the account, `approve` decides for a person whether a plan
 * may be applied.
 */
export type Scope = typeof SCOPES[number];

type IdentityKind = "local" | "static token" | "oauth";

interface IdentityParts {
  readonly subject: string;
  readonly kind: IdentityKind;
  readonly scopes?: readonly Scope[];
  readonly tenant?: string | undefined;
  readonly expiresAt?: number | undefined;
}

export class Identity {
  readonly subject: string;
  readonly kind: IdentityKind;
  readonly scopes: readonly Scope[];
  readonly tenant: string | undefined;
  readonly expiresAt: number | undefined;

  constructor({ subject, kind, scopes = SCOPES, tenant, expiresAt }: IdentityParts) {
    this.subject = subject;
    this.kind = kind;
    this.scopes = SCOPES.filter((scope) => scopes.includes(scope));
    this.tenant = tenant;
    this.expiresAt = expiresAt;
  }

  /** Unique key of the caller, equal for all of their tokens. */
  get key(): string {
    return JSON.stringify([this.tenant ?? null, this.kind, this.subject]);
  }

  may(scope: Scope): boolean {
    return this.scopes.includes(scope);
  }
}

export const LOCAL: Identity = new Identity({ subject: "local", kind: "local" });

export const NOBODY: Identity = new Identity({ subject: "nobody", kind: "local", scopes: [] });

const identities = new WeakMap<AuthInfo, Identity>();

export function authInfoOf(identity: Identity, resourceMetadataUrl?: string): AuthInfo {
  const info: AuthInfo = {
    token: "",
    clientId: identity.subject,
    scopes: [...identity.scopes],
    ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
  };
  identities.set(info, identity);
  return info;
}

export function identityOf(info: AuthInfo | undefined): Identity | undefined {
  return info === undefined ? undefined : identities.get(info);
}

export function callerOf({ http }: Pick<ServerContext, "http">, servedFor: Identity): Identity {
  return identityOf(http?.authInfo) ?? servedFor;
}
