import { ApiError } from '@parley/client'
import { signal } from '@preact/signals'
import { loadSecurityTexts } from '../../kernel/security-texts.ts'

interface ConfirmationRequest {
  /** Ways to confirm that the server takes: `password`, `passkey`, or none but signing in again. */
  readonly methods: readonly string[]
  readonly end: (isConfirmed: boolean) => void
}

/** The open request to confirm who one is. */
export const confirmationRequest = signal<ConfirmationRequest | undefined>(undefined)

/**
 * Sends a request that the server may refuse until the person confirms who they are, and sends it again once they have.
 * The settings show the dialog.
 * @throws what the request does, also where the person does not confirm
 */
export async function withConfirmation<Value>(request: () => Promise<Value>): Promise<Value> {
  try {
    return await request()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'CONFIRMATION_REQUIRED') throw error
    // As the server declares it.
    if (!(await isConfirmed(error.body['methods'] as readonly string[]))) throw error
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
