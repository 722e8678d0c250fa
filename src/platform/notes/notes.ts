import { ACCOUNTS, REQUESTS } from "./requests.ts";
import { CHANGE_HISTORY, INVOICES, REPORTS } from "./reports.ts";
import {
  KEYWORD_TEXT,
  SPONSORED_BRANDS,
  SPONSORED_DISPLAY,
  SPONSORED_PRODUCTS,
  SUGGESTED_BIDS,
} from "./ad_products.ts";
import type { NoteGroup } from "./note.ts";

export type { Note, NoteGroup } from "./note.ts";

/**
 * Undocumented behavior of the platform that users have observed. `docs/quirks.md` is generated from this list, and
 * the tool server's `api_notes` returns it.
 */
export const NOTES: readonly NoteGroup[] = [
  ACCOUNTS,
  REQUESTS,
  SPONSORED_PRODUCTS,
  SPONSORED_BRANDS,
  SPONSORED_DISPLAY,
  KEYWORD_TEXT,
  SUGGESTED_BIDS,
  CHANGE_HISTORY,
  REPORTS,
  INVOICES,
];
