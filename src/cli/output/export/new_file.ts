import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { CliError } from "../../core/errors/cli_error.ts";
import { EXIT } from "../../core/errors/exit_codes.ts";

/** A file that is written under another name and takes its place when it is whole. */
export class NewFile {
  readonly #handle: FileHandle;
  readonly #path: string;
  readonly #temporary: string;

  private constructor(handle: FileHandle, path: string, temporary: string) {
    this.#handle = handle;
    this.#path = path;
    this.#temporary = temporary;
  }

  /**
   * Begins a file.
   *
   * @throws {CliError} when nothing can be written there.
   */
  static async create(path: string): Promise<NewFile> {
    const temporary = `${path}.${crypto.randomUUID().slice(0, 8)}.tmp`;
    try {
      return new NewFile(await open(temporary, "wx"), path, temporary);
    } catch (cause) {
      throw failure(path, cause);
    }
  }

  /** Path until the file is complete. */
  get temporaryPath(): string {
    return this.#temporary;
  }

  /** Writes bytes at the end. */
  async write(bytes: Uint8Array): Promise<void> {
    try {
      for (let done = 0; done < bytes.length;) {
        done += (await this.#handle.write(bytes, done, bytes.length - done)).bytesWritten;
      }
    } catch (cause) {
      throw failure(this.#path, cause);
    }
  }

  /** Puts the file in its place. */
  async finish(): Promise<void> {
    try {
      await this.#handle.sync();
      await this.#handle.close();
      await rename(this.#temporary, this.#path);
    } catch (cause) {
      throw failure(this.#path, cause);
    }
  }

  /** Takes back what was written. */
  async abandon(): Promise<void> {
    await this.#handle.close().catch(() => {});
    await rm(this.#temporary, { force: true });
  }
}

function failure(path: string, cause: unknown): CliError {
  return new CliError(`Cannot write "${path}": ${(cause as Error).message}`, EXIT.failed, { cause });
}
