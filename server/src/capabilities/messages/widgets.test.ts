import { expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import { makeDue, FAR_FUTURE_SECONDS } from '../../testing/age.ts'
import type { Body, TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { MAX_WIDGET_ITEMS } from './rules/payload.ts'

const server = useTestServer()

async function readSubmessages(user: TestUser, id: number): Promise<Body[]> {
  const { message } = await user.call('GET', `/messages/${id}`)
  return message.submessages
}

async function widgetOf(user: TestUser, content: string): Promise<unknown> {
  const shown = await readSubmessages(user, await user.sendTo([user.id], content))
  return shown.length === 0 ? undefined : JSON.parse(String(shown[0]?.content))
}

const poll = (question: string, options: readonly string[] = []): Body => ({
  widget_type: 'poll',
  extra_data: { question, options },
})

const todo = (task_list_title: string, tasks: readonly (readonly [task: string, desc: string])[] = []): Body => ({
  widget_type: 'todo',
  extra_data: { task_list_title, tasks: tasks.map(([task, desc]) => ({ task, desc })) },
})

it('turns a message starting with /poll into a poll that readers can vote on', async () => {
  const { owner, user } = await server().organization()
  const [ann, ben] = [await user('Ann'), await user('Ben')]
  await owner.subscribe(['food'], { principals: [owner.id, ann.id], invite_only: true })
  const look = await watch({ owner, ann, ben }, { event_types: ['message', 'submessage'], apply_markdown: false })
  const content = '/poll Lunch?\n* now\n- later'
  const id = await ann.send('food', 'lunch', content)
  const widget = { id, message_id: id, sender_id: ann.id, msg_type: 'widget' }
  const sent = { type: 'message', message: { id, content, submessages: [widget] } }
  const seen = await look()
  expect(seen).toMatchObject({ owner: [sent], ann: [sent], ben: [] })
  const [{ content: json, ...shown } = {}] = await readSubmessages(owner, id)
  expect([shown, JSON.parse(String(json))]).toEqual([widget, poll('Lunch?', ['now', 'later'])])
  expect(seen.owner).toMatchObject([{ message: { submessages: [{ content: json }] } }])
  const { message } = await owner.call('GET', `/messages/${id}`)
  expect(message).toMatchObject({
    content: '<p>/poll Lunch?</p>\n<ul>\n<li>now</li>\n</ul>\n<ul>\n<li>later</li>\n</ul>',
  })
  const vote = JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 })
  await owner.call('POST', '/submessage', { message_id: id, msg_type: 'widget', content: vote })
  const told = { type: 'submessage', message_id: id, sender_id: owner.id, content: vote }
  expect(await look()).toMatchObject({ owner: [told], ann: [told], ben: [] })
})

it.each([
  ['/poll', poll('')],
  ['/poll Lunch?', poll('Lunch?')],
  ['/poll   Lunch?  ', poll('Lunch?')],
  ['/poll\tLunch?', poll('Lunch?')],
  [
    '/poll Lunch?\n\n  \n* now\n  -  later\n+ never\n1. first\n**bold**',
    poll('Lunch?', ['now', 'later', '+ never', '1. first', '*bold**']),
  ],
  ['/poll\nnow\r\nlater', poll('', ['now', 'later'])],
  ['/poll "a" \\ <b>\n/poll', poll('"a" \\ <b>', ['/poll'])],
  ['/todo', todo('')],
  [
    '/todo Move\n* Boxes: Ask Ann: today\n- Keys\nVan:now',
    todo('Move', [
      ['Boxes', 'Ask Ann: today'],
      ['Keys', ''],
      ['Van:now', ''],
    ]),
  ],
  ['/todo\nBoxes :  Ask Ann', todo('', [['Boxes', 'Ask Ann']])],
] as const)('parses %j as a widget', async (content, expected) => {
  const { owner } = await server().organization()
  expect(await widgetOf(owner, content)).toEqual(expected)
})

it.each([
  '/polls Lunch?',
  '/poll: Lunch?',
  ' /poll Lunch?',
  '/POLL Lunch?',
  '\\/poll',
  'a\n/poll b',
  '/me polls',
  '/roll 6',
])('leaves %j as text', async (content) => {
  const { owner } = await server().organization()
  expect(await widgetOf(owner, content)).toBeUndefined()
})

it('leaves a /todo list with too many items as text', async () => {
  const { owner } = await server().organization()
  const longest = `/todo x\n${'y\n'.repeat(MAX_WIDGET_ITEMS)}`
  expect(await widgetOf(owner, longest)).toMatchObject({ widget_type: 'todo' })
  expect(await widgetOf(owner, `${longest}z`)).toBeUndefined()
})

it('prefers the widget that a program sends over a command in the text', async () => {
  const { owner } = await server().organization()
  const widget_content = JSON.stringify(poll('Dinner?'))
  const message = { type: 'direct', to: [owner.id], content: '/todo Lunch', widget_content }
  const { id } = await owner.call('POST', '/messages', message)
  expect(await readSubmessages(owner, id)).toMatchObject([{ content: widget_content }])
})

it('turns a scheduled message into a poll when it is sent', async () => {
  const { id: organizationId, owner } = await server().organization()
  const queue = await owner.register({ event_types: ['message'] })
  const message = { type: 'direct', to: [owner.id], content: '/poll Lunch?\nnow' }
  const parameters = { ...message, scheduled_delivery_timestamp: FAR_FUTURE_SECONDS }
  const { scheduled_message_id } = await owner.call('POST', '/scheduled_messages', parameters)
  await makeDue(server().database, 'scheduled_messages', organizationId, [scheduled_message_id])
  const content = JSON.stringify(poll('Lunch?', ['now']))
  const [event] = await queue.next()
  expect(event).toMatchObject({ message: { submessages: [{ msg_type: 'widget', content }] } })
  expect(await readSubmessages(owner, Number(event?.message?.id))).toMatchObject([{ content }])
})

it('creates no poll when a message is edited, and refuses to edit a poll', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['food'], { principals: [owner.id, ann.id] })
  const plain = await ann.send('food', 'lunch', 'Lunch?')
  await ann.call('PATCH', `/messages/${plain}`, { content: '/poll Lunch?' })
  expect(await readSubmessages(ann, plain)).toEqual([])
  const id = await ann.send('food', 'lunch', '/poll Lunch?')
  const look = await watch({ owner })
  const refused = await ann.try('PATCH', `/messages/${id}`, { content: '/poll Dinner?' })
  expect([refused.status, refused.body['code']]).toEqual([400, 'BAD_REQUEST'])
  expect(await look()).toEqual({ owner: [] })
  await ann.call('PATCH', `/messages/${id}`, { topic: 'dinner', send_notification_to_new_thread: false })
  expect(await look()).toMatchObject({ owner: [{ type: 'update_message', subject: 'dinner' }] })
  expect(await readSubmessages(owner, id)).toMatchObject([{ content: JSON.stringify(poll('Lunch?')) }])
})
