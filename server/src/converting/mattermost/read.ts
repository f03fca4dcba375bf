import { isUtf8 } from 'node:buffer'
import * as z from 'zod/mini'
import { isKeyOf } from '../../kernel/keys.ts'
import { ROLE, type Role } from '../../kernel/actor.ts'
import { toPrintable } from '../../kernel/characters.ts'
import { DamagedArchive } from '../../platform/backup/reporting.ts'
import { chunksOf } from '../../platform/chunks.ts'
import { hasTooManyValues, linesIn, parseUntrustedJson, TOO_MANY_VALUES } from '../../platform/moving/lines.ts'
import type { Conversion, Service } from '../convert.ts'
import { describePath, type ExportFile } from '../export-file.ts'
import { INVALID_UTF8_REPORT, type ExportFiles, MATTERMOST } from '../export-files.ts'
import { MAX_RECORD_BYTES } from '../json-items.ts'
import type { Account } from '../new-account.ts'
import { itemsIn } from '../records.ts'
import type { Channel, Membership, OrganizationFacts } from '../new-organization.ts'
import { findAttachedFile, MattermostMessages, type ReadMark } from './messages.ts'
import {
  mattermostBot,
  mattermostChannel,
  mattermostChannelMembership,
  mattermostDirectChannel,
  mattermostEmoji,
  mattermostLine,
  mattermostTeam,
  mattermostTeamMembership,
  mattermostUser,
  type MattermostUser,
} from './records.ts'
import { mattermostToMarkdown, type MattermostNames } from './text.ts'

const TOWN_SQUARE = 'town-square'

export const mattermost: Service = { ...MATTERMOST, read: readMattermost }

interface ExportLists {
  readonly teams: z.output<typeof mattermostTeam>[]
  readonly channels: z.output<typeof mattermostChannel>[]
  readonly users: MattermostUser[]
  readonly bots: z.output<typeof mattermostBot>[]
  readonly emoji: z.output<typeof mattermostEmoji>[]
  lines: number
  messages: number
}

async function readMattermost(
  { archive, files, uncertain, openedPaths }: ExportFiles,
  conversion: Conversion,
): Promise<OrganizationFacts> {
  const [file, other] = [...files.values()].filter(({ path }) => MATTERMOST.isMarker(path))
  if (file === undefined) throw new DamagedArchive(`${archive} is incomplete: it has no ${MATTERMOST.file}.`)
  if (other !== undefined) {
    const both = `${toPrintable(file.path)} and ${describePath(other)}`
    throw new DamagedArchive(`${both} could each be the bulk export. Remove one of them.`)
  }
  const lists = await readLists(file, conversion)
  const [team] = lists.teams.length > 0 ? lists.teams : referencedTeams(lists)
  // An export of only direct messages needs no team.
  if (team === undefined && lists.users.length === 0 && lists.messages === 0)
    throw new DamagedArchive(`${describePath(file)} names no team and no people: this is not a Mattermost bulk export.`)
  const users = await readUsers(lists, files, conversion)
  await readEmoji(lists, files, conversion, users)
  const channels = new Map<string, Channel>()
  const names: MattermostNames = {
    users,
    channels,
    emojiNamed: conversion.emojiNamed,
  }
  const readers = readChannels(lists, { conversion, names, channels })
  const messages = new MattermostMessages(conversion, { names, readers, files, uncertain })
  let line = 0
  for await (const { type, record } of recordsIn(file, conversion)) {
    conversion.signal.throwIfAborted()
    line += 1
    conversion.progress(line, lists.lines)
    if (type === 'post') await messages.addPost(record)
    if (type === 'direct_post') await messages.addDirectPost(record)
  }
  for (const path of files.keys())
    if (!openedPaths.has(path)) conversion.leftOut.add('files that no message links to', path)
  return {
    name: [team?.display_name, team?.name].find((name = '') => name.trim() !== '') ?? MATTERMOST.title,
    description: team?.description ?? '',
    settings: {},
    settingsOfNewcomers: {},
  }
}

function readTeamMemberships(
  { teams }: MattermostUser,
  leave: () => void = () => undefined,
): z.output<typeof mattermostTeamMembership>[] {
  return itemsIn(teams, mattermostTeamMembership, leave)
}

function referencedTeams({ channels, users }: ExportLists): ExportLists['teams'] {
  const names = [
    ...channels.map(({ team }) => team),
    ...users.flatMap((user) => readTeamMemberships(user).map(({ name }) => name)),
  ]
  return [...new Set(names)].map((name) => ({ name }))
}

