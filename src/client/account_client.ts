import type { BatchResult } from "../platform/batch/batch_result.ts";
import type { OperationId } from "../../catalog/operation_ids.ts";
import type { BaseCallOptions, CallArguments, TypedCalls } from "../platform/catalog/call_types.ts";
import type { CallTarget } from "./calls/send_call.ts";
import { type JobLedgerSource, Jobs } from "./jobs.ts";

/**
 * Client for operations on an account or an advertiser, without a profile.
 *
 * @example
 * ```ts
 * import type { PlatformAds } from "@platform/ads";
 *
 * async function orders(ads: PlatformAds): Promise<void> {
 *   const account = ads.account({ "Platform-Ads-AccountId": "account-1" }, { region: "EU" });
 *   for await (const page of account.pages("v1-dsp-campaigns:DSPQueryCampaign", {})) console.log(page);
 * }
 * ```
 */
export class AccountClient {
  readonly #target: CallTarget;
  /** Long-running jobs of the account. */
  readonly jobs: Jobs;

  /**
   * Called by `PlatformAds.account`; not meant to be called directly.
   *
   * @param target Where calls go, and the headers that name the account.
   */
  constructor(target: CallTarget, jobs: JobLedgerSource) {
    this.#target = target;
    this.jobs = new Jobs(target, jobs);
  }

  /**
   * Calls an operation and returns its parsed response. The account's headers are sent if the operation documents
   * them.
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

  /** Returns typed calls of one or more APIs, like `ProfileClient.typed`. */
  typed<Operations>(): TypedCalls<Operations>;
  typed(): unknown {
    return this;
  }

  /** Yields the pages of an operation, like `ProfileClient.pages`. */
  async *pages<Id extends OperationId | (string & Record<never, never>)>(
    operation: Id,
    ...call: CallArguments<Id>
  ): AsyncGenerator<unknown, void, undefined> {
    const [body, options] = call;
    const { callPages } = await import("./calls/call_pages.ts");
    yield* callPages(operation, { ...options, body }, this.#target);
  }

  /** Sends items and returns a verdict for each, like `ProfileClient.batch`. */
  async batch<Item>(
    operation: OperationId | (string & Record<never, never>),
    items: readonly Item[],
    options: BaseCallOptions = {},
  ): Promise<BatchResult<Item>> {
    const { callBatch } = await import("./calls/call_batch.ts");
    return await callBatch(operation, { ...options, items }, this.#target);
  }
}
