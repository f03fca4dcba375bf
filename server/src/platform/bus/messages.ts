import { isRecord } from '../../kernel/keys.ts'
import type { BusListener, NodeMessage, PublishedEvent } from './bus.ts'

/* Unknown messages are ignored: other programs or versions of Parley can use the same bus. */

export function committedMessage(position: number): string {
  return JSON.stringify({ committed: position })
}

export function organizationRemovedMessage(): string {
  return JSON.stringify({ removed: true })
}

export function ephemeralMessage({ position, type, audience, payload }: PublishedEvent): string {
  return JSON.stringify({ ephemeral: { position, type, audience, payload } })
}

/** @returns whether the message was valid */
export function dispatchMessage(listener: BusListener, organizationId: number, text: string): boolean {
  const message = parseJson(text)
  if (!isRecord(message)) return false
  const { committed, removed, ephemeral } = message
  if (isPosition(committed)) listener.committed(organizationId, committed)
  else if (removed === true) listener.removed(organizationId)
  else if (isEphemeralEvent(ephemeral)) listener.ephemeral({ ...ephemeral, organizationId })
  else return false
  return true
}

/** @returns whether the message was valid */
export function dispatchNodeMessage(listener: BusListener, text: string): boolean {
  const message = parseJson(text)
  if (!isNodeMessage(message)) return false
  listener.nodeMessage(message)
  return true
}

const NODE_MESSAGES: readonly (readonly [kind: string, fields: readonly string[]])[] = [
  ['asked', ['asker', 'number', 'organizationId', 'position']],
  ['applied', ['asker', 'number', 'node']],
]

function isNodeMessage(value: unknown): value is NodeMessage {
  if (!isRecord(value)) return false
  if (isRecord(value['counted'])) return isCountReport(value['counted'])
  return NODE_MESSAGES.some(([kind, fields]) => {
    const content = value[kind]
    return isRecord(content) && fields.every((field) => isPosition(content[field]))
  })
}

function isCountReport({ node, counts }: Readonly<Record<string, unknown>>): boolean {
  return isPosition(node) && Array.isArray(counts) && counts.every(isRateLimitCount)
}

function isRateLimitCount(value: unknown): boolean {
  if (!isRecord(value)) return false
  const { limit, key, used, left } = value
  return typeof limit === 'string' && typeof key === 'string' && isPosition(used) && Number.isFinite(left)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isPosition(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

function isEphemeralEvent(value: unknown): value is Omit<PublishedEvent, 'organizationId'> {
  if (!isRecord(value)) return false
  const { position, type, audience, payload } = value
  return isPosition(position) && typeof type === 'string' && isAudience(audience) && isRecord(payload)
}

function isAudience(value: unknown): boolean {
  if (!isRecord(value)) return false
  const { users = [], except = [], roleAtMost = 0, channel = 0, alsoAt = 0, clients = {} } = value
  const areIds = [users, except].every((ids) => Array.isArray(ids) && ids.every(isPosition))
  return areIds && [roleAtMost, channel, alsoAt].every(isPosition) && isRecord(clients)
}
