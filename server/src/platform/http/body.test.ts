import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { waitForTurnEnd, MAX_BODY_BYTES, readBody, readBodyInTurn } from './body.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})

afterEach(() => {
  vi.useRealTimers()
})

function startBody(): { body: Readable; read: Promise<Buffer> } {
  const body = new IncomingMessage(new Socket())
  const read = readBody(body, '192.0.2.1', MAX_BODY_BYTES)
  // The test awaits `read` later; it can reject before that.
  read.catch(() => undefined)
  return { body, read }
}

function send(body: Readable, ...pieces: readonly (string | Buffer | null)[]): void {
  for (const piece of pieces) body.push(piece)
}

it('starts no timer for a body that arrived in one turn of the event loop', async () => {
  const [whole, parts, empty] = [startBody(), startBody(), startBody()]
  send(whole.body, 'a=1', null)
  send(parts.body, 'a=', '1', null)
  send(empty.body, null)
  await waitForTurnEnd()
  expect(vi.getTimerCount()).toBe(0)
  expect(String(await whole.read)).toBe('a=1')
  expect(String(await parts.read)).toBe('a=1')
  expect(String(await empty.read)).toBe('')
})

it('waits for the rest of a request body', async () => {
  const { body, read } = startBody()
  send(body, 'a=')
  await waitForTurnEnd()
  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(59_000)
  send(body, '1', null)
  expect(String(await read)).toBe('a=1')
  expect(vi.getTimerCount()).toBe(0)
})

it('rejects a body that is incomplete after a minute', async () => {
  const { body, read } = startBody()
  send(body, 'a=')
  await waitForTurnEnd()
  vi.advanceTimersByTime(60_000)
  await expect(read).rejects.toThrow('The request did not arrive in time')
})

it('rejects a body that is interrupted at any time', async () => {
  const [first, later] = [startBody(), startBody()]
  first.body.destroy(new Error('aborted'))
  await expect(first.read).rejects.toThrow('The request was interrupted')
  later.body.destroy(new Error('aborted'))
  await expect(later.read).rejects.toThrow('The request was interrupted')
  expect(vi.getTimerCount()).toBe(0)
})

it('rejects a request body over the size limit, whether complete or not', async () => {
  const piece = Buffer.alloc(MAX_BODY_BYTES)
  const [whole, endless] = [startBody(), startBody()]
  send(whole.body, piece, 'x', null)
  await expect(whole.read).rejects.toThrow('The request is too large')
  for (let count = 0; count <= 16; count += 1) send(endless.body, piece)
  await expect(endless.read).rejects.toThrow('The request is too large')
  expect(vi.getTimerCount()).toBe(0)
})

it('releases the memory of rejected bodies', async () => {
  const piece = Buffer.alloc(MAX_BODY_BYTES - 1)
  for (let round = 0; round < 10; round += 1) {
    // One address can have 8 waiting bodies; the last body arrives when 8 are waiting.
    const bodies = Array.from({ length: 8 }, startBody)
    for (const { body } of bodies) send(body, piece)
    await waitForTurnEnd()
    const more = startBody()
    send(more.body, piece)
    await expect(more.read).rejects.toThrow('Too many requests are arriving at once')
    send(more.body, 'x', null)
    for (const { body } of bodies) send(body, null)
    for (const { read } of bodies) expect((await read).length).toBe(piece.length)
  }
  const { body, read } = startBody()
  send(body, 'a=')
  await waitForTurnEnd()
  send(body, '1', null)
  expect(String(await read)).toBe('a=1')
})

it('reads two long bodies of an account at once without delaying other accounts', async () => {
  const longBody = (): IncomingMessage =>
    Object.assign(new IncomingMessage(new Socket()), { headers: { 'content-length': '200000' } })
  const begin = (body: IncomingMessage, account: string): Promise<Buffer> => readBodyInTurn(body, '192.0.2.1', account)
  const [first, second, third, others] = [longBody(), longBody(), longBody(), longBody()]
  const read = [begin(first, 'Ann'), begin(second, 'Ann'), begin(third, 'Ann'), begin(others, 'Bob')]
  for (const body of [third, others]) send(body, 'x', null)
  expect(String(await read[3])).toBe('x')
  expect(third.listenerCount('data')).toBe(0)
  send(first, 'y', null)
  expect(String(await read[0])).toBe('y')
  expect(String(await read[2])).toBe('x')
  send(second, null)
  await read[1]
})
