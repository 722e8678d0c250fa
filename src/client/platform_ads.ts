import { unexpectedResponse } from "../platform/transport/unexpected_response.ts";
import type { BatchResult } from "../platform/batch/batch_result.ts";
import type { Credentials } from "../platform/connection/credentials.ts";
import { checkCredentials, daysUntilExpiry } from "../platform/connection/credentials.ts";
import {
  connectionFromEnv,
  type ConnectionSources,
  readVariables,
} from "../platform/connection/connection_from_env.ts";
import { loadedOnce } from "../base/json/kept_or.ts";
import { MARKETPLACES, normalizeCountry, type Region, regionOf, REGIONS } from "../base/markets/markets.ts";
import { type Platform, platformFromSettings } from "../platform/connection/platform.ts";
import { requireOneOf } from "../base/text/nearest.ts";
import { abortable } from "../base/time/clock.ts";
import { ConfigurationError } from "../errors.ts";
import { RESOURCE_KINDS } from "./entities/kinds/kinds.ts";
import { WireChoice, wireFromVariables, type WireIds } from "./entities/wire/wire_setting.ts";
import { WireWording } from "./calls/wire_wording.ts";
import type { WriteGuard } from "./write_guard.ts";
import { Transport } from "../platform/transport/transport.ts";
import type { OperationId } from "../../catalog/operation_ids.ts";
import type { AccountCallArguments } from "../platform/catalog/call_types.ts";
import { AccountClient } from "./account_client.ts";
import type { CleanRoom } from "./clean_room/clean_room.ts";
import type { CleanRoomInstance, RoomAccount } from "./clean_room/clean_room_types.ts";
import type { CleanRoomOptions } from "./clean_room/find_instance.ts";
import type { CallTarget } from "./calls/send_call.ts";
import {
  checkProfileId,
  chooseProfile,
  type Profile,
  type ProfileFilter,
  profileFromWire,
} from "./profile.ts";
import type { ProfileUpdate } from "./update_profiles.ts";
import type { FromEnvOptions, PlatformAdsOptions, RegionFailure } from "./platform_ads_options.ts";
import { ProfileClient } from "./profile_client.ts";
import { ProfileLimit } from "./profile_limit.ts";
import { WITHIN_LIMIT } from "../platform/transport/api_request.ts";
import type { JobLedgerSource } from "./jobs.ts";
import type { JobLedger } from "./jobs/job_ledger.ts";
import { AccountReports } from "./reports/account_reports.ts";

/**
 * The account-level client: one login, all regions. Instances share no state.
 *
 * @example
 * ```ts
 * import { PlatformAds } from "@platform/ads";
 *
 * async function accounts(): Promise<void> {
 *   const ads = await PlatformAds.fromEnv({ envFile: ".env" });
 *   for (const { profileId, countryCode } of await ads.profiles()) console.log(profileId, countryCode);
 *   for (const { region, error } of ads.regionFailures) console.error(region, error.message);
 *   const us = await ads.profile("US");
 *   console.log((await us.sp.campaigns.list({ states: ["ENABLED"] })).length);
 * }
 * ```
 */
export class PlatformAds {
  /** Hosts and headers of the platform. */
  readonly platform: Platform;
  /** Transport of all requests. */
  readonly transport: Transport;
  /** New reports across several profiles. */
  readonly reports: AccountReports = new AccountReports({
    profiles: (names, signal) => this.#named(names, { signal }),
  });
  readonly #credentials: Credentials;
  readonly #headers: Readonly<Record<string, string>> | undefined;
  readonly #words: WireWording;
  readonly #wires: WireChoice;
  readonly #wireIds: WireIds;
  readonly #sandbox: boolean;
  readonly #guard: (() => Promise<WriteGuard>) | undefined;
  readonly #limit: ProfileLimit | undefined;
  readonly #judging: Pick<
    PlatformAdsOptions,
    "policy" | "figures" | "responses" | "scheduled" | "experiments" | "changes"
  >;
  readonly #clients = new Map<string, ProfileClient>();
  readonly #jobs: JobLedgerSource;
  #profiles: Promise<Profile[]> | undefined;
  readonly #ofRegion = new Map<Region, Promise<Profile[]>>();
  readonly #known = new Map<string, Profile>();
  #failures: readonly RegionFailure[] = [];

