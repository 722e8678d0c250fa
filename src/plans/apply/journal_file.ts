import { fileSystem } from "../../base/runtime/file_system.ts";
import { readNamedFile } from "../../base/runtime/read_named_file.ts";

/**
 * File with the journal of an application. What is written is durable once a promise resolves, and every process that
 * reads sees it then. It only ever grows.
 */
export interface JournalFile {
  /** How messages name it: its path, for example. */
  readonly name: string;
  /** Makes it with a first text; false when it exists already. Of several who try, one succeeds. */
  create(text: string): Promise<boolean>;
  /** The whole text. */
  read(): Promise<string>;
  /** Adds a text at the end. */
  append(text: string): Promise<void>;
  /** Length in characters; all of it is ASCII. */
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
