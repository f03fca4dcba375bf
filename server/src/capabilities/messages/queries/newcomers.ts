import { BoundedCache } from '../../../kernel/bounded-cache.ts'
import { ROLE } from '../../../kernel/actor.ts'
import type { Output } from '../../../kernel/endpoint.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { Db, Reader } from '../../../kernel/transaction.ts'
import { linksInTopic } from '../../../platform/markdown/render.ts'
import { channelById } from '../../channels/queries/index.ts'
import type * as contract from '../../community/contract.ts'
import { isLockedDown, personBehind } from '../../community/queries.ts'
import { settingOf } from '../../organizations/queries/index.ts'
import { userById, usersProjection, type UserRow, type UsersState } from '../../users/queries/index.ts'
import { hasWaitingPeriodEnded, isFullMember } from '../../users/rules/index.ts'
import type { ContentFacts } from '../rules/recipients.ts'

/*
 * Limits for new members. They apply to a person and, so that nobody goes around them, to the person's bots; and to
 * every text, so that no edit, move, schedule, or profile goes around them.
 */

interface NewcomerContext {
  readonly organization: OrganizationState
  readonly db: Db
}

interface Member {
  readonly userId: number
}

type Limit = 'links' | 'mentions' | 'direct_messages' | 'uploads'

const MAX_COUNTED_MESSAGES = 5_000

/** Counts only messages that everyone could see, because others prove nothing. */
const NEWCOMER_RECORD = `
  select exists (select from invited_people where organization_id = $1 and user_id = $2) as "isInvited",
    (select count(*)::int from (
      select from (
        select channel_id from messages where organization_id = $1 and sender_id = $2
        order by id desc limit ${MAX_COUNTED_MESSAGES}) sent
      join channels c on c.organization_id = $1 and c.id = sent.channel_id and not c.invite_only
      limit $3) counted) as "messageCount"`

interface NewcomerRecord {
  readonly isInvited: boolean
  /** Minimum number of public messages that the person has sent. */
  readonly messageCount: number
}

const MAX_REMEMBERED_PEOPLE = 10_000
/** Holds only records that ended the limits, because these cannot change. */
const knownRecords = new WeakMap<UsersState, BoundedCache<number, NewcomerRecord>>()

interface Candidate {
  readonly person: UserRow
  readonly isYoung: boolean
}

/** Returns the person, or the owner of the bot, if they can be new. Runs no query, because every send calls this. */
function candidateOf(organization: OrganizationState, userId: number): Candidate | undefined {
  const [messages, days] = [settingOf(organization, 'newcomer_messages'), settingOf(organization, 'newcomer_days')]
  if (messages === 0 && days === 0) return undefined
  const person = personBehind(organization, userId)
  if (person === undefined || person.role <= ROLE.moderator) return undefined
  const known = knownRecordsIn(organization).get(person.id)
  if (known?.isInvited === true && !settingOf(organization, 'newcomer_limits_for_invited')) return undefined
  const isYoung = !hasWaitingPeriodEnded(person.dateJoined, unixSecondsNow(), days)
  const hasSentEnough = (known?.messageCount ?? 0) >= messages
  return isYoung || !hasSentEnough ? { person, isYoung } : undefined
}

/** Whether the person, or the owner of the bot, is a new member, and limits apply to new members at all. */
export async function isNewcomer({ organization, db }: NewcomerContext, { userId }: Member): Promise<boolean> {
  const candidate = candidateOf(organization, userId)
  if (candidate === undefined) return false
  const { person, isYoung } = candidate
  const messages = settingOf(organization, 'newcomer_messages')
  const [record] = await db.rows<NewcomerRecord>('newcomer_record', NEWCOMER_RECORD, [
    organization.id,
    person.id,
    messages,
  ])
  if (record === undefined) return false
  if (record.isInvited || record.messageCount >= messages) knownRecordsIn(organization).set(person.id, record)
  if (record.isInvited && !settingOf(organization, 'newcomer_limits_for_invited')) return false
  return isYoung || record.messageCount < messages
}

function knownRecordsIn(organization: OrganizationState): BoundedCache<number, NewcomerRecord> {
  const people = organization.of(usersProjection)
  const known = knownRecords.get(people) ?? new BoundedCache<number, NewcomerRecord>(MAX_REMEMBERED_PEOPLE)
  knownRecords.set(people, known)
  return known
}

