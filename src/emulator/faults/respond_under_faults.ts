import { type HttpResponse, jsonResponse, type Reply } from "../http/http_response.ts";
import type { JournalEntry } from "../journal/journal.ts";
import { faultResponse } from "./fault_response.ts";
import type { Faults } from "./fault_engine.ts";
import { corruptResponse } from "./corrupt_response.ts";

/** Carries a request out as far as the faults chosen for it let it be, and makes of its response what they want. */
export async function respondUnderFaults(
  faults: Faults,
  entry: JournalEntry,
  { act, wait }: { act: () => Promise<HttpResponse>; wait: (seconds: number) => Promise<void> },
): Promise<Reply> {
  if (faults.delay !== undefined) await wait(faults.delay);
  if (faults.drop === "before") return cut(entry, "before");
  const isEarly = faults.response !== undefined && !faults.response.acted;
  const real = isEarly ? undefined : await act();
  if (faults.drop === "after") return cut(entry, "after");
  const response = faults.response !== undefined
    ? faultResponse(faults.response)
    : faults.acceptedBut429 && real!.status < 300
    ? jsonResponse(429, { code: "429", detail: "Too Many Requests" })
    : corruptResponse(real!, faults);
  entry.status = response.status;
  return { response, ...(faults.truncate === undefined ? {} : { truncate: faults.truncate }) };
}

function cut(entry: JournalEntry, when: "before" | "after"): Reply {
  entry.dropped = when;
  return { response: undefined };
}
