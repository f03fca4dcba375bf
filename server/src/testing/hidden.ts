import { ROLE } from '../kernel/actor.ts'
import { sendFiles, upload } from './files.ts'
import type { Kind } from './naming.ts'
import { samplesFor, type Samples } from './samples.ts'
import type { TestOrganization, TestServer } from './server.ts'
import type { Body, TestUser } from './user.ts'

/** Something that requests can name: by a number, or by texts. */
export interface Thing {
  readonly id: number
  readonly texts: readonly string[]
  /** Of users: as they are mentioned. */
  readonly name?: string
  /** What must stand beside the name of it, such as the channel that a topic is in. */
  readonly beside?: Readonly<Record<string, unknown>>
}

/** Something that exists and that the viewer may not see, and what would name it if it were something else. */
export interface Pair {
  readonly what: string
  readonly hidden: Thing
  readonly absent: Thing
}

export interface Viewer {
  readonly user: TestUser
  /** What requests of the viewer can name. */
  readonly samples: Samples
  /** Of a custom profile field that names people. */
  readonly peopleField: number
  /** What the viewer may not see, by what it is. */
  readonly pairs: Readonly<Partial<Record<Kind, readonly Pair[]>>>
}

export type ViewerName = 'outsider' | 'guest' | 'former' | 'latecomer' | 'administrator'

/** An organization that keeps something from everybody but its owner. */
export interface Secretive {
  readonly organization: TestOrganization
  readonly viewers: Readonly<Record<ViewerName, Viewer>>
  /** Everybody who might notice something. */
  readonly people: Readonly<Record<string, TestUser>>
}

/** Positions at which nothing is made that has an id. */
const EMPTY_POSITIONS = 100
/** Of another organization: what it makes has ids in the middle of the empty positions. */
const STRANGE_POSITIONS = 40

const SUBSCRIPTIONS = '/users/me/subscriptions'
const FUTURE = 4_000_000_000
const FOREIGN_EMOJI = { emoji_name: 'foreign', reaction_type: 'realm_emoji' }
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/**
 * Makes such an organization. Made twice by the same steps, two of them agree in every id, so what is asked of one with
 * something hidden can be compared with what is asked of the other with something absent.
 */
