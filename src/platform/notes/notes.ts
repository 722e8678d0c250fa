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
 * The platform's undocumented behaviours, as met by people who use it. `docs/quirks.md` is made from this list, and the
 * tool server's `api_notes` serves it.
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
