import { ConfigurationError } from "../../errors.ts";
import { nearest } from "../text/nearest.ts";
import { fileSystem } from "./file_system.ts";

const REASONS: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "there is no such file"],
  ["ENOTDIR", "a part of the path is not a folder"],
  ["EISDIR", "it is a folder"],
  ["EACCES", "it may not be read by this user"],
]);

export async function readNamedFile(path: string, what: string): Promise<string> {
  try {
    return await readText(path);
  } catch (cause) {
    throw await cannotRead(cause, { path, what });
  }
}

export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readText(path);
  } catch (cause) {
    if ((cause as { code?: string }).code === "ENOENT") return undefined;
    throw await cannotRead(cause, { path, what: "the file" });
  }
}

export async function readNamedBytes(path: string, what: string): Promise<Uint8Array> {
  try {
    return new Uint8Array(await (await fileSystem().openBlob(path)).arrayBuffer());
  } catch (cause) {
    throw await cannotRead(cause, { path, what });
  }
}

export async function* readNamedParts(path: string, what: string): AsyncGenerator<string> {
  try {
    yield* fileSystem().readParts(path);
  } catch (cause) {
    throw await cannotRead(cause, { path, what });
  }
}

async function readText(path: string): Promise<string> {
  return (await fileSystem().readText(path)).replace(/^\uFEFF/, "");
}

async function cannotRead(
  cause: unknown,
  { path, what }: { path: string; what: string },
): Promise<ConfigurationError> {
  if (cause instanceof ConfigurationError) return cause;
  const { code, message } = cause as Error & { code?: string };
  const why = REASONS.get(code ?? "") ?? code ?? message;
  const near = code === "ENOENT" ? await similarFile(path) : undefined;
  const hint = near === undefined ? "" : `. Did you mean "${near}"?`;
  return new ConfigurationError(`Cannot read ${what} "${path}": ${why}${hint}`, { cause });
}

async function similarFile(path: string): Promise<string | undefined> {
  const name = fileSystem().basename(path);
  const folder = path.slice(0, path.length - name.length);
  const names = await fileSystem().list(folder === "" ? "." : folder).catch(() => []);
  const near = nearest(name, names);
  // Two names are not similar because they end in ".json".
  const isSimilar = near !== undefined && nearest(stem(name), [stem(near)]) !== undefined;
  return isSimilar ? folder + near : undefined;
}

function stem(name: string): string {
  return name.replace(/\.\w+$/, "");
}
