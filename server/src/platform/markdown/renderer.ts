import type { MarkdownIt, Token } from 'markdown-it'
import { isBlank } from '../../kernel/characters.ts'
import { escapeHtml } from './escape.ts'
import { prepareCjkEmphasis } from './extensions/cjk-emphasis.ts'
import { prepareCodeBlocks } from './extensions/code-blocks.ts'
import { prepareEmoji } from './extensions/emoji.ts'
import { findLinks } from './extensions/linkifiers.ts'
import { mayHaveMath, loadTex } from './extensions/math.ts'
import {
  environmentOf,
  startJob,
  type MarkdownContext,
  type RenderResult,
  type RenderJob,
  type RendererParts,
} from './job.ts'
import { prepareLinkifiers } from './linkifiers.ts'

export const MAX_HTML_CHARACTERS = 400_000
/** Maximum ratio of HTML to source. Text that exceeds it is shown as typed. */
const MAX_HTML_GROWTH = 40
const ALWAYS_ALLOWED_HTML_CHARACTERS = 50_000
/** Rendering a longer text takes several milliseconds. */
const LONG_TEXT_CHARACTERS = 1_024

export function maxHtmlCharacters(source: string): number {
  return Math.min(Math.max(MAX_HTML_GROWTH * source.length, ALWAYS_ALLOWED_HTML_CHARACTERS), MAX_HTML_CHARACTERS)
}

export interface TopicLink {
  readonly text: string
  readonly url: string
}

export interface Renderer {
  readonly renderMessage: (source: string, context: MarkdownContext) => Promise<RenderResult>
  readonly renderDescription: (source: string, context: MarkdownContext) => Promise<string>
  /** Finds linkifier matches and bare URLs, in text order. */
  readonly linksInTopic: (topic: string, context: Pick<MarkdownContext, 'linkifiers'>) => Promise<TopicLink[]>
}

export function createRenderer(parts: RendererParts): Renderer {
  return {
    async renderMessage(source, context) {
      const plain = renderPlain(source, context)
      if (plain !== undefined) return resultWithoutFindings(plain)
      const job = startJob(context, parts, context.imagePreviews ?? true)
      const shown = await renderSource(source, job)
      return shown === undefined
        ? { html: renderAsTyped(source), text: source, ...collectFindings(startJob(context, parts, true)) }
        : { html: shown.html, text: shown.text, ...collectFindings(job) }
    },
    async renderDescription(source, context) {
      const plain = renderPlain(source, context)
      return plain?.html ?? (await renderSource(source, startJob(context, parts, false)))?.html ?? renderAsTyped(source)
    },
    async linksInTopic(topic, { linkifiers }) {
      await prepareLinkifiers(linkifiers, parts)
      return findLinks(await loadParser(), topic, linkifiers)
    },
  }
}

async function renderSource(source: string, job: RenderJob): Promise<{ html: string; text: string } | undefined> {
  const parser = await loadParser()
  const preparing = prepareExtensions(source, parser, job)
  if (preparing.length > 0) await Promise.all(preparing)
  if (source.length > LONG_TEXT_CHARACTERS) await job.parts.ownTurn(job.context.owner)
  job.sourceCharacters = source.length
  const env = environmentOf(job)
  const tokens = parser.parse(source.toWellFormed(), env)
  if (job.previews && job.linkedUploads.size > 0 && job.context.uploadPreviews !== undefined) {
    job.uploadPreviews = await job.context.uploadPreviews(findLinkedUploads(job))
  }
  const html = parser.renderer.render(tokens, parser.options, env).trimEnd()
  if (html.length > maxHtmlCharacters(source) || (html !== '' && tokens.every(isEmpty))) return undefined
  return { html, text: visibleText(tokens) }
}

/** Whether a token shows nothing, such as the marks `#` and `+` without text. Even empty fenced blocks are visible. */
function isEmpty({ type, children, nesting, markup, content }: Token): boolean {
  if (children !== null) return children.every(isEmpty)
  if (nesting === 0) return POSSIBLY_EMPTY_TYPES.has(type) && isBlank(content)
  return !type.startsWith('spoiler') && !(type === 'blockquote_open' && markup === '')
}

