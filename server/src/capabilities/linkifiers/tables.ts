import type { Migration } from '../../kernel/tables.ts'
import {
  exportedTable,
  requireText,
  UnimportableRecordError,
  type ExportedTable,
} from '../../platform/moving/carried.ts'
import { LINKIFIER_LIMIT } from './contract.ts'
import { linkifierProblem } from './rules.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    realm_linkifiers: {
      organization_id: number
      id: number
      pattern: string
      url_template: string
      position: number
    }
  }
}

export const migrations: readonly Migration[] = [
  {
    name: '2026-11-22-linkifiers',
    sql: `
create table realm_linkifiers (
  organization_id bigint not null references organizations(id) on delete cascade,
  id bigint not null,
  pattern text not null,
  url_template text not null,
  position integer not null,
  primary key (organization_id, id)
);
`,
  },
]

const MAX_IMPORTED_CHARACTERS = 10_000

export const exportedTables: readonly ExportedTable[] = [
  exportedTable('realm_linkifiers', {
    columns: ['id', 'pattern', 'url_template', 'position'],
    order: ['id'],
    async onImport(linkifier) {
      const pattern = requireText(linkifier, 'pattern', MAX_IMPORTED_CHARACTERS)
      const problem = await linkifierProblem({
        pattern,
        url_template: requireText(linkifier, 'url_template', MAX_IMPORTED_CHARACTERS),
      })
      if (problem !== undefined) throw new UnimportableRecordError(problem)
    },
    async finish(db, organizationId) {
      const { count } = await db
        .selectFrom('realm_linkifiers')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('organization_id', '=', organizationId)
        .executeTakeFirstOrThrow()
      if (count > LINKIFIER_LIMIT.most)
        throw new UnimportableRecordError(`it has more than ${LINKIFIER_LIMIT.most} linkifiers`)
    },
  }),
]
