import type { AccountFiles } from "../../account/files/account_files.ts";
import type { SheetFile } from "../../account/tables/open_tables.ts";

interface FieldDoc {
  /** A phrase without a period. Unit and default are added from the field's type. */
  readonly help: string;
  readonly brief?: string;
  /** Describes a default that is not a fixed value. */
  readonly otherwise?: string;
  readonly value?: string;
  readonly required?: true | "option";
  readonly option?: string;
  readonly short?: string;
  readonly isRare?: true;
  /** True for an optional argument of a command, before those with a default. */
  readonly isArgument?: true;
  /** True for a field that neither tools nor routes have. */
  readonly isOfCommands?: true;
}

interface TextField extends FieldDoc {
  readonly type: "text";
  readonly maxLength?: number;
}
/** `+10%`, `*1.2`, `+0.05`, or a new amount. */
interface StepField extends FieldDoc {
  readonly type: "step";
  readonly default?: string;
}
interface ChoiceField extends FieldDoc {
  readonly type: "choice";
  readonly choices: readonly string[];
  /** Words accepted only by commands, because agents never type them. */
  readonly inCommands?: readonly string[];
  /** The only choice of commands, as a switch without a value. */
  readonly flag?: string;
  readonly default?: string;
}
interface WholeField extends FieldDoc {
  readonly type: "whole";
  readonly min: 0 | 1;
  readonly max?: number;
  readonly default?: number;
}
/** An amount of money in the currency of the profile. */
interface AmountField extends FieldDoc {
  readonly type: "amount";
  readonly or?: string;
}
/** A share: 0.3 for 30 %. */
interface ShareField extends FieldDoc {
  readonly type: "share";
  /** True for a share that can be negative, such as an effect. */
  readonly isSigned?: true;
  readonly or?: string;
  readonly default?: number;
}
/** A number above 0, such as the rate between two currencies. */
interface RateField extends FieldDoc {
  readonly type: "rate";
}
/** Digits as text. */
interface IdsField extends FieldDoc {
  readonly type: "ids";
}
/** Positions in a list, counted from 0. */
interface PositionsField extends FieldDoc {
  readonly type: "positions";
}
interface WordsField extends FieldDoc {
  readonly type: "words";
}
/** Values of the placeholders of a statement: text in commands; text, numbers or null in JSON. */
interface ParametersField extends FieldDoc {
  readonly type: "parameters";
}
/** Several names, which may contain commas. */
interface NamesField extends FieldDoc {
  readonly type: "names";
}
/** Platform codes such as `BID_AMOUNT`, case-insensitive and with hyphens. Unknown codes are accepted. */
interface CodesField extends FieldDoc {
  readonly type: "codes";
  readonly known: readonly string[];
}
/** Days ago (`-7`), hours ago (`-3h`), a day of the account, or ISO 8601. */
interface MomentField extends FieldDoc {
  readonly type: "moment";
  readonly edge?: "end";
  /** Words with a meaning of their own. */
  readonly orWords?: readonly string[];
  readonly default?: string;
}
/** A day of the account, or days before today (`-7`). */
interface DayField extends FieldDoc {
  readonly type: "day";
  /** True to accept a period such as `last week`, for its first or last day. */
  readonly orPeriod?: true;
  readonly default?: string;
}
/** A length of time: `15m`, `4h` or `3d`. */
interface SpanField extends FieldDoc {
  readonly type: "span";
  readonly maxDays: number;
}
interface ChoicesField extends FieldDoc {
  readonly type: "choices";
  readonly choices: readonly string[];
}
interface SwitchField extends FieldDoc {
  readonly type: "switch";
  /** True if the switch is on by default; a command turns it off by `--no-...`. */
  readonly default?: true;
}
export interface TableColumn {
  readonly type: "text" | "amount";
  readonly required?: true;
  readonly isInFiles?: true;
}
interface TableField extends FieldDoc {
  readonly type: "table";
  readonly columns: Readonly<Record<string, TableColumn>>;
  readonly maxRows: number;
}

interface DocumentField extends FieldDoc {
  readonly type: "document";
  /** Default file of a command. */
  readonly file?: string;
  readonly maxLength?: number;
}
export type DocumentText = string | { readonly text: string; readonly source: string };

export function textOf(document: DocumentText): string {
  return typeof document === "string" ? document : document.text;
}

/** Account files: a folder in commands, texts by path in JSON. */
interface FilesField extends FieldDoc {
  readonly type: "files";
}
export type FileTexts = AccountFiles | Readonly<Record<string, string>>;

/** A bulk sheet or a report as a file, which only commands take. */
interface SheetField extends FieldDoc {
  readonly type: "sheet";
  readonly isOfCommands: true;
}
interface SheetsField extends FieldDoc {
  readonly type: "sheets";
  readonly isOfCommands: true;
}
/** Meanings of headers and words, or files of them; only commands take them. */
interface MapField extends FieldDoc {
  readonly type: "map";
  readonly isOfCommands: true;
}

/** The file of an example. */
export function sheetNamed(name: string): SheetFile {
  return { name, bytes: new Uint8Array() };
}

