import type { TransportEvent } from "../../transport/transport_options.ts";

/** Seconds of a wait that is not reported. */
const QUIET_SECONDS = 3;

/** The message to a client about a wait of its call; `undefined` where none is needed. */
export function waitMessage({ kind, seconds, pace, waitsFor }: TransportEvent): string | undefined {
  if (pace !== undefined) {
    const { rate, waiting } = pace;
    if (rate === undefined || waiting === 0) return undefined;
    return `The platform throttles: ${rate.toFixed(1)} requests a second, ${waiting} waiting`;
  }
  if (waitsFor === "exports") return "The platform builds five exports at once: waiting until one is done";
  if (kind !== "wait" || seconds < QUIET_SECONDS) return undefined;
  return `The platform is busy: waiting ${Math.ceil(seconds)} s`;
}
