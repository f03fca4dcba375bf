/* Generates a PNG of a single color. */
import { crc32, deflateSync } from 'node:zlib'

const WIDTH = 600
const HEIGHT = 400

/** @param {string} url @param {import('../generate/write.js').Person} person @returns {Promise<string>} Markdown */
export async function uploadPicture(url, { email, key }) {
  const form = new FormData()
  form.append('file', new Blob([createPng()], { type: 'image/png' }), 'blue.png')
  const answer = await fetch(`${url}/api/v1/user_uploads`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}` },
    body: form,
  })
  const { url: path } = /** @type {{ url?: string }} */ (await answer.json())
  if (path === undefined) throw new Error('the picture cannot be uploaded')
  return `[blue.png](${path})`
}

function createPng() {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(WIDTH, 0)
  header.writeUInt32BE(HEIGHT, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const line = Buffer.concat([Buffer.from([0]), Buffer.alloc(WIDTH * 3, Buffer.from([40, 90, 200]))])
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: HEIGHT }, () => line)))),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** @param {string} type @param {Buffer} data */
function pngChunk(type, data) {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(typed))
  return Buffer.concat([length, typed, sum])
}
