import { ConfigurationError } from "../../../errors.ts";
import { nearest } from "../../../base/text/nearest.ts";

/**
 * Style of a kind's name: `plan` is `sp.ad_groups`, as plan files and the library write it; `command` is `ad-groups`
 * and `sb-ad-groups`; `tool` is `sp_ad_groups`.
 */
export type KindNameStyle = "plan" | "command" | "tool";

/** Longest text that is compared with the names, letter by letter. */
const MAX_NEAR = 64;

/** A kind's name as a reader writes it. */
export function spellKind(name: string, style: KindNameStyle): string {
  if (style === "plan") return name;
  return style === "tool" ? name.replace(".", "_") : name.replace(/^sp\./, "").replace(/[._]/g, "-");
}

/** A noun with its article: `an ad group`, `a keyword`. */
export function withArticle(noun: string, { capital = false }: { capital?: boolean } = {}): string {
  return `${capital ? "A" : "a"}${/^[aeiou]/i.test(noun) ? "n" : ""} ${noun}`;
}

/**
 * The name that plans use for a kind. Case, dots, underscores and hyphens make no difference: `SB-ad-groups` and
 * `brands-ad-groups` are `sb.ad_groups`. Commands and tools may leave out the family of Sponsored
 * Products: `keywords` is `sp.keywords`.
 *
 * @param options.names The names there are, as plans use them.
 * @param options.style Who gave the text.
 * @throws {ConfigurationError} with the nearest name, or all of them, when there is no such kind.
 */
export function kindNamed<Name extends string>(
  text: string,
  { names, style = "plan" }: { names: readonly Name[]; style?: KindNameStyle },
): Name {
  const exact = names.find((name) => name === text);
  if (exact !== undefined) return exact;
  const asked = word(text.trim());
  const words = style === "plan" ? [asked] : [asked, `sp_${asked}`];
  const found = words.flatMap((one) => names.find((name) => word(name) === one) ?? []);
  if (found[0] !== undefined) return found[0];
  const spelled = names.map((name) => spellKind(name, style));
  // A name without its family may be misspelt as well: "keyword" is near to sp_keywords.
  const bare = style === "plan" ? spelled : [...spelled, ...spelled.map((name) => name.replace(/^sp_/, ""))];
  const nearestName = text.length > MAX_NEAR ? undefined : nearest(text, bare);
  const near = spelled.find((name) => name === nearestName || name === `sp_${nearestName}`);
  throw new ConfigurationError(
    `Cannot find a kind of entity called ${JSON.stringify(text)}. ` +
      (near === undefined ? `Expected one of ${spelled.join(", ")}` : `Did you mean "${near}"?`),
  );
}

/** Words of people for the families. */
const FAMILIES: Readonly<Record<string, string>> = { brands: "sb", display: "sd", products: "sp" };

function word(name: string): string {
  return name.toLowerCase().replace(/[. -]/g, "_")
    .replace(/^(brands|display|products)_/, (_, family: string) => `${FAMILIES[family] ?? family}_`);
}
