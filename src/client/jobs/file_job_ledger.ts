import { withFileLock } from "../../base/runtime/file_lock.ts";
import { type FileSystem, fileSystem } from "../../base/runtime/file_system.ts";
import { ConfigurationError } from "../../errors.ts";
import { isTaken, type JobLedger, type JobRecord, newestFirst, type StartedJob } from "./job_ledger.ts";

const LOCK = { lease: 10_000, maxWait: 30_000 };
const ENDING = ".json";

export class FileJobLedger implements JobLedger {
  readonly starting: Map<string, Promise<StartedJob>> = new Map();
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Claims a job; atomic across processes. */
  async claim(record: JobRecord, instead?: JobRecord): Promise<JobRecord | undefined> {
    const path = this.#path(record.key);
    const step = await withFileLock(`${path}.lock`, LOCK, async (files) => {
      const known = await this.#read(files, path);
      if (known !== undefined && isTaken(known, instead)) return known;
      await files.writeText(path, text(record), { mode: 0o600 });
      return undefined;
    });
    if (step !== undefined) return step.result;
    throw new ConfigurationError(
      `Cannot record a job: "${path}.lock" is held by another process. Remove it if none is running`,
    );
  }

  async put(record: JobRecord): Promise<void> {
    await fileSystem().writeText(this.#path(record.key), text(record), { mode: 0o600 });
  }

  async get(key: string): Promise<JobRecord | undefined> {
    return await this.#read(fileSystem(), this.#path(key));
  }

  /** Lists the records, newest first; invalid files are skipped. */
  async list(): Promise<readonly JobRecord[]> {
    const files = fileSystem();
    const names = (await files.list(this.#folder)).filter((name) => name.endsWith(ENDING));
    const read = await Promise.all(names.map((name) => this.#read(files, files.join(this.#folder, name))));
    return newestFirst(read.flatMap((record) => record ?? []));
  }

  #path(key: string): string {
    return fileSystem().join(this.#folder, `${key.slice(0, 32)}${ENDING}`);
  }

  async #read(files: FileSystem, path: string): Promise<JobRecord | undefined> {
    try {
      const record = JSON.parse(await files.readText(path)) as Partial<JobRecord>;
      return typeof record.key === "string" && typeof record.state === "string"
        ? record as JobRecord
        : undefined;
    } catch (error) {
      // A record that cannot be read may be that of a job which is being built.
      if ((error as { code?: string }).code === "ENOENT" || error instanceof SyntaxError) return undefined;
      throw error;
    }
  }
}

function text(record: JobRecord): string {
  return JSON.stringify(record) + "\n";
}
