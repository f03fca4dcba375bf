import { DamagedArchive } from '../platform/backup/reporting.ts'
import { MANIFEST_FILE, pathOfTable } from '../platform/moving/manifest.ts'

export interface ExportKind {
  readonly title: string
  readonly word: string
  readonly file: string
  readonly isMarker: (path: string) => boolean
  /** Whether this file alone is a complete export. */
  readonly isWhole: boolean
}

export const SLACK: ExportKind = {
  title: 'Slack',
  word: 'slack',
  file: 'users.json',
  isMarker: (path) => path === 'users.json',
  isWhole: false,
}

export const MATTERMOST: ExportKind = {
  title: 'Mattermost',
  word: 'mattermost',
  file: '.jsonl file',
  isMarker: (path) => /^[^/]+\.jsonl$/.test(path),
  isWhole: true,
}

export const ZULIP: ExportKind = {
  title: 'Zulip',
  word: 'zulip',
  file: 'realm.json',
  isMarker: (path) => path === 'realm.json',
  isWhole: false,
}

const PARLEY_ARCHIVE_FILES: readonly string[] = [MANIFEST_FILE, pathOfTable('organization_settings')]

/** Returns the prefix of the export's paths: many archives contain the export in a folder. @throws DamagedArchive */
export function folderOfExport(archive: string, paths: readonly string[], kind: ExportKind): string {
  const isThere = (isOne: (path: string) => boolean): string | undefined =>
    paths.find(isOne) ?? paths.find((path) => isOne(withoutTopFolder(path)))
  // Looks for a Parley archive first, because its tables resemble a Mattermost export.
  if (PARLEY_ARCHIVE_FILES.every((one) => isThere((path) => path === one) !== undefined))
    throw new DamagedArchive(`${archive} is a Parley archive: use \`parley import parley\`.`)
  const found = isThere(kind.isMarker)
  if (found !== undefined) return kind.isMarker(found) ? '' : found.slice(0, found.indexOf('/') + 1)
  const what = paths.length === 0 ? 'is empty' : `has no ${kind.file}`
  const other = [ZULIP, SLACK, MATTERMOST].find(({ isMarker }) => isThere(isMarker) !== undefined)
  const guess =
    other === undefined ? '' : ` It looks like a ${other.title} export: use \`parley import ${other.word}\`.`
  throw new DamagedArchive(`${archive} is not a ${kind.title} export: it ${what}.${guess}`)
}

function withoutTopFolder(path: string): string {
  return path.replace(/^[^/]+\//, '')
}
