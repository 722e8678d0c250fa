import type { NoteGroup } from "./note.ts";

export const REQUESTS: NoteGroup = {
  id: "requests",
  title: "Requests and batches",
  notes: [
    {
      id: "media-types",
      title: "The media type sets the version",
      text:
        "Nearly every operation has its own versioned media types, for the body and for the response. The catalog has both; a wrong one causes 415 or 406.",
    },
    {
      id: "multi-status",
      title: "207 does not mean success",
      text:
        "A batch gets 207 even if every item was refused. Check the outcomes: `result.ok`, `result.errors`, or `result.raiseForErrors()`.",
    },
    {
      id: "success-order",
      title: "The order of the success list is not guaranteed",
      text:
        "Match each success to its item by `index`, never by position. Brands keywords are the exception: their outcomes are a plain array in request order.",
    },
    {
      id: "empty-pages",
      title: "An empty page is not always the last one",
      text:
        "A page of a list can be empty and still have a `nextToken`. The list ends only when the token is missing.",
    },
    {
      id: "endless-lists",
      title: "Some lists never end",
      text:
        "They return the same page again and again, each time with a new `nextToken`. After two pages in a row without a new id, or 20 empty ones, the client throws an error that names the token and the page.",
    },
    {
      id: "unexpected-success",
      title: "A success status may carry an error",
      text:
        "A 200 may contain `{code, message, requestId}`, HTML or nothing, and a 207 may contain `{}`. Each throws `UnexpectedResponseError` with the platform's code, message and request id; after a write, the outcome is unknown.",
    },
    {
      id: "filter-limits",
      title: "Each filter has its own limit",
      text:
        "Sponsored Products accepts 1,000 ids of the entities themselves, but only 100 ids of their parents; Brands accepts 10 of either. The client splits longer lists at these limits. The state filter of portfolios accepts one state.",
    },
    {
      id: "big-ids",
      title: "Ids are 64-bit integers",
      text:
        "Many are greater than 2^53, where a JavaScript number loses digits. Ids are strings here. Where the API expects a number (Brands keywords, profiles, reports), the client sends all digits.",
    },
    {
      id: "throttling",
      title: "429 may come without Retry-After",
      text:
        "The limits are not published; they vary by region, operation and hour. The client waits as long as the platform asks, or else for a random, growing time. For the first ten seconds, all other requests of the client wait too. A longer wait only applies to the throttled profile, on that host and group of operations, until a second profile is throttled. After that, requests leave one after another, at the rate that the platform allowed. Suggested bids are throttled most. New reports are counted over a longer time than the retries of one request.",
    },
    {
      id: "accepted-429",
      title: "A report may exist even though its creation got a 429",
      text:
        "If the same body is sent again, the response is 425 with the id of that report. The client uses that report if it has the same configuration.",
    },
  ],
};

export const ACCOUNTS: NoteGroup = {
  id: "accounts",
  title: "Accounts, regions and tokens",
  notes: [
    {
      id: "regional-profiles",
      title: "A regional host only lists its own profiles",
      text:
        "A host only lists the profiles of its own region; for other accounts the list is empty, without a hint that they have profiles elsewhere. `profiles()` asks all three hosts and joins the results. Australia, Japan and Singapore belong to the Far East; the United Kingdom and India belong to Europe.",
    },
    {
      id: "uk-not-gb",
      title: "The United Kingdom is UK, not GB",
      text: "The platform writes UK where ISO 3166 writes GB. Both are accepted here; UK is sent and stored.",
    },
    {
      id: "console-ids",
      title: "The campaign id in the console's address is not an API id",
      text:
        'It begins with the letter A, and the API does not know it. Brands responds with 400 "Id filter has invalid value".',
    },
    {
      id: "several-profiles",
      title: "A marketplace can have several profiles",
      text:
        'A company can have a seller and a vendor account, for example. Self-publishing authors have the type `vendor` and a `subType`. If several profiles match, `profile("DE")` throws an error that lists them.',
    },
    {
      id: "refresh-token-life",
      title: "Refresh tokens expire after a year",
      text:
        "Tokens issued since mid-2026 expire 365 days after consent, however often they are used. A new client secret invalidates all refresh tokens at once. The provider then responds with `invalid_grant`. If you set PLATFORM_ADS_CONSENT_DATE, the tools warn you 30 days ahead.",
    },
    {
      id: "scope-refused",
      title: "401 may be about the profile",
      text:
        '"Not authorized to access scope" means that the user who gave consent does not have access to that profile, or no longer has it. "No matching advertiser found for scope" means that the host does not know the profile. A new token does not help; the client renews it only once.',
    },
    {
      id: "advertiser-id",
      title: '400 "Advertiser ID cannot be decrypted" means that another id is needed',
      text:
        "The operation takes the id of an advertiser account as the platform lists it, not a profile id or an id from the console.",
    },
    {
      id: "unserved-path",
      title: "403 may mean that the path does not exist",
      text:
        "The gateway responds with 403 and a message about the authorization header to every path that it does not serve, including the tools of the hosted tool server. Check the path before the permissions.",
    },
  ],
};
