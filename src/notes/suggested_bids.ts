import type { NoteGroup } from "./note.ts";

export const SUGGESTED_BIDS: NoteGroup = {
  id: "suggested-bids",
  title: "Suggested bids",
  notes: [
    {
      id: "bids-one-family",
      title: "Keywords and products do not mix",
      text:
        'A request that holds both gets 422 "All targeting expressions should have the same targeting type". They are asked for apart here, a hundred expressions at a time.',
    },
    {
      id: "bids-pat-asin",
      title: "Product targets go by another name",
      text:
        "A target ASIN_SAME_AS is asked for as PAT_ASIN; its own name gets 422. No bid at all is suggested for ASIN_EXPANDED_FROM and for expressions of several parts: `forTargets` lists them in `unsupported`.",
    },
    {
      id: "bids-missing",
      title: "A price may be missing",
      text:
        "Some expressions come back without values, and some marketplaces give none for whole families (Australia for products). Such a suggestion is there with `undefined` prices; fewer than three values are a bid without a range.",
    },
    {
      id: "bids-themes",
      title: "Suggestions depend on the season",
      text:
        "CONVERSION_OPPORTUNITIES is there all year; before sales events a second theme such as BFCM_HOLIDAY stands beside it.",
    },
  ],
};
