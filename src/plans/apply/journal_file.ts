import { fileSystem } from "../../base/runtime/file_system.ts";
import { readNamedFile } from "../../base/runtime/read_named_file.ts";

/**
 * Append-only file with the journal of a plan's application. Once a promise resolves, the write is durable and visible
 * to all processes.
 */
export interface JournalFile {
  /** Name for messages, for example its path. */
  readonly name: string;
  /**
   * Creates the file with its first text; false if the file already exists. If several processes try, exactly one
   * succeeds.
   */
  create(text: string): Promise<boolean>;
  /** The whole text. */
  read(): Promise<string>;
  /** Adds a text at the end. */
  append(text: string): Promise<void>;
  /** Length in characters; the text is pure ASCII. */
  size(): Promise<number>;
}

export function journalFile(path: string): JournalFile {
  return {
    name: path,
    create: (text) => fileSystem().createText(path, text, { mode: 0o600 }),
    read: () => readNamedFile(path, "the journal"),
    append: (text) => fileSystem().appendText(path, text),
    size: () => fileSystem().size(path),
  };
}
