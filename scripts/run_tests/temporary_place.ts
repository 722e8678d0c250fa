import { marks } from "./marks.ts";

/** Words of test files that start programs, some of them with few rights: Deno lets none of these read below /dev. */
const STARTS_PROGRAMS = /\b(?:Command|execPath)\(|process(?:es)?\.ts"|\bnode:child_process"/;

/** True of test files whose temporary files have to be on disk. */
export function needsDisk(text: string): boolean {
  return STARTS_PROGRAMS.test(text);
}

/**
 * Lets the temporary folders that this isolate makes be in memory, for a commit of a store waits for the disk.
 *
 * @param memory A folder in memory.
 * @param isOnDisk True while a file runs whose folders have to be on disk.
 */
export function keepInMemory(memory: string, isOnDisk: () => boolean): void {
  marks.temporary = () => isOnDisk() ? undefined : memory;
  const { makeTempDir, makeTempDirSync } = Deno;
  const placed = (options?: Deno.MakeTempOptions): Deno.MakeTempOptions => {
    const dir = marks.temporary?.();
    return { ...(dir === undefined ? {} : { dir }), ...options };
  };
  Object.defineProperties(Deno, {
    makeTempDir: {
      value: (options?: Deno.MakeTempOptions) => makeTempDir(placed(options)),
      configurable: true,
    },
    makeTempDirSync: {
      value: (options?: Deno.MakeTempOptions) => makeTempDirSync(placed(options)),
      configurable: true,
    },
  });
}
