import type { Policy } from "../../../plans/policy/policy.ts";
import type { PlatformAds } from "../../../client/platform_ads.ts";
import type { Profile } from "../../../client/profile.ts";
import type { ProfileClient } from "../../../client/profile_client.ts";
import { createRequestStateCodec, type RequestStateCodec } from "@modelcontextprotocol/server";
import type { AuditLog } from "../../../automation/audit/audit_log.ts";
import { visibleText } from "../../../base/text/visible_text.ts";
import { PlanStateError } from "../../../plans/model/plan_errors.ts";
import type { ChangePlan } from "../../../plans/change_plan/change_plan.ts";
import type { StoredPlan } from "../../../plans/store/plan_store.ts";
import { normalizeCountry } from "../../../base/markets/markets.ts";
import { PlanStore } from "../../../plans/store/plan_store.ts";
import type { TransportEvent } from "../../../platform/transport/transport_options.ts";
import { identityOf } from "../access/identity.ts";
import type { McpSettings } from "./settings.ts";
import { CallLimits } from "../calls/call_limits.ts";
import { CallMetrics } from "../calls/call_metrics.ts";
import { PendingCalls } from "../calls/pending_calls.ts";
import { PendingReports } from "./pending_reports.ts";
import { ResultCache } from "../results/result_cache.ts";
import { TaskList } from "../calls/tasks.ts";
import { StoreAccess } from "./store_access.ts";
import type { ProgramCommand } from "../../../store/queries/query_question.ts";
import { Secrets } from "../results/clean.ts";

export type ToolSettings = Pick<
  McpSettings,
  | "approval"
  | "approvalKey"
  | "callLimits"
  | "demo"
  | "planFolder"
  | "policy"
  | "policyFolder"
  | "profiles"
  | "readOnly"
  | "rehearsal"
  | "rows"
  | "tenant"
  | "saveFolder"
  | "stateFolder"
  | "store"
  | "toolsets"
>;

/** Path of the figures that a server without a store keeps beside its plans. */
export function ownFigures(planFolder: string): string {
  return `${planFolder}/reports/figures.sqlite`;
}

/**
 * True for a server that may show some profiles alone, with a store that may hold others. Tenants have a store of their
 * own.
 */
export function sharesStore({ profiles, tenant }: Pick<ToolSettings, "profiles" | "tenant">): boolean {
  return profiles !== undefined && tenant === undefined;
}

/** Which plan a person was asked about; travels through the client, signed. */
export interface AskedPlan {
  /** As plan tools gave it. */
  readonly plan_id: string;
  /** Its fingerprint as the person saw it. */
  readonly fingerprint: string;
  /** True if the account is compared with the plan before it is sent. */
  readonly check_drift: boolean;
  /** Account and plan as shown beside amounts, as one text. */
  readonly shown: string;
  /** Keys of the findings that asked for a person. */
  readonly accepted: readonly string[];
  /** When it was asked, in milliseconds since the epoch. */
  readonly asked_at: number;
}

const ANSWER_SECONDS = 15 * 60;

/** Decision of the person at the gate about a plan. */
export type Person = (planId: string) => Promise<"yes" | "no" | "nothing">;

interface McpContextParts {
  /** How the server was asked to run. */
  readonly settings: ToolSettings;
  /** Makes the client; asked again when it failed. */
  readonly connect: (context: McpContext) => Promise<PlatformAds>;
  /** The report store. @default none, and no tools for it */
  readonly store?: StoreAccess | undefined;
  /** Starts this program again, for queries. @default they run inside this process */
  readonly program?: ProgramCommand | undefined;
  /** Log of every call. @default nowhere */
  readonly audit?: AuditLog | undefined;
  /** Decides as the person at the gate. @default the agent's client asks one */
  readonly person?: Person | undefined;
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number;
  /** Takes a line for the log. @default none is kept */
  readonly log?: (line: string) => void;
}

/** State shared by all connections of one server process: the client, the plans, kept results, work in progress. */
export class McpContext {
  /** How the server was asked to run. */
  readonly settings: ToolSettings;
  /** Profile ids and countries that may be seen; `undefined` for all. */
  readonly #reached: ReadonlySet<string> | undefined;
  /** Saved plans of all profiles, with what was applied. */
  readonly plans: PlanStore;
  /** The report store; `undefined` without one. */
  readonly store: StoreAccess | undefined;
  /** Log of every call; `undefined` without a log. */
  readonly audit: AuditLog | undefined;
  /** Decides as the person at the gate; `undefined` where the agent's client asks one. */
  readonly person: Person | undefined;
  /** The policy that judges writes, once it was read. */
  policy: Pick<Policy, "limits" | "rules"> | undefined;
  /** SHA-256 of the policy file that judges writes, once it was read. */
  policyDigest: string | undefined;
  /** Remembers the folder of the plans, so that adsctl finds their experiments; `undefined` for a tenant. */
  rememberPlans: (() => Promise<void>) | undefined;
  /** Source of figures for tools: the report store, or one of the server's own beside its plans. */
  readonly figures: StoreAccess;
  /** Work that goes on although its client was answered. */
  readonly pendingCalls: PendingCalls;
  /** Work of clients that ask about it by an id. */
  readonly tasks: TaskList;
  /** Reports that were asked for and not yet read. */
  readonly pendingReports: PendingReports;
  /** Results that were too long for an answer, and finished reports. */
  readonly results: ResultCache;
  /** The secrets that must not leave the process. */
  readonly secrets: Secrets = new Secrets();
  /** Signs what is asked of a person, so that the client can neither make nor change it, nor another caller use it. */
  readonly asked: RequestStateCodec<AskedPlan> = createRequestStateCodec<AskedPlan>({
    key: crypto.getRandomValues(new Uint8Array(32)),
    ttlSeconds: ANSWER_SECONDS,
    bind: ({ mcpReq, http }) => `${mcpReq.method} ${identityOf(http?.authInfo)?.key ?? ""}`,
  });
  readonly now: () => number;
  /** Called with every event of the client's transport: one for each call that is under way. */
  readonly listeners: Set<(event: TransportEvent) => void> = new Set();
  /** Called with the address of a resource that has changed: one for each connection that watches some. */
  readonly updates: Set<(uri: string) => void> = new Set();
  /** Seconds between two looks for new alerts while clients watch them. */
  alertSeconds = 15;
  /** Looks for new alerts; `undefined` until a client watches. */
  alertPoll: { start(): void } | undefined;
  /** Counts what calls and the platform's client do. */
  readonly metrics: CallMetrics = new CallMetrics();
  /** Bounds the calls of each caller. */
  readonly limits: CallLimits;
  readonly #connect: McpContextParts["connect"];
  readonly #log: (line: string) => void;
  readonly #stopping = new AbortController();
  readonly #work = new Set<Promise<unknown>>();
  #ads: Promise<PlatformAds> | undefined;
  #connected: PlatformAds | undefined;

