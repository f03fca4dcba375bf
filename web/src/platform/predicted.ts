import { messages } from './client.ts'
import { toast } from './overlay/toasts.tsx'
import { trackChange, reasonOf } from './requests.ts'
import type { PredictedEvent } from './sync/sync.ts'

/** Applies the expected event, and its inverse on refusal. @returns whether the server accepted the change */
export async function predictAndSend(
  event: PredictedEvent,
  inverse: PredictedEvent,
  request: () => Promise<unknown>,
  predict = (expected: PredictedEvent): void => messages.predict(expected),
): Promise<boolean> {
  predict(event)
  try {
    await trackChange(request())
    return true
  } catch (error) {
    predict(inverse)
    toast(reasonOf(error))
    return false
  }
}
