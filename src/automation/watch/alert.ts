import type { AlertSeverity } from "./watch_file.ts";
import type { WatchOver } from "./watch_names.ts";

/** An alert from a rule or a script, as stored and delivered. */
export interface Alert {
  /** Twelve hexadecimal digits, the same on any machine for the same finding on the same day. */
  readonly id: string;
  /** When it was raised, ISO 8601. */
  readonly at: string;
  /** Profile that the alert is about, digits as text. */
  readonly profileId: string;
  /** Two letters. */
  readonly countryCode: string;
  /** Name of the rule, or of the script. */
  readonly rule: string;
  /** Rows that the rule looks at. */
  readonly over: WatchOver | "pacing" | "script";
  /** How soon a person should look. */
  readonly severity: AlertSeverity;
  /** Key of the row in the rule: an id, or a text. */
  readonly key: string;
  /** Name of the campaign, keyword, term or report; empty for the whole profile. */
  readonly subject: string;
  /** Last day that the rule looked at, `YYYY-MM-DD` in the profile's zone. */
  readonly day: string;
  /** First of the consecutive days on which it was found, `YYYY-MM-DD`. */
  readonly since: string;
  /** One sentence: what, and where. */
  readonly title: string;
  /** Figures, what changed before, and what to do, in lines. */
  readonly text: string;
  /** Facts by the names that conditions read: amounts in the profile's currency, shares of 1. */
  readonly facts: Readonly<Record<string, number | string>>;
  /** Plan that the rule proposed; `null` for none. */
  readonly planId: string | null;
}
