import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTar } from './tar.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-test-'))
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

const archive = (): string => join(folder, 'export.tar.gz')

async function pack(root: string, ...options: string[]): Promise<void> {
  await promisify(execFile)('tar', ['-czf', archive(), ...options, '-C', root, '.'])
}

async function unpackArchive(signal = new AbortController().signal): Promise<Record<string, string>> {
  const { files } = await openTar(archive(), join(folder, 'unpacked'), signal)
  const texts: Record<string, string> = {}
  for (const [path, file] of files) {
    expect(file.path).toBe(path)
    const bytes = await buffer(await file.open())
    expect(bytes).toHaveLength(file.size)
    texts[path] = bytes.toString('utf8')
  }
  return texts
}

async function makeArchive(): Promise<string> {
  const root = join(folder, 'root')
  await mkdir(join(root, 'uploads'), { recursive: true })
  await writeFile(join(root, 'realm.json'), '{}')
  await writeFile(join(root, 'empty.json'), '')
  await writeFile(join(root, 'uploads/Grüße.txt'), 'x'.repeat(100_000))
  await writeFile(join(root, 'uploads', `${'long '.repeat(40)}.txt`), 'a long name')
  await symlink('/etc/passwd', join(root, 'link'))
  return root
}

describe.each(['gnu', 'posix'])('tar archives in %s format', (form) => {
  it('reads files with names of any length and skips links', async () => {
    await pack(await makeArchive(), `--format=${form}`)
    expect(await unpackArchive()).toEqual({
      'realm.json': '{}',
      'empty.json': '',
      'uploads/Grüße.txt': 'x'.repeat(100_000),
      [`uploads/${'long '.repeat(40)}.txt`]: 'a long name',
    })
  })
})

it.each(['gnu', 'posix'])('rejects sparse files in %s format', async (form) => {
  const root = await makeArchive()
  await truncate(join(root, 'realm.json'), 1024 * 1024)
  await pack(root, `--format=${form}`, '--sparse')
  await expect(unpackArchive()).rejects.toThrow('has sparse files')
})

it('reads files in deep folders in ustar format', async () => {
  const root = await makeArchive()
  const place = 'folder/'.repeat(25)
  await mkdir(join(root, place), { recursive: true })
  await writeFile(join(root, place, 'deep.json'), 'deep')
  await promisify(execFile)('tar', ['-czf', archive(), '--format=ustar', '-C', root, 'realm.json', 'folder'])
  expect(await unpackArchive()).toEqual({ 'realm.json': '{}', [`${place}deep.json`]: 'deep' })
})

it('reads file names that look like header records', async () => {
  const root = await makeArchive()
  const name = `${'long '.repeat(30)}\n20 path=evil\n9 size=7`
  await writeFile(join(root, name), 'a strange name')
  await pack(root, '--format=posix')
  expect(await unpackArchive()).toMatchObject({ [name]: 'a strange name', 'realm.json': '{}' })
})

it('uses the last of two files with the same name, like tar', async () => {
  const root = await makeArchive()
  await writeFile(join(root, 'again.json'), 'again')
  const names = ['realm.json', 'again.json', 'empty.json', 'uploads/Grüße.txt']
  const options = ['--hard-dereference', '--transform=s,again,realm,']
  await promisify(execFile)('tar', ['-czf', archive(), ...options, '-C', root, ...names])
  expect(await unpackArchive()).toEqual({
    'realm.json': 'again',
    'empty.json': '',
    'uploads/Grüße.txt': 'x'.repeat(100_000),
  })
})

it('names unpacked files independently of names in the archive', async () => {
  const root = await makeArchive()
  await pack(root, '--transform=s,^\\./,../../evil/,', '--absolute-names')
  expect(Object.keys(await unpackArchive())).toContain('../../evil/realm.json')
  expect((await readdir(folder)).toSorted()).toEqual(['export.tar.gz', 'root', 'unpacked'])
  expect(await readdir(join(folder, 'unpacked'))).toEqual(['0'])
  expect((await readdir(join(folder, 'unpacked/0'))).toSorted()).toEqual(['0', '1', '2', '3'])
})

it('rejects a truncated or damaged archive, and a file that is not an archive', async () => {
  await pack(await makeArchive())
  const whole = await readFile(archive())
  const plain = gunzipSync(whole)
  const refused = /is not a readable \.tar\.gz archive/
  await truncate(archive(), whole.length - 20)
  await expect(unpackArchive()).rejects.toThrow(refused)
  await writeFile(archive(), gzipSync(plain.subarray(0, 1_000)))
  await expect(unpackArchive()).rejects.toThrow(refused)
  await writeFile(archive(), gzipSync(Buffer.from('no archive '.repeat(100))))
  await expect(unpackArchive()).rejects.toThrow(refused)
  const changed = Buffer.from(plain)
  changed.write('another name')
  await writeFile(archive(), gzipSync(changed))
  await expect(unpackArchive()).rejects.toThrow('Invalid tar header')
  const damaged = Buffer.from(whole)
  damaged.writeUInt32LE(0, damaged.length - 8)
  await writeFile(archive(), damaged)
  await expect(unpackArchive()).rejects.toThrow(refused)
})

function header(type: string, size: string, name = 'large.json'): Buffer {
  const block = Buffer.alloc(512)
  block.write(name, 0)
  block.write(size, 124, 'latin1')
  block.write(type, 156)
  block.fill(' ', 148, 156)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0`, 148)
  return block
}

function paxRecords(text: string): Buffer {
  const blocks = Buffer.alloc(Math.ceil(text.length / 512) * 512)
  blocks.write(text)
  return Buffer.concat([header('x', `${text.length.toString(8).padStart(11, '0')}\0`), blocks])
}

it.each([
  ['a huge file', [header('0', '07777777777\0')], 'would be far larger than any export when unpacked'],
  ['metadata without end', [header('x', '00400000000\0')], 'Header exceeds max size'],
  ['metadata of a negative size', [header('x', '\u00ff')], 'Unexpected end of data'],
  ['a size that is not a number', [header('0', '\u00c3')], 'Invalid header'],
  ['a negative size in metadata', [paxRecords('11 size=-5\n'), header('0', '00000000000\0')], 'Invalid header'],
  ['an unknown kind of entry', [header('V', '00000000000\0')], 'has sparse files or other special entries'],
])('rejects an archive with %s before writing it', async (_what, blocks, reason) => {
  await writeFile(archive(), gzipSync(Buffer.concat(blocks)))
  await expect(unpackArchive()).rejects.toThrow(reason)
  expect(await readdir(folder)).toEqual(['export.tar.gz'])
})

it('rejects a small archive that unpacks to huge metadata', async () => {
  const metadata = gzipSync(paxRecords(`${'1000000 a='.padEnd(999_999, 'b')}\n`))
  await writeFile(archive(), Buffer.concat(Array<Buffer>(70).fill(metadata)))
  await expect(unpackArchive()).rejects.toThrow('would be far larger than any export when unpacked')
})

it('reports a write error instead of a damaged archive', async () => {
  await pack(await makeArchive())
  await writeFile(join(folder, 'unpacked'), 'no folder')
  await expect(unpackArchive()).rejects.toThrow(/^(?:ENOTDIR|EEXIST)/)
})

it('stops unpacking when aborted', async () => {
  await pack(await makeArchive())
  await expect(unpackArchive(AbortSignal.abort())).rejects.toThrow('abort')
})
