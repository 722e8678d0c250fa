import type { Credentials } from "../connection/credentials.ts";
import type { Platform } from "../connection/platform.ts";
import { type Answer, emptyAnswer, jsonAnswer } from "./answer.ts";
import type { Clock } from "./clock.ts";
import type { FaultEngine } from "./faults/fault_engine.ts";
import { parseFaultRules } from "./faults/parse_fault_rules.ts";
import type { IncomingRequest } from "./incoming_request.ts";
import type { Journal } from "./journal.ts";
import { isObject, type Json, parseJson } from "./json.ts";
import type { EmulatorState } from "./state/emulator_state.ts";

/** What `/_emulator` shows and moves. */
export interface ControlParts {
  /** Settings for a client. */
  readonly platform: Platform;
  /** Credentials for a client. */
  readonly credentials: Credentials;
  /** Time. */
  readonly clock: Clock;
  /** Faults. */
  readonly faults: FaultEngine;
  /** Journal. */
  readonly journal: Journal;
  /** Memory. */
  readonly state: EmulatorState;
  /** Puts everything back to the start. */
  readonly reset: () => void;
}

type Action = (body: Json | undefined, parts: ControlParts) => unknown;

const ACTIONS: Readonly<Record<string, Action>> = {
  "GET settings": (_body, { platform, credentials }) => ({ platform, credentials }),
  "GET clock": (_body, { clock }) => clockView(clock),
  "POST clock": moveClock,
  "GET faults": (_body, { faults }) => ({ rules: faults.report() }),
  "POST faults": (body, { faults }) => {
    faults.setRules(parseFaultRules(body));
    return { rules: faults.report() };
  },
  "GET requests": (_body, { journal }) => ({ requests: journal.entries() }),
  "DELETE requests": (_body, { journal }) => {
    journal.clear();
    return { requests: [] };
  },
  "POST reset": (_body, { reset }) => {
    reset();
    return { reset: true };
  },
};

/** Answers a request below `/_emulator/`: settings, clock, faults, reset and the journal. */
export function answerControlRequest(request: IncomingRequest, name: string, parts: ControlParts): Answer {
  const action = Object.hasOwn(ACTIONS, `${request.method} ${name}`)
    ? ACTIONS[`${request.method} ${name}`]
    : undefined;
  if (action === undefined) return unknownControl(request.method, name);
  if (request.tooLarge) return emptyAnswer(413);
  try {
    return jsonAnswer(200, action(bodyOf(request), parts));
  } catch (problem) {
    if (problem instanceof RangeError || problem instanceof SyntaxError) {
      return jsonAnswer(400, { message: problem.message });
    }
    throw problem;
  }
}

function bodyOf(request: IncomingRequest): Json | undefined {
  const text = request.text();
  return text.trim() === "" ? undefined : parseJson(text);
}

function unknownControl(method: string, name: string): Answer {
  const known = Object.keys(ACTIONS);
  const methods = known.filter((key) => key.endsWith(` ${name}`)).map((key) => key.split(" ")[0]);
  if (methods.length > 0) return emptyAnswer(405, { allow: methods.join(", ") });
  return jsonAnswer(404, { message: `Cannot ${method} "/_emulator/${name}". Known are ${known.join(", ")}` });
}

function moveClock(body: Json | undefined, { clock, state }: ControlParts): unknown {
  if (!isObject(body)) {
    throw new RangeError(`Cannot move the clock: expected {"advance": seconds} or {"now": "..."}`);
  }
  const unknown = Object.keys(body).find((name) => !["advance", "now", "frozen"].includes(name));
  if (unknown !== undefined) throw new RangeError(`Cannot move the clock: the field "${unknown}" is unknown`);
  if (body.now !== undefined) clock.set(String(body.now));
  if (body.advance !== undefined) clock.advance(typeof body.advance === "number" ? body.advance : NaN);
  if (body.frozen === true) clock.freeze();
  if (body.frozen === false) clock.thaw();
  state.touch();
  state.save();
  return clockView(clock);
}

function clockView(clock: Clock): { now: string; frozen: boolean } {
  return { now: clock.iso(), frozen: clock.toRecord().frozenAt !== undefined };
}