/** Reports invalid lines if `isCounting`. @throws DamagedArchive if the file is cut off or has far too many lines */
async function* recordsIn(
  file: ExportFile,
  { leftOut }: Conversion,
  isCounting = false,
): AsyncGenerator<{ type: string; record: unknown; line: number }> {
  let [line, cutLine] = [0, 0]
  let isText = true
  const decode = (bytes: Buffer): string => {
    isText &&= isUtf8(bytes)
    return lenientDecoder.decode(bytes)
  }
  for await (const { text, end, isEnded } of linesIn(chunksOf(await file.open()), 0, MAX_RECORD_BYTES, decode)) {
    line += 1
    if (hasTooManyValues(line, end))
      throw new DamagedArchive(`${describePath(file)} cannot be read: ${TOO_MANY_VALUES}.`)
    if (text?.trim() === '') continue
    const value = text === undefined ? undefined : parseJsonLine(text)
    // Does not trust a final line break, because some tools add one where the file was cut off.
    cutLine = value === INVALID_JSON || (text === undefined && !isEnded) ? line : 0
    const parsed = mattermostLine.safeParse(value)
    if (parsed.success) yield { type: parsed.data.type, record: parsed.data[parsed.data.type], line }
    else if (isCounting)
      leftOut.add('lines that are not records, or are too long', `line ${line}: ${text?.slice(0, 80) ?? ''}`)
  }
  if (isCounting && !isText) leftOut.add(INVALID_UTF8_REPORT, file.path)
  if (cutLine > 0) throw new DamagedArchive(`${describePath(file)} is incomplete: it ends within line ${cutLine}.`)
}

const INVALID_JSON = Symbol('invalid JSON')
const lenientDecoder = new TextDecoder()

function parseJsonLine(text: string): unknown {
  try {
    return parseUntrustedJson(text)
  } catch (error) {
    return error instanceof SyntaxError ? INVALID_JSON : undefined
  }
}

const EXPORT_VERSION = 1
const MESSAGE_TYPES = ['post', 'direct_post']
const IGNORED_TYPES = ['role', 'scheme']

async function readLists(file: ExportFile, conversion: Conversion): Promise<ExportLists> {
  const { leftOut, signal } = conversion
  const lists: ExportLists = { teams: [], channels: [], users: [], bots: [], emoji: [], lines: 0, messages: 0 }
  const forms = {
    team: { form: mattermostTeam, list: lists.teams, several: 'teams' },
    channel: { form: mattermostChannel, list: lists.channels, several: 'channels' },
    user: { form: mattermostUser, list: lists.users, several: 'people' },
    bot: { form: mattermostBot, list: lists.bots, several: 'bots' },
    emoji: { form: mattermostEmoji, list: lists.emoji, several: 'emoji' },
  }
  const known = new Set<string>()
  let isVersioned = false
  for await (const { type, record, line } of recordsIn(file, conversion, true)) {
    signal.throwIfAborted()
    lists.lines += 1
    if (isKeyOf(forms, type)) {
      const { form, list, several } = forms[type]
      const parsed = form.safeParse(record)
      const name = parsed.success ? recordName(parsed.data) : ''
      const key = `${type} ${name.toLowerCase()}`
      if (parsed.success && known.has(key)) {
        leftOut.add(`duplicate ${several}: the first is used`, `${name}, line ${line}`)
      } else if (parsed.success) {
        known.add(key)
        // Safe: each schema's output has the type of its list's items.
        ;(list as unknown[]).push(parsed.data)
      } else leftOut.add(`records in an unknown format (${type})`, JSON.stringify(record)?.slice(0, 100))
    } else if (type === 'version') {
      if (record !== EXPORT_VERSION) refuseVersion(file, record)
      isVersioned = true
    } else if (type === 'direct_channel') {
      const { header = '', favorited_by: favorites } = mattermostDirectChannel.safeParse(record).data ?? {}
      if (header.trim() !== '') leftOut.add('headers of direct messages', header)
      if (itemsIn(favorites, z.unknown(), () => undefined).length > 0) leftOut.add('favorite direct messages')
    } else if (MESSAGE_TYPES.includes(type)) {
      lists.messages += 1
    } else if (!IGNORED_TYPES.includes(type)) {
      leftOut.add('records of an unknown kind', type.slice(0, 40))
    }
  }
  if (!isVersioned) leftOut.add(`export without a format version: read as version ${EXPORT_VERSION}`)
  return lists
}

function recordName(record: { team?: string; name: string } | { username: string }): string {
  if ('username' in record) return record.username
  return record.team === undefined ? record.name : `${record.team}/${record.name}`
}

/** Refuses other versions, in which the same fields could have another meaning. */
function refuseVersion(file: ExportFile, given: unknown): never {
  const version = toPrintable(JSON.stringify(given)?.slice(0, 40) ?? 'none')
  throw new DamagedArchive(
    `${describePath(file)} has format version ${version}, but Parley reads only version ${EXPORT_VERSION}. Export it again as a bulk export of that version.`,
  )
}

