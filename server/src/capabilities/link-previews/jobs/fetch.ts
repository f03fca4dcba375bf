import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ApiError } from '../../../kernel/refusal.ts'
import { writeFiles } from '../../../platform/files/pending.ts'
import { randomName } from '../../../platform/files/store.ts'
import { createFairQueue } from '../../../platform/turns.ts'
import { makeFolder } from '../../../platform/folders.ts'
import { readPage } from '../../../platform/html/page.ts'
import type { JobContext } from '../../../platform/jobs/jobs.ts'
import { isPictureAddress } from '../../../platform/markdown/extensions/previewable-links.ts'
import {
  REQUEST_TIMEOUT_SECONDS,
  isTemporaryStatus,
  OutsideFailure,
  personKey,
  type OutsideResponse,
} from '../../../platform/outside/request.ts'
import { pictureTypeOf, makeThumbnails } from '../../../platform/pictures/pictures.ts'
import { THUMBNAIL_FORMATS, type ThumbnailFormat } from '../../uploads/contract.ts'
import type { FetchedPreview } from '../actions.ts'
import { pictureKey, CONCURRENCY_LIMITS, type DuePreview } from '../queries.ts'
import { showsPagePreviews, showsImagePreviews } from '../rules.ts'

/** Fetches only the start of a page, which contains its metadata. */
const MAX_PAGE_BYTES = 512 * 1024
const MAX_PICTURE_BYTES = 8 * 1024 * 1024
/** Size after scaling down. Larger animations become still images. */
const MAX_ANIMATION_BYTES = 2 * 1024 * 1024
const MAX_ATTEMPTS = 2

const PAGE_MEDIA_TYPES = ['text/html', 'application/xhtml+xml']

const NO_PREVIEW: FetchedPreview = { title: '', description: '', picture: undefined }

export async function fetchPreview(
  context: JobContext,
  due: DuePreview,
): Promise<FetchedPreview | 'again' | 'closing'> {
  const later = due.attempts < MAX_ATTEMPTS ? 'again' : NO_PREVIEW
  const { organization } = context.log
  // The organization may have disabled previews in the meantime.
  if (!showsPagePreviews(organization) && !(showsImagePreviews(organization) && isPictureAddress(due.url)))
    return NO_PREVIEW
  try {
    const response = isPictureAddress(due.url)
      ? await fetchUrl(context, due, due.url, { accept: 'image/*,text/html;q=0.5', mostBytes: MAX_PICTURE_BYTES })
      : await fetchUrl(context, due, due.url, {
          accept: ACCEPT_HEADER_PREFERRING_PAGES,
          mostBytes: MAX_PAGE_BYTES,
          takesBeginning: true,
        })
    if (isTemporaryStatus(response.status)) return later
    return response.status === 200 ? await previewFromResponse(context, due, response) : NO_PREVIEW
  } catch (error) {
    // The queue throws this error if too many images are waiting to be decoded.
    if (error instanceof ApiError) return later
    if (!(error instanceof OutsideFailure)) throw error
    if (error.reason === 'closing') return 'closing'
    return error.reason === 'time' || error.reason === 'connection' ? later : NO_PREVIEW
  }
}

const ACCEPT_HEADER_PREFERRING_PAGES = 'text/html,application/xhtml+xml,image/*;q=0.5'

interface FetchOptions {
  readonly accept: string
  readonly mostBytes: number
  readonly takesBeginning?: boolean
}

async function fetchUrl(
  { log, server }: JobContext,
  { linkedBy }: DuePreview,
  url: string,
  { accept, ...limits }: FetchOptions,
): Promise<OutsideResponse> {
  const person = personKey(log.organization.id, linkedBy)
  const headers = { accept }
  return server.outside.request({
    url,
    method: 'GET',
    headers,
    person,
    mostSeconds: REQUEST_TIMEOUT_SECONDS,
    ...limits,
  })
}

