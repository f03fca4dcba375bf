import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The major version in a version of PostgreSQL, or of a package of it. */
export function majorOf(version: string): number {
  return Number.parseInt(version, 10)
}

/** The major version of PostgreSQL that made a cluster; undefined where there is none, or where it does not say. */
export function majorOfCluster(directory: string): number | undefined {
  try {
    const major = majorOf(readFileSync(join(directory, 'PG_VERSION'), 'utf8'))
    return Number.isNaN(major) ? undefined : major
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** @throws Error where programs of this version cannot read a cluster, since another major version made it */
export function refuseOtherMajor(directory: string, version: string): void {
  const [made, brought] = [majorOfCluster(directory), majorOf(version)]
  if (made === undefined || made === brought) return
  const what = `The database in ${dirname(dirname(directory))} was made by PostgreSQL ${made}, and this version of Parley brings PostgreSQL ${brought}.`
  throw new Error(
    made > brought
      ? `${what} Start a newer version of Parley.`
      : `${what} Run \`parley upgrade-database\` once, which moves it over and keeps the old one.`,
  )
}
