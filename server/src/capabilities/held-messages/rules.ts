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
/** Steps of all expressions together. */
const MAX_TOTAL_STEPS = 500
/** NFKC can lengthen a text 18 times. Longer texts count as found, because searching them would block the process. */
const MAX_SEARCHED_CHARACTERS = 12_000
/** An expression can take time proportional to the text for each match. */
const MAX_COMPARED_MATCHES = 10

interface HeldPatterns {
  /** Each returns the parts of a text that it matches, which identify the match. */
  readonly list: readonly ((text: SearchedText) => readonly string[])[]
  readonly problem: string | undefined
}

interface SearchedText {
  readonly whole: string
  /** The text in one line, as it is, without formatting, and with words that underscores join. */
  readonly keys: readonly string[]
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
    .filter((line) => keyOf(visible(line)) !== '')
  if (lines.length > MAX_PATTERNS) return { list: [], problem: `There can be at most ${MAX_PATTERNS} patterns.` }
  const list: HeldPatterns['list'][number][] = []
  let steps = 0
  for (const line of lines) {
    const [, source] = /^\/(.+)\/$/.exec(line) ?? []
    if (source === undefined) {
      const word = keyOf(visible(line))
      list.push(({ keys }) => (keys.some((key) => containsWord(key, word)) ? [word] : []))
      continue
    }
    const expression = await compilePattern(source, 'ignoring case')
    if (expression === undefined) return { list: [], problem: `Bad regular expression: ${line}` }
    steps += expression.programSize()
    list.push(({ whole }) => matchesOf(expression, whole))
  }
  if (steps > MAX_TOTAL_STEPS) return { list: [], problem: 'The regular expressions are too complex.' }
  return { list, problem: undefined }
}

/** Returns the whole text if it has many matches. */
function matchesOf(expression: RE2JS, text: string): readonly string[] {
  const matcher = expression.matcher(text)
  const found: string[] = []
  while (matcher.find()) {
    if (found.length === MAX_COMPARED_MATCHES) return [text]
    found.push(matcher.group() ?? '')
  }
  return found
}

function containsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    if (!continuesWord(text, at) && !endsWithinWord(text, at + word.length)) return true
  }
  return false
}

/** Removes invisible characters, which could disguise a word, and replaces those that only look different. */
function visible(text: string): string {
  return text.normalize('NFKC').replaceAll(/[\p{Default_Ignorable_Code_Point}\p{Cf}]|(?!\s)\p{Cc}/gu, '')
}

function keyOf(text: string): string {
  return caseKey(text).replaceAll(/\s+/g, ' ').trim()
}

function searchedText(whole: string): SearchedText {
  const key = keyOf(whole)
  return { whole, keys: [...new Set([key, key.replaceAll(/[*_~`\\]/g, ''), key.replaceAll('_', ' ')])] }
}

/** Returns the parts of the texts that patterns match. */
async function matchesIn(setting: string, texts: readonly string[]): Promise<Set<string>> {
  const { list } = await heldPatternsIn(setting)
  const pause = createYielder()
  const found = new Set<string>()
  for (const text of new Set(texts.map((one) => visible(one).trim()))) {
    if (text.length > MAX_SEARCHED_CHARACTERS) {
      found.add(text)
      continue
    }
    const searched = searchedText(text)
    for (const matchesOfPattern of list) {
      for (const match of matchesOfPattern(searched)) found.add(match)
      await pause()
    }
  }
  return found
}

/** Only the source has links. Only the visible text joins words that a link or an escape divides. */
export function textsOf(
  { content, visibleText }: { readonly content: string; readonly visibleText: string },
  widget: string | null = null,
): string[] {
  return [content, visibleText, ...(widget === null ? [] : textsInJson(widget))]
}

/** Returns the keys and values of a JSON text, in which escapes could disguise words. */
export function textsInJson(json: string): string[] {
  const texts: string[] = []
  const left: unknown[] = [JSON.parse(json)]
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value === 'string') texts.push(value)
    else if (typeof value === 'object' && value !== null) {
      // A list's keys are its indexes.
      if (!Array.isArray(value)) left.push(...Object.keys(value))
      for (const part of Object.values(value)) left.push(part)
    }
  }
  return texts
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
  return matchesIn(settingOf(organization, 'held_message_patterns'), texts).then(
    ({ size }) => size > 0 && hasReviewer(organization, channelId),
  )
}

/** Whether the new texts of a change match patterns elsewhere than the texts before. */
export function addsReviewedText(
  organization: OrganizationState,
  author: Member,
  { channelId, texts }: ReviewedText,
  before: readonly string[],
): Promise<boolean> | false {
  if (channelId === null || !isReviewedAuthor(organization, author)) return false
  return changeIsReviewed(organization, channelId, texts, before)
}

async function changeIsReviewed(
  organization: OrganizationState,
  channelId: number,
  texts: readonly string[],
  before: readonly string[],
): Promise<boolean> {
  const setting = settingOf(organization, 'held_message_patterns')
  const found = await matchesIn(setting, texts)
  if (found.size === 0 || !hasReviewer(organization, channelId)) return false
  const old = await matchesIn(setting, before)
  return [...found].some((match) => !old.has(match))
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
