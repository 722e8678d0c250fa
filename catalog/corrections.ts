/** How an operation is sent differently from what its description documents. */
export interface Correction {
  /** Media type requested for the response in place of the documented one. */
  readonly accept: string;
  /** Why. */
  readonly note: string;
}

const INVOICES =
  "Sent with Accept: application/json, because the live API responds 406 with an empty body to the documented media type";

/**
 * Operations whose description is wrong about the live API, by id. They win over the generated catalog.
 *
 * @example
 * ```ts
 * import { CORRECTIONS } from "@platform/ads";
 *
 * for (const [id, { accept, note }] of Object.entries(CORRECTIONS)) console.log(id, accept, note);
 * ```
 */
export const CORRECTIONS: Readonly<Record<string, Correction>> = Object.freeze({
  "advertising-billing:getAdvertiserInvoices": Object.freeze({ accept: "application/json", note: INVOICES }),
  "advertising-billing:getInvoice": Object.freeze({ accept: "application/json", note: INVOICES }),
});
