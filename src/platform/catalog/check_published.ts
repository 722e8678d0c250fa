import { fieldsOf } from "../../base/json/fields_of.ts";
import { requireOneOf } from "../../base/text/nearest.ts";
import { visibleText } from "../../base/text/visible_text.ts";
import type { CallCheck } from "./call_types.ts";
import type { Operation } from "./operation.ts";
import type { CallInput } from "./prepare_call.ts";
import type { SchemaFinding } from "../schema/schema_error.ts";

interface PublishedCheck {
  readonly warnings: readonly string[];
  readonly unchecked: boolean;
}

/**
 * @throws {SchemaError} with `strict`, for any difference.
 * @throws {TypeError} for an update without an id, which the platform would create, and for an unknown `check`.
 */
export async function checkPublished(
  operation: Operation,
  input: CallInput,
  check: CallCheck,
): Promise<PublishedCheck> {
  requireOneOf("check", check, ["warn", "strict", "off"] satisfies CallCheck[]);
  if (check === "off") return { warnings: [], unchecked: false };
  const isForm = /^multipart\//i.test(input.contentType ?? operation.contentType ?? "");
  const findings = await operation.check(isForm ? { ...input, body: textsOf(input.body) } : input);
  const { creates: [create], archives: [archive, ...more] } = implicitOperations(
    operation,
    input.body,
    findings ?? [],
  );
  if (findings !== undefined && findings.length > 0) {
    const { SchemaError } = await import("../schema/mod.ts");
    if (check === "strict") throw new SchemaError(operation.id, findings);
  }
  if (create !== undefined) {
    throw new TypeError(
      `Cannot call "${operation.id}": "${
        visibleText(create)
      }" is missing, and the platform would create a new entity of ` +
        "the item. Call the operation that creates",
    );
  }
  const { findingText } = await import("../schema/mod.ts");
  const others = more.length === 0 ? "" : ` (and ${more.length} more)`;
  return {
    warnings: [
      ...(archive === undefined ? [] : [`${visibleText(archive)}${others} archives for good`]),
      ...(findings ?? []).map(findingText),
    ],
    unchecked: findings === undefined,
  };
}

function textsOf(body: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fieldsOf(body)).map(([name, value]) => [name, typeof value === "string" ? value : ""]),
  );
}

interface ImplicitOperations {
  readonly creates: readonly string[];
  readonly archives: readonly string[];
}

/**
 * An update without an id is a create, one with the state `archived` an archive.
 *
 * @param findings Differences from the published description; they name missing ids.
 */
function implicitOperations(
  operation: Operation,
  body: unknown,
  findings: readonly SchemaFinding[],
): ImplicitOperations {
  if (!isUpdate(operation)) return { creates: [], archives: [] };
  const creates = findings.flatMap(({ path, field = "" }) =>
    isOwnId(operation, path, field) ? [`${path}.${field}`] : []
  );
  return { creates, archives: archivesIn(body, "") };
}

function isUpdate({ method, operationId, path }: Operation): boolean {
  return method === "PUT" || method === "PATCH" || /update/i.test(operationId) || /\/update\//.test(path);
}

function isOwnId({ path }: Operation, way: string, field: string): boolean {
  const [, list] = /^(\w*)\[\d+\]$/.exec(way) ?? [];
  if (list === undefined || !field.endsWith("Id")) return false;
  return `${path}/${list}`.toLowerCase().includes(field.slice(0, -2).toLowerCase());
}

function archivesIn(value: unknown, way: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => archivesIn(item, `${way}[${index}]`));
  return Object.entries(fieldsOf(value)).flatMap(([name, field]) => {
    const inner = way === "" ? name : `${way}.${name}`;
    if (Array.isArray(field)) return archivesIn(field, inner);
    return name === "state" && way !== "" && /^archived$/i.test(String(field)) ? [inner] : [];
  });
}
