/* `npm run emoji` writes the emoji picker's names and keywords, so that servers need not install 49 MB of languages. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** @typedef {{ hexcode: string, label: string, group?: number, order?: number, tags?: string[], skins?: unknown[] }} Emoji */

const PACKAGE = 'emojibase-data@17.0.0'
const STRINGS_FOLDER = join(dirname(fileURLToPath(import.meta.url)), '../web/src/strings')
const LANGUAGES = ['en', 'de']

/** Emojibase's groups, in CLDR order, without the group of components, such as separate skin tones. */
const GROUPS = [
  'smileys',
  'people',
  undefined,
  'animals',
  'food',
  'travel',
  'activities',
  'objects',
  'symbols',
  'flags',
]

const HEADER = `# Emoji in CLDR order: code, name, and keywords that the name lacks. Written by \`npm run emoji\`.
# A plus sign marks emoji with skin tones.
# Copyright © 1991-2025 Unicode, Inc. (CLDR), https://www.unicode.org/license.txt
# Copyright © 2017-2025 Miles Johnson (emojibase), MIT License
`

const folder = mkdtempSync(join(tmpdir(), 'emoji-'))
try {
  execFileSync('npm', ['install', '--silent', '--ignore-scripts', '--legacy-peer-deps', '--prefix', folder, PACKAGE])
  for (const language of LANGUAGES) {
    const file = join(folder, 'node_modules/emojibase-data', language, 'data.json')
    writeFileSync(join(STRINGS_FOLDER, language, 'emoji.txt'), formatEmoji(JSON.parse(readFileSync(file, 'utf8'))))
  }
} finally {
  rmSync(folder, { recursive: true })
}

/** @param {Emoji[]} all */
function formatEmoji(all) {
  const sections = GROUPS.map((name, group) => {
    const inGroup = all.filter((emoji) => emoji.group === group)
    const lines = inGroup.toSorted((one, other) => (one.order ?? 0) - (other.order ?? 0)).map(formatEmojiLine)
    return name === undefined ? '' : `${[name, ...lines].join('\n')}\n`
  })
  return `${HEADER}${sections.join('')}`
}

/** @param {Emoji} emoji */
function formatEmojiLine({ hexcode, label, tags = [], skins = [] }) {
  const inName = new Set(splitWords(label))
  const keywords = new Set(tags.flatMap(splitWords).filter((word) => !inName.has(word)))
  return [codeOf(hexcode) + (skins.length > 0 ? '+' : ''), label, [...keywords].join(' ')].join('\t').trimEnd()
}

/** @param {string} text */
function splitWords(text) {
  return text
    .toLowerCase()
    .split(/[\s:,]+/)
    .filter((word) => word !== '')
}

/** Returns a code as in the API, without variation selectors. @param {string} hexcode */
function codeOf(hexcode) {
  return hexcode.toLowerCase().replaceAll('-fe0f', '')
}
