import type { TestServer } from '../../../testing/server.ts'
import { OUTGOING_MAIL_LIMIT } from '../contract.ts'

export async function fillMailQueue(server: TestServer, organizationId: number, fewer = 0): Promise<void> {
  await server.parley.database.pool.query(
    `insert into outgoing_mails (organization_id, id, recipient, language, subject, paragraphs, closing, created_at, attempts, attempt_at)
     select $1, 1000000 + n, 'x@example.org', 'en', 'x', '{}', '{}', 0, 1, 4000000000 from generate_series(1, $2::int) n`,
    [organizationId, OUTGOING_MAIL_LIMIT.most - fewer],
  )
}

export async function deleteQueuedMails(server: TestServer, organizationId: number): Promise<void> {
  await server.parley.database.pool.query('delete from outgoing_mails where organization_id = $1', [organizationId])
}
