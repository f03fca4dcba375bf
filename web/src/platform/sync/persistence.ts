import type { ClientState } from '@parley/server/kernel/event'
import { unpackLists } from '@parley/server/kernel/packed-rows'
import { effect } from '@preact/signals'
import { deleteState, isInPageCache, storeState, loadState } from '../cache.ts'
import type { Messages } from '../messages/messages.ts'
import { recordBuildWithState } from './build-with-state.ts'
import type { Sync } from './sync.ts'

/** Large, rarely changing parts are stored separately. Every change also writes the cursor. */
const STORED_PARTS = ['cursor', 'people', 'channels', 'rest'] as const
type StoredPart = (typeof STORED_PARTS)[number]

const PART_BY_FIELD: Readonly<Record<string, StoredPart>> = {
  last_event_id: 'cursor',
  presences: 'cursor',
  realm_users: 'people',
  realm_non_active_users: 'people',
  cross_realm_bots: 'people',
  realm_user_groups: 'people',
  streams: 'channels',
  never_subscribed: 'channels',
  unsubscribed: 'channels',
}

/** Time to collect changes in visible and hidden tabs before storing them. The server can resend unstored events. */
const STORE_DELAY_MILLISECONDS = { seen: 2_000, unseen: 20_000 }

/** Stores the state and messages of one moment. Later events bring them up to date. Only the leading tab writes. */
export class StatePersistence {
  readonly #sync: Sync
  readonly #messages: Messages
  readonly #build: string
  readonly #onFailure: () => void
  readonly #changed = new Set<StoredPart>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #writing: Promise<void> = Promise.resolve()
  #isStopped = false
  /** Stores lists unpacked until the function that packs them has loaded. */
  #pack = (fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => fields

  /** @param build the client's build; the build opened last owns the storage */
  constructor(sync: Sync, messages: Messages, build: string, onFailure: () => void) {
    this.#sync = sync
    this.#messages = messages
    this.#build = build
    this.#onFailure = onFailure
    this.#isStopped = !sync.isAlone
    sync.listen((_event, touched) => this.#change(['cursor', ...touched.map(partOf)]))
    sync.onBeginning(() => this.#change(STORED_PARTS))
    messages.onChange(() => this.#change(['cursor']))
    effect(() => {
      if (!sync.leads.value) return
      recordBuildWithState(build)
      this.#rewriteAll()
    })
    effect(() => {
      if (sync.status.value === 'signed-out') void this.stop()
    })
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) this.#write()
    })
    window.addEventListener('pageshow', () => this.#change([]))
  }

  async #loadPacking(): Promise<void> {
    try {
      this.#pack = (await import('@parley/server/kernel/packing-rows')).packLists
    } catch {
      // Offline: everything is stored unpacked until the next start.
    }
  }

  async restore(): Promise<ClientState | undefined> {
    if (this.#isStopped) return undefined
    const { parts, windows } = await loadState(this.#build)
    if (STORED_PARTS.some((part) => !parts.has(part))) return undefined
    // Safe: written by `#textOf`.
    const states = STORED_PARTS.map((part) => JSON.parse(parts.get(part) ?? '') as ClientState)
    const state = states.reduce((all, part) => Object.assign(all, part), { presences: {} })
    // A state from a server of the previous version, which lacks fields, must not outlive the upgrade.
    if (!('blocked_users' in state)) return undefined
    this.#messages.restore(windows)
    unpackLists(state)
    return state
  }

  /** Stops storing, and deletes everything except drafts and unsent messages. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#writing
    await deleteState()
  }

  /** Rewrites all data, because another tab stored its own windows. */
  #rewriteAll(): void {
    this.#messages.forgetStored()
    this.#change(STORED_PARTS)
  }

  #change(parts: Iterable<StoredPart>): void {
    if (this.#isStopped || !this.#sync.leads.peek()) return
    for (const part of parts) this.#changed.add(part)
    if (this.#timer !== undefined) return
    void this.#loadPacking()
    this.#timer = setTimeout(() => this.#write(), STORE_DELAY_MILLISECONDS[document.hidden ? 'unseen' : 'seen'])
  }

  #write(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    // A page in the back/forward cache stores its changes when it is shown again.
    if (
      isInPageCache() ||
      this.#isStopped ||
      !this.#sync.leads.peek() ||
      this.#changed.size === 0 ||
      this.#sync.cursor === undefined
    )
      return
    // Serialized synchronously, so that all data is from one moment.
    const parts = new Map([...this.#changed].map((part) => [part, this.#textOf(part)]))
    const change = { parts, ...this.#messages.takeChanged() }
    this.#changed.clear()
    this.#writing = this.#writing.then(async () => {
      try {
        if (this.#isStopped) return
        const isKept = await storeState(this.#build, change)
        if (isKept === undefined) this.#rewriteAll()
        else this.#isStopped = !isKept
      } catch {
        this.#isStopped = true
        await deleteState()
        this.#onFailure()
      }
    })
  }

  #textOf(part: StoredPart): string {
    const { whole } = this.#sync.store
    if (part === 'cursor') return JSON.stringify({ last_event_id: this.#sync.cursor?.eventId })
    const fields = Object.entries(whole).filter(([field]) => partOf(field) === part)
    return JSON.stringify(this.#pack(Object.fromEntries(fields)))
  }
}

function partOf(field: string): StoredPart {
  return PART_BY_FIELD[field] ?? 'rest'
}
