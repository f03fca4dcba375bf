import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { reasonOf } from '../requests.ts'

/** @returns the reason to show beside the form, and a function that runs a request and returns whether it succeeded */
export function useRefusal(): readonly [ComponentChildren, (request: () => Promise<unknown>) => Promise<boolean>] {
  const [reason, setReason] = useState<string>()
  const run = async (request: () => Promise<unknown>): Promise<boolean> => {
    setReason(undefined)
    try {
      await request()
      return true
    } catch (error) {
      setReason(reasonOf(error))
      return false
    }
  }
  const shown =
    reason === undefined ? null : (
      <p class="form-failure" role="alert">
        {reason}
      </p>
    )
  return [shown, run]
}
