import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { reasonOf } from '../requests.ts'

/** @returns the reason to show beside the form, and a function that runs a request and returns whether it succeeded */
export function useRefusal(): readonly [ComponentChildren, (request: () => Promise<unknown>) => Promise<boolean>] {
  const [reason, setReason] = useState<{ readonly text: string }>()
  const paragraph = useRef<HTMLParagraphElement>(null)
  // The reason may be below the visible part of a long form.
  useLayoutEffect(() => paragraph.current?.scrollIntoView({ block: 'nearest' }), [reason])
  const run = async (request: () => Promise<unknown>): Promise<boolean> => {
    setReason(undefined)
    try {
      await request()
      return true
    } catch (error) {
      setReason({ text: reasonOf(error) })
      return false
    }
  }
  const shown =
    reason === undefined ? null : (
      <p ref={paragraph} class="form-failure" role="alert">
        {reason.text}
      </p>
    )
  return [shown, run]
}
