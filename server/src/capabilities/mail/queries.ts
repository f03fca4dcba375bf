import type { Db } from '../../kernel/transaction.ts'
import type { FileCall, FoundFile } from '../../platform/files/serve.ts'
import type { Due } from '../../platform/jobs/due.ts'
import { pageSharing, type SideBySide } from '../../platform/jobs/side-by-side.ts'
import { OUTGOING_MAIL_LIMIT } from './contract.ts'

const WAITING = 'select 1 from outgoing_mails where organization_id = $1 offset $2 limit 1'

/**
 * Whether another e-mail may wait: for one without which what it tells of is done all the same.
 * @param most leaves room for others, without which people do not come in
 */
export async function hasRoomForMail(
  db: Db,
  organizationId: number,
  most: number = OUTGOING_MAIL_LIMIT.most,
): Promise<boolean> {
  return (await db.rows('mails_waiting', WAITING, [organizationId, most - 1])).length === 0
}

/** The organizations in which as many e-mails wait as may: what is still to be written there waits as well. */
export const FULL_OF_MAILS = `
  select organization_id from outgoing_mails group by organization_id having count(*) >= ${OUTGOING_MAIL_LIMIT.most}`

/** How many e-mails are sent at once, all by one mail server. To one person they go one after the other, in their order. */
export const SIDE_BY_SIDE: SideBySide = {
  most: 16,
  mostOfOne: 4,
  mostAtHost: 4,
  mostOfPerson: 1,
  mostOfPersonAtHost: 1,
}

const DUE = pageSharing(
  `select m.organization_id, m.id, m.attempt_at as due_at, m.recipient as person, '' as host
   from outgoing_mails m
   join organization_settings o on o.organization_id = m.organization_id and not o.deactivated
   where m.attempt_at <= $1`,
  SIDE_BY_SIDE,
)

/** The e-mails that are to be tried now. Those of a deactivated organization wait until it is active again. */
export async function dueMails(db: Db, now: number, full: readonly string[]): Promise<Due[]> {
  return db.rows<Due>('due_mails', DUE, [now, full])
}

/** Where programs for e-mail send what `unsubscribe` takes. */
export const UNSUBSCRIBE_ADDRESS = '/api/v1/unsubscribe'
/** The page where a person presses a button: what is merely opened, by whichever program, changes nothing. */
export const UNSUBSCRIBE_PATH = '/unsubscribe#'
export const SETTINGS_PATH = '/settings/notifications'

/** Leads those to the page whose program for e-mail opens the address in a browser. */
export async function unsubscribePage({ query }: FileCall): Promise<FoundFile | undefined> {
  return Promise.resolve({ elsewhere: `${UNSUBSCRIBE_PATH}${encodeURIComponent(query.get('token') ?? '')}` })
}
