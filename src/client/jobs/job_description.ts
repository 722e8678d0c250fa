/** Polling intervals of a job, in seconds. */
export interface JobRhythm {
  /** Seconds from its creation to the first poll. */
  readonly first: number;
  /** Seconds from the first poll to the second. */
  readonly next: number;
  /** Maximum seconds between two looks. */
  readonly longest: number;
  /** Factor from one pause to the next. @default 2 */
  readonly growth?: number;
  /** Total seconds before the wait ends; the job may still complete. */
  readonly deadline: number;
}

/** Place and form of a job's result. */
export interface JobOutput {
  /** Operation whose response contains the result. @default the status operation */
  readonly operation?: string;
  /** Field with the pre-signed address of a file, or a list of them; a dotted path, through lists. */
  readonly addresses?: string;
  /** Field with the rows of a page, for a result without files. */
  readonly pages?: string;
  /** Field of a JSON file that contains the list of rows, if the file itself is not a list. */
  readonly list?: string;
  /** Character that escapes a quote in CSV. @default the quote itself, doubled */
  readonly escape?: "\\";
  /** Shape of rows: fields in objects by subject (`nested`), or ids written as `="123"` (`formulas`). @default plain */
  readonly shape?: "nested" | "formulas";
  /** True for files that are not tables, such as workbooks or archives; they have no rows. */
  readonly isFiles?: true;
}

/** Search for a job in a list after the response to its creation was lost. */
export interface JobSearch {
  /** Operation that lists jobs. */
  readonly operation: string;
  /** Field of its response that holds the jobs. */
  readonly items: string;
  /** Field of a listed job with the time of its creation. */
  readonly created: string;
  /** Fields of the request, as dotted paths, or values of its path, and the same fields of a listed job. */
  readonly same: readonly (readonly [inRequest: string, inJob: string])[];
  /** Parameter of the query with the earliest time of creation. */
  readonly since?: string;
  /** Further parameters of the query. */
  readonly query?: Readonly<Record<string, boolean>>;
  /** Fields of `same` that every listed job has; a job without them is a different one. */
  readonly shown?: readonly string[];
  /**
   * Fields of `same` that the platform may list in another form, such as SQL or an object with defaults: a job that differs
   * in nothing else may still be the one.
   */
  readonly rewritten?: readonly string[];
}

/** A long-running job of the platform: created by one operation, polled with another, and fetched when it is done. */
export interface JobDescription {
  /** Operation that creates it, `<api>:<operationId>`. */
  readonly operation: string;
  /** Name for messages, such as `DSP report`. */
  readonly noun: string;
  /** Operation that returns its status. */
  readonly status: string;
  /** Placeholder of the status operation's path that takes its id, or field of its body. */
  readonly idParam: string;
  /** True if the status operation takes a list of ids in the field `idParam` of its body. */
  readonly idsInBody?: true;
  /** Field with its id. @default the placeholder */
  readonly id?: string;
  /** Field in which a response may wrap the job; a dotted path. */
  readonly envelope?: string;
  /** Field in which a successful response lists refusals. */
  readonly refusals?: string;
  /** Field with the status. @default "status" */
  readonly word?: string;
  /** Status words of a job that is being built. */
  readonly pending: readonly string[];
  /** Status words of a completed job. */
  readonly done: readonly string[];
  /** Status words of a job that failed. */
  readonly failed: readonly string[];
  /** Status words of a cancelled job. */
  readonly cancelled?: readonly string[];
  /** List of channels of a result, and the channel that must deliver it. */
  readonly channels?: { readonly field: string; readonly wanted: string };
  /** Polling intervals of its status, and the time limit. */
  readonly rhythm: JobRhythm;
  /** Result of the job; absent if its last status is the whole result. */
  readonly output?: JobOutput;
  /** Seconds after which the platform no longer keeps it, if known. */
  readonly keptFor?: number;
  /**
   * Effect of creating it twice: the second job only costs the platform work (`costs`), or has an effect of its own
   * (`counts`).
   */
  readonly twice: "costs" | "counts";
  /** Field of the request with a text by which the platform takes it once, however often it arrives. */
  readonly token?: string;
  /** How it is found after a lost response. */
  readonly search?: JobSearch;
  /**
   * Fields of the request that its status repeats, as dotted paths, with the values that the platform assumes; the order of
   * lists does not matter. A job that a refusal names as a duplicate is only used if they are equal.
   */
  readonly repeats?: readonly (readonly [field: string, assumed?: unknown])[];
  /** True if it changes the account or data in it. */
  readonly changesAccount?: true;
  /** Operation that cancels it, with the body that it takes. */
  readonly cancel?: { readonly operation: string; readonly body?: Readonly<Record<string, unknown>> };
  /** True if its status must be requested with the media type of its creation. */
  readonly hasOwnType?: true;
}

/** The parts of a request that are needed again for later requests about the job. */
export interface JobPlace {
  /** Values for placeholders of paths, such as `instanceId`. */
  readonly pathParams?: Readonly<Record<string, string | number | bigint>>;
  /** Query parameters that the job was created with. */
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  /** Headers that name an account or an advertiser. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Media type of the body, in place of the catalog's. */
  readonly contentType?: string;
  /** Media type of responses, in place of the catalog's. */
  readonly accept?: string;
}
