import { KIND_NOUNS } from "../../../catalog/resource_kinds.ts";
import { nearest } from "../../base/text/nearest.ts";
import { ConfigurationError } from "../../errors.ts";

/**
 * `people` write `brands-ad-groups` in commands, tools, policies and files; `plan` is `sp.ad_groups`, as in plan files
 * and the library. Each accepts all spellings.
 */
export type KindNameStyle = "plan" | "people";

const MAX_NEAR = 64;

const FAMILIES: Readonly<Record<string, string>> = { sb: "brands", sd: "display", sp: "products" };

export function spellKind(name: string): string {
  const [family = "", own] = name.split(".");
  const words = own === undefined || family === "sp" ? [own ?? name] : [FAMILIES[family] ?? family, own];
  return words.join("-").replaceAll("_", "-");
}

export function kindWord(text: string): string {
  const word = text.trim().toLowerCase().replace(/[. -]/g, "_");
  const family = Object.keys(FAMILIES).find((short) => word.startsWith(`${FAMILIES[short]}_`));
  return family === undefined ? word : word.replace(/^[a-z]+/, family);
}

export function withArticle(noun: string, { capital = false }: { capital?: boolean } = {}): string {
  return `${capital ? "A" : "a"}${/^[aeiou]/i.test(noun) ? "n" : ""} ${noun}`;
}

/**
 * Ignores case, dots, underscores, hyphens and spaces; the Sponsored Products family is optional: `brands-ad-groups`
 * is `sb.ad_groups`, `keywords` is `sp.keywords`.
 */
export function kindOf<Name extends string>(text: string, names: readonly Name[]): Name | undefined {
  const word = kindWord(text);
  return names.find((name) => name === text) ?? names.find((name) => kindWord(name) === word) ??
    names.find((name) => kindWord(name) === `sp_${word}`);
}

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

export const KIND_NAMES: readonly string[] = Object.keys(KIND_NOUNS);

export function kindNoun(kind: string): string {
  return Object.hasOwn(KIND_NOUNS, kind) ? KIND_NOUNS[kind] ?? kind : kind;
}
