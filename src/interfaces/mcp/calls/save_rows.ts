import { mkdir, open } from "node:fs/promises";
import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { ConfigurationError } from "../../../errors.ts";

const FILE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}\.(json|jsonl)$/;

/**
 * Saves rows to a new file; never overwrites a file.
 *
 * @param options.folder Folder approved by the user.
 * @param options.kept Folders that agents may not write to.
 * @param options.file Name in the folder, `.json` or `.jsonl`.
 * @throws {ConfigurationError} when saving is not allowed, the name leaves the folder, or the file exists.
 */
export async function saveRows(
  rows: readonly unknown[],
  { folder, file, kept }: { folder: string | undefined; file: string; kept: KeptFolders },
): Promise<string> {
  if (folder === undefined) {
    throw new ConfigurationError(
      "Cannot save: no folder is allowed. A person allows one with PLATFORM_ADS_MCP_SAVE_DIR",
    );
  }
  if (!FILE_NAME.test(file)) {
    throw new ConfigurationError(
      `Cannot save to ${JSON.stringify(file)}: give a file name alone, ending in .json or .jsonl, ` +
        "of letters, digits, dots, hyphens and underscores",
    );
  }
  checkApart(folder, kept);
  await mkdir(folder, { recursive: true });
  const path = join(folder, file);
  const lines = rows.map((row) => JSON.stringify(row));
  const text = file.endsWith(".jsonl")
    ? lines.map((line) => `${line}\n`).join("")
    : `[\n${lines.join(",\n")}\n]\n`;
  try {
    // "wx" follows no link and replaces nothing.
    const handle = await open(path, "wx", 0o600);
    await handle.writeFile(text);
    await handle.close();
  } catch (error) {
    if ((error as { code?: string }).code !== "EEXIST") throw error;
    throw new ConfigurationError(`Cannot save to "${file}": it exists already. Choose another name`);
  }
  return path;
}

interface KeptFolders {
  readonly planFolder: string;
  readonly policyFolder: string;
}

/**
 * Checks that a folder for agents' files is not in the folders of plans and of the policy. Follows symbolic links.
 *
 * @throws {ConfigurationError} when agents may not write to the folder or a parent of it.
 */
export function checkApart(folder: string, { planFolder, policyFolder }: KeptFolders): void {
  const own = realPlace(folder);
  for (const [what, other] of [["plans", planFolder], ["policy's days", policyFolder]] as const) {
    const kept = realPlace(other);
    if (own !== kept && !own.startsWith(kept + sep)) continue;
    throw new ConfigurationError(
      `Cannot let agents save into "${folder}": it is ${
        own === kept ? "" : "inside "
      }the folder of the ${what}. ` +
        "Name another one",
    );
  }
}

export function realPlace(path: string): string {
  const whole = resolve(path);
  try {
    return realpathSync(whole);
  } catch {
    const above = dirname(whole);
    return above === whole ? whole : join(realPlace(above), basename(whole));
  }
}
