import { readdir, readlink, stat } from "node:fs/promises";

/** A file that this process holds open. */
export interface OpenFile {
  /** Where it is, followed by ` (deleted)` when it has no name any more. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Who may do what with it, for example `0o600`. */
  readonly mode: number;
}

const DESCRIPTORS = "/proc/self/fd";

/** The files that this process holds open, those of other tests included; `undefined` where the system does not say. */
export async function openFiles(): Promise<OpenFile[] | undefined> {
  const names = await readdir(DESCRIPTORS).catch(() => undefined);
  if (names === undefined) return undefined;
  const open: OpenFile[] = [];
  for (const name of names) {
    const place = `${DESCRIPTORS}/${name}`;
    try {
      const [path, { size, mode }] = [await readlink(place), await stat(place)];
      open.push({ path, size, mode: mode & 0o777 });
    } catch {
      // It was closed meanwhile.
    }
  }
  return open;
}
