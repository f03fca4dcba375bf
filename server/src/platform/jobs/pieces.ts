import { sql } from 'kysely'
import type { Generated } from 'kysely'
import type { Tables } from '../../kernel/tables.ts'
import type { Tx } from '../../kernel/transaction.ts'

/*
 * Work outside the database is a row with the number of attempts and the time until which the current attempt may run.
 * If a server dies, another one starts the next attempt after that time; a slow server then finds a different attempt
 * number.
 */

/** Columns of a table with such rows. */
interface PieceColumns {
  readonly organization_id: number
  readonly id: number
  readonly attempts: Generated<number>
  readonly begun_until: Generated<number>
}

/** Tables with such rows. */
export type TableOfPieces = {
  [Name in keyof Tables]: Tables[Name] extends PieceColumns ? Name : never
}[keyof Tables]

export interface Piece {
  readonly id: number
  /** Number of attempts started. */
  readonly attempts: number
}

/** Returns the column values for an attempt that starts now and may run for some seconds. */
export function begunFor(
  { now }: Pick<Tx, 'now'>,
  { attempts }: Pick<Piece, 'attempts'>,
  seconds: number,
): { readonly attempts: number; readonly due_at: number; readonly begun_until: number } {
  return { attempts: attempts + 1, due_at: now + seconds, begun_until: now + seconds }
}

/** Starts an attempt, during which no other server starts one. @returns the row as updated */
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

/** Reschedules work after some seconds, unless another server has started an attempt since. */
export async function delayPiece(tx: Tx, table: TableOfPieces, piece: Piece, seconds: number): Promise<void> {
  await putBack(tx, table, piece, seconds, piece.attempts)
}

/** Undoes the start of an attempt: this server is stopping or cannot finish, and another continues. */
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
