import { call } from '@parley/client'
import { pins as declared } from '@parley/server/contract'
import { tl } from '../../kernel/later-texts.ts'
import type { Message } from '../../kernel/message.ts'
import { predictAndSend } from '../../platform/predicted.ts'
import { callOrToast } from '../../platform/requests.ts'
import { SESSION, type PredictedEvent } from '../../platform/sync/sync.ts'
import { offerUndo } from '../../platform/undo.ts'
import { ownId } from '../users/state.ts'
import { linksOf, predictPins, type ChannelLink, type Pin } from './state.ts'

const pinsEvent = (op: string, channelId: number, fields: object): PredictedEvent => ({
  type: 'channel_pins',
  op,
  stream_id: channelId,
  ...fields,
})

const pinEvent = (channelId: number, messageId: number, pin: Pin | undefined): PredictedEvent =>
  pin === undefined ? pinsEvent('remove', channelId, { message_id: messageId }) : pinsEvent('add', channelId, { pin })

async function sendPin(channelId: number, messageId: number, scope: Pin['scope'] | undefined): Promise<unknown> {
  const input = { stream_id: channelId, message_id: messageId }
  return scope === undefined
    ? call(SESSION, declared.unpinMessage, input)
    : call(SESSION, declared.pinMessage, { ...input, scope })
}

export async function pinMessage(message: Message, before: Pin | undefined, scope: Pin['scope']): Promise<void> {
  const { stream_id: channelId, id, subject: topic } = message
  if (channelId === undefined) return
  const pin = { pinned_by: ownId(), pinned_at: Math.floor(Date.now() / 1000), ...before, message_id: id, scope, topic }
  await changePin(channelId, id, before, pin)
}

export async function unpinMessage(channelId: number, pin: Pin): Promise<void> {
  await changePin(channelId, pin.message_id, pin, undefined)
}

async function changePin(
  channelId: number,
  messageId: number,
  before: Pin | undefined,
  after: Pin | undefined,
): Promise<void> {
  const isAccepted = await predictAndSend(
    pinEvent(channelId, messageId, after),
    pinEvent(channelId, messageId, before),
    async () => sendPin(channelId, messageId, after?.scope),
    predictPins,
  )
  if (!isAccepted) return
  const text = after === undefined ? tl().pins.unpinned : tl().pins.pinned[after.scope]
  offerUndo(text, async () => sendPin(channelId, messageId, before?.scope))
}

export type LinkContent = Pick<ChannelLink, 'title' | 'url'>

/** Throws errors, so that the calling form can show them. */
export async function addLink(channelId: number, content: LinkContent): Promise<void> {
  const { link_id } = await call(SESSION, declared.createChannelLink, { stream_id: channelId, ...content })
  offerUndo(tl().links.added(content.title), async () =>
    call(SESSION, declared.deleteChannelLink, { stream_id: channelId, link_id }),
  )
}

/** Throws errors, so that the calling form can show them. */
export async function changeLink(channelId: number, before: ChannelLink, content: LinkContent): Promise<void> {
  const send = async ({ title, url }: LinkContent) =>
    call(SESSION, declared.updateChannelLink, { stream_id: channelId, link_id: before.link_id, title, url })
  if (content.title === before.title && content.url === before.url) return
  await send(content)
  offerUndo(tl().links.changed(content.title), async () => send(before))
}

export async function removeLink(channelId: number, { link_id, title, url }: ChannelLink): Promise<void> {
  const at = idsOf(linksOf(channelId)).indexOf(link_id)
  if ((await callOrToast(declared.deleteChannelLink, { stream_id: channelId, link_id })) === undefined) return
  offerUndo(tl().links.removed(title), async () => {
    const restored = await call(SESSION, declared.createChannelLink, { stream_id: channelId, title, url })
    const others = idsOf(linksOf(channelId)).filter((id) => id !== restored.link_id)
    await sendOrder(channelId, others.toSpliced(at, 0, restored.link_id))
  })
}

export async function orderLinks(channelId: number, links: readonly ChannelLink[]): Promise<void> {
  const [before, order] = [idsOf(linksOf(channelId)), idsOf(links)]
  const isAccepted = await predictAndSend(
    pinsEvent('reorder_links', channelId, { order }),
    pinsEvent('reorder_links', channelId, { order: before }),
    async () => sendOrder(channelId, order),
    predictPins,
  )
  if (isAccepted) offerUndo(tl().views.ordered, async () => sendOrder(channelId, before), { isQuiet: true })
}

async function sendOrder(channelId: number, order: number[]): Promise<unknown> {
  return call(SESSION, declared.reorderChannelLinks, { stream_id: channelId, order })
}

function idsOf(links: readonly ChannelLink[]): number[] {
  return links.map(({ link_id: id }) => id)
}
