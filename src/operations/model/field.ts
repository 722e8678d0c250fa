/** Texts about a field, for every interface. */
interface FieldDoc {
  /** Meaning, as a phrase without a period. The type of the field adds its unit and its default. */
  readonly help: string;
  /** The same in few words, for agents; absent where the name says enough. */
  readonly brief?: string;
  /** Value that the field has when it is left out, in words, where it is not one fixed value. */
  readonly otherwise?: string;
  /** Word for the value in the usage of a command. @default a word for the type */
  readonly value?: string;
  /** True for a field that must be given; in a command it is an argument, or an option that may not be left out. */
  readonly required?: true | "option";
  /** Name of the option of a command, where it differs: `id` for `--id`. @default the field's name */
  readonly option?: string;
  /** Letter of the option of a command: `p` for `-p`. */
  readonly short?: string;
  /** True for a field that tools take without listing it: every agent pays for each listed one. */
  readonly isRare?: true;
}

interface TextField extends FieldDoc {
  readonly type: "text";
  readonly maxLength?: number;
}
/** A change of an amount: `+10%`, `*1.2`, `+0.05` or an amount. */
interface StepField extends FieldDoc {
  readonly type: "step";
  readonly default?: string;
}
/** One of several words. */
interface ChoiceField extends FieldDoc {
  readonly type: "choice";
  readonly choices: readonly string[];
  /** Words that only commands take: a person types them, never an agent. */
  readonly inCommands?: readonly string[];
  readonly default?: string;
}
/** A whole number. */
interface WholeField extends FieldDoc {
  readonly type: "whole";
  readonly min: 0 | 1;
  readonly max?: number;
  readonly default?: number;
}
/** An amount of money in the currency of the profile. */
interface AmountField extends FieldDoc {
  readonly type: "amount";
  /** A word that is taken too. */
  readonly or?: string;
}
/** A share: 0.3 for 30 %. */
interface ShareField extends FieldDoc {
  readonly type: "share";
  /** A word that is taken too. */
  readonly or?: string;
  readonly default?: number;
}
/** Several ids, digits as text. */
interface IdsField extends FieldDoc {
  readonly type: "ids";
}
/** Several words without commas. */
interface WordsField extends FieldDoc {
  readonly type: "words";
}
/** Several names, which may hold commas. */
interface NamesField extends FieldDoc {
  readonly type: "names";
}
/** Codes of the platform such as `BID_AMOUNT`, in any case and with hyphens; it may have others than the known ones. */
interface CodesField extends FieldDoc {
  readonly type: "codes";
  readonly known: readonly string[];
}
/** A moment as people type it: days ago (`-7`), hours ago (`-3h`), a day of the account, or ISO 8601. */
interface MomentField extends FieldDoc {
  readonly type: "moment";
  /** End of a day that is meant. @default "start" */
  readonly edge?: "end";
  readonly default?: string;
}
/** A day of the account, or days before today (`-7`). */
interface DayField extends FieldDoc {
  readonly type: "day";
  /** True where the name of a period is taken too, for its first or last day: `last week`. */
  readonly orPeriod?: true;
  readonly default?: string;
}
/** Some of several words. */
interface ChoicesField extends FieldDoc {
  readonly type: "choices";
  readonly choices: readonly string[];
}
interface SwitchField extends FieldDoc {
  readonly type: "switch";
  /** True for a switch that is on unless it is turned off: `--no-check-drift` in a command. */
  readonly default?: true;
}
/** A column of a {@linkcode TableField}. */
export interface TableColumn {
  readonly type: "text" | "amount";
  readonly required?: true;
  /** True for a column that only files have. */
  readonly isInFiles?: true;
}
/** Rows with named columns: a file for commands, a list of objects for others. */
interface TableField extends FieldDoc {
  readonly type: "table";
  readonly columns: Readonly<Record<string, TableColumn>>;
  readonly maxRows: number;
}

/** A text in a format of its own: a file for commands, the text for others. */
interface DocumentField extends FieldDoc {
  readonly type: "document";
}
/** Value of a {@linkcode DocumentField}; `source` is the name of its file in messages. */
export type DocumentText = string | { readonly text: string; readonly source: string };

