import { ApiError } from '@parley/client'
import { signal } from '@preact/signals'
import { loadSecurityTexts } from '../../kernel/later-texts.ts'

interface ConfirmationRequest {
  /** Accepted methods: `password`, `passkey`, or both. If empty, the user must sign in again. */
  readonly methods: readonly string[]
  readonly end: (isConfirmed: boolean) => void
}

export const confirmationRequest = signal<ConfirmationRequest | undefined>(undefined)

/** Pending confirmation, shared by requests that are refused at the same time. */
let pendingConfirmation: Promise<boolean> | undefined

/** Sends a request again after the user has confirmed their identity, if the server requires this. */
export async function withConfirmation<Value>(request: () => Promise<Value>): Promise<Value> {
  try {
    return await request()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'CONFIRMATION_REQUIRED') throw error
    const { methods } = error.body
    pendingConfirmation ??= requestConfirmation(Array.isArray(methods) ? methods.map(String) : []).finally(() => {
      pendingConfirmation = undefined
    })
    if (!(await pendingConfirmation)) throw error
    return request()
  }
}

async function requestConfirmation(methods: readonly string[]): Promise<boolean> {
  await loadSecurityTexts()
  return new Promise((resolve) => {
    const end = (answer: boolean): void => {
      confirmationRequest.value = undefined
      resolve(answer)
    }
    confirmationRequest.value = { methods, end }
  })
}
