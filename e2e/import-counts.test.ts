import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { objectsIn, parseObject } from '../server/src/testing/json.ts'
import { newSubdomain, createZip } from './moving/converted.ts'
import { newFolder, runParley, useMovingServer } from './moving/moved.ts'

vi.setConfig({ testTimeout: 300_000 })

useMovingServer()

const LINES = [
  { type: 'version', version: 1 },
  { type: 'team', team: { name: 'harbour' } },
  { type: 'channel', channel: { team: 'harbour', name: 'town-square', type: 'O' } },
  { type: 'channel', channel: { team: 'harbour', name: 'old', type: 'O', deleted_at: 1_700_000_000_000 } },
  { type: 'user', user: { username: 'olga', email: 'olga@harbour.example', roles: 'system_admin' } },
  { type: 'user', user: { username: 'gone', email: 'gone@harbour.example', delete_at: 1_700_000_000_000 } },
  { type: 'bot', bot: { username: 'deploy' } },
]

it('reports the same counts in an import, stats, the user list, and an export', async () => {
  const subdomain = newSubdomain()
  const path = await createZip({ 'import.jsonl': LINES.map((line) => JSON.stringify(line)).join('\n') })
  const at = ['--organization', subdomain]
  const counts = '3 accounts, 2 channels (including archived), 0 messages, 0 uploaded files'
  const dry = await runParley('import', 'mattermost', path, '--dry-run', ...at)
  expect(dry.stdout.split('\n')[1]?.trim()).toBe(counts)
  const made = await runParley('import', 'mattermost', path, ...at)
  expect(made.stdout.split('\n')[1]?.trim()).toBe(counts)
  const exported = await runParley('export', join(await newFolder(), 'archive'), ...at)
  expect(exported.stdout.split('\n')[1]?.trim()).toBe(counts)

  const { users } = parseObject((await runParley('user', 'list', '--json', ...at)).stdout)
  expect(users).toHaveLength(3)
  const { organizations } = parseObject((await runParley('stats', '--json')).stdout)
  const own = { people: 1, bots: 0, deactivated_accounts: 2, channels: 1, archived_channels: 1, messages: 0, files: 0 }
  expect(objectsIn(organizations).find((one) => one['subdomain'] === subdomain)).toMatchObject(own)
  const shown = (await runParley('organization', 'show', ...at)).stdout
  expect(shown).toContain('Users      1 person, 0 bots, 2 deactivated\nChannels   1, plus 1 archived\n')
})
