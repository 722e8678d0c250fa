import { PlatformAdsError } from "../errors.ts";

/** The store could not do what it was asked: its disk is full, its file is damaged, another process holds it. */
export class StoreError extends PlatformAdsError {}

/** A query was refused or failed; nothing was changed. */
export class QueryError extends StoreError {}
