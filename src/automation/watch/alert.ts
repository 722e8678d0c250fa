import type { AlertSeverity } from "./watch_file.ts";
import type { WatchOver } from "./watch_names.ts";

/** An alert from a rule or a script, as stored and delivered. */
export interface Alert {
  /** Id of the alert: twelve hexadecimal digits, the same on any machine for the same finding on the same day. */
  readonly id: string;
  /** Time at which it was raised, ISO 8601. */
  readonly at: string;
  /** Id of the profile that the alert is about, digits as text. */
  readonly profileId: string;
  /** Two-letter country code. */
  readonly countryCode: string;
  /** Name of the rule, or of the script. */
  readonly rule: string;
  /** Rows that the rule checks. */
  readonly over: WatchOver | "pacing" | "script";
  /** Urgency of the alert. */
  readonly severity: AlertSeverity;
  /** Key of the row that raised the alert, unique in the rule: an id or a text. */
  readonly key: string;
  /** Name of the campaign, keyword, term or report; empty for the whole profile. */
  readonly subject: string;
  /** Last day that the rule checked, `YYYY-MM-DD` in the profile's time zone. */
  readonly day: string;
  /** First of the consecutive days with this finding, `YYYY-MM-DD`. */
  readonly since: string;
  /** One sentence: the finding, and where it occurred. */
  readonly title: string;
  /** Figures, earlier changes and recommended action, one per line. */
  readonly text: string;
  /** Facts by their names in conditions: amounts in the profile's currency, rates as fractions. */
  readonly facts: Readonly<Record<string, number | string>>;
  /** Plan that the rule proposed; `null` if there is none. */
  readonly planId: string | null;
}

const SEVERITIES: readonly AlertSeverity[] = ["urgent", "warning", "note"];

/** Sorts alerts by severity, urgent ones first. */
export function bySeverity(a: Pick<Alert, "severity">, b: Pick<Alert, "severity">): number {
  return SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity);
}
