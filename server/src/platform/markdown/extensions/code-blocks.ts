import type { Env, MarkdownIt, RendererRule } from 'markdown-it'
import { codeLanguage } from '../code/languages.ts'
import type { CodeLanguage } from '../code/languages.ts'
import { escapeHtml } from '../escape.ts'
import { jobOf, spendBudget, spentBudget, type MarkdownContext, type RendererParts } from '../job.ts'
import { tokenAt } from '../tokens.ts'

/** Some grammars take quadratic time: 65 ms for 5,000 characters, 270 ms for 10,000. */
export const MAX_COLORED_CHARACTERS = 5_000

export function codeBlocksExtension(md: MarkdownIt): void {
  md.renderer.rules['fence'] = renderFence
  md.renderer.rules['code_block'] = (tokens, index) => codeBlock('', escapeHtml(tokens[index]?.content ?? ''))
}

const renderFence: RendererRule = (tokens, index, _options, env = {}) => {
  const { info, content } = tokenAt(tokens, index)
  const written = languageName(info) || (jobOf(env).context.defaultCodeLanguage ?? '')
  const language = codeLanguage(written)
  const code = content === '' || content.endsWith('\n') ? content : `${content}\n`
  return codeBlock(language?.displayName ?? written, highlightCode(code, language?.grammar, env))
}

function codeBlock(language: string, html: string): string {
  const label = language === '' ? '' : ` data-code-language="${escapeHtml(language)}"`
  return `<div class="codehilite"${label}><pre><span></span><code>${html}</code></pre></div>\n`
}

function highlightCode(code: string, grammar: string | undefined, env: Env): string {
  if (grammar === undefined) return escapeHtml(code)
  const limit = MAX_COLORED_CHARACTERS - spentBudget(env, 'colored characters')
  const end = code.length <= limit ? code.length : code.lastIndexOf('\n', limit - 1) + 1
  spendBudget(env, 'colored characters', end, MAX_COLORED_CHARACTERS)
  const pieces = jobOf(env).parts.highlight(code.slice(0, end), grammar) ?? [['', code.slice(0, end)]]
  return [...pieces, ['', code.slice(end)] as const]
    .map(([cssClass, text]) => highlightedPieceHtml(cssClass, text))
    .join('')
}

function highlightedPieceHtml(cssClass: string, text: string): string {
  return cssClass === '' ? escapeHtml(text) : `<span class="${cssClass}">${escapeHtml(text)}</span>`
}

const MAX_LANGUAGE_NAME_CHARACTERS = 40

/** Returns the language of a fence. Accepts the older form `{.python}` too. */
function languageName(info: string): string {
  const word = /^[ \t]*(?:\{[ \t]*\.?)?([^\s{}]+)/.exec(info)?.[1] ?? ''
  return word.length > MAX_LANGUAGE_NAME_CHARACTERS ? '' : word
}

const FENCE_WITH_LANGUAGE_PATTERN = /(?:`{3}|~{3})[ \t]*(?:\{[ \t]*\.?)?([^\s`~{}]+)/g

const NO_LANGUAGES: ReadonlySet<CodeLanguage> = new Set()

export function prepareCodeBlocks(
  source: string,
  context: MarkdownContext,
  parts: RendererParts,
): Promise<unknown> | undefined {
  const languages = findLanguages(source, context)
  return languages.size === 0 ? undefined : Promise.all([...languages].map(parts.loadGrammar))
}

export function findLanguages(source: string, context: MarkdownContext): ReadonlySet<CodeLanguage> {
  if (!source.includes('```') && !source.includes('~~~')) return NO_LANGUAGES
  const names = Array.from(source.matchAll(FENCE_WITH_LANGUAGE_PATTERN), ([, name = '']) => name)
  if (context.defaultCodeLanguage) names.push(context.defaultCodeLanguage)
  return new Set(names.flatMap((name) => codeLanguage(name) ?? []))
}
