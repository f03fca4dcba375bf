import { ApiError } from '../../kernel/refusal.ts'
import { createFairQueue } from '../turns.ts'
import { busyError, decode, type DecoderResults, type ResizeJob, type DecoderJob } from './decoder.ts'

const MAX_PIXELS = 50_000_000
/** Limit for all frames together: each is decoded, resized, and encoded. */
const MAX_ANIMATION_PIXELS = 16_000_000
const MAX_FRAMES = 200
/** Each decoder uses a core and a lot of memory. */
const MAX_CONCURRENT_DECODERS = 1
const MAX_WAITING_IMAGES = 50

const decodeInTurn = createFairQueue(MAX_CONCURRENT_DECODERS, MAX_WAITING_IMAGES, () => {
  throw busyError()
})

const PNG_OUTPUT = { id: 'png', options: {} } as const
const GIF_OUTPUT = { id: 'gif', options: {} } as const
const WEBP_OUTPUT = { id: 'webp', options: { quality: 80, effort: 3 } } as const

export async function makeSquarePicture(path: string, side: number, who?: string): Promise<Buffer> {
  return makePicture(path, { width: side, height: side, fit: 'cover', format: PNG_OUTPUT }, who)
}

export async function makePictureWithin(path: string, width: number, height: number, who?: string): Promise<Buffer> {
  return makePicture(path, { width, height, fit: 'inside', withoutEnlargement: true, format: PNG_OUTPUT }, who)
}

/** Fits the image into a transparent square: a PNG, plus an animated GIF for animations. */
export async function makeEmojiPicture(
  path: string,
  side: number,
  who?: string,
): Promise<{ still: Buffer; moving: Buffer | undefined }> {
  const box = { width: side, height: side, fit: 'contain' } as const
  const size = await measurePicture(path, who)
  if (size.frames > 1 && !isAnimatable(size)) {
    throw new ApiError(
      'BAD_IMAGE',
      `An animated image can have at most ${MAX_FRAMES} frames and ${MAX_ANIMATION_PIXELS} pixels in total.`,
    )
  }
  const still = await makePicture(path, { ...box, format: PNG_OUTPUT }, who)
  if (size.frames === 1) return { still, moving: undefined }
  return { still, moving: await makePicture(path, { ...box, format: GIF_OUTPUT, isMoving: true }, who) }
}

export interface Thumbnails {
  readonly width: number
  readonly height: number
  readonly still: Buffer
  /** Undefined for still images, and for animations that are too large. */
  readonly moving: Buffer | undefined
}

/** Shrinks an image to WebP. The returned `width` and `height` are the original's, after rotation. */
export async function makeThumbnails(path: string, width: number, height: number, who?: string): Promise<Thumbnails> {
  const box = { width, height, fit: 'inside', withoutEnlargement: true, isWhole: false, format: WEBP_OUTPUT } as const
  const size = await measurePicture(path, who)
  const still = await makePicture(path, box, who)
  const isMoving = size.frames > 1 && isAnimatable(size)
  const moving = isMoving ? await makePicture(path, { ...box, isMoving }, who) : undefined
  return { width: size.width, height: size.height, still, moving }
}

function isAnimatable({ width, height, frames }: DecoderResults['measure']): boolean {
  return frames <= MAX_FRAMES && frames * width * height <= MAX_ANIMATION_PIXELS
}

async function measurePicture(path: string, who?: string): Promise<DecoderResults['measure']> {
  return decodeInFairTurn({ kind: 'measure', path }, who)
}

type PictureRequest = Pick<ResizeJob, 'width' | 'height' | 'fit' | 'format'> &
  Partial<Pick<ResizeJob, 'isMoving' | 'isWhole' | 'withoutEnlargement'>>

async function makePicture(path: string, wish: PictureRequest, who?: string): Promise<Buffer> {
  const common = { isMoving: false, isWhole: true, withoutEnlargement: false, maxPixels: MAX_PIXELS }
  return decodeInFairTurn({ ...common, ...wish, kind: 'make', path }, who)
}

/**
 * @param who result of `turnOwner`; people take turns. Omitted for the server's own work
 * @throws ApiError BAD_IMAGE if decoding fails; RATE_LIMIT_HIT if the machine is busy, or too many images are waiting
 */
async function decodeInFairTurn<Kind extends DecoderJob['kind']>(
  order: Extract<DecoderJob, { kind: Kind }>,
  who?: string,
): Promise<DecoderResults[Kind]> {
  return decodeInTurn(async () => {
    const answer = await decode<Kind>(order)
    if (answer === undefined) throw new ApiError('BAD_IMAGE', 'Could not decode image; did you upload an image file?')
    return answer
  }, who)
}

const PICTURE_TYPES: readonly (readonly [type: string, beginning: RegExp])[] = [
  ['image/png', /^89504e470d0a1a0a/],
  ['image/jpeg', /^ffd8ff/],
  ['image/gif', /^47494638(?:37|39)61/],
  // `RIFF`, a length, and `WEBP`.
  ['image/webp', /^52494646.{8}57454250/],
  // A length, `ftyp`, and `avif` or `avis`.
  ['image/avif', /^.{8}66747970617669(?:66|73)/],
]

const FILE_SIGNATURE_BYTES = 16

/** Returns an image's actual type, ignoring any declared type; undefined if unknown. */
export function pictureTypeOf(bytes: Buffer): string | undefined {
  const beginning = bytes.toString('hex', 0, FILE_SIGNATURE_BYTES)
  return PICTURE_TYPES.find(([, kind]) => kind.test(beginning))?.[0]
}
