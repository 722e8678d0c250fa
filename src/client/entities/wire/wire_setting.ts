import { kindOf } from "../../../platform/catalog/kind_names.ts";
import { ConfigurationError } from "../../../errors.ts";
import { normalizeCountry } from "../../../base/markets/markets.ts";

/**
 * Wire for requests of a kind: `legacy` is the family of its product, `unified` the unified family. `compare` reads on
 * both wires, reports the differences, and writes on the older one.
 */
export type WireName = "legacy" | "unified" | "compare";

/**
 * Wire for all kinds, or for each key. A key is a kind (`sp.keywords` or `keywords`), a family (`sp`) or `*`,
 * optionally followed by `@` and a country or a profile id. The most specific key applies: a kind before a family,
 * then a profile before a country.
 *
 * @example
 * ```ts
 * import type { WireSetting } from "@platform/ads";
 *
 * const all: WireSetting = "unified";
 * const some: WireSetting = { "*": "legacy", "sp": "unified", "sp.campaigns@CA": "compare" };
 * console.log(all, some);
 * ```
 */
export type WireSetting = WireName | Readonly<Record<string, WireName>>;

const NAMES: readonly WireName[] = ["legacy", "unified", "compare"];

interface Rule {
  readonly kind: string;
  readonly place: string | undefined;
  readonly wire: WireName;
}

export class WireChoice {
  readonly #rules: readonly Rule[];

  /** @throws {ConfigurationError} listing every invalid entry. */
  constructor(setting: WireSetting, kinds: readonly string[]) {
    const entries = Object.entries(typeof setting === "string" ? { "*": setting } : setting);
    const families = new Set(kinds.map((kind) => kind.split(".")[0]!));
    const problems: string[] = [];
    this.#rules = entries.flatMap(([name, wire]): Rule[] => {
      const [kind = "", place, ...more] = name.trim().split("@");
      if (!NAMES.includes(wire)) {
        problems.push(`"${name}" is ${JSON.stringify(wire)}: expected one of ${NAMES.join(", ")}`);
      }
      const named = kind === "*" || families.has(kind) ? kind : kindOf(kind, kinds);
      if (named === undefined || more.length > 0 || place === "") {
        const known = ["*", ...families].join(", ");
        problems.push(
          `"${name}" is not a kind: expected one of ${known}, or a kind such as keywords, and @US after it`,
        );
      }
      return [{
        kind: named ?? kind,
        place: place === undefined ? undefined : normalizeCountry(place),
        wire,
      }];
    });
    if (problems.length > 0) throw new ConfigurationError(`Cannot choose the wire:\n${problems.join("\n")}`);
  }

  of(kind: string, { profileId, countryCode }: { profileId: string; countryCode: string }): WireName {
    let best: { readonly wire: WireName; readonly rank: number } = { wire: "legacy", rank: -1 };
    for (const rule of this.#rules) {
      const exact = rule.kind === kind
        ? 2
        : rule.kind === kind.split(".")[0]
        ? 1
        : rule.kind === "*"
        ? 0
        : -1;
      const near = rule.place === undefined
        ? 0
        : rule.place === profileId
        ? 2
        : rule.place === normalizeCountry(countryCode)
        ? 1
        : -1;
      const rank = exact * 3 + near;
      if (exact >= 0 && near >= 0 && rank > best.rank) best = { wire: rule.wire, rank };
    }
    return best.wire;
  }
}

/**
 * Parses a wire setting from text: one wire, or keys with their wires, for example `unified` or
 * `sp=unified,sp.campaigns@CA=compare`.
 *
 * @throws {ConfigurationError} for an entry without a wire.
 *
 * @example
 * ```ts
 * import { parseWireSetting } from "@platform/ads";
 *
 * console.log(parseWireSetting("sp=unified, sp.campaigns@CA=compare"));
 * ```
 */
export function parseWireSetting(text: string): WireSetting {
  const entries = text.split(",").map((part) => part.trim()).filter((part) => part !== "");
  const setting: Record<string, WireName> = {};
  for (const entry of entries) {
    const at = entry.lastIndexOf("=");
    const wire = NAMES.find((name) => name === entry.slice(at + 1).trim().toLowerCase());
    if (wire === undefined) {
      throw new ConfigurationError(
        `Cannot choose the wire by "${entry}": expected ${
          NAMES.join(", ")
        }, or a kind with one of them, as keywords=unified`,
      );
    }
    setting[at < 0 ? "*" : entry.slice(0, at).trim()] = wire;
  }
  return setting;
}

/** How target ids are treated on the unified wire. */
export type WireIds = "equal" | "mapped";

/**
 * Reads the wire settings from `PLATFORM_ADS_WIRE` and `PLATFORM_ADS_WIRE_IDS`.
 *
 * @throws {ConfigurationError} when a value is unknown.
 */
export function wireFromVariables(
  variables: Readonly<Record<string, string | undefined>>,
): { readonly wire?: WireSetting; readonly wireIds?: WireIds } {
  const wire = variables["PLATFORM_ADS_WIRE"];
  const ids = variables["PLATFORM_ADS_WIRE_IDS"];
  if (ids && ids !== "equal" && ids !== "mapped") {
    throw new ConfigurationError(`Cannot use PLATFORM_ADS_WIRE_IDS "${ids}": expected equal or mapped`);
  }
  return {
    ...(wire ? { wire: parseWireSetting(wire) } : {}),
    ...(ids === "equal" || ids === "mapped" ? { wireIds: ids } : {}),
  };
}
