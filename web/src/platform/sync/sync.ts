import {
  answerOf,
  ApiError,
  call,
  fold,
  follow,
  recordSeen,
  notSignedIn,
  positionOfEvent,
  type ApiEvent,
  type SessionCredentials,
} from '@parley/client'
import { queues } from '@parley/server/contract'
import type { ClientState } from '@parley/server/kernel/event'
import { unpackLists } from '@parley/server/kernel/packed-rows'
import { batch, signal } from '@preact/signals'
import type { State } from '../../kernel/state.ts'
import { RecentEvents } from './recent-events.ts'
import { REGISTRATION_PARAMETERS } from './registration.ts'
import { Store } from './store.ts'
import { Tabs, type Cursor, type TabMessage } from './tabs.ts'

/** Authenticates with the browser's session cookie. */
export const SESSION: SessionCredentials = { url: '' }

const RETRY_REASON = 'again'

/** `left`: another user is signing in through this browser, and the page is about to reload. */
export type SyncStatus = 'starting' | 'live' | 'signed-out' | 'left'

/** Event without the ID that the server will assign. */
export interface PredictedEvent {
  readonly type: string
  readonly op?: string
  readonly [field: string]: unknown
}

export type SyncListener = (event: ApiEvent, touched: readonly string[]) => void

/** The leading tab registers, follows events, and forwards them. Each tab applies them to its own state. */
export class Sync {
  readonly status = signal<SyncStatus>('starting')
  readonly isConnected = signal(true)
  readonly isRateLimited = signal(false)
  /** The server's final refusal; retrying cannot help. */
  readonly refusal = signal<ApiError | undefined>(undefined)
  readonly leads = signal(false)
  #store: Store | undefined
  /** The same object as in the store, with the type that `fold` requires. */
  #state: ClientState | undefined
  #beganAt = 0
  #recentEvents: RecentEvents | undefined
  #restart = new AbortController()
  #prefetched: Promise<Response | undefined> | undefined
  readonly #left = new AbortController()
  readonly #tabs: Tabs
  readonly #listeners = new Set<SyncListener>()
  readonly #beginnings = new Set<() => void>()
  readonly #touched = new Set<string>()

