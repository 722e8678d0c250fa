import type { ScopeChallengeHandler } from "@modelcontextprotocol/server";
import { ConfigurationError } from "../../../errors.ts";
import type { Effect } from "../../../operations/model/operation.ts";
import { type Identity, identityOf, type Scope, SCOPES } from "./identity.ts";

const SCOPES_BY_EFFECT: Readonly<Record<Effect, Scope>> = {
  read: "read",
  store: "plan",
  plan: "plan",
  send: "apply",
};

export interface ScopedTool {
  readonly name: string;
  readonly effect: Effect;
}

export function mayUse(identity: Identity, { effect }: Pick<ScopedTool, "effect">): boolean {
  return identity.may(SCOPES_BY_EFFECT[effect]);
}

export function ensureMayUse(identity: Identity, tool: ScopedTool): void {
  if (mayUse(identity, tool)) return;
  throw new ConfigurationError(
    `Cannot call ${tool.name}: your token lacks the scope "${SCOPES_BY_EFFECT[tool.effect]}"`,
  );
}

/**
 * Rejects a call before it reaches the tool and names the missing scope.
 *
 * @param called Tools that this tool calls by its argument `tool`, which need scopes of their own.
 */
export function toolChallenge(tool: ScopedTool, called: readonly ScopedTool[] = []): ScopeChallengeHandler {
  return ({ request, authInfo }) => {
    const args = request.params?.["arguments"];
    const name = typeof args === "object" && args !== null && "tool" in args ? args.tool : undefined;
    const inner = called.filter((one) => one.name === name);
    return challenge(neededScopes([tool, ...inner], request.params), identityOf(authInfo));
  };
}

export const readChallenge: ScopeChallengeHandler = ({ authInfo }) =>
  challenge(["read"], identityOf(authInfo));

/** Approving a plan in a call also needs `approve`. */
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
