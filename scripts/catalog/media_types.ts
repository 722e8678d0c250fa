import { compareText } from "./facts.ts";

/** The media types that an operation is sent with. */
export interface ChosenMediaTypes {
  /** Type of the request body; absent when the operation documents none. */
  readonly contentType?: string;
  /** Type requested for the response; absent when the operation documents none. */
  readonly accept?: string;
}

interface MediaType {
  readonly name: string;
  readonly rank: number;
  readonly version: readonly number[];
}

/**
 * Chooses the media types an operation is sent with: the newest vendor type it documents, and for the response
 * the newest version of the request's own type where the description lists that type.
 */
export function chooseMediaTypes(
  contentTypes: readonly string[],
  accepts: readonly string[],
): ChosenMediaTypes {
  const contentType = newest(contentTypes);
  const isOwn = contentType !== undefined && contentType !== "application/json" &&
    accepts.includes(contentType);
  const accept = newest(isOwn ? accepts.filter((type) => family(type) === family(contentType)) : accepts);
  return { ...(contentType && { contentType }), ...(accept && { accept }) };
}

/** Orders media types by name, then by version, so that v3.10 comes after v3.9. */
export function sortedMediaTypes(types: Iterable<string>): string[] {
  return [...new Set(types)].map(parse).sort((a, b) =>
    compareText(family(a.name), family(b.name)) || compareVersions(a, b) || compareText(a.name, b.name)
  ).map((type) => type.name);
}

function newest(types: readonly string[]): string | undefined {
  const [best] = types.map(parse).sort((a, b) =>
    a.rank - b.rank || compareVersions(b, a) || compareText(a.name, b.name)
  );
  return best?.name;
}

function parse(name: string): MediaType {
  const rank = /^application\/vnd\./i.test(name)
    ? 0
    : /^application\/[^;]*\+json/i.test(name)
    ? 1
    : /^application\/json/i.test(name)
    ? 2
    : /^\*\/\*/.test(name)
    ? 4
    : 3;
  const version = /\.v(\d+(?:[._]\d+)*)(?=\+|;|$)/i.exec(name)?.[1] ?? "";
  return { name, rank, version: version === "" ? [] : version.split(/[._]/).map(Number) };
}

function family(name: string): string {
  return name.replace(/\.v\d+(?:[._]\d+)*(?=\+|;|$)/i, "");
}

function compareVersions(a: MediaType, b: MediaType): number {
  const parts = Math.max(a.version.length, b.version.length);
  for (let at = 0; at < parts; at++) {
    const difference = (a.version[at] ?? 0) - (b.version[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
