import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { playgrounds, queues, users } from '../../server/src/contract.ts'
import { listWith } from '../../server/src/testing/expected.ts'
import { useTestServer } from '../../server/src/testing/server.ts'
import { call, follow, type ApiEvent, type ClientState, type KeyCredentials } from './index.ts'

// Without the header Parley-Client, `PARLEY_API_NAMES` renames the fields of declarations.
const server = useTestServer({ PARLEY_API_NAMES: 'zulip', PARLEY_ROOT_DOMAIN: '' })
let credentials: KeyCredentials

beforeAll(async () => {
  const { owner } = await server().organization('Test', { stringId: '' })
  credentials = { url: owner.url, email: owner.email, apiKey: owner.apiKey }
})

it.each([true, false])('replaces compatible API names with contract names, with streams: %s', async (streams) => {
  const leaving = new AbortController()
  onTestFinished(() => leaving.abort())
  let state: ClientState = {}
  const events: ApiEvent[] = []
  const form = { client_capabilities: { user_settings_object: true } }
  void follow(
    credentials,
    form,
    { onState: (registered) => (state = registered), onEvent: (event) => events.push(event) },
    leaving.signal,
    { streams },
  )
  await expect.poll(() => state['service_feature_level']).toBe(420)
  const name = `Runner ${String(streams)}`
  const template = 'https://run.example.com/?code={code}'
  await call(credentials, playgrounds.addPlayground, { name, highlighter_language: 'Python', url_template: template })
  await call(credentials, users.updateSettings, { notification_sound: 'ding' })
  await call(credentials, users.updateSettings, { notification_sound: 'service' })
  await expect.poll(() => events.filter(({ type }) => type === 'user_settings')).toHaveLength(2)
  const known = {
    realm_playgrounds: listWith([expect.objectContaining({ name, highlighter_language: 'Python' })]),
  }
  expect(state).toMatchObject({ ...known, user_settings: { notification_sound: 'service' } })
  expect(await call(credentials, queues.registerQueue, form)).toMatchObject(known)
})
