import { call, fold, isEvent, isFinal, type ApiEvent } from '@parley/client'
import { channels, pins as declared } from '@parley/server/contract'
import { caseKey } from '@parley/server/kernel/case-key'
import { batch, effect, signal, untracked, type Signal } from '@preact/signals'
import type { Message } from '../../kernel/message.ts'
import type { Place } from '../../kernel/route.ts'
import { sync, store } from '../../platform/client.ts'
import { retryDelayAfter } from '../../platform/messages/reading.ts'
import { SESSION, type PredictedEvent } from '../../platform/sync/sync.ts'
import { mayRead, mayAdminister } from '../channels/rights.ts'
import { channelById } from '../channels/state.ts'
import { coversCurrentUser } from '../groups/state.ts'
import { maySendTo } from '../message-edits/rules.ts'

export type Pin = declared.Pin
export type ChannelLink = declared.Link

interface ChannelEntry {
  readonly pins: Signal<readonly Pin[]>
  readonly links: Signal<readonly ChannelLink[]>
  /** Undefined before the first request. An outdated channel is requested when it is next read. */
  status: 'loading' | 'loaded' | 'failed' | 'outdated' | undefined
  /** Events received while a request is pending. */
  eventsDuringRequest: ApiEvent[]
}

/* Channels are requested on first use, because most channels have neither pins nor links. */
const entriesByChannelId = new Map<number, ChannelEntry>()
/** Incremented when components must request channels again. */
const renewals = signal(0)

export function followPins(): void {
  sync.listen(handleEvent)
  sync.onBeginning(() => renewEntries([...entriesByChannelId.values()]))
  effect(() => {
    if (sync.isConnected.value) untracked(renewFailedEntries)
  })
}

function renewFailedEntries(): void {
  renewEntries([...entriesByChannelId.values()].filter(({ status }) => status === 'failed'))
}

/** Known pins stay visible until the new ones arrive. */
function renewEntries(outdated: readonly ChannelEntry[]): void {
  if (outdated.length === 0) return
  for (const entry of outdated) if (entry.status !== undefined) entry.status = 'outdated'
  renewals.value += 1
}

function knownEntries(channelIds: readonly number[]): readonly ChannelEntry[] {
  return channelIds.flatMap((id) => entriesByChannelId.get(id) ?? [])
}

function handleEvent(event: ApiEvent): void {
  if (isEvent(event, channels.subscriptionAdded) || isEvent(event, channels.subscriptionRemoved)) {
    // Joining and leaving a private channel changes which of its messages can be read.
    renewEntries(knownEntries(event.subscriptions.map(({ stream_id: id }) => id)))
  } else if (isEvent(event, channels.channelUpdated) && event.property === 'invite_only') {
    renewEntries(knownEntries([event.stream_id]))
  } else if (event.type === 'channel_pins') applyEvent(event)
}

function applyEvent(event: ApiEvent): void {
  const channelId = Number(event['stream_id'])
  const known = entriesByChannelId.get(channelId)
  if (known === undefined) return
  if (known.status === 'loading') known.eventsDuringRequest.push(event)
  const links = known.links.peek().map((link) => ({ ...link }))
  const after: declared.ChannelPins = { pins: [...known.pins.peek()], links }
  fold({ channel_pins: { [channelId]: after } }, event, { includeSubscribers: false })
  updateShownPins(known, after)
}

export function predictPins(event: PredictedEvent): void {
  applyEvent({ ...event, id: -1 })
}

function updateShownPins({ pins, links }: ChannelEntry, after: declared.ChannelPins): void {
  batch(() => {
    writeIfChanged(pins, after.pins)
    writeIfChanged(links, after.links)
  })
}

/** Every message of the channel depends on its pins, so equal values must not notify readers. */
function writeIfChanged<Value>(known: Signal<Value>, value: Value): void {
  if (JSON.stringify(known.peek()) !== JSON.stringify(value)) known.value = value
}

