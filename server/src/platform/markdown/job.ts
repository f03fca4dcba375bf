import type { Env } from 'markdown-it'
import type { ApiNames } from '../http/names.ts'
import type { HighlightedPiece } from './code/highlighter.ts'
import type { CodeLanguage } from './code/languages.ts'
import type { EmojiNames } from './emoji/codes.ts'

export interface NamedUser {
  readonly id: number
  readonly full_name: string
  /** Mentions of deactivated users and groups are silent. */
  readonly isDeactivated: boolean
}

/** Lookups for a message's author, without objects that the author cannot refer to. Equal results give equal HTML. */
export interface MarkdownContext {
  /** Prefers active users; undefined if the name is unknown or ambiguous. */
  userByName(name: string): NamedUser | undefined
  userById(id: number): NamedUser | undefined
  /** The caller checks whether the author's mention can notify the group. */
  groupByName(name: string): { id: number; name: string; isDeactivated: boolean } | undefined
  channelByName(name: string): { id: number; name: string } | undefined
  channelById(id: number): { id: number; name: string } | undefined
  realmEmoji(name: string): { id: string; url: string } | undefined
  /** In order of precedence. Compiled once per array object, so callers pass the same array until it changes. */
  readonly linkifiers: readonly Linkifier[]
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly defaultCodeLanguage?: string
  readonly emptyTopicName?: string
  readonly apiNames?: ApiNames
  readonly translateEmoticons?: boolean
  /** Account to which rendering is attributed: long messages of different accounts take turns. */
  readonly owner?: string | undefined
  readonly imagePreviews?: boolean
  /** Looks up files by path ID. Previews of unknown files show the file itself. */
  readonly uploadPreviews?: ((pathIds: readonly string[]) => Promise<ReadonlyMap<string, KnownUpload>>) | undefined
}

export interface Linkifier {
  readonly id: number
  readonly pattern: string
  readonly url_template: string
}

export type KnownUpload = UploadPreview | 'video' | 'audio' | 'none'

export interface UploadPreview {
  readonly src: string
  readonly isAnimated: boolean
  readonly width: number
  readonly height: number
  readonly contentType: string
}

export interface RenderResult {
  readonly html: string
  readonly text: string
  /** Excludes silent mentions and mentions in quotations. All lists are ascending and unique. */
  readonly mentionedUserIds: readonly number[]
  readonly mentionedGroupIds: readonly number[]
  readonly mentionsChannelWildcard: boolean
  readonly mentionsTopicWildcard: boolean
  /** Paths of linked uploads, such as `2/ab/photo.png`. */
  readonly linkedUploads: readonly string[]
  readonly previewable: readonly string[]
  /** Whether a link leads out of the organization. Matches of linkifiers do not count. */
  readonly linksOutside: boolean
}

/** State in markdown-it's environment, so that the parser stays stateless. */
export interface RenderJob {
  readonly context: MarkdownContext
  readonly parts: RendererParts
  readonly previews: boolean
  readonly mentionedUserIds: Set<number>
  readonly mentionedGroupIds: Set<number>
  readonly wildcards: Set<'channel' | 'topic'>
  readonly linkedUploads: Set<string>
  readonly previewable: Set<string>
  linksOutside: boolean
  uploadPreviews: ReadonlyMap<string, KnownUpload>
  readonly spent: Map<string, number>
  sourceCharacters: number
}

const jobs = new WeakMap<Env, RenderJob>()

export function startJob(context: MarkdownContext, parts: RendererParts, previews: boolean): RenderJob {
  return {
    context,
    parts,
    previews,
    mentionedUserIds: new Set(),
    mentionedGroupIds: new Set(),
    wildcards: new Set(),
    linkedUploads: new Set(),
    previewable: new Set(),
    linksOutside: false,
    uploadPreviews: new Map(),
    spent: new Map(),
    sourceCharacters: 0,
  }
}

export function environmentOf(job: RenderJob): Env {
  const env: Env = {}
  jobs.set(env, job)
  return env
}

export function jobOf(env: Env | undefined): RenderJob {
  const job = env === undefined ? undefined : jobs.get(env)
  if (job === undefined) throw new Error('markdown was parsed without a render job')
  return job
}

/** Takes `amount` from a budget, or takes nothing and returns false. */
export function spendBudget(env: Env, budget: string, amount: number, limit: number): boolean {
  const total = spentBudget(env, budget) + amount
  if (total > limit) return false
  jobOf(env).spent.set(budget, total)
  return true
}

export function spentBudget(env: Env, budget: string): number {
  return jobOf(env).spent.get(budget) ?? 0
}

export interface RendererParts {
  readonly loadEmojiNames: (apiNames: ApiNames | undefined) => Promise<unknown>
  readonly emojiNames: (apiNames: ApiNames | undefined) => EmojiNames
  readonly loadGrammar: (language: CodeLanguage) => Promise<void>
  readonly highlight: (code: string, grammar: string) => readonly HighlightedPiece[] | undefined
  /** Resolves when a long text can take its turn of the event loop. */
  readonly ownTurn: (owner: string | undefined) => Promise<void>
  /** Call this before long work; the returned function lets other work run between steps. */
  readonly pausing: () => () => Promise<void> | undefined
}
