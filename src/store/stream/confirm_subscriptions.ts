import type { Warehouse } from "../warehouse/warehouse.ts";
import type { StreamConfirmation } from "../model/stream_tables.ts";

/** The result of a request to confirm a subscription. */
export interface ConfirmationOutcome {
  /** ARN of the subscribed topic. */
  readonly topic: string;
  /** When the request was sent, ISO 8601. */
  readonly sentAt: string;
  /**
   * `confirmed`, `expired` after two days, `refused` for an address that does not belong to the platform, or `failed`.
   */
  readonly outcome: "confirmed" | "expired" | "refused" | "failed";
  /** Reason why the subscription was not confirmed. */
  readonly reason?: string;
}

/** Options for confirming subscriptions. */
export interface ConfirmOptions {
  /** The platform's own word on the wire, which is part of the host of addresses. @default "platform" */
  readonly wireWord?: string | undefined;
  /** Additional allowed origins on this machine, for example that of an emulator. @default none */
  readonly loopback?: readonly string[] | undefined;
  /** Sends requests. @default the runtime's */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Clock for the age of a request to confirm, in epoch milliseconds. @default Date.now */
  readonly now?: (() => number) | undefined;
  /** Aborts the requests in flight. */
  readonly signal?: AbortSignal | undefined;
}

const CONFIRM_WITHIN = 48 * 3_600_000;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Returns the unanswered requests in a store to confirm a subscription.
 *
 * @example
 * ```ts
 * import { pendingConfirmations, type Warehouse } from "@platform/ads/store";
 *
 * async function addresses(store: Warehouse): Promise<string[]> {
 *   return (await pendingConfirmations(store)).map(({ url }) => url);
 * }
 * ```
 */
export async function pendingConfirmations(store: Warehouse): Promise<StreamConfirmation[]> {
  return (await store.stream.confirmations()).filter(({ confirmedAt }) => confirmedAt === null);
}

/**
 * Confirms the subscriptions whose requests were received: visits the address of each, if it is one of the platform's.
 * An address of any other host is never visited.
 *
 * @example
 * ```ts
 * import { confirmSubscriptions, type Warehouse } from "@platform/ads/store";
 *
 * async function confirm(store: Warehouse): Promise<void> {
 *   for (const { topic, outcome } of await confirmSubscriptions(store)) console.log(topic, outcome);
 * }
 * ```
 */
export async function confirmSubscriptions(
  store: Warehouse,
  options: ConfirmOptions = {},
): Promise<ConfirmationOutcome[]> {
  const { now = Date.now } = options;
  const outcomes: ConfirmationOutcome[] = [];
  for (const confirmation of await pendingConfirmations(store)) {
    const { topic, sentAt, url } = confirmation;
    const result = await confirm(confirmation, options);
    if (result.outcome === "confirmed") await store.stream.confirm(url, new Date(now()).toISOString());
    outcomes.push({ topic, sentAt, ...result });
  }
  return outcomes;
}

async function confirm(
  { url, sentAt }: StreamConfirmation,
  { wireWord = "platform", loopback = [], fetch = globalThis.fetch, now = Date.now, signal }: ConfirmOptions,
): Promise<Pick<ConfirmationOutcome, "outcome" | "reason">> {
  const problem = addressProblem(url, { wireWord, loopback });
  if (problem !== undefined) return { outcome: "refused", reason: problem };
  if (now() - Date.parse(sentAt) > CONFIRM_WITHIN) {
    return {
      outcome: "expired",
      reason: "it was sent more than two days ago; archive the subscription and set it up again",
    };
  }
  try {
    const response = await fetch(url, { redirect: "manual", ...(signal === undefined ? {} : { signal }) });
    await response.body?.cancel();
    if (response.status === 200) return { outcome: "confirmed" };
    return { outcome: "failed", reason: `its host responded with status ${response.status}` };
  } catch (error) {
    signal?.throwIfAborted();
    return { outcome: "failed", reason: error instanceof Error ? error.message : String(error) };
  }
}

function addressProblem(
  text: string,
  { wireWord, loopback }: { wireWord: string; loopback: readonly string[] },
): string | undefined {
  if (!URL.canParse(text)) return "its address is not a URL";
  const { protocol, hostname, origin, port } = new URL(text);
  if (LOOPBACK.test(hostname) && loopback.includes(origin)) return undefined;
  const host = new RegExp(`^sns\\.[a-z0-9-]+\\.${wireWord}aws\\.com(?:\\.cn)?$`, "i");
  if (protocol === "https:" && port === "" && host.test(hostname)) return undefined;
  return `its address is on ${hostname}, expected https://sns.REGION.${wireWord}aws.com. Look at the message before you ` +
    "visit it";
}
