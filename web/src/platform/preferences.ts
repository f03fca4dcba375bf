import { ApiError, call } from '@parley/client'
import { preferences, users } from '@parley/server/contract'
import type { Input } from '@parley/server/kernel/endpoint'
import { effect } from '@preact/signals'
import type { Choice, SaveResult } from '../kernel/setting.ts'
import { store, sync } from './client.ts'
import { toast } from './overlay/toasts.tsx'
import { reasonOf } from './requests.ts'
import { SESSION } from './sync/sync.ts'

type Settings = Input<typeof users.updateSettings>

/** Delay of a retry, in case no event reports that the connection is back. */
const RETRY_DELAY_MILLISECONDS = 10_000

interface PendingValue<Value> {
  readonly value: Value
  readonly before: Value
}

/** Applies changes immediately, sends them one at a time, and retries when the server is reachable again. */
class PendingChoices<Value> {
  readonly #predict: (name: string, value: Value) => void
  readonly #send: (name: string, value: Value) => Promise<unknown>
  readonly #waiting = new Map<string, PendingValue<Value>>()
  #sending: Promise<unknown> = Promise.resolve()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(predict: (name: string, value: Value) => void, send: (name: string, value: Value) => Promise<unknown>) {
    this.#predict = predict
    this.#send = send
    // Applies unsent choices again, which a new state from the server lacks.
    sync.onBeginning(() => {
      for (const [name, { value }] of this.#waiting) predict(name, value)
    })
    // Applies newer choices again after the server's event for an earlier choice has overwritten them.
    sync.listen((event) => {
      if (!['user_settings', 'preferences'].includes(event.type)) return
      for (const [name, { value }] of this.#waiting) predict(name, value)
    })
    effect(() => {
      if (sync.isConnected.value) this.#sendAll()
    })
  }

  async write(name: string, value: Value, before: Value): Promise<SaveResult> {
    this.#waiting.set(name, { value, before: this.#waiting.get(name)?.before ?? before })
    this.#predict(name, value)
    return this.#sendNext(name)
  }

  async #sendNext(name: string): Promise<SaveResult> {
    const sent = this.#sending.then(async () => this.#sendOne(name))
    this.#sending = sent
    return sent
  }

  async #sendOne(name: string): Promise<SaveResult> {
    const change = this.#waiting.get(name)
    // A later choice was already sent instead.
    if (change === undefined) return 'saved'
    try {
      await this.#send(name, change.value)
      this.#forget(name, change)
      return 'saved'
    } catch (error) {
      if (!isRefusal(error)) {
        this.#timer ??= setTimeout(() => this.#sendAll(), RETRY_DELAY_MILLISECONDS)
        return 'waits'
      }
      if (this.#forget(name, change)) this.#predict(name, change.before)
      toast(reasonOf(error))
      return 'refused'
    }
  }

  #forget(name: string, change: PendingValue<Value>): boolean {
    return this.#waiting.get(name) === change && this.#waiting.delete(name)
  }

  #sendAll(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    for (const name of this.#waiting.keys()) void this.#sendNext(name)
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && ![401, 429].includes(error.status)
}

const serverSettings = new PendingChoices<string | number | boolean>(
  (property, value) => sync.predict({ type: 'user_settings', op: 'update', property, value }),
  async (name, value) => call(SESSION, users.updateSettings, { [name]: value }),
)

const clientPreferences = new PendingChoices<string | null>(
  (name, value) => sync.predict({ type: 'preferences', preferences: { [name]: value } }),
  async (name, value) => call(SESSION, preferences.updatePreferences, { preferences: { [name]: value } }),
)

/** Setting that the server shares with other clients. @param byDefault value if the server does not send the setting */
export function serverSetting<Name extends keyof Settings>(
  name: Name,
  byDefault: NonNullable<Settings[Name]> & (string | number | boolean),
): Choice<NonNullable<Settings[Name]>> {
  type Value = NonNullable<Settings[Name]>
  const read = (): Value => {
    const value = store().read('user_settings')[name]
    // Safe: the state has the same type as the request that changes it.
    return typeof value === typeof byDefault ? (value as Value) : byDefault
  }
  return {
    name,
    read,
    write: async (value) => serverSettings.write(name, value, read()),
  }
}

/** Client preference, the same in every browser. @param name must never change @param isValid can reject old values */
export function preference<Value>(
  name: string,
  byDefault: Value,
  isValid: (kept: unknown) => kept is Value,
): Choice<Value> {
  const key = `web.${name}`
  let parsed: { readonly text: string | undefined; readonly value: Value } = { text: undefined, value: byDefault }
  const textOf = (): string | undefined => store().read('preferences')[key]
  return {
    read: () => {
      const text = textOf()
      if (text !== parsed.text) parsed = { text, value: parsePreference(text, byDefault, isValid) }
      return parsed.value
    },
    write: async (value) =>
      clientPreferences.write(key, value === byDefault ? null : JSON.stringify(value), textOf() ?? null),
  }
}

function parsePreference<Value>(
  text: string | undefined,
  byDefault: Value,
  isValid: (kept: unknown) => kept is Value,
): Value {
  if (text === undefined) return byDefault
  try {
    const kept: unknown = JSON.parse(text)
    return isValid(kept) ? kept : byDefault
  } catch {
    return byDefault
  }
}

export function preferredFlag(name: string, byDefault: boolean): Choice<boolean> {
  return preference(name, byDefault, (kept) => typeof kept === 'boolean')
}

export function preferredOneOf<Value extends string | number>(
  name: string,
  values: readonly Value[],
  byDefault: Value,
): Choice<Value> {
  return preference(name, byDefault, (kept): kept is Value => values.some((value) => value === kept))
}
