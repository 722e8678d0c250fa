import { REPORTS_PATH } from "../../reports/report_status.ts";
import type { TransportEvent } from "../../transport/transport_options.ts";
import type { LogSink } from "./worker_log.ts";

/** Writes down what the transport did: problems and waits as warnings, the creation of a report as information. */
export function logExchange(log: LogSink, event: TransportEvent): void {
  const { kind, method, url, status, requestId, seconds, pace } = event;
  if (pace !== undefined) {
    const { host, group, rate, waiting } = pace;
    log({ level: "info", event: "pace", host, group, rate: rate ?? null, waiting });
    return;
  }
  const creates = method === "POST" && url.endsWith(REPORTS_PATH);
  const failed = kind === "no-response" || status !== undefined && status >= 400;
  log({
    level: failed || kind === "wait" ? "warn" : creates ? "info" : "debug",
    event: kind === "wait" ? "waits" : "request",
    method,
    url,
    seconds,
    ...(kind === "wait" ? {} : { status: status ?? null, request_id: requestId ?? null }),
  });
}
