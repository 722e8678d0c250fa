import type { EmulatedOptions } from "./emulated.ts";
import { long } from "./long.ts";

/** A wire that everything of a test goes by. */
export type TestedWire = "legacy" | "unified";

/** Both wires. */
export const WIRES: readonly TestedWire[] = ["legacy", "unified"];

/** How a pair is started whose client speaks one wire. */
export function speaking(wire: TestedWire, options: EmulatedOptions = {}): EmulatedOptions {
  return { ...options, client: { wire, onWarning: () => {}, ...options.client } };
}

/** Registers a test for each wire: whatever it holds of the one it holds of the other. */
export function onBothWires(
  name: string,
  run: (options: EmulatedOptions, wire: TestedWire) => Promise<void>,
): void {
  for (const wire of WIRES) Deno.test(`${name} (${wire} wire)`, () => run(speaking(wire), wire));
}

/** The same for what costs much and passes by code of either wire that cheaper tests hold: the second is long. */
export function mostlyOnOneWire(
  name: string,
  run: (options: EmulatedOptions, wire: TestedWire) => Promise<void>,
): void {
  for (const wire of WIRES) {
    if (wire === "unified") long();
    Deno.test(`${name} (${wire} wire)`, () => run(speaking(wire), wire));
  }
}
