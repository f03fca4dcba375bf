// Checks relative links in documents, including headings.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from './prepare.js'

const FOLDERS = [
  'docs',
  'docs/decisions',
  'docs/operating',
  'examples',
  'client',
  'bench',
  '.github',
  '.github/ISSUE_TEMPLATE',
  '.',
]
const LINK = /\]\(([^()\s]+)\)|(?:src|srcset|href)="([^"\s]+)"/g

/** @param {string} text of a document */
const linksIn = (text) =>
  [...text.replaceAll(/```[^]*?```|`[^`\n]*`/g, '').matchAll(LINK)].map(([, link, source]) => link ?? source ?? '')

/**
 * Returns the fragments of headings in the form that code hosts generate.
 * @param {string} text
 */
const anchorsIn = (text) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-'),
  )

/** @param {string} path of a document @param {string} text */
function brokenLinks(path, text) {
  return linksIn(text).filter((link) => {
    if (/^[a-z]+:/i.test(link)) return false
    const [file = '', fragment] = link.split('#')
    const target = file === '' ? path : join(dirname(path), decodeURIComponent(file))
    if (!existsSync(target)) return true
    if (fragment === undefined || statSync(target).isDirectory()) return false
    return !anchorsIn(file === '' ? text : readFileSync(target, 'utf8')).includes(fragment)
  })
}

describe('links in documents', () => {
  it('finds no broken links in any document', () => {
    const documents = FOLDERS.flatMap((folder) =>
      readdirSync(join(ROOT, folder))
        .filter((name) => name.endsWith('.md'))
        .map((name) => join(ROOT, folder, name)),
    )
    expect(documents.length).toBeGreaterThan(40)
    const broken = documents.flatMap((path) =>
      brokenLinks(path, readFileSync(path, 'utf8')).map((link) => `${relative(ROOT, path)}: ${link}`),
    )
    expect(broken).toEqual([])
  })

  it.each(['[x](missing.md)', '[x](README.md#missing)', '[x](#missing)', '<img src="missing.png" />'])(
    'reports the broken link %s',
    (text) => {
      expect(brokenLinks(join(ROOT, 'README.md'), text)).toHaveLength(1)
    },
  )

  it.each(['[x](README.md#get-started)', '[x](docs/)', '[x](https://example.org)', '`[x](missing.md)`'])(
    'accepts the link %s',
    (text) => {
      expect(brokenLinks(join(ROOT, 'README.md'), text)).toEqual([])
    },
  )
})