const POSSIBLY_EMPTY_TYPES = new Set(['text', 'softbreak', 'hardbreak', 'code_inline', 'math'])

let loadingParser: Promise<MarkdownIt> | undefined

/** Loads the parser with the first text: it adds 40 ms and 10 MB. */
async function loadParser(): Promise<MarkdownIt> {
  loadingParser ??= import('./parser.ts').then(({ createParser }) => createParser())
  return await loadingParser
}

function prepareExtensions(source: string, parser: MarkdownIt, { context, parts }: RenderJob): Promise<unknown>[] {
  return [
    prepareCjkEmphasis(source, parser),
    prepareCodeBlocks(source, context, parts),
    prepareEmoji(source, context, parts),
    prepareLinkifiers(context.linkifiers, parts),
    mayHaveMath(source) ? loadTex() : undefined,
  ].filter((loading) => loading !== undefined)
}

function renderAsTyped(source: string): string {
  return `<p>${escapeHtml(source.toWellFormed().trim()).replace(/\r\n?|\n/g, '<br>\n')}</p>`
}

const EMPTY_LIST: readonly never[] = []

function resultWithoutFindings({ html, text }: { readonly html: string; readonly text: string }): RenderResult {
  return {
    html,
    text,
    mentionedUserIds: EMPTY_LIST,
    mentionedGroupIds: EMPTY_LIST,
    mentionsChannelWildcard: false,
    mentionsTopicWildcard: false,
    linkedUploads: EMPTY_LIST,
    previewable: EMPTY_LIST,
    linksOutside: false,
  }
}

function collectFindings(job: RenderJob): Omit<RenderResult, 'html' | 'text'> {
  const ascending = (ids: Set<number>) => [...ids].toSorted((a, b) => a - b)
  return {
    mentionedUserIds: ascending(job.mentionedUserIds),
    mentionedGroupIds: ascending(job.mentionedGroupIds),
    mentionsChannelWildcard: job.wildcards.has('channel'),
    mentionsTopicWildcard: job.wildcards.has('topic'),
    linkedUploads: findLinkedUploads(job),
    previewable: [...job.previewable],
    linksOutside: job.linksOutside,
  }
}

function findLinkedUploads(job: RenderJob): string[] {
  return [...job.linkedUploads].toSorted()
}

/** Renders the most common kind of text in a fraction of the parser's time. Returns undefined for other text. */
export function renderPlain(
  source: string,
  { linkifiers }: MarkdownContext,
): { html: string; text: string } | undefined {
  if (linkifiers.length > 0 || !isPlainSource(source)) return undefined
  const line = source.trimEnd()
  return { html: `<p>${escapeHtml(line)}</p>`, text: `\n${line}\n` }
}

function isPlainSource(source: string): boolean {
  return /^\p{L}(?:[\p{L}\p{Nd} ,?!'"()%+=-]|\.(?= |$))*$/u.test(source)
}

/** Returns the visible text, with code, but without markup, URLs, and names of mentions and emoji. */
function visibleText(tokens: readonly Token[]): string {
  return tokens.map((token) => (token.children === null ? tokenText(token) : inlineText(token.children))).join('')
}

function inlineText(tokens: readonly Token[]): string {
  let pasted = 0
  let text = ''
  for (const token of tokens) {
    // Leaves out the text of a pasted URL, which is visible but not written by the author.
    if (token.info === 'auto') pasted += token.nesting
    text += pasted > 0 ? '\n' : tokenText(token)
  }
  return text
}

/** Returns a token's own text. Emphasis can start and end inside words; all other tokens separate words. */
function tokenText(token: Token): string {
  if (token.content !== '') return token.type === 'text' ? token.content : `\n${token.content}\n`
  return token.type === 'text' || (token.nesting !== 0 && !token.block) ? '' : '\n'
}
