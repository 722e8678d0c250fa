import { ACCOUNTS } from "./notes/accounts.ts";
import { CHANGE_HISTORY } from "./notes/change_history.ts";
import { INVOICES } from "./notes/invoices.ts";
import { KEYWORD_TEXT } from "./notes/keyword_text.ts";
import type { NoteGroup } from "./notes/note.ts";
import { REPORTS } from "./notes/reports.ts";
import { REQUESTS } from "./notes/requests.ts";
import { SPONSORED_BRANDS } from "./notes/sponsored_brands.ts";
import { SPONSORED_DISPLAY } from "./notes/sponsored_display.ts";
import { SPONSORED_PRODUCTS } from "./notes/sponsored_products.ts";
import { SUGGESTED_BIDS } from "./notes/suggested_bids.ts";

export type { Note, NoteGroup } from "./notes/note.ts";

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
