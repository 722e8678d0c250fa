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
