import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { syncFolder, writeDurably } from '../backup/folder.ts'
import { giveLike, removeAbandoned } from '../embedded/index.ts'
import { FOLDER_MODE } from '../folders.ts'
import { tellApart } from '../log/restored.ts'

/*
 * In the folder `postgres` of the data folder, see ../embedded/start.ts:
 *   data/                     the cluster that is served
 *   upgrading/                a data folder in which a new cluster is made, with
 *     rows/                   the rows of the old one
 *     npm/                    the programs of the old one, where npm had to install them
 *     complete                what was done, when the new cluster has everything
 *   data-17-before-upgrade/   the old cluster
 *
 * Until `complete` is there, nothing has happened to the old cluster. Then both are renamed. Without `data` between the two
 * renames, nothing else may make a new one.
 */

const ROWS = 'rows'
const NPM = 'npm'
const COMPLETE = 'complete'

/** The places of an upgrade. */
export interface Places {
  /** The cluster that is served. */
  readonly cluster: string
  /** The data folder of the new cluster, until that is put in its place. */
  readonly working: string
  readonly rows: string
  readonly npm: string
}

/** What was done, as programs are told. */
export interface Upgraded {
  /** Versions of PostgreSQL. */
  readonly from: string
  readonly to: string
  /** Where the old cluster is kept, and how much room it takes. */
  readonly kept: string
  readonly kept_bytes: number
  readonly organizations: readonly { readonly id: number; readonly subdomain: string; readonly position: number }[]
  readonly rows: number
  readonly messages: number
  readonly seconds: number
}

export function placesOf(dataDirectory: string): Places {
  const home = join(resolve(dataDirectory), 'postgres')
  const working = join(home, 'upgrading')
  return { cluster: join(home, 'data'), working, rows: join(working, ROWS), npm: join(working, NPM) }
}

/** Whether an upgrade was cut off between the two renames: a server would make an empty database then. */
export function isCutOff(dataDirectory: string): boolean {
  const { cluster, working } = placesOf(dataDirectory)
  return !existsSync(cluster) && existsSync(join(working, COMPLETE))
}

/** Takes away what an upgrade that was cut off has left, with its database servers. */
export async function clearWorking(places: Places): Promise<void> {
  if (existsSync(places.working)) await removeAbandoned(places.working)
}

/** Begins anew: a folder for a new cluster, which will belong to the account that the old one belongs to. */
export async function beginWorking(places: Places): Promise<void> {
  await clearWorking(places)
  await mkdir(places.working, { mode: FOLDER_MODE })
  await mkdir(places.rows, { mode: FOLDER_MODE })
  const home = join(places.working, 'postgres')
  await mkdir(home, { mode: FOLDER_MODE })
  await giveLike(home, places.cluster)
}

/** A name for the old cluster that nothing has. */
export function nameToKeep({ cluster }: Places, major: number): string {
  const name = `${cluster}-${major}-before-upgrade`
  let free = name
  for (let count = 2; existsSync(free); count += 1) free = `${name}-${count}`
  return free
}

/** Puts the new cluster, which has everything, in the place of the old one. No database server runs any more. */
export async function exchange(dataDirectory: string, upgraded: Upgraded): Promise<void> {
  const { cluster, working, rows, npm } = placesOf(dataDirectory)
  for (const done of [rows, npm]) await rm(done, { recursive: true, force: true })
  await writeDurably(join(working, COMPLETE), JSON.stringify(upgraded))
  await syncFolder(working)
  await rename(cluster, upgraded.kept)
  await endExchange(dataDirectory)
}

/** Does what is left to do after the old cluster was renamed. */
export async function endExchange(dataDirectory: string): Promise<Upgraded> {
  const places = placesOf(dataDirectory)
  // As exchange() has written it.
  const upgraded = JSON.parse(await readFile(join(places.working, COMPLETE), 'utf8')) as Upgraded
  // Whoever goes back to it would otherwise give ids a second time.
  await tellApart(upgraded.kept)
  await rename(join(places.working, 'postgres/data'), places.cluster)
  await syncFolder(join(places.cluster, '..'))
  await clearWorking(places)
  return upgraded
}
