import { expect, it } from 'vitest'
import { useMailServer } from '../../testing/mail-server.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import type { TestUser } from '../../testing/user.ts'
import { VISIBILITY } from '../user-topics/contract.ts'
import { makeMissedMessagesDue, waitForRecords, createPerson, sendDueMails, subjectsByPerson } from './testing/scene.ts'

const mails = await useMailServer()
const server = useTestServer({ PARLEY_SMTP_URL: mails.url, PARLEY_MAIL_FROM: 'chat@parley.example' })

/** Mentions make people follow the topic, so this test also turns off emails about followed topics. */
const NO_NOTIFICATIONS = { enable_offline_email_notifications: false, enable_followed_topic_email_notifications: false }
const ALL_CHANNEL_EMAILS = { enable_stream_email_notifications: true }

async function createNewsChannel(owner: TestUser, people: readonly TestUser[], more = {}): Promise<number> {
  await owner.subscribe(['news'], { principals: [owner, ...people].map(({ id }) => id), ...more })
  const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'news' })
  return stream_id
}

async function setTopicPolicy(user: TestUser, channelId: number, policy: number, topic = 'Plans'): Promise<void> {
  await user.call('POST', '/user_topics', { stream_id: channelId, topic, visibility_policy: policy })
}

async function setProperty(user: TestUser, channelId: number, property: string, value: boolean): Promise<void> {
  await user.call('POST', '/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id: channelId, property, value }],
  })
}

async function createPeople(
  organization: TestOrganization,
  settings: Readonly<Record<string, object>>,
): Promise<Record<string, TestUser>> {
  const made: Record<string, TestUser> = {}
  for (const [name, chosen] of Object.entries(settings))
    made[name] = await createPerson(organization, name, { ...chosen })
  return made
}

const personNamed = (people: Readonly<Record<string, TestUser>>, name: string): TestUser => {
  const person = people[name]
  if (person === undefined) throw new Error(`nobody is called ${name}`)
  return person
}

