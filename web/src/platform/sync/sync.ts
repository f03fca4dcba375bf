import { ApiError, follow, type ApiEvent, type Credentials } from '@parley/client'
import { batch, signal } from '@preact/signals'
import { STATE_PARTS, type State } from '../../kernel/state.ts'
import { Store } from './store.ts'

/** Requests carry the cookie of this browser, which no script can read. */
export const SESSION: Credentials = { url: '' }

/** What the client says of itself when it registers. */
const REGISTRATION = {
  apply_markdown: true,
  client_external_avatar: false,
  slim_presence: true,
  client_capabilities: {
    notification_settings_null: true,
    bulk_message_deletion: true,
    user_avatar_url_field_optional: false,
    stream_typing_notifications: true,
    user_settings_object: true,
    linkifier_url_template: true,
    user_list_incomplete: true,
    include_deactivated_groups: true,
    archived_channels: true,
    empty_topic_name: true,
    simplified_presence_events: true,
  },
  fetch_event_types: [...STATE_PARTS],
}

export type Status = 'starting' | 'live' | 'signed-out'

/** Hears of each event after it has been folded into the state. */
export type Hearing = (event: ApiEvent) => void

/** The event loop: registers, folds, tells. */
export class Sync {
  readonly status = signal<Status>('starting')
  #store: Store | undefined
  readonly #hearings = new Set<Hearing>()
  readonly #renewals = new Set<() => void>()
  readonly #touched = new Set<string>()

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

  /** Is called when a queue was lost: what was read from the server before may lack what happened since. */
  onRenewal(renewed: () => void): void {
    this.#renewals.add(renewed)
  }

  /** Follows the events until the signal aborts or the session ends. */
  async run(ended: AbortSignal): Promise<void> {
    try {
      await follow(SESSION, REGISTRATION, { onState: (state) => this.#begin(state), onEvent: this.#onEvent }, ended)
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) this.status.value = 'signed-out'
      else throw error
    }
  }

  #begin(state: object): void {
    // The response has the fields that were asked for, as the server declares them.
    const registered = state as State
    batch(() => {
      if (this.#store === undefined) this.#store = new Store(registered)
      else {
        this.#store.reset(registered)
        for (const renewed of this.#renewals) renewed()
      }
      this.status.value = 'live'
    })
  }

  readonly #onEvent = (event: ApiEvent, _state: object, touched: readonly string[]): void => {
    // One answer may bring many events: what depends on them is computed once.
    if (this.#touched.size === 0) queueMicrotask(() => this.#flush())
    for (const key of touched) this.#touched.add(key)
    batch(() => {
      for (const hearing of this.#hearings) hearing(event)
    })
  }

  #flush(): void {
    const keys = [...this.#touched]
    this.#touched.clear()
    this.#store?.touch(keys)
  }
}
