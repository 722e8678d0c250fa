import type { OperationId } from "../../catalog/operation_ids.ts";
import type { BatchResult } from "../platform/batch/batch_result.ts";
import type {
  BaseCallOptions,
  CallArguments,
  PathParams,
  TypedCalls,
} from "../platform/catalog/call_types.ts";
import type { Region } from "../base/markets/markets.ts";
import { findKind, KINDS, type ResourceKind, type ResourceOf } from "./entities/kinds/kinds.ts";
import type { PortfoliosResource } from "./entities/kinds/portfolios_spec.ts";
import type { PlanUploadOptions } from "./calls/upload_options.ts";
import type { PlanOptions } from "./entities/resource/plan_writes.ts";
import { PlanDraft } from "./entities/plan_draft.ts";
import type { Resource } from "./entities/resource/resource.ts";
import { SuggestedBids } from "./insights/suggested_bids.ts";
import { ChangeHistory } from "./insights/change_history.ts";
import { type JobLedgerSource, Jobs } from "./jobs.ts";
import { Reports } from "./reports/reports.ts";
import { normalizeCountry, timeZoneOf } from "../base/markets/markets.ts";
import type { Change } from "../plans/model/change.ts";
import type { ChangePlan } from "../plans/change_plan/change_plan.ts";
import type { GlobalProfile, PlanCalls, PlanTarget } from "../plans/model/plan_target.ts";
import type { PlanReview, reviewPlan } from "../plans/review/review_plan.ts";
import type { ChangesSource, LastChanges } from "../plans/model/amount_changes.ts";
import type { HeldElsewhere, HeldSource } from "../plans/model/experiment.ts";
import type { PlanningOptions } from "../plans/change_plan/reviewed.ts";
import type { JudgeablePlan } from "../plans/model/write_policy.ts";
import type { Preflight } from "./entities/preflight/problem.ts";
import type { PreflightOptions } from "./entities/build_draft.ts";
import { SponsoredBrands, SponsoredDisplay, SponsoredProducts } from "./entities/families.ts";
import type { WireIds, WireName } from "./entities/wire/wire_setting.ts";
import type { ApiRequest } from "../platform/transport/api_request.ts";
import type { ProfileScope, ReachLimit, RequestOptions } from "../platform/transport/profile_scope.ts";
import type { Transport } from "../platform/transport/transport.ts";
import type { Profile } from "./profile.ts";
import type { CallTarget } from "./calls/send_call.ts";
import { WireWording } from "./calls/wire_wording.ts";

/**
 * Client of one profile: entities, plans, reports, history and operations.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 *
 * async function look(us: ProfileClient): Promise<void> {
 *   const keywords = await us.sp.keywords.list({ states: ["ENABLED"] });
 *   const bids = await us.bids.forKeywords(keywords.slice(0, 10));
 *   const rows = await us.reports.run("sp_campaigns", "2026-11-01", "2026-11-14");
 *   const budgets = await us.call("portfolios:ListPortfolios", { includeExtendedDataFields: true });
 *   console.log(keywords.length, bids.size, rows.length, budgets);
 * }
 * ```
 */
