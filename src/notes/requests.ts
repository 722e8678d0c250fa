import type { NoteGroup } from "./note.ts";

/** Requests and batches. */
export const REQUESTS: NoteGroup = {
  id: "requests",
  title: "Requests and batches",
  notes: [
    {
      id: "media-types",
      title: "Media types are versions",
      text:
        "Nearly every operation has a media type of its own with a version in it, for the body and for the response. The catalog holds both; a wrong one gets 415 or 406.",
    },
    {
      id: "multi-status",
      title: "207 says nothing about success",
      text:
        "A batch gets 207 even when every item was refused. Read the verdicts: `result.ok`, `result.errors`, or `result.raiseForErrors()`.",
    },
    {
      id: "success-order",
      title: "The success list is in no promised order",
      text:
        "Pair each success with its item by `index`, never by position. Brands keywords are the exception: their verdicts are a plain array in request order.",
    },
    {
      id: "empty-pages",
      title: "An empty page is not the last one",
      text: "A page of a list can hold no entity and still have a `nextToken`. Only a missing token ends it.",
    },
    {
      id: "filter-limits",
      title: "Each filter has a limit of its own",
      text:
        "Sponsored Products takes 1,000 ids of the entities themselves but 100 of their parents; Brands takes 10 of either. Longer lists are split here, each at its own limit. The state filter of portfolios takes one state.",
    },
    {
      id: "big-ids",
      title: "Ids are 64-bit integers",
      text:
        "Many are past 2^53, where a JavaScript number loses its last digits. They are strings here, in and out; where the wire wants a bare number (Brands keywords, profiles, reports) it gets one without a lost digit.",
    },
    {
      id: "throttling",
      title: "429 comes with or without Retry-After",
      text:
        "Limits are not published and change by region, operation and hour. The client waits as long as the platform asks, else a random time that grows, and every other request of the same client waits too; then requests leave one after the other, at the rate that the platform let through. Suggested bids are throttled hardest; creating reports is counted over a window longer than the retries of one request.",
    },
    {
      id: "accepted-429",
      title: "A report whose creation got a 429 may exist",
      text:
        "Sending the same body again then gets 425 and the id of the report, which is taken over when its configuration is the same.",
    },
  ],
};
