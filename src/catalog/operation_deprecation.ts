/** Deprecation of an operation: discouraged, or with a day of its end. */
export interface OperationDeprecation {
  /** Day from which new accounts are refused, `YYYY-MM-DD`; `undefined` where none is published. */
  readonly since: string | undefined;
  /** Day on which it ends, `YYYY-MM-DD`; `undefined` where none is published. */
  readonly shutoff: string | undefined;
  /** Replacements: ids of operations, or a method and a path that the catalog does not list. */
  readonly replacedBy: readonly string[];
}

/** Says in a line when an operation ends and what replaces it: `ended on 2025-09-30. Use "a:b" or "c:d"`. */
export function deprecationText({ since, shutoff, replacedBy }: OperationDeprecation, today: string): string {
  const end = shutoff === undefined
    ? "is deprecated, without a day of its end"
    : shutoff <= today
    ? `ended on ${shutoff}`
    : `ends on ${shutoff}`;
  const start = since === undefined ? "" : ` (for new accounts on ${since})`;
  const use = replacedBy.length === 0 ? "" : `. Use ${replacedBy.map((one) => `"${one}"`).join(" or ")}`;
  return `${end}${start}${use}`;
}
