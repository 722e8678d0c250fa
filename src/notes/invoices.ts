import type { NoteGroup } from "./note.ts";

/** Invoices. */
export const INVOICES: NoteGroup = {
  id: "invoices",
  title: "Invoices",
  notes: [
    {
      id: "invoice-media-types",
      title: "The documented media types are refused",
      text: "406 with an empty body; `application/json` works and is what is sent.",
    },
    {
      id: "invoice-wrapper",
      title: "The answer is wrapped, and pages by cursor",
      text:
        "`{status, payload}`; pass `payload.nextCursor` back as `cursor`, without `count`. The key is absent on the last page.",
    },
    {
      id: "invoice-open-period",
      title: "The open period is listed and cannot be fetched",
      text: "Its status is ACCUMULATING, and it has no id, dates of its own, fees or taxes.",
    },
  ],
};
