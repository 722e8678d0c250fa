import type { Fields, InputOf } from "./field.ts";

/**
 * `store` writes the store, such as reports, marks of alerts and bases of schedules; `send` changes the account, or lets
 * others change it.
 */
export type Effect = "read" | "store" | "plan" | "send";

/** Field names in messages: `--hold-back` of a command is `hold_back` of a tool. */
export interface Spelling {
  readonly field: (name: string) => string;
}

export const JSON_SPELLING: Spelling = { field: (name) => name };

export interface Example<Of extends Fields> {
  readonly input: Partial<InputOf<Of>>;
  readonly about: string;
}

export interface Operation<Of extends Fields, Context, Result> {
  readonly name: string;
  readonly tool?: string;
  readonly isForPeople?: true;
  readonly effect: Effect;
  readonly title: string;
  readonly summary: string;
  readonly details?: string;
  readonly brief: string;
  readonly examples: readonly Example<Of>[];
  /** Equivalent in the library; absent if there is none. */
  readonly library?: string;
  readonly input: Of;
  /**
   * Rejects invalid input before anything is read or sent; may be asynchronous.
   *
   * @throws {RangeError | TypeError | ConfigurationError}
   */
  check?(input: InputOf<Of>, spelling: Spelling): unknown;
  run(context: Context, input: InputOf<Of>): Promise<Result>;
  data?(result: Result): Readonly<Record<string, unknown>>;
  lines?(result: Result): readonly string[];
}

/** Types an operation by its context and result; the types of its fields are inferred. */
export function defineOperation<Context, Result>() {
  return <const Of extends Fields, const Kind extends Effect>(
    operation: Omit<Operation<Of, Context, Result>, "effect"> & { readonly effect: Kind },
  ): Operation<Of, Context, Result> & { readonly effect: Kind } => operation;
}

export interface AnyOperation extends
  Pick<
    Operation<Fields, never, unknown>,
    | "name"
    | "tool"
    | "isForPeople"
    | "effect"
    | "title"
    | "summary"
    | "details"
    | "brief"
    | "library"
    | "input"
  > {
  readonly examples: readonly { readonly input: Readonly<Record<string, unknown>>; readonly about: string }[];
  check?(input: Readonly<Record<string, unknown>>, spelling: Spelling): unknown;
}

export function toolName({ name, tool }: Pick<AnyOperation, "name" | "tool">): string {
  return tool ?? name.replaceAll(" ", "_");
}
