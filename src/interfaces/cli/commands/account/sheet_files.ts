import { existsSync, statSync } from "node:fs";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { UsageError } from "../../shell/io/cli_error.ts";

const MAX_BYTES = 500_000_000;

export async function readSheetFile(path: string): Promise<{ bytes: Uint8Array; name: string }> {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || !found.isFile()) {
    throw new UsageError(`Cannot read the sheet "${path}": the file does not exist`);
  }
  if (found.size > MAX_BYTES) {
    throw new UsageError(`Cannot read the sheet "${path}": the file is too large for a sheet`);
  }
  return { bytes: await readFile(path), name: `"${path}"` };
}

/** @throws {UsageError} when the file exists, unless `force` is set. */
export function ensureFree(path: string, { force = false }: { force?: boolean | undefined }): void {
  if (!force && existsSync(path)) {
    throw new UsageError(
      `Cannot write the sheet to "${path}": the file already exists. Choose another, or add --force`,
    );
  }
}

/** Writes atomically. */
export async function writeSheetFile(path: string, bytes: Uint8Array): Promise<void> {
  const part = `${path}.part`;
  try {
    await writeFile(part, bytes);
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw new UsageError(
      `Cannot write the sheet to "${path}": ${error instanceof Error ? error.message : error}`,
      {
        cause: error,
      },
    );
  }
}
