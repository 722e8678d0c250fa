import { closeSync, openSync, unlinkSync } from "node:fs";
import { join } from "node:path";

/** An open temporary file without a name, so that it is gone even when the process is killed. */
export interface TemporaryFile {
  readonly handle: number;
  close(): void;
}

/** Makes a temporary file that its owner alone can read. */
export function temporaryFile(folder: string): TemporaryFile {
  const path = join(folder, `platform-ads-${crypto.randomUUID()}.tmp`);
  const handle = openSync(path, "wx+", 0o600);
  // Windows keeps the name of an open file; there it is removed at the end.
  removed(path);
  return {
    handle,
    close() {
      closeSync(handle);
      removed(path);
    },
  };
}

function removed(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It has no name any more, or is still open.
  }
}
