import type { Policy } from "../../../plans/policy/policy.ts";
import type { PlatformAds } from "../../../client/platform_ads.ts";
import type { Profile } from "../../../client/profile.ts";
import type { ProfileClient } from "../../../client/profile_client.ts";
import { createRequestStateCodec, type RequestStateCodec } from "@modelcontextprotocol/server";
import type { AuditLog } from "../../../automation/audit/audit_log.ts";
import { visibleText } from "../../../base/text/visible_text.ts";
import { PlanStateError } from "../../../plans/model/plan_errors.ts";
import type { ChangePlan } from "../../../plans/change_plan/change_plan.ts";
import type { ListedPlan } from "../../../operations/reads/plan_list.ts";
import { normalizeCountry } from "../../../base/markets/markets.ts";
import { PlanStore, type PlanStoreOptions } from "../../../plans/store/plan_store.ts";
import type { TransportEvent } from "../../../platform/transport/transport_options.ts";
import { identityOf } from "../access/identity.ts";
import type { McpSettings } from "./settings.ts";
import { CallLimits } from "../calls/call_limits.ts";
import { CallMetrics } from "../calls/call_metrics.ts";
import { PendingCalls } from "../calls/pending_calls.ts";
import { PendingReports } from "./pending_reports.ts";
import { ResultCache } from "../calls/result_cache.ts";
import { TaskList } from "../calls/tasks.ts";
import { StoreAccess } from "./store_access.ts";
import type { ProgramCommand } from "../../../store/model/query_question.ts";
import { Secrets } from "../calls/clean.ts";

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

export function ownFigures(planFolder: string): string {
  return `${planFolder}/reports/figures.sqlite`;
}

export function sharesStore({ profiles, tenant }: Pick<ToolSettings, "profiles" | "tenant">): boolean {
  return profiles !== undefined && tenant === undefined;
}

/** Plan shown to a person; signed, because it travels through the client. */
export interface AskedPlan {
  readonly plan_id: string;
  readonly fingerprint: string;
  readonly check_drift: boolean;
  readonly shown: string;
  readonly accepted: readonly string[];
  readonly asked_at: number;
}

const ANSWER_SECONDS = 15 * 60;

export type Person = (planId: string) => Promise<"yes" | "no" | "nothing">;

interface McpContextParts {
  readonly settings: ToolSettings;
  readonly connect: (context: McpContext) => Promise<PlatformAds>;
  readonly beside?: PlanStoreOptions["beside"];
  readonly store?: StoreAccess | undefined;
  readonly program?: ProgramCommand | undefined;
  readonly audit?: AuditLog | undefined;
  readonly person?: Person | undefined;
  readonly now?: () => number;
  readonly log?: (line: string) => void;
}

export class McpContext {
  readonly settings: ToolSettings;
  readonly #reached: ReadonlySet<string> | undefined;
  readonly plans: PlanStore;
  readonly store: StoreAccess | undefined;
  readonly audit: AuditLog | undefined;
  readonly person: Person | undefined;
  policy: Pick<Policy, "limits" | "rules"> | undefined;
  policyDigest: string | undefined;
  rememberPlans: (() => Promise<void>) | undefined;
  readonly figures: StoreAccess;
  readonly pendingCalls: PendingCalls;
  readonly tasks: TaskList;
  readonly pendingReports: PendingReports;
  readonly results: ResultCache;
  readonly secrets: Secrets = new Secrets();
  /** Signs questions to a person, so that the client cannot forge them and other callers cannot use them. */
  readonly asked: RequestStateCodec<AskedPlan> = createRequestStateCodec<AskedPlan>({
    key: crypto.getRandomValues(new Uint8Array(32)),
    ttlSeconds: ANSWER_SECONDS,
    bind: ({ mcpReq, http }) => `${mcpReq.method} ${identityOf(http?.authInfo)?.key ?? ""}`,
  });
  readonly now: () => number;
  readonly listeners: Set<(event: TransportEvent) => void> = new Set();
  readonly updates: Set<(uri: string) => void> = new Set();
  alertSeconds = 15;
  alertPoll: { start(): void } | undefined;
  readonly metrics: CallMetrics = new CallMetrics();
  readonly limits: CallLimits;
  readonly #connect: McpContextParts["connect"];
  readonly #log: (line: string) => void;
  readonly #stopping = new AbortController();
  readonly #work = new Set<Promise<unknown>>();
  #ads: Promise<PlatformAds> | undefined;
  #connected: PlatformAds | undefined;

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
    this.plans = PlanStore.open(parts.settings.planFolder, { now: this.now, beside: parts.beside });
    this.pendingReports = new PendingReports(`${parts.settings.planFolder}/reports`, this.now);
    this.#connect = parts.connect;
    this.#log = parts.log ?? (() => {});
  }

  /** Missing settings are reported by the first tool that needs the client; the server starts without them. */
  ads(): Promise<PlatformAds> {
    this.#ads ??= this.#connect(this).then((ads) => this.#connected = ads).catch((error) => {
      this.#ads = undefined;
      throw error;
    });
    return this.#ads;
  }

  get connected(): PlatformAds | undefined {
    return this.#connected;
  }

  readonly onEvent = (event: TransportEvent): void => {
    this.metrics.heard(event);
    for (const listener of this.listeners) listener(event);
  };

  updated(uri: string): void {
    for (const report of this.updates) report(uri);
  }

  async profile(market: string, signal?: AbortSignal): Promise<ProfileClient> {
    return await (await this.ads()).profile(market, signal === undefined ? {} : { signal });
  }

  async profiles(signal: AbortSignal): Promise<Profile[]> {
    return await (await this.ads()).profiles({ signal });
  }

  async listPlans({ all }: { readonly all?: boolean | undefined } = {}): Promise<readonly ListedPlan[]> {
    const { planList } = await import("../../../operations/reads/plan_list.ts");
    const isReached = this.#reached === undefined ? undefined : (plan: ChangePlan) => this.#reaches(plan);
    return (await planList.run({ stores: [this.plans], isReached }, { all })).plans;
  }

  async planIds(): Promise<string[]> {
    if (this.#reached === undefined) return await this.plans.ids();
    return (await this.listPlans({ all: true })).map(({ id }) => id);
  }

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

  /** Removes secrets and writes a single line. */
  log(line: string): void {
    this.#log(visibleText(this.secrets.removeFromText(line)));
  }

  /** Aborted on shutdown; no further request of a plan is sent then. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Delays shutdown until the work is done, even if the client disconnects. */
  finish<Result>(work: Promise<Result>): Promise<Result> {
    this.#work.add(work);
    const done = (): boolean => this.#work.delete(work);
    work.then(done, done);
    return work;
  }

  /** Waits for requests being sent and starts no new ones. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.pendingCalls.stop();
    this.tasks.stop();
    await Promise.allSettled(this.#work);
    await this.figures.close();
  }
}
