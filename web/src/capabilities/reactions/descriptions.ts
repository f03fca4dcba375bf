import { signal } from '@preact/signals'
import { languageCode } from '../../kernel/strings.ts'
import germanEmoji from '../../strings/de/emoji.txt'
import englishEmoji from '../../strings/en/emoji.txt'

/* Names and keywords of emoji from Unicode CLDR, in the person's language and in English. */

export interface Description {
  readonly label: string
  readonly group: string
  readonly hasTones: boolean
  readonly keywords: string
}

/** By code, in CLDR order. */
export type Descriptions = ReadonlyMap<string, Description>

const FILES: Readonly<Record<string, string>> = { de: germanEmoji }

export const descriptions = signal<Descriptions>(new Map())

let describedLanguage: string | undefined

export async function loadDescriptions(): Promise<void> {
  const language = languageCode()
  if (describedLanguage === language) return
  describedLanguage = language
  const file = FILES[language]
  try {
    const [english, own] = await Promise.all([englishEmoji, file].map(readDescriptions))
    if (describedLanguage === language && english !== undefined) descriptions.value = translate(english, own)
  } catch {
    // If offline, the picker offers the names that the server knows, and the next picker tries again.
    describedLanguage = undefined
  }
}

async function readDescriptions(file: string | undefined): Promise<Descriptions | undefined> {
  if (file === undefined) return undefined
  const response = await fetch(new URL(file, import.meta.url))
  if (!response.ok) throw new Error(`${file}: ${response.status}`)
  return parseDescriptions(await response.text())
}

/** Parses the files that `tools/emoji.js` writes. */
function parseDescriptions(text: string): Descriptions {
  const found = new Map<string, Description>()
  let group = ''
  for (const line of text.split('\n')) {
    const [code = '', label, keywords = ''] = line.split('\t')
    if (line.startsWith('#') || line === '') continue
    if (label === undefined) group = code
    else
      found.set(code.replace('+', ''), {
        label,
        group,
        hasTones: code.endsWith('+'),
        keywords,
      })
  }
  return found
}

function translate(english: Descriptions, own: Descriptions | undefined): Descriptions {
  if (own === undefined) return english
  return new Map(
    [...own].map(([code, description]) => {
      const { label = '', keywords = '' } = english.get(code) ?? {}
      return [code, { ...description, keywords: [description.keywords, label, keywords].join(' ') }]
    }),
  )
}
