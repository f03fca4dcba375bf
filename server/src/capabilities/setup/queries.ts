import { timingSafeEqual } from 'node:crypto'
import type { Db } from '../../kernel/transaction.ts'

export interface SetupLink {
  readonly name: string
  readonly isTaken: boolean
}

const UNEXPIRED_SETUP_LINK = `
  select digest, name, exists (select from organizations where string_id = $1) as "isTaken" from setup_links
  where string_id = $1 and expires_at > $2`

/** Compares digests in constant time, so that response times reveal nothing about valid tokens. */
export async function findSetupLink(
  db: Db,
  stringId: string,
  digest: Buffer,
  now: number,
): Promise<SetupLink | undefined> {
  const rows = await db.rows<SetupLink & { digest: Buffer }>('setup_links', UNEXPIRED_SETUP_LINK, [stringId, now])
  return rows.filter((row) => timingSafeEqual(row.digest, digest))[0]
}

export async function countExpiredSetupLinks(db: Db, now: number): Promise<number> {
  const [row] = await db.rows<{ count: number }>(
    'expired_setup_links',
    'select count(*)::int as count from setup_links where expires_at <= $1',
    [now],
  )
  return row?.count ?? 0
}
