import type { Projection, OrganizationState } from '../../kernel/projection.ts'
import type { Output } from '../../kernel/endpoint.ts'
import type { Reader } from '../../kernel/transaction.ts'
import type { Viewer } from '../../kernel/viewer.ts'
import type { FileCall, FoundFile } from '../../platform/files/serve.ts'
import type { CustomEmoji } from './contract.ts'
import type * as contract from './contract.ts'

export interface EmojiRow {
  readonly id: number
  readonly name: string
  readonly authorId: number
  readonly file: string
  readonly isAnimated: boolean
  readonly deactivated: boolean
}

interface EmojiState {
  readonly byId: Map<number, EmojiRow>
  /** Excludes deactivated emoji. */
  readonly byName: Map<string, EmojiRow>
}

export const customEmojiProjection: Projection<EmojiState, EmojiRow> = {
  name: 'custom emoji',
  takesRights: () => false,
  empty: () => ({ byId: new Map(), byName: new Map() }),
  async load(state, db, organizationId) {
    const rows = await db
      .selectFrom('realm_emoji')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .orderBy('id')
      .execute()
    for (const row of rows) {
      const { id, name, author_id: authorId, file, is_animated: isAnimated, deactivated } = row
      customEmojiProjection.apply(state, { id, name, authorId, file, isAnimated, deactivated }, 0)
    }
  },
  apply(state, row) {
    state.byId.set(row.id, row)
    if (!row.deactivated) state.byName.set(row.name, row)
    else if (state.byName.get(row.name)?.id === row.id) state.byName.delete(row.name)
  },
}

export function customEmojiByName(organization: OrganizationState, name: string): EmojiRow | undefined {
  return organization.of(customEmojiProjection).byName.get(name)
}

export function customEmojiById(organization: OrganizationState, id: number): EmojiRow | undefined {
  return organization.of(customEmojiProjection).byId.get(id)
}

export function emojiPath({ file, isAnimated }: EmojiRow): string {
  return `/user_avatars/emoji/${file}.${isAnimated ? 'gif' : 'png'}`
}

export function emojiKey(organizationId: number, file: string): string {
  return `emoji/${organizationId}/${file}`
}

export function presentCustomEmoji(rows: Iterable<EmojiRow>): Record<string, CustomEmoji> {
  return Object.fromEntries(
    [...rows].map((row) => [
      String(row.id),
      {
        id: String(row.id),
        name: row.name,
        source_url: emojiPath(row),
        still_url: row.isAnimated ? emojiPath({ ...row, isAnimated: false }) : null,
        deactivated: row.deactivated,
        author_id: row.authorId,
      },
    ]),
  )
}

export function getCustomEmoji({ organization }: Reader): Output<typeof contract.getCustomEmoji> {
  return { emoji: presentCustomEmoji(organization.of(customEmojiProjection).byId.values()) }
}

export function customEmojiSnapshot({ organization }: Viewer): Record<string, unknown> {
  return { realm_emoji: presentCustomEmoji(organization.of(customEmojiProjection).byId.values()) }
}

export async function emojiFile({ log, parameters }: FileCall): Promise<FoundFile> {
  const file = parameters['file'] ?? ''
  const type = file.endsWith('.gif') ? 'image/gif' : 'image/png'
  const key = emojiKey(log.organization.id, file)
  return Promise.resolve({ key, type, name: file, inline: true, keep: 'always' })
}
