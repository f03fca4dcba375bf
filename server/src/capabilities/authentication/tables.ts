import type { Generated } from 'kysely'
import type { Migration } from '../../kernel/tables.ts'
import { exportedTable, requireText, type ExportedTable } from '../../platform/moving/carried.ts'
import { isOwnHash } from '../../platform/passwords/passwords.ts'
import { newApiKey } from './queries.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    credentials: {
      organization_id: number
      user_id: number
      password_hash: string | null
      api_key: string
      deactivation_comment: Generated<string | null>
    }
  }
}

export const migrations: readonly Migration[] = [
  {
    name: '2026-11-23-deactivation-comments',
    sql: `
alter table credentials add column deactivation_comment text;
`,
  },
]

const API_KEY_PATTERN = /^[\w-]{20,64}$/
const MAX_COMMENT_LENGTH = 10_000

export const exportedTables: readonly ExportedTable[] = [
  exportedTable('credentials', {
    columns: ['user_id', 'password_hash', 'api_key', 'deactivation_comment'],
    order: ['user_id'],
    secrets: ['password_hash', 'api_key'],
    refers: { user_id: 'users' },
    onImport(credentials, { note }) {
      const { password_hash: hash, api_key: key } = credentials
      if (hash !== null && !(typeof hash === 'string' && isOwnHash(hash))) {
        credentials['password_hash'] = null
        note('passwords with an unsupported hash: people choose a new one')
      }
      if (typeof key !== 'string' || !API_KEY_PATTERN.test(key)) credentials['api_key'] = newApiKey()
      if (credentials['deactivation_comment'] !== null)
        requireText(credentials, 'deactivation_comment', MAX_COMMENT_LENGTH)
    },
  }),
]
