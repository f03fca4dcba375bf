import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { truncate } from '../kernel/characters.ts'
import { CUSTOM_EMOJI_LIMIT } from '../capabilities/custom-emoji/contract.ts'
import { EMOJI_SIDE_PIXELS } from '../capabilities/custom-emoji/rules.ts'
import { resizeOrganizationPicture } from '../capabilities/organizations/actions/pictures.ts'
import type { PictureKind } from '../capabilities/organizations/queries/index.ts'
import { MAX_FILE_NAME_CHARACTERS, THUMBNAIL_FORMATS } from '../capabilities/uploads/contract.ts'
import {
  urlFileName,
  contentTypeOf,
  displayFileName,
  isPicture,
  detectContentType,
} from '../capabilities/uploads/rules.ts'
import { AVATAR_SIDE_PIXELS, MEDIUM_AVATAR_SIDE_PIXELS } from '../capabilities/users/queries/avatars.ts'
import { ApiError } from '../kernel/refusal.ts'
import type { ArchiveWriter } from '../platform/moving/writer.ts'
import { makeEmojiPicture, makeSquarePicture, makeThumbnails } from '../platform/pictures/pictures.ts'
import type { ExportFile } from './export-file.ts'
import type { IdList } from './id-list.ts'
import type { NewOrganization, NewPicture } from './new-organization.ts'
import { cleanLine } from './texts.ts'

export const ORGANIZATION_ID = 1
const FILE_NAME_CHARACTERS = 24
const EMOJI_NAME_PATTERN = /^[a-z0-9_-]{0,59}[a-z0-9]$/

export interface NewEmoji {
  readonly id: number
  readonly name: string
}

export class NewFiles {
  readonly emoji = new Map<string, NewEmoji>()
  readonly #attachments = new Map<string, number>()
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

  async attachment(
    file: ExportFile,
    { there, name: given, ownerId, createdAt }: { there: string; name: string; ownerId: number; createdAt: number },
  ): Promise<{ readonly id: number; readonly path: string }> {
    const stored = await this.#stored(file)
    const name = displayFileName(truncate(cleanLine(given), MAX_FILE_NAME_CHARACTERS))
    const random = fileNameFor(`${there} ${stored.sha256}`)
    const pathId = `${ORGANIZATION_ID}/${random.slice(0, 2)}/${random.slice(2)}/${urlFileName(name)}`
    const known = this.#attachments.get(pathId)
    if (known !== undefined) return { id: known, path: `/user_uploads/${pathId}` }
    const contentType = await detectContentType(stored.path, contentTypeOf(name, 'application/octet-stream'))
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
    this.#attachments.set(pathId, id)
    return { id, path: `/user_uploads/${pathId}` }
  }

  /** Stores the first readable image as a profile picture. `given` are variants of one picture. */
  async avatar(...given: readonly ExportFile[]): Promise<{ file: string; files: Record<string, string> } | undefined> {
    const found = await this.#picture(given, async (path) => ({
      original: await makeSquarePicture(path, AVATAR_SIDE_PIXELS),
      medium: await makeSquarePicture(path, MEDIUM_AVATAR_SIDE_PIXELS),
    }))
    return found === undefined ? undefined : { file: fileNameFor(found.sha256), files: await this.#sums(found.made) }
  }

  /** Stores the first readable image as the organization's picture. `given` are variants of one picture. */
  async organizationPicture(kind: PictureKind, ...given: readonly ExportFile[]): Promise<NewPicture | undefined> {
    const found = await this.#picture(given, async (path) => resizeOrganizationPicture(kind, path))
    if (found === undefined) return undefined
    const { sha256 } = await this.#writer.file(Readable.from([found.made]), this.#signal)
    return { file: fileNameFor(`${kind} ${found.sha256}`), sha256 }
  }

  async addEmoji(name: string, file: ExportFile, authorId: number): Promise<void> {
    if (!EMOJI_NAME_PATTERN.test(name) || this.emoji.has(name) || this.emoji.size >= CUSTOM_EMOJI_LIMIT.most) {
      this.#writer.leftOut.add('emoji with invalid or taken names, or beyond the maximum number', name)
      return
    }
    const found = await this.#picture([file], async (path) => makeEmojiPicture(path, EMOJI_SIDE_PIXELS))
    if (found === undefined) return
    const { still, moving } = found.made
    const id = this.#organization.next()
    await this.#writer.write('realm_emoji', {
      id,
      name,
      author_id: authorId,
      file: fileNameFor(`${name} ${found.sha256}`),
      is_animated: moving !== undefined,
      deactivated: false,
      files: await this.#sums(moving === undefined ? { original: still } : { original: moving, still }),
    })
    this.emoji.set(name, { id, name })
    await this.#ids.add('emoji', name, id)
  }

  /** Converts the first readable image. If no file is an image, the report names the first file. */
  async #picture<Made>(
    given: readonly ExportFile[],
    make: (path: string) => Promise<Made>,
  ): Promise<{ readonly made: Made; readonly sha256: string } | undefined> {
    for (const file of given) {
      const stored = await this.#stored(file)
      try {
        return { made: await make(stored.path), sha256: stored.sha256 }
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
      }
    }
    const [first] = given
    if (first !== undefined) this.#writer.leftOut.add('pictures that are too large or not valid images', first.path)
    return undefined
  }

  async #thumbnails(
    path: string,
  ): Promise<{ width: number; height: number; files: Record<string, string>; isAnimated: boolean }> {
    const { max_width, max_height } = THUMBNAIL_FORMATS[0]
    try {
      const { width, height, still, moving } = await makeThumbnails(path, max_width, max_height)
      const named = THUMBNAIL_FORMATS.flatMap(({ name, animated }): [string, Buffer][] => {
        const bytes = animated ? moving : still
        return bytes === undefined ? [] : [[name, bytes]]
      })
      const files = await this.#sums(Object.fromEntries(named))
      return { width, height, files, isAnimated: moving !== undefined }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return { width: 0, height: 0, files: {}, isAnimated: false }
    }
  }

  async #stored(file: ExportFile): Promise<{ sha256: string; bytes: number; path: string }> {
    return this.#writer.file(await file.open(), this.#signal)
  }

  async #sums(made: Readonly<Record<string, Buffer>>): Promise<Record<string, string>> {
    const sums: Record<string, string> = {}
    for (const [form, bytes] of Object.entries(made)) {
      sums[form] = (await this.#writer.file(Readable.from([bytes]), this.#signal)).sha256
    }
    return sums
  }
}

function fileNameFor(of: string): string {
  return createHash('sha256').update(of).digest('base64url').slice(0, FILE_NAME_CHARACTERS)
}
