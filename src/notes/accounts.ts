import type { NoteGroup } from "./note.ts";

/** Accounts, regions and tokens. */
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
      id: "unserved-path",
      title: "403 may mean that the path does not exist",
      text:
        "The gateway responds with 403 with a message about the authorization header to every path it does not serve, the tools of the hosted tool server among them. Check the path before the permissions.",
    },
  ],
};
