/** A word or phrase that readers stumble over, and what to write in its place. */
export interface OddWord {
  /** Finds it in sources and pages. */
  readonly pattern: RegExp;
  /** What to write in its place. */
  readonly use: string;
  /** Files that keep it. */
  readonly except?: RegExp;
}

/** Words of a private dialect: none of them stays in a name, a message or a page. */
export const ODD_WORDS: readonly OddWord[] = [
  { pattern: /\b(?:Api|Token)Answer\b|"no-answer"|\bApiAnswered\b/, use: "response" },
  {
    pattern: /\b(?:platform's|host's|failed|multi-status|parsed) answers?\b|\banswered with [2-5]\d\d\b/,
    use: "response",
  },
  { pattern: /\brepeatThrottled\b/, use: "retryThrottled" },
  {
    pattern: /\b(?:outlast\w*|Patience|PATIENCE)\b/,
    use: "poller, retryWhileUnavailable, or a delay named for what it delays",
  },
  { pattern: /\bResultShelf\b/, use: "ResultCache" },
  { pattern: /\bensureModest\b/, use: "checkArgumentLimits" },
  // The location of a store is shown, so it lacks the password.
  { pattern: /(?:place: |In\()store\.location\b/, use: "storePlace" },
  { pattern: /\bqueryApart\b/, use: "queryInSubprocess" },
  { pattern: /\bpersonsWord\b/, use: "approvalDecision" },
  { pattern: /\bweightiest\b/i, use: "top changes" },
  { pattern: /\btwins?\b/i, use: "lookalikes" },
  { pattern: /\bbur(?:y|ied|ies)\b/i, use: "expire dead workers" },
  { pattern: /\bhabits?\b/i, use: "quirks, or behaviour" },
  {
    pattern: /\b(?:CampaignSketch|KeywordQuestion|AskedReport|Enqueueing|TroubledJob)\b/,
    use: "CampaignDraft, KeywordRequest, CreatedReport, EnqueueOptions, FailedJob",
  },
  { pattern: /\b(?:MOST|LONGEST|DEEPEST|SHORTEST)_(?!RECENT_(?:DAY|WEEK)\b)/, use: "MAX_ or MIN_" },
  { pattern: /\b(?:is|are|was|were|be|been) told\b(?! apart)/i, use: "is reported" },
  { pattern: /\bwhat (?:came|becomes?|became|comes) of\b/i, use: "result, or outcome" },
  { pattern: /\blet(?:s|ting)? go of\b/i, use: "closes, or releases" },
  { pattern: /\b(?:it|that|which|this) (?:is|are) no (?!longer\b)[a-z]/i, use: "is not a" },
  { pattern: /\bThere (?:is|are) \$\{/, use: "Expected one of" },
  { pattern: /\bshowings\b/i, use: "impressions" },
  { pattern: /\bdearer\b/i, use: "higher CPC" },
  { pattern: /\bgetting in\b/i, use: "authentication" },
  {
    pattern: /\b(?:[Tt]hree|[Tt]wo|[Ff]our|[Ee]very|[Oo]ther) doors?\b|\| Door\b|\bone house\b/,
    use: "interfaces, modules",
  },
  { pattern: /\bquestions? (?:that (?:is|are) )?asked of\b/i, use: "request" },
  { pattern: /\btake[ns]? up\b(?! to)/i, use: "resume" },
  { pattern: /\btook up\b/i, use: "resumed" },
  { pattern: /\bat the (?:most|least)\b/i, use: "at most, at least" },
  { pattern: /\bin the words (?:of|that)\b/i, use: "as ... says" },
  { pattern: /\bcan(?:not)? be had\b/i, use: "is (not) available" },
  { pattern: /\bout of hand\b/i, use: "uncontrolled" },
  // "reporting 1" in quotation marks is a value that stores hold.
  {
    pattern: /\breports? \((?:new|until)\b|(?<!")\breporting [13]\b/i,
    use: "new reports, old reports",
    except: /^CHANGELOG/,
  },
];
