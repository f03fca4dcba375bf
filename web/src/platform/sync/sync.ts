import {
  answerOf,
  ApiError,
  call,
  fold,
  follow,
  noteSeen,
  positionOfEvent,
  type ApiEvent,
  type Credentials,
} from '@parley/client'
import { queues } from '@parley/server/contract'
import type { ClientState } from '@parley/server/kernel/event'
import { batch, signal } from '@preact/signals'
import type { State } from '../../kernel/state.ts'
import { Heard } from './heard.ts'
import { REGISTRATION } from './registration.ts'
import { Store } from './store.ts'
import { Tabs, type Cursor, type Told } from './tabs.ts'

/** Requests carry the cookie of this browser, which no script can read. */
export const SESSION: Credentials = { url: '' }

/** Why a request for events is ended that goes on from the same state at once. */
const AGAIN = 'again'

/** `left` is a tab in whose browser another person signs in: the page is about to be loaded anew. */
export type Status = 'starting' | 'live' | 'signed-out' | 'left'

/** Hears of each event after it has been folded into the state, and which fields of the state it changed. */
export type Hearing = (event: ApiEvent, touched: readonly string[]) => void

/**
 * The event loop of all tabs: the one that leads registers and follows, and tells the others what it hears; each folds the
 * same events into a state of its own.
 */
export class Sync {
  readonly status = signal<Status>('starting')
  /** Whether the server can be reached. */
  readonly isConnected = signal(true)
  /** Whether the server has this client wait, since it, or others behind its address, asked too often. */
  readonly isHeld = signal(false)
  /** Why the server does not let this client go on; asking again will not help. */
  readonly refusal = signal<ApiError | undefined>(undefined)
  /** Whether this tab leads. */
  readonly leads = signal(false)
  #store: Store | undefined
  /** The same object as that of the store, as folds take it. */
  #state: ClientState | undefined
  #beganAt = 0
  #heard: Heard | undefined
  #anew = new AbortController()
  /** What was asked for before this was there, until it is known whether it is needed. */
  #early: Promise<Response | undefined> | undefined
  readonly #left = new AbortController()
  readonly #tabs: Tabs
  readonly #hearings = new Set<Hearing>()
  readonly #beginnings = new Set<() => void>()
  readonly #touched = new Set<string>()

