import type { NoteGroup } from "./note.ts";

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
      id: "endless-lists",
      title: "A list may not end by itself",
      text:
        "Some lists give a new `nextToken` with the same page again and again. Two pages in a row without a new id, or 20 empty ones, end the list with an error that names the token and the page.",
    },
    {
      id: "unexpected-success",
      title: "A success may hold an error",
      text:
        "A 200 may hold `{code, message, requestId}`, HTML or nothing, and a 207 `{}`. Each throws `UnexpectedResponseError` with the platform's code, words and request id; after a write the outcome is unknown.",
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
        "Limits are not published and change by region, operation and hour. The client waits as long as the platform asks, else a random time that grows. Every other request of the same client waits too, for the first ten seconds; a longer wait is for the refused profile alone, on that host and group of operations, until a second profile is refused. Then requests leave one after the other, at the rate that the platform let through. Suggested bids are throttled hardest; creating reports is counted over a window longer than the retries of one request.",
    },
    {
      id: "accepted-429",
      title: "A report whose creation got a 429 may exist",
      text:
        "Sending the same body again then gets 425 and the id of the report, which is taken over when its configuration is the same.",
    },
  ],
};

export const ACCOUNTS: NoteGroup = {
  id: "accounts",
  title: "Accounts, regions and tokens",
  notes: [
    {
      id: "regional-profiles",
      title: "A regional host knows only its own profiles",
      text:
        "Asked for profiles, a host lists those of its region and an empty list for all others; it never says that more exist elsewhere. `profiles()` asks all three hosts and joins the results. Australia, Japan and Singapore belong to the Far East; the United Kingdom and India to Europe.",
    },
    {
      id: "uk-not-gb",
      title: "The United Kingdom is UK, not GB",
      text:
        "The platform writes UK where ISO 3166 writes GB. Both are accepted here, and UK is what is sent and stored.",
    },
    {
      id: "console-ids",
      title: "The campaign id in the console's address is another id",
      text:
        'It begins with the letter A and means nothing to the API. Brands responds with 400 "Id filter has invalid value" to it.',
    },
    {
      id: "several-profiles",
      title: "One marketplace can hold several profiles",
      text:
        'A seller and a vendor account of one company, for example. Self-publishing authors have the type `vendor` and a `subType`. `profile("DE")` refuses to guess and lists the candidates.',
    },
    {
      id: "refresh-token-life",
      title: "Refresh tokens end after a year",
      text:
        "Those given since the middle of 2026 end 365 days after consent, however often they are used. A new client secret ends every refresh token at once. The provider then responds with `invalid_grant`. Set PLATFORM_ADS_CONSENT_DATE and the tools warn 30 days ahead.",
    },
    {
      id: "scope-refused",
      title: "401 may be about the profile",
      text:
        '"Not authorized to access scope" means that the user who gave the consent has no access to that profile (any more), "No matching advertiser found for scope" that the host does not know it. A new token does not help; one renewal is tried.',
    },
    {
      id: "advertiser-id",
      title: '400 "Advertiser ID cannot be decrypted" wants another id',
      text:
        "The operation takes the id of an advertiser account as the platform lists it, not that of a profile or of the console.",
    },
    {
      id: "unserved-path",
      title: "403 may mean that the path does not exist",
      text:
        "The gateway responds with 403 with a message about the authorization header to every path it does not serve, the tools of the hosted tool server among them. Check the path before the permissions.",
    },
  ],
};
