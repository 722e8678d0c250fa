import type { AuthInfo, ServerContext } from "@modelcontextprotocol/server";

/** Scopes of a caller, from the least to the most. */
export const SCOPES = ["read", "plan", "apply", "approve"] as const;

/**
 * One thing that a caller is allowed: `read` reads, `plan` writes files of the server and nothing else, `apply` changes
 * the account, `approve` answers for a person whether a plan may be applied.
 */
export type Scope = typeof SCOPES[number];

/** How a caller showed who they are: `local` shares the process or the machine with the server. */
type IdentityKind = "local" | "static token" | "oauth";

interface IdentityParts {
  /** Name of the caller as given by the issuer of the token. */
  readonly subject: string;
  /** How they showed it. */
  readonly kind: IdentityKind;
  /** Allowed scopes. @default everything */
  readonly scopes?: readonly Scope[];
  /** Name of the account of theirs, where the server has several. @default none */
  readonly tenant?: string | undefined;
  /** Milliseconds since the epoch at which their token expires. @default never */
  readonly expiresAt?: number | undefined;
}

/** Caller of a tool, with their scopes. Holds no token. */
export class Identity {
  /** Name of the caller as given by the issuer of the token. */
  readonly subject: string;
  /** How they showed it. */
  readonly kind: IdentityKind;
  /** Allowed scopes, in the order of {@linkcode SCOPES}. */
  readonly scopes: readonly Scope[];
  /** Name of the account of theirs, where the server has several. */
  readonly tenant: string | undefined;
  /** Milliseconds since the epoch at which their token expires; `undefined` for never. */
  readonly expiresAt: number | undefined;

  /** @param parts Who, how shown, and what for. */
  constructor({ subject, kind, scopes = SCOPES, tenant, expiresAt }: IdentityParts) {
    this.subject = subject;
    this.kind = kind;
    this.scopes = SCOPES.filter((scope) => scopes.includes(scope));
    this.tenant = tenant;
    this.expiresAt = expiresAt;
  }

  /** Key of this caller alone; equal for every token of theirs. */
  get key(): string {
    return JSON.stringify([this.tenant ?? null, this.kind, this.subject]);
  }

  /** True when they are allowed this. */
  may(scope: Scope): boolean {
    return this.scopes.includes(scope);
  }
}

/** The local user: starts the server, or reaches it on a loopback address without a token. */
export const LOCAL: Identity = new Identity({ subject: "local", kind: "local" });

/** A caller that no guard has let in: may do nothing. */
export const NOBODY: Identity = new Identity({ subject: "nobody", kind: "local", scopes: [] });

const identities = new WeakMap<AuthInfo, Identity>();

/** The protocol's form of an identity, in which it reaches the tools; the token stays behind. */
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

/** Identity of a request, as found by the guard of the server; `undefined` for one that passed no guard. */
export function identityOf(info: AuthInfo | undefined): Identity | undefined {
  return info === undefined ? undefined : identities.get(info);
}

/** Identity of a call: from its request, or else the one the server was made for. */
export function callerOf({ http }: Pick<ServerContext, "http">, servedFor: Identity): Identity {
  return identityOf(http?.authInfo) ?? servedFor;
}
