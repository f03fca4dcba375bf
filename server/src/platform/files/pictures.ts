import type { Sharp, SharpOptions } from 'sharp'
import { Refusal } from '../../kernel/refusal.ts'
import { takingTurns } from './turns.ts'

/** Pictures that people upload for others to see everywhere are decoded and written anew: only pixels remain. */

/** A side's length times the other's: more is no picture of a person. */
const MAX_PIXELS = 50_000_000
/** The limit of all frames of a moving picture together: each is decoded, made small and encoded again. */
const MAX_MOVING_PIXELS = 16_000_000
const MAX_FRAMES = 200
/** How long one picture may take, counted from when it is its turn. */
const SECONDS = 2
/** Each takes a thread of Node's pool of four, in which passwords are hashed and files are read as well. */
const MAX_AT_ONCE = 2
/** More that wait for their turn are refused. */
const MAX_WAITING = 50

const inTurn = takingTurns(MAX_AT_ONCE, MAX_WAITING, () => {
  throw new Refusal('RATE_LIMIT_HIT', 'Too many pictures are being uploaded', { 'retry-after': SECONDS })
})
/** What libraries are allowed to read; all others, such as the one for SVG, stay switched off. */
const LOADERS = ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif'].map((name) => `VipsForeignLoad${name}`)

type SharpModule = (input: string, options?: SharpOptions) => Sharp

let loading: Promise<SharpModule> | undefined

/** Costs a starting server 30 ms, so it waits for the first picture. */
async function loadSharp(): Promise<SharpModule> {
  loading ??= import('sharp').then(({ default: sharp }) => {
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({ operation: LOADERS })
    sharp.cache(false)
    // One picture uses one core; the others go on answering.
    sharp.concurrency(1)
    return sharp
  })
  return loading
}

/** A square PNG that a picture fills, its middle in the middle. */
export async function squarePicture(path: string, side: number): Promise<Buffer> {
  return decoded(path, {}, (picture) => picture.autoOrient().resize(side, side, { fit: 'cover' }).png())
}

/** The whole picture as a PNG, smaller where it is larger than this. */
export async function pictureWithin(path: string, width: number, height: number): Promise<Buffer> {
  const box = { fit: 'inside', withoutEnlargement: true } as const
  return decoded(path, {}, (picture) => picture.autoOrient().resize(width, height, box).png())
}

/** The whole picture in a transparent square: a PNG, or a GIF that moves beside its first frame. */
export async function emojiPicture(path: string, side: number): Promise<{ still: Buffer; moving: Buffer | undefined }> {
  const box = { fit: 'contain', background: { r: 0, g: 0, b: 0, alpha: 0 } } as const
  const frames = await framesOf(path)
  const still = await decoded(path, {}, (picture) => picture.autoOrient().resize(side, side, box).png())
  if (frames === 1) return { still, moving: undefined }
  const moving = await decoded(path, { animated: true }, (picture) => picture.resize(side, side, box).gif())
  return { still, moving }
}

/** How many frames a picture has, by its headers. @throws Refusal BAD_IMAGE when there is too much to decode */
async function framesOf(path: string): Promise<number> {
  const {
    pages = 1,
    width,
    height,
    pageHeight = height,
  } = await inTurn(async () => {
    const sharp = await loadSharp()
    return sharp(path, { limitInputPixels: false }).metadata().catch(refuseUnreadable)
  })
  if (pages > 1 && (pages > MAX_FRAMES || pages * width * pageHeight > MAX_MOVING_PIXELS)) {
    throw new Refusal(
      'BAD_IMAGE',
      `A moving picture may have ${MAX_FRAMES} frames of ${MAX_MOVING_PIXELS} pixels in all.`,
    )
  }
  return pages
}

async function decoded(path: string, options: SharpOptions, make: (picture: Sharp) => Sharp): Promise<Buffer> {
  return inTurn(async () => {
    const sharp = await loadSharp()
    const picture = sharp(path, { ...options, limitInputPixels: MAX_PIXELS, failOn: 'error' })
    return make(picture).timeout({ seconds: SECONDS }).toBuffer().catch(refuseUnreadable)
  })
}

function refuseUnreadable(): never {
  throw new Refusal('BAD_IMAGE', 'Could not decode image; did you upload an image file?')
}
