import { expect, it } from 'vitest'
import { capabilities } from '../../server/src/capabilities.ts'
import { worstInputs } from './inputs.js'
import type { Known } from './known.js'

/** Of an organization in which there is nothing: only the table matters here. */
const NOTHING: Known = {
  me: 0,
  email: '',
  users: [],
  others: [],
  channels: [],
  messages: [],
  topic: { channel: 0, name: '', newest: 0 },
  own: 0,
  voted: 0,
  bot: 0,
  group: 0,
  groups: [],
  field: 0,
  fields: [],
  folder: 0,
  folders: [],
  linkifier: 0,
  linkifiers: [],
  playground: 0,
  view: '',
  file: '',
  attachment: 0,
  draft: 0,
  snippet: 0,
  scheduled: 0,
  reminder: 0,
  queue: '',
}

it('every endpoint has a worst input, or a reason for having none', () => {
  const inputs = worstInputs(NOTHING)
  const endpoints = capabilities.flatMap((capability) => capability.routes).map(({ endpoint }) => endpoint.id)
  expect(Object.keys(inputs).toSorted()).toEqual(endpoints.toSorted())
  // The lists of channels are empty where there are none.
  const known = worstInputs({ ...NOTHING, channels: [{ id: 1, name: 'general' }] })
  expect(Object.entries(known).filter(([, some]) => some.length === 0)).toEqual([])
})
