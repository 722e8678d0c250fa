import type { Alert, RaisedAlert } from "../../src/automation/watch/mod.ts";

/** An alert of a campaign whose name tries things. */
export const ALERT: Alert = {
  id: "0123456789ab",
  at: "2026-09-30T12:00:00.000Z",
  profileId: "1",
  countryCode: "US",
  rule: "dear",
  over: "campaign",
  severity: "warning",
  key: "9223406226462071360",
  subject: "Knives <!channel>",
  day: "2026-09-29",
  since: "2026-09-29",
  title: "US: Knives <!channel> \u001b[2J cost much",
  text: "one\ntwo",
  facts: { cost7d: 12.5 },
  planId: null,
};

/** The alert with its channels, as a rule raises it. */
export const raised = (alert: Alert, channels = ["out"], quietDays = 1): RaisedAlert => ({
  alert,
  quietDays,
  channels,
  isComplete: true,
});
