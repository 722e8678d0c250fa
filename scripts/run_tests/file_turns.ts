import type { FileHooks } from "./marks.ts";

/** A file whose tests run now. */
interface Turn {
  readonly file: string;
  readonly ready: Promise<void>;
}

/** Runs the hooks of the files that share an isolate: the tests of a file follow each other. */
export class FileTurns {
  readonly #hooks = new Map<string, FileHooks>();
  #turn: Turn | undefined;

  /** The file whose tests run now. */
  get file(): string | undefined {
    return this.#turn?.file;
  }

  /** True if a file has something to do after its tests. */
  get needsEnd(): boolean {
    return [...this.#hooks.values()].some(({ after }) => after.length > 0);
  }

  /** Gives a file that is loaded the place for its hooks. */
  add(file: string): FileHooks {
    const hooks: FileHooks = { before: [], after: [] };
    this.#hooks.set(file, hooks);
    return hooks;
  }

  /** Called before each test. Where what its file does before them fails, each of its tests does. */
  async begin(file: string): Promise<void> {
    if (this.#turn?.file !== file) {
      await this.end();
      this.#turn = { file, ready: this.#prepare(file) };
    }
    await this.#turn!.ready;
  }

  /** Ends the turn of the last file. */
  async end(): Promise<void> {
    const { file } = this.#turn ?? {};
    this.#turn = undefined;
    for (const hook of this.#hooks.get(file ?? "")?.after ?? []) {
      try {
        await hook();
      } catch (cause) {
        throw new Error(`Cannot clean up after ${file}: ${(cause as Error).message}`, { cause });
      }
    }
  }

  async #prepare(file: string): Promise<void> {
    for (const hook of this.#hooks.get(file)?.before ?? []) await hook();
  }
}
