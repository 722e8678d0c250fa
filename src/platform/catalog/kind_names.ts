import { ConfigurationError } from "../../errors.ts";
import { nearest } from "../../base/text/nearest.ts";

/**
 * Reader of a kind's name: `people` write `ad-groups` and `brands-ad-groups` in commands, tools, policies and files;
 * `plan` is `sp.ad_groups`, as plan files and the library write it. Each accepts all spellings.
 */
export type KindNameStyle = "plan" | "people";

/** Longest text that is compared with the names, letter by letter. */
const MAX_NEAR = 64;

/** Words of people for the families; Sponsored Products need none. */
const FAMILIES: Readonly<Record<string, string>> = { sb: "brands", sd: "display", sp: "products" };

/** A kind's name as people write it: `ad-groups` for `sp.ad_groups`, `brands-ad-groups` for `sb.ad_groups`. */
export function spellKind(name: string): string {
  const [family = "", own] = name.split(".");
  const words = own === undefined || family === "sp" ? [own ?? name] : [FAMILIES[family] ?? family, own];
  return words.join("-").replaceAll("_", "-");
}

/** The name of a kind, or of a report or anything else by a family, as all spellings of it are compared: `sp_ad_groups`. */
export function kindWord(text: string): string {
  const word = text.trim().toLowerCase().replace(/[. -]/g, "_");
  const family = Object.keys(FAMILIES).find((short) => word.startsWith(`${FAMILIES[short]}_`));
  return family === undefined ? word : word.replace(/^[a-z]+/, family);
}

/** A noun with its article: `an ad group`, `a keyword`. */
export function withArticle(noun: string, { capital = false }: { capital?: boolean } = {}): string {
  return `${capital ? "A" : "a"}${/^[aeiou]/i.test(noun) ? "n" : ""} ${noun}`;
}

/**
 * The kind that a text names. Case, dots, underscores, hyphens and spaces make no difference, and the family of Sponsored
 * Products may be left out: `brands-ad-groups`, `sb.ad_groups` and `SB_AD_GROUPS` are one kind, as are `keywords` and
 * `sp.keywords`.
 */
export function kindOf<Name extends string>(text: string, names: readonly Name[]): Name | undefined {
  const word = kindWord(text);
  return names.find((name) => name === text) ?? names.find((name) => kindWord(name) === word) ??
    names.find((name) => kindWord(name) === `sp_${word}`);
}

/**
 * The name that plans use for a kind, from any spelling.
 *
 * @param options.names The names there are, as plans use them.
 * @param options.style Reader of the message.
 * @throws {ConfigurationError} with the nearest name, or all of them, when there is no such kind.
 */
export function kindNamed<Name extends string>(
  text: string,
  { names, style = "plan" }: { names: readonly Name[]; style?: KindNameStyle },
): Name {
  const found = kindOf(text, names);
  if (found !== undefined) return found;
  throw new ConfigurationError(
    `Cannot find a kind of entity called ${JSON.stringify(text)}. ${kindAdvice(text, { names, style })}`,
  );
}

/** Kind and field of `keywords.bid` or `sp.campaigns.budget.budget`; `undefined` where the kind is none of `names`. */
export function kindAndField<Name extends string>(
  text: string,
  names: readonly Name[],
): { readonly kind: Name; readonly field: string } | undefined {
  for (let dot = text.lastIndexOf("."); dot > 0; dot = text.lastIndexOf(".", dot - 1)) {
    const kind = kindOf(text.slice(0, dot), names);
    if (kind !== undefined) return { kind, field: text.slice(dot + 1) };
  }
  return undefined;
}

/** Advice for a text that names no kind: the nearest name, or all of them. */
export function kindAdvice(
  text: string,
  { names, style = "people" }: { names: readonly string[]; style?: KindNameStyle },
): string {
  const shown = new Map(names.map((name) => [name, style === "plan" ? name : spellKind(name)]));
  const words = names.flatMap((name) => [kindWord(name), kindWord(name).replace(/^sp_/, "")]);
  const near = text.length > MAX_NEAR ? undefined : nearest(kindWord(text), words);
  const name = near === undefined ? undefined : kindOf(near, names);
  return name === undefined
    ? `Expected one of ${[...shown.values()].join(", ")}`
    : `Did you mean "${shown.get(name)}"?`;
}
