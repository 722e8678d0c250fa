import { dirname, join } from "node:path";
import ts from "typescript";

/** `new URL("./runner.ts", import.meta.url)`: a program that is started, or a file that is read. */
const ADDRESS = /new URL\(\s*["'`]([^"'`$:]+)["'`],\s*import\.meta\.url/g;

/** Paths that a module imports, by its own path and text; packages are left out. */
export function importsIn(path: string, text: string): readonly string[] {
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName)
    .filter((name) => name.startsWith("."))
    .map((name) => join(dirname(path), name));
}

/** Paths that a module names by addresses relative to itself. */
export function addressesIn(path: string, text: string): readonly string[] {
  return [...text.matchAll(ADDRESS)].map(([, name]) => join(dirname(path), name!));
}

/** Which files of a project a file imports, directly or through others, itself among them. */
export class Imports {
  readonly #read: (path: string) => Promise<string>;
  readonly #direct = new Map<string, readonly string[]>();

  /** @param read Gives the text of a file by its path from the root. */
  constructor(read: (path: string) => Promise<string>) {
    this.#read = read;
  }

  async of(file: string): Promise<ReadonlySet<string>> {
    const found = new Set([file]);
    for (const path of found) for (const imported of await this.#directly(path)) found.add(imported);
    return found;
  }

  async #directly(path: string): Promise<readonly string[]> {
    const known = this.#direct.get(path);
    if (known !== undefined) return known;
    const direct = importsIn(path, await this.#read(path)).filter((name) => name.endsWith(".ts"));
    this.#direct.set(path, direct);
    return direct;
  }
}
