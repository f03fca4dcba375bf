import { readdir, readFile, stat, statfs } from 'node:fs/promises'
import { resolve } from 'node:path'
import { noticeFinding, okFinding, wrongFinding, type Finding } from '../../kernel/finding.ts'

/* Checks are skipped if the system does not provide the data, for example outside Linux. */

const MEBIBYTE = 1024 * 1024

/** The database stops when it cannot write its WAL of about 0.5 GiB. */
const FULL_DISK_MEBIBYTES = 1_024
const NEARLY_FULL_DISK_MEBIBYTES = 5_120
const NEARLY_FULL_DISK_FRACTION = 0.1
const LOW_INODES_FRACTION = 0.05
/** Every waiting client and every open file uses a descriptor. */
const MIN_DESCRIPTOR_LIMIT = 4_096
const NEARLY_USED_DESCRIPTORS_FRACTION = 0.8
const MIN_MEMORY_MEBIBYTES = 200

export async function checkDisk(dataDirectory: string): Promise<Finding> {
  const path = resolve(dataDirectory)
  const { bavail, bsize, blocks, files, ffree } = await statfs(path)
  const free = Math.floor((bavail * bsize) / MEBIBYTE)
  const part = blocks === 0 ? 1 : bavail / blocks
  if (free < FULL_DISK_MEBIBYTES) return wrongFinding('disk', 'disk_full', free, path)
  // Some file systems have no inode limit.
  const names = files === 0 ? 1 : ffree / files
  if (names < LOW_INODES_FRACTION) {
    return wrongFinding('disk', 'disk_names_nearly_used', Math.round(100 * (1 - names)), path)
  }
  if (free < NEARLY_FULL_DISK_MEBIBYTES && part < NEARLY_FULL_DISK_FRACTION)
    return noticeFinding('disk', 'disk_nearly_full', free, path)
  return okFinding('disk', `${(free / 1024).toFixed(1)} GiB free`)
}

export async function checkDataDirectory(dataDirectory: string, userId: number | undefined): Promise<Finding> {
  const path = resolve(dataDirectory)
  const { uid, mode } = await stat(path)
  if (userId !== undefined && userId !== 0 && uid !== userId) {
    return wrongFinding('data_directory', 'data_directory_of_another', uid, path)
  }
  // Accepts that other accounts can read the directory, because its contents have their own permissions.
  if ((mode & 0o022) !== 0) return wrongFinding('data_directory', 'data_directory_open', null, path)
  return okFinding('data_directory', path)
}

export async function checkDescriptors(processId: number | 'self'): Promise<Finding | undefined> {
  const folder = `/proc/${processId}`
  const [limits, open] = await Promise.all([
    readFile(`${folder}/limits`, 'utf8').catch(() => undefined),
    readdir(`${folder}/fd`).catch(() => undefined),
  ])
  const [, most] = /^Max open files\s+(\d+|unlimited)/m.exec(limits ?? '') ?? []
  if (most === undefined || open === undefined) return undefined
  const limit = most === 'unlimited' ? Infinity : Number(most)
  if (open.length > NEARLY_USED_DESCRIPTORS_FRACTION * limit) {
    return wrongFinding('descriptors', 'descriptors_nearly_used', Math.round((100 * open.length) / limit))
  }
  if (limit < MIN_DESCRIPTOR_LIMIT) return noticeFinding('descriptors', 'descriptors_few', limit)
  return okFinding('descriptors', `${open.length} of ${most} in use`)
}

export async function checkMemory(): Promise<Finding | undefined> {
  const machine = await readFile('/proc/meminfo', 'utf8').catch(() => '')
  const [, available] = /^MemAvailable:\s+(\d+) kB$/m.exec(machine) ?? []
  const left = [available === undefined ? undefined : Number(available) / 1024, await memoryLeftInGroup()]
  const least = Math.floor(Math.min(...left.filter((one) => one !== undefined)))
  if (!Number.isFinite(least)) return undefined
  if (least < MIN_MEMORY_MEBIBYTES) return wrongFinding('memory', 'memory_nearly_used', least)
  return okFinding('memory', `${least} MiB free`)
}

/** Returns the memory left in this cgroup, in MiB. Inactive page cache counts as free. */
async function memoryLeftInGroup(): Promise<number | undefined> {
  const read = async (name: string): Promise<string> => readFile(`/sys/fs/cgroup/${name}`, 'utf8').catch(() => '')
  const [most, used, kinds] = await Promise.all([read('memory.max'), read('memory.current'), read('memory.stat')])
  if (!/^\d+$/.test(most.trim()) || !/^\d+$/.test(used.trim())) return undefined
  const [, kept = '0'] = /^inactive_file (\d+)$/m.exec(kinds) ?? []
  return (Number(most) - Number(used) + Number(kept)) / MEBIBYTE
}
