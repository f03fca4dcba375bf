import { ApiError, call } from '@parley/client'
import { preferences, users } from '@parley/server/contract'
import type { Input } from '@parley/server/kernel/endpoint'
import { effect } from '@preact/signals'
import type { Choice, Written } from '../kernel/setting.ts'
import { store, sync } from './client.ts'
import { toast } from './overlay/toasts.tsx'
import { reasonOf } from './requests.ts'
import { SESSION } from './sync/sync.ts'

/** The settings of people, as the server declares them. */
type Settings = Input<typeof users.updateSettings>

/** How long a choice that did not reach the server waits where nothing says that there is a connection again. */
const RETRY_MILLISECONDS = 10_000

interface Waiting<Value> {
  readonly value: Value
  /** What it is again where the server refuses it. */
  readonly before: Value
}

/** Tells the server of choices, one after the other, and again once it can be reached. They are seen at once. */
class Choices<Value> {
  readonly #predict: (name: string, value: Value) => void
  readonly #send: (name: string, value: Value) => Promise<unknown>
  readonly #waiting = new Map<string, Waiting<Value>>()
  #sending: Promise<unknown> = Promise.resolve()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(predict: (name: string, value: Value) => void, send: (name: string, value: Value) => Promise<unknown>) {
    this.#predict = predict
    this.#send = send
    // A state that was read anew does not have what the server does not know yet.
    sync.onBeginning(() => {
      for (const [name, { value }] of this.#waiting) predict(name, value)
    })
    // Nor has what the server tells of a choice what was chosen since.
    sync.hear((event) => {
      if (!['user_settings', 'preferences'].includes(event.type)) return
      for (const [name, { value }] of this.#waiting) predict(name, value)
    })
    effect(() => {
      if (sync.isConnected.value) this.#sendAll()
    })
  }

  async write(name: string, value: Value, before: Value): Promise<Written> {
    this.#waiting.set(name, { value, before: this.#waiting.get(name)?.before ?? before })
    this.#predict(name, value)
    return this.#sendNext(name)
  }

  async #sendNext(name: string): Promise<Written> {
    const sent = this.#sending.then(async () => this.#sendOne(name))
    this.#sending = sent
    return sent
  }

  async #sendOne(name: string): Promise<Written> {
    const change = this.#waiting.get(name)
    // What was chosen after it was sent in its place.
    if (change === undefined) return 'saved'
    try {
      await this.#send(name, change.value)
      this.#forget(name, change)
      return 'saved'
    } catch (error) {
      if (!isRefusal(error)) {
        this.#timer ??= setTimeout(() => this.#sendAll(), RETRY_MILLISECONDS)
        return 'waits'
      }
      if (this.#forget(name, change)) this.#predict(name, change.before)
      toast(reasonOf(error))
      return 'refused'
    }
  }

  /** @returns whether nothing else was chosen meanwhile */
  #forget(name: string, change: Waiting<Value>): boolean {
    return this.#waiting.get(name) === change && this.#waiting.delete(name)
  }

  #sendAll(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    for (const name of this.#waiting.keys()) void this.#sendNext(name)
  }
}

/** Whether the server will not take it later either. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && ![401, 429].includes(error.status)
}

const ofServer = new Choices<string | number | boolean>(
  (property, value) => sync.predict({ type: 'user_settings', op: 'update', property, value }),
  async (name, value) => call(SESSION, users.updateSettings, { [name]: value }),
)

const ofClient = new Choices<string | null>(
  (name, value) => sync.predict({ type: 'preferences', preferences: { [name]: value } }),
  async (name, value) => call(SESSION, preferences.updatePreferences, { preferences: { [name]: value } }),
)

/**
 * A setting of the person that the server knows, and other clients too.
 * @param byDefault what it is where the server does not say
 */
export function serverSetting<Name extends keyof Settings>(
  name: Name,
  byDefault: NonNullable<Settings[Name]> & (string | number | boolean),
): Choice<NonNullable<Settings[Name]>> {
  type Value = NonNullable<Settings[Name]>
  const read = (): Value => {
    const value = store().read('user_settings')[name]
    // The server declares the values of a setting, here as in the request that changes it.
    return typeof value === typeof byDefault ? (value as Value) : byDefault
  }
  return {
    name,
    read,
    write: async (value) => ofServer.write(name, value, read()),
  }
}

/**
 * A choice that only this client knows. The server keeps it with the account, so it is the same in every browser.
 * @param name tells it apart for good, among those of this client
 * @param isValid whether what was kept, perhaps by another version of the client, is still one of the values
 */
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
      if (text !== parsed.text) parsed = { text, value: valueOf(text, byDefault, isValid) }
      return parsed.value
    },
    write: async (value) => ofClient.write(key, value === byDefault ? null : JSON.stringify(value), textOf() ?? null),
  }
}

function valueOf<Value>(text: string | undefined, byDefault: Value, isValid: (kept: unknown) => kept is Value): Value {
  if (text === undefined) return byDefault
  try {
    const kept: unknown = JSON.parse(text)
    return isValid(kept) ? kept : byDefault
  } catch {
    return byDefault
  }
}

/** A preference that is on or off. */
export function preferredFlag(name: string, byDefault: boolean): Choice<boolean> {
  return preference(name, byDefault, (kept) => typeof kept === 'boolean')
}

/** A preference that is one of a few values. */
export function preferredOneOf<Value extends string | number>(
  name: string,
  values: readonly Value[],
  byDefault: Value,
): Choice<Value> {
  return preference(name, byDefault, (kept): kept is Value => values.some((value) => value === kept))
}