/** Recognizes images by their bytes and pages by their media type. */
async function previewFromResponse(
  context: JobContext,
  due: DuePreview,
  response: OutsideResponse,
): Promise<FetchedPreview> {
  const { organization } = context.log
  if (pictureTypeOf(response.body) !== undefined) {
    const isWhole = response.body.length < MAX_PAGE_BYTES || isPictureAddress(due.url)
    const bytes = isWhole ? response.body : undefined
    if (!showsImagePreviews(organization)) return NO_PREVIEW
    return { ...NO_PREVIEW, picture: await fetchAndStorePicture(context, due, due.url, bytes) }
  }
  const type = response.headers['content-type'] ?? ''
  if (!showsPagePreviews(organization) || !PAGE_MEDIA_TYPES.includes(mediaTypeIn(type))) return NO_PREVIEW
  const { title, description, picture } = await readPage(response.body.subarray(0, MAX_PAGE_BYTES), type, response.url)
  if (title === '') return NO_PREVIEW
  const isWanted = picture !== undefined && showsImagePreviews(organization)
  return { title, description, picture: isWanted ? await fetchPagePicture(context, due, picture) : undefined }
}

function mediaTypeIn(contentType: string): string {
  return contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

async function fetchPagePicture(context: JobContext, due: DuePreview, url: string): Promise<FetchedPreview['picture']> {
  try {
    return await fetchAndStorePicture(context, due, url)
  } catch (error) {
    if (error instanceof OutsideFailure && error.reason !== 'closing') return undefined
    throw error
  }
}

/** Returns undefined if the file is not an image or is too large. `known`: the file's bytes, if already fetched. */
async function fetchAndStorePicture(
  context: JobContext,
  due: DuePreview,
  url: string,
  known?: Buffer,
): Promise<FetchedPreview['picture']> {
  const { log, server } = context
  const bytes = known ?? (await fetchPictureBytes(context, due, url))
  const contentType = bytes === undefined ? undefined : pictureTypeOf(bytes)
  if (bytes === undefined || contentType === undefined) return undefined
  const small = await createThumbnails(server.files.incoming, bytes)
  if (small === undefined) return undefined
  const moving = small.moving !== undefined && small.moving.length <= MAX_ANIMATION_BYTES ? small.moving : undefined
  const name = due.picture ?? randomName()
  const files = THUMBNAIL_FORMATS.flatMap((format: ThumbnailFormat) => {
    const form = format.animated ? moving : small.still
    return form === undefined ? [] : [[pictureKey(log.organization.id, name, format), form] as const]
  })
  await writeFiles({ server }, files)
  const { width, height } = small
  const stored = files.reduce((sum, [, { length }]) => sum + length, 0)
  return { name, width, height, contentType, isAnimated: moving !== undefined, bytes: stored }
}

async function fetchPictureBytes(context: JobContext, due: DuePreview, url: string): Promise<Buffer | undefined> {
  const { status, body } = await fetchUrl(context, due, url, { accept: 'image/*', mostBytes: MAX_PICTURE_BYTES })
  return status === 200 ? body : undefined
}

/** Decodes one preview image at a time, so that an uploaded image waits for at most one. */
const decodeQueue = createFairQueue(1, CONCURRENCY_LIMITS.maxUnits, () => {
  throw new Error('too many preview images are waiting to be decoded')
})

/** Returns undefined if decoding fails or is unsafe. */
async function createThumbnails(
  folder: string,
  bytes: Buffer,
): Promise<Awaited<ReturnType<typeof makeThumbnails>> | undefined> {
  await makeFolder(folder)
  const path = join(folder, randomName())
  const [{ max_width, max_height }] = THUMBNAIL_FORMATS
  try {
    await writeFile(path, bytes, { mode: 0o600 })
    return await decodeQueue(async () => makeThumbnails(path, max_width, max_height))
  } catch (error) {
    if (error instanceof ApiError && error.code === 'BAD_IMAGE') return undefined
    throw error
  } finally {
    await rm(path, { force: true })
  }
}
