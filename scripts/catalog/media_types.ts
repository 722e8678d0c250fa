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
 * Chooses the media types an operation is sent with: the newest vendor type it documents, and for the answer the
 * request's own type where the description allows that.
 */
export function chooseMediaTypes(
  contentTypes: readonly string[],
  accepts: readonly string[],
): ChosenMediaTypes {
  const contentType = newest(contentTypes);
  const accept =
    contentType !== undefined && contentType !== "application/json" && accepts.includes(contentType)
      ? contentType
      : newest(accepts);
  return { ...(contentType && { contentType }), ...(accept && { accept }) };
}

/** Orders media types by name, then by version, so that v3.10 comes after v3.9. */
export function sortedMediaTypes(types: Iterable<string>): string[] {
  return [...new Set(types)].map(parse).sort((a, b) =>
    compareText(family(a), family(b)) || compareVersions(a, b) || compareText(a.name, b.name)
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

function family(type: MediaType): string {
  return type.name.replace(/\.v\d+(?:[._]\d+)*(?=\+|;|$)/i, "");
}

function compareVersions(a: MediaType, b: MediaType): number {
  const parts = Math.max(a.version.length, b.version.length);
  for (let at = 0; at < parts; at++) {
    const difference = (a.version[at] ?? 0) - (b.version[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
