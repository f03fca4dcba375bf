import { ROLE } from '../kernel/actor.ts'
import { anotherLike, type HiddenSample, type Kind, type Samples } from './capability-samples.ts'
import { mergeUnique } from './collect.ts'
import { upload } from './files.ts'
import { collectedSamples, ownSamplesFor, samplesFor } from './samples.ts'
import type { TestOrganization, TestServer } from './server.ts'
import type { TestUser } from './user.ts'

export interface Thing {
  readonly id: number
  readonly texts: readonly string[]
  readonly name?: string
  readonly beside?: Readonly<Record<string, unknown>>
}

export interface Pair {
  readonly what: string
  readonly hidden: Thing
  readonly absent: Thing
}

export interface Viewer {
  readonly user: TestUser
  readonly samples: Samples
  readonly peopleField: number
  readonly pairs: Readonly<Record<Kind, readonly Pair[] | undefined>>
}

export type ViewerName = 'outsider' | 'guest' | 'former' | 'latecomer' | 'administrator'

/** Organization whose records are hidden from everyone except the owner. */
export interface OrganizationWithSecrets {
  readonly organization: TestOrganization
  readonly viewers: Readonly<Record<ViewerName, Viewer>>
  readonly people: Readonly<Record<string, TestUser>>
}

const EMPTY_POSITIONS = 300
/** Number of empty positions reserved for IDs of another organization. */
const STRANGE_POSITIONS = 150

const SUBSCRIPTIONS_PATH = '/users/me/subscriptions'

const hiddenSamples = mergeUnique<HiddenSample>(collectedSamples.map(({ hidden }) => hidden))

/** Kinds whose records need several capabilities to be hidden, so that this file creates them. */
export const HIDDEN_KINDS: ReadonlySet<Kind> = new Set([
  'user',
  'channel',
  'new channel',
  'message',
  'topic',
  'file',
  ...Object.keys(hiddenSamples),
])

/**
 * Creates an organization. Two organizations created by the same steps have equal IDs, so requests about hidden records
 * in one can be compared with requests about absent records in the other.
 */