/** Values by name: `name=value`, repeated, in a command, and an object for others. */
interface PairsField extends FieldDoc {
  readonly type: "pairs";
  /** Type of the values: text, text or whole number, or any; only `any` may have several for one name. */
  readonly values: "text" | "word" | "any";
}
/** Any JSON: text, `@file` or `-` in a command. */
interface JsonField extends FieldDoc {
  readonly type: "json";
}

/** A kind of entity, such as `sp_keywords`. */
interface EntityField extends FieldDoc {
  readonly type: "entity";
}
/** Entities as the library takes them: a file for commands, a list of objects for others. */
interface ItemsField extends FieldDoc {
  readonly type: "items";
}

/** A field of an operation's input. */
export type Field =
  | TextField
  | StepField
  | ChoiceField
  | WholeField
  | AmountField
  | ShareField
  | IdsField
  | WordsField
  | NamesField
  | CodesField
  | MomentField
  | DayField
  | ChoicesField
  | SwitchField
  | TableField
  | DocumentField
  | PairsField
  | JsonField
  | EntityField
  | ItemsField;

/** The fields of an operation's input, by name: `campaign_ids` is `--campaign-id` in a command. */
export type Fields = Readonly<Record<string, Field>>;

/** A row of a {@linkcode TableField}; `where` is its place in its file, for messages. */
type RowOf<Columns extends Readonly<Record<string, TableColumn>>> =
  & { readonly [Name in keyof Columns as Columns[Name] extends { required: true } ? Name : never]: string }
  & {
    readonly [Name in keyof Columns as Columns[Name] extends { required: true } ? never : Name]?:
      | (Columns[Name] extends { type: "amount" } ? number : string)
      | undefined;
  }
  & { readonly where?: string | undefined };

type WordOf<Of extends Field> = Of extends { readonly or: infer Word extends string } ? Word : never;

type ValueOf<Of extends Field> = Of extends { type: "text" | "step" | "entity" | "moment" | "day" } ? string
  : Of extends { type: "document" } ? DocumentText
  : Of extends { type: "items" } ? readonly Readonly<Record<string, unknown>>[]
  : Of extends { type: "json" } ? unknown
  : Of extends { type: "pairs"; values: infer Values } ? Readonly<
      Record<string, Values extends "text" ? string : Values extends "word" ? string | number : unknown>
    >
  : Of extends { type: "choice"; choices: readonly (infer Choice extends string)[] }
    ? Choice | (Of extends { inCommands: readonly (infer More extends string)[] } ? More : never)
  : Of extends { type: "choices"; choices: readonly (infer Choice extends string)[] } ? readonly Choice[]
  : Of extends { type: "whole" } ? number
  : Of extends { type: "amount" | "share" } ? number | WordOf<Of>
  : Of extends { type: "ids" | "words" | "names" | "codes" } ? readonly string[]
  : Of extends { type: "switch" } ? boolean
  : Of extends { type: "table"; columns: infer Columns extends Readonly<Record<string, TableColumn>> }
    ? readonly RowOf<Columns>[]
  : never;

type Certain = { readonly default: unknown } | { readonly required: true | "option" };

/** The input that an operation gets; fields that are required or have a default always have a value. */
export type InputOf<Of extends Fields> =
  & { readonly [Name in keyof Of as Of[Name] extends Certain ? Name : never]: ValueOf<Of[Name]> }
  & {
    readonly [Name in keyof Of as Of[Name] extends Certain ? never : Name]?: ValueOf<Of[Name]> | undefined;
  };

/** The default of a field, where it has one. */
export function defaultOf(field: Field): string | number | true | undefined {
  return "default" in field ? field.default : undefined;
}

/**
 * The input of an operation from values that an interface has read by its fields: only what is declared, with defaults.
 */
export function inputFrom<Of extends Fields>(
  fields: Of,
  values: Readonly<Record<string, unknown>>,
): InputOf<Of> {
  const read = Object.entries(fields).map((
    [name, field],
  ) => [name, asTyped(field, values[name] ?? defaultOf(field))]);
  // Each interface reads the values by the types of the fields, which a record cannot say.
  return Object.fromEntries(read.filter(([, value]) => value !== undefined)) as InputOf<Of>;
}

function asTyped(field: Field, value: unknown): unknown {
  if (field.type !== "codes" || !Array.isArray(value)) return value;
  return value.map((code) => String(code).toUpperCase().replaceAll("-", "_"));
}