it('emails people about a channel message only if their settings for the channel or topic say so', async () => {
  const organization = await server().organization()
  const { owner, user } = organization
  await owner.call('PATCH', '/settings', ALL_CHANNEL_EMAILS)
  const people = await createPeople(organization, {
    quiet: {},
    all: ALL_CHANNEL_EMAILS,
    here: {},
    notHere: ALL_CHANNEL_EMAILS,
    follower: {},
    followerNot: { enable_followed_topic_email_notifications: false },
    mutedTopic: ALL_CHANNEL_EMAILS,
    mutedChannel: ALL_CHANNEL_EMAILS,
    unmuted: ALL_CHANNEL_EMAILS,
    mutesSender: ALL_CHANNEL_EMAILS,
    reader: ALL_CHANNEL_EMAILS,
    there: ALL_CHANNEL_EMAILS,
    leaver: ALL_CHANNEL_EMAILS,
    gone: ALL_CHANNEL_EMAILS,
  })
  const bot = await user('Helper', { bot: { ownerId: owner.id } })
  const channel = await createNewsChannel(owner, [...Object.values(people), bot], { invite_only: true })
  await setProperty(personNamed(people, 'here'), channel, 'email_notifications', true)
  await setProperty(personNamed(people, 'notHere'), channel, 'email_notifications', false)
  await setTopicPolicy(personNamed(people, 'follower'), channel, VISIBILITY.followed)
  await setTopicPolicy(personNamed(people, 'followerNot'), channel, VISIBILITY.followed)
  await setTopicPolicy(personNamed(people, 'mutedTopic'), channel, VISIBILITY.muted)
  await setProperty(personNamed(people, 'mutedChannel'), channel, 'is_muted', true)
  await setProperty(personNamed(people, 'unmuted'), channel, 'is_muted', true)
  await setTopicPolicy(personNamed(people, 'unmuted'), channel, VISIBILITY.unmuted)
  await personNamed(people, 'mutesSender').call('POST', `/users/me/muted_users/${owner.id}`)
  const id = await owner.send('news', 'Plans', 'We go on Friday.')
  await waitForRecords(server())
  await personNamed(people, 'reader').call('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'read' })
  await personNamed(people, 'there').call('POST', '/users/me/presence', { status: 'active' })
  await personNamed(people, 'leaver').call('DELETE', '/users/me/subscriptions', { subscriptions: ['news'] })
  await owner.call('DELETE', `/users/${personNamed(people, 'gone').id}`)
  await makeMissedMessagesDue(server(), organization)
  const subject = '#news > Plans'
  expect(subjectsByPerson(mails, { ...people, owner, bot })).toEqual({
    all: [subject],
    here: [subject],
    follower: [subject],
    unmuted: [subject],
  })
})

it('emails mentioned people according to their wildcard mention settings', async () => {
  const organization = await server().organization()
  const { owner } = organization
  const people = await createPeople(organization, {
    ann: {},
    never: NO_NOTIFICATIONS,
    notAll: { wildcard_mentions_notify: false },
    notAllHere: {},
    followsAll: { wildcard_mentions_notify: false, enable_followed_topic_email_notifications: false },
    mutedTopic: {},
    mutesSender: {},
    outside: {},
  })
  const { outside, ...inside } = people
  const channel = await createNewsChannel(owner, Object.values(inside))
  await setProperty(personNamed(people, 'notAllHere'), channel, 'wildcard_mentions_notify', false)
  await setTopicPolicy(personNamed(people, 'followsAll'), channel, VISIBILITY.followed, 'Everybody')
  await setTopicPolicy(personNamed(people, 'mutedTopic'), channel, VISIBILITY.muted, 'Everybody')
  await setTopicPolicy(personNamed(people, 'mutedTopic'), channel, VISIBILITY.muted, 'Some')
  await personNamed(people, 'mutesSender').call('POST', `/users/me/muted_users/${owner.id}`)
  await owner.send('news', 'Everybody', '@**all** Lunch!')
  const named = Object.values(people).map(({ id }) => `@**|${id}**`)
  await owner.send('news', 'Some', named.join(' '))
  await owner.send('news', 'Nobody', `@_**|${personNamed(people, 'ann').id}** is not to be told.`)
  await makeMissedMessagesDue(server(), organization)
  const [all, some] = ['#news > Everybody', '#news > Some']
  expect(outside).toBeDefined()
  expect(subjectsByPerson(mails, { ...people, owner })).toEqual({
    ann: [all, some],
    notAll: [some],
    notAllHere: [some],
    followsAll: [all, some],
    mutedTopic: [some],
  })
})

it('sends one email per conversation about direct messages, group mentions, and topic mentions', async () => {
  const organization = await server().organization()
  const { owner } = organization
  const people = await createPeople(organization, { ann: {}, bob: {}, cleo: NO_NOTIFICATIONS })
  const [ann, bob, cleo] = [personNamed(people, 'ann'), personNamed(people, 'bob'), personNamed(people, 'cleo')]
  await createNewsChannel(owner, [ann, bob, cleo])
  await owner.call('POST', '/user_groups/create', { name: 'crew', description: '', members: [ann.id, cleo.id] })
  await owner.sendTo([ann.id], 'One')
  await owner.sendTo([ann.id], 'Two')
  await owner.sendTo([ann.id, bob.id, cleo.id], 'All of us')
  await owner.send('news', 'Group', '@*crew* please')
  await bob.send('news', 'Taking part', 'Me too')
  await owner.send('news', 'Taking part', '@**topic** yes')
  await makeMissedMessagesDue(server(), organization)
  expect(subjectsByPerson(mails, { ...people, owner })).toEqual({
    ann: ['Direct messages with Olivia Owner', 'Direct messages with Olivia Owner, bob, cleo', '#news > Group'],
    bob: ['Direct messages with Olivia Owner, ann, cleo', '#news > Taking part'],
  })
  const direct = mails.received(ann.email)[0]
  expect(direct?.text).toMatch(/^Olivia Owner \(.+\):\n\nOne\n\nTwo\n\nOpen conversation:\nhttp/)
})

it('sends no emails about messages deleted or hidden from the reader before the emails are due', async () => {
  const organization = await server().organization()
  const { owner } = organization
  const people = await createPeople(organization, { ann: ALL_CHANNEL_EMAILS })
  const ann = personNamed(people, 'ann')
  await createNewsChannel(owner, [ann])
  await owner.subscribe(['secret'], { invite_only: true })
  const { stream_id: secret } = await owner.call('GET', '/get_stream_id', { stream: 'secret' })
  const gone = await owner.send('news', 'Gone', 'Deleted soon')
  const moved = await owner.send('news', 'Moved', 'Moved soon')
  const elsewhere = await owner.send('news', 'Elsewhere', 'Moved within')
  const direct = await owner.sendTo([ann.id], 'Deleted, too')
  await waitForRecords(server())
  await owner.call('DELETE', `/messages/${gone}`)
  await owner.call('DELETE', `/messages/${direct}`)
  await owner.call('PATCH', `/messages/${moved}`, {
    stream_id: secret,
    propagate_mode: 'change_all',
    send_notification_to_old_thread: false,
  })
  await owner.call('PATCH', `/messages/${elsewhere}`, {
    topic: 'Here',
    propagate_mode: 'change_all',
    send_notification_to_old_thread: false,
    send_notification_to_new_thread: false,
  })
  await makeMissedMessagesDue(server(), organization)
  expect(subjectsByPerson(mails, people)).toEqual({ ann: ['#news > Here'] })
})

it('postpones a pending email when the person was active after the first missed message', async () => {
  const organization = await server().organization()
  const { owner } = organization
  const people = await createPeople(organization, { ann: {} })
  const ann = personNamed(people, 'ann')
  const first = await owner.sendTo([ann.id], 'Seen')
  await waitForRecords(server())
  const { pool } = server().parley.database
  await pool.query('update messages set date_sent = date_sent - 7200 where organization_id = $1', [organization.id])
  await ann.call('POST', '/users/me/presence', { status: 'active' })
  const second = await owner.sendTo([ann.id], 'Not seen')
  await waitForRecords(server())
  await pool.query('update missed_messages set due_at = 0 where organization_id = $1', [organization.id])
  const countWaiting = async (): Promise<unknown> => {
    const { rows } = await pool.query<Record<string, number>>(
      `select first_id, due_at > extract(epoch from now()) + 3000 as "isLater" from missed_messages where organization_id = $1`,
      [organization.id],
    )
    return rows
  }
  await expect.poll(countWaiting).toEqual([{ first_id: second, isLater: true }])
  expect(first).toBeLessThan(second)
  expect(mails.received(ann.email)).toEqual([])
  await pool.query('update presences set active_at = active_at - 14400 where organization_id = $1', [organization.id])
  await makeMissedMessagesDue(server(), organization)
  const [mail, ...others] = mails.received(ann.email)
  expect([mail?.text.includes('Not seen'), others]).toEqual([true, []])
})

it("does not postpone a person's pending emails when an edit mentions them in an older message", async () => {
  const organization = await server().organization()
  const { owner } = organization
  await owner.call('PATCH', '/realm', { message_content_edit_limit_seconds: 'unlimited' })
  const ann = await createPerson(organization, 'ann')
  await createNewsChannel(owner, [ann])
  const { pool } = server().parley.database
  const older = await owner.send('news', 'Plans', 'Look')
  await owner.sendTo([ann.id], 'Hello')
  await waitForRecords(server())
  await pool.query('update messages set date_sent = date_sent - 7200 where organization_id = $1', [organization.id])
  await owner.call('PATCH', `/messages/${older}`, { content: `@**|${ann.id}** look` })
  await waitForRecords(server())
  await pool.query('update missed_messages set due_at = 0 where organization_id = $1', [organization.id])
  await sendDueMails(server(), organization)
  expect(subjectsByPerson(mails, { ann })['ann']?.toSorted()).toEqual([
    '#news > Plans',
    'Direct messages with Olivia Owner',
  ])
})

it('emails a message only after recording its recipients, so that no message is emailed twice', async () => {
  const organization = await server().organization()
  const ann = await createPerson(organization, 'ann')
  const { pool } = server().parley.database
  const first = await organization.owner.sendTo([ann.id], 'First')
  const second = await organization.owner.sendTo([ann.id], 'Second')
  await waitForRecords(server())
  await pool.query('update messages set date_sent = date_sent - 7200 where organization_id = $1', [organization.id])
  const record = (firstId: number, newestId: number): Promise<unknown> =>
    pool.query(
      `insert into missed_messages values ($1, $2, $3, $4, 0) on conflict (organization_id, user_id)
       do update set newest_id = excluded.newest_id, due_at = 0`,
      [organization.id, ann.id, firstId, newestId],
    )
  const texts = (): string[] =>
    mails.received(ann.email).map(({ text }) => ['First', 'Second'].filter((word) => text.includes(word)).join())
  await record(first, first)
  await sendDueMails(server(), organization)
  expect(texts()).toEqual(['First'])
  await record(second, second)
  await sendDueMails(server(), organization)
  expect(texts()).toEqual(['First', 'Second'])
})

it('sends one email to people newly mentioned by an edit', async () => {
  const organization = await server().organization()
  const { owner } = organization
  const people = await createPeople(organization, {
    ann: {},
    bob: {},
    reader: {},
    unwanted: NO_NOTIFICATIONS,
    mutesSender: {},
    away: {},
    later: {},
  })
  await owner.call('PATCH', '/realm', { message_content_edit_limit_seconds: 'unlimited' })
  const channel = await createNewsChannel(owner, Object.values(people), { invite_only: true })
  const outside = await createPerson(organization, 'outside')
  await personNamed(people, 'mutesSender').call('POST', `/users/me/muted_users/${owner.id}`)
  const nameOf = ({ id }: TestUser): string => `@**|${id}**`
  const [ann, bob] = [personNamed(people, 'ann'), personNamed(people, 'bob')]
  const id = await owner.send('news', 'Plans', `${nameOf(ann)} look`)
  await owner.send('news', 'Plans', 'Something else')
  await personNamed(people, 'reader').call('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'read' })
  await makeMissedMessagesDue(server(), organization)
  const subject = '#news > Plans'
  const everybody = { ...people, outside }
  expect(subjectsByPerson(mails, everybody)).toEqual({ ann: [subject] })
  const edit = async (content: string): Promise<void> => {
    await owner.call('PATCH', `/messages/${id}`, { content })
    await makeMissedMessagesDue(server(), organization)
  }
  const named = ['ann', 'bob', 'reader', 'unwanted', 'mutesSender']
    .map((name) => nameOf(personNamed(people, name)))
    .join(' ')
  await edit(`${named} ${nameOf(outside)} look`)
  expect(subjectsByPerson(mails, everybody)).toEqual({ ann: [subject], bob: [subject] })
  const mail = mails.received(bob.email).at(-1)
  expect(mail?.text).toContain('a message that mentions you')
  expect(mail?.text).not.toContain('Something else')
  await edit(`${named} look here`)
  expect(subjectsByPerson(mails, everybody)).toEqual({ ann: [subject], bob: [subject] })
  await setProperty(personNamed(people, 'later'), channel, 'wildcard_mentions_notify', false)
  await edit(`${named} @**all** look here`)
  expect(subjectsByPerson(mails, everybody)).toEqual({ ann: [subject], bob: [subject], away: [subject] })
  const { rows } = await server().parley.database.pool.query('select 1 from late_mentions where organization_id = $1', [
    organization.id,
  ])
  expect(rows).toEqual([])
})
