import { isDeepStrictEqual } from 'node:util'
import { capabilities } from '../../../server/src/capabilities.ts'
import { recordWith } from '../../../server/src/kernel/keys.ts'
import { CLIENT_CAPABILITIES } from '../../../server/src/kernel/viewer.ts'
import { isObject, objectsIn } from '../../../server/src/testing/json.ts'
import type { Random } from '../../../server/src/testing/random.ts'
import type { Body, TestUser } from '../../../server/src/testing/user.ts'
import type { fold } from '../fold.ts'
import { TouchedFields } from './touched.ts'
import { countsIn, wrongRanges } from './unread-ranges.ts'

const ALL_EVENT_TYPES = [
  ...new Set(
    capabilities.flatMap(({ events, snapshot }) => [
      ...events.map(({ event }) => event.type),
      ...snapshot.flatMap(({ eventTypes }) => eventTypes),
    ]),
  ),
]
/** Without this type, clients get muted topics in the older form. */
const OLDER_EVENT_TYPES = ALL_EVENT_TYPES.filter((type) => type !== 'user_topic')

const NEWEST_CAPABILITIES = recordWith(CLIENT_CAPABILITIES, () => true)

/** Client forms: the newest, the oldest, and random combinations. */
export function chooseForm(random: Random, index: number): Body {
  if (index === 0)
    return { client_capabilities: NEWEST_CAPABILITIES, apply_markdown: true, include_subscribers: 'true' }
  const oldest = { client_capabilities: {}, apply_markdown: false, client_external_avatar: false }
  if (index === 1) return { ...oldest, event_types: OLDER_EVENT_TYPES }
  const understood = CLIENT_CAPABILITIES.map((name) => [name, random.chance(0.5)] as const)
  return {
    client_capabilities: Object.fromEntries(understood),
    apply_markdown: random.chance(0.5),
    client_external_avatar: random.chance(0.5),
    include_subscribers: random.of(['true', 'false', 'partial']),
    slim_presence: random.chance(0.5),
    ...(random.chance(0.25) ? { event_types: OLDER_EVENT_TYPES } : {}),
  }
}

export class Watcher {
  readonly user: TestUser
  readonly form: Body
  readonly told = new Set<string>()
  readonly #fold: typeof fold
  #state: Body | undefined
  #queueId = ''
  #lastEventId = -1
  /** Whether messages were moved or deleted since registration. No event reports which message is then the latest. */
  #replaced = false

  constructor(user: TestUser, form: Body, folding: typeof fold) {
    this.user = user
    this.form = form
    this.#fold = folding
  }

  noteReplaced(): void {
    this.#replaced = true
  }

  /** Registers, unless the account is deactivated. */
  async register(): Promise<void> {
    const { status, body } = await this.user.try('POST', '/register', this.form)
    if (status === 401) return
    expectSuccess(status, body)
    this.#begin(body)
  }

