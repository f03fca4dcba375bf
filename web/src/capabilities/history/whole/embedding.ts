import type { PictureSource } from './content.ts'

/** Maximum bytes of all embedded pictures. Beyond this, pictures remain links. */
const MOST_PICTURE_BYTES = 40 * 1_048_576
const PICTURE_TYPE = /^image\/(?:webp|png|jpeg|gif|avif)$/

export function embedPictures(signal: AbortSignal): PictureSource {
  let left = MOST_PICTURE_BYTES
  return async (address) => {
    const picture = await pictureAt(address, signal)
    if (picture === undefined || !PICTURE_TYPE.test(picture.type) || picture.size > left) return undefined
    left -= picture.size
    return addressOfData(picture)
  }
}

async function pictureAt(address: string, signal: AbortSignal): Promise<Blob | undefined> {
  try {
    const answer = await fetch(address, { signal })
    return answer.ok ? await answer.blob() : undefined
  } catch (error) {
    if (signal.aborted) throw error
    return undefined
  }
}

async function addressOfData(picture: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('the picture cannot be read')))
    reader.readAsDataURL(picture)
  })
}
