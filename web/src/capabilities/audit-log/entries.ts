import { call } from '@parley/client'
import { auditLog } from '@parley/server/contract'
import { useEffect, useRef, useState } from 'preact/hooks'
import { SESSION } from '../../platform/sync/sync.ts'

export type Entry = auditLog.AuditEntry
export type Kind = auditLog.AuditKind

export interface AuditFilter {
  readonly kind: Kind | undefined
  readonly userId: number | undefined
  readonly from: string
  readonly until: string
}

export const NO_FILTER: AuditFilter = { kind: undefined, userId: undefined, from: '', until: '' }

/** Entries per request: few, because most entries are never scrolled into view. */
const PAGE_ENTRIES = 100
const DOWNLOAD_PAGE_ENTRIES = 500

interface EntryPage {
  readonly entries: readonly Entry[]
  readonly hasOlder: boolean
}

async function readPage(
  wanted: AuditFilter,
  before: number | undefined,
  limit: number,
  signal?: AbortSignal,
): Promise<EntryPage> {
  const { kind, userId, from, until } = wanted
  const { entries, has_older: hasOlder } = await call(
    SESSION,
    auditLog.getAuditLog,
    {
      limit,
      ...(before === undefined ? {} : { before }),
      ...(kind === undefined ? {} : { kind }),
      ...(userId === undefined ? {} : { user_id: userId }),
      ...(from === '' ? {} : { since: startOfDay(from) }),
      ...(until === '' ? {} : { until: startOfDay(until, 1) }),
    },
    signal === undefined ? {} : { signal },
  )
  return { entries, hasOlder }
}

function startOfDay(day: string, later = 0): number {
  const date = new Date(`${day}T00:00:00`)
  date.setDate(date.getDate() + later)
  return Math.floor(date.getTime() / 1000)
}

interface EntryList extends EntryPage {
  readonly isLoading: boolean
  readonly hasFailed: boolean
  readonly more: () => void
}

export function useEntries(wanted: AuditFilter): EntryList {
  const key = JSON.stringify(wanted)
  const [known, setKnown] = useState<EntryPage & { readonly key: string }>({ key, entries: [], hasOlder: true })
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('loading')
  const aborter = useRef(new AbortController())
  const load = async (before: readonly Entry[]): Promise<void> => {
    const { signal } = aborter.current
    setState('loading')
    try {
      const page = await readPage(wanted, before.at(-1)?.id, PAGE_ENTRIES, signal)
      if (signal.aborted) return
      setKnown({ key, entries: [...before, ...page.entries], hasOlder: page.hasOlder })
      setState('idle')
    } catch {
      if (!signal.aborted) setState('failed')
    }
  }
  useEffect(() => {
    aborter.current = new AbortController()
    setKnown({ key, entries: [], hasOlder: true })
    void load([])
    return () => aborter.current.abort()
  }, [key])
  const { entries, hasOlder } = known.key === key ? known : { entries: [], hasOlder: true }
  return {
    entries,
    hasOlder,
    isLoading: state === 'loading' || known.key !== key,
    hasFailed: state === 'failed',
    more: () => {
      if (state !== 'loading') void load(entries)
    },
  }
}

export async function readAllEntries(wanted: AuditFilter, report: (count: number) => void): Promise<readonly Entry[]> {
  const all: Entry[] = []
  for (let hasOlder = true; hasOlder;) {
    const page = await readPage(wanted, all.at(-1)?.id, DOWNLOAD_PAGE_ENTRIES)
    all.push(...page.entries)
    hasOlder = page.hasOlder
    report(all.length)
  }
  return all
}
