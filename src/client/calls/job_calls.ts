import { catalog } from "../../platform/catalog/catalog.ts";
import type { JobCall, JobHost } from "../jobs/job_host.ts";
import { callPages } from "./call_pages.ts";
import { type CallRequest, type CallTarget, sendCall } from "./send_call.ts";

export function jobHost(target: CallTarget): JobHost {
  return {
    transport: target.transport,
    name: target.baseUrl.replace(/^\w+:\/\//, "").replace(/\/$/, ""),
    send: async (id, { idempotent, beforeAttempt, ...call }) => {
      const watch = {
        ...(idempotent === undefined ? {} : { idempotent }),
        ...(beforeAttempt === undefined ? {} : { beforeAttempt }),
      };
      return (await sendCall(id, await documented(id, call), { ...target, watch })).json;
    },
    pages: async function* (id, call) {
      yield* callPages(id, await documented(id, call), target);
    },
  };
}

async function documented(id: string, call: JobCall): Promise<CallRequest> {
  const operation = await catalog.get(id);
  const { query, pathParams, contentType, accept, signal, headers, body, check } = call;
  const known = new Set(operation.query.map(({ name }) => name));
  return {
    body,
    pathParams: Object.fromEntries(
      Object.entries(pathParams ?? {}).filter(([name]) => operation.pathParams.includes(name)),
    ),
    query: Object.fromEntries(Object.entries(query ?? {}).filter(([name]) => known.has(name))),
    ...(headers === undefined ? {} : { headers }),
    ...(contentType === undefined || !operation.hasBody ? {} : { contentType }),
    ...(accept === undefined || !operation.accepts.includes(accept) ? {} : { accept }),
    ...(signal === undefined ? {} : { signal }),
    ...(check === undefined ? {} : { check }),
  };
}