export async function secretive(server: TestServer): Promise<Secretive> {
  const organization = await server.organization()
  const { owner, user } = organization
  const people = {
    owner,
    outsider: await user('Olga Outsider'),
    guest: await user('Gus Guest', { role: ROLE.guest }),
    former: await user('Fred Former'),
    latecomer: await user('Lara Latecomer'),
    administrator: await user('Ada Administrator', { role: ROLE.administrator }),
    hedda: await user('Hedda Hidden'),
  }
  const { hedda, latecomer, former } = people
  const viewing = [people.outsider, people.guest, former, latecomer, people.administrator]
  const samples = await samplesFor(organization)
  const { id: peopleField } = await owner.call('POST', '/realm/profile_fields', { name: 'People', field_type: 6 })
  await owner.subscribe(['general'], { principals: viewing.map(({ id }) => id) })
  const permitted = { new: { direct_members: viewing.map(({ id }) => id), direct_subgroups: [] } }
  await owner.call('PATCH', `/streams/${samples.stream_id}`, {
    can_administer_channel_group: permitted,
    can_add_subscribers_group: permitted,
    can_delete_any_message_group: permitted,
  })
  await owner.call('PATCH', `/user_groups/${samples.user_group_id}`, { can_manage_group: permitted })

  const both = { principals: [owner.id, hedda.id] }
  await owner.subscribe(['cabinet'], { invite_only: true, principals: [owner.id, hedda.id, former.id] })
  await owner.subscribe(['plaza'], both)
  await owner.subscribe(['memoirs'], {
    invite_only: true,
    history_public_to_subscribers: false,
    can_delete_any_message_group: permitted.new,
    ...both,
  })
  const ids = await channelIds(owner)
  const [cabinet, plaza, memoirs] = [idOf(ids, 'cabinet'), idOf(ids, 'plaza'), idOf(ids, 'memoirs')]
  const file = await upload(hedda, 'secret.txt', 'Secret')
  const sent = {
    beforeLeaving: await former.send('cabinet', 'hush', 'zanzibar was mine'),
    inCabinet: await hedda.send('cabinet', 'hush', `zanzibar [file](${file})`),
    inHello: await hedda.send('cabinet', 'hello', 'zanzibar'),
    inPlaza: await hedda.send('plaza', 'hush', 'zanzibar'),
    inMemoirs: await hedda.send('memoirs', 'hush', 'zanzibar @**Lara Latecomer**'),
    direct: await owner.sendTo([hedda.id], 'zanzibar'),
    deleted: await owner.send('general', 'hello', 'zanzibar'),
  }
  await owner.call('POST', `/messages/${sent.inMemoirs}/reactions`, { emoji_name: 'tada' })
  await owner.call('DELETE', `/messages/${sent.deleted}`)
  await former.call('DELETE', SUBSCRIPTIONS, { subscriptions: ['cabinet'] })
  await owner.subscribe(['memoirs'], { principals: [latecomer.id] })
  const ownInMemoirs = await latecomer.send('memoirs', 'now', 'My own')
  const owned = await ownThings(owner, samples)
  await owner.call('PATCH', '/realm', {
    can_access_all_users_group: { new: await groupId(owner, 'role:members') },
    can_move_messages_between_channels_group: permitted,
  })

  const first = await atPosition(server, organization, 0)
  const empty = await atPosition(server, organization, first + EMPTY_POSITIONS)
  const strange = await strangers(server, empty - STRANGE_POSITIONS)
  const nothing = new Map<number, number>()
  /** What is absent in place of an id: always the same one. */
  const instead = (hidden: number): number => {
    const one = nothing.get(hidden) ?? first + 1 + nothing.size
    if (one > empty - STRANGE_POSITIONS) throw new Error('there are too few empty positions')
    nothing.set(hidden, one)
    return one
  }
  const pair = (what: string, hidden: Thing, texts: readonly string[], name?: string): Pair => {
    const missing = instead(hidden.id)
    const absent = { ...hidden, id: missing, texts: texts.map((text) => (text === '' ? String(missing) : text)) }
    return { what, hidden, absent: name === undefined ? absent : { ...absent, name } }
  }
  const numbered = (what: string, hidden: number): Pair => pair(what, { id: hidden, texts: [String(hidden)] }, [''])
  const message = (what: string, hidden: number): Pair =>
    pair(what, { id: hidden, texts: [String(hidden), 'zanzibar'] }, ['', 'xylophon'])
  const channel = (name: string, hidden: number, missing: string): Pair =>
    pair(name, { id: hidden, texts: [name] }, [missing])
  const person = (what: string, { id: hidden, email, name }: Person, missing: Omit<Person, 'id'>): Pair =>
    pair(what, { id: hidden, texts: [email, String(hidden)], name }, [missing.email, ''], missing.name)
  const named = (what: string, hidden: string, missing: string, beside = {}): Pair => {
    return {
      what,
      hidden: { id: empty, texts: [hidden], beside },
      absent: { id: empty, texts: [missing], beside },
    }
  }
  const topic = (what: string, channelId: number, more: Readonly<Record<string, unknown>> = {}): Pair =>
    named(what, 'hush', 'psst', { stream_id: channelId, to: channelId, type: 'stream', content: undefined, ...more })

  const everybodys: Viewer['pairs'] = {
    user: [person('of another organization', strange.person, NOBODY)],
    channel: [channel('cabinet', cabinet, 'nowhere'), numbered('of another organization', strange.channel)],
    message: [
      message('in a private channel', sent.inCabinet),
      message('among others', sent.direct),
      message('deleted', sent.deleted),
      message('of another organization', strange.message),
    ],
    topic: [topic('in a private channel', cabinet)],
    group: [numbered('of another organization', strange.group)],
    folder: [numbered('of another organization', strange.folder)],
    linkifier: [numbered('of another organization', strange.linkifier)],
    playground: [numbered('of another organization', strange.playground)],
    field: [numbered('of another organization', strange.field)],
    emoji: [besides(numbered('of another organization', strange.emoji), FOREIGN_EMOJI)],
    queue: [named("the owner's", samples.queue_id, anotherLike(samples.queue_id))],
    draft: [numbered("the owner's", owned.draft)],
    snippet: [numbered("the owner's", owned.snippet)],
    stored: [named("the owner's", 'sample', 'simple')],
    scheduled: [numbered("the owner's", owned.scheduled)],
    reminder: [numbered("the owner's", owned.reminder)],
    attachment: [numbered("the owner's", samples.attachment_id)],
    file: [named("Hedda's", pathOfFile(file), anotherLike(pathOfFile(file)))],
    view: [named("the owner's", 'narrow/is/dm', 'narrow/is/me')],
  }
  const open = [channel('plaza', plaza, 'piazza'), ...(everybodys.channel ?? [])]
  const pairs: Readonly<Record<ViewerName, Viewer['pairs']>> = {
    outsider: everybodys,
    guest: {
      ...everybodys,
      user: [
        person('not met', { id: hedda.id, email: hedda.email, name: 'Hedda Hidden' }, NO_ONE),
        ...(everybodys.user ?? []),
      ],
      channel: open,
      'new channel': open,
      message: [message('in a public channel', sent.inPlaza), ...(everybodys.message ?? [])],
      topic: [topic('in a public channel', plaza), ...(everybodys.topic ?? [])],
    },
    former: {
      ...everybodys,
      message: [
        message('from before leaving', sent.beforeLeaving),
        message('in another topic', sent.inHello),
        ...(everybodys.message ?? []),
      ],
    },
    latecomer: {
      ...everybodys,
      message: [message('from before coming', sent.inMemoirs), ...(everybodys.message ?? [])],
      topic: [topic('from before coming', memoirs, { message_id: ownInMemoirs }), ...(everybodys.topic ?? [])],
    },
    administrator: { ...everybodys, channel: (everybodys.channel ?? []).slice(1) },
  }
  const viewers: Partial<Record<ViewerName, Viewer>> = {}
  // One after the other, so that ids are the same each time.
  for (const name of Object.keys(pairs) as ViewerName[]) {
    const viewer = people[name]
    viewers[name] = {
      user: viewer,
      samples: await ownSamples(organization, viewer, samples),
      peopleField: Number(peopleField),
      pairs: pairs[name],
    }
  }
  // Each has been made.
  return { organization, people, viewers: viewers as Record<ViewerName, Viewer> }
}

