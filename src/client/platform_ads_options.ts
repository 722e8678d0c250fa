import type { JobLedger } from "./jobs/job_ledger.ts";
import type { ConnectionSources } from "../platform/connection/connection_from_env.ts";
import type { Platform } from "../platform/connection/platform.ts";
import type { ChangesSource } from "../plans/model/amount_changes.ts";
import type { HeldSource } from "../plans/model/experiment.ts";
import type { Region } from "../base/markets/markets.ts";
import type { ReviewOptions } from "../plans/review/review_plan.ts";
import type { WritePolicy } from "../plans/model/write_policy.ts";
import type { PolicyLoader } from "./policy_from_env.ts";
import type { WireIds, WireSetting } from "./entities/wire/wire_setting.ts";
import type { TransportOptions } from "../platform/transport/transport_options.ts";

/** Settings of {@linkcode PlatformAds} for connections, retries and time. */
export interface PlatformAdsOptions extends TransportOptions {
  /** Hosts and headers of the platform. */
  readonly platform: Platform;
  /** True to send all requests to the sandbox host. @default false */
  readonly sandbox?: boolean;
  /**
   * Headers that operations require, by name, such as an account id. Each header is sent in calls of operations that
   * document it, unless the call sets its own.
   *
   * @default none
   */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Ids or country codes of the profiles that the client may use. Other profiles are neither listed nor found.
   * Requests that also affect other profiles are refused: global campaigns, and calls and reports of accounts with
   * other profiles.
   *
   * @default every profile of the login
   */
  readonly profiles?: readonly string[] | undefined;
  /**
   * Folder in which to record requested jobs, or a custom ledger. Jobs can then be resumed after a crash, even by
   * another process.
   *
   * @default they are known as long as the client
   */
  readonly jobs?: string | JobLedger | undefined;
  /**
   * Policy that judges every write before it is sent; `loadPolicy` of `@platform/ads/policy` creates one.
   *
   * @default none
   */
  readonly policy?: WritePolicy | undefined;
  /**
   * Figures of entities by id, used to estimate the spend of plans; `figuresFromStore` of `@platform/ads/store`
   * provides them.
   *
   * @default none: what bids cost is unknown
   */
  readonly figures?: ReviewOptions["figures"];
  /**
   * How a profile's spend responded to earlier bid changes, used to estimate the spend of plans; `bidResponse` of
   * `@platform/ads/store` measures it.
   *
   * @default none: a formula bounds what bids cost
   */
  readonly responses?: ReviewOptions["responses"];
  /**
   * Finds the entities of a profile held back by running experiments, which new plans leave unchanged; `heldIn` of
   * `@platform/ads/plans` creates it from folders of plans.
   *
   * @default none are known
   */
  readonly experiments?: HeldSource | undefined;
  /**
   * Finds the bids, budgets and states in a profile that your plans changed; `changedIn` of `@platform/ads/plans`
   * creates it from folders of plans.
   *
   * @default the platform's change history alone, which has none of Sponsored Display
   */
  readonly changes?: ChangesSource | undefined;
  /**
   * Finds the entities that schedules change in a profile. Their hourly changes do not make figures outdated.
   * `scheduledIn` of `@platform/ads/schedules` reads them from a store.
   *
   * @default every move of the history is a change
   */
  readonly scheduled?: ReviewOptions["scheduled"];
  /**
   * Wire for each kind: the family of its product (`legacy`), the unified family, or both for reading (`compare`).
   *
   * @default "legacy"
   */
  readonly wire?: WireSetting | undefined;
  /**
   * How target ids are handled on the unified wire: `equal` compares a few ids before the first write and stops with
   * an error if one differs; `mapped` reads from the older family and finds each unified target by its content.
   *
   * @default "equal"
   */
  readonly wireIds?: WireIds | undefined;
}

/** Options of {@linkcode PlatformAds.fromEnv}. */
export interface FromEnvOptions extends Omit<PlatformAdsOptions, "platform">, ConnectionSources {
  /** Hosts and headers of the platform, instead of those in the settings. */
  readonly platform?: Platform;
  /**
   * Reads the policy named by `PLATFORM_ADS_POLICY`: `loadPolicy` of `@platform/ads/policy`.
   *
   * @default none: no client is made where the variable names a policy and `policy` is not given
   */
  readonly loadPolicy?: PolicyLoader | undefined;
}

/** A region whose profiles could not be listed. */
export interface RegionFailure {
  /** `NA`, `EU` or `FE`. */
  readonly region: Region;
  /** Why. */
  readonly error: Error;
}
