import { type Answer, jsonAnswer } from "../answer.ts";
import type { JournalEntry } from "../journal.ts";
import { faultAnswer } from "./fault_answer.ts";
import type { Faults } from "./fault_engine.ts";
import { spoilAnswer } from "./spoil_answer.ts";

/** What is to be sent: an answer, whole or cut short, or `undefined` to cut the connection. */
export interface Reply {
  /** The answer. */
  readonly answer: Answer | undefined;
  /** Sends only so many bytes of the body, then cuts the connection. */
  readonly truncate?: number;
}

/** Carries a request out as far as the faults chosen for it let it be, and makes of its answer what they want. */
export async function answerUnderFaults(
  faults: Faults,
  entry: JournalEntry,
  { act, wait }: { act: () => Promise<Answer>; wait: (seconds: number) => Promise<void> },
): Promise<Reply> {
  if (faults.delay !== undefined) await wait(faults.delay);
  if (faults.drop === "before") return cut(entry, "before");
  const isEarly = faults.answer !== undefined && !faults.answer.acted;
  const real = isEarly ? undefined : await act();
  if (faults.drop === "after") return cut(entry, "after");
  const answer = faults.answer !== undefined
    ? faultAnswer(faults.answer)
    : faults.acceptedBut429 && real!.status < 300
    ? jsonAnswer(429, { code: "429", detail: "Too Many Requests" })
    : spoilAnswer(real!, faults);
  entry.status = answer.status;
  return { answer, ...(faults.truncate === undefined ? {} : { truncate: faults.truncate }) };
}

function cut(entry: JournalEntry, when: "before" | "after"): Reply {
  entry.dropped = when;
  return { answer: undefined };
}