function besides({ what, hidden, absent }: Pair, beside: Readonly<Record<string, unknown>>): Pair {
  return { what, hidden: { ...hidden, beside }, absent: { ...absent, beside } }
}

const NOBODY = { name: 'Noah Nobody', email: 'noah.nobody-123456@example.com' }
const NO_ONE = { name: 'Norma Noone', email: 'norma.noone-123456@example.com' }

interface Person {
  readonly id: number
  readonly email: string
  readonly name: string
}

/** What the viewer has, in place of what the owner has. */
async function ownSamples(organization: TestOrganization, viewer: TestUser, samples: Samples): Promise<Samples> {
  const { draft, snippet, scheduled, reminder } = await ownThings(viewer, samples)
  const { queue_id } = await viewer.call('POST', '/register', { event_types: ['message'] })
  const bot = await organization.user(`Bot ${viewer.id}`, { bot: { ownerId: viewer.id } })
  const message_id = await viewer.send('general', 'hello', 'My own')
  const made = { message_id, queue_id: String(queue_id), bot_id: bot.id }
  const own = { draft_id: draft, saved_snippet_id: snippet, scheduled_message_id: scheduled, reminder_id: reminder }
  return { ...samples, ...made, ...own }
}

interface Owned {
  readonly draft: number
  readonly snippet: number
  readonly scheduled: number
  readonly reminder: number
}

