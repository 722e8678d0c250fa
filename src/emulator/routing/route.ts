import type { HttpResponse } from "../http/http_response.ts";
import type { Json } from "../core/json.ts";
import type { ProfileState } from "../state/profile_state.ts";
import type { Context } from "./context.ts";
import type { ErrorStyle } from "../http/refusal.ts";

/** One emulated operation of the platform: what it listens to and what it does. */
export interface Route {
  /** The operation's id, for example `sponsored-products:ListSponsoredProductsKeywords`. */
  readonly operation: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path below the regional host; `{name}` stands for exactly one segment. */
  readonly path: string;
  /** Media types a body may have; absent when the operation takes no body. */
  readonly requestTypes?: readonly string[];
  /** Media types it can response with, the preferred one first. */
  readonly responseTypes: readonly string[];
  /**
   * True if the live service takes no other media types than those above. Where it is not so, `application/json`,
   * `text/plain` and no type at all are accepted for a body.
   * @default false
   */
  readonly strictTypes?: boolean;
  /** True if a 400 or 422 has the media type of the response. @default false, plain JSON */
  readonly typedErrors?: boolean;
  /** True if the request must name a profile. @default true */
  readonly scoped?: boolean;
  /** True if a request may name an advertiser account in place of a profile. @default false */
  readonly takesAccount?: boolean;
  /** How failures are worded. @default "message" */
  readonly errors?: ErrorStyle;
  /**
   * Tests a body for rules of this route; the others are left to the general family. Several published operations may
   * share a path. @default every body
   */
  readonly covers?: (body: Json | undefined, profile: ProfileState | undefined) => boolean;
  /** Does the work. A `Refusal` thrown here becomes the response. */
  handle(context: Context): HttpResponse | Promise<HttpResponse>;
}
