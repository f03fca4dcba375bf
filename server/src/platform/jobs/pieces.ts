import { sql } from 'kysely'
import type { Generated } from 'kysely'
import type { Tables } from '../../kernel/tables.ts'
import type { Tx } from '../../kernel/transaction.ts'

/*
 * Work that leaves the database is a row that says how often it was begun and until when it is being done. A server that dies
 * meanwhile leaves a row that another one begins again once that time is over; the one that was slow finds another count there.
 */

/** The columns by which a row is such a piece of work. */
interface PieceColumns {
  readonly organization_id: number
  readonly id: number
  readonly attempts: Generated<number>
  readonly begun_until: Generated<number>
}

/** The tables whose rows are such pieces. */
export type TableOfPieces = {
  [Name in keyof Tables]: Tables[Name] extends PieceColumns ? Name : never
}[keyof Tables]

export interface Piece {
  readonly id: number
  /** How often it was begun. */
  readonly attempts: number
}

/** What a row says whose work begins now and is over within some seconds. */
export function begunFor(
  { now }: Pick<Tx, 'now'>,
  { attempts }: Pick<Piece, 'attempts'>,
  seconds: number,
): { readonly attempts: number; readonly due_at: number; readonly begun_until: number } {
  return { attempts: attempts + 1, due_at: now + seconds, begun_until: now + seconds }
}

/** Begins a piece that is due, which another server then does not begin for some seconds. @returns it as it is begun */
export async function beginPiece<Begun extends Piece>(
  tx: Tx,
  table: TableOfPieces,
  piece: Begun,
  seconds: number,
): Promise<Begun> {
  const { attempts, due_at: dueAt, begun_until: until } = begunFor(tx, piece, seconds)
  await sql`
    update ${sql.table(table)} set attempts = ${attempts}, due_at = ${dueAt}, begun_until = ${until}
    where organization_id = ${tx.organizationId} and id = ${piece.id}`.execute(tx.db)
  return { ...piece, attempts }
}

/** Has a piece that was begun done again in some seconds, unless another server has begun it since. */
export async function delayPiece(tx: Tx, table: TableOfPieces, piece: Piece, seconds: number): Promise<void> {
  await putBack(tx, table, piece, seconds, piece.attempts)
}

/** Leaves a piece as if it had not been begun: this server stops, or may not end it now, and another goes on. */
export async function putBackPiece(tx: Tx, table: TableOfPieces, piece: Piece): Promise<void> {
  await putBack(tx, table, piece, 0, piece.attempts - 1)
}

async function putBack(
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
