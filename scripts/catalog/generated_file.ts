import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** A file that a script makes, and what it is to hold. */
export interface GeneratedFile {
  /** Where it lives. */
  readonly path: string;
  /** Its whole content. */
  readonly text: string;
}

/** How generated files are brought up to date. */
export interface BringUpToDateOptions {
  /** Only compare, write nothing. */
  readonly check: boolean;
  /** Called with each file that was written, or in a check with each that differs. */
  readonly log: (line: string) => void;
}

/** Writes the files that differ from what they should hold; in a check, only names them. Returns how many differ. */
export async function bringUpToDate(
  files: readonly GeneratedFile[],
  { check, log }: BringUpToDateOptions,
): Promise<number> {
  let different = 0;
  for (const { path, text } of files) {
    const present = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    if (present === text) continue;
    different++;
    if (check) {
      log(`${path} is out of date at line ${firstDifference(present ?? "", text)}`);
      continue;
    }
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    log(`Wrote ${path}`);
  }
  return different;
}

function firstDifference(present: string, wanted: string): number {
  const lines = present.split("\n");
  const at = wanted.split("\n").findIndex((line, index) => line !== lines[index]);
  return (at === -1 ? wanted.split("\n").length : at) + 1;
}
