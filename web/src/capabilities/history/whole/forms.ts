import { tl } from '../../../kernel/later-texts.ts'
import type { Message } from '../../../kernel/message.ts'
import { languageCode } from '../../../kernel/strings.ts'
import { timeOfDay, isSameDay, fullDate } from '../../../kernel/time.ts'
import { copyText } from '../../../platform/dom/clipboard.ts'
import { htmlOf } from '../../../platform/dom/html.ts'
import { saveFile } from '../../../platform/dom/saving.ts'
import { shownName } from '../../muted-users/state.ts'
import { readPoll, type Poll } from '../../polls/poll.ts'
import {
  type PictureSource,
  fileName,
  exportHeadOf,
  type ExportExtent,
  absoluteUrl,
  editNotes,
  reactionsOf,
} from './content.ts'
import type { ExportFormat } from '../actions.ts'
import { headAsElement, messagesAsElement } from './page.tsx'
import { printPage, CONVERSATION_STYLES } from './printing.ts'

export type ExportOutcome =
  | { readonly kind: 'copied' | 'printed' }
  | { readonly kind: 'saved'; readonly name: string }
  /** The export is ready, but the browser allows copying only right after another click. */
  | { readonly kind: 'wants-press'; readonly press: () => Promise<boolean> }

export interface ExportMaker {
  readonly isSource: boolean
  readonly maxMessages: number
  readonly add: (messages: readonly Message[], before: Message | undefined) => Promise<void>
  readonly end: (extent: ExportExtent) => Promise<ExportOutcome>
}

/** Higher than the limits below, because browsers can keep a file's content on disk. */
const MAX_SAVED_MESSAGES = 100_000
/** Clipboard text stays in memory, and printing lays out all rows at once. */
const MAX_COPIED_MESSAGES = 50_000
const MAX_PRINTED_MESSAGES = 5_000

export function createExportMaker(form: ExportFormat, signal: AbortSignal): ExportMaker {
  switch (form) {
    case 'copy':
      return createCopier()
    case 'markdown':
      return createMarkdownSaver()
    case 'html':
      return createHtmlSaver(signal)
    case 'print':
      return createPrinter()
  }
}

function createCopier(): ExportMaker {
  const pieces: string[] = []
  return {
    isSource: true,
    maxMessages: MAX_COPIED_MESSAGES,
    add: async (messages, before) => {
      pieces.push(messagesAsMarkdown(messages, before))
    },
    end: async (extent) => {
      const text = [headAsMarkdown(extent), ...pieces].join('')
      const press = async (): Promise<boolean> => copyText(text)
      return (await press()) ? { kind: 'copied' } : { kind: 'wants-press', press }
    },
  }
}

function createMarkdownSaver(): ExportMaker {
  const pieces: Blob[] = []
  return {
    isSource: true,
    maxMessages: MAX_SAVED_MESSAGES,
    add: async (messages, before) => {
      pieces.push(new Blob([messagesAsMarkdown(messages, before)]))
    },
    end: async (extent) =>
      saveExport(extent, 'md', new Blob([headAsMarkdown(extent), ...pieces], { type: 'text/markdown' })),
  }
}

/** The saved page can neither run scripts nor load resources. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

function createHtmlSaver(signal: AbortSignal): ExportMaker {
  const pieces: Blob[] = []
  const sourceOf = createPictureSource(signal)
  return {
    isSource: false,
    maxMessages: MAX_SAVED_MESSAGES,
    add: async (messages, before) => {
      pieces.push(new Blob([htmlOf(await messagesAsElement(messages, before, sourceOf))]))
    },
    end: async (extent) => {
      const { dir } = document.documentElement
      const parts = [
        `<!doctype html>\n<html lang="${languageCode()}" dir="${dir === 'rtl' ? 'rtl' : 'ltr'}">`,
        htmlOf(createPageHead(exportHeadOf(extent).title)),
        `<body><main class="whole">${htmlOf(headAsElement(extent))}`,
        ...pieces,
        '</main></body></html>\n',
      ]
      return saveExport(extent, 'html', new Blob(parts, { type: 'text/html' }))
    },
  }
}

function createPageHead(title: string): HTMLElement {
  const head = document.createElement('head')
  const meta = (values: Readonly<Record<string, string>>): HTMLElement => {
    const element = document.createElement('meta')
    for (const [name, value] of Object.entries(values)) element.setAttribute(name, value)
    return element
  }
  const [name, style] = [document.createElement('title'), document.createElement('style')]
  name.textContent = title
  style.textContent = CONVERSATION_STYLES
  head.append(
    meta({ charset: 'utf-8' }),
    meta({ 'http-equiv': 'Content-Security-Policy', content: CONTENT_SECURITY_POLICY }),
    meta({ name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    meta({ name: 'referrer', content: 'no-referrer' }),
    name,
    style,
  )
  return head
}

function createPrinter(): ExportMaker {
  const pieces: HTMLElement[] = []
  return {
    isSource: false,
    maxMessages: MAX_PRINTED_MESSAGES,
    add: async (messages, before) => {
      const element = await messagesAsElement(messages, before, async (address) => address)
      for (const spoiler of element.querySelectorAll('details')) spoiler.open = true
      pieces.push(element)
    },
    end: async (extent) => {
      await printPage(exportHeadOf(extent).title, [headAsElement(extent), ...pieces])
      return { kind: 'printed' }
    },
  }
}

function saveExport(extent: ExportExtent, ending: string, file: Blob): ExportOutcome {
  const name = fileName(extent.conversation, ending)
  saveFile(name, file)
  return { kind: 'saved', name }
}

/** Maximum total size of embedded pictures. Further pictures remain links. */
const MAX_PICTURE_BYTES = 40 * 1_048_576
const PICTURE_TYPE = /^image\/(?:webp|png|jpeg|gif|avif)$/

