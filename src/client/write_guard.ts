import { catalog } from "../catalog/catalog.ts";
import { overridesMethod } from "../internal/overrides_method.ts";
import { ChangePlan } from "../plans/change_plan.ts";
import type { Judgement, JudgeRequest } from "../plans/plan_target.ts";
import { PolicyError } from "../plans/policy_error.ts";
import type { WritePolicy } from "../plans/write_policy.ts";
import { KINDS } from "../resources/kinds.ts";
import type { ApiRequest } from "../transport/api_request.ts";
import { changesOfRequest } from "./changes_of_request.ts";
import { OperationMatcher } from "./operation_matcher.ts";
import type { ProfileClient } from "./profile_client.ts";

/** Operations with another method than GET that change nothing in an account: reports, exports, use of budgets. */
const MEASURES = /^reporting:|^v1-all-reports:|export|budgets?usage$/i;

/**
 * Stands before every request of a client that has a policy: plans, single writes, calls of operations and bare requests
 * alike. A write passes when the plan that it belongs to was admitted, when what it does can be read and the policy
 * admits it, or when the policy allows its operation.
 */
export class WriteGuard {
  readonly #policy: WritePolicy;
  readonly #clientOf: (profileId: string) => ProfileClient | undefined;
  readonly #matcher: OperationMatcher;
  /** Handed to the requests of a plan that was admitted, until it is settled. */
  readonly #clearances = new WeakSet<object>();

  /**
   * Ties a policy to the clients of profiles.
   *
   * @param parts.wireWord The platform's own word, as it stands in paths on the wire.
   * @param parts.clientOf The client of a profile that is known.
   */
  constructor(parts: {
    policy: WritePolicy;
    wireWord: string;
    clientOf: (profileId: string) => ProfileClient | undefined;
  }) {
    this.#policy = parts.policy;
    this.#clientOf = parts.clientOf;
    this.#matcher = new OperationMatcher(() => catalog.operations(), parts.wireWord);
  }

  /**
   * Lets a request pass, or refuses it.
   *
   * @returns a function that gives its share of the day's limits back, for a request that was not carried out.
   * @throws {PolicyError} for a write that the policy denies, or that cannot be judged. Nothing was sent.
   */
  async check(request: ApiRequest): Promise<(() => Promise<void>) | undefined> {
    const { method, path, clearance, scope, signal } = request;
    const names = [...Object.keys(request.headers ?? {}), ...Object.keys(request.params ?? {})];
    const overridden = names.find(overridesMethod);
    if (overridden !== undefined) throw notJudged(`${method} ${path} with "${overridden}"`);
    if (method === "GET" || method === "HEAD") return undefined;
    if (clearance !== undefined && this.#clearances.has(clearance)) return undefined;
    const operation = await this.#matcher.find(method, path);
    const id = operation?.id ?? `${method} ${path}`;
    if (operation !== undefined && (operation.readOnly || MEASURES.test(operation.id))) return undefined;
    const client = scope === undefined ? undefined : this.#clientOf(scope);
    const changes = client === undefined
      ? undefined
      : await changesOfRequest(request, { client, kinds: KINDS });
    if (client === undefined || changes === undefined) {
      // Only what cannot be read is a matter of the list: a bid is judged even where every operation is allowed.
      if (this.#policy.allowsOperation(id)) return undefined;
      throw notJudged(id);
    }
    const { profileId, countryCode } = client;
    const plan = new ChangePlan({ profileId, countryCode, changes });
    const open = plan.changes.map((change, at) => ({ at, change }));
    const judged = { plan, open, client, approvedBy: undefined, resumes: false, direct: true, signal };
    const { settle } = await this.#policy.admit(judged);
    return () => settle([]);
  }

  /** Admits a plan; the client of the judgement sends its requests past the guard. */
  async admit(request: JudgeRequest, cleared: (clearance: object) => ProfileClient): Promise<Judgement> {
    const judgement = await this.#policy.admit(request);
    const clearance = {};
    this.#clearances.add(clearance);
    return {
      findings: judgement.findings,
      client: cleared(clearance),
      settle: async (results) => {
        this.#clearances.delete(clearance);
        await judgement.settle(results);
      },
    };
  }
}

function notJudged(id: string): PolicyError {
  const message = `what ${id} changes cannot be judged`;
  const hint = `List it under allow_operations of the policy, or use a plan`;
  return new PolicyError(`Denied by the policy, so nothing was sent: ${message}. ${hint}`, [
    { code: "POLICY_NOT_JUDGED", level: "deny", rule: "allow_operations", message, hint },
  ]);
}
