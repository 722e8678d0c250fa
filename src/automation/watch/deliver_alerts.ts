import { visibleText } from "../../base/text/visible_text.ts";
import { fileSystem } from "../../base/runtime/file_system.ts";
import { type Alert, bySeverity } from "./alert.ts";
import { sendEmail } from "./send_email.ts";
import type { WatchChannel } from "./watch_file.ts";
import type { WaitingAlert, WatchState } from "./watch_state.ts";

interface DeliveryOptions {
  readonly state: WatchState;
  readonly profileId: string;
  readonly isOwn?: ((alert: Alert) => boolean) | undefined;
  readonly channels: readonly WatchChannel[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly write: (alert: Alert) => void | Promise<void>;
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly urgentOnly?: boolean | undefined;
  readonly now: number;
  readonly signal?: AbortSignal | undefined;
}

export interface Deliveries {
  readonly delivered: number;
  readonly failed: readonly { readonly id: string; readonly channel: string; readonly problem: string }[];
}

/** Seconds before each retry; the last value repeats. */
const WAITS = [60, 300, 900, 3600];
const RESPONSE_SECONDS = 10;
/** Number of failures after which a channel is skipped until the next check. */
const FAILURES = 3;
const ATTEMPTS = 2;

/** Delivers alerts at least once: failures are retried later, and an alert may arrive twice. */
export async function deliverAlerts(options: DeliveryOptions): Promise<Deliveries> {
  const { state, profileId, channels, urgentOnly, isOwn = () => true, now, signal } = options;
  let delivered = 0;
  const failed: { id: string; channel: string; problem: string }[] = [];
  const waits = (await state.waiting(profileId, now)).filter(({ alert }) =>
    isOwn(alert) && (!urgentOnly || alert.severity === "urgent")
  );
  const urgentFirst = waits.toSorted((a, b) => bySeverity(a.alert, b.alert));
  const failures = new Map<string, number>();
  for (const waiting of urgentFirst) {
    signal?.throwIfAborted();
    // A server that does not respond would be waited for with each of hundreds of alerts.
    if ((failures.get(waiting.channel) ?? 0) >= FAILURES) {
      failed.push({
        id: waiting.alert.id,
        channel: waiting.channel,
        problem: "skipped after other deliveries failed",
      });
      continue;
    }
    const channel = channels.find(({ name }) => name === waiting.channel);
    const problem = channel === undefined
      ? `the channel "${waiting.channel}" was removed from the rule file`
      : await attempt(waiting, channel, options);
    if (problem === undefined) {
      await state.delivered(waiting, now);
      delivered++;
    } else {
      failures.set(waiting.channel, (failures.get(waiting.channel) ?? 0) + 1);
      const wait = WAITS[Math.min(waiting.attempts, WAITS.length - 1)]!;
      await state.failed(waiting, { problem, nextAt: now + 1000 * wait });
      failed.push({ id: waiting.alert.id, channel: waiting.channel, problem });
    }
  }
  return { delivered, failed };
}

async function attempt(
  { alert }: WaitingAlert,
  channel: WatchChannel,
  options: DeliveryOptions,
): Promise<string | undefined> {
  try {
    switch (channel.kind) {
      case "stdout":
        await options.write(alert);
        return undefined;
      case "inbox":
        // It is there already: the inbox shows what is stored.
        return undefined;
      case "file":
        await fileSystem().appendLine(channel.path, JSON.stringify(alert));
        return undefined;
      case "email": {
        const { server_env: variable, from, to } = channel;
        const server = options.env[variable];
        if (server === undefined || server === "") return `${variable} is not set`;
        const { signal } = options;
        return await sendEmail(alert, { server, variable, from, to, seconds: RESPONSE_SECONDS, signal });
      }
      default:
        return await post(alert, channel, options);
    }
  } catch (error) {
    options.signal?.throwIfAborted();
    return (error as Error).message;
  }
}

async function post(
  alert: Alert,
  channel: Extract<WatchChannel, { readonly url_env: string }>,
  { env, fetch = globalThis.fetch, now, signal }: DeliveryOptions,
): Promise<string | undefined> {
  const address = env[channel.url_env];
  if (address === undefined || address === "") return `${channel.url_env} is not set`;
  if (!isSafe(address)) return `${channel.url_env} is not an https address`;
  const body = JSON.stringify(channel.kind === "slack" ? slackMessage(alert) : alert);
  const headers: Record<string, string> = { "content-type": "application/json", "idempotency-key": alert.id };
  if (channel.kind === "webhook" && channel.secret_env !== undefined) {
    const secret = env[channel.secret_env];
    if (secret === undefined || secret === "") return `${channel.secret_env} is not set`;
    const seconds = Math.floor(now / 1000);
    headers["x-alert-signature"] = `t=${seconds},v1=${await signature(`${seconds}.${body}`, secret)}`;
  }
  let problem = "";
  for (let turn = 0; turn < ATTEMPTS; turn++) {
    const timeout = AbortSignal.timeout(RESPONSE_SECONDS * 1000);
    try {
      const response = await fetch(address, {
        method: "POST",
        headers,
        body,
        // An address that leads elsewhere would get what is meant for another.
        redirect: "error",
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      });
      await response.body?.cancel();
      if (response.ok) return undefined;
      problem = `it responds with ${response.status}`;
      if (response.status < 500 && response.status !== 429) return problem;
    } catch (error) {
      signal?.throwIfAborted();
      // The message of a failed request may hold the address, which is a secret of its own.
      problem = timeout.aborted
        ? `it did not respond within ${RESPONSE_SECONDS} s`
        : `it cannot be reached (${nameOf(error)})`;
    }
  }
  return problem;
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : "error";
}

/**
 * Builds a Slack message. Names from the account are escaped, so that they cannot add links, mentions or formatting.
 */
function slackMessage({ title, text, severity, id }: Alert): unknown {
  const plain = (value: string): string =>
    value.split("\n").map(visibleText).join("\n").replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(
      ">",
      "&gt;",
    )
      .slice(0, 2900);
  const mark = severity === "urgent"
    ? ":red_circle: "
    : severity === "warning"
    ? ":large_orange_circle: "
    : "";
  return {
    text: `${mark}${plain(title)}`,
    blocks: [
      { type: "header", text: { type: "plain_text", text: plain(title).slice(0, 150) } },
      { type: "section", text: { type: "plain_text", text: plain(text) || "-" } },
      { type: "context", elements: [{ type: "plain_text", text: `alert ${id}` }] },
    ],
  };
}

async function signature(text: string, secret: string): Promise<string> {
  const encoder = new TextEncoder();
  const key = await crypto.subtle.importKey(
    "raw",
    encoder.encode(secret),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign"],
  );
  const bytes = new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(text)));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function isSafe(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === "https:" ||
    (protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(hostname));
}
