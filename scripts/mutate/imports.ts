import { dirname, join } from "node:path";
import ts from "typescript";

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
    const { importedFiles } = ts.preProcessFile(await this.#read(path), true, true);
    const direct = importedFiles.map(({ fileName }) => fileName)
      .filter((name) => name.startsWith(".") && name.endsWith(".ts"))
      .map((name) => join(dirname(path), name));
    this.#direct.set(path, direct);
    return direct;
  }
}
