/** Polling intervals of a job, in seconds. */
export interface JobRhythm {
  /** Seconds from its creation to the first poll. */
  readonly first: number;
  /** Seconds from the first poll to the second. */
  readonly next: number;
  /** Maximum seconds between two polls. */
  readonly longest: number;
  /** Factor by which each pause between polls grows. @default 2 */
  readonly growth?: number;
  /** Maximum seconds to wait in total; the job may still complete later. */
  readonly deadline: number;
}

/** Place and format of a job's result. */
export interface JobOutput {
  /** Operation whose response contains the result. @default the status operation */
  readonly operation?: string;
  /**
   * Field with the pre-signed address of a file, or with a list of addresses; a dotted path, which may lead through
   * lists.
   */
  readonly addresses?: string;
  /** Field with the rows of a page, if the result has no files. */
  readonly pages?: string;
  /** Field of a JSON file that contains the list of rows, if the file itself is not a list. */
  readonly list?: string;
  /** Character that escapes a quote in CSV. @default the quote itself, doubled */
  readonly escape?: "\\";
  /** Shape of rows: fields in objects by subject (`nested`), or ids written as `="123"` (`formulas`). @default plain */
  readonly shape?: "nested" | "formulas";
  /** True if the result files are not tables, such as workbooks or archives, and therefore have no rows. */
  readonly isFiles?: true;
}

/** How to find a job in a list after the response to its creation was lost. */
export interface JobSearch {
  /** Operation that lists jobs. */
  readonly operation: string;
  /** Field of the list response that contains the jobs. */
  readonly items: string;
  /** Field with the creation time of a listed job. */
  readonly created: string;
  /**
   * Pairs of fields that must be equal: a field of the request, as a dotted path, or a value of its path, and the same
   * field of a listed job.
   */
  readonly same: readonly (readonly [inRequest: string, inJob: string])[];
  /** Query parameter for the earliest creation time. */
  readonly since?: string;
  /** Additional query parameters. */
  readonly query?: Readonly<Record<string, boolean>>;
  /** Fields of `same` that every listed job has; a job without them is a different job. */
  readonly shown?: readonly string[];
  /**
   * Fields of `same` that the platform may list in another form: SQL in other case and spacing, an object with defaults,
   * or not at all. A job that differs only in this may still be the same.
   */
  readonly rewritten?: readonly string[];
}

/** A long-running job of the platform: created by one operation, polled with another, and fetched when it is done. */
export interface JobDescription {
  /** Operation that creates the job, `<api>:<operationId>`. */
  readonly operation: string;
  /** Name for messages, such as `DSP report`. */
  readonly noun: string;
  /** Operation that returns the job's status. */
  readonly status: string;
  /** Place of the job's id in the status operation: a placeholder in its path, or a field of its body. */
  readonly idParam: string;
  /** True if the status operation takes a list of ids in the field `idParam` of its body. */
  readonly idsInBody?: true;
  /** Field that contains the job's id. @default the placeholder */
  readonly id?: string;
  /** Field in which a response may contain the job; a dotted path. */
  readonly envelope?: string;
  /** Field in which an otherwise successful response lists refusals. */
  readonly refusals?: string;
  /** Field with the status word. @default "status" */
  readonly word?: string;
  /** Status words of a job that is being built. */
  readonly pending: readonly string[];
  /** Status words of a completed job. */
  readonly done: readonly string[];
  /** Status words of a job that failed. */
  readonly failed: readonly string[];
  /** Status words of a cancelled job. */
  readonly cancelled?: readonly string[];
  /** Field that lists the channels of a result, and the channel that must deliver it. */
  readonly channels?: { readonly field: string; readonly wanted: string };
  /** Polling intervals and time limit of the job. */
  readonly rhythm: JobRhythm;
  /** Place of the job's result; absent if the last status is the whole result. */
  readonly output?: JobOutput;
  /** Seconds after which the platform deletes the job, if known. */
  readonly keptFor?: number;
  /**
   * Effect of creating the job twice: the second job only costs the platform work (`costs`), or has an effect of its
   * own (`counts`).
   */
  readonly twice: "costs" | "counts";
  /**
   * Request field with a unique text, by which the platform accepts the request only once even if it arrives
   * repeatedly.
   */
  readonly token?: string;
  /** How to find the job after a lost response. */
  readonly search?: JobSearch;
  /**
   * Request fields that the status repeats, as dotted paths, with the platform's default values; the order of lists
   * does not matter. A job that a refusal names as a duplicate is used only if these fields are equal.
   */
  readonly repeats?: readonly (readonly [field: string, assumed?: unknown])[];
  /** True if the job changes the account or data in it. */
  readonly changesAccount?: true;
  /** Operation that cancels the job, with its body. */
  readonly cancel?: { readonly operation: string; readonly body?: Readonly<Record<string, unknown>> };
  /** True if the job's status must be requested with the media type that was used to create it. */
  readonly hasOwnType?: true;
}

/** Parts of the creating request that are needed again for later requests about the job. */
export interface JobPlace {
  /** Values for placeholders in paths, such as `instanceId`. */
  readonly pathParams?: Readonly<Record<string, string | number | bigint>>;
  /** Query parameters that the job was created with. */
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  /** Headers that name an account or an advertiser. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Media type of the body, instead of the one in the catalog. */
  readonly contentType?: string;
  /** Media type of responses, instead of the one in the catalog. */
  readonly accept?: string;
}
