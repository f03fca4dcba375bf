import { sql } from 'kysely'
import type { OrganizationState } from '../../kernel/projection.ts'
import { topicSegment } from '../../kernel/topic-segment.ts'
import type { Tx } from '../../kernel/transaction.ts'
import { html } from '../../platform/pages/html.ts'
import type { ServerFacts } from '../../platform/server-facts.ts'
import { channelById } from '../channels/queries/index.ts'
import { presentTopic } from '../channels/rules/topics.ts'
import type { OutgoingMail } from '../mail/actions/index.ts'
import { settingOf, organizationOf } from '../organizations/queries/index.ts'
import { userById, userSetting, type UserRow } from '../users/queries/index.ts'
import { textLanguage } from '../users/queries/settings.ts'
import { lastDigestWeek, inactivePeople, type BusyTopic } from './queries.ts'

const DAY_SECONDS = 86_400
/** Prevents a second digest if another server has just started one. */
const MIN_SECONDS_BETWEEN_DIGESTS = 5 * DAY_SECONDS
/** After a longer pause between runs, the next run counts as a first run. */
const MAX_SECONDS_BETWEEN_DIGESTS = 15 * DAY_SECONDS

/** The first run only records where the next digest starts. */
export async function startDigestWeek(tx: Tx): Promise<void> {
  const stored = await lastDigestWeek(tx.db, tx.organizationId)
  if (stored !== undefined && stored.begunAt > tx.now - MIN_SECONDS_BETWEEN_DIGESTS) return
  if (!settingOf(tx.organization, 'digest_emails_enabled')) return
  const last = stored !== undefined && stored.begunAt > tx.now - MAX_SECONDS_BETWEEN_DIGESTS ? stored : undefined
  const { position } = tx.organization
  await sql`
    insert into digest_weeks (organization_id, begun_at, position, since)
    values (${tx.organizationId}, ${tx.now}, ${position}, ${last?.position ?? position})
    on conflict (organization_id) do update
    set begun_at = excluded.begun_at, position = excluded.position, since = excluded.since`.execute(tx.db)
  if (last === undefined) return
  const readers = (await inactivePeople(tx.db, tx.organizationId, tx.now)).filter((userId) => {
    const user = userById(tx.organization, userId)
    return user !== undefined && wantsDigest(tx.organization, user)
  })
  await tx.db.rows(
    'add_digest_readers',
    'insert into digest_readers (organization_id, user_id) select $1, unnest($2::bigint[]) on conflict do nothing',
    [tx.organizationId, readers],
  )
}

export function wantsDigest(organization: OrganizationState, user: UserRow): boolean {
  return (
    settingOf(organization, 'digest_emails_enabled') &&
    settingOf(organization, 'message_content_allowed_in_email_notifications') &&
    user.isActive &&
    user.botType === null &&
    userSetting(user, 'enable_digest_emails') &&
    userSetting(user, 'message_content_in_email_notifications')
  )
}

/** Returns false if another server already wrote the digest. */
export async function claimDigestReader(tx: Tx, userId: number): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('digest_readers')
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

interface DigestWording {
  readonly subject: (organization: string) => string
  readonly paragraph: (organization: string) => string
  readonly count: (messages: number, people: number) => string
  readonly open: (organization: string) => string
  readonly because: string
}

const ENGLISH: DigestWording = {
  subject: (organization) => `Your week at ${organization}`,
  paragraph: (organization) => `The most active topics at ${organization} in the last week:`,
  count: (messages, people) =>
    `${messages === 1 ? '1 message' : `${messages} messages`} from ${people === 1 ? '1 person' : `${people} people`}`,
  open: (organization) => `Open ${organization}`,
  because: 'You get this email once a week when you’ve been away for several days.',
}

const GERMAN: DigestWording = {
  subject: (organization) => `Deine Woche bei ${organization}`,
  paragraph: (organization) => `Die aktivsten Themen bei ${organization} in der letzten Woche:`,
  count: (messages, people) =>
    `${messages === 1 ? '1 Nachricht' : `${messages} Nachrichten`} von ${people === 1 ? '1 Person' : `${people} Personen`}`,
  open: (organization) => `${organization} öffnen`,
  because: 'Du bekommst diese E-Mail einmal pro Woche, wenn du mehrere Tage abwesend warst.',
}

export function digestMail(
  organization: OrganizationState,
  server: Pick<ServerFacts, 'urlOf'>,
  user: UserRow,
  topics: readonly BusyTopic[],
): OutgoingMail {
  const language = textLanguage(organization, user)
  const words = language === 'en' ? ENGLISH : GERMAN
  const { name } = organizationOf(organization)
  const url = server.urlOf(organization)
  const lines = topics.map(({ channelId, topic, firstId, messages, people }) => ({
    title: `#${channelById(organization, channelId)?.name ?? ''} > ${presentTopic(topic, false)}`,
    address: `${url}/c/${channelId}/t/${topicSegment(topic)}?near=${firstId}`,
    count: words.count(messages, people),
  }))
  return {
    to: user.deliveryEmail,
    language,
    subject: words.subject(name),
    paragraphs: [words.paragraph(name)],
    content: {
      text: lines.map(({ title, address, count }) => `${title}\n${count}\n${address}`).join('\n\n'),
      html: lines
        .map(
          ({ title, address, count }) =>
            html`<p style="margin:0 0 16px">
              <a href="${address}" style="font-weight:600">${title}</a><br /><span style="font-size:13px;opacity:.75"
                >${count}</span
              >
            </p>`.markup,
        )
        .join('\n'),
    },
    button: { label: words.open(name), path: '/' },
    closing: [words.because],
    unsubscribe: { userId: user.id, from: 'digest' },
  }
}