export async function organizationWithSecrets(server: TestServer): Promise<OrganizationWithSecrets> {
  const organization = await server.organization('Test', { firstPosition: 0 })
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
  await former.call('DELETE', SUBSCRIPTIONS_PATH, { subscriptions: ['cabinet'] })
  await owner.subscribe(['memoirs'], { principals: [latecomer.id] })
  const ownInMemoirs = await latecomer.send('memoirs', 'now', 'My own')
  await owner.call('PATCH', '/realm', {
    can_access_all_users_group: { new: await groupId(owner, 'role:members') },
    can_move_messages_between_channels_group: permitted,
  })

  const first = await atPosition(server, organization, 0)
  const empty = await atPosition(server, organization, first + EMPTY_POSITIONS)
  const strange = await createStrangers(server, empty - STRANGE_POSITIONS)
  const nothing = new Map<number, number>()
  /** Returns the same absent ID for a hidden ID each time. */
  const instead = (hidden: number): number => {
    const one = nothing.get(hidden) ?? first + 1 + nothing.size
    if (one > empty - STRANGE_POSITIONS) throw new Error('too few empty positions')
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

  const keptPair = ({ sample, of, absent, beside }: HiddenSample): Pair => {
    const hidden = (of === 'the owner' ? samples : strange.samples)[sample]
    const made = absent === undefined ? numbered(of, Number(hidden)) : named(of, String(hidden), absent(String(hidden)))
    return beside === undefined ? made : withFields(made, beside)
  }
  const everybodys: Viewer['pairs'] = {
    ...Object.fromEntries(Object.entries(hiddenSamples).map(([kind, one]) => [kind, [keptPair(one)]])),
    user: [person('of another organization', strange.person, ABSENT_PERSON)],
    channel: [channel('cabinet', cabinet, 'nowhere'), numbered('of another organization', strange.channel)],
    message: [
      message('in a private channel', sent.inCabinet),
      message('among others', sent.direct),
      message('deleted', sent.deleted),
      message('of another organization', strange.message),
    ],
    topic: [topic('in a private channel', cabinet)],
    file: [named("Hedda's", pathOfFile(file), anotherLike(pathOfFile(file)))],
  }
  const open = [channel('plaza', plaza, 'piazza'), ...(everybodys.channel ?? [])]
  const pairs: Readonly<Record<ViewerName, Viewer['pairs']>> = {
    outsider: everybodys,
    guest: {
      ...everybodys,
      user: [
        person('not met', { id: hedda.id, email: hedda.email, name: 'Hedda Hidden' }, OTHER_ABSENT_PERSON),
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
  const viewer = async (name: ViewerName): Promise<Viewer> => ({
    user: people[name],
    samples: await ownSamples(organization, people[name], samples),
    peopleField,
    pairs: pairs[name],
  })
  // Sequential, so that IDs are the same each time.
  const viewers = {
    outsider: await viewer('outsider'),
    guest: await viewer('guest'),
    former: await viewer('former'),
    latecomer: await viewer('latecomer'),
    administrator: await viewer('administrator'),
  }
  return { organization, people, viewers }
}

function withFields({ what, hidden, absent }: Pair, beside: Readonly<Record<string, unknown>>): Pair {
  return { what, hidden: { ...hidden, beside }, absent: { ...absent, beside } }
}

const ABSENT_PERSON = { name: 'Noah Nobody', email: 'noah.nobody-123456@example.com' }
const OTHER_ABSENT_PERSON = { name: 'Norma Noone', email: 'norma.noone-123456@example.com' }

interface Person {
  readonly id: number
  readonly email: string
  readonly name: string
}

/** Replaces private samples of the owner, which are useless to the viewer. */
async function ownSamples(organization: TestOrganization, viewer: TestUser, samples: Samples): Promise<Samples> {
  const bot = await organization.user(`Bot ${viewer.id}`, { bot: { ownerId: viewer.id } })
  return { ...(await ownSamplesFor(viewer, samples)), bot_id: bot.id }
}

interface Strangers {
  readonly person: Person
  readonly channel: number
  readonly message: number
  readonly samples: Samples
}

/** Creates another organization, whose IDs are less than `STRANGE_POSITIONS` above a position. */
async function createStrangers(server: TestServer, above: number): Promise<Strangers> {
  const organization = await server.organization('Elsewhere', { firstPosition: 0 })
  const { owner, user } = organization
  await atPosition(server, organization, above)
  const stranger = await user('Sonja Stranger')
  await owner.subscribe(['abroad'])
  const message = await owner.send('abroad', 'hush', 'zanzibar')
  const samples = await samplesFor(organization)
  const log = await server.parley.logs.of(organization.id)
  if (log.organization.position >= above + STRANGE_POSITIONS) throw new Error('another organization has made too much')
  return {
    person: { id: stranger.id, email: stranger.email, name: 'Sonja Stranger' },
    channel: idOf(await channelIds(owner), 'abroad'),
    message,
    samples,
  }
}

/** Advances the log to at least a position without creating records. @returns the position */
async function atPosition(server: TestServer, { id: realm, owner }: TestOrganization, wanted: number): Promise<number> {
  const { organization } = await server.parley.logs.of(realm)
  for (let turn = 0; organization.position < wanted; turn += 1) {
    await owner.call('PATCH', '/settings', { twenty_four_hour_time: turn % 2 === 0 })
  }
  return organization.position
}

async function channelIds(user: TestUser): Promise<ReadonlyMap<string, number>> {
  const { streams } = await user.call('GET', '/streams', { include_all: true })
  return new Map(streams.map(({ name, stream_id }) => [name, stream_id]))
}

function idOf(ids: ReadonlyMap<string, number>, name: string): number {
  const found = ids.get(name)
  if (found === undefined) throw new Error(`no channel ${name}`)
  return found
}

async function groupId(user: TestUser, name: string): Promise<number> {
  const { user_groups } = await user.call('GET', '/user_groups')
  return Number(user_groups.find((group) => group.name === name)?.id)
}

function pathOfFile(address: string): string {
  return address.replace('/user_uploads/', '').split('/').slice(1).join('/')
}
