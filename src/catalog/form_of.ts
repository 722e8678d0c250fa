/**
 * A form of fields and files: a `Blob`, a `File` or bytes become a file, objects and lists JSON, everything
 * else text.
 *
 * @throws {TypeError} for a body that is not an object of fields.
 */
export function formOf(operationId: string, body: unknown): FormData {
  if (body instanceof FormData) return body;
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new TypeError(
      `Cannot call "${operationId}": its body is a form. Pass an object with a value for each field`,
    );
  }
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined || value === null) continue;
    if (value instanceof Blob) form.append(name, value, value instanceof File ? value.name : name);
    else if (value instanceof Uint8Array) form.append(name, new Blob([new Uint8Array(value)]), name);
    else form.append(name, typeof value === "object" ? JSON.stringify(value) : String(value));
  }
  return form;
}