function createPictureSource(signal: AbortSignal): PictureSource {
  let left = MAX_PICTURE_BYTES
  return async (address) => {
    const picture = await pictureAt(address, signal)
    if (picture === undefined || !PICTURE_TYPE.test(picture.type) || picture.size > left) return undefined
    left -= picture.size
    return dataUrlOf(picture)
  }
}

async function pictureAt(address: string, signal: AbortSignal): Promise<Blob | undefined> {
  try {
    const answer = await fetch(address, { signal })
    return answer.ok ? await answer.blob() : undefined
  } catch (error) {
    if (signal.aborted) throw error
    return undefined
  }
}

async function dataUrlOf(picture: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('the picture cannot be read')))
    reader.readAsDataURL(picture)
  })
}

function headAsMarkdown(extent: ExportExtent): string {
  const { title, notes } = exportHeadOf(extent)
  return `# ${escapeText(title)}\n\n${notes.map(escapeText).join('  \n')}\n`
}

/** @param before the preceding message, for the date heading */
function messagesAsMarkdown(messages: readonly Message[], before: Message | undefined): string {
  const previous = [before, ...messages]
  return messages.map((message, index) => messageAsMarkdown(message, previous[index])).join('')
}

function messageAsMarkdown(message: Message, before: Message | undefined): string {
  const { timestamp } = message
  const isNewDay = before === undefined || !isSameDay(before.timestamp, timestamp)
  const poll = readPoll(message)
  const notes = [timeOfDay(timestamp), ...editNotes(message)].map(escapeText).join(' · ')
  const reactions = reactionsOf(message).map(({ sign, names }) => `${escapeText(sign)} ${escapeText(names)}`)
  return [
    ...(isNewDay ? [`\n## ${escapeText(fullDate(timestamp))}\n`] : []),
    `\n**${escapeText(message.sender_full_name)}** · ${notes}\n`,
    `\n${poll === undefined ? withAbsoluteUrls(message.content) : pollAsMarkdown(poll)}\n`,
    ...(reactions.length === 0 ? [] : [`\n*${tl().whole.reactions}:* ${reactions.join(' · ')}\n`]),
  ].join('')
}

function pollAsMarkdown({ question, options }: Poll): string {
  const lines = options.map(({ text, voters }) => {
    const names = voters.map((id) => escapeText(shownName(id))).join(', ')
    return `* ${escapeText(text)} (${voters.length}${names === '' ? '' : `: ${names}`})`
  })
  return [`**${escapeText(question)}**`, '', ...lines].join('\n')
}

/** Matches code, which stays unchanged, and the beginnings of relative link URLs. */
const CODE_OR_LINK_URL = /(```+|~~~+)[^]*?(?:\n\1|$)|(`+)[^`][^]*?\2|\]\((\/[^)\s]*)/g

function withAbsoluteUrls(content: string): string {
  return content.replaceAll(CODE_OR_LINK_URL, (found: string, ...groups: (string | undefined)[]) => {
    const [, , path] = groups
    return path === undefined ? found : `](${absoluteUrl(path)}`
  })
}

function escapeText(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_[\]<>#|~&]/g, String.raw`\$&`)
}
