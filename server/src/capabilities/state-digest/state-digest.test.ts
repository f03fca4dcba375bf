import { expect, it } from 'vitest'
import { digestedFields, digestField } from './contract.ts'

/* What clients do with digests is in `client/src/drift.test.ts`; generated histories are in `client/src/fold.generated.test.ts`. */

const NOTHING_UNREAD = { count: 0, pms: [], streams: [], huddles: [], mentions: [], old_unreads_missing: false }

it('leaves out what no event keeps up to date, and unread messages of which not all are listed', () => {
  const state = { queue_id: 'q', max_message_id: 1, drafts: [], unread_msgs: NOTHING_UNREAD }
  expect(digestedFields(state)).toEqual(['drafts', 'unread_msgs'])
  const many = { ...state, unread_msgs: { ...NOTHING_UNREAD, old_unreads_missing: true } }
  expect(digestedFields(many)).toEqual(['drafts'])
})

it('makes no difference between orders that mean nothing, and one between those that do', () => {
  const digest = (name: string, value: unknown): string => digestField({ [name]: value }, name).digest
  const channels = [{ stream_id: 1 }, { stream_id: 2 }]
  expect(digest('subscriptions', channels)).toBe(digest('subscriptions', channels.toReversed()))
  expect(digest('drafts', [{ id: 1 }, { id: 2 }])).not.toBe(digest('drafts', [{ id: 2 }, { id: 1 }]))
})

it('has entries of lists of records alone, each under its own key', () => {
  const streams = [
    { stream_id: 1, topic: '2/x', unread_message_ids: [5] },
    { stream_id: 12, topic: 'x', unread_message_ids: [5] },
  ]
  const state = { unread_msgs: { ...NOTHING_UNREAD, streams }, drafts: [], subscriptions: [{ stream_id: 3 }] }
  const entriesOf = (name: string): Readonly<Record<string, string>> | undefined => digestField(state, name).entries
  const rest = ['mentions', 'old_unreads_missing']
  expect(Object.keys(entriesOf('unread_msgs') ?? {})).toEqual(['topic/1/2/x', 'topic/12/x', ...rest])
  expect(Object.keys(entriesOf('subscriptions') ?? {})).toEqual(['3'])
  expect(entriesOf('drafts')).toBeUndefined()
  expect(entriesOf('toString')).toBeUndefined()
})
