import type { Fields, InputOf } from "./field.ts";

/** Effect of an operation: it reads, saves a plan, or changes the account. */
export type Effect = "read" | "plan" | "send";

/** Spelling of an interface, for messages: `--hold-back` of a command is `hold_back` of a tool. */
export interface Spelling {
  /** A field as a person writes it. */
  readonly field: (name: string) => string;
}

/** An input with what it does, such as `{ days: 45 }`. */
export interface Example<Of extends Fields> {
  readonly input: Partial<InputOf<Of>>;
  readonly about: string;
}

/** Something that the product does for a person, declared once for every interface. */
export interface Operation<Of extends Fields, Context, Result> {
  /** Words of the command. */
  readonly name: string;
  /** Name of the tool. @default the words with underscores in place of spaces */
  readonly tool?: string;
  /** True where agents have no tool for it. */
  readonly isForPeople?: true;
  readonly effect: Effect;
  /** Title of the tool. */
  readonly title: string;
  /** A sentence in the imperative, without a period. */
  readonly summary: string;
  /** Further sentences for people. */
  readonly details: string;
  /** Description for agents, who pay for each word. */
  readonly brief: string;
  readonly examples: readonly Example<Of>[];
  /** The same in the library; absent where there is none. */
  readonly library?: string;
  readonly input: Of;
  /**
   * Refuses an input that makes no sense, before anything is read or sent. It may be asynchronous.
   *
   * @throws {RangeError | TypeError | ConfigurationError}
   */
  check?(input: InputOf<Of>, spelling: Spelling): unknown;
  run(context: Context, input: InputOf<Of>): Promise<Result>;
  /** Fields of the answer for programs, beside those that every answer of its kind has. */
  data?(result: Result): Readonly<Record<string, unknown>>;
  /** Lines for people after the answer. */
  lines?(result: Result): readonly string[];
}

/** An operation whose fields are not known by type, as the table holds it. */
export interface AnyOperation extends
  Pick<
    Operation<Fields, never, unknown>,
    "name" | "tool" | "isForPeople" | "effect" | "title" | "summary" | "brief" | "input"
  > {
  readonly examples: readonly { readonly input: Readonly<Record<string, unknown>>; readonly about: string }[];
  check?(input: Readonly<Record<string, unknown>>, spelling: Spelling): unknown;
}

/** The name of an operation's tool. */
export function toolName({ name, tool }: Pick<AnyOperation, "name" | "tool">): string {
  return tool ?? name.replaceAll(" ", "_");
}
