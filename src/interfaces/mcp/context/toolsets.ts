import { ConfigurationError } from "../../../errors.ts";

const TOOLSETS = ["read", "reports", "store", "plans", "operations"] as const;

export type Toolset = typeof TOOLSETS[number];

const ALL = "all";

/**
 * Parses comma-separated names of toolsets, or `all`. Without text, only common tools are listed and the others are
 * found by search.
 *
 * @throws {ConfigurationError} for an unknown set.
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