export class ProfileClient implements ProfileScope {
  /** The profile record. */
  readonly profile: Profile;
  /** Address of the host that serves the profile. */
  readonly baseUrl: string;
  /** The client's transport. */
  readonly transport: Transport;
  /** Judges the changes of plans before they are sent; `undefined` without a policy. */
  readonly judge: PlanTarget["judge"];
  /** True if the policy lets a watch rule apply its plans without a person. */
  readonly allowsAuto: (rule: string) => boolean;
  /** Lists every profile of the login, to check whether a store of reports belongs to it. */
  readonly loginProfiles: () => Promise<readonly Profile[]>;
  /** Sponsored Products. */
  readonly sp: SponsoredProducts;
  /** Sponsored Brands. */
  readonly sb: SponsoredBrands;
  /** Sponsored Display. */
  readonly sd: SponsoredDisplay;
  /** Portfolios, with budget usage. */
  readonly portfolios: PortfoliosResource;
  /** Limits requests to some profiles of the login. */
  readonly limit: ReachLimit | undefined;
  readonly #clearance: object | undefined;
  /** Returns which wire to use for requests about a kind. */
  readonly wireOf: (kind: string) => WireName;
  /** How target ids are handled on the unified wire. */
  readonly wireIds: WireIds;
  /** Kinds whose ids were found to be the same on both wires. */
  readonly provenIds: Set<string> = new Set();
  readonly #review: typeof reviewPlan;
  readonly #clientOf: ((profileId: string) => Promise<ProfileClient>) | undefined;
  readonly #experiments: HeldSource | undefined;
  readonly #changes: readonly ChangesSource[];
  readonly #headers: Readonly<Record<string, string>> | undefined;
  readonly #words: WireWording;
  readonly #resources = new Map<string, Resource>();
  /** Suggested bids. */
  readonly bids: SuggestedBids;
  /** Change history. */
  readonly history: ChangeHistory;
  /** Offline reports. */
  readonly reports: Reports;
  /** Long-running jobs: clean-room queries, DSP reports, brand metrics, exports and others. */
  readonly jobs: Jobs;

