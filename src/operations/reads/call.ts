import type { ResponseHead } from "../../platform/catalog/call_types.ts";
import { catalog } from "../../platform/catalog/catalog.ts";
import { checkPublished } from "../../platform/catalog/check_published.ts";
import type { Operation as ApiOperation } from "../../platform/catalog/operation.ts";
import { prepareCall } from "../../platform/catalog/prepare_call.ts";
import { UnsupportedOperationError } from "../../errors.ts";
import { CALL_FIELDS, callOf, type OwnCall } from "../model/call_fields.ts";
import { defineOperation } from "../model/operation.ts";
import type { ReadContext } from "./read_operation.ts";

export interface CallContext extends ReadContext {
  readonly onResponse?: (response: ResponseHead) => void;
  /** True after a person was asked. @default false */
  readonly mayWrite?: boolean;
}

/** Runs an operation of the platform; one that can change data only if the interface asked a person first. */
export const callOperation = defineOperation<CallContext, unknown>()({
  name: "ops call",
  tool: "call_operation",
  effect: "read",
  title: "Call a read-only operation",
  summary: "Call an operation and print its response",
  details:
    "Takes method, path and media types from the catalog. Asks before an operation that can change data. " +
    "Rejects missing or malformed parameters before sending. Other mismatches with the published description " +
    "are warnings, because descriptions contain errors; --check strict rejects them.",
  brief:
    "Runs a read-only API operation in a profile and returns its response. Find it with search_operations and " +
    "its parameters with describe_operation. Write operations are refused; use plan_call.",
  examples: [
    {
      input: { operation: "advertising-billing:getAdvertiserInvoices", query: { count: "5" } },
      about: "a query parameter",
    },
  ],
  library:
    'await profile.call("advertising-billing:getInvoice", undefined, { pathParams: { invoiceId: "ABC123" } })',
  input: CALL_FIELDS,
  check: preparedCall,
  async run({ profile, mayWrite = false, ...watch }, input) {
    const { id, readOnly } = await catalog.get(input.operation);
    if (!readOnly && !mayWrite) {
      throw new UnsupportedOperationError(`Cannot call "${id}" here: it can change data`);
    }
    const { body, ...rest } = callOf(input);
    return await profile.call<string>(id, body, { ...rest, ...watch, check: "off" });
  },
});

interface PublishedCall extends Awaited<ReturnType<typeof checkPublished>> {
  readonly operation: ApiOperation;
  readonly path: string;
}

/**
 * Compares a call with its published description.
 *
 * @throws {TypeError} for an update that would create.
 * @throws {SchemaError} with `strict`, for a difference from the published description.
 */
export async function publishedCall(input: OwnCall): Promise<PublishedCall> {
  const { operation, call, path } = await preparedCall(input);
  return { operation, path, ...await checkPublished(operation, call, input.check) };
}

/** @throws {UnsupportedOperationError | TypeError | RangeError} for a call that cannot be sent. */
async function preparedCall(input: OwnCall) {
  const operation = await catalog.get(input.operation);
  operation.ensureSendable();
  const call = callOf(input);
  return { operation, call, path: prepareCall(operation, call).path };
}
