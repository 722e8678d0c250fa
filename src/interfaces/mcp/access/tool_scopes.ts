import type { ScopeChallengeHandler } from "@modelcontextprotocol/server";
import { ConfigurationError } from "../../../errors.ts";
import type { Effect } from "../../../operations/model/operation.ts";
import { type Identity, identityOf, type Scope, SCOPES } from "./identity.ts";

/** Scope that the effect of a tool needs. */
const SCOPES_BY_EFFECT: Readonly<Record<Effect, Scope>> = { read: "read", plan: "plan", send: "apply" };

/** A tool, as far as its callers' scopes are concerned. */
export interface ScopedTool {
  readonly name: string;
  /** It reads, writes files or stores of the server, or changes the account. */
  readonly effect: Effect;
}

/** True when a caller may use a tool. */
export function mayUse(identity: Identity, { effect }: Pick<ScopedTool, "effect">): boolean {
  return identity.may(SCOPES_BY_EFFECT[effect]);
}

/**
 * Refuses a tool to a caller who lacks its scope, wherever the call comes from.
 *
 * @throws {ConfigurationError} that names the scope.
 */
export function ensureMayUse(identity: Identity, tool: ScopedTool): void {
  if (mayUse(identity, tool)) return;
  throw new ConfigurationError(
    `Cannot call ${tool.name}: your token lacks the scope "${SCOPES_BY_EFFECT[tool.effect]}"`,
  );
}

/**
 * Refuses calls of a tool to those who lack its scope, with the scope to get, before the tool has them.
 *
 * @param called Tools that it calls by the name in its argument `tool`, which need scopes of their own.
 */
export function toolChallenge(tool: ScopedTool, called: readonly ScopedTool[] = []): ScopeChallengeHandler {
  return ({ request, authInfo }) => {
    const args = request.params?.["arguments"];
    const name = typeof args === "object" && args !== null && "tool" in args ? args.tool : undefined;
    const inner = called.filter((one) => one.name === name);
    return challenge(neededScopes([tool, ...inner], request.params), identityOf(authInfo));
  };
}

/** Refuses what only reads to those who may not read. */
export const readChallenge: ScopeChallengeHandler = ({ authInfo }) =>
  challenge(["read"], identityOf(authInfo));

/** Scopes that one call needs: approving a plan in answer to a question needs `approve` besides. */
function neededScopes(
  tools: readonly ScopedTool[],
  params: Readonly<Record<string, unknown>> = {},
): Scope[] {
  const isAnswer = params["requestState"] !== undefined || params["inputResponses"] !== undefined;
  return [...tools.map(({ effect }) => SCOPES_BY_EFFECT[effect]), ...(isAnswer ? ["approve" as const] : [])];
}

function challenge(needed: readonly Scope[], identity: Identity | undefined) {
  if (identity === undefined || needed.every((scope) => identity.may(scope))) return undefined;
  // A client asks for exactly these, so what the token has already is among them.
  const [first, ...rest] = SCOPES.filter((scope) => needed.includes(scope) || identity.may(scope));
  const missing = needed.filter((scope) => !identity.may(scope)).join(" ");
  return { scopes: [first ?? "read", ...rest] as const, errorDescription: `This needs the scope ${missing}` };
}
