import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { reasonOf } from '../requests.ts'

/**
 * Says where something was asked for why the server refused it.
 * @returns what says so, and what asks; that one answers whether it was done
 */
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
