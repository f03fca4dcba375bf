import { expect } from 'vitest'
import type { MailServer, ReceivedMail } from '../../../testing/mail-server.ts'
import type { TestOrganization, TestServer } from '../../../testing/server.ts'
import type { Parameters, TestUser } from '../../../testing/user.ts'

/** Messages are batched for several seconds before their recipients are recorded. */
export const WAIT_OPTIONS = { timeout: 30_000, interval: 50 }

/** Creates a person who reads nothing; emails wait until the test makes them due. */
export async function createPerson(
  { user }: TestOrganization,
  name: string,
  settings: Parameters = {},
): Promise<TestUser> {
  const person = await user(name)
  await person.call('PATCH', '/settings', { email_notifications_batching_period_seconds: 3_600, ...settings })
  return person
}

/** @returns the ID of the channel `news` */
export async function subscribeToNews(owner: TestUser, people: readonly TestUser[]): Promise<number> {
  await owner.subscribe(['news'], { principals: [owner, ...people].map(({ id }) => id) })
  return (await owner.call('GET', '/get_stream_id', { stream: 'news' }))['stream_id']
}

export async function waitForRecords({ parley }: TestServer): Promise<void> {
  const lag = (): number | undefined =>
    parley.consumers.reports().find(({ name }) => name === 'noteMissedMessages')?.lag
  await expect.poll(lag, WAIT_OPTIONS).toBe(0)
}

/** Makes all missed messages due, and waits until the emails are sent. */
export async function makeMissedMessagesDue(
  server: TestServer,
  organization: Pick<TestOrganization, 'id'>,
): Promise<void> {
  await waitForRecords(server)
  const { pool } = server.parley.database
  await pool.query('update messages set date_sent = date_sent - 7200 where organization_id = $1', [organization.id])
  await pool.query('update late_mentions set mentioned_at = mentioned_at - 7200 where organization_id = $1', [
    organization.id,
  ])
  await pool.query('update missed_messages set due_at = 0 where organization_id = $1', [organization.id])
  await sendDueMails(server, organization)
}

export async function sendDueMails({ parley }: TestServer, { id }: Pick<TestOrganization, 'id'>): Promise<void> {
  const countLeft = async (): Promise<number> => {
    const { rows } = await parley.database.pool.query<{ left: number }>(
      `select (select count(*) from missed_messages where organization_id = $1)::int
         + (select count(*) from outgoing_mails where organization_id = $1)::int as left`,
      [id],
    )
    return rows[0]?.left ?? Number.NaN
  }
  await expect.poll(countLeft, WAIT_OPTIONS).toBe(0)
}

/** Subjects of the emails that each person received. Omits people who received none. */
export function subjectsByPerson(
  mails: MailServer,
  people: Readonly<Record<string, TestUser>>,
): Record<string, string[]> {
  const told = Object.entries(people).map(([name, { email }]): [string, string[]] => [
    name,
    mails.received(email).map(({ headers }) => headers['subject'] ?? ''),
  ])
  return Object.fromEntries(told.filter(([, subjects]) => subjects.length > 0))
}

export function unsubscribeAddress({ headers }: ReceivedMail): string {
  const [, address] = /^<(http\S+)>$/.exec(headers['list-unsubscribe'] ?? '') ?? []
  if (address === undefined) throw new Error(`no address in: ${headers['list-unsubscribe'] ?? 'nothing'}`)
  return address
}
