import { useEffect, useRef, useState } from 'preact/hooks'

interface FetchedValue<Value> {
  readonly value: Value | undefined
  readonly hasFailed: boolean
  /** Fetches again. The old value stays visible until the new one arrives. */
  readonly again: () => void
}

export function useFetched<Value>(
  ask: (signal: AbortSignal) => Promise<Value>,
  key: string | number,
): FetchedValue<Value> {
  const [known, setKnown] = useState<{ readonly key: string | number; readonly value: Value }>()
  const [failed, setFailed] = useState<string | number>()
  const run = useRef<() => void>(() => undefined)
  useEffect(() => {
    const aborter = new AbortController()
    let isAsking = false
    let isOutdated = false
    const load = async (): Promise<void> => {
      // A change during a request schedules another request, so that frequent changes cannot keep canceling requests.
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

export interface FetchedPage<Item> {
  readonly items: readonly Item[]
  readonly hasOlder: boolean
}

interface FetchedPages<Item> extends FetchedValue<FetchedPage<Item>> {
  readonly page: number
  readonly more: () => void
}

/** Fetches the first pages of a list, each with `fetchPage`, and all of them again after a change. */
export function useFetchedPages<Item>(
  fetchPage: (last: Item | undefined, signal: AbortSignal) => Promise<FetchedPage<Item>>,
  key: string,
): FetchedPages<Item> {
  const [page, setPage] = useState(1)
  const wanted = useRef(page)
  const fetched = useFetched(async (signal) => {
    const items: Item[] = []
    let hasOlder = true
    for (let count = 0; count < wanted.current && hasOlder; count += 1) {
      const next = await fetchPage(items.at(-1), signal)
      items.push(...next.items)
      hasOlder = next.hasOlder
    }
    return { items, hasOlder }
  }, key)
  const more = (): void => {
    wanted.current = page + 1
    setPage(page + 1)
    fetched.again()
  }
  return { ...fetched, page, more }
}
