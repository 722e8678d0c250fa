/** Keywords without a short form, with short shapes inside. */
export type ShortKeywords = Readonly<Record<string, unknown>>;

/** A list: shape of the items, then minimum and maximum number of items. */
type ShortList = readonly [items: ShortNode, min?: number | null, max?: number];

/** An object: shapes of fields, `!` after a required name; other keywords under the empty name. */
export type ShortObject = { readonly [name: string]: ShortNode | ShortKeywords };

/**
 * A shape as `catalog/schemas` holds it. A text stands for a simple one: `*` any value, `@Name` a model, `=A|B` a text
 * out of those, `s i n b o` a text, integer, number, boolean or object, with `:format` and `<least..greatest>` (of
 * a text, its length) after it.
 */
export type ShortNode = string | ShortList | ShortObject;

/** Shapes of an operation in `catalog/schemas`. */
export interface ShortOperation {
  /** Parameters by place: `path`, `query`, `header`. */
  readonly p?: Readonly<Record<string, ShortObject>>;
  /** Body by media type. */
  readonly b?: Readonly<Record<string, ShortNode>>;
  /** 1 when the body is required. */
  readonly br?: 1;
  /** Successful responses by status and media type. */
  readonly r?: Readonly<Record<string, Readonly<Record<string, ShortNode>>>>;
  /** Index into the API's error shapes. */
  readonly e?: number;
  /** 1 when it was read in part; other fields may exist. */
  readonly partial?: 1;
}

/** A file of `catalog/schemas`: the shapes of one API. */
export interface ShortApi {
  readonly format: number;
  readonly api: string;
  /** Named models. */
  readonly models: Readonly<Record<string, ShortNode>>;
  /** Sets of error shapes by status (or `default`), referred to by index. */
  readonly errors: readonly Readonly<Record<string, ShortNode>>[];
  readonly operations: Readonly<Record<string, ShortOperation>>;
}
