import { sql } from 'kysely'
import type { Generated } from 'kysely'
import type { Tables } from '../../kernel/tables.ts'
import type { Tx } from '../../kernel/transaction.ts'
import { REQUEST_TIMEOUT_SECONDS } from '../outside/request.ts'

export interface DueJob {
  readonly organizationId: number
  readonly id: number
  readonly person?: number | string
  readonly host?: string
}

/**
 * Reads one row per organization from a partial index that has only the rows with the condition. Organizations that are
 * being imported or removed have a name that starts with a sign, and their logs must not be opened.
 */
export const organizationsWithRowsSql = (table: string, condition: string): string => `
  with recursive found (organization_id) as (
    (select organization_id from ${table} where ${condition} order by organization_id limit 1)
    union all
    select (select organization_id from ${table}
            where ${condition} and organization_id > found.organization_id
            order by organization_id limit 1)
    from found where found.organization_id is not null)
  select o.id as "organizationId", 0 as id
  from found join organizations o on o.id = found.organization_id and o.string_id !~ '^[?!]'`

/* Work outside the database. Each attempt has a number, and a time at which another server starts the next attempt. */

/** Seconds after which a server that started an attempt is considered dead. */
export const ATTEMPT_TIMEOUT_SECONDS = 3 * REQUEST_TIMEOUT_SECONDS

interface PieceColumns {
  readonly organization_id: number
  readonly id: number
  readonly attempts: Generated<number>
  readonly begun_until: Generated<number>
}

export type TableOfPieces = {
  [Name in keyof Tables]: Tables[Name] extends PieceColumns ? Name : never
}[keyof Tables]

export interface Piece {
  readonly id: number
  readonly attempts: number
}

export function startedAttemptFields(
  { now }: Pick<Tx, 'now'>,
  { attempts }: Pick<Piece, 'attempts'>,
  seconds: number,
): { readonly attempts: number; readonly due_at: number; readonly begun_until: number } {
  return { attempts: attempts + 1, due_at: now + seconds, begun_until: now + seconds }
}

export async function beginPiece<Begun extends Piece>(
  tx: Tx,
  table: TableOfPieces,
  piece: Begun,
  seconds: number,
): Promise<Begun> {
  const { attempts, due_at: dueAt, begun_until: until } = startedAttemptFields(tx, piece, seconds)
  await sql`
    update ${sql.table(table)} set attempts = ${attempts}, due_at = ${dueAt}, begun_until = ${until}
    where organization_id = ${tx.organizationId} and id = ${piece.id}`.execute(tx.db)
  return { ...piece, attempts }
}

export async function delayPiece(tx: Tx, table: TableOfPieces, piece: Piece, seconds: number): Promise<void> {
  await reschedulePiece(tx, table, piece, seconds, piece.attempts)
}

/** Returns work to the queue, so that another server can continue it. */
export async function putBackPiece(tx: Tx, table: TableOfPieces, piece: Piece): Promise<void> {
  await reschedulePiece(tx, table, piece, 0, piece.attempts - 1)
}

async function reschedulePiece(
  tx: Tx,
  table: TableOfPieces,
  { id, attempts }: Piece,
  seconds: number,
  counted: number,
): Promise<void> {
  await sql`
    update ${sql.table(table)} set attempts = ${counted}, due_at = ${tx.now + seconds}, begun_until = 0
    where organization_id = ${tx.organizationId} and id = ${id} and attempts = ${attempts} and begun_until > 0`.execute(
    tx.db,
  )
}
