/** A way in which the file system fails. */
export interface FileFault {
  /** Paths that fail. */
  readonly path: RegExp;
  /** The error's code, for example `ENOSPC`. */
  readonly code: string;
  /** Bytes of a write that still fit before it fails. @default 0 */
  readonly fits?: number;
  /** Writes of such paths that go well first. @default 0 */
  readonly after?: number;
}

interface Handle {
  writeFile(text: string): Promise<void>;
}

interface Files {
  open(path: string, flags: string, mode: number): Promise<Handle>;
}

interface Runtime {
  getBuiltinModule(name: string): object;
}

/** Runs something while writes to some files fail, as on a full disk or in a folder that may not be written. */
export async function withFailingFiles<T>(fault: FileFault, run: () => Promise<T>): Promise<T> {
  const { process } = globalThis as unknown as { process: Runtime };
  const real = process.getBuiltinModule;
  const files = real.call(process, "fs/promises") as Files;
  let left = fault.after ?? 0;
  const failing: Files = {
    ...files,
    open: async (path, flags, mode) => {
      if (flags.startsWith("r") || !fault.path.test(path) || left-- > 0) {
        return await files.open(path, flags, mode);
      }
      const error = Object.assign(new Error(`${fault.code}: ${path}`), { code: fault.code, path });
      if (fault.fits === undefined) throw error;
      const handle = await files.open(path, flags, mode);
      const write = handle.writeFile.bind(handle);
      handle.writeFile = async (text) => {
        await write(text.slice(0, fault.fits));
        throw error;
      };
      return handle;
    },
  };
  process.getBuiltinModule = (name) => name === "fs/promises" ? failing : real.call(process, name);
  try {
    return await run();
  } finally {
    process.getBuiltinModule = real;
  }
}
