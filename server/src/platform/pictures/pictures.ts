import { Refusal } from '../../kernel/refusal.ts'
import { takingTurns } from '../turns.ts'
import { decode, PICTURE_SECONDS, type Answers, type Making, type Order } from './decoder.ts'

/** Pictures that people upload for others to see everywhere are decoded and written anew: only pixels remain. */

/** A side's length times the other's: more is no picture of a person. */
const MAX_PIXELS = 50_000_000
/** The limit of all frames of a moving picture together: each is decoded, made small and encoded again. */
const MAX_MOVING_PIXELS = 16_000_000
const MAX_FRAMES = 200
/** Each takes a core and the memory of its pixels. */
const MAX_AT_ONCE = 1
/** More that wait for their turn are refused. */
const MAX_WAITING = 50

const inTurn = takingTurns(MAX_AT_ONCE, MAX_WAITING, () => {
  throw new Refusal('RATE_LIMIT_HIT', 'Too many pictures are being uploaded', { 'retry-after': PICTURE_SECONDS })
})

const PNG = { id: 'png', options: {} } as const
const GIF = { id: 'gif', options: {} } as const
const WEBP = { id: 'webp', options: { quality: 80, effort: 3 } } as const

/** A square PNG that a picture fills, its middle in the middle. */
export async function squarePicture(path: string, side: number): Promise<Buffer> {
  return make(path, { width: side, height: side, fit: 'cover', format: PNG })
}

/** The whole picture as a PNG, smaller where it is larger than this. */
export async function pictureWithin(path: string, width: number, height: number): Promise<Buffer> {
  return make(path, { width, height, fit: 'inside', withoutEnlargement: true, format: PNG })
}

/** The whole picture in a transparent square: a PNG, or a GIF that moves beside its first frame. */
export async function emojiPicture(path: string, side: number): Promise<{ still: Buffer; moving: Buffer | undefined }> {
  const box = { width: side, height: side, fit: 'contain' } as const
  const size = await measure(path)
  if (size.frames > 1 && !mayMove(size)) {
    throw new Refusal(
      'BAD_IMAGE',
      `A moving picture may have ${MAX_FRAMES} frames of ${MAX_MOVING_PIXELS} pixels in all.`,
    )
  }
  const still = await make(path, { ...box, format: PNG })
  if (size.frames === 1) return { still, moving: undefined }
  return { still, moving: await make(path, { ...box, format: GIF, isMoving: true }) }
}

/** A picture as messages show it, with the size of the original as people see it. */
export interface Thumbnails {
  readonly width: number
  readonly height: number
  readonly still: Buffer
  /** Undefined for what does not move, and what moves too much. */
  readonly moving: Buffer | undefined
}

/** WebP of the whole picture, smaller where it is larger than this. */
export async function thumbnails(path: string, width: number, height: number): Promise<Thumbnails> {
  const box = { width, height, fit: 'inside', withoutEnlargement: true, isWhole: false, format: WEBP } as const
  const size = await measure(path)
  const still = await make(path, box)
  const isMoving = size.frames > 1 && mayMove(size)
  const moving = isMoving ? await make(path, { ...box, isMoving }) : undefined
  return { width: size.width, height: size.height, still, moving }
}

function mayMove({ width, height, frames }: Answers['measure']): boolean {
  return frames <= MAX_FRAMES && frames * width * height <= MAX_MOVING_PIXELS
}

async function measure(path: string): Promise<Answers['measure']> {
  return decoded({ kind: 'measure', path })
}

type Wish = Pick<Making, 'width' | 'height' | 'fit' | 'format'> &
  Partial<Pick<Making, 'isMoving' | 'isWhole' | 'withoutEnlargement'>>

async function make(path: string, wish: Wish): Promise<Buffer> {
  return decoded({
    isMoving: false,
    isWhole: true,
    withoutEnlargement: false,
    ...wish,
    kind: 'make',
    path,
    maxPixels: MAX_PIXELS,
  })
}

/** @throws Refusal BAD_IMAGE for what is no picture, or too much to decode; RATE_LIMIT_HIT where too many wait */
async function decoded<Kind extends Order['kind']>(order: Extract<Order, { kind: Kind }>): Promise<Answers[Kind]> {
  return inTurn(async () => {
    const answer = await decode<Kind>(order)
    if (answer === undefined) throw new Refusal('BAD_IMAGE', 'Could not decode image; did you upload an image file?')
    return answer
  })
}