  #begin(state: Body): void {
    this.#state = state
    this.#queueId = String(state['queue_id'])
    this.#lastEventId = Number(state['last_event_id'])
    this.#replaced = false
  }

  /**
   * Applies pending events.
   * @param mayEnd whether the account may have been deactivated, which ends the queue
   * @returns changes that an event did not declare
   */
  async look(mayEnd: boolean): Promise<string[]> {
    const wrong: string[] = []
    // Each poll returns at most the result of one read of the log.
    while (await this.#lookOnce(mayEnd, wrong));
    return wrong
  }

  /** @returns whether there were events, so that there may be more */
  async #lookOnce(mayEnd: boolean, wrong: string[]): Promise<boolean> {
    if (this.#state === undefined) return false
    const { status, body } = await this.#poll()
    if (mayEnd && (status === 401 || body['code'] === 'BAD_EVENT_QUEUE_ID')) {
      this.#state = undefined
      return false
    }
    expectSuccess(status, body)
    const includeSubscribers =
      this.form['include_subscribers'] !== undefined && this.form['include_subscribers'] !== 'false'
    const { events = [] } = body
    if (events.length === 0) return false
    const fields = new TouchedFields(this.#state)
    for (const event of events) {
      if (event.id <= this.#lastEventId) throw new Error(`event ${event.id} after ${this.#lastEventId}`)
      this.#lastEventId = event.id
      const name = event.op === undefined ? event.type : `${event.type}/${event.op}`
      this.told.add(name)
      const untold = fields.changedBeside(this.#fold(this.#state, event, { includeSubscribers }))
      if (untold.length > 0) wrong.push(`${name} does not declare that it changes ${untold.join(', ')}`)
    }
    return true
  }

  async #poll() {
    const place = { queue_id: this.#queueId, last_event_id: this.#lastEventId, dont_block: true }
    return this.user.try('GET', '/events', place)
  }

  /**
   * Compares the state with a fresh registration.
   * @param goesOn whether to continue with the new registration
   * @returns the differences, including the differences from `look`
   */
  async compare(mayEnd: boolean, goesOn: boolean): Promise<string[]> {
    const wrong = await this.look(mayEnd)
    const folded = this.#state
    if (folded === undefined) {
      await this.register()
      return wrong
    }
    const fresh = await this.user.call('POST', '/register', this.form)
    for (const state of [folded, fresh]) wrong.push(...(await wrongRanges(this.user, state)))
    const differing = differences(this.#comparable(folded, fresh), this.#comparable(fresh, folded), '')
    const left = goesOn ? this.#queueId : fresh['queue_id']
    if (goesOn) this.#begin(fresh)
    await this.user.call('DELETE', '/events', { queue_id: left })
    return [...wrong, ...differing]
  }

  /** Removes the registration's own fields and those that no event updates, and sorts lists. */
  #comparable(state: Body, other: Body): Body {
    const {
      queue_id: _queue,
      last_event_id: _last,
      log_position: _position,
      server_timestamp: _now,
      presence_last_update_id: _update,
      ...rest
    } = structuredClone(state)
    // Presence events report only users who become active.
    rest['presences'] = pickSharedKeys(rest['presences'], this.#knowsPresence() ? other['presences'] : {})
    if (this.#replaced) for (const name of ['max_message_id', 'recent_private_conversations']) delete rest[name]
    for (const name of ['subscriptions', 'unsubscribed', 'never_subscribed', 'streams']) sortBy(rest, name, 'stream_id')
    for (const name of ['realm_users', 'realm_non_active_users']) sortBy(rest, name, 'user_id')
    sortByText(rest, 'user_topics')
    rest['unread_conversations'] = countsIn(rest)
    const { unread_msgs: listed } = rest
    const unread: Body = isObject(listed) ? listed : {}
    for (const name of ['pms', 'streams', 'huddles']) sortByText(unread, name)
    // Older clients are not told which topics are unmuted.
    if (state['user_topics'] === undefined) delete unread['count']
    return rest
  }

  /** Whether presence events and registration use the same form. */
  #knowsPresence(): boolean {
    const { slim_presence: slim, client_capabilities: understood } = this.form
    return (slim === true) === (isObject(understood) && understood['simplified_presence_events'] === true)
  }
}

/** The entries of one record whose keys also exist in another record. */
function pickSharedKeys(record: unknown, other: unknown): Body {
  if (!isObject(record) || !isObject(other)) throw new Error('these are not two records')
  return Object.fromEntries(Object.entries(record).filter(([key]) => key in other))
}

function expectSuccess(status: number, body: Body): void {
  if (status !== 200) throw new Error(`answered ${status}: ${JSON.stringify(body)}`)
}

function sortBy(record: Body, name: string, key: string): void {
  const { [name]: list } = record
  if (list !== undefined) record[name] = objectsIn(list).toSorted((a, b) => Number(a[key]) - Number(b[key]))
}

function sortByText(record: Body, name: string): void {
  record[name] = objectsIn(record[name] ?? [])
    .map((entry) => [JSON.stringify(entry), entry] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, entry]) => entry)
}

/** Lists paths at which the values differ, with both values. */
function differences(folded: unknown, fresh: unknown, path: string): string[] {
  if (isDeepStrictEqual(folded, fresh)) return []
  if (!isComposed(folded) || !isComposed(fresh) || Array.isArray(folded) !== Array.isArray(fresh)) {
    return [`${path}: folded ${formatValue(folded)}, registered ${formatValue(fresh)}`]
  }
  const keys = new Set([...Object.keys(folded), ...Object.keys(fresh)])
  return [...keys].flatMap((key) => differences(folded[key], fresh[key], path === '' ? key : `${path}.${key}`))
}

function isComposed(value: unknown): value is Body {
  return typeof value === 'object' && value !== null
}

function formatValue(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 200)
}