async function isLimited(context: NewcomerContext, member: Member, limit: Limit): Promise<boolean> {
  return settingOf(context.organization, `newcomer_limit_${limit}`) && (await isNewcomer(context, member))
}

export async function getOwnLimits(reader: Reader): Promise<Output<typeof contract.getOwnLimits>> {
  const { organization, actor } = reader
  return {
    is_newcomer: await isNewcomer(reader, actor),
    links: settingOf(organization, 'newcomer_limit_links'),
    mentions: settingOf(organization, 'newcomer_limit_mentions'),
    direct_messages: settingOf(organization, 'newcomer_limit_direct_messages'),
    uploads: settingOf(organization, 'newcomer_limit_uploads'),
    may_post_in_lock_down: await isTrusted(reader, actor),
  }
}

/** Whether the person, or the owner of the bot, can post in public channels during a lock-down. */
async function isTrusted(context: NewcomerContext, member: Member): Promise<boolean> {
  const person = personBehind(context.organization, member.userId)
  if (person === undefined || person.role <= ROLE.moderator) return true
  return isEstablished(context.organization, person) && !(await isNewcomer(context, member))
}

/** Days after which people count as established if the organization does not say who is a full or a new member. */
const ESTABLISHED_DAYS = 1

function isEstablished(organization: OrganizationState, person: UserRow): boolean {
  const now = unixSecondsNow()
  if (person.role > ROLE.member || !isFullMember(organization, person, now)) return false
  const settings = ['waiting_period_threshold', 'newcomer_messages', 'newcomer_days'] as const
  const hasOwnRule = settings.some((name) => settingOf(organization, name) > 0)
  return hasOwnRule || hasWaitingPeriodEnded(person.dateJoined, now, ESTABLISHED_DAYS)
}

/** @throws ApiError BAD_REQUEST if a lock-down keeps the member from posting in the channel */
export async function requireMayPostDuringLockDown(
  context: NewcomerContext,
  member: Member,
  channelId: number | null,
): Promise<void> {
  if (!isLockedDownIn(context.organization, channelId) || (await isTrusted(context, member))) return
  throw lockedDownError()
}

/**
 * Repeats `requireMayPostDuringLockDown` without the database: a lock-down may have started since. Also refuses people
 * who may be new, unless that check has found that they are not.
 * @throws ApiError BAD_REQUEST
 */
export function requireMayStillPost(organization: OrganizationState, member: Member, channelId: number | null): void {
  if (!isLockedDownIn(organization, channelId)) return
  const person = personBehind(organization, member.userId)
  if (person === undefined || person.role <= ROLE.moderator) return
  if (isEstablished(organization, person) && candidateOf(organization, person.id) === undefined) return
  throw lockedDownError()
}

function isLockedDownIn(organization: OrganizationState, channelId: number | null): boolean {
  if (channelId === null || !isLockedDown(organization, unixSecondsNow())) return false
  return channelById(organization, channelId)?.inviteOnly === false
}

function lockedDownError(): ApiError {
  return new ApiError(
    'BAD_REQUEST',
    'The organization is locked down: for now, only established members can post in public channels.',
  )
}

function unixSecondsNow(): number {
  return Math.floor(Date.now() / 1000)
}

/** @throws ApiError BAD_REQUEST if a new member must not send this */
export async function requireNewcomerMaySend(
  context: NewcomerContext,
  author: Member,
  { linksOutside, mentionedGroupIds, mentionsChannel, topicParticipantIds }: ContentFacts,
  texts: readonly string[],
): Promise<void> {
  if (linksOutside) await requireNewcomerMayLink(context, author)
  await requireNoNewcomerLinks(context, author, texts)
  const mentionsMany = mentionsChannel || mentionedGroupIds.length > 0 || topicParticipantIds.length > 0
  if (mentionsMany && (await isLimited(context, author, 'mentions'))) {
    throw new ApiError('BAD_REQUEST', 'New members cannot mention groups or everyone yet.')
  }
}

async function requireNewcomerMayLink(context: NewcomerContext, author: Member): Promise<void> {
  if (await isLimited(context, author, 'links')) throw new ApiError('BAD_REQUEST', 'New members cannot post links yet.')
}

