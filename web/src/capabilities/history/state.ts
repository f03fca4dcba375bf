import { signal } from '@preact/signals'

/** Counts how often the field of the search was asked for, which takes the focus then. */
export const fieldRequests = signal(0)

let handled = 0

export function focusSearch(): void {
  fieldRequests.value += 1
}

/** Whether the field was asked for since this was asked last. */
export function takeFieldRequest(): boolean {
  const isAsked = fieldRequests.value > handled
  handled = fieldRequests.value
  return isAsked
}
