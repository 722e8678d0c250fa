import { BatchResult } from "../../platform/batch/batch_result.ts";
import { failure } from "../../platform/batch/item_error.ts";
import { catalog } from "../../platform/catalog/catalog.ts";
import { prepareCall } from "../../platform/catalog/prepare_call.ts";
import { ConfigurationError } from "../../errors.ts";
import type { PlanCalls, WriteOptions } from "../../plans/model/plan_target.ts";
import type { CallState, PlannedCall } from "../../plans/model/planned_call.ts";
import { writeBatch } from "../entities/resource/write_batch.ts";
import type { ApiResponse } from "../../platform/transport/api_request.ts";
import type { AssetLibrary } from "./asset_library.ts";
import { callInput, requestText } from "./call_input.ts";
import { responseVerdict } from "./response_verdict.ts";
import { type CallTarget, sendCall } from "./send_call.ts";
import type { ReadUploads } from "./send_upload.ts";

export class PlannedCalls implements PlanCalls {
  readonly #target: CallTarget;
  readonly #read: ReadUploads = {};

  constructor(target: CallTarget) {
    this.#target = target;
  }

  async check(calls: readonly PlannedCall[]): Promise<void> {
    const { limit, scope, transport } = this.#target;
    if (limit === undefined) return;
    for (const call of calls) {
      const { wireWord } = transport.platform;
      const prepared = prepareCall(await catalog.get(call.operation), callInput(call), { wireWord });
      await limit.check({ ...prepared, scope });
    }
  }

  /**
   * Sends planned calls. A call counts as accepted only if all of its items are accepted.
   *
   * @throws {ConfigurationError} when the method or path differs from the reviewed one.
   */
  async send(calls: readonly PlannedCall[], options: WriteOptions = {}): Promise<BatchResult> {
    for (const call of calls) await ensureAsReviewed(call);
    let library: AssetLibrary | undefined;
    return await writeBatch(calls, {
      ...options,
      limit: 1,
      resendInternalErrors: false,
      transport: this.#target.transport,
      send: async ([call], watch) => {
        if (call === undefined) return new BatchResult([], []);
        const { rows, file } = call;
        if (file !== undefined) {
          const [{ sendAsset }, { AssetLibrary }] = await Promise.all([
            import("./send_asset.ts"),
            import("./asset_library.ts"),
          ]);
          const { signal } = options;
          return await sendAsset({ ...call, file }, {
            target: this.#target,
            library: library ??= new AssetLibrary(),
            watch,
            ...(signal && { signal }),
          });
        }
        if (rows !== undefined) {
          const { sendUpload } = await import("./send_upload.ts");
          const { signal } = options;
          return await sendUpload({ ...call, rows }, {
            ...{ target: this.#target, watch, read: this.#read },
            ...(signal && { signal }),
          });
        }
        const input = {
          ...callInput(call),
          check: "off",
          ...(options.signal && { signal: options.signal }),
        } as const;
        const { json, status } = await sendCall(call.operation, input, { ...this.#target, watch });
        return verdictOf(call, { json, status });
      },
    });
  }

  async read(
    call: PlannedCall,
    options: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<CallState | undefined> {
    if (call.file !== undefined) {
      const { assetState } = await import("./asset_library.ts");
      return await assetState(call, this.#target, options);
    }
    const { readCallState } = await import("./call_state.ts");
    return await readCallState(call, this.#target, options);
  }
}

async function ensureAsReviewed(call: PlannedCall): Promise<void> {
  const now = await requestText(call);
  if (now === call.request) return;
  throw new ConfigurationError(
    `Cannot send "${call.operation}": it was reviewed as ${call.request}, and is ${now} now. Make a new plan`,
  );
}

function verdictOf(call: PlannedCall, { json, status }: Pick<ApiResponse, "json" | "status">): BatchResult {
  const { refused, unknown, ids, count } = responseVerdict(json, status);
  const [first] = [...refused, ...unknown];
  if (first === undefined) {
    const id = ids.length === 1 ? ids[0] : undefined;
    return new BatchResult([{ index: 0, id, item: call, entity: json }], []);
  }
  const outcome = refused.length === count ? "refused" : unknown.length === count ? "unknown" : "partial";
  const { code, lowerLimit, upperLimit, hint } = first;
  const message = count > 1 || refused.length > 0
    ? `${refused.length + unknown.length} of ${count} items failed. ${first.message}`
    : first.message;
  return new BatchResult([], [
    failure({ index: 0, item: call, outcome }, { code, lowerLimit, upperLimit, hint, message, raw: json }),
  ]);
}