/** @throws ApiError BAD_REQUEST if a new member's text, shown to others, contains an address */
export async function requireNoNewcomerLinks(
  context: NewcomerContext,
  author: Member,
  texts: readonly string[],
): Promise<void> {
  if (!settingOf(context.organization, 'newcomer_limit_links')) return
  if (candidateOf(context.organization, author.userId) === undefined) return
  for (const text of texts) {
    // Every address contains one of these characters.
    if (!/[.:@]/.test(text)) continue
    const links = await linksInTopic(text, NO_LINKIFIERS)
    if (links.length > 0) return requireNewcomerMayLink(context, author)
  }
}

/** Returns the names that an account about to be created can have. @throws ApiError BAD_REQUEST if all contain links */
export async function requireNamesWithoutLinks(
  organization: OrganizationState,
  names: readonly string[],
): Promise<readonly string[]> {
  const isLimiting = settingOf(organization, 'newcomer_messages') > 0 || settingOf(organization, 'newcomer_days') > 0
  if (!isLimiting || !settingOf(organization, 'newcomer_limit_links')) return names
  const allowed: string[] = []
  for (const name of names) {
    const links = await linksInTopic(name, NO_LINKIFIERS)
    if (links.length === 0) allowed.push(name)
  }
  if (allowed.length === 0 && names.length > 0) throw new ApiError('BAD_REQUEST', 'Names cannot contain links.')
  return allowed
}

const NO_LINKIFIERS = { linkifiers: [] }

/** @throws ApiError BAD_REQUEST */
export async function requireNewcomerMayUpload(context: NewcomerContext, author: Member): Promise<void> {
  if (await isLimited(context, author, 'uploads')) {
    throw new ApiError('BAD_REQUEST', 'New members cannot upload files yet.')
  }
}

const CONVERSATION_BEGUN_BY_OTHERS = `
  select from conversations c join messages m on m.organization_id = $1 and m.topic_id = c.topic_id
  where c.organization_id = $1 and c.member_ids = $2::bigint[] and m.sender_id = any($3::bigint[])
  and m.withheld_from is null limit 1`

/** A new member can write to bots, and where another person has written. @throws ApiError BAD_REQUEST */
export async function requireNewcomerMayWriteTo(
  context: NewcomerContext,
  member: Member,
  memberIds: readonly number[],
): Promise<void> {
  const { organization, db } = context
  const strangers = otherPeopleAmong(organization, member, memberIds)
  if (strangers.length === 0 || !(await isLimited(context, member, 'direct_messages'))) return
  const found = await db.rows('begun_by_others', CONVERSATION_BEGUN_BY_OTHERS, [organization.id, memberIds, strangers])
  if (found.length > 0) return
  throw new ApiError('BAD_REQUEST', 'New members can send direct messages only to people who wrote to them first.')
}

const STRANGER_AMONG = `
  select from unnest($3::bigint[]) as one (id) where not exists (
    select from conversations c join messages m on m.organization_id = $1 and m.topic_id = c.topic_id
    where c.organization_id = $1 and c.member_ids = array[least($2::bigint, one.id), greatest($2::bigint, one.id)]
      and m.sender_id = one.id and m.withheld_from is null) limit 1`

/**
 * Whoever is in a channel gets its messages. A new member, and during a lock-down anyone who is not established, can
 * add only bots and people who have written to them alone. @throws ApiError BAD_REQUEST
 */
export async function requireMayAddToChannels(
  context: NewcomerContext,
  member: Member,
  userIds: readonly number[],
): Promise<void> {
  const { organization, db } = context
  const others = otherPeopleAmong(organization, member, userIds)
  if (others.length === 0) return
  const isKeptOut = isLockedDown(organization, unixSecondsNow()) && !(await isTrusted(context, member))
  if (!isKeptOut && !(await isLimited(context, member, 'direct_messages'))) return
  const personId = personBehind(organization, member.userId)?.id
  if ((await db.rows('stranger_among', STRANGER_AMONG, [organization.id, personId, others])).length === 0) return
  throw new ApiError(
    'BAD_REQUEST',
    isKeptOut
      ? 'The organization is locked down: for now, you can add only people who wrote to you first.'
      : 'New members can add only people who wrote to them first.',
  )
}

function otherPeopleAmong(organization: OrganizationState, member: Member, userIds: readonly number[]): number[] {
  const person = personBehind(organization, member.userId)
  return userIds.filter((id) => id !== person?.id && userById(organization, id)?.botType === null)
}
