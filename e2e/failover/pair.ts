import { expect } from 'vitest'
import { PostgresServer } from '../../server/src/testing/postgres-server.ts'

export const DATABASE = 'parley'

/** A primary with one standby: synchronous, so that commits wait for it, or asynchronous. */
export async function startPrimaryAndStandby(
  kind: 'sync' | 'async' = 'sync',
): Promise<readonly [PostgresServer, PostgresServer]> {
  const primary = await PostgresServer.start()
  const [standby] = await primary.standbys('standby')
  if (standby === undefined) throw new Error('a standby was made')
  if (kind === 'sync') await primary.ask(`alter system set synchronous_standby_names = 'standby'`)
  await primary.ask('select pg_reload_conf()')
  const state = 'select sync_state from pg_stat_replication'
  await expect.poll(async () => primary.ask(state)).toEqual([{ sync_state: kind }])
  await primary.ask(`create database ${DATABASE}`)
  return [primary, standby]
}

/** Connection string of a node. */
export function databasePairUrl(servers: readonly PostgresServer[]): string {
  const hosts = servers.map(({ port }) => `127.0.0.1:${port}`).join(',')
  return `postgres://parley@${hosts}/${DATABASE}?target_session_attrs=read-write`
}
