import { gunzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { fetchAs } from '../../../testing/files.ts'
import { parseObject } from '../../../testing/json.ts'
import type { Body, TestUser } from '../../../testing/user.ts'
import { EXPORT_TYPE } from '../contract.ts'

const WAIT_OPTIONS = { timeout: 30_000 }

export async function startExport(user: TestUser, export_type: number = EXPORT_TYPE.public): Promise<number> {
  return (await user.call('POST', '/export/realm', { export_type }))['id']
}

export async function listExports(user: TestUser): Promise<Body[]> {
  return (await user.call('GET', '/export/realm'))['exports']
}

export async function waitForExport(user: TestUser, id: number): Promise<Body> {
  const find = async (): Promise<Body | undefined> => (await listExports(user)).find((one) => one['id'] === id)
  await expect.poll(find, WAIT_OPTIONS).toMatchObject({ pending: false })
  return (await find()) ?? {}
}

export function archivePathOf(dataExport: Body): string {
  return new URL(String(dataExport['export_url'])).pathname
}

function untar(gzipped: Buffer): ReadonlyMap<string, Buffer> {
  const tar = gunzipSync(gzipped)
  const files = new Map<string, Buffer>()
  let at = 0
  while (tar[at] !== 0) {
    const field = (from: number, length: number): string =>
      tar.toString('latin1', at + from, at + from + length).replace(/\0.*$/s, '')
    const size = parseInt(field(124, 12), 8)
    expect(field(257, 5)).toBe('ustar')
    files.set(field(0, 100), tar.subarray(at + 512, at + 512 + size))
    at += 512 + Math.ceil(size / 512) * 512
  }
  expect(tar.length - at).toBe(1_024)
  return files
}

export function recordsOf(files: ReadonlyMap<string, Buffer>, kind: string): Body[] {
  const parts = [...files].filter(([name]) => name.startsWith(`${kind}/`) && name.endsWith('.jsonl'))
  const lines = parts.flatMap(([, bytes]) => bytes.toString('utf8').trimEnd().split('\n'))
  return lines.map((line) => parseObject(line))
}

export async function exportedFiles(user: TestUser, export_type: number): Promise<ReadonlyMap<string, Buffer>> {
  const done = await waitForExport(user, await startExport(user, export_type))
  const { status, bytes } = await fetchAs(user, archivePathOf(done))
  expect(status).toBe(200)
  return untar(bytes)
}
