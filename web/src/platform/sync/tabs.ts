import type { ClientState } from '@parley/server/kernel/event'
import { newId } from '../../kernel/ids.ts'

export interface Cursor {
  readonly queueId: string
  readonly eventId: number
}

/** Message between tabs, of which only the leading tab requests events from the server. */
export type TabMessage =
  /** From the leader: JSON events without gaps. */
  | { readonly kind: 'events'; readonly after: Cursor; readonly events: readonly string[] }
  /** From the leader: a full state for the one tab that requested it. */
  | { readonly kind: 'state'; readonly for: string; readonly state: ClientState }
  /** From the leader: a new registration. Tabs request the state themselves, because it can be large. */
  | { readonly kind: 'begins' }
  /** From the leader: whether the server is reachable, and whether it rate-limits the client. */
  | { readonly kind: 'connection'; readonly isThere: boolean; readonly isRateLimited: boolean }
  /** From the leader on start. A visible tab takes over from a hidden leader. */
  | { readonly kind: 'leads'; readonly isHidden: boolean }
  | { readonly kind: 'ended' }
  | { readonly kind: 'try-again' }
  /** Requests all events since a position. */
  | { readonly kind: 'ask'; readonly by: string; readonly at: Cursor | undefined }
  /** From a visible tab that wants to lead, because browsers throttle hidden tabs. */
  | { readonly kind: 'yield' }

const FOLLOWER_MESSAGES: readonly TabMessage['kind'][] = ['try-again', 'ask', 'yield']

/** Time limit for the leader's answer. A leader that takes longer is asleep or hung. */
const ANSWER_TIMEOUT_MILLISECONDS = 3_000

/** Elects a leader among the tabs of one organization and build, because states of different builds can differ. */
export class Tabs {
  readonly id = newId()
  readonly #lock: string
  readonly #channel: BroadcastChannel
  readonly #at: () => Cursor | undefined
  #leading: AbortController | undefined
  #stealing: ReturnType<typeof setTimeout> | undefined
  /** Takes over from a leader that hangs. */
  #steal: (() => void) | undefined

  constructor(build: string, onMessage: (message: TabMessage) => void, at: () => Cursor | undefined) {
    this.#lock = `parley-events-${build}`
    this.#channel = new BroadcastChannel(`parley-${build}`)
    this.#at = at
    this.#channel.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => {
      if (this.isLeader) {
        if (data.kind === 'yield' && document.hidden) this.#leading?.abort()
      } else if (!FOLLOWER_MESSAGES.includes(data.kind)) {
        clearTimeout(this.#stealing)
        if (data.kind === 'leads' && data.isHidden) this.#becomeSeen()
      }
      onMessage(data)
    })
    document.addEventListener('visibilitychange', () => this.#becomeSeen())
  }

  get isLeader(): boolean {
    return this.#leading !== undefined
  }

  /** Without locks, for example without HTTPS, every tab leads for itself. */
  get hasLocks(): boolean {
    return 'locks' in navigator
  }

  send(message: TabMessage): void {
    this.#channel.postMessage(message)
  }

  /** Asks the leader for missing events. If the leader does not answer while this tab is visible, takes over. */
  ask(at: Cursor | undefined): void {
    this.send({ kind: 'ask', by: this.id, at })
    clearTimeout(this.#stealing)
    this.#stealing = setTimeout(() => {
      if (!this.isLeader && !document.hidden) this.#steal?.()
    }, ANSWER_TIMEOUT_MILLISECONDS)
  }

  /** Runs `work` whenever this tab leads, until `work` ends by itself. @param work must end when the signal aborts */
  async takeTurns(work: (ended: AbortSignal) => Promise<void>): Promise<void> {
    const lead = async (): Promise<boolean> => {
      clearTimeout(this.#stealing)
      const leading = new AbortController()
      this.#leading = leading
      this.send({ kind: 'leads', isHidden: document.hidden })
      try {
        await work(leading.signal)
        return !leading.signal.aborted
      } finally {
        if (this.#leading === leading) this.#leading = undefined
      }
    }
    if (!this.hasLocks) return void (await lead())
    let isStolen = false
    let waiting = new AbortController()
    this.#steal = () => {
      isStolen = true
      waiting.abort()
    }
    for (;;) {
      const options = isStolen ? { steal: true } : { signal: waiting.signal }
      isStolen = false
      try {
        if (await navigator.locks.request(this.#lock, options, lead)) return
      } catch (error) {
        if (!(error instanceof DOMException) || error.name !== 'AbortError') throw error
        this.#leading?.abort()
        waiting = new AbortController()
      }
    }
  }

  #becomeSeen(): void {
    if (document.hidden || this.isLeader || this.#steal === undefined) return
    this.send({ kind: 'yield' })
    // Takes over if the browser has suspended the leader.
    this.ask(this.#at())
  }
}

/** @returns a function that sends to the other tabs */
export function openTabChannel<Message>(
  name: string,
  onMessage: (message: Message) => void,
): (message: Message) => void {
  const channel = new BroadcastChannel(name)
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => onMessage(data))
  return (message) => channel.postMessage(message)
}

/** Runs `work` in one tab at a time, if the browser supports locks. */
export async function withLock(name: string, work: () => Promise<void>): Promise<void> {
  if ('locks' in navigator) await navigator.locks.request(name, work)
  else await work()
}
