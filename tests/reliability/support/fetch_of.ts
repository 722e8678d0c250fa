import type { Fetch } from "../../../mod.ts";
import type { Emulator } from "../../../src/emulator/mod.ts";
import { WHOLE_SUITE } from "./size.ts";

/**
 * The `fetch` of a proof of thousands of tries, in which nothing is said about sockets: over them in the short form, by
 * a call within the process in the whole suite.
 */
export function fetchOf(emulator: Emulator): Fetch {
  return WHOLE_SUITE ? (input, init) => emulator.fetch(input, init) : fetch;
}
