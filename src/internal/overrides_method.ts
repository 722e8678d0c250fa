/** Headers and query parameters that some gateways take for the method, so that a read would become a write. */
const OTHER_METHOD = /^[_$]?(?:x[-_]?)?(?:http[-_]?)?method(?:[-_]?override)?$/i;

/** True for the name of a header or query parameter that could change the method of a request on its way. */
export function overridesMethod(name: string): boolean {
  return OTHER_METHOD.test(name);
}