/** Of one user alone. */
async function ownThings(user: TestUser, { message_id }: Samples): Promise<Owned> {
  const wanted = { type: '', to: [], topic: '', content: 'zanzibar' }
  const { ids } = await user.call('POST', '/drafts', { drafts: [wanted] })
  const snippet = await user.call('POST', '/saved_snippets', { title: 'Mine', content: 'zanzibar' })
  const later = { scheduled_delivery_timestamp: FUTURE }
  const direct = { type: 'direct', to: [user.id], content: 'zanzibar' }
  const scheduled = await user.call('POST', '/scheduled_messages', { ...direct, ...later })
  const reminder = await user.call('POST', '/reminders', { message_id, ...later })
  return {
    draft: Number((ids as number[])[0]),
    snippet: Number(snippet['saved_snippet_id']),
    scheduled: Number(scheduled['scheduled_message_id']),
    reminder: Number(reminder['reminder_id']),
  }
}

interface Strangers {
  readonly person: Person
  readonly channel: number
  readonly message: number
  readonly group: number
  readonly folder: number
  readonly linkifier: number
  readonly playground: number
  readonly field: number
  readonly emoji: number
}

/** Another organization's, all with ids above a position, by less than `STRANGE_POSITIONS`. */
async function strangers(server: TestServer, above: number): Promise<Strangers> {
  const organization = await server.organization('Elsewhere')
  const { owner, user } = organization
  await atPosition(server, organization, above)
  const stranger = await user('Sonja Stranger')
  await owner.subscribe(['abroad'])
  const message = await owner.send('abroad', 'hush', 'zanzibar')
  const { group_id } = await owner.call('POST', '/user_groups/create', { name: 'Any', description: '', members: [] })
  const { channel_folder_id } = await owner.call('POST', '/channel_folders/create', { name: 'Any', description: '' })
  const { id: field } = await owner.call('POST', '/realm/profile_fields', { name: 'Any', field_type: 1 })
  const bugs = { pattern: 'a(?P<id>[0-9]+)', url_template: 'https://bugs.example.com/{id}' }
  const { id: linkifier } = await owner.call('POST', '/realm/filters', bugs)
  const code = { name: 'Any', highlighter_language: 'Any', url_template: 'https://play.example.com/{code}' }
  const { id: playground } = await owner.call('POST', '/realm/playgrounds', code)
  await sendFiles(owner, '/realm/emoji/foreign', [{ name: 'a.png', content: PIXEL, type: 'image/png' }])
  const { emoji } = await owner.call('GET', '/realm/emoji')
  const log = await server.parley.logs.of(organization.id)
  if (log.organization.position >= above + STRANGE_POSITIONS) throw new Error('another organization has made too much')
  return {
    person: { id: stranger.id, email: stranger.email, name: 'Sonja Stranger' },
    channel: idOf(await channelIds(owner), 'abroad'),
    message,
    group: Number(group_id),
    folder: Number(channel_folder_id),
    linkifier: Number(linkifier),
    playground: Number(playground),
    field: Number(field),
    emoji: Number(Object.keys(emoji as Body)[0]),
  }
}

/** Lets nothing happen that has an id until a position is reached. @returns the position */
async function atPosition(server: TestServer, { id: realm, owner }: TestOrganization, wanted: number): Promise<number> {
  const { organization } = await server.parley.logs.of(realm)
  for (let turn = 0; organization.position < wanted; turn += 1) {
    await owner.call('PATCH', '/settings', { twenty_four_hour_time: turn % 2 === 0 })
  }
  return organization.position
}

async function channelIds(user: TestUser): Promise<ReadonlyMap<string, number>> {
  const { streams } = await user.call('GET', '/streams', { include_all: true })
  return new Map((streams as Body[]).map((one) => [String(one['name']), Number(one['stream_id'])]))
}

function idOf(ids: ReadonlyMap<string, number>, name: string): number {
  const found = ids.get(name)
  if (found === undefined) throw new Error(`there is no channel ${name}`)
  return found
}

async function groupId(user: TestUser, name: string): Promise<number> {
  const { user_groups } = await user.call('GET', '/user_groups')
  return Number((user_groups as Body[]).find((group) => group['name'] === name)?.['id'])
}

/** The part of a file's address that the organization has chosen. */
function pathOfFile(address: string): string {
  return address.replace('/user_uploads/', '').split('/').slice(1).join('/')
}

/** A random name of the same form: each letter and digit of the first long part but the last few becomes another. */
function anotherLike(name: string): string {
  return name.replace(/[0-9a-f]/, (digit) => (digit === 'a' ? 'b' : 'a'))
}
