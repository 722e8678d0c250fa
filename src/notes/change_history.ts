import type { NoteGroup } from "./note.ts";

export const CHANGE_HISTORY: NoteGroup = {
  id: "change-history",
  title: "Change history",
  notes: [
    {
      id: "history-whole-advertiser",
      title: "Without ids the history seems empty",
      text:
        "A question that names neither entities nor campaigns must ask for the whole advertiser in so many words, or no event comes back. It is done for you.",
    },
    {
      id: "history-filters",
      title: "The filters of the history do not filter",
      text: "Events of other change types and other entity types come back too, and are sorted out here.",
    },
    {
      id: "history-limits",
      title: "90 days, ten ids, no names",
      text:
        "Older changes are forgotten; longer lists of ids are split; values are texts; who made a change is not recorded, and changes of display ads are not at all.",
    },
    {
      id: "history-restorable",
      title: "Most values can be put back, archives and texts not",
      text:
        "`rollbackPlan` puts back bids, states, budgets, names, dates, portfolios, bidding strategies and placements, and pauses what was created since. What is archived stays archived; what no update takes is named in the plan's warnings.",
    },
  ],
};
