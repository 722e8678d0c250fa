/** A controller whose signal tells which listeners it has. */
export function listening(): { readonly controller: AbortController; readonly listeners: Set<unknown> } {
  const controller = new AbortController();
  const { signal } = controller;
  const listeners = new Set<unknown>();
  const { addEventListener, removeEventListener } = signal;
  Object.assign(signal, {
    addEventListener: (type: string, listener: () => void, options?: AddEventListenerOptions) => {
      listeners.add(listener);
      addEventListener.call(signal, type, listener, options);
    },
    removeEventListener: (type: string, listener: () => void) => {
      listeners.delete(listener);
      removeEventListener.call(signal, type, listener);
    },
  });
  addEventListener.call(signal, "abort", () => listeners.clear());
  return { controller, listeners };
}