async function readUsers(
  { users: given, bots }: ExportLists,
  files: ExportFiles['files'],
  { organization, leftOut, files: made, signal }: Conversion,
): Promise<Map<string, Account>> {
  const users = new Map<string, Account>()
  const botNames = new Set(bots.map(({ username }) => username.toLowerCase()))
  for (const user of given) {
    signal.throwIfAborted()
    const key = user.username.toLowerCase()
    if (botNames.has(key)) continue
    const { first_name: first = '', last_name: last = '', nickname = '', profile_image: picture, delete_at } = user
    const image = picture === undefined || picture === '' ? undefined : findAttachedFile(files, picture)
    if (picture !== undefined && picture !== '' && image === undefined) {
      leftOut.add('profile pictures missing from the export: people can upload them again', user.username)
    }
    if (user.position !== undefined && user.position.trim() !== '') leftOut.add('job titles', user.username)
    users.set(
      key,
      organization.addAccount({
        there: user.username,
        email: user.email,
        fullName: [`${first} ${last}`, nickname, user.username].find((name) => name.trim() !== '') ?? '',
        role: roleOf(user),
        isActive: (delete_at ?? 0) <= 0,
        isBot: false,
        avatar: image === undefined ? undefined : await made.avatar(image),
      }),
    )
  }
  for (const { username, display_name: name } of bots) {
    if (users.has(username.toLowerCase())) continue
    leftOut.add('bots: imported as deactivated accounts', username)
    const bot = { there: username, email: undefined, role: ROLE.member, isActive: false, isBot: true }
    const fullName = name === undefined || name.trim() === '' ? username : name
    users.set(username.toLowerCase(), organization.addAccount({ ...bot, fullName }))
  }
  if (![...users.values()].some(({ role, isActive }) => role === ROLE.owner && isActive)) {
    leftOut.add('organization without an owner: choose one with `parley user role`')
  }
  return users
}

function roleOf(user: MattermostUser): Role {
  const all = [user.roles ?? '', ...readTeamMemberships(user).map((team) => team.roles ?? '')].join(' ').split(/[ ,]+/)
  if (all.includes('system_admin')) return ROLE.owner
  if (all.includes('team_admin')) return ROLE.administrator
  return all.includes('system_guest') ? ROLE.guest : ROLE.member
}

async function readEmoji(
  { emoji }: ExportLists,
  files: ExportFiles['files'],
  { files: made, leftOut, signal }: Conversion,
  users: ReadonlyMap<string, Account>,
): Promise<void> {
  const author = [...users.values()].toSorted((a, b) => a.role - b.role)[0]
  if (author === undefined) return
  for (const { name, image } of emoji) {
    signal.throwIfAborted()
    const file = findAttachedFile(files, image)
    if (file === undefined) leftOut.add('emoji without a picture in the export', name)
    else await made.addEmoji(name.toLowerCase(), file, author.id)
  }
}

/** Returns the time up to which each user has read each channel. */
function readChannels(
  { channels: given, users: people, teams }: ExportLists,
  { conversion, names, channels }: { conversion: Conversion; names: MattermostNames; channels: Map<string, Channel> },
): Map<number, ReadMark[]> {
  const members = new Map<string, Map<number, Membership>>()
  const seen = new Map<string, ReadMark[]>()
  for (const person of people) {
    const { username } = person
    const account = names.users.get(username.toLowerCase())
    if (account === undefined) continue
    const leave = (): void => conversion.leftOut.add('memberships in an unknown format', username)
    for (const team of readTeamMemberships(person, leave)) {
      const channelsOfTeam = itemsIn(team.channels, mattermostChannelMembership, leave)
      for (const { name, favorite, last_viewed_at: at = 0, notify_props: notify } of channelsOfTeam) {
        const key = `${team.name}/${name}`
        const ofChannel = members.get(key) ?? new Map<number, Membership>()
        members.set(key, ofChannel)
        ofChannel.set(account.id, { isPinned: favorite === true, isMuted: notify?.mark_unread === 'mention' })
        // A user who never opened the channel has no unread messages.
        if (at <= 0) continue
        const readers = seen.get(key) ?? []
        seen.set(key, readers)
        readers.push({ userId: account.id, readTo: at })
      }
    }
  }
  const readers = new Map<number, ReadMark[]>()
  for (const channel of given) {
    const key = `${channel.team}/${channel.name}`
    const description = [channel.purpose ?? '', channel.header ?? ''].filter((text) => text.trim() !== '')
    const made = conversion.organization.addChannel(
      {
        there: key,
        name: `${channel.display_name ?? channel.name}${teams.length > 1 ? ` (${channel.team})` : ''}`,
        description: mattermostToMarkdown(description.join('\n'), channel.team, names).text,
        isPrivate: channel.type !== 'O',
        isArchived: (channel.deleted_at ?? 0) > 0,
        isDefault: channel.name === TOWN_SQUARE,
        createdAt: 0,
      },
      members.get(key) ?? new Map<number, Membership>(),
    )
    channels.set(key, made)
    readers.set(
      made.id,
      (seen.get(key) ?? []).toSorted((a, b) => a.readTo - b.readTo),
    )
  }
  return readers
}
