import { ConfigurationError } from "../../../errors.ts";

/** Names of the sets that tools belong to. */
const TOOLSETS = ["read", "reports", "store", "plans", "operations"] as const;

/** Name of a set of tools. */
export type Toolset = typeof TOOLSETS[number];

/** The name of all sets together. */
const ALL = "all";

/**
 * Reads names of sets, separated by commas, or `all`; `undefined` for no text: then the tools of most jobs are listed
 * and the others are found by a search.
 *
 * @throws {ConfigurationError} that lists the sets, for a name that is not one.
 */
export function readToolsets(text: string | undefined): readonly Toolset[] | undefined {
  if (text === undefined) return undefined;
  const names = text.split(",").map((name) => name.trim()).filter((name) => name !== "");
  if (names.includes(ALL)) return toolsetNames();
  return names.map((name) => {
    const known = TOOLSETS.find((one) => one === name);
    if (known !== undefined) return known;
    throw new ConfigurationError(
      `Cannot offer the tools "${name}": expected one or more of ${[...toolsetNames(), ALL].join(", ")}`,
    );
  });
}

export function toolsetNames(): Toolset[] {
  return [...TOOLSETS];
}