interface PairsField extends FieldDoc {
  readonly type: "pairs";
  /** `word` is text or a whole number; `any` and `words` allow several values per name. */
  readonly values: "text" | "word" | "words" | "any";
  /** A name for tools whose clients reject an object schema without properties. */
  readonly sample?: string;
}
/** The name of a report, or its configuration. */
interface ReportField extends FieldDoc {
  readonly type: "report";
}
/** Reporting API: `old` or `new` in commands, 3 or 1 in JSON. */
interface ReportingField extends FieldDoc {
  readonly type: "reporting";
  /** True if commands can compare both. */
  readonly orCompare?: true;
}
/** A part of what is updated: true in JSON updates it too; `only`, the option of a command, nothing else. */
interface PartField extends FieldDoc {
  readonly type: "part";
  /** Help of the option `--no-...`. */
  readonly orNot?: string;
}
export type ReportText = string | Readonly<Record<string, unknown>>;
interface JsonField extends FieldDoc {
  readonly type: "json";
}

interface EntityField extends FieldDoc {
  readonly type: "entity";
}
interface ItemsField extends FieldDoc {
  readonly type: "items";
}

export type Field =
  | FilesField
  | SheetField
  | SheetsField
  | MapField
  | TextField
  | StepField
  | ChoiceField
  | WholeField
  | AmountField
  | ShareField
  | RateField
  | IdsField
  | PositionsField
  | WordsField
  | NamesField
  | ParametersField
  | CodesField
  | MomentField
  | DayField
  | SpanField
  | ChoicesField
  | SwitchField
  | TableField
  | DocumentField
  | PairsField
  | ReportField
  | ReportingField
  | PartField
  | JsonField
  | EntityField
  | ItemsField;

/** The fields of an operation's input, by name: `campaign_ids` is `--campaign-id` in a command. */
export type Fields = Readonly<Record<string, Field>>;

type RowOf<Columns extends Readonly<Record<string, TableColumn>>> =
  & {
    readonly [Name in keyof Columns as Columns[Name] extends { required: true } ? Name : never]:
      Columns[Name] extends { type: "amount" } ? number : string;
  }
  & {
    readonly [Name in keyof Columns as Columns[Name] extends { required: true } ? never : Name]?:
      | (Columns[Name] extends { type: "amount" } ? number : string)
      | undefined;
  }
  & { readonly where?: string | undefined };

type WordOf<Of extends Field> = Of extends { readonly or: infer Word extends string } ? Word : never;

type ValueOf<Of extends Field> = Of extends { type: "text" | "step" | "entity" | "moment" | "day" | "span" }
  ? string
  : Of extends { type: "document" } ? DocumentText
  : Of extends { type: "files" } ? FileTexts
  : Of extends { type: "sheet" } ? SheetFile
  : Of extends { type: "sheets" } ? readonly SheetFile[]
  : Of extends { type: "map" } ? Readonly<Record<string, string>>
  : Of extends { type: "items" } ? readonly Readonly<Record<string, unknown>>[]
  : Of extends { type: "json" } ? unknown
  : Of extends { type: "report" } ? ReportText
  : Of extends { type: "part" } ? boolean | "only"
  : Of extends { type: "reporting" } ? 3 | 1 | (Of extends { orCompare: true } ? "compare" : never)
  : Of extends { type: "pairs"; values: infer Values } ? Readonly<
      Record<
        string,
        Values extends "text" ? string
          : Values extends "word" ? string | number
          : Values extends "words" ? readonly string[]
          : unknown
      >
    >
  : Of extends { type: "choice"; choices: readonly (infer Choice extends string)[] }
    ? Choice | (Of extends { inCommands: readonly (infer More extends string)[] } ? More : never)
  : Of extends { type: "choices"; choices: readonly (infer Choice extends string)[] } ? readonly Choice[]
  : Of extends { type: "whole" } ? number
  : Of extends { type: "rate" } ? number
  : Of extends { type: "amount" | "share" } ? number | WordOf<Of>
  : Of extends { type: "positions" } ? readonly number[]
  : Of extends { type: "ids" | "words" | "names" | "codes" } ? readonly string[]
  : Of extends { type: "parameters" } ? readonly (string | number | null)[]
  : Of extends { type: "switch" } ? boolean
  : Of extends { type: "table"; columns: infer Columns extends Readonly<Record<string, TableColumn>> }
    ? readonly RowOf<Columns>[]
  : never;

type Certain = { readonly default: unknown } | { readonly required: true | "option" };

export type InputOf<Of extends Fields> =
  & { readonly [Name in keyof Of as Of[Name] extends Certain ? Name : never]: ValueOf<Of[Name]> }
  & {
    readonly [Name in keyof Of as Of[Name] extends Certain ? never : Name]?: ValueOf<Of[Name]> | undefined;
  };

export function defaultOf(field: Field): string | number | true | undefined {
  return "default" in field ? field.default : undefined;
}

/** Fields of tools and routes: those that are not only of commands. */
export function requestFields(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, { isOfCommands }]) => !isOfCommands));
}

/** Drops undeclared values and applies defaults. */
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
