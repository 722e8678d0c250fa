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

/** Remarks about single operations that their descriptions do not make, by id. */
export const OPERATION_NOTES: Readonly<Record<string, string>> = {
  "creative-assets:getUploadLocation":
    "Counts as read-only by its name, although it creates an upload location: a pre-signed address good for 15 minutes",
  "dsp-quick-actions:batchGetExecutionsV1": "Counts as a write by its name, although it only reads",
  "measurement:CheckDSPAudienceResearchEligibility": "Counts as a write by its name, although it only reads",
  "sponsored-brands-v3:createAsset":
    "Takes a form: pass the file as a `File` or `Blob`, and `assetInfo` as an object",
  "v1-exports:GetExport":
    "Documents one response type for each kind of export: pass `accept` with the type of the export you created",
};

/** The operations that do what a tool of the hosted tool server does, by the tool's id, where a match is known. */
export const HOSTED_TOOL_MATCHES: Readonly<Record<string, readonly string[]>> = {
  "mcp-billing:list_invoices": [
    "advertising-billing:getAdvertiserInvoices",
    "advertising-billing:getInvoice",
  ],
  "mcp-billing:list_invoice_summaries": ["advertising-billing:GetBillingInvoiceSummaries"],
};