  /**
   * Called by `PlatformAds.profile`; not meant to be called directly.
   *
   * @param parts The profile, its host and its transport.
   */
  constructor(parts: {
    profile: Profile;
    baseUrl: string;
    transport: Transport;
    judge?: PlanTarget["judge"];
    allowsAuto?: (rule: string) => boolean;
    review?: typeof reviewPlan;
    experiments?: HeldSource | undefined;
    changes?: readonly ChangesSource[] | undefined;
    clearance?: object | undefined;
    limit?: ReachLimit | undefined;
    headers?: Readonly<Record<string, string>> | undefined;
    words?: WireWording | undefined;
    wireOf?: ((kind: string) => WireName) | undefined;
    wireIds?: WireIds | undefined;
    loginProfiles: () => Promise<readonly Profile[]>;
    jobs: JobLedgerSource;
    clientOf?: ((profileId: string) => Promise<ProfileClient>) | undefined;
  }) {
    this.profile = parts.profile;
    this.baseUrl = parts.baseUrl;
    this.transport = parts.transport;
    this.judge = parts.judge;
    this.allowsAuto = parts.allowsAuto ?? (() => false);
    this.#review = parts.review ?? reviewOf;
    this.#experiments = parts.experiments;
    this.#changes = parts.changes ?? [];
    this.#clearance = parts.clearance;
    this.limit = parts.limit;
    this.#headers = parts.headers;
    this.#words = parts.words ?? new WireWording(parts.transport.platform);
    this.wireOf = parts.wireOf ?? (() => "legacy");
    this.wireIds = parts.wireIds ?? "equal";
    this.loginProfiles = parts.loginProfiles;
    this.#clientOf = parts.clientOf;
    this.sp = new SponsoredProducts(this);
    this.sb = new SponsoredBrands(this);
    this.sd = new SponsoredDisplay(this);
    this.portfolios = KINDS.portfolios.create(this);
    this.bids = new SuggestedBids(this);
    this.history = new ChangeHistory(this, (kind) => this.resource(kind));
    this.reports = new Reports(this, {
      timezone: parts.profile.timezone,
      accountType: parts.profile.accountInfo.type,
    });
    this.jobs = new Jobs(this.#target, parts.jobs);
  }

  get profileId(): string {
    return this.profile.profileId;
  }

  /** Country of the marketplace, as the platform spells it. */
  get countryCode(): string {
    return this.profile.countryCode;
  }

  /** IANA time zone of the profile's days. */
  get timeZone(): string {
    return timeZoneOf(this.profile);
  }

  /** Current time of an account copy in the emulator, ISO 8601; `undefined` for a real account. */
  get rehearsal(): string | undefined {
    return this.transport.platform.rehearsal;
  }

  /**
   * Returns the profiles of the global account to which this profile belongs.
   *
   * @throws {ConfigurationError} for a profile without a global account.
   */
  async globalProfiles(): Promise<readonly GlobalProfile[]> {
    const { globalAccountProfiles } = await import("../platform/transport/advertiser_accounts.ts");
    const listed = await this.loginProfiles();
    return (await globalAccountProfiles(this)).flatMap(([profileId, country]) => {
      const profile = listed.find((one) => one.profileId === profileId);
      const countryCode = profile?.countryCode ??
        (country === undefined ? undefined : normalizeCountry(country));
      return countryCode === undefined ? [] : [{
        profileId,
        countryCode,
        timeZone: profile && timeZoneOf(profile),
        amountChanges: async (since, options) =>
          await (await this.#clientOf?.(profileId))?.amountChanges(since, options),
      }];
    });
  }

  /** Region whose host serves the profile. */
  get region(): Region {
    return this.profile.region;
  }

  /**
   * Reviews a plan against the current account. Returns findings of the policy (or the default warnings if there is no
   * policy) and the possible change in daily spend. Sends nothing.
   */
  async review(
    plan: JudgeablePlan,
    options: PlanningOptions = {},
  ): Promise<PlanReview> {
    return await this.#review(plan, this, options);
  }

  /**
   * Returns the entities of this profile that running experiments hold back; new plans leave these entities unchanged.
   * Only reads files.
   */
  async heldElsewhere(): Promise<HeldElsewhere> {
    return await this.#experiments?.(this.profileId) ?? new Map();
  }

  /**
   * Returns changes of bids, budgets and states since a moment, from the platform's history, from your own plans in
   * known folders, and from the policy's ledger.
   *
   * @param since Milliseconds since the epoch; the history reaches back 90 days.
   * @param options `moved`: ids of scheduled entities, whose events in the history are left out.
   */
  async amountChanges(
    since: number,
    { moved, signal }: {
      readonly moved?: ReadonlySet<string> | undefined;
      readonly signal?: AbortSignal | undefined;
    } = {},
  ): Promise<LastChanges> {
    const [{ LastChanges }, { historyChanges }] = await Promise.all([
      import("../plans/model/amount_changes.ts"),
      import("./insights/history_changes.ts"),
    ]);
    const [events, ...own] = await Promise.all([
      historyChanges(this.history, { since, now: this.transport.now(), signal }),
      ...this.#changes.map((source) => source(this.profileId, since)),
    ]);
    const kept = moved === undefined ? events : events.filter(({ id }) => !moved.has(id));
    return new LastChanges([...kept, ...own.flat()], this.timeZone);
  }

  /**
   * Compares changes with the platform's rules and the current account, to find changes that will be refused and new
   * entities that already exist. Changes that refer to each other are checked in the order in which they will be sent.
   * Sends nothing.
   */
  async preflight(changes: readonly Change[], options: PreflightOptions = {}): Promise<Preflight> {
    const { runPreflight } = await import("./entities/preflight/run_preflight.ts");
    return await runPreflight(changes, this, options);
  }

  /**
   * Sends a request to the profile's host with the profile's scope and returns the parsed body; `undefined` for an
   * empty body. Bodies of multi-status responses are returned unchanged.
   *
   * @param path Path, beginning with a slash, with its segments already encoded and without a query.
   * @throws {TypeError} for a method, path or header that cannot be sent as it is. Nothing was sent.
   * @throws {ApiError} for a failed response, {@linkcode NetworkError} for none.
   */
  async request(method: string, path: string, options: RequestOptions = {}): Promise<unknown> {
    const verb = method.toUpperCase();
    const request: ApiRequest = {
      ...options,
      method: verb,
      baseUrl: this.baseUrl,
      path,
      scope: options.scoped === false ? undefined : this.profileId,
      sender: this.profileId,
      clearance: this.#clearance,
      idempotent: options.idempotent ?? (verb === "GET" || verb === "HEAD"),
    };
    if (this.#words.isNeutral) return (await this.transport.send(request)).json;
    const operation = await this.#words.operationOf(verb, path);
    const json = await this.#words.sent(operation, options.json, options.contentType);
    return await this.#words.received(operation, await this.transport.send({ ...request, json }));
  }

  /**
   * Calls any sendable operation of the platform by its catalog id and returns the parsed response; `undefined` if the
   * response is empty. Method, path and media types come from the catalog, including its corrections. Only read-only
   * operations are retried after a server failure or a lost connection.
   *
   * @param operation `<api>:<operationId>`, or the operation's own name when one API alone has it.
   * @param call The body, then the options; `pathParams` is required where the path has placeholders.
   * @throws {SchemaError} when it does not fit what is published and `check` is `strict`. Nothing was sent.
   * @throws {UnsupportedOperationError} for an operation of the hosted tool server. Nothing was sent.
   * @throws {TypeError} or `RangeError` when the id, a parameter or the body cannot be sent. Nothing was sent.
   * @throws {ApiError} for a failed response, {@linkcode NetworkError} for none.
   */
  async call<Id extends OperationId | (string & Record<never, never>)>(
    operation: Id,
    ...call: CallArguments<Id>
  ): Promise<unknown> {
    const [body, options] = call;
    const { sendCall } = await import("./calls/send_call.ts");
    const { json } = await sendCall(operation, { ...options, body }, this.#target);
    return json;
  }

  /**
   * Yields the pages of an operation one after the other, following the operation's own convention: a page token in
   * the body or the query, or `startIndex` and a count. Each page is the parsed response.
   *
   * @example
   * ```ts
   * import type { ProfileClient } from "@platform/ads";
   *
   * async function pages(us: ProfileClient): Promise<void> {
   *   const filter = { stateFilter: { include: ["ENABLED"] } };
   *   for await (const page of us.pages("sponsored-products:ListSponsoredProductsKeywords", filter)) console.log(page);
   * }
   * ```
   * @throws {TypeError} for an operation without pages. Nothing was sent.
   * @throws {PlatformAdsError} when page tokens repeat.
   */
  async *pages<Id extends OperationId | (string & Record<never, never>)>(
    operation: Id,
    ...call: CallArguments<Id>
  ): AsyncGenerator<unknown, void, undefined> {
    const [body, options] = call;
    const { callPages } = await import("./calls/call_pages.ts");
    yield* callPages(operation, { ...options, body }, this.#target);
  }

  /**
   * Sends items with an operation that takes a list, in as many requests as its published limit requires. Returns a
   * verdict for every item, as the methods of the resources do.
   *
   * @throws {TypeError} for an operation that takes no list of items. Nothing was sent.
   */
  async batch<Item>(
    operation: OperationId | (string & Record<never, never>),
    items: readonly Item[],
    options: BaseCallOptions = {},
  ): Promise<BatchResult<Item>> {
    const { callBatch } = await import("./calls/call_batch.ts");
    return await callBatch(operation, { ...options, items }, this.#target);
  }

  /**
   * Returns typed calls of one or more APIs, based on imported types: the editor checks and completes the body, the
   * query and the response. Enumerations stay open, because the platform may add values.
   *
   * @example
   * ```ts
   * import type { ProfileClient } from "@platform/ads";
   * import type { SponsoredDisplay } from "@platform/ads/schemas";
   *
   * async function campaignNames(us: ProfileClient): Promise<unknown[]> {
   *   const display = us.typed<SponsoredDisplay.Operations>();
   *   const campaigns = await display.call("sponsored-display:listCampaigns", undefined, { query: { count: 10 } });
   *   return campaigns.map(({ name }) => name);
   * }
   * ```
   */
  typed<Operations>(): TypedCalls<Operations>;
  typed(): unknown {
    return this;
  }

  get #target(): CallTarget {
    const { transport, baseUrl, limit } = this;
    return {
      transport,
      baseUrl,
      limit,
      scope: this.profileId,
      headers: this.#headers,
      clearance: this.#clearance,
    };
  }

  /** Sends planned calls. The policy judges each actual request, regardless of the text of the plan. */
  get calls(): PlanCalls {
    const target = { ...this.#target, clearance: undefined };
    const calls = async () => new (await import("./calls/planned_calls.ts")).PlannedCalls(target);
    return {
      ...(this.limit === undefined ? {} : { check: async (planned) => await (await calls()).check(planned) }),
      send: async (planned, options) => await (await calls()).send(planned, options),
      read: async (planned, options) => await (await calls()).read(planned, options),
    };
  }

  /**
   * Plans a call of a write operation without sending it: method, path and body, with values before and after if there
   * is a known operation that reads the same entities. A call that a resource could send becomes a plan of that
   * resource.
   *
   * @param operation `<api>:<operationId>`, or the operation's own name when one API alone has it.
   * @param options Those of a call, and a note.
   *
   * @example
   * ```ts
   * import type { ProfileClient } from "@platform/ads";
   *
   * async function pause(us: ProfileClient, campaignId: string): Promise<void> {
   *   const plan = await us.planCall("sponsored-display:updateCampaigns", [{ campaignId, state: "paused" }]);
   *   console.log(plan.toMarkdown());
   *   const result = await plan.apply(us, { checkDrift: true });
   *   await result.rollbackPlan().apply(us);
   * }
   * ```
   * @throws {TypeError} for an operation that changes nothing, or a call that cannot be sent. Nothing was sent.
   * @throws {SchemaError} when it does not fit what is published and `check` is `strict`. Nothing was sent.
   */
  async planCall<Id extends OperationId | (string & Record<never, never>)>(
    operation: Id,
    body?: unknown,
    options: BaseCallOptions & Pick<PlanOptions, "note"> & { readonly pathParams?: PathParams<Id> } = {},
  ): Promise<ChangePlan> {
    const { planCall } = await import("./calls/plan_call.ts");
    return await planCall(operation, { ...options, body }, this);
  }

  /**
   * Plans the upload of a CSV file with audience members or conversions, in parts, or of images and videos, one by one.
   * Applying the plan sends each part once, and the verdicts list the refused rows. The plan itself contains no rows.
   *
   * @param operation For example `ads-data-manager:IngestAudiences` or `creative-assets:registerAsset`.
   * @param path CSV file with a header; it is read again, by this path, when the plan is applied. For images and videos
   * also their folder.
   * @example
   * ```ts
   * import type { ProfileClient } from "@platform/ads";
   *
   * async function upload(us: ProfileClient, dataSetId: string): Promise<void> {
   *   const members = "ads-data-manager:IngestAudiences";
   *   const plan = await us.planUpload(members, "members.csv", { pathParams: { dataSetId }, hash: true });
   *   const result = await plan.apply(us);
   *   for (const { error } of result.changes) console.log(error?.message);
   * }
   * ```
   * @throws {ConfigurationError} with all problems of the file, by row and column. Nothing was sent.
   */
  async planUpload(operation: string, path: string, options: PlanUploadOptions = {}): Promise<ChangePlan> {
    const { planUpload } = await import("./calls/plan_upload.ts");
    return await planUpload(operation, path, { options, client: this });
  }

  /** Starts a plan for changes of any number of kinds, which may refer to each other. */
  plan(): PlanDraft {
    return new PlanDraft(this);
  }

  /**
   * Returns the resource of a kind, for example `sp.keywords`. It is typed for the kind if the name is written as in
   * plans. Underscores, hyphens and the dot after the family are interchangeable: `sb.ad_groups`, `sb_ad_groups` and
   * `sb-ad-groups`.
   *
   * @throws {ConfigurationError} that names the nearest kind, or all of them, when there is no such kind.
   */
  resource<Name extends ResourceKind>(kind: Name): ResourceOf<Name>;
  /** Returns the resource of a kind whose name is known only at run time: the same methods, with untyped fields. */
  resource(kind: string): Resource;
  resource(kind: string): Resource {
    let resource = this.#resources.get(kind);
    if (resource === undefined) this.#resources.set(kind, resource = findKind(kind, KINDS).create(this));
    return resource;
  }
}

const reviewOf: typeof reviewPlan = async (...asked) =>
  await (await import("../plans/review/review_plan.ts")).reviewPlan(...asked);
