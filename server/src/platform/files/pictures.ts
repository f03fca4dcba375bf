import type { Sharp, SharpOptions } from 'sharp'
import { Refusal } from '../../kernel/refusal.ts'

/** Pictures that people upload for others to see everywhere are decoded and written anew: only pixels remain. */

/** A side's length times the other's, of all frames together: more is no picture of a person or an emoji. */
const MAX_PIXELS = 50_000_000
const SECONDS = 10
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
  const still = await decoded(path, {}, (picture) => picture.autoOrient().resize(side, side, box).png())
  const sharp = await loadSharp()
  const { pages = 1 } = await sharp(path).metadata()
  if (pages === 1) return { still, moving: undefined }
  const moving = await decoded(path, { animated: true }, (picture) => picture.resize(side, side, box).gif())
  return { still, moving }
}

async function decoded(path: string, options: SharpOptions, make: (picture: Sharp) => Sharp): Promise<Buffer> {
  const sharp = await loadSharp()
  try {
    const picture = sharp(path, { ...options, limitInputPixels: MAX_PIXELS, failOn: 'error' })
    return await make(picture).timeout({ seconds: SECONDS }).toBuffer()
  } catch {
    throw new Refusal('BAD_IMAGE', 'Could not decode image; did you upload an image file?')
  }
}
