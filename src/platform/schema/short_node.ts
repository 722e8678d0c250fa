export type ShortKeywords = Readonly<Record<string, unknown>>;

type ShortList = readonly [items: ShortNode, min?: number | null, max?: number];

export type ShortObject = { readonly [name: string]: ShortNode | ShortKeywords };

/**
 * Compact shape in `catalog/schemas`. Text stands for a simple shape: `*` any value, `@Name` a model, `=A|B` one of
 * these texts, `s i n b o` a text, integer, number, boolean or object, optionally followed by `:format` and
 * `<min..max>` (for text, its length).
 */
export type ShortNode = string | ShortList | ShortObject;

export interface ShortOperation {
  readonly p?: Readonly<Record<string, ShortObject>>;
  readonly b?: Readonly<Record<string, ShortNode>>;
  readonly br?: 1;
  readonly r?: Readonly<Record<string, Readonly<Record<string, ShortNode>>>>;
  readonly e?: number;
  readonly partial?: 1;
}

export interface ShortApi {
  readonly format: number;
  readonly api: string;
  readonly models: Readonly<Record<string, ShortNode>>;
  readonly errors: readonly Readonly<Record<string, ShortNode>>[];
  readonly operations: Readonly<Record<string, ShortOperation>>;
}
