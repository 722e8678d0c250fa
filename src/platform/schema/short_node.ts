/** Keywords of a shape that have no short form, with the shapes among them in theirs. */
export type ShortKeywords = Readonly<Record<string, unknown>>;

/** A list: the shape of its items, then the fewest and the most of them where those are known. */
type ShortList = readonly [items: ShortNode, min?: number | null, max?: number];

/** An object: the shape of each field, `!` after the name of a required one; further keywords under the empty name. */
export type ShortObject = { readonly [name: string]: ShortNode | ShortKeywords };

/**
 * A shape as `catalog/schemas` holds it. A text stands for a simple one: `*` any value, `@Name` a model, `=A|B` a text
 * out of those, `s i n b o` a text, integer, number, boolean or object, with `:format` and `<least..greatest>` (of
 * a text, its length) after it.
 */
export type ShortNode = string | ShortList | ShortObject;

/** An operation's shapes as `catalog/schemas` holds them. */
export interface ShortOperation {
  /** Parameters by place: `path`, `query`, `header`. */
  readonly p?: Readonly<Record<string, ShortObject>>;
  /** Shape of the body by media type. */
  readonly b?: Readonly<Record<string, ShortNode>>;
  /** 1 when the body is required. */
  readonly br?: 1;
  /** Shape of the successful response by status and media type. */
  readonly r?: Readonly<Record<string, Readonly<Record<string, ShortNode>>>>;
  /** Index of the error shapes among those of the API. */
  readonly e?: number;
  /** 1 when it was read in part: what is not described may exist. */
  readonly partial?: 1;
}

/** Content of a file of `catalog/schemas`: the shapes of one API. */
export interface ShortApi {
  /** Version of this format. */
  readonly format: number;
  /** Slug of the API. */
  readonly api: string;
  /** Shapes that others refer to, by name. */
  readonly models: Readonly<Record<string, ShortNode>>;
  /** Sets of error shapes by status (or `default`), to which operations refer by index. */
  readonly errors: readonly Readonly<Record<string, ShortNode>>[];
  readonly operations: Readonly<Record<string, ShortOperation>>;
}
