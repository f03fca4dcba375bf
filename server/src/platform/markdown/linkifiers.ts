import type { RE2JS } from 're2js'
import type { Template } from 'url-template'
import type { Linkifier, RendererParts } from './job.ts'
import { continuesWord, endsWithinWord } from '../../kernel/words.ts'

interface CompiledLinkifier {
  readonly pattern: RE2JS
  readonly steps: number
  /** Text that every match contains; empty if unknown. */
  readonly literal: string
  readonly groups: readonly string[]
  readonly template: Template
}

export type LinkifierProblem =
  | { readonly problem: 'invalid pattern' | 'invalid template' }
  | { readonly problem: 'group not in template' | 'variable not in pattern'; readonly name: string }

/** Rejects `#12` in `a#12b`. `findMatchesOf` rejects non-ASCII letters, because compiling them takes 4 times as long. */
const BEFORE_MATCH_PATTERN = '(?:^|[^0-9A-Za-z_])'
const AFTER_MATCH_PATTERN = '(?:$|[^0-9A-Za-z_])'

/** A pattern of 1,000 characters can have 160,000 steps and take 0.3 s to compile. */
export const MAX_PATTERN_STEPS = 2_000
const REPETITION_PATTERN = /\{(\d+)(?:,(\d*))?\}/g

const compiledLists = new WeakMap<readonly Linkifier[], Promise<readonly CompiledLinkifier[]>>()
const readyLists = new WeakMap<readonly Linkifier[], readonly CompiledLinkifier[]>()

export function prepareLinkifiers(linkifiers: readonly Linkifier[], parts: RendererParts): Promise<void> | undefined {
  return linkifiers.length === 0 || readyLists.has(linkifiers) ? undefined : compileOnce(linkifiers, parts)
}

async function compileOnce(linkifiers: readonly Linkifier[], parts: RendererParts): Promise<void> {
  const pending = compiledLists.get(linkifiers) ?? compileLinkifiers(linkifiers, parts)
  compiledLists.set(linkifiers, pending)
  readyLists.set(linkifiers, await pending)
}

function compiledLinkifiers(linkifiers: readonly Linkifier[]): readonly CompiledLinkifier[] {
  return readyLists.get(linkifiers) ?? []
}

/** Returns undefined if the Python pattern and the RFC 6570 template are valid and use the same names. */
export async function findLinkifierProblem(
  linkifier: Pick<Linkifier, 'pattern' | 'url_template'>,
): Promise<LinkifierProblem | undefined> {
  const compiled = await compileLinkifier(linkifier)
  if ('problem' in compiled) return compiled
  const variables = variableNames(linkifier.url_template)
  const unused = compiled.groups.find((group) => !variables.includes(group))
  if (unused !== undefined) return { problem: 'group not in template', name: unused }
  const unknown = variables.find((variable) => !compiled.groups.includes(variable))
  return unknown === undefined ? undefined : { problem: 'variable not in pattern', name: unknown }
}

async function compileLinkifiers(
  linkifiers: readonly Linkifier[],
  parts: RendererParts,
): Promise<readonly CompiledLinkifier[]> {
  const pause = parts.pausing()
  const usable: CompiledLinkifier[] = []
  for (const linkifier of linkifiers) {
    const compiled = await compileLinkifier(linkifier)
    if (!('problem' in compiled)) usable.push(compiled)
    await pause()
  }
  return usable
}

/** Returns undefined if the pattern is invalid, too long, or matches nothing but an empty text. */
export async function compilePattern(pattern: string, letters?: 'ignoring case'): Promise<RE2JS | undefined> {
  const { RE2JS } = await import('re2js')
  if (totalRepetitions(pattern) > MAX_PATTERN_STEPS) return undefined
  try {
    const compiled = RE2JS.compile(pattern, letters === undefined ? 0 : RE2JS.CASE_INSENSITIVE)
    return compiled.programSize() > MAX_PATTERN_STEPS || compiled.matches('') ? undefined : compiled
  } catch {
    return undefined
  }
}

/** Compiles with RE2, which takes linear time, but has no look-around or back-references. */
async function compileLinkifier({
  pattern,
  url_template,
}: Pick<Linkifier, 'pattern' | 'url_template'>): Promise<CompiledLinkifier | LinkifierProblem> {
  const { RE2JS } = await import('re2js')
  const { parseTemplate } = await import('url-template')
  const alone = await compilePattern(pattern)
  if (alone === undefined) return { problem: 'invalid pattern' }
  const groups = Object.keys(alone.namedGroups())
  if (!hasBalancedBraces(url_template)) return { problem: 'invalid template' }
  const whole = RE2JS.compile(`${BEFORE_MATCH_PATTERN}(${pattern})${AFTER_MATCH_PATTERN}`)
  return {
    pattern: whole,
    steps: whole.programSize(),
    literal: literalPrefix(pattern),
    groups,
    template: parseTemplate(url_template),
  }
}

