/** A field name in snake_case: `keyword_text` for `keywordText`. */
export type SnakeCase<Name> = Name extends `${infer Head}${infer Tail}`
  ? Head extends Lowercase<Head> ? `${Head}${SnakeCase<Tail>}` : `_${Lowercase<Head>}${SnakeCase<Tail>}`
  : Name;

/** A name in camelCase: `adGroups` for `ad_groups`. */
export type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** The fields of an entity in camelCase or snake_case; all required fields must use the same spelling. */
export type ItemFields<Entity, Needed extends keyof Entity> =
  & (
    | { readonly [Field in Needed as SnakeCase<Field>]-?: Exclude<Entity[Field], undefined> }
    | { readonly [Field in Needed]-?: Exclude<Entity[Field], undefined> }
  )
  & { readonly [Field in keyof Entity as string extends Field ? never : Field]?: Entity[Field] | undefined }
  & {
    readonly [Field in keyof Entity as string extends Field ? never : SnakeCase<Field>]?:
      | Entity[Field]
      | undefined;
  };

/** An entity with fields that an update may clear with `null`. */
export type Clearable<Entity, Names extends keyof Entity> = {
  readonly [Field in keyof Entity]: Field extends Names ? Entity[Field] | null : Entity[Field];
};

/**
 * An item to write: known fields are typed, in camelCase and in snake_case; additional fields are passed on unchanged.
 */
export type ItemInput<Entity, Needed extends keyof Entity> =
  | ItemFields<Entity, Needed> & { readonly [field: string]: unknown }
  | ItemFields<Entity, Needed>;
