import { expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import type { Body } from '../../testing/user.ts'
import { EXPORT_TYPE } from './contract.ts'
import { exportedFiles, recordsOf } from './testing/archives.ts'

const server = useTestServer()

const ANY_NUMBER: unknown = expect.any(Number)
const ANY_TEXT: unknown = expect.any(String)

it("exports a person's own records with the field names of the API", async () => {
  const { owner, user } = await server().organization()
  const mia = await user('Mia')
  const id = await mia.sendTo([owner.id], 'Hello')
  await owner.subscribe(['open'], { principals: [owner.id, mia.id] })
  const { streams } = await owner.call('GET', '/streams')
  const [channel] = streams
  const later = { scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 3_600 }
  await mia.call('POST', '/users/me/alert_words', { alert_words: ['ship'] })
  await mia.call('POST', `/users/me/muted_users/${owner.id}`)
  await mia.call('POST', '/drafts', { drafts: [{ type: 'private', to: [owner.id], topic: '', content: 'Draft' }] })
  await mia.call('POST', '/saved_snippets', { title: 'Snippet', content: 'x' })
  await mia.call('POST', '/scheduled_messages', { type: 'direct', to: [owner.id], content: 'Later', ...later })
  await mia.call('POST', '/reminders', { message_id: id, ...later })
  await mia.call('POST', '/user_topics', { stream_id: channel?.stream_id, topic: 'hello', visibility_policy: 3 })
  await mia.call('PATCH', '/settings', { allow_private_data_export: true })
  const files = await exportedFiles(owner, EXPORT_TYPE.fullWithConsent)
  const own = (kind: string): Body[] => recordsOf(files, `own/${mia.id}/${kind}`)
  const members: unknown = expect.arrayContaining([owner.id])
  const written = { user_id: mia.id, content: ANY_TEXT, failed: false, ...later }
  expect(own('alert_words')).toEqual([{ user_id: mia.id, word: 'ship' }])
  expect(own('muted_users')).toEqual([
    { user_id: mia.id, muted_user_id: owner.id, timestamp: ANY_NUMBER, blocked_since: null },
  ])
  expect(own('drafts')).toEqual([
    {
      user_id: mia.id,
      id: ANY_NUMBER,
      type: 'private',
      to: [owner.id],
      topic: '',
      content: 'Draft',
      timestamp: ANY_NUMBER,
    },
  ])
  expect(own('saved_snippets')).toEqual([
    { user_id: mia.id, id: ANY_NUMBER, title: 'Snippet', content: 'x', date_created: ANY_NUMBER },
  ])
  expect(own('scheduled_messages')).toEqual([
    {
      ...written,
      scheduled_message_id: ANY_NUMBER,
      stream_id: null,
      recipient_ids: members,
      topic: '',
    },
  ])
  expect(own('reminders')).toEqual([{ ...written, reminder_id: ANY_NUMBER, reminder_target_message_id: id }])
  expect(own('user_topics')).toEqual([
    {
      user_id: mia.id,
      stream_id: channel?.stream_id,
      topic_name: 'hello',
      visibility_policy: 3,
      last_updated: ANY_NUMBER,
    },
  ])
})
