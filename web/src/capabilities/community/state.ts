import { call, isEvent, type ApiEvent } from '@parley/client'
import { channels, community as declared, messages } from '@parley/server/contract'
import type { Output } from '@parley/server/kernel/endpoint'
import { caseKey } from '@parley/server/kernel/case-key'
import { effect, signal } from '@preact/signals'
import { placeKey, type Conversation } from '../../kernel/route.ts'
import { languageCode } from '../../kernel/strings.ts'
import { store, sync } from '../../platform/client.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { mayAdminister } from '../channels/rights.ts'
import { channelById } from '../channels/state.ts'
import { heldPlace } from '../composer/rights.ts'
import { currentComposition } from '../composer/state.ts'
import { isModerator, ownId } from '../users/state.ts'

interface SlowModeChange {
  readonly topic: string | null
  readonly seconds: number
}

interface ChannelEntry {
  readonly slowMode: declared.SlowMode
  /** When the user last sent a message, in milliseconds of this device, by `turnKey`. */
  readonly turns: ReadonlyMap<string, number>
}

/* Channels are requested when the user first writes in them, because most have no slow mode. */
const entries = signal<ReadonlyMap<number, ChannelEntry>>(new Map())
const requested = new Set<number>()

/** Updated each second while the user has to wait. */
const now = signal(Date.now())

export function followSlowMode(): void {
  sync.listen(handleEvent)
  sync.onBeginning(() => {
    areLimitsRequested = false
    requested.clear()
    entries.value = new Map()
  })
  effect(() => {
    const conversation = currentComposition.value?.conversation
    heldPlace.value = conversation !== undefined && secondsToWait(conversation) > 0 ? placeKey(conversation) : undefined
  })
}

function handleEvent(event: ApiEvent): void {
  if (isEvent(event, declared.slowModeUpdated)) {
    const known = entries.peek().get(event.stream_id)
    if (known === undefined) return
    changeEntry(event.stream_id, withSlowMode(known, event))
  } else if (isEvent(event, messages.messageSent)) {
    const { sender_id: senderId, stream_id: channelId, subject } = event.message
    if (senderId === ownId() && channelId !== undefined) recordTurn(channelId, subject)
    if (senderId === ownId() && ownLimits.peek()?.is_newcomer === true) areLimitsRequested = false
  } else if (isEvent(event, channels.subscriptionAdded) || isEvent(event, channels.subscriptionRemoved)) {
    for (const { stream_id: id } of event.subscriptions) forget(id)
  }
}

function withSlowMode({ slowMode, turns }: ChannelEntry, { topic, seconds }: SlowModeChange): ChannelEntry {
  if (topic !== null) {
    const others = slowMode.topics.filter((one) => one.topic !== topic)
    return { turns, slowMode: { ...slowMode, topics: seconds === 0 ? others : [...others, { topic, seconds }] } }
  }
  // Messages count only from when slow mode was turned on.
  const counted = [...turns].filter(([key]) => key !== '' || slowMode.seconds > 0)
  return { turns: new Map(counted), slowMode: { ...slowMode, seconds } }
}

/** Joining and leaving a channel changes which of its topics the user can see. */
function forget(channelId: number): void {
  requested.delete(channelId)
  const others = new Map(entries.peek())
  if (others.delete(channelId)) entries.value = others
}

function changeEntry(channelId: number, entry: ChannelEntry): void {
  entries.value = new Map(entries.peek()).set(channelId, entry)
}

function turnKey({ topics }: declared.SlowMode, topic: string): string {
  const own = topics.find((one) => caseKey(one.topic) === caseKey(topic))
  return own === undefined ? '' : `topic ${caseKey(own.topic)}`
}

function recordTurn(channelId: number, topic: string): void {
  const known = entries.peek().get(channelId)
  if (known === undefined) return
  const turns = new Map(known.turns).set(turnKey(known.slowMode, topic), Date.now())
  changeEntry(channelId, { ...known, turns })
}

