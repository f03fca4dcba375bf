import type { ApiEvent } from '@parley/client'
import { messages } from './client.ts'
import { toast } from './overlay/toasts.tsx'
import { noted, reasonOf } from './requests.ts'

type Predicted = Omit<ApiEvent, 'id'>

/**
 * Shows at once what a request will bring, by the event that the server will send for it; where the server refuses, takes it
 * back by the inverse event, and says why.
 * @returns whether the server took it
 */
export async function predicted(
  event: Predicted,
  inverse: Predicted,
  request: () => Promise<unknown>,
): Promise<boolean> {
  messages.predict(event)
  try {
    await noted(request())
    return true
  } catch (error) {
    messages.predict(inverse)
    toast(reasonOf(error))
    return false
  }
}
