import { expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import { callApi } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'

const server = useTestServer()

const CALLS = [
  [
    'GET',
    '/calls/bigbluebutton/create',
    { meeting_name: 'Plans', voice_only: true },
    'BigBlueButton is not configured.',
  ],
  ['POST', '/calls/zoom/create', { is_video_call: false }, 'Zoom credentials have not been configured'],
  ['POST', '/calls/nextcloud_talk/create', {}, 'Nextcloud Talk is not configured.'],
  ['POST', '/calls/constructorgroups/create', {}, 'Constructor Groups is not configured.'],
] as const

it.each(CALLS)('refuses %s %s without a configured call service and sends no events', async (...call) => {
  const [method, path, parameters, message] = call
  const { owner, user, host } = await server().organization()
  const guest = await user('Gus', { role: 600 })
  const look = await watch({ owner, guest })
  for (const who of [owner, guest]) {
    const { status, body } = await who.try(method, path, parameters)
    expect([status, body]).toEqual([400, { result: 'error', code: 'BAD_REQUEST', msg: message }])
  }
  const stranger = await callApi(owner.url, host, method, path, parameters)
  expect([stranger.status, stranger.body['code']]).toEqual([401, 'UNAUTHENTICATED_USER'])
  expect(await look()).toEqual({ owner: [], guest: [] })
})

it('reports missing or invalid parameters even if no call service is configured', async () => {
  const { owner } = await server().organization()
  const unnamed = await owner.try('GET', '/calls/bigbluebutton/create')
  expect(unnamed.body).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', var_name: 'meeting_name' })
  const unclear = await owner.try('POST', '/calls/zoom/create', { is_video_call: 'perhaps' })
  expect([unclear.status, unclear.body['code']]).toEqual([400, 'REQUEST_VARIABLE_INVALID'])
})

it('reports, when a queue is registered, that the person has no Zoom token', async () => {
  const { owner } = await server().organization()
  expect((await owner.register({ fetch_event_types: ['video_calls'] })).state).toMatchObject({ has_zoom_token: false })
})
