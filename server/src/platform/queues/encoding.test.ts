import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { event } from '../../kernel/event.ts'
import { recordWith } from '../../kernel/keys.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import { CLIENT_CAPABILITIES, type Registration } from '../../kernel/viewer.ts'
import type { EventBinding } from '../../kernel/event-binding.ts'
import type { LogRow } from '../log/row.ts'
import { createEncoder, formKeyOf } from './encoding.ts'

const testEvent = event({
  type: 'thing',
  op: 'made',
  summary: 'Something was made.',
  payload: z.strictObject({ size: z.int() }),
  touches: [],
  apply: () => undefined,
})

const capabilities = recordWith(CLIENT_CAPABILITIES, () => false)
const form = {
  applyMarkdown: true,
  clientExternalAvatar: true,
  includeSubscribers: 'false',
  slimPresence: false,
  isBrowser: false,
  capabilities,
} as const
const registration: Registration = { form, eventTypes: null, narrow: [], allPublicStreams: false }
const organization: OrganizationState = {
  id: 1,
  position: 1,
  of: () => {
    throw new Error('not asked here')
  },
  changedAt: () => 0,
  invalidatedSince: () => [],
}

function row(payload: Record<string, unknown>): LogRow {
  return { position: 1, type: 'thing/made', refId: null, audience: {}, payload, changes: null }
}

function encode(binding: EventBinding, check: boolean, made: LogRow, report: (error: Error) => void): unknown {
  const encoder = createEncoder([binding], check, report)
  return encoder.encode(made, { userId: 1, organization, form }, registration, formKeyOf(form), 'queue')
}

it('encodes an event once for identical viewers', () => {
  let times = 0
  const encoder = createEncoder(
    [
      {
        event: testEvent,
        toClient: ({ payload }) => {
          times += 1
          return payload
        },
      },
    ],
    true,
    () => undefined,
  )
  const made = row({ size: 7 })
  for (const userId of [1, 2, 3]) {
    const text = encoder.encode(made, { userId, organization, form }, registration, formKeyOf(form), `queue ${userId}`)
    expect(text).toBe('{"type":"thing","op":"made","size":7')
  }
  expect(times).toBe(1)
})

it('skips an event that cannot be encoded, and reports the failure', () => {
  const reported: string[] = []
  const broken: EventBinding = {
    event: testEvent,
    toClient: () => {
      throw new Error('a bug')
    },
  }
  expect(encode(broken, false, row({}), (error) => reported.push(error.message))).toBeUndefined()
  expect(reported).toEqual(['a bug'])
})

it('throws in development if an event does not match its declaration', () => {
  const binding: EventBinding = { event: testEvent }
  const never = (): void => {
    throw new Error('not reported')
  }
  expect(() => encode(binding, true, row({ size: 'large' }), never)).toThrow('thing/made is not as declared')
  expect(encode(binding, true, row({ size: 7 }), never)).toBe('{"type":"thing","op":"made","size":7')
})
