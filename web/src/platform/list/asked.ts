import { useEffect, useRef, useState } from 'preact/hooks'

interface Asked<Value> {
  /** Undefined until it is there. */
  readonly value: Value | undefined
  readonly hasFailed: boolean
  /** Asks again; what is there is shown meanwhile. */
  readonly again: () => void
}

/** What the server is asked for while it is shown. @param key tells apart what is asked for */
export function useAsked<Value>(ask: (signal: AbortSignal) => Promise<Value>, key: string | number): Asked<Value> {
  const [known, setKnown] = useState<{ readonly key: string | number; readonly value: Value }>()
  const [failed, setFailed] = useState<string | number>()
  const run = useRef<() => void>(() => undefined)
  useEffect(() => {
    const aborter = new AbortController()
    let isAsking = false
    let isOutdated = false
    const load = async (): Promise<void> => {
      // However often something changes meanwhile, an answer comes to its end.
      isOutdated = isAsking
      if (isAsking) return
      isAsking = true
      setFailed(undefined)
      try {
        const value = await ask(aborter.signal)
        if (!aborter.signal.aborted) setKnown({ key, value })
      } catch {
        if (!aborter.signal.aborted) setFailed(key)
      }
      isAsking = false
      if (isOutdated && !aborter.signal.aborted) void load()
    }
    run.current = () => void load()
    void load()
    return () => aborter.abort()
  }, [key])
  return { value: known?.key === key ? known.value : undefined, hasFailed: failed === key, again: () => run.current() }
}
