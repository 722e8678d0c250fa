import { ConfigurationError } from "../errors.ts";
import { fileSystem } from "./file_system.ts";

const REASONS: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "there is no such file"],
  ["ENOTDIR", "a part of the path is not a folder"],
  ["EISDIR", "it is a folder"],
  ["EACCES", "it may not be read by this user"],
]);

/**
 * Reads a file that somebody named; a byte order mark at its start is left out.
 *
 * @param what What the file is, for the message: `the dotenv file`.
 * @throws {ConfigurationError} that says which file could not be read, and why.
 */
export async function readNamedFile(path: string, what: string): Promise<string> {
  try {
    return (await fileSystem().readText(path)).replace(/^\uFEFF/, "");
  } catch (cause) {
    if (cause instanceof ConfigurationError) throw cause;
    const code = (cause as { code?: string }).code;
    const why = REASONS.get(code ?? "") ?? code ?? (cause as Error).message;
    throw new ConfigurationError(`Cannot read ${what} "${path}": ${why}`, { cause });
  }
}
