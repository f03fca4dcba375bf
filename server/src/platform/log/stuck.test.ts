import type { Socket } from 'node:net'
import pg from 'pg'
import { expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'

const server = useTestServer({ PARLEY_LOG_LEVEL: 'silent' })

/** Freezes a process that holds the lock, during a statement. */
async function freezeLockHolder(organizationId: number): Promise<{ client: pg.Client; socket: Socket; pid: number }> {
  const client = new pg.Client(server().database)
  // The test expects the connection to end.
  client.on('error', () => undefined)
  await client.connect()
  await client.query('begin')
  await client.query('select position from organizations where id = $1 for update', [organizationId])
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  // Safe: the driver's types lack the connection.
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Socket } }).connection
  return { client, socket: stream, pid: rows[0]?.pid ?? 0 }
}

async function waitEventOf(pid: number): Promise<string | undefined> {
  const { rows } = await server().parley.database.pool.query<{ event: string }>(
    'select wait_event as event from pg_stat_activity where pid = $1',
    [pid],
  )
  return rows[0]?.event
}

it('ends the database session of a frozen process that does not read its results', async () => {
  const { owner, id } = await server().organization()
  const { client, socket, pid } = await freezeLockHolder(id)
  socket.pause()
  const asked = client.query(`select repeat('x', 1000) from generate_series(1, 100000)`)
  // The promise is awaited later, but can reject before that.
  asked.catch(() => undefined)
  await expect.poll(async () => waitEventOf(pid)).toBe('ClientWrite')
  await owner.sendTo([owner.id], 'Is anybody there?')
  await expect.poll(async () => waitEventOf(pid)).toBeUndefined()
  socket.resume()
  await expect(asked).rejects.toThrow('terminat')
  await client.end()
})

it('ends the database session of a process that froze while sending a query', async () => {
  const { owner, id } = await server().organization()
  const { client, socket, pid } = await freezeLockHolder(id)
  // An unnamed statement, and the start of its parameters.
  const parse = Buffer.from('\0select 1\0\0\0', 'latin1')
  const head = (kind: string, bytes: number): Buffer => {
    const bytesAndKind = Buffer.alloc(5)
    bytesAndKind.write(kind)
    bytesAndKind.writeUInt32BE(bytes + 4, 1)
    return bytesAndKind
  }
  socket.write(Buffer.concat([head('P', parse.length), parse, head('B', 1_000), Buffer.alloc(10)]))
  // The process is in the middle of a statement, not between two statements.
  const isActive = `select from pg_stat_activity where pid = ${pid} and wait_event = 'ClientRead' and state = 'active'`
  await expect.poll(async () => (await server().parley.database.pool.query(isActive)).rowCount).toBe(1)
  await owner.sendTo([owner.id], 'Is anybody there?')
  await expect.poll(async () => waitEventOf(pid)).toBeUndefined()
  await client.end()
})
