import { everyone } from '../../kernel/audience.ts'
import type { Input } from '../../kernel/endpoint.ts'
import { turnOwner } from '../../kernel/pauses.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { ActorTx } from '../../kernel/transaction.ts'
import type { PreparationCall } from '../../platform/request.ts'
import { writeFiles, type StoredFiles } from '../../platform/files/pending.ts'
import { makeEmojiPicture } from '../../platform/pictures/pictures.ts'
import { randomName } from '../../platform/files/store.ts'
import { loadEmojiNames } from '../../platform/markdown/emoji/names.ts'
import type { Member } from '../groups/rules.ts'
import { isAdministrator } from '../users/rules/index.ts'
import type * as contract from './contract.ts'
import { customEmojiChanged, CUSTOM_EMOJI_LIMIT, MAX_EMOJI_NAME_LENGTH } from './contract.ts'
import { customEmojiByName, customEmojiProjection, emojiKey, presentCustomEmoji, type EmojiRow } from './queries.ts'
import { EMOJI_SIDE_PIXELS, mayAddEmoji, mayDeactivateEmoji } from './rules.ts'

const EMOJI_NAME_PATTERN = /^[a-z0-9_-]*[a-z0-9]$/

interface StoredEmoji extends StoredFiles {
  readonly file: string
  readonly isAnimated: boolean
  readonly isBuiltIn: boolean
}

export async function storeEmoji(
  call: PreparationCall,
  { emoji_name: name }: Input<typeof contract.uploadCustomEmoji>,
): Promise<StoredEmoji> {
  const { log, actor, file, server } = call
  const isBuiltIn = (await loadEmojiNames(server.apiNames)).codeByName.has(name)
  requireMayAddEmoji(log.organization, actor, name, isBuiltIn)
  if (file === undefined) throw new ApiError('BAD_REQUEST', 'You must upload exactly one file.')
  const { still, moving } = await makeEmojiPicture(
    file.path,
    EMOJI_SIDE_PIXELS,
    turnOwner(log.organization.id, actor.userId),
  )
  const random = randomName()
  const keyOf = (extension: string): string => emojiKey(log.organization.id, `${random}.${extension}`)
  const pictures = [[keyOf('png'), still] as const, ...(moving === undefined ? [] : [[keyOf('gif'), moving] as const])]
  await writeFiles(call, pictures)
  return { file: random, isAnimated: moving !== undefined, isBuiltIn, keys: [keyOf('png'), keyOf('gif')] }
}

export async function uploadCustomEmoji(
  tx: ActorTx,
  { emoji_name: name }: Input<typeof contract.uploadCustomEmoji>,
  { file, isAnimated, isBuiltIn }: StoredEmoji,
): Promise<Record<string, never>> {
  requireMayAddEmoji(tx.organization, tx.actor, name, isBuiltIn)
  await addEmoji(tx, name, file, isAnimated)
  return {}
}

export async function deactivateCustomEmoji(
  tx: ActorTx,
  { emoji_name: name }: Input<typeof contract.deactivateCustomEmoji>,
): Promise<Record<string, never>> {
  const emoji = customEmojiByName(tx.organization, name)
  if (emoji === undefined) throw new ApiError('BAD_REQUEST', `Emoji '${name}' does not exist`)
  if (!mayDeactivateEmoji(tx.organization, tx.actor, emoji)) {
    throw new ApiError('BAD_REQUEST', 'Must be an organization administrator or emoji author')
  }
  await tx.db
    .updateTable('realm_emoji')
    .set({ deactivated: true })
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', emoji.id)
    .execute()
  emitCustomEmoji(tx, { ...emoji, deactivated: true })
  return {}
}

async function addEmoji(tx: ActorTx, name: string, file: string, isAnimated: boolean): Promise<void> {
  const row: EmojiRow = { id: tx.nextId(), name, authorId: tx.actor.userId, file, isAnimated, deactivated: false }
  await tx.db
    .insertInto('realm_emoji')
    .values({
      organization_id: tx.organizationId,
      id: row.id,
      name,
      author_id: row.authorId,
      file,
      is_animated: isAnimated,
      deactivated: false,
    })
    .execute()
  emitCustomEmoji(tx, row)
}

function emitCustomEmoji(tx: ActorTx, row: EmojiRow): void {
  tx.change(customEmojiProjection, row)
  const all = new Map(tx.organization.of(customEmojiProjection).byId).set(row.id, row)
  tx.emit(customEmojiChanged, { realm_emoji: presentCustomEmoji(all.values()) }, everyone)
}

function requireMayAddEmoji(organization: OrganizationState, member: Member, name: string, isBuiltIn: boolean): void {
  if (!mayAddEmoji(organization, member)) throw new ApiError('BAD_REQUEST', 'Insufficient permission')
  if (!EMOJI_NAME_PATTERN.test(name) || name.length > MAX_EMOJI_NAME_LENGTH) {
    throw new ApiError(
      'BAD_REQUEST',
      'Emoji names must contain only lowercase English letters, digits, dashes and underscores, ' +
        `end with a letter or digit and have no more than ${MAX_EMOJI_NAME_LENGTH} characters.`,
    )
  }
  if (isBuiltIn && !isAdministrator(member)) {
    throw new ApiError('BAD_REQUEST', 'Only administrators can override default emoji.')
  }
  if (customEmojiByName(organization, name) !== undefined) {
    throw new ApiError('BAD_REQUEST', 'A custom emoji with this name already exists.')
  }
  if (organization.of(customEmojiProjection).byId.size >= CUSTOM_EMOJI_LIMIT.most) {
    throw new ApiError('BAD_REQUEST', `An organization can have at most ${CUSTOM_EMOJI_LIMIT.most} custom emoji.`)
  }
}
