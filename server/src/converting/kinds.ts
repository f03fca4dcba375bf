import { DamagedArchive } from '../platform/moving/damage.ts'
import { MANIFEST, pathOfTable } from '../platform/moving/manifest.ts'

/** A form of exports, and which file tells one. */
export interface ExportKind {
  /** As people call the service. */
  readonly title: string
  /** As a word of addresses and commands. */
  readonly word: string
  /** The file that each of these exports has, as a sentence names it. */
  readonly file: string
  /** Whether a file of this path is that one. */
  readonly isMarker: (path: string) => boolean
  /** Whether that file alone is an export. */
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

/** What our own archives have, and no other export. */
const OF_OURS: readonly string[] = [MANIFEST, pathOfTable('organization_settings')]

/**
 * Finds the folder of an archive in which the export is: mostly it has all of it in one.
 * @returns what its paths begin with
 * @throws DamagedArchive that says why there is none, and what this is where that can be told
 */
export function folderOfExport(archive: string, paths: readonly string[], kind: ExportKind): string {
  const isThere = (isOne: (path: string) => boolean): string | undefined =>
    paths.find(isOne) ?? paths.find((path) => isOne(withoutFolder(path)))
  // Its tables have the form of Mattermost's lines.
  if (OF_OURS.every((one) => isThere((path) => path === one) !== undefined))
    throw new DamagedArchive(`${archive} is an archive of Parley: use \`parley import parley\`.`)
  const found = isThere(kind.isMarker)
  if (found !== undefined) return kind.isMarker(found) ? '' : found.slice(0, found.indexOf('/') + 1)
  const what = paths.length === 0 ? 'is empty' : `has no ${kind.file}`
  const other = [ZULIP, SLACK, MATTERMOST].find(({ isMarker }) => isThere(isMarker) !== undefined)
  const guess =
    other === undefined ? '' : ` It looks like one of ${other.title}, which \`parley import ${other.word}\` imports.`
  throw new DamagedArchive(`${archive} is no export of ${kind.title}: it ${what}.${guess}`)
}

function withoutFolder(path: string): string {
  return path.replace(/^[^/]+\//, '')
}