  /** @param build the client's build; other builds can store states differently */
  constructor(build: string) {
    this.#tabs = new Tabs(
      build,
      (message) => this.#onTabMessage(message),
      () => this.cursor,
    )
    SESSION.onSignedOut = () => {
      if (this.status.peek() === 'live') this.#end()
    }
  }

  get store(): Store {
    if (this.#store === undefined) throw new Error('nothing was registered yet')
    return this.#store
  }

  listen(listener: SyncListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Listens for full snapshots of the state. @returns a function that removes the listener */
  onBeginning(onBegin: () => void): () => void {
    this.#beginnings.add(onBegin)
    return () => this.#beginnings.delete(onBegin)
  }

  /** Log position of the last full snapshot of the state; 0 before the first snapshot. */
  get beganAt(): number {
    return this.#beganAt
  }

  /** Whether only one tab of this browser leads at a time. */
  get isAlone(): boolean {
    return this.#tabs.hasLocks
  }

  /** @param kept stored state to resume @param prefetched response to a registration sent before this script ran */
  async run(kept: ClientState | undefined, prefetched: Promise<Response | undefined> | undefined): Promise<void> {
    this.#prefetched = prefetched
    if (this.#isOver) return
    if (kept !== undefined) this.#show(kept)
    if (this.#tabs.hasLocks) this.#tabs.ask(this.cursor)
    await this.#tabs.takeTurns(async (ended) => {
      if (this.#isOver) return
      this.leads.value = true
      try {
        await this.#lead(ended)
      } finally {
        this.leads.value = false
      }
    })
  }

  /** Stops requesting, forwarding, and showing the previous user's data when another user signs in. */
  leave(): void {
    this.#left.abort()
    this.status.value = 'left'
  }

  get #isOver(): boolean {
    const status = this.status.peek()
    return status === 'signed-out' || status === 'left'
  }

  tryAgain(): void {
    this.#setConnection(true, false)
    if (this.#tabs.isLeader) this.#restart.abort(RETRY_REASON)
    else this.#tabs.send({ kind: 'try-again' })
  }

  /** Applies an expected event immediately. The real event will change the same fields again. */
  predict(event: PredictedEvent): void {
    if (this.#state === undefined) return
    this.#touch(fold(this.#state, { ...event, id: 0 }, { includeSubscribers: false }))
  }

  get cursor(): Cursor | undefined {
    if (this.#state === undefined) return undefined
    return { queueId: String(this.#state['queue_id']), eventId: Number(this.#state['last_event_id']) }
  }

  async #lead(ended: AbortSignal): Promise<void> {
    const at = this.cursor
    this.#recentEvents = at === undefined ? undefined : new RecentEvents(at)
    // The browser's online state is unreliable, so both events cause a retry.
    const tryAgain = (): void => this.#restart.abort(RETRY_REASON)
    window.addEventListener('offline', tryAgain)
    window.addEventListener('online', tryAgain)
    try {
      await this.#usePrefetched(ended)
      let from = this.#state
      while (!ended.aborted && !this.#isOver) {
        const restart = (this.#restart = new AbortController())
        const signals = AbortSignal.any([ended, restart.signal, this.#left.signal])
        await follow(SESSION, REGISTRATION_PARAMETERS, this.#follower, signals, { from })
        from = restart.signal.reason === RETRY_REASON ? this.#state : undefined
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.status !== 401) {
        // The next leading tab will receive the refusal itself.
        this.refusal.value = error
        return
      }
      this.#end()
    } finally {
      window.removeEventListener('offline', tryAgain)
      window.removeEventListener('online', tryAgain)
    }
  }

  #end(): void {
    this.status.value = 'signed-out'
    this.#tabs.send({ kind: 'ended' })
    this.#restart.abort()
  }

  /** Uses the prefetched state, if any. @throws ApiError if nobody is signed in */
  async #usePrefetched(ended: AbortSignal): Promise<void> {
    const response = stateFromResponse(this.#prefetched)
    this.#prefetched = undefined
    try {
      const state = await valueUnlessAborted(response, this.#restart.signal)
      if (state === undefined) {
        endQueueWhenLoaded(response)
        return
      }
      // Meanwhile, another user may have signed in, or another tab may have become the leader.
      if (this.#isOver || ended.aborted) endQueue(String(state['queue_id']))
      else this.#follower.onState(state)
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) throw error
      // A new registration will report any other error.
    }
  }

  readonly #follower = {
    onState: (state: ClientState): void => {
      if (!this.#begin(state)) return
      this.#recentEvents = this.cursor === undefined ? undefined : new RecentEvents(this.cursor)
      this.#tabs.send({ kind: 'begins' })
      this.#follower.onConnection(true)
    },
    onReceived: (event: ApiEvent): void => {
      const { cursor: after } = this
      if (after === undefined) return
      const text = JSON.stringify(event)
      this.#recentEvents?.add(event.id, text)
      this.#tabs.send({ kind: 'events', after, events: [text] })
    },
    onEvent: (event: ApiEvent, _state: object, touched: readonly string[]): void => this.#onEvent(event, touched),
    onFault: (error: unknown): void => reportError(error),
    onConnection: (isThere: boolean, isRateLimited = false): void => {
      if (isThere === this.isConnected.peek() && isRateLimited === this.isRateLimited.peek()) return
      this.#setConnection(isThere, isRateLimited)
      this.#tabs.send({ kind: 'connection', isThere, isRateLimited })
    },
  }

  #setConnection(isThere: boolean, isRateLimited: boolean): void {
    batch(() => {
      this.isConnected.value = isThere
      this.isRateLimited.value = isRateLimited
    })
  }

  #onTabMessage(message: TabMessage): void {
    if (this.status.peek() === 'left') return
    if (this.#tabs.isLeader) {
      if (message.kind === 'ask') this.#answer(message.by, message.at)
      else if (message.kind === 'try-again') this.tryAgain()
      else if (message.kind === 'ended' && !this.#isOver) this.#end()
      return
    }
    if (this.status.peek() === 'signed-out') {
      if (message.kind === 'begins') window.location.reload()
    } else if (message.kind === 'ended') this.status.value = 'signed-out'
    else if (message.kind === 'connection') this.#setConnection(message.isThere, message.isRateLimited)
    else if (message.kind === 'events') this.#take(message.after, message.events)
    else if (message.kind === 'begins') this.#tabs.ask(this.cursor)
    else if (message.kind === 'state' && message.for === this.#tabs.id) this.#begin(message.state)
  }

  #answer(by: string, at: Cursor | undefined): void {
    const state = this.#state
    // The requesting tab can be new and not know whether the client is connected.
    this.#tabs.send({ kind: 'connection', isThere: this.isConnected.peek(), isRateLimited: this.isRateLimited.peek() })
    if (state === undefined) return
    const events = at === undefined ? undefined : this.#recentEvents?.since(at)
    if (at === undefined || events === undefined) this.#tabs.send({ kind: 'state', for: by, state })
    else this.#tabs.send({ kind: 'events', after: at, events })
  }

  /** Skips all events if earlier events are missing. */
  #take(after: Cursor, texts: readonly string[]): void {
    const at = this.cursor
    if (at === undefined || this.#state === undefined) return
    if (at.queueId !== after.queueId || at.eventId < after.eventId) {
      this.#tabs.ask(at)
      return
    }
    try {
      for (const text of texts) {
        // Safe: JSON exactly as the server sent it.
        const event = JSON.parse(text) as ApiEvent
        if (event.id <= Number(this.#state['last_event_id'])) continue
        const touched = fold(this.#state, event, { includeSubscribers: false })
        this.#state['last_event_id'] = event.id
        recordSeen(SESSION, positionOfEvent(Number(this.#state['log_position']), event.id))
        this.#onEvent(event, touched)
      }
    } catch (error) {
      // The state can be inconsistent now, so this tab requests it again.
      this.#follower.onFault(error)
      this.#tabs.ask(undefined)
    }
  }

  #begin(state: ClientState): boolean {
    if (this.#state !== undefined && this.#state['user_id'] !== state['user_id']) {
      this.leave()
      return false
    }
    batch(() => {
      this.#show(state)
      for (const onBegin of this.#beginnings) onBegin()
    })
    return true
  }

  #show(state: ClientState): void {
    // Safe: the response has the requested fields, as the server declares them.
    const registered = state as unknown as State
    endQueueWhenLoaded(stateFromResponse(this.#prefetched))
    this.#prefetched = undefined
    this.#state = state
    this.#beganAt = positionOfEvent(registered.log_position, Number(state['last_event_id']))
    recordSeen(SESSION, this.#beganAt)
    batch(() => {
      if (this.#store === undefined) this.#store = new Store(registered)
      else this.#store.reset(registered)
      this.status.value = 'live'
    })
  }

  #onEvent(event: ApiEvent, touched: readonly string[]): void {
    this.#touch(touched)
    batch(() => {
      for (const listener of this.#listeners) listener(event, touched)
    })
  }

  /** Notifies readers only once about many events in one response. */
  #touch(keys: readonly string[]): void {
    if (this.#touched.size === 0) queueMicrotask(() => this.#flush())
    for (const key of keys) this.#touched.add(key)
  }

  #flush(): void {
    const keys = [...this.#touched]
    this.#touched.clear()
    this.#store?.touch(keys)
  }
}

async function stateFromResponse(
  registered: Promise<Response | undefined> | undefined,
): Promise<ClientState | undefined> {
  const response = await registered
  const state = response && (await answerOf(response))
  if (state?.['queue_id'] === null) throw notSignedIn()
  if (state !== undefined) unpackLists(state)
  return state
}

async function valueUnlessAborted<Value>(response: Promise<Value>, waiting: AbortSignal): Promise<Value | undefined> {
  const aborted = new Promise<undefined>((resolve) => {
    waiting.addEventListener('abort', () => resolve(undefined), { once: true })
  })
  return Promise.race([response, aborted])
}

function endQueueWhenLoaded(response: Promise<ClientState | undefined>): void {
  response.then(
    (state) => {
      if (state !== undefined) endQueue(String(state['queue_id']))
    },
    () => undefined,
  )
}

function endQueue(queueId: string): void {
  call(SESSION, queues.deleteQueue, { queue_id: queueId }).catch(() => undefined)
}
