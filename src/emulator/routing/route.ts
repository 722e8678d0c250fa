import type { HttpResponse } from "../http/http_response.ts";
import type { Json } from "../core/json.ts";
import type { ProfileState } from "../state/profile_state.ts";
import type { Context } from "./context.ts";
import type { ErrorStyle } from "../http/refusal.ts";

export interface Route {
  readonly operation: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path below the regional host; `{name}` matches exactly one segment. */
  readonly path: string;
  readonly requestTypes?: readonly string[];
  readonly responseTypes: readonly string[];
  /**
   * True if the live service only accepts these types. Otherwise `application/json`, `text/plain` and a missing type
   * are accepted too.
   *
   * @default false
   */
  readonly strictTypes?: boolean;
  readonly typedErrors?: boolean;
  readonly scoped?: boolean;
  readonly takesAccount?: boolean;
  readonly errors?: ErrorStyle;
  /**
   * Returns false for bodies that are left to the general family, because several published operations may share a
   * path.
   *
   * @default every body
   */
  readonly covers?: (body: Json | undefined, profile: ProfileState | undefined) => boolean;
  handle(context: Context): HttpResponse | Promise<HttpResponse>;
}
