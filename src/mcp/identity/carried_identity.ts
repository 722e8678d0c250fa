import type { AuthInfo, ServerContext } from "@modelcontextprotocol/server";
import type { Identity } from "./identity.ts";

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
