import { signal } from '@preact/signals'

/** Incremented by each request to focus the search field. */
export const fieldRequests = signal(0)

let handled = 0

export function focusSearch(): void {
  fieldRequests.value += 1
}

/** Whether there were focus requests since the last call. */
export function takeFieldRequest(): boolean {
  const isAsked = fieldRequests.value > handled
  handled = fieldRequests.value
  return isAsked
}
