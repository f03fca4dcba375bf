import '../../kernel/tables.ts'
import { exportedTable, UnimportableRecordError, type ExportedTable } from '../../platform/moving/carried.ts'
import { emojiKey } from './queries.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    realm_emoji: {
      organization_id: number
      id: number
      name: string
      author_id: number
      file: string
      is_animated: boolean
      deactivated: boolean
    }
  }
}

const FILE_NAME_PATTERN = /^[\w-]{24}$/
const EMOJI_NAME_PATTERN = /^[a-z0-9_-]{1,64}$/

export const exportedTables: readonly ExportedTable[] = [
  exportedTable('realm_emoji', {
    columns: ['id', 'name', 'author_id', 'file', 'is_animated', 'deactivated'],
    order: ['id'],
    refers: { author_id: 'users' },
    onImport({ name, file }) {
      if (typeof name !== 'string' || !EMOJI_NAME_PATTERN.test(name))
        throw new UnimportableRecordError('name is not an emoji name')
      if (typeof file !== 'string' || !FILE_NAME_PATTERN.test(file))
        throw new UnimportableRecordError('file is not a file name')
    },
    files: ({ file, is_animated: moves }, organizationId) => [
      { form: 'original', key: emojiKey(organizationId, `${String(file)}.${moves === true ? 'gif' : 'png'}`) },
      { form: 'still', key: emojiKey(organizationId, `${String(file)}.png`), isOptional: true },
    ],
  }),
]
