import type { RE2JS } from 're2js'
import { ROLE } from '../../kernel/actor.ts'
import { BoundedCache } from '../../kernel/bounded-cache.ts'
import { caseKey } from '../../kernel/case-key.ts'
import type { LoggedEvent } from '../../kernel/event-binding.ts'
import { createYielder } from '../../kernel/pauses.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import type { Viewer } from '../../kernel/viewer.ts'
import { continuesWord, endsWithinWord } from '../../kernel/words.ts'
import { compilePattern } from '../../platform/markdown/linkifiers.ts'
import { channelById } from '../channels/queries/index.ts'
import { readablePart } from '../channels/rules/index.ts'
import type { Member } from '../groups/rules.ts'
import { settingOf } from '../organizations/queries/index.ts'
import { usersProjection } from '../users/queries/index.ts'
import { viewingMember } from '../users/rules/visibility.ts'
import type { HeldMessage } from './contract.ts'

const MAX_PATTERNS = 200
/** Steps of all expressions together. A text of 10,000 characters takes at most 0.2 s. */
const MAX_TOTAL_STEPS = 500

interface HeldPatterns {
  /** Each has the line's text, which identifies it, and tests whether a text contains it. */
  readonly list: readonly { readonly line: string; readonly isIn: (text: SearchedText) => boolean }[]
  readonly problem: string | undefined
}

interface SearchedText {
  readonly whole: string
  readonly key: string
}

const MAX_CACHED_SETTINGS = 100
const compiledSettings = new BoundedCache<string, Promise<HeldPatterns>>(MAX_CACHED_SETTINGS)

/** Each line is a word or phrase, or an expression between slashes. */
function heldPatternsIn(setting: string): Promise<HeldPatterns> {
  const known = compiledSettings.get(setting) ?? compilePatterns(setting)
  compiledSettings.set(setting, known)
  return known
}

async function compilePatterns(setting: string): Promise<HeldPatterns> {
  const lines = setting
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  if (lines.length > MAX_PATTERNS) return { list: [], problem: `There can be at most ${MAX_PATTERNS} patterns.` }
  const list: HeldPatterns['list'][number][] = []
  let steps = 0
  for (const line of lines) {
    const [, source] = /^\/(.+)\/$/.exec(line) ?? []
    if (source === undefined) {
      const word = caseKey(visible(line))
      list.push({ line, isIn: ({ key }) => containsWord(key, word) })
      continue
    }
    const expression = await compilePattern(source, 'ignoring case')
    if (expression === undefined) return { list: [], problem: `Bad regular expression: ${line}` }
    steps += expression.programSize()
    list.push({ line, isIn: ({ whole }) => isFound(expression, whole) })
  }
  if (steps > MAX_TOTAL_STEPS) return { list: [], problem: 'The regular expressions are too complex.' }
  return { list, problem: undefined }
}

function isFound(expression: RE2JS, text: string): boolean {
  return expression.matcher(text).find()
}

function containsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    if (!continuesWord(text, at) && !endsWithinWord(text, at + word.length)) return true
  }
  return false
}

/** Removes characters that are invisible or only format a word, which could disguise it. */
function visible(text: string): string {
  return text.normalize('NFKC').replaceAll(/[\u00AD\u200B-\u200F\u2060\uFEFF]/g, '')
}

/** Returns the patterns that the texts contain. */
async function patternsFoundIn(setting: string, texts: readonly string[]): Promise<Set<string>> {
  const plain = visible(texts.join('\n'))
  const variants = new Set([plain, plain.replaceAll(/[*_~`\\]/g, '')])
  const searched = [...variants].map((whole) => ({ whole, key: caseKey(whole) }))
  const { list } = await heldPatternsIn(setting)
  const pause = createYielder()
  const found = new Set<string>()
  for (const { line, isIn } of list) {
    if (searched.some(isIn)) found.add(line)
    await pause()
  }
  return found
}

export async function heldPatternsProblem(setting: string): Promise<string | undefined> {
  return (await heldPatternsIn(setting)).problem
}

export interface ReviewedText {
  readonly channelId: number | null
  readonly texts: readonly string[]
}

/** Whether some messages of the author are reviewed. Moderators' messages never are. */
export function isReviewedAuthor(organization: OrganizationState, { role }: Member): boolean {
  return role > ROLE.moderator && settingOf(organization, 'held_message_patterns') !== ''
}

/** Whether a moderator must review the text before it is sent. Returns false at once if there are no patterns. */
export function needsReview(
  organization: OrganizationState,
  author: Member,
  { channelId, texts }: ReviewedText,
): Promise<boolean> | false {
  if (channelId === null || !isReviewedAuthor(organization, author)) return false
  return patternsFoundIn(settingOf(organization, 'held_message_patterns'), texts).then(
    ({ size }) => size > 0 && hasReviewer(organization, channelId),
  )
}

/** Whether a change adds a reviewed word or pattern. */
export function addsReviewedText(
  organization: OrganizationState,
  author: Member,
  { channelId, texts }: ReviewedText,
  before: readonly string[],
): Promise<boolean> | false {
  if (channelId === null || !isReviewedAuthor(organization, author)) return false
  const setting = settingOf(organization, 'held_message_patterns')
  return Promise.all([patternsFoundIn(setting, before), patternsFoundIn(setting, texts)]).then(
    ([old, found]) => [...found].some((line) => !old.has(line)) && hasReviewer(organization, channelId),
  )
}

/** Without a moderator who can read the channel, its messages could never be sent. */
export function hasReviewer(organization: OrganizationState, channelId: number): boolean {
  for (const { id, role, isActive, botType } of organization.of(usersProjection).byId.values()) {
    const member = { userId: id, role }
    if (isActive && botType === null && mayReview(organization, member, { stream_id: channelId })) return true
  }
  return false
}

/** Moderators review messages of the channels whose new messages they can read. */
export function mayReview(
  organization: OrganizationState,
  member: Member,
  { stream_id: channelId }: Pick<HeldMessage, 'stream_id'>,
): boolean {
  const channel = channelById(organization, channelId)
  return (
    member.role <= ROLE.moderator && channel !== undefined && readablePart(organization, member, channel) !== 'none'
  )
}

export function isQueueEventWanted({ payload }: LoggedEvent<QueuedPayload>, viewer: Viewer): boolean {
  const message = 'held_message' in payload ? payload.held_message : payload
  return mayReview(viewer.organization, viewingMember(viewer), message)
}

type QueuedPayload =
  { readonly held_message: Pick<HeldMessage, 'stream_id'> } | Pick<HeldMessage, 'held_message_id' | 'stream_id'>
