import type { ClientState } from '@parley/server/kernel/event'
import { newId } from '../../kernel/ids.ts'

/** Where a tab is in the events. */
export interface Cursor {
  readonly queueId: string
  readonly eventId: number
}

/** What the tabs of a browser tell each other. One of them leads: it alone asks the server for events. */
export type Told =
  /** By the leader. The events are JSON, and follow one another without a gap. */
  | { readonly kind: 'events'; readonly after: Cursor; readonly events: readonly string[] }
  /** By the leader: a state to begin with, for one tab that asked. */
  | { readonly kind: 'state'; readonly for: string; readonly state: ClientState }
  /** By the leader: it has registered anew. The state may be large, so it is told to those that ask for it. */
  | { readonly kind: 'begins' }
  /** By the leader: whether it reaches the server, and whether that has it wait. */
  | { readonly kind: 'connection'; readonly isThere: boolean; readonly isHeld: boolean }
  /** By the leader: it begins; where its tab is hidden, a visible tab takes its place. */
  | { readonly kind: 'leads'; readonly isHidden: boolean }
  /** By the leader: the session has ended. */
  | { readonly kind: 'ended' }
  /** By a tab in which a person does not want to wait: the leader asks the server at once. */
  | { readonly kind: 'try-again' }
  /** What has happened since? */
  | { readonly kind: 'ask'; readonly by: string; readonly at: Cursor | undefined }
  /** A tab that is seen would lead, since browsers slow down tabs that are not. */
  | { readonly kind: 'yield' }

/** What tabs tell that do not lead. */
const BY_OTHERS: readonly Told['kind'][] = ['try-again', 'ask', 'yield']

/** A leader that does not answer for so long is asleep or hangs. */
const ANSWER_MILLISECONDS = 3_000

/**
 * The tabs of this browser that show the same organization with the same build of the client: who of them leads, and what
 * they tell each other. What one build makes of a state is nothing for another.
 */
export class Tabs {
  readonly id = newId()
  readonly #lock: string
  readonly #channel: BroadcastChannel
  readonly #at: () => Cursor | undefined
  #leading: AbortController | undefined
  #stealing: ReturnType<typeof setTimeout> | undefined
  /** Takes the place of a leader that hangs. */
  #steal: (() => void) | undefined

  /** @param at says where this tab is */
  constructor(build: string, hear: (told: Told) => void, at: () => Cursor | undefined) {
    this.#lock = `parley-events-${build}`
    this.#channel = new BroadcastChannel(`parley-${build}`)
    this.#at = at
    this.#channel.addEventListener('message', ({ data }: MessageEvent<Told>) => {
      if (this.isLeader) {
        if (data.kind === 'yield' && document.hidden) this.#leading?.abort()
      } else if (!BY_OTHERS.includes(data.kind)) {
        clearTimeout(this.#stealing)
        if (data.kind === 'leads' && data.isHidden) this.#becomeSeen()
      }
      hear(data)
    })
    document.addEventListener('visibilitychange', () => this.#becomeSeen())
  }

  get isLeader(): boolean {
    return this.#leading !== undefined
  }

  /** Where a browser has no locks, such as on a page that is not encrypted, each tab leads for itself. */
  get hasLocks(): boolean {
    return 'locks' in navigator
  }

  tell(told: Told): void {
    this.#channel.postMessage(told)
  }

  /** Asks the leader for what this tab lacks; one that does not answer is replaced if a person waits. */
  ask(at: Cursor | undefined): void {
    this.tell({ kind: 'ask', by: this.id, at })
    clearTimeout(this.#stealing)
    this.#stealing = setTimeout(() => {
      if (!this.isLeader && !document.hidden) this.#steal?.()
    }, ANSWER_MILLISECONDS)
  }

  /**
   * Leads whenever it is this tab's turn, until the work ends by itself.
   * @param work leads until the signal aborts
   */
  async takeTurns(work: (ended: AbortSignal) => Promise<void>): Promise<void> {
    const lead = async (): Promise<boolean> => {
      clearTimeout(this.#stealing)
      const leading = new AbortController()
      this.#leading = leading
      this.tell({ kind: 'leads', isHidden: document.hidden })
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
        // Another tab has taken its place, or this one is about to take another's.
        this.#leading?.abort()
        waiting = new AbortController()
      }
    }
  }

  #becomeSeen(): void {
    // Before it takes turns, it has not begun.
    if (document.hidden || this.isLeader || this.#steal === undefined) return
    this.tell({ kind: 'yield' })
    // The browser may have put the leader to sleep.
    this.ask(this.#at())
  }
}
