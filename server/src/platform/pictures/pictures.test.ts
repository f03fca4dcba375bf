import { execFileSync } from 'node:child_process'
import { closeSync, constants, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import sharp from 'sharp'
import { expect, it, onTestFinished } from 'vitest'
import { hashPassword, isCorrectPassword } from '../passwords/passwords.ts'
import { DECODE_TIMEOUT_SECONDS } from './decoder.ts'
import { makeEmojiPicture, makePictureWithin, makeSquarePicture, makeThumbnails } from './pictures.ts'
import { textWith } from '../../testing/expected.ts'

function folderOfTest(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-pictures-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

it('leaves threads free for hashing passwords while slow images are decoded', async () => {
  const folder = folderOfTest()
  // Reading from a pipe blocks until something is written to it.
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  const unblockPipe = (): void => {
    const end = openSync(pipe, constants.O_RDWR)
    rmSync(folder, { recursive: true })
    closeSync(end)
  }
  onTestFinished(() => {
    if (existsSync(pipe)) unblockPipe()
  })

  const pictures = Array.from({ length: 4 }, () => [
    makeEmojiPicture(pipe, 64),
    makeSquarePicture(pipe, 64),
    makePictureWithin(pipe, 64, 64),
    makeThumbnails(pipe, 64, 64),
  ]).flat()
  const made = Promise.allSettled(pictures)
  expect(await isCorrectPassword(await hashPassword('correct horse'), 'correct horse', '192.0.2.1')).toBe(true)
  unblockPipe()
  const results = await made
  expect(results.map((result) => (result.status === 'rejected' ? String(result.reason) : 'made'))).toEqual(
    pictures.map(() => textWith('Could not decode image')),
  )
})

it('abandons an image that takes too long and processes the next image', async () => {
  const folder = folderOfTest()
  const [pipe, good] = [join(folder, 'pipe'), await redPicture(folder)]
  execFileSync('mkfifo', [pipe])
  const [stuck, next] = await Promise.allSettled([makeThumbnails(pipe, 64, 64), makeThumbnails(good, 10, 10)])
  expect(stuck).toMatchObject({ status: 'rejected', reason: { code: 'BAD_IMAGE' } })
  expect(next).toMatchObject({ status: 'fulfilled', value: { width: 40, height: 20, moving: undefined } })
})

it('processes images of different people in turn', async () => {
  const good = await redPicture(folderOfTest())
  const done: string[] = []
  const make = async (name: string, who: string): Promise<unknown> =>
    makeSquarePicture(good, 10, who).then(() => done.push(name))
  const all = [...['a1', 'a2', 'a3', 'a4'].map(async (name) => make(name, '1/1')), make('b1', '1/2')]
  await Promise.all(all)
  expect(done).toEqual(['a1', 'a2', 'b1', 'a3', 'a4'])
})

it("excludes the decoder's waiting time for the CPU from an image's time limit", async () => {
  const good = await redPicture(folderOfTest())
  await makeThumbnails(good, 10, 10)
  const decoder = Number(execFileSync('pgrep', ['-P', String(process.pid), '-f', 'pictures/worker.js']))
  process.kill(decoder, 'SIGSTOP')
  const made = makeThumbnails(good, 10, 10)
  await setTimeout((DECODE_TIMEOUT_SECONDS + 1) * 1000)
  process.kill(decoder, 'SIGCONT')
  expect(await made).toMatchObject({ width: 40, height: 20 })
})

async function redPicture(folder: string): Promise<string> {
  const path = join(folder, 'red')
  const picture = sharp({ create: { width: 40, height: 20, channels: 3, background: 'red' } })
  await picture.png().toFile(path)
  return path
}