  /** @param parts Settings and the world. */
  constructor(parts: McpContextParts) {
    this.settings = parts.settings;
    this.store = parts.store;
    this.audit = parts.audit;
    this.person = parts.person;
    this.now = parts.now ?? Date.now;
    this.figures = parts.store ?? new StoreAccess(ownFigures(parts.settings.planFolder), {
      program: parts.program,
      now: this.now,
      isOwn: true,
    });
    this.limits = new CallLimits(parts.settings.callLimits ?? {}, this.now);
    this.results = new ResultCache(this.now);
    this.tasks = new TaskList(this.now);
    this.pendingCalls = new PendingCalls(this.now);
    this.#reached = parts.settings.profiles &&
      new Set(parts.settings.profiles.map((one) => normalizeCountry(one.trim())));
    this.plans = PlanStore.open(parts.settings.planFolder, { now: this.now });
    this.pendingReports = new PendingReports(`${parts.settings.planFolder}/reports`, this.now);
    this.#connect = parts.connect;
    this.#log = parts.log ?? (() => {});
  }

  /** The client. Missing settings are reported by the first tool that needs it; the server starts without them. */
  ads(): Promise<PlatformAds> {
    this.#ads ??= this.#connect(this).then((ads) => this.#connected = ads).catch((error) => {
      this.#ads = undefined;
      throw error;
    });
    return this.#ads;
  }

  /** The client, once a tool has needed it. */
  get connected(): PlatformAds | undefined {
    return this.#connected;
  }

  /** Passes an event of the client's transport on to the calls that are under way. */
  readonly onEvent = (event: TransportEvent): void => {
    this.metrics.heard(event);
    for (const listener of this.listeners) listener(event);
  };

  /** Reports to the clients that watch it that a resource has changed. */
  updated(uri: string): void {
    for (const report of this.updates) report(uri);
  }

  async profile(market: string, signal?: AbortSignal): Promise<ProfileClient> {
    return await (await this.ads()).profile(market, signal === undefined ? {} : { signal });
  }

  /** The profiles that may be seen. */
  async profiles(signal: AbortSignal): Promise<Profile[]> {
    return await (await this.ads()).profiles({ signal });
  }

  /** Plans of the profiles that may be seen, the newest first. */
  async listPlans(): Promise<StoredPlan[]> {
    const plans = await this.plans.list();
    if (this.#reached === undefined) return plans;
    return plans.filter((one) => "plan" in one && this.#reaches(one.plan));
  }

  /** Ids of those plans. */
  async planIds(): Promise<string[]> {
    if (this.#reached === undefined) return await this.plans.ids();
    return (await this.listPlans()).map(({ id }) => id);
  }

  /**
   * Reads a plan of a profile that may be seen.
   *
   * @throws {PlanStateError} for an id without a plan, and for a plan of another profile.
   */
  async plan(id: string): Promise<ChangePlan> {
    const plan = await this.plans.get(id);
    if (this.#reaches(plan)) return plan;
    throw new PlanStateError(
      `Cannot read plan ${id}: it is for a profile beyond those that this server is limited to`,
      "unknown",
    );
  }

  #reaches({ profileId, countryCode }: Pick<ChangePlan, "profileId" | "countryCode">): boolean {
    return this.#reached === undefined || this.#reached.has(profileId) ||
      this.#reached.has(normalizeCountry(countryCode));
  }

  /** Writes a line to the log: one line whatever it holds, and without secrets. */
  log(line: string): void {
    this.#log(visibleText(this.secrets.removeFromText(line)));
  }

  /** Aborted when the process is asked to end: no further request of a plan is sent then. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Does work that must be finished before the process ends, whether or not the client is still there. */
  finish<Result>(work: Promise<Result>): Promise<Result> {
    this.#work.add(work);
    const done = (): boolean => this.#work.delete(work);
    work.then(done, done);
    return work;
  }

  /** Lets what is being sent come to its end, and nothing new begin. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.pendingCalls.stop();
    this.tasks.stop();
    await Promise.allSettled(this.#work);
    await this.figures.close();
  }
}