  /** @param build names the build of the client: tabs of another may have other states */
  constructor(build: string) {
    this.#tabs = new Tabs(
      build,
      (told) => this.#onTold(told),
      () => this.cursor,
    )
  }

  /** The state, once there is one. */
  get store(): Store {
    if (this.#store === undefined) throw new Error('nothing was registered yet')
    return this.#store
  }

  /** @returns what ends it */
  hear(hearing: Hearing): () => void {
    this.#hearings.add(hearing)
    return () => this.#hearings.delete(hearing)
  }

  /**
   * Is called with each state that is not folded from the one before: what was read until then may lack what happened.
   * @returns what ends it
   */
  onBeginning(begun: () => void): () => void {
    this.#beginnings.add(begun)
    return () => this.#beginnings.delete(begun)
  }

  /** The position of the log at which the state was one that was not folded here, 0 before there is one. */
  get beganAt(): number {
    return this.#beganAt
  }

  /** Whether only one tab of this browser leads at a time. */
  get isAlone(): boolean {
    return this.#tabs.hasLocks
  }

  /**
   * Follows the events until the session ends.
   * @param kept a state that was kept before, to go on with
   * @param early what the server answers to a registration that was asked for before
   */
  async run(kept: ClientState | undefined, early: Promise<Response | undefined> | undefined): Promise<void> {
    this.#early = early
    if (this.#isOver) return
    if (kept !== undefined) this.#show(kept)
    if (this.#tabs.hasLocks) this.#tabs.ask(this.cursor)
    await this.#tabs.takeTurns(async (ended) => {
      // Another tab found that the session has ended, or is about to begin another.
      if (this.#isOver) return
      this.leads.value = true
      try {
        await this.#lead(ended)
      } finally {
        this.leads.value = false
      }
    })
  }

  /** Ends here, since another person signs in: nothing more is asked, told or shown of the one who was signed in. */
  leave(): void {
    this.#left.abort()
    this.status.value = 'left'
  }

  get #isOver(): boolean {
    const status = this.status.peek()
    return status === 'signed-out' || status === 'left'
  }

  /** Begins with a state as the server has it, in place of what was folded. */
  renew(): void {
    if (!this.leads.peek()) this.#tabs.ask(undefined)
    else {
      const { cursor } = this
      this.#anew.abort()
      // Its queue ends by itself, only later.
      if (cursor !== undefined) giveUp(cursor.queueId)
    }
  }

  /** Asks the server at once, where it could not be reached, and would be asked again some time later. */
  tryAgain(): void {
    this.#setConnection(true, false)
    if (this.#tabs.isLeader) this.#anew.abort(AGAIN)
    else this.#tabs.tell({ kind: 'try-again' })
  }

  /**
   * Folds what the server is about to tell of, so that it is seen at once. The event that comes then changes the same again.
   */
  predict(event: Omit<ApiEvent, 'id'>): void {
    if (this.#state === undefined) return
    this.#touch(fold(this.#state, { id: 0, ...event } as ApiEvent, { includeSubscribers: false }))
  }

  /** How far the state is folded. */
  get cursor(): Cursor | undefined {
    if (this.#state === undefined) return undefined
    return { queueId: String(this.#state['queue_id']), eventId: Number(this.#state['last_event_id']) }
  }

  async #lead(ended: AbortSignal): Promise<void> {
    const at = this.cursor
    this.#heard = at === undefined ? undefined : new Heard(at)
    // What the browser says of its network is tried: the server may be there all the same, or again.
    const tryAgain = (): void => this.#anew.abort(AGAIN)
    window.addEventListener('offline', tryAgain)
    window.addEventListener('online', tryAgain)
    try {
      await this.#beginEarly(ended)
      let from = this.#state
      while (!ended.aborted && !this.#isOver) {
        const anew = (this.#anew = new AbortController())
        const signals = AbortSignal.any([ended, anew.signal, this.#left.signal])
        await follow(SESSION, REGISTRATION, this.#follower, signals, { from })
        from = anew.signal.reason === AGAIN ? this.#state : undefined
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.status !== 401) {
        // The tab that leads next will see for itself.
        this.refusal.value = error
        return
      }
      this.status.value = 'signed-out'
      this.#tabs.tell({ kind: 'ended' })
    } finally {
      window.removeEventListener('offline', tryAgain)
      window.removeEventListener('online', tryAgain)
    }
  }

  /** Begins with the state that was asked for early, if there is one. @throws ApiError where nobody is signed in */
  async #beginEarly(ended: AbortSignal): Promise<void> {
    const coming = stateOf(this.#early)
    this.#early = undefined
    try {
      const state = await unlessAborted(coming, this.#anew.signal)
      if (state === undefined) {
        giveUpWhenThere(coming)
        return
      }
      // While it came, another person may have signed in, or another tab begun to lead.
      if (this.#isOver || ended.aborted) giveUp(String(state['queue_id']))
      else this.#follower.onState(state)
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) throw error
      // Whatever else it is, asking again tells.
    }
  }

  readonly #follower = {
    onState: (state: ClientState): void => {
      if (!this.#begin(state)) return
      this.#heard = this.cursor === undefined ? undefined : new Heard(this.cursor)
      this.#tabs.tell({ kind: 'begins' })
      this.#follower.onConnection(true)
    },
    onReceived: (event: ApiEvent): void => {
      const { cursor: after } = this
      if (after === undefined) return
      const text = JSON.stringify(event)
      this.#heard?.add(event.id, text)
      this.#tabs.tell({ kind: 'events', after, events: [text] })
    },
    onEvent: (event: ApiEvent, _state: object, touched: readonly string[]): void => this.#onEvent(event, touched),
    onFault: (error: unknown): void => reportError(error),
    onConnection: (isThere: boolean, isHeld = false): void => {
      if (isThere === this.isConnected.peek() && isHeld === this.isHeld.peek()) return
      this.#setConnection(isThere, isHeld)
      this.#tabs.tell({ kind: 'connection', isThere, isHeld })
    },
  }

  #setConnection(isThere: boolean, isHeld: boolean): void {
    batch(() => {
      this.isConnected.value = isThere
      this.isHeld.value = isHeld
    })
  }

  #onTold(told: Told): void {
    if (this.status.peek() === 'left') return
    if (this.#tabs.isLeader) {
      if (told.kind === 'ask') this.#answer(told.by, told.at)
      else if (told.kind === 'try-again') this.tryAgain()
      return
    }
    if (this.status.peek() === 'signed-out') {
      // In another tab of this browser a person has signed in.
      if (told.kind === 'begins') window.location.reload()
    } else if (told.kind === 'ended') this.status.value = 'signed-out'
    else if (told.kind === 'connection') this.#setConnection(told.isThere, told.isHeld)
    else if (told.kind === 'events') this.#take(told.after, told.events)
    else if (told.kind === 'begins') this.#tabs.ask(this.cursor)
    else if (told.kind === 'state' && told.for === this.#tabs.id) this.#begin(told.state)
  }

  #answer(by: string, at: Cursor | undefined): void {
    const state = this.#state
    // It may have been opened meanwhile.
    this.#tabs.tell({ kind: 'connection', isThere: this.isConnected.peek(), isHeld: this.isHeld.peek() })
    if (state === undefined) return
    const events = at === undefined ? undefined : this.#heard?.since(at)
    if (at === undefined || events === undefined) this.#tabs.tell({ kind: 'state', for: by, state })
    else this.#tabs.tell({ kind: 'events', after: at, events })
  }

  /** Folds what the leader told, unless something is missing before it. */
  #take(after: Cursor, texts: readonly string[]): void {
    const at = this.cursor
    if (at === undefined || this.#state === undefined) return
    if (at.queueId !== after.queueId || at.eventId < after.eventId) {
      this.#tabs.ask(at)
      return
    }
    try {
      for (const text of texts) {
        // As the leader had it from the server.
        const event = JSON.parse(text) as ApiEvent
        if (event.id <= Number(this.#state['last_event_id'])) continue
        const touched = fold(this.#state, event, { includeSubscribers: false })
        this.#state['last_event_id'] = event.id
        noteSeen(SESSION, positionOfEvent(Number(this.#state['log_position']), event.id))
        this.#onEvent(event, touched)
      }
    } catch (error) {
      // The state may be half of before and half of after.
      this.#follower.onFault(error)
      this.#tabs.ask(undefined)
    }
  }

  /** @returns whether it is a state of the person whose client this is */
  #begin(state: ClientState): boolean {
    if (this.#state !== undefined && this.#state['user_id'] !== state['user_id']) {
      this.leave()
      return false
    }
    batch(() => {
      this.#show(state)
      for (const begun of this.#beginnings) begun()
    })
    return true
  }

  #show(state: ClientState): void {
    // The response has the fields that were asked for, as the server declares them.
    const registered = state as unknown as State
    // There is another state than the one that was asked for early.
    giveUpWhenThere(stateOf(this.#early))
    this.#early = undefined
    this.#state = state
    this.#beganAt = positionOfEvent(registered.log_position, Number(state['last_event_id']))
    noteSeen(SESSION, this.#beganAt)
    batch(() => {
      if (this.#store === undefined) this.#store = new Store(registered)
      else this.#store.reset(registered)
      this.status.value = 'live'
    })
  }

  #onEvent(event: ApiEvent, touched: readonly string[]): void {
    this.#touch(touched)
    batch(() => {
      for (const hearing of this.#hearings) hearing(event, touched)
    })
  }

  /** One answer may bring many events: what depends on them is computed once. */
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

/** The state in an answer to a registration. @throws ApiError where the server refuses it */
async function stateOf(registered: Promise<Response | undefined> | undefined): Promise<ClientState | undefined> {
  const response = await registered
  return response === undefined ? undefined : answerOf(response)
}

/** What it comes to; undefined where it is waited for no longer. */
async function unlessAborted<Value>(coming: Promise<Value>, waiting: AbortSignal): Promise<Value | undefined> {
  const aborted = new Promise<undefined>((resolve) => {
    waiting.addEventListener('abort', () => resolve(undefined), { once: true })
  })
  return Promise.race([coming, aborted])
}

function giveUpWhenThere(coming: Promise<ClientState | undefined>): void {
  coming.then(
    (state) => {
      if (state !== undefined) giveUp(String(state['queue_id']))
    },
    () => undefined,
  )
}

function giveUp(queueId: string): void {
  call(SESSION, queues.deleteQueue, { queue_id: queueId }).catch(() => undefined)
}
