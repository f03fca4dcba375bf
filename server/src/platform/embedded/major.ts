import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export function majorOf(version: string): number {
  return Number.parseInt(version, 10)
}

/** Undefined if there is no cluster or no readable version. */
export function majorOfCluster(directory: string): number | undefined {
  try {
    const major = majorOf(readFileSync(join(directory, 'PG_VERSION'), 'utf8'))
    return Number.isNaN(major) ? undefined : major
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

export function refuseOtherMajor(directory: string, version: string): void {
  const [made, brought] = [majorOfCluster(directory), majorOf(version)]
  if (made === undefined || made === brought) return
  const what = `The database in ${dirname(dirname(directory))} was made by PostgreSQL ${made}, but this version of Parley includes PostgreSQL ${brought}.`
  throw new Error(
    made > brought
      ? `${what} Start a newer version of Parley.`
      : `${what} Run \`parley upgrade-database\` once, which copies it and keeps the old one.`,
  )
}
