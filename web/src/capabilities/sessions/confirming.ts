import { ApiError } from '@parley/client'
import { signal } from '@preact/signals'
import { loadSecurityTexts } from '../../kernel/security-texts.ts'

interface ConfirmationRequest {
  /** `password`, `passkey`, or neither, which leaves signing in again. */
  readonly methods: readonly string[]
  readonly end: (isConfirmed: boolean) => void
}

export const confirmationRequest = signal<ConfirmationRequest | undefined>(undefined)

/**
 * If the server requires confirmation of the user's identity, shows a dialog, and then sends the request again.
 * @throws the request's error, including when the user does not confirm
 */
export async function withConfirmation<Value>(request: () => Promise<Value>): Promise<Value> {
  try {
    return await request()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'CONFIRMATION_REQUIRED') throw error
    const { methods } = error.body
    if (!(await isConfirmed(Array.isArray(methods) ? methods.map(String) : []))) throw error
    return request()
  }
}

async function isConfirmed(methods: readonly string[]): Promise<boolean> {
  await loadSecurityTexts()
  return new Promise((resolve) => {
    const end = (answer: boolean): void => {
      confirmationRequest.value = undefined
      resolve(answer)
    }
    confirmationRequest.value = { methods, end }
  })
}
