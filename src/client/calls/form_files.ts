import { fileSystem } from "../../runtime/file_system.ts";

/**
 * A body whose streams and addresses of files are files, ready for a form. A stream is read to its end first, so that a
 * request that is throttled can be sent again; a file is read from its path when it is sent.
 *
 * @throws {TypeError} for an address that is not one of a file, or a file that cannot be opened. Nothing was sent.
 */
export async function withFiles(body: unknown): Promise<unknown> {
  if (typeof body !== "object" || body === null || Array.isArray(body) || body instanceof FormData) {
    return body;
  }
  const fields = Object.entries(body);
  if (!fields.some(([, value]) => value instanceof ReadableStream || value instanceof URL)) return body;
  return Object.fromEntries(
    await Promise.all(fields.map(async ([name, value]) => [name, await fileOf(name, value)] as const)),
  );
}

async function fileOf(name: string, value: unknown): Promise<unknown> {
  if (value instanceof ReadableStream) return await new Response(value).blob();
  return value instanceof URL ? await fileAt(name, value) : value;
}

async function fileAt(name: string, address: URL): Promise<File> {
  if (address.protocol !== "file:") {
    throw new TypeError(`Cannot send "${name}": ${address.protocol} is not the address of a file`);
  }
  const files = fileSystem();
  const path = decodeURIComponent(address.pathname).replace(/^\/(?=[A-Za-z]:)/, "");
  try {
    return new File([await files.openBlob(path)], files.basename(path));
  } catch (cause) {
    throw new TypeError(`Cannot send "${name}": the file "${path}" cannot be opened`, { cause });
  }
}
