import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { CUSTOM_EMOJI_LIMIT } from '../capabilities/custom-emoji/contract.ts'
import { EMOJI_SIDE } from '../capabilities/custom-emoji/rules.ts'
import { organizationPicture } from '../capabilities/organizations/actions/pictures.ts'
import type { PictureKind } from '../capabilities/organizations/queries/index.ts'
import { MAX_FILE_NAME, THUMBNAIL_FORMATS } from '../capabilities/uploads/contract.ts'
import { addressName, contentTypeOf, fileName, isPicture } from '../capabilities/uploads/rules.ts'
import { AVATAR_SIDE, MEDIUM_AVATAR_SIDE } from '../capabilities/users/queries/avatars.ts'
import { Refusal } from '../kernel/refusal.ts'
import type { ArchiveWriter } from '../platform/moving/writer.ts'
import { emojiPicture, squarePicture, thumbnails } from '../platform/pictures/pictures.ts'
import type { ExportFile } from './export-file.ts'
import type { IdList } from './id-list.ts'
import type { NewOrganization, NewPicture } from './new-organization.ts'
import { cleanLine, shortened } from './texts.ts'

/** The number of the organization in the archive. */
export const ORGANIZATION_ID = 1
const NAME_CHARACTERS = 24
const EMOJI_NAME = /^[a-z0-9_-]{0,59}[a-z0-9]$/

/** An emoji of the organization's own. */
export interface NewEmoji {
  readonly id: number
  readonly name: string
}

/** Files, pictures and emoji of an organization that is made of an export. */
export class NewFiles {
  readonly emoji = new Map<string, NewEmoji>()
  readonly #organization: NewOrganization
  readonly #writer: ArchiveWriter
  readonly #ids: IdList
  readonly #signal: AbortSignal

  constructor(
    { organization, writer, ids }: { organization: NewOrganization; writer: ArchiveWriter; ids: IdList },
    signal: AbortSignal,
  ) {
    this.#organization = organization
    this.#writer = writer
    this.#ids = ids
    this.#signal = signal
  }

  /** Stores an uploaded file. @returns undefined where it cannot be read */
  async attachment(
    file: ExportFile,
    { there, name: given, ownerId, createdAt }: { there: string; name: string; ownerId: number; createdAt: number },
  ): Promise<{ readonly id: number; readonly path: string } | undefined> {
    const stored = await this.#stored(file, 'files cannot be read')
    if (stored === undefined) return undefined
    const name = fileName(shortened(cleanLine(given), MAX_FILE_NAME))
    const random = nameOf(`${there} ${stored.sha256}`)
    const pathId = `${ORGANIZATION_ID}/${random.slice(0, 2)}/${random.slice(2)}/${addressName(name)}`
    const contentType = contentTypeOf(name, 'application/octet-stream')
    const { width, height, files, isAnimated } = isPicture(contentType)
      ? await this.#thumbnails(stored.path)
      : { width: null, height: null, files: {}, isAnimated: false }
    const id = this.#organization.next()
    await this.#writer.write('attachments', {
      id,
      owner_id: ownerId,
      path_id: pathId,
      name,
      content_type: contentType,
      size: stored.bytes,
      date_created: createdAt,
      unclaimed_since: null,
      width,
      height,
      is_animated: isAnimated,
      files: { original: stored.sha256, ...files },
    })
    await this.#ids.add('file', there, id)
    return { id, path: `/user_uploads/${pathId}` }
  }

  /** Stores the picture of a person. */
  async avatar(file: ExportFile): Promise<{ file: string; files: Record<string, string> } | undefined> {
    const stored = await this.#stored(file, 'pictures cannot be read')
    if (stored === undefined) return undefined
    const made = await this.#picture(file, async () => ({
      original: await squarePicture(stored.path, AVATAR_SIDE),
      medium: await squarePicture(stored.path, MEDIUM_AVATAR_SIDE),
    }))
    return made === undefined ? undefined : { file: nameOf(stored.sha256), files: await this.#sums(made) }
  }

  /** Stores the icon or a logo of the organization. */
  async organizationPicture(file: ExportFile, kind: PictureKind): Promise<NewPicture | undefined> {
    const stored = await this.#stored(file, 'pictures cannot be read')
    if (stored === undefined) return undefined
    const made = await this.#picture(file, async () => organizationPicture(kind, stored.path))
    if (made === undefined) return undefined
    const { sha256 } = await this.#writer.file(Readable.from([made]), this.#signal)
    return { file: nameOf(`${kind} ${stored.sha256}`), sha256 }
  }

  /** Stores an emoji. */
  async addEmoji(name: string, file: ExportFile, authorId: number): Promise<void> {
    if (!EMOJI_NAME.test(name) || this.emoji.has(name) || this.emoji.size >= CUSTOM_EMOJI_LIMIT.most) {
      this.#writer.leftOut.add('emoji have names that are not possible here, or taken, or are too many', name)
      return
    }
    const stored = await this.#stored(file, 'pictures cannot be read')
    if (stored === undefined) return
    const made = await this.#picture(file, async () => emojiPicture(stored.path, EMOJI_SIDE))
    if (made === undefined) return
    const { still, moving } = made
    const id = this.#organization.next()
    await this.#writer.write('realm_emoji', {
      id,
      name,
      author_id: authorId,
      file: nameOf(`${name} ${stored.sha256}`),
      is_animated: moving !== undefined,
      deactivated: false,
      files: await this.#sums(moving === undefined ? { original: still } : { original: moving, still }),
    })
    this.emoji.set(name, { id, name })
    await this.#ids.add('emoji', name, id)
  }

  /** A picture as the form in which people upload them is made of it. */
  async #picture<Made>(file: ExportFile, make: () => Promise<Made>): Promise<Made | undefined> {
    try {
      return await make()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      this.#writer.leftOut.add('pictures are none, or too large', file.path)
      return undefined
    }
  }

  async #thumbnails(
    path: string,
  ): Promise<{ width: number; height: number; files: Record<string, string>; isAnimated: boolean }> {
    const { max_width, max_height } = THUMBNAIL_FORMATS[0]
    try {
      const { width, height, still, moving } = await thumbnails(path, max_width, max_height)
      const named = THUMBNAIL_FORMATS.flatMap(({ name, animated }): [string, Buffer][] => {
        const bytes = animated ? moving : still
        return bytes === undefined ? [] : [[name, bytes]]
      })
      const files = await this.#sums(Object.fromEntries(named))
      return { width, height, files, isAnimated: moving !== undefined }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      // It is no picture, and a file all the same.
      return { width: 0, height: 0, files: {}, isAnimated: false }
    }
  }

  async #stored(
    file: ExportFile,
    otherwise: string,
  ): Promise<{ sha256: string; bytes: number; path: string } | undefined> {
    try {
      return await this.#writer.file(await file.open(), this.#signal)
    } catch (error) {
      this.#signal.throwIfAborted()
      // A full disk is no fault of the export.
      if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') throw error
      this.#writer.leftOut.add(otherwise, file.path)
      return undefined
    }
  }

  async #sums(made: Readonly<Record<string, Buffer>>): Promise<Record<string, string>> {
    const sums: Record<string, string> = {}
    for (const [form, bytes] of Object.entries(made)) {
      sums[form] = (await this.#writer.file(Readable.from([bytes]), this.#signal)).sha256
    }
    return sums
  }
}

/** A name under which a file is stored: the same each time, so that an import can go on. */
function nameOf(of: string): string {
  return createHash('sha256').update(of).digest('base64url').slice(0, NAME_CHARACTERS)
}
