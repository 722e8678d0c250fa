import { closeSync, openSync, unlinkSync } from "node:fs";
import { join } from "node:path";

/** A temporary file, unlinked after opening, so it disappears even if the process is killed. */
export interface TemporaryFile {
  readonly handle: number;
  close(): void;
}

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
