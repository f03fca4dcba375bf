import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { syncFolder, writeDurably } from '../backup/folder.ts'
import { copyOwner, removeAbandonedDirectory } from '../embedded/index.ts'
import { FOLDER_MODE } from '../folders.ts'
import { assignNewIdentity } from '../log/restored.ts'

/*
 * In the data folder's `postgres` folder, see ../embedded/start.ts:
 *   data/                     the cluster in use
 *   upgrading/                a data folder with the new cluster, and
 *     rows/                   rows of the old cluster
 *     npm/                    programs of the old cluster, if npm had to install them
 *     complete                the result, once the new cluster is complete
 *   data-17-before-upgrade/   the old cluster
 *
 * Until `complete` exists, the old cluster is unchanged. Then both clusters are renamed. If the upgrade
 * is interrupted between the renames, `data` is missing, and nothing else may create it.
 */

const ROWS_FOLDER = 'rows'
const NPM_FOLDER = 'npm'
const RESULT_FILE = 'complete'

export interface UpgradePaths {
  readonly cluster: string
  readonly working: string
  readonly rows: string
  readonly npm: string
}

export interface UpgradeResult {
  readonly from: string
  readonly to: string
  /** Path and size of the old cluster. */
  readonly kept: string
  readonly kept_bytes: number
  readonly organizations: readonly { readonly id: number; readonly subdomain: string; readonly position: number }[]
  readonly rows: number
  readonly messages: number
  readonly seconds: number
}

export function upgradePaths(dataDirectory: string): UpgradePaths {
  const home = join(resolve(dataDirectory), 'postgres')
  const working = join(home, 'upgrading')
  return { cluster: join(home, 'data'), working, rows: join(working, ROWS_FOLDER), npm: join(working, NPM_FOLDER) }
}

/** Whether an interrupted upgrade left no cluster; a server would then create an empty database. */
export function isUpgradeInterrupted(dataDirectory: string): boolean {
  const { cluster, working } = upgradePaths(dataDirectory)
  return !existsSync(cluster) && existsSync(join(working, RESULT_FILE))
}

export async function clearWorkingFolder(places: UpgradePaths): Promise<void> {
  if (existsSync(places.working)) await removeAbandonedDirectory(places.working)
}

export async function createWorkingFolder(places: UpgradePaths): Promise<void> {
  await clearWorkingFolder(places)
  await mkdir(places.working, { mode: FOLDER_MODE })
  await mkdir(places.rows, { mode: FOLDER_MODE })
  const home = join(places.working, 'postgres')
  await mkdir(home, { mode: FOLDER_MODE })
  await copyOwner(home, places.cluster)
}

export function pathForOldCluster({ cluster }: UpgradePaths, major: number): string {
  const name = `${cluster}-${major}-before-upgrade`
  let free = name
  for (let count = 2; existsSync(free); count += 1) free = `${name}-${count}`
  return free
}

/** Replaces the cluster while no database server is running. */
export async function replaceCluster(dataDirectory: string, upgraded: UpgradeResult): Promise<void> {
  const { cluster, working, rows, npm } = upgradePaths(dataDirectory)
  for (const done of [rows, npm]) await rm(done, { recursive: true, force: true })
  await writeDurably(join(working, RESULT_FILE), JSON.stringify(upgraded))
  await syncFolder(working)
  await rename(cluster, upgraded.kept)
  await finishReplacement(dataDirectory)
}

export async function finishReplacement(dataDirectory: string): Promise<UpgradeResult> {
  const places = upgradePaths(dataDirectory)
  // Safe: written by replaceCluster().
  const upgraded = JSON.parse(await readFile(join(places.working, RESULT_FILE), 'utf8')) as UpgradeResult
  // Marks the old cluster as a copy: otherwise, a server that returns to it would reuse IDs.
  await assignNewIdentity(upgraded.kept)
  await rename(join(places.working, 'postgres/data'), places.cluster)
  await syncFolder(join(places.cluster, '..'))
  await clearWorkingFolder(places)
  return upgraded
}
