import { basename } from 'node:path'
import * as z from 'zod/mini'
import { ROLE, type Role } from '../../kernel/actor.ts'
import type { Conversion, Service } from '../convert.ts'
import { normalizePath, refuseUncertainPath, type ExportFile } from '../export-file.ts'
import { requireFile, itemsOf, type ExportFiles, SLACK } from '../export-files.ts'
import { itemsIn } from '../records.ts'
import type { Account } from '../new-account.ts'
import { DEFAULT_MEMBERSHIP, type Channel, type OrganizationFacts } from '../new-organization.ts'
import { SlackMessages, type SlackLocation } from './messages.ts'
import { slackPlace, slackUser, type SlackPlace, type SlackUser } from './records.ts'
import { slackToMarkdown, type SlackNames } from './text.ts'

const DAY_PATH_PATTERN = /^([^/]+)\/(\d{4}-\d{2}-\d{2})\.json$/
const UPLOAD_PATH_PATTERN = /(?:^|\/)(?:__uploads\/(F[A-Z0-9]{6,20})\/[^/]+|attachments\/(F[A-Z0-9]{6,20})-[^/]+)$/
const EMOJI_PATH_PATTERN = /^emojis?\/([^/]+)\.(?:png|gif|jpe?g|webp)$/

export const slack: Service = { ...SLACK, read: readSlack }

async function readSlack(source: ExportFiles, conversion: Conversion): Promise<OrganizationFacts> {
  const { files } = source
  const users = await readUsers(requireFile(source, 'users.json'), conversion)
  const channels = new Map<string, Channel>()
  const names: SlackNames = {
    users,
    channels,
    emojiNamed: conversion.emojiNamed,
  }
  const locations = new Map<string, SlackLocation>()
  requireFile(source, 'channels.json')
  await readChannels(files, { conversion, names, channels, locations })
  await readConversations(files, { conversion, users, locations })
  await readEmoji(files, conversion, users)
  await readDays(files, new SlackMessages(conversion, names, findUploads(files)), conversion, locations)
  countUnread(source, conversion)
  return { name: organizationNameIn(basename(source.archive)), description: '', settings: {}, settingsOfNewcomers: {} }
}

async function readUsers(file: ExportFile, conversion: Conversion): Promise<Map<string, Account>> {
  const users = new Map<string, Account>()
  let isOwned = false
  for await (const one of itemsOf(file, conversion)) {
    const parsed = slackUser.safeParse(one)
    if (!parsed.success || users.has(parsed.data.id)) {
      conversion.leftOut.add('people in an unknown format, or listed twice', JSON.stringify(one).slice(0, 100))
      continue
    }
    const user = parsed.data
    const { profile } = user
    if (profile?.is_custom_image === true || profile?.image_original !== undefined) {
      conversion.leftOut.add('profile pictures missing from the export: people can upload them again', user.name)
    }
    if ([profile?.title, profile?.phone, profile?.status_text].some(hasText))
      conversion.leftOut.add('job titles, phone numbers, and statuses', user.name)
    const isBot = user.is_bot === true || user.id === 'USLACKBOT'
    // Deactivates bots, because the programs behind them do not know this server.
    if (isBot) conversion.leftOut.add('bots: imported as deactivated accounts', user.name)
    const role = roleOf(user)
    isOwned ||= role === ROLE.owner && user.deleted !== true && !isBot
    users.set(
      user.id,
      conversion.organization.addAccount({
        there: user.id,
        email: profile?.email,
        fullName: [profile?.real_name, user.real_name, profile?.display_name, user.name].find(hasText) ?? user.id,
        role: isBot ? ROLE.member : role,
        isActive: user.deleted !== true && !isBot,
        isBot,
        timezone: user.tz ?? '',
      }),
    )
  }
  if (!isOwned) conversion.leftOut.add('organization without an owner: choose one with `parley user role`')
  return users
}

function roleOf(user: SlackUser): Role {
  if (user.is_primary_owner === true || user.is_owner === true) return ROLE.owner
  if (user.is_admin === true) return ROLE.administrator
  return user.is_restricted === true || user.is_ultra_restricted === true ? ROLE.guest : ROLE.member
}

const hasText = (text: string | undefined): text is string => text !== undefined && text.trim() !== ''

async function* readPlaces(file: ExportFile | undefined, conversion: Conversion): AsyncGenerator<SlackPlace> {
  if (file === undefined) return
  for await (const one of itemsOf(file, conversion)) {
    const place = slackPlace.safeParse(one)
    if (place.success) yield place.data
    else conversion.leftOut.add('channels in an unknown format', JSON.stringify(one).slice(0, 100))
  }
}

function readMemberIds(
  { members, id }: SlackPlace,
  users: ReadonlyMap<string, Account>,
  { leftOut }: Conversion,
  missing: (member: string) => Account | undefined = () => undefined,
): number[] {
  const ids = new Set<number>()
  const leave = (): void => leftOut.add('channel members in an unknown format', id)
  for (const member of itemsIn(members, z.string(), leave)) {
    const account = users.get(member) ?? missing(member)
    if (account === undefined) leftOut.add('channel members missing from the export', `${member} in ${id}`)
    else ids.add(account.id)
  }
  return [...ids]
}