/** Without an answer, which is requested again after a reconnection, the server still refuses early messages. */
async function requestEntry(channelId: number): Promise<void> {
  requested.add(channelId)
  const input = { stream_id: channelId }
  const answer = await call(SESSION, declared.getSlowMode, input).catch(() => undefined)
  if (answer === undefined) return
  const { seconds, topics, turns } = answer
  const slowMode = { seconds, topics }
  const asOfNow = Date.now()
  const times = turns.map(({ topic, seconds_ago: ago }): [string, number] => [
    topic === null ? '' : turnKey(slowMode, topic),
    asOfNow - ago * 1_000,
  ])
  changeEntry(channelId, { slowMode, turns: new Map(times) })
}

export function slowModeIn(channelId: number): declared.SlowMode | undefined {
  const known = entries.value.get(channelId)
  if (known === undefined && !requested.has(channelId)) void requestEntry(channelId)
  return known?.slowMode
}

/** Returns the slow mode of a channel or, for a topic, its own one. */
export function ownSeconds({ channelId, topic }: SlowPlace): number {
  const slowMode = slowModeIn(channelId)
  if (topic === undefined) return slowMode?.seconds ?? 0
  return slowMode?.topics.find((one) => caseKey(one.topic) === caseKey(topic))?.seconds ?? 0
}

export interface SlowPlace {
  readonly channelId: number
  /** Undefined for the whole channel. */
  readonly topic: string | undefined
}

/** Returns the UNIX time in seconds; undefined if the organization is not locked down. */
export function lockDownEnd(): number | undefined {
  return store().read('lock_down') ?? undefined
}

/** Mirrors the server's rule. */
export function maySetSlowMode(channelId: number): boolean {
  const channel = channelById(channelId)
  if (channel === undefined || channel.is_archived) return false
  return isModerator() || mayAdminister(channel)
}

let clock: ReturnType<typeof setTimeout> | undefined

/** Returns the seconds between messages of one person, and how long the user has to wait; zeros where neither applies. */
export function slowModeAt(place: Conversation): { readonly seconds: number; readonly wait: number } {
  if (place.view !== 'topic' || maySetSlowMode(place.channelId)) return { seconds: 0, wait: 0 }
  const { channelId, topic } = place
  const seconds = ownSeconds({ channelId, topic }) || ownSeconds({ channelId, topic: undefined })
  if (seconds === 0) return { seconds, wait: 0 }
  const known = entries.value.get(channelId)
  const sentAt = known?.turns.get(turnKey(known.slowMode, topic))
  if (sentAt === undefined) return { seconds, wait: 0 }
  const wait = Math.ceil((sentAt + seconds * 1_000 - Math.max(now.value, sentAt)) / 1_000)
  if (wait > 0) tickLater()
  return { seconds, wait: Math.max(wait, 0) }
}

function secondsToWait(place: Conversation): number {
  return slowModeAt(place).wait
}

function tickLater(): void {
  clock ??= setTimeout(() => {
    clock = undefined
    now.value = Date.now()
  }, 1_000)
}

type OwnLimits = Output<typeof declared.getOwnLimits>

const ownLimits = signal<OwnLimits | undefined>(undefined)
let areLimitsRequested = false

/** Without an answer, the server still refuses what is not allowed. */
async function requestLimits(): Promise<void> {
  areLimitsRequested = true
  ownLimits.value = await call(SESSION, declared.getOwnLimits, {}).catch(() => undefined)
}

/** Requested when the user first writes, and again while they are new and send messages. */
export function limitsOfUser(): OwnLimits | undefined {
  if (isModerator()) return undefined
  if (!areLimitsRequested) void requestLimits()
  return ownLimits.value
}

export const openedSlowPlace = signal<SlowPlace | undefined>(undefined)

/** Returns a whole number of hours, minutes, or seconds, such as `10 seconds`. */
export function durationTitle(seconds: number): string {
  const [unit, length] = seconds % 3_600 === 0 ? ['hour', 3_600] : seconds % 60 === 0 ? ['minute', 60] : ['second', 1]
  return new Intl.NumberFormat(languageCode(), { style: 'unit', unit, unitDisplay: 'long' }).format(seconds / length)
}

/** Returns hours, minutes, and seconds, such as `0:09` or `1:00:00`. */
export function countdown(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
  const end = `${minutes}:${String(rest).padStart(2, '0')}`
  return hours === 0 ? end : `${hours}:${end.padStart(5, '0')}`
}