async function loadChannel(channelId: number, known: ChannelEntry): Promise<void> {
  const during: ApiEvent[] = []
  known.status = 'loading'
  known.eventsDuringRequest = during
  // A later request replaces this one.
  const isCurrent = (): boolean => known.status === 'loading' && known.eventsDuringRequest === during
  try {
    const input = { stream_id: channelId, allow_empty_topic_name: true }
    const { pins, links } = await call(SESSION, declared.getChannelPins, input)
    if (!isCurrent()) return
    known.status = 'loaded'
    batch(() => {
      updateShownPins(known, { pins, links })
      // The response can lack these events or already include them; they are idempotent.
      for (const event of during) applyEvent(event)
    })
  } catch (error) {
    if (!isCurrent()) return
    // After a refusal, the channel is requested again only when the person's access to it changes.
    known.status = isFinal(error) ? 'loaded' : 'failed'
    if (known.status === 'failed' && sync.isConnected.peek()) setTimeout(renewFailedEntries, retryDelayAfter(error))
  }
}

function ensureEntry(channelId: number): ChannelEntry {
  const known = entriesByChannelId.get(channelId) ?? {
    pins: signal([]),
    links: signal([]),
    status: undefined,
    eventsDuringRequest: [],
  }
  entriesByChannelId.set(channelId, known)
  return known
}

function pinsOfChannel(channelId: number): ChannelEntry | undefined {
  void renewals.value
  const channel = channelById(channelId)
  if (channel === undefined || !mayRead(channel)) return undefined
  const known = ensureEntry(channelId)
  if (known.status === undefined || known.status === 'outdated') void loadChannel(channelId, known)
  return known
}

export function linksOf(channelId: number): readonly ChannelLink[] {
  return pinsOfChannel(channelId)?.links.value ?? []
}

/** Returns the pins to show in a channel or topic, newest first; a topic also shows its channel's. */
export function pinsIn(place: Place): readonly Pin[] {
  if (place.view !== 'topic' && place.view !== 'channel-feed') return []
  const key = place.view === 'topic' ? caseKey(place.topic) : undefined
  const pins = pinsOfChannel(place.channelId)?.pins.value ?? []
  return pins.filter(({ scope, topic }) => scope === 'channel' || caseKey(topic) === key)
}

export function pinOf({ id, stream_id: channelId }: Message): Pin | undefined {
  return channelId === undefined ? undefined : findPin(pinsOfChannel(channelId), id)
}

/** Requests no channel for the first time, because a list of many conversations would request all their channels. */
export function knownPinOf(message: Message): Pin | undefined {
  const { id, stream_id: channelId } = message
  if (channelId === undefined) return undefined
  void renewals.value
  const known = ensureEntry(channelId)
  return known.status === 'outdated' ? pinOf(message) : findPin(known, id)
}

function findPin(known: ChannelEntry | undefined, messageId: number): Pin | undefined {
  return known?.pins.value.find(({ message_id }) => message_id === messageId)
}

/** Whether the user can change the channel's pins and links. Mirrors the server's rule. */
export function mayPinIn(channelId: number): boolean {
  const channel = channelById(channelId)
  if (channel === undefined || channel.is_archived || !mayRead(channel)) return false
  if (mayAdminister(channel)) return true
  return coversCurrentUser(store().read('realm_can_pin_messages_group')) && maySendTo(channel)
}

export interface LinkRequest {
  readonly channelId: number
  /** Undefined for a new link. */
  readonly link: ChannelLink | undefined
}

export const openedLink = signal<LinkRequest | undefined>(undefined)
/** Channel whose links are edited. */
export const openedLinkList = signal<number | undefined>(undefined)

export function openNewLink(channelId: number): void {
  openedLink.value = { channelId, link: undefined }
}

export function editLinks(channelId: number): void {
  openedLinkList.value = channelId
}