function recordLocation(
  { name, id }: SlackPlace,
  what: { readonly channelId: number } | { readonly memberIds: readonly number[] },
  { leftOut }: Conversion,
  locations: Map<string, SlackLocation>,
): void {
  const location = { ...what, name: name ?? id }
  const folder = normalizePath(location.name)
  if (!locations.has(folder)) locations.set(folder, location)
  else if (name === undefined) leftOut.add('duplicate conversations: the first is used', id)
  else leftOut.add('channels with the same name: the first gets all messages in the folder of that name', name)
  if (!locations.has(id)) locations.set(id, location)
}

async function readChannels(
  files: ExportFiles['files'],
  into: {
    conversion: Conversion
    names: SlackNames
    channels: Map<string, Channel>
    locations: Map<string, SlackLocation>
  },
): Promise<void> {
  const { conversion, names, channels, locations } = into
  for (const path of ['channels.json', 'groups.json']) {
    for await (const place of readPlaces(files.get(path), conversion)) {
      if (channels.has(place.id)) {
        conversion.leftOut.add('duplicate channels: the first is used', place.name ?? place.id)
        continue
      }
      const members = readMemberIds(place, names.users, conversion)
      const { created, topic, purpose, pins } = place
      const channel = conversion.organization.addChannel(
        {
          there: place.id,
          name: place.name ?? place.id,
          description: [purpose?.value, topic?.value]
            .filter(hasText)
            .map((text) => slackToMarkdown(text, names))
            .join('\n'),
          isPrivate: path === 'groups.json',
          isArchived: place.is_archived === true,
          isDefault: place.is_general === true,
          createdAt: created !== undefined && created > 0 && created < 2 ** 32 ? Math.floor(created) : 0,
        },
        new Map(members.map((id) => [id, DEFAULT_MEMBERSHIP])),
      )
      channels.set(place.id, channel)
      recordLocation(place, { channelId: channel.id }, conversion, locations)
      if (pins !== undefined && pins.length > 0) {
        conversion.leftOut.add('pinned messages: imported without the pin', place.name, pins.length)
      }
    }
  }
}

async function readConversations(
  files: ExportFiles['files'],
  into: { conversion: Conversion; users: ReadonlyMap<string, Account>; locations: Map<string, SlackLocation> },
): Promise<void> {
  const { conversion, users, locations } = into
  for (const path of ['dms.json', 'mpims.json']) {
    for await (const place of readPlaces(files.get(path), conversion)) {
      const memberIds = readMemberIds(place, users, conversion, (member) =>
        conversion.organization.stranger(member, member, false),
      )
      recordLocation(place, { memberIds }, conversion, locations)
    }
  }
  if (!files.has('groups.json') && !files.has('dms.json')) {
    conversion.leftOut.add('private channels and direct messages: this export contains only public channels')
  }
}

async function readEmoji(
  files: ExportFiles['files'],
  { files: made, signal, organization }: Conversion,
  users: ReadonlyMap<string, Account>,
): Promise<void> {
  const people = [...users.values()].filter(({ isBot }) => !isBot)
  const author = people.toSorted((a, b) => a.role - b.role)[0] ?? [...organization.accounts.values()][0]
  if (author === undefined) return
  for (const file of files.values()) {
    const [, name] = EMOJI_PATH_PATTERN.exec(file.path) ?? []
    if (name === undefined) continue
    signal.throwIfAborted()
    await made.addEmoji(name.toLowerCase(), file, author.id)
  }
}

function findUploads(files: ExportFiles['files']): Map<string, ExportFile> {
  return new Map(
    [...files.values()].flatMap((file): [string, ExportFile][] => {
      const [, one, other] = UPLOAD_PATH_PATTERN.exec(file.path) ?? []
      const id = one ?? other
      return id === undefined ? [] : [[id, file]]
    }),
  )
}

async function readDays(
  files: ExportFiles['files'],
  messages: SlackMessages,
  conversion: Conversion,
  locations: ReadonlyMap<string, SlackLocation>,
): Promise<void> {
  const { leftOut, signal, progress } = conversion
  const days = [...files.values()].filter(({ path }) => DAY_PATH_PATTERN.test(path))
  for (const [index, file] of days.entries()) {
    signal.throwIfAborted()
    progress(index + 1, days.length)
    const [, folder = ''] = DAY_PATH_PATTERN.exec(file.path) ?? []
    const location = locations.get(folder)
    if (location === undefined) {
      refuseUncertainPath(folder, file)
      leftOut.add('days of messages in unlisted channels', file.path)
      continue
    }
    for await (const one of itemsOf(file, conversion)) await messages.add(one, location, file.path)
  }
}

function countUnread({ files, openedPaths }: ExportFiles, { leftOut }: Conversion): void {
  for (const path of files.keys()) {
    if (openedPaths.has(path) || DAY_PATH_PATTERN.test(path) || EMOJI_PATH_PATTERN.test(path)) continue
    if (UPLOAD_PATH_PATTERN.test(path)) leftOut.add('files that no message links to', path)
    else if (/canvas/i.test(path)) leftOut.add('canvases', path)
    else if (/workflow/i.test(path)) leftOut.add('workflows', path)
    else leftOut.add('files of the export that have no counterpart in Parley', path)
  }
}

/** Returns the organization's name, such as `North` for `North Slack export Jan 1 2026 - Nov 1 2026.zip`. */
function organizationNameIn(archive: string): string {
  const [name = ''] = archive.split(/ Slack export/i)
  return name.replace(/\.zip$/i, '').trim() || 'Slack'
}