const LITERAL_PREFIX_PATTERN = /^(?:(?:[^\\.[\](){}*+?|^$]|\\[^A-Za-z0-9])(?![*+?{]))+/u

/** Returns the text with which every match starts, such as `#` or `TICKET-`. */
function literalPrefix(pattern: string): string {
  if (pattern.includes('|')) return ''
  return (LITERAL_PREFIX_PATTERN.exec(pattern)?.[0] ?? '').replace(/\\(.)/gu, '$1')
}

function totalRepetitions(pattern: string): number {
  return Array.from(pattern.matchAll(REPETITION_PATTERN), ([, least, most]) =>
    Number(most === '' ? least : (most ?? least)),
  ).reduce((sum, times) => sum + times, 0)
}

const TEMPLATE_EXPRESSION_PATTERN = /\{([^{}]*)\}/g
const VARIABLE_LIST_PATTERN = /^[+#./;?&]?[A-Za-z0-9_%.]+(?::\d{1,4}|\*)?(?:,[A-Za-z0-9_%.]+(?::\d{1,4}|\*)?)*$/

export function templateVariables(template: string): string[] | undefined {
  return hasBalancedBraces(template) ? variableNames(template) : undefined
}

function hasBalancedBraces(template: string): boolean {
  const expressions = Array.from(template.matchAll(TEMPLATE_EXPRESSION_PATTERN), ([, expression = '']) => expression)
  return (
    expressions.every((expression) => VARIABLE_LIST_PATTERN.test(expression)) &&
    !/[{}]/.test(template.replace(TEMPLATE_EXPRESSION_PATTERN, ''))
  )
}

function variableNames(template: string): string[] {
  return Array.from(template.matchAll(TEMPLATE_EXPRESSION_PATTERN), ([, expression = '']) => expression).flatMap(
    (expression) =>
      expression
        .replace(/^[+#./;?&]/, '')
        .split(',')
        .map((variable) => variable.replace(/:\d+$|\*$/, '')),
  )
}

export interface LinkifierMatch {
  readonly start: number
  readonly end: number
  readonly url: string
}

/** The URL is built on demand: templates can repeat the matched text hundreds of times. */
interface LazyMatch extends Omit<LinkifierMatch, 'url'> {
  readonly url: () => string
}

const STEPS_PER_SEARCH = 10

/** Finds matches from left to right. If two overlap, the earlier linkifier wins. */
export function findMatches(
  text: string,
  linkifiers: readonly Linkifier[],
  spend: (steps: number) => boolean,
): LinkifierMatch[] {
  const matches: LazyMatch[] = []
  for (const linkifier of compiledLinkifiers(linkifiers)) {
    if (!text.includes(linkifier.literal)) continue
    if (!spend(linkifier.steps * text.length + STEPS_PER_SEARCH)) continue
    const taken = [...matches]
    const found = findMatchesOf(text, linkifier)
    matches.push(...withoutOverlaps(found, taken))
    matches.sort((a, b) => a.start - b.start)
  }
  return matches.map(({ start, end, url }) => ({ start, end, url: url() }))
}

/** Returns matches that overlap no taken match, in one pass because both lists are sorted. */
function withoutOverlaps(found: readonly LazyMatch[], taken: readonly LazyMatch[]): LazyMatch[] {
  let index = 0
  return found.filter((match) => {
    while ((taken[index]?.end ?? Infinity) <= match.start) index++
    return (taken[index]?.start ?? Infinity) >= match.end
  })
}

function findMatchesOf(text: string, { pattern, groups, template }: CompiledLinkifier): LazyMatch[] {
  const matches: LazyMatch[] = []
  const matcher = pattern.matcher(text)
  let position = 0
  while (position <= text.length && matcher.find(position)) {
    const start = matcher.start(1)
    const end = matcher.end(1)
    const values = Object.fromEntries(groups.map((name) => [name, matcher.group(name) ?? '']))
    if (end > start && !continuesWord(text, start) && !endsWithinWord(text, end))
      matches.push({ start, end, url: () => template.expand(values) })
    position = Math.max(end, position + 1)
  }
  return matches
}
