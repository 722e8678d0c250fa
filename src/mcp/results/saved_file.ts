import { type FileHandle, mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { ConfigurationError } from "../../errors.ts";
import type { Row } from "./text_table.ts";

const FILE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}\.(json|jsonl)$/;

/** A file of rows that is being written into the folder that the person allowed. */
export class SavedFile {
  /** Path of the file. */
  readonly path: string;
  readonly #handle: FileHandle;
  readonly #isArray: boolean;
  #buffer = "";
  #rows = 0;

  private constructor(path: string, handle: FileHandle) {
    this.path = path;
    this.#handle = handle;
    this.#isArray = path.endsWith(".json");
  }

  /**
   * Makes the file.
   *
   * @param folder Folder that the person allowed; `undefined` when there is none.
   * @param name Name of the file inside it, `.json` or `.jsonl`.
   * @throws {ConfigurationError} when saving is not allowed, the name could leave the folder, or the file exists.
   */
  static async create(folder: string | undefined, name: string): Promise<SavedFile> {
    if (folder === undefined) {
      throw new ConfigurationError(
        "Cannot save: no folder is allowed. A person allows one with PLATFORM_ADS_MCP_SAVE_DIR",
      );
    }
    if (!FILE_NAME.test(name)) {
      throw new ConfigurationError(
        `Cannot save to ${JSON.stringify(name)}: give a file name alone, ending in .json or .jsonl, ` +
          "of letters, digits, dots, hyphens and underscores",
      );
    }
    await mkdir(folder, { recursive: true });
    const path = join(folder, name);
    try {
      // "wx" follows no link and replaces nothing.
      return new SavedFile(path, await open(path, "wx", 0o600));
    } catch (error) {
      if ((error as { code?: string }).code !== "EEXIST") throw error;
      throw new ConfigurationError(`Cannot save to "${name}": it exists already. Choose another name`);
    }
  }

  /** Adds a row. */
  async add(row: Row): Promise<void> {
    const lead = this.#isArray ? (this.#rows === 0 ? "[\n" : ",\n") : "";
    this.#buffer += lead + JSON.stringify(row) + (this.#isArray ? "" : "\n");
    this.#rows++;
    if (this.#buffer.length > 1_000_000) await this.#flush();
  }

  /** Completes the file. */
  async close(): Promise<void> {
    if (this.#isArray) this.#buffer += this.#rows === 0 ? "[]\n" : "\n]\n";
    await this.#flush();
    await this.#handle.close();
  }

  /** Removes the file, because it will not be complete. */
  async discard(): Promise<void> {
    await this.#handle.close();
    await rm(this.path, { force: true });
  }

  async #flush(): Promise<void> {
    await this.#handle.appendFile(this.#buffer);
    this.#buffer = "";
  }
}
