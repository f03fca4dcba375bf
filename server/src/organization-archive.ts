import { capabilities } from './capabilities.ts'
import {
  markdownContextFor,
  serverMarkdownContext,
  type MarkdownServerFacts,
} from './capabilities/channels/rules/index.ts'
import { fetchableFilesAt, previewsOf } from './capabilities/uploads/queries.ts'
import { userById } from './capabilities/users/queries/index.ts'
import type { TransactionDb } from './kernel/transaction.ts'
import { LoadedOrganizationState } from './platform/log/organization-state.ts'
import type { MarkdownContext } from './platform/markdown/job.ts'
import { renderDescription, renderMessage } from './platform/markdown/render.ts'
import type { RenderText } from './platform/moving/arriving.ts'
import { sortByReferences } from './platform/moving/carried.ts'
import type { OmittedTable } from './platform/moving/export.ts'
import { ALL_PROJECTIONS } from './start.ts'

export const EXPORTED_TABLES = sortByReferences(capabilities.flatMap(({ exportedTables }) => exportedTables))

/** The platform's tables with rows per organization. Exports omit them: they contain the state of a running server. */
const PLATFORM_TABLES = ['consumers', 'events', 'failed_attempts', 'imported_topics', 'imports', 'queues']

export const OMITTED_TABLES: readonly OmittedTable[] = [
  ...PLATFORM_TABLES.map((table) => ({ table, note: null })),
  ...capabilities.flatMap(({ omitted }) => Object.entries(omitted).map(([table, note]) => ({ table, note }))),
]

const findNothing = (): undefined => undefined
/** Context for rendering text that cannot refer to users, channels, or anything else. */
const EMPTY_MARKDOWN_CONTEXT: MarkdownContext = {
  userByName: findNothing,
  userById: findNothing,
  groupByName: findNothing,
  channelByName: findNothing,
  channelById: findNothing,
  realmEmoji: findNothing,
  linkifiers: [],
  baseUrl: '',
}

/** Creates a renderer that knows the data imported so far. */
export async function importRenderer(
  db: TransactionDb,
  organizationId: number,
  server: MarkdownServerFacts,
): Promise<RenderText> {
  const [settings] = await db.rows('', 'select from organization_settings where organization_id = $1', [organizationId])
  // Settings are missing only for the organization's description, which is imported first.
  if (settings === undefined) return async (_as, text) => renderDescription(text, EMPTY_MARKDOWN_CONTEXT)
  const organization = await LoadedOrganizationState.load(
    { snapshot: async (read) => read(db) },
    organizationId,
    ALL_PROJECTIONS,
  )
  return async (as, text, userId) => {
    const user = userId === undefined ? undefined : userById(organization, userId)
    if (as === 'description' || user === undefined)
      return renderDescription(text, serverMarkdownContext(organization, server))
    const author = { userId: user.id, role: user.role }
    const uploadPreviews = async (paths: readonly string[]) =>
      previewsOf(await fetchableFilesAt(db, organization, author, paths))
    const { html } = await renderMessage(text, markdownContextFor(organization, author, server, uploadPreviews))
    return html
  }
}