  /**
   * Makes a client.
   *
   * @param credentials Who the caller is.
   * @throws {ConfigurationError} when a credential or an address is missing or malformed.
   */
  constructor(credentials: Credentials, options: PlatformAdsOptions) {
    this.#credentials = checkCredentials(credentials ?? {});
    // Programs without types may leave the options out.
    if (options?.platform === undefined) {
      throw new ConfigurationError(
        "Cannot make a client: the option platform is not set. Pass { platform }, or use PlatformAds.fromEnv(), " +
          "which reads PLATFORM_ADS_BASE_URL_NA (or _EU, _FE) and PLATFORM_ADS_TOKEN_URL",
      );
    }
    this.#sandbox = options.sandbox ?? false;
    this.platform = platformFromSettings(options.platform);
    if (this.#sandbox && this.platform.sandboxUrl === undefined) {
      throw new ConfigurationError("Cannot use the sandbox: PLATFORM_ADS_SANDBOX_URL is not set");
    }
    this.#wires = new WireChoice(options.wire ?? "legacy", RESOURCE_KINDS);
    this.#wireIds = options.wireIds ?? "equal";
    this.#headers = options.headers;
    this.#words = new WireWording(this.platform);
    const { policy, figures, responses, scheduled, experiments, changes } = options;
    this.#judging = { policy, figures, responses, scheduled, experiments, changes };
    const clientOf = (profileId: string): Promise<ProfileClient> => this.#clientOf(profileId);
    const guard = policy && guardOf({ policy, words: this.#words, clientOf });
    const limit = options.profiles && new ProfileLimit(options.profiles, clientOf);
    const given = options.jobs;
    let ledger: Promise<JobLedger> | undefined;
    this.#jobs = () => ledger ??= typeof given === "object" ? Promise.resolve(given) : newLedger(given);
    this.#guard = guard;
    this.#limit = limit;
    this.transport = new Transport(
      { platform: this.platform, credentials: this.#credentials },
      guard === undefined && limit === undefined ? options : {
        ...options,
        guard: async (request) => {
          await limit?.check(request);
          return await (await guard?.())?.check(request);
        },
      },
    );
  }

  /**
   * Creates a client from the process environment, a dotenv file and platform settings. Uses the policy named by
   * `PLATFORM_ADS_POLICY` and the wire of `PLATFORM_ADS_WIRE` unless they are set in the options.
   *
   * @throws {ConfigurationError} that names the variable or file when something is missing or malformed.
   */
  static async fromEnv(options: FromEnvOptions = {}): Promise<PlatformAds> {
    const { env, envFile, platformFile, platform: known, loadPolicy, ...rest } = options;
    const sources = { env, envFile, platformFile } as ConnectionSources;
    const { credentials, platform } = await connectionFromEnv(sources, known);
    const variables = await readVariables(sources);
    const wires = wireFromVariables(variables);
    const path = rest.policy === undefined ? variables["PLATFORM_ADS_POLICY"] : undefined;
    const policy = path === undefined
      ? rest.policy
      : await (await import("./policy_from_env.ts")).policyFromEnv(path, sources, { ...rest, loadPolicy });
    return new PlatformAds(credentials, { ...wires, ...rest, policy, platform });
  }

  /** Id of the registered application. Not a secret, because it is sent with every request. */
  get clientId(): string {
    return this.#credentials.clientId;
  }

  /** Days until the refresh token expires; `undefined` without a consent date. */
  get daysUntilExpiry(): number | undefined {
    return daysUntilExpiry(this.#credentials, this.transport.now());
  }

  /** Regions that did not respond when the profiles were last listed. */
  get regionFailures(): readonly RegionFailure[] {
    return this.#failures;
  }

  /**
   * Lists every profile of the login, from all regions in parallel. The list is cached for the client's lifetime. A
   * failed region is listed in `regionFailures`, and the next call requests the list again. Concurrent calls share one
   * listing; an abort ends only the caller's own wait.
   *
   * @throws the first region's error when every region fails.
   */
  async profiles(options: { refresh?: boolean; signal?: AbortSignal } = {}): Promise<Profile[]> {
    options.signal?.throwIfAborted();
    if (options.refresh) this.#ofRegion.clear();
    if (this.#profiles === undefined || options.refresh) {
      const listing = this.#listProfiles().finally(() => {
        if (this.#failures.length > 0 && this.#profiles === listing) this.#profiles = undefined;
      });
      this.#profiles = listing;
    }
    // A copy: whoever sorts or empties it must not change what the others get.
    return [...await abortable(this.#profiles, options.signal)];
  }

  /**
   * Returns the client of one profile. For a country code, only that country's region is queried, so that an
   * unresponsive region does not block others; for a profile id, all regions are queried.
   *
   * @param marketOrId Country code (`US`; `UK` and `GB` are one) or profile id.
   * @throws {ConfigurationError} that lists the candidates when none, or more than one, matches.
   * @throws {TypeError} for a value that is not text, such as an unset variable. Nothing was sent.
   */
  async profile(
    marketOrId: string,
    filter: ProfileFilter & { signal?: AbortSignal } = {},
  ): Promise<ProfileClient> {
    filter.signal?.throwIfAborted();
    if (typeof marketOrId !== "string") {
      throw new TypeError(`Cannot find a profile by ${marketOrId}: give a country code or a profile id`);
    }
    const country = normalizeCountry(marketOrId);
    if (MARKETPLACES.includes(country) && this.#isAsked(regionOf(country))) {
      const profiles = await abortable(this.#listOf(regionOf(country)), filter.signal);
      if (profiles.some(({ countryCode }) => countryCode === country)) {
        return this.#client(chooseProfile(profiles, country, filter));
      }
    }
    const profiles = await this.profiles(filter.signal === undefined ? {} : { signal: filter.signal });
    return this.#client(this.#choose(profiles, marketOrId, filter));
  }

  async #named(
    names: readonly string[] | undefined,
    options: { signal?: AbortSignal | undefined },
  ): Promise<ProfileClient[]> {
    const given = options.signal === undefined ? {} : { signal: options.signal };
    if (names === undefined) return (await this.profiles(given)).map((profile) => this.#client(profile));
    const found = await Promise.all(names.map((name) => this.profile(name, given)));
    return [...new Map(found.map((profile) => [profile.profileId, profile])).values()];
  }

  /**
   * Reads the current state of one profile.
   *
   * @throws {ConfigurationError} that lists the candidates when this login reaches no such profile.
   */
  async profileById(profileId: string, options: { signal?: AbortSignal } = {}): Promise<Profile> {
    checkProfileId(profileId);
    const { region } = this.#choose(await this.profiles(options), profileId);
    const { json } = await this.transport.send({
      method: "GET",
      baseUrl: this.baseUrl(region),
      path: `/v2/profiles/${profileId}`,
      withinLimit: WITHIN_LIMIT,
      idempotent: true,
      signal: options.signal,
    });
    return profileFromWire(json as Record<string, unknown>, region);
  }

  /**
   * Changes profiles; only the daily budget can be changed. Returns a verdict for each profile, in any region.
   *
   * @throws {TypeError} when an update is malformed. Nothing was sent.
   */
  async updateProfiles(
    updates: readonly ProfileUpdate[],
    options: { signal?: AbortSignal } = {},
  ): Promise<BatchResult<ProfileUpdate>> {
    const [{ updateProfiles }, profiles] = await Promise.all([
      import("./update_profiles.ts"),
      this.profiles(options),
    ]);
    const result = await updateProfiles(updates, {
      regions: new Map(profiles.map(({ profileId, region }) => [profileId, region])),
      unasked: this.#unasked,
      baseUrl: (region) => this.baseUrl(region),
      transport: this.transport,
      signal: options.signal,
    });
    this.#profiles = undefined;
    this.#ofRegion.clear();
    return result;
  }

  /**
   * Returns the client of a known profile without listing profiles; details from an earlier list are used.
   *
   * @param countryCode Country of the profile, which decides the host.
   */
  profileFrom(profileId: string, countryCode: string): ProfileClient {
    checkProfileId(profileId);
    const country = normalizeCountry(countryCode);
    const listed = this.#known.get(profileId);
    if (listed?.countryCode === country) return this.#client(listed);
    this.#limit?.ensureNamed(profileId);
    return this.#client({ profileId, countryCode: country, region: regionOf(country), accountInfo: {} });
  }

  /**
   * Calls an operation that does not concern a profile; no profile is sent with it. Headers that identify an account
   * or an advertiser can be given with the call, once for the client (`headers`), or by {@linkcode
   * PlatformAds.account}.
   *
   * @param call The body, then the options; `region` chooses the host, by default the first that is set.
   */
  async call<Id extends OperationId | (string & Record<never, never>)>(
    operation: Id,
    ...call: AccountCallArguments<Id>
  ): Promise<unknown> {
    const [body, options] = call;
    const { region, ...rest } = { region: undefined, ...options };
    const { sendCall } = await import("./calls/send_call.ts");
    const { json } = await sendCall(operation, { ...rest, body }, this.#target(region, {}));
    return json;
  }

  /**
   * Returns a client for calls about one account. The account's headers are sent with every operation that documents
   * them.
   *
   * @param headers Headers by name, for example `{ "Platform-Ads-AccountId": "..." }`.
   */
  account(headers: Readonly<Record<string, string>>, options: { region?: Region } = {}): AccountClient {
    return new AccountClient(this.#target(options.region, headers), this.#jobs);
  }

  /**
   * Opens a clean room by the id or the name of its instance.
   *
   * @param idOrName Id or name. @default the only instance
   * @throws {ConfigurationError} that lists the instances when none, or more than one, matches.
   */
  async cleanRoom(idOrName?: string, options: CleanRoomOptions = {}): Promise<CleanRoom> {
    const { chooseInstance, accountHeaders } = await import("./clean_room/find_instance.ts");
    const instance = chooseInstance(await this.cleanRooms(options), idOrName);
    const { CleanRoom } = await import("./clean_room/clean_room.ts");
    const account = this.#roomAccount(accountHeaders(instance), instance.region);
    return new CleanRoom(instance, { account, now: () => this.transport.now() });
  }

  /** Lists the clean-room instances of the login, in all regions. */
  async cleanRooms(options: CleanRoomOptions = {}): Promise<CleanRoomInstance[]> {
    const { listInstances } = await import("./clean_room/find_instance.ts");
    return await listInstances({
      account: (headers, region) => this.#roomAccount(headers, region),
      hasRegion: (region) => this.#isAsked(region),
    }, options);
  }

  #roomAccount(headers: Readonly<Record<string, string>>, region: Region): RoomAccount {
    const account = this.account(headers, { region });
    return {
      call: (operation, options) => account.call<string>(operation, undefined, options),
      pages: (operation, options) => account.pages<string>(operation, undefined, options),
      jobs: account.jobs,
    };
  }

  #target(region: Region | undefined, headers: Readonly<Record<string, string>>): CallTarget {
    const host = region ?? REGIONS.find((one) => this.#isAsked(one)) ?? "NA";
    const { transport } = this;
    return { transport, baseUrl: this.baseUrl(host), headers: { ...this.#headers, ...headers } };
  }

  /** Returns the address of a region's host. */
  baseUrl(region: Region): string {
    requireOneOf("region", region, REGIONS);
    if (this.#sandbox) return this.platform.sandboxUrl!;
    const host = this.platform.regions[region];
    if (host === undefined) {
      throw new ConfigurationError(
        `Cannot reach region ${region}: PLATFORM_ADS_BASE_URL_${region} is not set`,
      );
    }
    return host.baseUrl;
  }

  #client(profile: Profile): ProfileClient {
    const { policy, figures, responses, scheduled, experiments, changes } = this.#judging;
    const guard = this.#guard;
    const make = (clearance?: object): ProfileClient =>
      new ProfileClient({
        profile,
        baseUrl: this.baseUrl(profile.region),
        headers: this.#headers,
        transport: this.transport,
        review: async (plan, target, options = {}) => {
          const { reviewPlan } = await import("../plans/review/review_plan.ts");
          const judging = { policy, responses, scheduled, figures: options.figures ?? figures };
          return await reviewPlan(plan, target, { ...options, ...judging });
        },
        experiments,
        changes: [changes, policy?.changesSince?.bind(policy)].filter((one) => one !== undefined),
        allowsAuto: (rule) => policy?.allowsAuto?.(rule) ?? false,
        judge: guard && (async (request) => await (await guard()).admit(request, make)),
        clearance,
        limit: this.#limit,
        words: this.#words,
        wireOf: (kind) => this.#wires.of(kind, profile),
        wireIds: this.#wireIds,
        loginProfiles: () => this.profiles(),
        jobs: this.#jobs,
        clientOf: (profileId) => this.#clientOf(profileId),
      });
    const client = make();
    this.#clients.set(profile.profileId, client);
    return client;
  }

  async #clientOf(profileId: string): Promise<ProfileClient> {
    return this.#clients.get(profileId) ?? await this.profile(profileId);
  }

  #choose(profiles: readonly Profile[], marketOrId: string, filter?: ProfileFilter): Profile {
    try {
      return chooseProfile(profiles, marketOrId, filter);
    } catch (error) {
      if (this.#unasked === undefined || !(error instanceof ConfigurationError)) throw error;
      throw new ConfigurationError(`${error.message}\n${this.#unasked}`);
    }
  }

  get #unasked(): string | undefined {
    if (this.#failures.length === 0) return undefined;
    const regions = this.#failures.map(({ region, error }) => `${region} (${error.message})`);
    return `These regions could not be asked: ${regions.join("; ")}`;
  }

  async #listProfiles(): Promise<Profile[]> {
    const regions = REGIONS.filter((region) => this.#isAsked(region));
    const outcomes = await Promise.allSettled(regions.map((region) => this.#listOf(region)));
    const failures: RegionFailure[] = [];
    const byId = new Map<string, Profile>();
    outcomes.forEach((outcome, index) => {
      if (outcome.status === "rejected") {
        failures.push({ region: regions[index]!, error: outcome.reason });
      } else {
        for (const profile of outcome.value) byId.set(profile.profileId, profile);
      }
    });
    this.#failures = failures;
    if (failures.length > 0 && failures.length === regions.length) throw failures[0]!.error;
    return [...byId.values()];
  }

  #isAsked(region: Region): boolean {
    return this.platform.regions[region] !== undefined;
  }

  /** Returns the profiles of a region, cached until a failure or a refresh. */
  #listOf(region: Region): Promise<Profile[]> {
    const known = this.#ofRegion.get(region);
    if (known !== undefined) return known;
    const listing: Promise<Profile[]> = this.#profilesOf(region).catch((error) => {
      if (this.#ofRegion.get(region) === listing) this.#ofRegion.delete(region);
      throw error;
    });
    this.#ofRegion.set(region, listing);
    return listing;
  }

  async #profilesOf(region: Region): Promise<Profile[]> {
    const baseUrl = this.baseUrl(region);
    const { json } = await this.transport.send({
      method: "GET",
      baseUrl,
      path: "/v2/profiles",
      withinLimit: WITHIN_LIMIT,
      idempotent: true,
    });
    if (!Array.isArray(json)) {
      throw unexpectedResponse(
        json,
        `Cannot list the profiles of region ${region}: the response is not a list`,
      );
    }
    const listed = json.map((record) => profileFromWire(record, region));
    const profiles = this.#limit?.of(listed) ?? listed;
    // The sandbox host serves all regions; what it lists belongs where its country does.
    const placed = this.#sandbox
      ? profiles.map((profile) => ({ ...profile, region: homeOf(profile) }))
      : profiles;
    for (const profile of placed) this.#known.set(profile.profileId, profile);
    return placed;
  }
}

function homeOf({ countryCode, region }: Profile): Region {
  return MARKETPLACES.includes(countryCode) ? regionOf(countryCode) : region;
}

function guardOf(parts: ConstructorParameters<typeof WriteGuard>[0]): () => Promise<WriteGuard> {
  return loadedOnce(async () => new (await import("./write_guard.ts")).WriteGuard(parts));
}

async function newLedger(folder: string | undefined): Promise<JobLedger> {
  if (folder === undefined) return new (await import("./jobs/job_ledger.ts")).MemoryJobLedger();
  return new (await import("./jobs/file_job_ledger.ts")).FileJobLedger(folder);
}
